// SPDX-License-Identifier: Apache-2.0
//
// The session's account (account.h), and the pipe at which a worker waits
// until it is where it is accounted for.
#include "account.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"
#include "start.h"

static struct {
	_Alignas(4096) uint8_t bytes[AXA_SIZE];
} nobodys = { { 0 } };

void axw_account_open(struct axw_session *s, int fd)
{
	struct stat st;
	void *p = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size >= (off_t)AXA_SIZE)
		p = mmap(NULL, AXA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED) { // started by hand: figures that nobody reads, and no limits
		p = &nobodys;
		s->account = p;
		atomic_store(&s->account->limit, UINT64_MAX);
		atomic_store(&s->account->pinned_limit, UINT64_MAX);
	}
	s->account = p;
}

void axw_hold(int fd)
{
	char byte;
	ssize_t n;

	while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0); // axond has gone, or has given up
	close(fd);
}
