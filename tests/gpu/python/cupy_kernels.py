# SPDX-License-Identifier: Apache-2.0
# CuPy: kernels from source, memory pools, managed memory, streams, libraries
import hashlib

import cupy as cp
import numpy as np


def digest(*arrays):
    h = hashlib.sha256()
    for a in arrays:
        h.update(np.ascontiguousarray(cp.asnumpy(a)).tobytes())
    return h.hexdigest()[:24]


module = cp.RawModule(code=r'''
__constant__ float scale[4];
extern "C" __global__ void scaled(const float *x, float *y, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) y[i] = x[i] * scale[i % 4];
}
template <typename T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
extern "C" __global__ void shared(int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}''', options=("-std=c++17",), name_expressions=["twice<double>", "twice<int>"])
x = cp.arange(1000, dtype=cp.float32)
y = cp.zeros_like(x)
scale = cp.ndarray(4, cp.float32, module.get_global("scale"))
scale[...] = cp.array([1, 2, 3, 4], dtype=cp.float32)
module.get_function("scaled")((4,), (256,), (x, y, 1000))
print("constant", digest(y))
d, i = cp.arange(32, dtype=cp.float64), cp.arange(32, dtype=cp.int32)
module.get_function("twice<double>")((1,), (32,), (d,))
module.get_function("twice<int>")((1,), (32,), (i,))
print("templates", float(d.sum()), int(i.sum()))
out = cp.zeros(1024, dtype=cp.int32)
module.get_function("shared")((1,), (1024,), (out,), shared_mem=4096)
print("shared memory", digest(out))
print("elementwise", digest(cp.ElementwiseKernel("T a, T b", "T c", "c = a * b + 1", "axon_case")(x, x)))
print("reduction", float(cp.ReductionKernel("T a", "T b", "a * a", "a + b", "b = a", "0", "axon_sum")(x)))
print("sort", digest(cp.sort(cp.sin(x))), digest(cp.argsort(cp.cos(x))))
print("random", digest(cp.random.default_rng(1).standard_normal(1000)))
print("blas", digest(cp.dot(x.reshape(25, 40), x.reshape(40, 25))))
print("fft", digest(cp.fft.rfft(x)))
print("solver", digest(cp.linalg.inv(cp.eye(20) * 3 + 1)))

for name, allocate in (("managed", cp.cuda.malloc_managed), ("asynchronous", cp.cuda.malloc_async)):
    before = cp.cuda.get_allocator()
    cp.cuda.set_allocator(cp.cuda.MemoryPool(allocate).malloc if name == "managed" else allocate)
    try:
        a = cp.arange(100000, dtype=cp.float64)
        print(name, float((a * 2).sum()))
        del a
    finally:
        cp.cuda.Stream.null.synchronize()
        cp.cuda.set_allocator(before)
pool = cp.get_default_memory_pool()
a = cp.zeros(1 << 20)
used = pool.used_bytes()
del a
print("pool", used - pool.used_bytes())
pool.free_all_blocks()

with cp.cuda.Stream(non_blocking=True) as s:
    pinned = cp.cuda.alloc_pinned_memory(80000)
    host = np.frombuffer(pinned, np.float64, 10000)
    host[...] = 3
    a = cp.empty(10000)
    a.set(host, stream=s)
    a *= 2
    a.get(stream=s, out=host, blocking=False)
    s.synchronize()
    print("stream", host.sum())
    called = []
    s.launch_host_func(called.append, "called")
    s.synchronize()
    print("host function", called)
