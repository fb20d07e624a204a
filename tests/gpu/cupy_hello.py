# SPDX-License-Identifier: Apache-2.0
# CuPy: an elementwise kernel, a reduction and a kernel from source (by NVRTC).
import cupy as cp

x = cp.arange(100000, dtype=cp.float64)
print(float((x * 2 + 1).sum()))
k = cp.RawKernel(r'extern "C" __global__ void sq(const double *x, double *y, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) y[i] = x[i] * x[i]; }', "sq")
y = cp.zeros_like(x)
k((391,), (256,), (x, y, 100000))
print(float(y.sum()), float(cp.asnumpy(y)[-1]))
