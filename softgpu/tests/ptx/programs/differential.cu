// SPDX-License-Identifier: Apache-2.0
//
// The device's half of differential.c.
#define FN __attribute__((device))
#include "differential.h"

extern "C" __attribute__((global)) void k(const u64 *in, u64 *out, int n)
{
	int i = __nvvm_read_ptx_sreg_tid_x() + __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
	if (i < n)
		for (int w = 0; w < COMPUTATIONS; w++)
			out[i * COMPUTATIONS + w] = compute(w, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}
