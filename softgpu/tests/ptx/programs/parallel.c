/* SPDX-License-Identifier: Apache-2.0
 *
 * Several launches of one module at a time, each on its own OS thread, as the streams of a driver do it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry count(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p<2>;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\n"
	"L: atom.global.add.u32 %r2, [%rd1], 1;\nred.global.add.f64 [%rd1+8], 0d3FF0000000000000;\n"
	"add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nret;\n}\n"
	".visible .entry wait(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p<2>;\n"
	"ld.param.u64 %rd1, [p];\nL: ld.acquire.gpu.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
	"ld.global.u32 %r2, [%rd1+4];\nst.global.u32 [%rd1+8], %r2;\nret;\n}\n"
	".visible .entry post(.param .u64 p)\n{\n.reg .b64 %rd<4>;\n"
	"ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1+4], 42;\nfence.acq_rel.gpu;\nst.release.gpu.global.u32 [%rd1], 1;\nret;\n}\n";

static struct device opened, *device = &opened;

struct job {
	const char *kernel;
	void *memory;
	unsigned grid, block;
	int result;
};

static void *work(void *ctx)
{
	struct job *j = ctx;
	struct device mine = *device; /* the fault and what is printed are each launch's own */
	j->result = launch(&mine, j->kernel, j->grid, j->block, ptr(j->memory));
	return NULL;
}

int main(void)
{
	begin("atomics of launches on several threads lose nothing");
	device_open(device, text, strlen(text));
	unsigned *p = device_memory(device, 64);
	double *sum = (double *)(p + 2);
	struct job jobs[4];
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) {
		jobs[i] = (struct job){"count", p, 4, 64, -1};
		pthread_create(&threads[i], NULL, work, &jobs[i]);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		check(jobs[i].result == 0, "launch %d failed", i);
	}
	check(p[0] == 4 * 4 * 64 * 10 && *sum == 4 * 4 * 64 * 10, "%u %g", p[0], *sum);

	begin("a kernel waits for what another one writes");
	memset(p, 0, 64);
	jobs[0] = (struct job){"wait", p, 1, 32, -1};
	jobs[1] = (struct job){"post", p, 1, 1, -1};
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &jobs[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(p[2] == 42, "%u", p[2]);
	device_close(device);
	return finish();
}
