/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating point as PTX defines it: four rounding modes, flushed subnormals, saturation, half precision, and conversions
 * that clamp instead of being undefined.
 *
 * Half precision is computed in double and rounded once. For + - * that is exact (two 11-bit significands fit); for fma
 * the double is first rounded to odd, which keeps the information that the second rounding needs.
 */
#include "number.h"

#include <fenv.h>
#include <math.h>

static uint64_t sign_extend(uint64_t v, unsigned bytes)
{
	unsigned s = 64 - 8 * bytes;
	return (uint64_t)((int64_t)(v << s) >> s);
}

static double half_to_double(uint32_t h, enum type t)
{
	if (t == T_BF16)
		return (double)as_f32((uint64_t)h << 16);
	uint32_t e = h >> 10 & 31, m = h & 1023;
	double v = e == 0 ? ldexp((double)m, -24) : e == 31 ? (m ? (double)NAN : (double)INFINITY) :
	           ldexp((double)(m | 1024), (int)e - 25);
	return h & 0x8000 ? -v : v;
}

/* Rounds a double to a 16-bit format. */
static uint32_t double_to_half(double v, enum type t, enum rounding rnd)
{
	int bits = t == T_BF16 ? 8 : 11, least = t == T_BF16 ? -126 : -14, most = t == T_BF16 ? 127 : 15;
	uint32_t infinity = t == T_BF16 ? 0x7f80 : 0x7c00;
	if (v != v)
		return 0x7fff;
	uint32_t sign = signbit(v) ? 0x8000 : 0;
	double a = fabs(v);
	if (isinf(a))
		return sign | infinity;
	if (a == 0)
		return sign;
	int e;
	frexp(a, &e); /* a = f * 2^e, 0.5 <= f < 1 */
	e--;
	if (e < least)
		e = least;
	/* In units of the last place the value is scaled, so its integer part is the significand. */
	double scaled = ldexp(a, bits - 1 - e), whole = floor(scaled), rest = scaled - whole;
	uint32_t m = (uint32_t)whole;
	int up;
	switch (rnd) {
	case R_RZ: up = 0; break;
	case R_RM: up = rest > 0 && sign; break;
	case R_RP: up = rest > 0 && !sign; break;
	case R_RNA: up = rest >= 0.5; break;
	default: up = rest > 0.5 || (rest == 0.5 && (m & 1)); break;
	}
	m += (uint32_t)up;
	if (m >> bits) {
		m >>= 1;
		e++;
	}
	if (e > most) {
		int finite = rnd == R_RZ || (rnd == R_RM && !sign) || (rnd == R_RP && sign);
		return sign | (finite ? infinity - 1 : infinity);
	}
	if (!(m >> (bits - 1)))
		return sign | m; /* subnormal: exponent field 0 */
	return sign | (uint32_t)(e - least + 1) << (bits - 1) | (m & ((1u << (bits - 1)) - 1));
}

/* a * b is exact in double for 16-bit formats; the sum is rounded to odd. */
static double fma_to_odd(double a, double b, double c)
{
	double p = a * b, s = p + c;
	if (!isfinite(s))
		return s;
	double t = s - p, error = (p - (s - t)) + (c - t);
	uint64_t bits = of_f64(s);
	if (error != 0 && !(bits & 1))
		bits += (error > 0) == (s > 0) ? 1 : UINT64_MAX;
	return as_f64(bits);
}

static float flush(float f)
{
	return fpclassify(f) == FP_SUBNORMAL ? copysignf(0.0f, f) : f;
}

static int c_rounding(enum rounding r)
{
	switch (r) {
	case R_RZ: case R_RZI: return FE_TOWARDZERO;
	case R_RM: case R_RMI: return FE_DOWNWARD;
	case R_RP: case R_RPI: return FE_UPWARD;
	default: return FE_TONEAREST;
	}
}

/* `volatile` keeps the compiler from moving the operation past the change of mode, or from doing it itself. */
static float compute_f32(enum flo op, float x, float y, float z)
{
	volatile float a = x, b = y, c = z, r;
	switch (op) {
	case FLO_ADD: r = a + b; break;
	case FLO_SUB: r = a - b; break;
	case FLO_MUL: r = a * b; break;
	case FLO_FMA: r = fmaf(a, b, c); break;
	case FLO_DIV: r = a / b; break;
	case FLO_SQRT: r = sqrtf(a); break;
	case FLO_RCP: r = 1.0f / a; break;
	default: r = 0; break;
	}
	return r;
}

static double compute_f64(enum flo op, double x, double y, double z)
{
	volatile double a = x, b = y, c = z, r;
	switch (op) {
	case FLO_ADD: r = a + b; break;
	case FLO_SUB: r = a - b; break;
	case FLO_MUL: r = a * b; break;
	case FLO_FMA: r = fma(a, b, c); break;
	case FLO_DIV: r = a / b; break;
	case FLO_SQRT: r = sqrt(a); break;
	case FLO_RCP: r = 1.0 / a; break;
	default: r = 0; break;
	}
	return r;
}

/* -0 is less than +0; one NaN loses, two stay. */
static double pick(double a, double b, int max, int nan_wins)
{
	if (a != a || b != b)
		return nan_wins || (a != a && b != b) ? (double)NAN : a != a ? b : a;
	if (a == b)
		return signbit(a) == (max != 0) ? b : a;
	return (a < b) == !max ? a : b;
}

static float f32_function(enum flo op, float a)
{
	switch (op) {
	case FLO_RSQRT: return 1.0f / sqrtf(a);
	case FLO_SIN: return sinf(a);
	case FLO_COS: return cosf(a);
	case FLO_LG2: return log2f(a);
	case FLO_EX2: return exp2f(a);
	default: return tanhf(a);
	}
}

static uint64_t testp(enum flo op, enum type t, uint64_t v)
{
	double d = t == T_F32 ? (double)as_f32(v) : as_f64(v);
	int class = t == T_F32 ? fpclassify(as_f32(v)) : fpclassify(d);
	switch (op) {
	case FLO_TESTP_FINITE: return class != FP_NAN && class != FP_INFINITE;
	case FLO_TESTP_INFINITE: return class == FP_INFINITE;
	case FLO_TESTP_NUMBER: return class != FP_NAN;
	case FLO_TESTP_NAN: return class == FP_NAN;
	case FLO_TESTP_NORMAL: return class == FP_NORMAL;
	default: return class == FP_SUBNORMAL;
	}
}

static uint64_t f32_op(const struct insn *i, uint64_t ra, uint64_t rb, uint64_t rc)
{
	enum flo op = (enum flo)i->sub;
	float a = as_f32(ra), b = as_f32(rb), c = as_f32(rc), r;
	int ftz = i->flags & F_FTZ;
	if (ftz)
		a = flush(a), b = flush(b), c = flush(c);
	switch (op) {
	case FLO_NEG:
		return (ftz ? of_f32(a) : ra & UINT32_MAX) ^ 0x80000000;
	case FLO_ABS:
		return (ftz ? of_f32(a) : ra) & 0x7fffffff;
	case FLO_COPYSIGN: /* the sign is the first operand's */
		return (rb & 0x7fffffff) | (ra & 0x80000000);
	case FLO_MIN:
	case FLO_MAX:
		if (i->flags & F_XORSIGN) {
			uint64_t sign = (ra ^ rb) & 0x80000000;
			r = (float)pick((double)fabsf(a), (double)fabsf(b), op == FLO_MAX, i->flags & F_NAN);
			return r != r ? 0x7fffffff : (of_f32(r) & 0x7fffffff) | sign;
		}
		return result_f32((float)pick((double)a, (double)b, op == FLO_MAX, i->flags & F_NAN));
	case FLO_RSQRT: case FLO_SIN: case FLO_COS: case FLO_LG2: case FLO_EX2: case FLO_TANH:
		r = f32_function(op, a);
		break;
	default:
		if (i->rnd > R_RN) {
			fesetround(c_rounding((enum rounding)i->rnd));
			r = compute_f32(op, a, b, c);
			fesetround(FE_TONEAREST);
		} else {
			r = compute_f32(op, a, b, c);
		}
	}
	if (i->flags & F_SAT)
		r = r > 1 ? 1 : r > 0 ? r : 0; /* a NaN becomes 0, too */
	if (i->flags & F_RELU)
		r = r > 0 || r != r ? r : 0;
	if (ftz)
		r = flush(r);
	return result_f32(r);
}

static uint64_t f64_op(const struct insn *i, uint64_t ra, uint64_t rb, uint64_t rc)
{
	enum flo op = (enum flo)i->sub;
	double a = as_f64(ra), b = as_f64(rb), c = as_f64(rc), r;
	switch (op) {
	case FLO_NEG: return ra ^ UINT64_C(1) << 63;
	case FLO_ABS: return ra & ~(UINT64_C(1) << 63);
	case FLO_COPYSIGN: return (rb & ~(UINT64_C(1) << 63)) | (ra & UINT64_C(1) << 63);
	case FLO_MIN:
	case FLO_MAX: return of_f64(pick(a, b, op == FLO_MAX, 0));
	case FLO_RSQRT: r = 1.0 / sqrt(a); break;
	default:
		if (i->rnd > R_RN) {
			fesetround(c_rounding((enum rounding)i->rnd));
			r = compute_f64(op, a, b, c);
			fesetround(FE_TONEAREST);
		} else {
			r = compute_f64(op, a, b, c);
		}
	}
	uint64_t bits = of_f64(r);
	/* The approximations in double give the upper word only, and take only that of their operand. */
	if ((i->flags & (F_APPROX | F_FTZ)) == (F_APPROX | F_FTZ) && r == r)
		bits &= ~UINT64_C(0xffffffff);
	return bits;
}

static uint32_t half_op(const struct insn *i, enum type t, uint32_t ha, uint32_t hb, uint32_t hc)
{
	enum flo op = (enum flo)i->sub;
	if (op == FLO_NEG)
		return ha ^ 0x8000;
	if (op == FLO_ABS)
		return ha & 0x7fff;
	uint32_t normal = t == T_BF16 ? 0x80 : 0x400; /* the least one */
	if (i->flags & F_FTZ) {
		ha = (ha & 0x7fff) < normal ? ha & 0x8000 : ha;
		hb = (hb & 0x7fff) < normal ? hb & 0x8000 : hb;
		hc = (hc & 0x7fff) < normal ? hc & 0x8000 : hc;
	}
	double a = half_to_double(ha, t), b = half_to_double(hb, t), c = half_to_double(hc, t), r;
	switch (op) {
	/* A sum of bfloat16 can be too wide for a double: rounding it to odd first covers that as well. */
	case FLO_ADD: r = fma_to_odd(a, 1.0, b); break;
	case FLO_SUB: r = fma_to_odd(a, 1.0, -b); break;
	case FLO_MUL: r = a * b; break;
	case FLO_FMA: r = fma_to_odd(a, b, c); break;
	case FLO_MIN:
	case FLO_MAX:
		if (i->flags & F_XORSIGN) {
			uint32_t sign = (ha ^ hb) & 0x8000, m;
			m = double_to_half(pick(fabs(a), fabs(b), op == FLO_MAX, i->flags & F_NAN), t, R_RN);
			return m == 0x7fff ? m : m | sign;
		}
		r = pick(a, b, op == FLO_MAX, i->flags & F_NAN);
		break;
	case FLO_EX2: r = exp2(a); break;
	default: r = tanh(a); break;
	}
	if (i->flags & F_SAT)
		r = r > 1 ? 1 : r > 0 ? r : 0;
	if (i->flags & F_RELU)
		r = r > 0 || r != r ? r : 0;
	uint32_t h = double_to_half(r, t, R_RN);
	if ((i->flags & F_FTZ) && (h & 0x7fff) < normal)
		h &= 0x8000;
	return h;
}

uint64_t float_op(const struct insn *i, uint64_t a, uint64_t b, uint64_t c)
{
	enum type t = (enum type)i->type;
	if (i->sub >= FLO_TESTP_FINITE)
		return testp((enum flo)i->sub, t, a);
	switch (t) {
	case T_F32: return f32_op(i, a, b, c);
	case T_F64: return f64_op(i, a, b, c);
	case T_F16: case T_BF16:
		return half_op(i, t, a & 0xffff, b & 0xffff, c & 0xffff);
	default: {
		enum type h = t == T_F16X2 ? T_F16 : T_BF16;
		uint32_t lo = half_op(i, h, a & 0xffff, b & 0xffff, c & 0xffff);
		uint32_t hi = half_op(i, h, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff);
		return lo | (uint64_t)hi << 16;
	}
	}
}

static double to_double(enum type t, uint64_t v)
{
	return t == T_F32 ? (double)as_f32(v) : t == T_F64 ? as_f64(v) : half_to_double(v & 0xffff, t);
}

unsigned relation(enum type t, uint64_t a, uint64_t b, int ftz)
{
	if (type_is_float(t)) {
		double x = to_double(t, a), y = to_double(t, b);
		if (ftz && t == T_F32)
			x = (double)flush((float)x), y = (double)flush((float)y);
		if (ftz && t == T_F16)
			x = fabs(x) < 0x1p-14 ? 0 : x, y = fabs(y) < 0x1p-14 ? 0 : y;
		return x < y ? C_LT : x > y ? C_GT : x == y ? C_EQ : C_UN;
	}
	unsigned n = type_size(t);
	if (type_is_signed(t)) {
		int64_t x = (int64_t)sign_extend(a, n), y = (int64_t)sign_extend(b, n);
		return x < y ? C_LT : x > y ? C_GT : C_EQ;
	}
	uint64_t mask = n >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
	a &= mask, b &= mask;
	return a < b ? C_LT : a > b ? C_GT : C_EQ;
}

uint64_t float_add(enum type t, uint64_t a, uint64_t b)
{
	if (t == T_F32)
		return result_f32(as_f32(a) + as_f32(b));
	if (t == T_F64)
		return of_f64(as_f64(a) + as_f64(b));
	struct insn i = {.sub = FLO_ADD, .type = (uint8_t)t};
	return float_op(&i, a, b, 0);
}

uint64_t float_pick(enum type t, uint64_t a, uint64_t b, int max)
{
	struct insn i = {.sub = max ? FLO_MAX : FLO_MIN, .type = (uint8_t)t};
	return float_op(&i, a, b, 0);
}

/* ---- conversions ---- */

static double round_integral(double v, enum rounding rnd)
{
	switch (rnd) {
	case R_RZI: case R_RZ: return trunc(v);
	case R_RMI: case R_RM: return floor(v);
	case R_RPI: case R_RP: return ceil(v);
	default: { /* to even, whatever the C rounding mode is */
		double f = floor(v), rest = v - f;
		if (rest > 0.5 || (rest == 0.5 && fmod(f, 2) != 0))
			f += 1;
		return copysign(f, v);
	}
	}
}

static uint64_t float_to_int(double v, enum type to, enum type from, enum rounding rnd)
{
	unsigned bits = 8 * type_size(to);
	if (v != v) {
		if (from != T_F64 && bits != 64)
			return 0;
		return UINT64_C(1) << (bits - 1);
	}
	v = round_integral(v, rnd == R_NONE ? R_RZI : rnd);
	double top = ldexp(1.0, (int)bits);
	if (!type_is_signed(to)) {
		if (v <= 0)
			return 0;
		if (v >= top)
			return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
		return (uint64_t)v;
	}
	top /= 2;
	if (v >= top)
		return (UINT64_C(1) << (bits - 1)) - 1;
	if (v <= -top)
		return (uint64_t)INT64_MIN >> (64 - bits);
	return (uint64_t)(int64_t)v;
}

/* The nearest double towards zero, its last bit set when that is not exact: safe to round again. */
static double int_to_odd(uint64_t v, int is_signed)
{
	uint64_t m = is_signed && (int64_t)v < 0 ? 0 - v : v;
	if (m >> 53) {
		unsigned shift = 11 - (unsigned)__builtin_clzll(m);
		uint64_t kept = m >> shift;
		if (m & ((UINT64_C(1) << shift) - 1))
			kept |= 1;
		m = kept;
		return ldexp(is_signed && (int64_t)v < 0 ? -(double)m : (double)m, (int)shift);
	}
	return is_signed && (int64_t)v < 0 ? -(double)m : (double)m;
}

static float narrow(double v, enum rounding rnd)
{
	volatile double d = v;
	volatile float f;
	if (rnd <= R_RN)
		return (float)v;
	fesetround(c_rounding(rnd));
	f = (float)d;
	fesetround(FE_TONEAREST);
	return f;
}

static double widen_int(uint64_t v, int is_signed, enum rounding rnd)
{
	volatile uint64_t u = v;
	volatile double d;
	fesetround(c_rounding(rnd));
	if (is_signed)
		d = (double)(int64_t)u;
	else
		d = (double)u;
	fesetround(FE_TONEAREST);
	return d;
}

static uint64_t int_to_int(enum type to, enum type from, uint64_t v, int sat)
{
	unsigned n = type_size(from), bits = 8 * type_size(to);
	int negative = 0;
	if (type_is_signed(from)) {
		v = sign_extend(v, n);
		negative = (int64_t)v < 0;
	} else if (n < 8) {
		v &= (UINT64_C(1) << 8 * n) - 1;
	}
	if (sat) {
		uint64_t most = type_is_signed(to) ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
		if (!negative) {
			if (v > most)
				v = most;
		} else if (!type_is_signed(to)) {
			v = 0;
		} else if ((int64_t)v < -(int64_t)most - 1) {
			v = (uint64_t)(-(int64_t)most - 1);
		}
	}
	return type_is_signed(to) ? sign_extend(v, bits / 8) : v;
}

uint64_t convert(const struct insn *i, uint64_t a)
{
	enum type to = (enum type)i->type, from = (enum type)i->type2;
	enum rounding rnd = (enum rounding)i->rnd;
	int sat = i->flags & F_SAT;
	if (!type_is_float(from) && !type_is_float(to))
		return int_to_int(to, from, a, sat) & i->imm;

	if (!type_is_float(from)) {
		uint64_t v = type_is_signed(from) ? sign_extend(a, type_size(from)) : int_to_int(T_U64, from, a, 0);
		if (to == T_F64) {
			double d = widen_int(v, type_is_signed(from), rnd);
			return of_f64(sat ? (d > 1 ? 1 : d > 0 ? d : 0) : d);
		}
		double d = int_to_odd(v, type_is_signed(from));
		if (sat)
			d = d > 1 ? 1 : d > 0 ? d : 0;
		return to == T_F32 ? of_f32(narrow(d, rnd)) : double_to_half(d, to, rnd);
	}

	double v = to_double(from, a);
	if ((i->flags & F_FTZ) && from == T_F32)
		v = (double)flush((float)v);
	if (!type_is_float(to)) {
		uint64_t r = float_to_int(v, to, from, rnd);
		return (type_is_signed(to) ? sign_extend(r, type_size(to)) : r) & i->imm;
	}
	if (rnd >= R_RNI)
		v = round_integral(v, rnd);
	if (sat)
		v = v > 1 ? 1 : v > 0 ? v : 0;
	if (i->flags & F_RELU)
		v = v > 0 || v != v ? v : 0;
	if (to == T_F64)
		return of_f64(v);
	if (to == T_F32) {
		float f = narrow(v, rnd);
		if (i->flags & F_FTZ)
			f = flush(f);
		return result_f32(f);
	}
	return double_to_half(v, to, rnd >= R_RNI ? R_RN : rnd);
}

uint64_t pack_convert(const struct insn *i, uint64_t a, uint64_t b)
{
	enum type h = i->type == T_F16X2 ? T_F16 : T_BF16;
	double x = (double)as_f32(a), y = (double)as_f32(b);
	if (i->flags & F_RELU)
		x = x > 0 || x != x ? x : 0, y = y > 0 || y != y ? y : 0;
	/* The first operand is the upper half. */
	return (uint64_t)double_to_half(x, h, (enum rounding)i->rnd) << 16 | double_to_half(y, h, (enum rounding)i->rnd);
}
