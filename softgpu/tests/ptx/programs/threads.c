/* SPDX-License-Identifier: Apache-2.0
 *
 * What threads do together, and what happens when one does wrong. Takes threads.ptx. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

static struct device opened, *device = &opened;

static void together(void)
{
	unsigned *o = device_memory(device, 4096);

	begin("calls: through pointers, in registers, structures by value");
	RUN(device, "calls", 1, 40, ptr(o));
	for (unsigned t = 0; t < 40; t++) {
		unsigned v = (t & 1 ? t - 100 : t + 100) - 7, want = 5 * 1000 + v + 1;
		check(o[t] == want, "thread %u: %u, not %u", t, o[t], want);
	}

	begin("threads diverge and meet at a barrier, without those that have left");
	memset(o, 0xff, 4096);
	RUN(device, "divergence", 1, 128, ptr(o));
	for (unsigned t = 0; t < 128; t++)
		check(o[t] == (t <= 70 ? (70 - t) & 7 : ~0u), "thread %u: %u", t, o[t]);

	begin("named barriers, arrivals and reductions");
	RUN(device, "barriers", 1, 64, ptr(o));
	check(o[0] == 160 && o[2] == 10 && o[3] == 2, "%u %u %u", o[0], o[2], o[3]);

	begin("lanes of a warp exchange values");
	RUN(device, "warps", 1, 32, ptr(o));
	for (unsigned t = 0; t < 32; t++) {
		unsigned *v = o + 8 * t, down = (t & 3) < 2 ? t + 2 : t;
		check(v[0] == (t < 16 ? 15 : 376), "lane %u: redux %u", t, v[0]);
		check(v[1] == 0x11111111u << (t & 3), "lane %u: match.any %x", t, v[1]);
		check(v[2] == ~0u, "lane %u: match.all %x", t, v[2]);
		check(v[3] == down && v[4] == ((t & 3) < 2), "lane %u: shfl %u %u", t, v[3], v[4]);
		check(v[5] == (t == 0), "lane %u: elect %u", t, v[5]);
		check(v[6] == ~0u, "lane %u: activemask %x", t, v[6]);
	}

	begin("a warp's lanes keep step over volatile shared memory");
	RUN(device, "lock_step", 1, 32, ptr(o));
	check(o[0] == 496, "%u", o[0]);

	begin("a lock is passed on between the threads of a warp");
	memset(o, 0, 64);
	RUN(device, "lock", 3, 96, ptr(o));
	check(o[1] == 288 && o[0] == 0, "%u", o[1]);

	begin("resident blocks wait for each other");
	memset(o, 0, 64);
	device->resident = 20;
	RUN(device, "grid_barrier", 20, 2, ptr(o));
	device->resident = 0;
	check(o[0] == 40 && o[1] == 40, "%u %u", o[0], o[1]);
	memset(o, 0, 64);
	device->resident = 200;
	RUN(device, "grid_barrier", 200, 64, ptr(o));
	device->resident = 0;
	check(o[0] == 12800 && o[1] == 12800, "%u %u", o[0], o[1]);

	begin("printf formats as in C");
	RUN(device, "prints", 1, 2, UINT64_C(0));
	check(!strcmp(device->printed, "t=0  2.50 ok abcdef012345\nt=1  2.50 ok abcdef012345\n"), "%s", device->printed);

	begin("variables hold addresses of others");
	char *word = device_variable(device, "word"), *record = device_variable(device, "record");
	uint64_t address;
	memcpy(&address, record + 1, 8);
	check(record[0] == 1 && address == ptr(word), "%llx", (unsigned long long)address);
	memcpy(&address, device_variable(device, "inside"), 8);
	check(address == ptr(word) + 1, "%llx", (unsigned long long)address);
}

/* The launch must fail with this fault. */
static void fails(int result, enum ptx_fault_kind kind, const char *function)
{
	check(result == -1 && device->fault.kind == kind, "kind %d: %s", device->fault.kind, device->fault.message);
	check(!function || (device->fault.function && !strcmp(device->fault.function, function)), "in %s",
	      device->fault.function ? device->fault.function : "no function");
	check(device->fault.message[0] && !strchr(device->fault.message, '\n'), "message '%s'", device->fault.message);
}

static void *stop_later(void *flag)
{
	struct timespec t = {0, 30000000};
	nanosleep(&t, NULL);
	__atomic_store_n((int *)flag, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void faults(void)
{
	begin("recursion without end is a stack overflow, not a crash");
	fails(launch(device, "recursion_without_end", 1, 64, UINT64_C(0)), PTX_FAULT_STACK_OVERFLOW, "endless");
	device->stack = 512 << 10;
	fails(launch(device, "recursion_without_end", 1, 64, UINT64_C(0)), PTX_FAULT_STACK_OVERFLOW, "endless");
	device->stack = 0;

	begin("a trap names its block, its thread and its line");
	fails(launch(device, "traps", 4, 32), PTX_FAULT_TRAP, "traps");
	check(device->fault.block[0] == 2 && device->fault.thread[0] == 5 && device->fault.line > 200, "%s", device->fault.message);

	begin("memory that is not there is an illegal address");
	uint64_t *page = device_memory(device, 64);
	const void *rom = device_read_only(device, 64);
	fails(launch(device, "store", 1, 1, ptr(page) + 64), PTX_FAULT_ILLEGAL_ADDRESS, "store");
	check(device->fault.address == ptr(page) + 64, "%llx", (unsigned long long)device->fault.address);
	fails(launch(device, "store", 1, 1, UINT64_C(0)), PTX_FAULT_ILLEGAL_ADDRESS, "store");
	fails(launch(device, "store", 1, 1, UINT64_MAX - 3), PTX_FAULT_ILLEGAL_ADDRESS, "store");
	fails(launch(device, "store", 1, 1, ptr(rom)), PTX_FAULT_ILLEGAL_ADDRESS, "store");
	fails(launch(device, "store", 1, 1, ptr(page) + 1), PTX_FAULT_MISALIGNED, "store");
	RUN(device, "store", 1, 1, ptr(page) + 60);
	fails(launch(device, "past_shared", 1, 1, UINT64_C(64)), PTX_FAULT_ILLEGAL_ADDRESS, "past_shared");
	fails(launch(device, "past_shared", 1, 1, UINT64_C(0xfffffffc)), PTX_FAULT_ILLEGAL_ADDRESS, "past_shared");
	RUN(device, "past_shared", 1, 1, UINT64_C(60));

	begin("a barrier that cannot fill ends the launch");
	fails(launch(device, "deadlock", 1, 64), PTX_FAULT_DEADLOCK, "deadlock");

	begin("an endless kernel can be stopped");
	int stop = 0;
	pthread_t thread;
	device->stop = &stop;
	pthread_create(&thread, NULL, stop_later, &stop);
	fails(launch(device, "endless_loop", 1, 64), PTX_FAULT_STOPPED, NULL);
	pthread_join(thread, NULL);
	device->stop = NULL;

	begin("an assertion says which");
	fails(launch(device, "asserts", 1, 1), PTX_FAULT_ASSERT, "asserts");
	check(strstr(device->fault.message, "ok:12: ok: block: [0,0,0], thread: [0,0,0] Assertion `ok` failed.") != NULL, "%s",
	      device->fault.message);

	begin("a launch out of bounds is refused");
	fails(launch(device, "traps", 1, 1025), PTX_FAULT_BAD_LAUNCH, NULL);
	fails(launch(device, "traps", 0, 1), PTX_FAULT_BAD_LAUNCH, NULL);
	uint32_t grid[3] = {1, 1, 1}, block[3] = {0x80000000, 2, 1};
	fails(launch_bytes(device, "traps", grid, block, NULL), PTX_FAULT_BAD_LAUNCH, NULL);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	begin("load");
	device_open_file(device, argv[1]);
	together();
	faults();
	device_close(device);
	return finish();
}
