// SPDX-License-Identifier: Apache-2.0
//
// What the vendor prints is noticed without asking the kernel, wherever in its
// file it comes to lie and whatever it begins with; and nothing is lost of it.
#include "print.h"

#include <string.h>
#include <unistd.h>

#include "fake.h"

static struct axw_session *s;
static struct axw_lane *l;

// EXPECT's line would go where the client's output goes.
#define SAID(condition, ...)                                                                                           \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			dprintf(s->log, "%s:%d: ", __FILE__, __LINE__);                                                \
			dprintf(s->log, __VA_ARGS__);                                                                  \
			dprintf(s->log, "\n");                                                                         \
			_exit(2);                                                                                      \
		}                                                                                                      \
	} while (0)

// The client's end: takes all that is there and compares it.
static void take(int fd, const uint8_t *want, size_t n)
{
	uint32_t i = (uint32_t)fd - 1, head = atomic_load(&s->header->output_head[i]), tail = atomic_load(&s->header->output_tail[i]);
	SAID(tail - head == n, "descriptor %d: the client gets %u bytes of %zu", fd, tail - head, n);
	for (size_t k = 0; k < n; k++)
		SAID(axr_output_at(s->region, i)[(head + k) % AXR_OUTPUT_SIZE] == want[k], "descriptor %d: byte %zu is another", fd, k);
	atomic_store(&s->header->output_head[i], tail);
}

static void prints(int fd, const uint8_t *bytes, size_t n)
{
	SAID(write(fd, bytes, n) == (ssize_t)n, "write failed");
}

int main(void)
{
	static uint8_t bytes[100003];
	for (size_t k = 0; k < sizeof bytes; k++)
		bytes[k] = (uint8_t)(1 + k % 251);

	s = fake_session_still(1);
	l = &s->lane[0];
	EXPECT(axw_print_start(s) == 0, "no output");
	axw_print_move(s);
	l->looks = 1; // the next one that asks the kernel is far
	SAID(!axw_print_news(l), "news before there was any");

	// Both files, past the end of several windows: no write goes unnoticed, and none is noticed twice.
	for (int k = 0; k < 40; k++)
		for (int fd = 1; fd <= 2; fd++) {
			size_t n = k % 2 ? sizeof bytes : (size_t)(1 + k);
			l->looks = 1;
			prints(fd, bytes, n);
			SAID(axw_print_news(l), "descriptor %d: write %d goes unnoticed", fd, k);
			axw_print_move(s);
			take(fd, bytes, n);
			SAID(!axw_print_news(l), "descriptor %d: write %d is noticed twice", fd, k);
		}

	// What stdio holds back is news.
	l->looks = 1;
	printf("held");
	SAID(axw_print_news(l), "stdio's buffer goes unnoticed");
	axw_print_move(s);
	take(1, (const uint8_t *)"held", 4);

	// What had no room stays news until it had.
	for (int k = 0; k < 3; k++)
		prints(1, bytes, sizeof bytes);
	axw_print_move(s);
	SAID(atomic_load(&s->header->output_more) == 1 && axw_print_news(l), "what had no room is forgotten");
	atomic_store(&s->header->output_head[0], atomic_load(&s->header->output_tail[0]));
	axw_print_move(s);
	atomic_store(&s->header->output_head[0], atomic_load(&s->header->output_tail[0]));
	SAID(!atomic_load(&s->header->output_more) && !axw_print_news(l), "there is more than was printed");

	// Zeros are not seen, but found before long.
	memset(bytes, 0, 100);
	prints(2, bytes, 200);
	int asked = 0;
	while (!axw_print_news(l))
		SAID(++asked < 1000, "zeros are never found");
	axw_print_move(s);
	take(2, bytes, 200);
	return 0;
}
