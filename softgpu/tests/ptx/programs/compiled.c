/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as a CUDA compiler writes them, against the same computations in C. Takes the PTX file; kernels that are not
 * in it are left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static struct device opened, *device = &opened;

static int kernel(const char *name)
{
	if (!has_kernel(device, name))
		return 0;
	begin(name);
	return 1;
}

static int near(double a, double b, double relative)
{
	return a == b || fabs(a - b) <= relative * (fabs(b) > 1 ? fabs(b) : 1);
}

static void sums_and_products(void)
{
	enum { N = 65536 };
	float *x = device_memory(device, N * 4), *y = device_memory(device, N * 4), *out = device_memory(device, 64);
	int *k = device_memory(device, N * 4);
	if (kernel("axpy")) {
		for (int i = 0; i < N; i++)
			x[i] = (float)i, y[i] = (float)(2 * i);
		RUN(device, "axpy", N / 256, 256, f32(3), ptr(x), ptr(y), (uint64_t)(N - 1));
		for (int i = 0; i < N; i++)
			check(y[i] == (i < N - 1 ? 5.0f : 2.0f) * (float)i, "y[%d] = %g", i, (double)y[i]);
	}
	if (kernel("reduce")) {
		for (int i = 0; i < N; i++)
			x[i] = (float)(i % 7);
		double sum = 0;
		for (int i = 0; i < 10000; i++)
			sum += i % 7;
		RUN(device, "reduce", 4, 256, ptr(x), ptr(out), UINT64_C(10000));
		check(out[0] == (float)sum, "%g, not %g", (double)out[0], sum);
	}
	if (kernel("warpred")) {
		int sum = 0, *total = (int *)out;
		for (int i = 0; i < 1000; i++)
			sum += k[i] = i * 3;
		*total = 5;
		RUN(device, "warpred", 8, 128, ptr(k), ptr(total), UINT64_C(1000));
		check(*total == sum + 5, "%d, not %d", *total, sum + 5);
	}
}

static void lanes(void)
{
	int *o = device_memory(device, 256);
	if (kernel("shflall")) {
		RUN(device, "shflall", 1, 32, ptr(o));
		for (int t = 0; t < 32; t++) {
			int want = (t ^ 1) + (t < 3 ? t : t - 3) * 100 + 7 * 10000 + 16 + 1 + 0 + -1;
			check(o[t] == want, "lane %d: %d, not %d", t, o[t], want);
		}
	}
}

static void mathematics(void)
{
	enum { N = 64 };
	double *x = device_memory(device, N * 8), *y = device_memory(device, N * 8);
	float *f = device_memory(device, N * 4), *g = device_memory(device, N * 4);
	for (int i = 0; i < N; i++) {
		x[i] = i == N - 1 ? 1e9 : 0.37 * i;
		f[i] = i == N - 1 ? 1e6f : 0.37f * (float)i;
	}
	if (kernel("doubles")) {
		RUN(device, "doubles", 1, N, ptr(x), ptr(y), (uint64_t)N);
		for (int i = 0; i < N; i++) {
			double want = sqrt(x[i]) * exp(-x[i]) + sin(x[i]) / (1.0 + fabs(x[i])) + pow(x[i], 1.5);
			check(near(y[i], want, 1e-14), "x = %g: %.17g, not %.17g", x[i], y[i], want);
		}
	}
	if (kernel("floats")) {
		RUN(device, "floats", 1, N, ptr(f), ptr(g), (uint64_t)N);
		for (int i = 0; i < N - 1; i++) {
			float v = f[i];
			float want = sqrtf(v) * expf(-v) + sinf(v) / (1.0f + fabsf(v)) + powf(v, 1.5f) + logf(v + 1) + tanhf(v) +
			             1 / sqrtf(v + 1) + expf(v) + sinf(v);
			check(near((double)g[i], (double)want, 2e-6), "x = %g: %.9g, not %.9g", (double)v, (double)g[i], (double)want);
		}
	}
}

static unsigned brev(unsigned v)
{
	unsigned r = 0;
	for (int i = 0; i < 32; i++)
		r |= (v >> i & 1) << (31 - i);
	return r;
}

static void integers(void)
{
	static const int some[] = {0, 1, -1, 5, -7, 100, 12345, -99999, 0x7fffffff, -0x7fffffff - 1, 0x55555555, 1 << 20, -4, 3, 77};
	enum { N = sizeof some / sizeof some[0] };
	int *x = device_memory(device, sizeof some), *y = device_memory(device, sizeof some);
	unsigned *u = device_memory(device, sizeof some);
	long long *l = device_memory(device, 8 * N);
	if (!kernel("ints"))
		return;
	memcpy(x, some, sizeof some);
	RUN(device, "ints", 1, 32, ptr(x), ptr(y), ptr(u), ptr(l), (uint64_t)N);
	for (int i = 0; i < N; i++) {
		int a = some[i];
		unsigned v = (unsigned)a, w = v + 1;
		unsigned clz = a ? (unsigned)__builtin_clz(v) : 32;
		unsigned want = (unsigned)(a / 7) + (unsigned)(a % 5) + (v << 3) + (unsigned)(a >> 2) + (unsigned)(a < 3 ? a : 3) +
		                (unsigned)(a > -9 ? a : -9) + (a < 0 ? 0 - v : v) + clz + brev(v) +
		                (unsigned)((long long)a * 12345 >> 32);
		check((unsigned)y[i] == want, "y of %d: %d, not %d", a, y[i], (int)want);
		unsigned both = v / 7 + v % 9 + (unsigned)((unsigned long long)v * 99999u >> 32) + v + (w << 5 | v >> 27) +
		                (unsigned)__builtin_ffs(a);
		check(u[i] == both, "u of %d: %u, not %u", a, u[i], both);
		long long b = a, shifted = (long long)((unsigned long long)b << 20);
		long long wide = b * b / 11 + shifted % 1000003 + __builtin_popcountll((unsigned long long)b) +
		                 (b ? __builtin_clzll((unsigned long long)b) : 64);
		check(l[i] == wide, "l of %d: %lld, not %lld", a, l[i], wide);
	}
}

static void vectors(void)
{
	enum { N = 40 };
	if (kernel("vec")) {
		float *x = device_memory(device, N * 16), *y = device_memory(device, N * 16);
		for (int i = 0; i < N * 4; i++)
			x[i] = (float)i;
		RUN(device, "vec", 2, 32, ptr(x), ptr(y), (uint64_t)N);
		for (int i = 0; i < N; i++)
			check(y[4 * i] == x[4 * i] + 1 && y[4 * i + 1] == x[4 * i + 1] * 2 && y[4 * i + 2] == x[4 * i + 2] - 3 &&
			      y[4 * i + 3] == -x[4 * i + 3], "element %d", i);
	}
	if (kernel("vec2")) {
		double *x = device_memory(device, 32 * 16), *y = device_memory(device, 32 * 16);
		unsigned char *c = device_memory(device, 128), *d = device_memory(device, 128);
		short *s = device_memory(device, 128), *r = device_memory(device, 128);
		for (int i = 0; i < 32; i++) {
			x[2 * i] = i, x[2 * i + 1] = i * 0.5;
			for (int k = 0; k < 4; k++)
				c[4 * i + k] = (unsigned char)(60 * k + i);
			s[2 * i] = (short)(i - 32760), s[2 * i + 1] = (short)(i * 100);
		}
		RUN(device, "vec2", 1, 32, ptr(x), ptr(y), ptr(c), ptr(d), ptr(s), ptr(r));
		for (int i = 0; i < 32; i++) {
			check(y[2 * i] == i * 1.5 && y[2 * i + 1] == i * 0.5, "double2 %d", i);
			check(d[4 * i] == (unsigned char)(c[4 * i] + c[4 * i + 3]) && d[4 * i + 1] == c[4 * i + 1], "uchar4 %d", i);
			check(r[2 * i] == (short)(s[2 * i] - s[2 * i + 1]) && r[2 * i + 1] == s[2 * i + 1], "short2 %d", i);
		}
	}
}

static void atomic_operations(void)
{
	if (!kernel("atomics"))
		return;
	int *a = device_memory(device, 64);
	unsigned *u = device_memory(device, 64);
	unsigned long long *l = device_memory(device, 16);
	float *f = device_memory(device, 4);
	double *d = device_memory(device, 8);
	u[0] = ~0u;
	RUN(device, "atomics", 1, 64, ptr(a), ptr(u), ptr(l), ptr(f), ptr(d));
	check(a[0] == 2016 && a[1] == 63 && a[2] == -63 && a[3] == 2016, "%d %d %d %d", a[0], a[1], a[2], a[3]);
	check(u[0] == 0 && u[1] == ~0u && u[2] == 0 && u[3] < 64, "%x %x %x %u", u[0], u[1], u[2], u[3]);
	unsigned inc = 0, dec = 0;
	for (int i = 0; i < 64; i++) {
		inc = inc >= 10 ? 0 : inc + 1;
		dec = dec == 0 || dec > 10 ? 10 : dec - 1;
	}
	check(u[4] == inc && u[5] == dec, "inc %u dec %u", u[4], u[5]);
	check(l[0] == 2016 && l[1] == 2016, "%llu %llu", l[0], l[1]);
	check(*f == 96 && *d == 160, "%g %g", (double)*f, *d);
}

static void memory_and_calls(void)
{
	if (kernel("dynshared")) {
		float *o = device_memory(device, 400);
		device->dynamic_shared = 400;
		RUN(device, "dynshared", 1, 100, ptr(o), UINT64_C(100));
		device->dynamic_shared = 0;
		for (int i = 0; i < 100; i++)
			check(o[i] == (float)(99 - i), "o[%d] = %g", i, (double)o[i]);
	}
	if (kernel("matmul")) {
		enum { N = 32 };
		float *a = device_memory(device, N * N * 4), *b = device_memory(device, N * N * 4), *c = device_memory(device, N * N * 4);
		for (int i = 0; i < N * N; i++)
			a[i] = (float)(i % 13), b[i] = (float)(i % 7 - 3);
		struct { const void *a, *b, *c; int n; } p = {a, b, c, N};
		uint32_t grid[3] = {2, 2, 1}, block[3] = {16, 16, 1};
		check(launch_bytes(device, "matmul", grid, block, &p) == 0, "%s", device->fault.message);
		for (int i = 0; i < N; i++) {
			for (int j = 0; j < N; j++) {
				float s = 0;
				for (int k = 0; k < N; k++)
					s += a[i * N + k] * b[k * N + j];
				check(c[i * N + j] == s, "c[%d][%d] = %g, not %g", i, j, (double)c[i * N + j], (double)s);
			}
		}
	}
	if (kernel("byvalue")) {
		struct { struct { int a; double b; float c[5]; char d; } p; char z; short s; double *o; } p = {
			{7, 2.25, {0, 1, 2, 3, 4.5f}, -3}, -9, -300, device_memory(device, 64)};
		uint32_t one[3] = {1, 1, 1};
		check(launch_bytes(device, "byvalue", one, one, &p) == 0, "%s", device->fault.message);
		double *o = p.o;
		check(o[0] == 7 && o[1] == 2.25 && o[2] == 4.5 && o[3] == -3 && o[4] == -9 && o[5] == -300, "%g %g %g %g %g %g",
		      o[0], o[1], o[2], o[3], o[4], o[5]);
	}
	if (kernel("globals")) {
		float *o = device_memory(device, 128), *cst = device_variable(device, "cst");
		int *gvar = device_variable(device, "gvar");
		for (int i = 0; i < 16; i++)
			cst[i] = (float)(i * 10);
		check(*gvar == 7, "gvar starts as %d", *gvar);
		RUN(device, "globals", 1, 32, ptr(o));
		for (int t = 0; t < 32; t++) {
			/* Thread 0 writes gvar without waiting for the others: each sees it before or after. */
			float rest = (float)((t & 15) * 10 + (t & 3) + 1);
			check(o[t] == rest + 7 || o[t] == rest + 99, "o[%d] = %g", t, (double)o[t]);
		}
		check(*gvar == 99, "gvar is %d", *gvar);
	}
	if (kernel("local")) {
		int *o = device_memory(device, 128), want = 0;
		for (int i = 0; i < 32; i++)
			want += ((i * 3) & 31) * 3;
		RUN(device, "local", 1, 32, ptr(o), UINT64_C(3));
		for (int t = 0; t < 32; t++)
			check(o[t] == want, "o[%d] = %d, not %d", t, o[t], want);
	}
	if (kernel("calls")) {
		static const int fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
		int *o = device_memory(device, 128);
		RUN(device, "calls", 1, 32, ptr(o));
		for (int t = 0; t < 32; t++)
			check(o[t] == fib[t & 7], "fib(%d) = %d", t & 7, o[t]);
	}
	if (kernel("swtch")) {
		int *o = device_memory(device, 64), *x = device_memory(device, 64);
		for (int i = 0; i < 10; i++)
			x[i] = i - 1;
		RUN(device, "swtch", 1, 10, ptr(o), ptr(x));
		for (int t = 0; t < 10; t++) {
			int want[] = {-1, 5, t * 3, t - 7, t ^ 9, 77, ~t, t << 2, -1, -1};
			check(o[t] == want[t], "case %d: %d, not %d", x[t], o[t], want[t]);
		}
	}
}

static void conversions(void)
{
	if (!kernel("conv"))
		return;
	enum { N = 8 };
	static const float some_f[N] = {0, 1.5f, -1.5f, 2.5f, -2.5f, 1000.25f, -0.75f, 3.5f};
	static const double some_d[N] = {0, 0.5, 1.5, 2.5, 1e10, 123456789.75, 3.5, 7};
	static const int some_n[N] = {0, 1, -1, 255, 256, 0x3f800000, -77, 123456};
	float *f = device_memory(device, 4 * N), *b = device_memory(device, 4 * N);
	int *n = device_memory(device, 4 * N), *a = device_memory(device, 4 * N);
	double *d = device_memory(device, 8 * N), *c = device_memory(device, 8 * N);
	unsigned char *e = device_memory(device, N);
	unsigned long long *g = device_memory(device, 8 * N);
	memcpy(f, some_f, sizeof some_f), memcpy(d, some_d, sizeof some_d), memcpy(n, some_n, sizeof some_n);
	RUN(device, "conv", 1, N, ptr(f), ptr(n), ptr(d), ptr(a), ptr(b), ptr(c), ptr(e), ptr(g));
	for (int i = 0; i < N; i++) {
		int want = (int)f[i] + (int)rintf(f[i]) + (int)ceilf(f[i]) + (int)floorf(f[i]), bits = n[i] & 0x3fffffff;
		float as_float;
		memcpy(&as_float, &bits, 4);
		check(a[i] == want, "a[%d] = %d, not %d", i, a[i], want);
		float fb = (float)n[i] + (float)d[i] + as_float;
		check(b[i] == fb, "b[%d] = %g, not %g", i, (double)b[i], (double)fb);
		double dc = (double)f[i] + (double)n[i] + rint(d[i]) + floor(d[i]) + (double)ceilf(f[i]);
		check(c[i] == dc, "c[%d] = %g, not %g", i, c[i], dc);
		check(e[i] == (unsigned char)n[i], "e[%d] = %d", i, e[i]);
		check(g[i] == (unsigned long long)d[i], "g[%d] = %llu", i, g[i]);
	}
}

static void the_rest(void)
{
	int *o = device_memory(device, 4096);
	if (kernel("empty"))
		RUN(device, "empty", 100, 64);
	if (kernel("spin")) {
		RUN(device, "spin", 1, 1, UINT64_C(100000), ptr(o));
		check(o[0] == 1, "%d", o[0]);
	}
	if (kernel("nanospin")) {
		o[0] = 0;
		RUN(device, "nanospin", 2, 3, UINT64_C(10000), ptr(o));
		check(o[0] == 6, "%d", o[0]);
	}
	if (kernel("fencepub")) {
		RUN(device, "fencepub", 1, 64, ptr(o), ptr(o + 100));
		check(o[63] == 63 && o[100] == 1, "%d %d", o[63], o[100]);
	}
	if (kernel("wild")) {
		check(launch(device, "wild", 1, 1, UINT64_C(0x10)) && device->fault.kind == PTX_FAULT_ILLEGAL_ADDRESS &&
		      device->fault.address == 0x10, "%s", device->fault.message);
		check(launch(device, "wild", 1, 1, ptr(o) + 2) && device->fault.kind == PTX_FAULT_MISALIGNED, "%s",
		      device->fault.message);
	}
	if (kernel("_Z4tmplIfEvPT_S0_")) {
		float *f = (float *)o;
		RUN(device, "_Z4tmplIfEvPT_S0_", 1, 5, ptr(f), f32(2.5f));
		check(f[4] == 2.5f, "%g", (double)f[4]);
	}
	if (kernel("_Z4tmplIyEvPT_S0_")) {
		unsigned long long *q = device_memory(device, 64);
		RUN(device, "_Z4tmplIyEvPT_S0_", 1, 5, ptr(q), UINT64_C(0x123456789abcdef0));
		check(q[4] == 0x123456789abcdef0, "%llx", q[4]);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	begin("load");
	device_open_file(device, argv[1]);
	sums_and_products();
	lanes();
	mathematics();
	integers();
	vectors();
	atomic_operations();
	memory_and_calls();
	conversions();
	the_rest();
	device_close(device);
	return finish();
}
