/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs what clang made of differential.cu, and compares with the same functions on the host. Takes the PTX file. */
#include <stdio.h>

#include "bench.h"

#define FN
#include "differential.h"

static struct device opened, *device = &opened;

int main(int argc, char **argv)
{
	enum { N = 1000 };
	if (argc != 2)
		return 2;
	begin("a compiler's output computes what the host computes");
	device_open_file(device, argv[1]);
	u64 *in = device_memory(device, N * 24), *out = device_memory(device, N * COMPUTATIONS * 8);
	u64 s = 88172645463325252u;
	for (int i = 0; i < 3 * N; i++) {
		s ^= s << 13, s ^= s >> 7, s ^= s << 17;
		in[i] = (s & 7) == 0 ? s >> 40 : (s & 7) == 1 ? (u64)(s8)(s >> 9) : s; /* some small, some negative */
	}
	RUN(device, "k", (N + 63) / 64, 64, ptr(in), ptr(out), (uint64_t)N);
	for (int i = 0; i < N; i++) {
		for (int w = 0; w < COMPUTATIONS; w++) {
			u64 want = compute(w, in[3 * i], in[3 * i + 1], in[3 * i + 2]), got = out[i * COMPUTATIONS + w];
			check(got == want, "computation %d of %llx %llx %llx: %llx, not %llx", w, in[3 * i], in[3 * i + 1], in[3 * i + 2],
			      got, want);
		}
	}
	device_close(device);
	return finish();
}
