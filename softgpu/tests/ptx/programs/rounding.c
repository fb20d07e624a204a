/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounding in all four directions, against references that do not use the C rounding mode: an exact value is compared
 * with the candidate, which then moves to its neighbour. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluate.h"

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static float as_f32(uint64_t v) { uint32_t b = (uint32_t)v; float f; memcpy(&f, &b, 4); return f; }
static double as_f64(uint64_t v) { double d; memcpy(&d, &v, 8); return d; }

static const char modes[][3] = {"rn", "rz", "rm", "rp"};

/* `error` has the sign of (exact - v): where the exact value lies, seen from the nearest float. */
static float directed(float v, double error, int mode)
{
	if (mode == 0 || error == 0)
		return v;
	int up = mode == 3 || (mode == 1 && (v < 0 || (v == 0 && error < 0)));
	if (up)
		return error > 0 ? nextafterf(v, INFINITY) : v;
	return error < 0 ? nextafterf(v, -INFINITY) : v;
}

static double directed64(double v, double error, int mode)
{
	if (mode == 0 || error == 0)
		return v;
	int up = mode == 3 || (mode == 1 && (v < 0 || (v == 0 && error < 0)));
	if (up)
		return error > 0 ? nextafter(v, (double)INFINITY) : v;
	return error < 0 ? nextafter(v, -(double)INFINITY) : v;
}

static float some_f32(void)
{
	/* Exponents within 2^-12..2^12, so that sums and products are exact in double. */
	uint32_t bits = (uint32_t)(next() & 0x807fffff) | (uint32_t)(115 + next() % 24) << 23;
	return as_f32(bits);
}

static void single_precision(void)
{
	for (int m = 0; m < 4; m++) {
		static const char *const names[] = {"add", "mul", "fma", "div", "sqrt"};
		for (int op = 0; op < 5; op++) {
			char body[80], name[80];
			snprintf(name, sizeof name, "%s.%s.f32 rounds exactly", names[op], modes[m]);
			begin(name);
			snprintf(body, sizeof body, op == 4 ? "%s.%s.f32 %%r0, %%r1;" : op == 2 ? "%s.%s.f32 %%r0, %%r1, %%r2, %%r3;" :
			         "%s.%s.f32 %%r0, %%r1, %%r2;", names[op], modes[m]);
			struct evaluator e;
			evaluator_open(&e, body, 'r');
			for (int i = 0; i < 400; i++) {
				float a = some_f32(), b = some_f32(), c = some_f32(), v;
				double error;
				if (op == 4)
					a = fabsf(a);
				switch (op) {
				case 0: v = (float)((double)a + (double)b), error = (double)a + (double)b - (double)v; break;
				case 1: v = (float)((double)a * (double)b), error = (double)a * (double)b - (double)v; break;
				case 2: { /* the sum of an exact product and c, with its error */
					double p = (double)a * (double)b, s = p + (double)c, t = s - p, lost = (p - (s - t)) + ((double)c - t);
					v = fmaf(a, b, c);
					error = (s - (double)v) + lost;
					break;
				}
				case 3: v = a / b, error = ((double)a - (double)v * (double)b) * (b < 0 ? -1 : 1); break;
				default: v = sqrtf(a), error = (double)a - (double)v * (double)v; break;
				}
				float want = directed(v, error, m), got = as_f32(evaluate(&e, f32(a), f32(b), f32(c), 0));
				check(got == want, "%a %a %a: %a, not %a", (double)a, (double)b, (double)c, (double)got, (double)want);
			}
			evaluator_close(&e);
		}
	}
}

static void double_precision(void)
{
	for (int m = 0; m < 4; m++) {
		static const char *const names[] = {"add", "mul", "div"};
		for (int op = 0; op < 3; op++) {
			char body[80], name[80];
			snprintf(name, sizeof name, "%s.%s.f64 rounds exactly", names[op], modes[m]);
			begin(name);
			snprintf(body, sizeof body, "%s.%s.f64 %%rd0, %%rd1, %%rd2;", names[op], modes[m]);
			struct evaluator e;
			evaluator_open(&e, body, 'd');
			for (int i = 0; i < 400; i++) {
				double a = as_f64((next() & 0x800fffffffffffff) | (uint64_t)(1000 + next() % 50) << 52);
				double b = as_f64((next() & 0x800fffffffffffff) | (uint64_t)(1000 + next() % 50) << 52), v, error;
				if (op == 0) {
					v = a + b;
					double t = v - a;
					error = (a - (v - t)) + (b - t);
				} else if (op == 1) {
					v = a * b, error = fma(a, b, -v);
				} else {
					v = a / b, error = fma(-v, b, a) * (b < 0 ? -1 : 1);
				}
				double want = directed64(v, error, m), got = as_f64(evaluate(&e, f64(a), f64(b), 0, 0));
				check(got == want, "%a %a: %a, not %a", a, b, got, want);
			}
			evaluator_close(&e);
		}
	}
}

static void narrowing(void)
{
	for (int m = 0; m < 4; m++) {
		char body[80], name[80];
		struct evaluator e;
		snprintf(name, sizeof name, "cvt.%s.f32.f64 rounds exactly", modes[m]);
		begin(name);
		snprintf(body, sizeof body, "cvt.%s.f32.f64 %%r0, %%rd1;", modes[m]);
		evaluator_open(&e, body, 'r');
		for (int i = 0; i < 1000; i++) {
			double d = as_f64((next() & 0x800fffffffffffff) | (uint64_t)(880 + next() % 250) << 52); /* subnormal to large */
			float want = directed((float)d, d - (double)(float)d, m), got = as_f32(evaluate(&e, f64(d), 0, 0, 0));
			check(got == want, "%a: %a, not %a", d, (double)got, (double)want);
		}
		evaluator_close(&e);

		snprintf(name, sizeof name, "cvt.%s.f32.s64 rounds exactly", modes[m]);
		begin(name);
		snprintf(body, sizeof body, "cvt.%s.f32.s64 %%r0, %%rd1;", modes[m]);
		evaluator_open(&e, body, 'r');
		for (int i = 0; i < 1000; i++) {
			int64_t v = (int64_t)next() >> next() % 60;
			float nearest = (float)v;
			/* A float that big is an integer: the difference is exact where it fits at all. */
			double error = nearest >= 0x1p63f ? -1 : (double)(v - (int64_t)nearest);
			float want = directed(nearest, error, m), got = as_f32(evaluate(&e, (uint64_t)v, 0, 0, 0));
			check(got == want, "%lld: %a, not %a", (long long)v, (double)got, (double)want);
		}
		evaluator_close(&e);

		snprintf(name, sizeof name, "cvt.%si to integers follows its direction", modes[m]);
		begin(name);
		snprintf(body, sizeof body, "cvt.%si.s32.f32 %%r0, %%r1;", modes[m]);
		evaluator_open(&e, body, 'r');
		for (int i = 0; i < 1000; i++) {
			float f = i < 40 ? (float)(i - 20) * 0.5f : some_f32();
			double d = (double)f;
			double want = m == 0 ? nearbyint(d) : m == 1 ? trunc(d) : m == 2 ? floor(d) : ceil(d);
			int32_t got = (int32_t)evaluate(&e, f32(f), 0, 0, 0);
			check(got == (int32_t)want, "%a: %d, not %g", d, got, want);
		}
		evaluator_close(&e);
	}
}

/* Every half, by the definition of the format. */
static double half_value(unsigned h)
{
	double m = h & 1023;
	int e = h >> 10 & 31;
	double v = e ? (1024 + m) * pow(2, e - 25) : m * pow(2, -24);
	return h & 0x8000 ? -v : v;
}

static void halves(void)
{
	struct evaluator widen, back;
	begin("every half survives the way to single and back");
	evaluator_open(&widen, "cvt.f32.f16 %r0, %h1;", 'r');
	evaluator_open(&back, "cvt.rn.f16.f32 %h0, %r1;", 'h');
	for (unsigned h = 0; h < 0x7c00; h += 3) {
		for (unsigned sign = 0; sign <= 0x8000; sign += 0x8000) {
			uint64_t f = evaluate(&widen, h | sign, 0, 0, 0);
			check((double)as_f32(f) == half_value(h | sign), "%04x is %a", h | sign, (double)as_f32(f));
			check(evaluate(&back, f, 0, 0, 0) == (h | sign), "%04x does not come back", h | sign);
		}
	}
	evaluator_close(&widen);
	evaluator_close(&back);

	begin("the nearest half, ties to even, past the largest to infinity");
	evaluator_open(&back, "cvt.rn.f16.f32 %h0, %r1;", 'h');
	for (unsigned h = 0; h < 0x7bff; h += 5) {
		double a = half_value(h), b = half_value(h + 1), middle = (a + b) / 2;
		check(evaluate(&back, f32((float)middle), 0, 0, 0) == (h & 1 ? h + 1 : h), "between %04x and the next", h);
		check(evaluate(&back, f32(nextafterf((float)middle, 0)), 0, 0, 0) == h, "just under, %04x", h);
		check(evaluate(&back, f32(nextafterf((float)middle, 1e9f)), 0, 0, 0) == h + 1, "just above, %04x", h);
	}
	check(evaluate(&back, f32(65519.9f), 0, 0, 0) == 0x7bff, "65519.9");
	check(evaluate(&back, f32(65520), 0, 0, 0) == 0x7c00, "65520");
	evaluator_close(&back);

	begin("fma on halves rounds once");
	evaluator_open(&back, "fma.rn.f16 %h0, %h1, %h2, %h3;", 'h');
	/* 1 + 2^-10 times 1 + 2^-10 is 1 + 2^-9 + 2^-20; with -2^-20 nothing is left over, with 2^-11 it is above a tie. */
	check(evaluate(&back, 0x3c01, 0x3c01, 0x8010, 0) == 0x3c02, "2^-20 less");
	check(evaluate(&back, 0x3c01, 0x3c01, 0x1000, 0) == 0x3c03, "just above a tie");
	evaluator_close(&back);
}

int main(void)
{
	single_precision();
	double_precision();
	narrowing();
	halves();
	return finish();
}
