# SPDX-License-Identifier: Apache-2.0
# numba-cuda: a kernel from Python.
import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.28 asks for a name that NumPy 2.5 has dropped
    np.row_stack = np.vstack
from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] + y[i]


n = 100000
x = np.arange(n, dtype=np.float32)
out = np.zeros_like(x)
add[(n + 255) // 256, 256](x, 2 * x, out)
print(out.sum(dtype=np.float64), bool((out == 3 * x).all()))
