// SPDX-License-Identifier: Apache-2.0
//
// Where device memory lands. The client reserves the addresses of device
// memory in its own process, so they must be where no client has anything:
// from device_base up. The vendor's library takes addresses as mmap gives
// them. Two things decide what it is given:
//
//  - With the personality ADDR_COMPAT_LAYOUT the kernel gives the lowest free
//    address above a third of the address space, in place of the highest below
//    the stack. It holds from the next exec on, hence the second start.
//  - All that is free below device_base is taken first, without memory behind
//    it. The range under 1 TiB is left alone: the vendor keeps its stream-ordered
//    pools there, and cuInit fails when it is full.
//
// Measured on driver 580.159.04.
#include "place.h"

#include "region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#define TIB 0x10000000000ull
#define MAPS_MAX (1u << 20)

#ifdef AXR_TSAN

void axw_place_again(char **argv, const char *vendor_dir) { (void)argv, (void)vendor_dir; }

const char *axw_place_block(uint64_t device_base)
{
	(void)device_base; // ThreadSanitizer decides on the address space itself
	return NULL;
}

#else

void axw_place_again(char **argv, const char *vendor_dir)
{
	const char *again = getenv("AXON_WORKER_AGAIN"), *old = getenv("LD_LIBRARY_PATH");
	char path[8192];

	if (again) {
		unsetenv("AXON_WORKER_AGAIN");
		return;
	}
	int now = personality(0xffffffff);
	if (now == -1 || personality((unsigned long)now | ADDR_COMPAT_LAYOUT) == -1)
		fprintf(stderr, "axon-worker: personality: %s; device memory may collide with the client's\n", strerror(errno));
	// The vendor's library loads others by name (its PTX compiler): they are beside it.
	int n = snprintf(path, sizeof path, "%s%s%s", vendor_dir, old && *old ? ":" : "", old && *old ? old : "");
	if (n < (int)sizeof path)
		setenv("LD_LIBRARY_PATH", path, 1);
	setenv("AXON_WORKER_AGAIN", "1", 1);
	execv("/proc/self/exe", argv);
	fprintf(stderr, "axon-worker: starting again through /proc/self/exe: %s\n", strerror(errno));
	unsetenv("AXON_WORKER_AGAIN");
}

// The whole of /proc/self/maps, without malloc (which would change it). NULL, or why not.
static const char *read_maps(char *text, size_t *length)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd < 0)
		return "/proc/self/maps cannot be opened";
	*length = 0;
	while (*length < MAPS_MAX - 1 && (n = read(fd, text + *length, MAPS_MAX - 1 - *length)) > 0)
		*length += (size_t)n;
	close(fd);
	text[*length] = 0;
	return n < 0 ? "/proc/self/maps cannot be read" : n > 0 ? "/proc/self/maps is too long" : NULL;
}

static const char *block(uint64_t from, uint64_t to)
{
	void *at = (void *)(uintptr_t)from;
	void *p = mmap(at, to - from, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == at)
		return NULL;
	if (p != MAP_FAILED) // a kernel before 4.17 takes the address as a hint
		munmap(p, to - from);
	return "addresses below the device window cannot be taken (is there a limit on address space, ulimit -v?)";
}

// Whether the address space ends below the window, as with the 39 bits of some
// arm64 kernels, or in an emulator. There is no other place then, and the
// client reserves each allocation as it comes.
static int ends_below(uint64_t device_base)
{
	void *at = (void *)(uintptr_t)device_base;
	void *p = mmap(at, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED && errno != ENOMEM)
		return 0;
	void *anywhere = p == MAP_FAILED ? mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : p;
	if (anywhere == MAP_FAILED)
		return 0; // no memory at all
	munmap(anywhere, 4096);
	return p != at;
}

const char *axw_place_block(uint64_t device_base)
{
	if (device_base <= TIB || ends_below(device_base))
		return NULL;
	char *text = mmap(NULL, MAPS_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text == MAP_FAILED)
		return "out of memory";
	size_t length;
	const char *why = read_maps(text, &length);
	uint64_t free_from = TIB;
	for (char *line = text; !why && *line && free_from < device_base; line = strchr(line, '\n') + 1) {
		char *end;
		uint64_t start = strtoull(line, &end, 16), stop = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;
		if (start >= device_base)
			break;
		if (start > free_from)
			why = block(free_from, start);
		if (stop > free_from)
			free_from = stop;
		if (!strchr(line, '\n'))
			break;
	}
	if (!why && free_from < device_base)
		why = block(free_from, device_base);
	// `text` stays: its place would be the first hole.
	return why;
}

#endif
