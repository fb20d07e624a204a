/* SPDX-License-Identifier: Apache-2.0
 *
 * Computations that are compiled twice, for the host and to PTX: both must give the same bits. FN marks functions of
 * the device. Arithmetic that may overflow is unsigned. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

enum { COMPUTATIONS = 16 };

struct record {
	s8 a;
	s16 b;
	s32 c;
	u64 d;
	float e;
	double f;
	u8 g[7];
};

FN static __attribute__((noinline)) u64 hash(const void *p, int n)
{
	const u8 *b = (const u8 *)p;
	u64 h = 1469598103934665603u;
	for (int i = 0; i < n; i++)
		h = (h ^ b[i]) * 1099511628211u;
	return h;
}

FN static __attribute__((noinline)) struct record make(u64 a, u64 b)
{
	struct record r;
	r.a = (s8)a, r.b = (s16)b, r.c = (s32)(a ^ b), r.d = a * b;
	r.e = (float)(s32)a, r.f = (double)(s64)b;
	for (int i = 0; i < 7; i++)
		r.g[i] = (u8)(a >> i);
	return r;
}

FN static __attribute__((noinline)) u64 sum(struct record r, const struct record *q)
{
	return (u64)r.a + (u64)r.b + (u64)r.c + r.d + (u64)(s64)r.e + q->g[3] * 7u + (u64)q->b;
}

FN static __attribute__((noinline)) u64 ackermann(u64 m, u64 n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

FN static __attribute__((noinline)) u64 add(u64 a, u64 b) { return a + b; }
FN static __attribute__((noinline)) u64 mix(u64 a, u64 b) { return a ^ b << 3; }
FN static __attribute__((noinline)) u64 multiply(u64 a, u64 b) { return a * b - 7; }

FN static u64 float_bits(float f)
{
	u32 u;
	__builtin_memcpy(&u, &f, 4);
	return f != f ? 0x7fffffff : u;
}

FN static u64 double_bits(double f)
{
	u64 u;
	__builtin_memcpy(&u, &f, 8);
	return f != f ? 0x7ff8000000000000 : u;
}

FN static float as_float(u64 v)
{
	u32 u = (u32)v;
	float f;
	__builtin_memcpy(&f, &u, 4);
	return f;
}

FN static u64 sorted(u64 a)
{
	u32 v[12];
	for (int i = 0; i < 12; i++)
		v[i] = (u32)(a * (u64)(i + 1) >> (i * 3));
	for (int i = 1; i < 12; i++) {
		for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
			u32 t = v[k];
			v[k] = v[k - 1];
			v[k - 1] = t;
		}
	}
	return hash(v, sizeof v);
}

FN static u64 walk(u64 a, u64 b, u64 c)
{
	u64 r = 0;
	for (int i = 0; i < 64; i += 3) {
		if (a >> i & 1) {
			r = r * 31 + b;
			if (r & 4)
				continue;
		} else {
			r ^= c;
			if ((r & 0xff) == 7)
				break;
		}
		r += (u64)i;
	}
	return r;
}

FN static u64 choose(u64 a, u64 b, u64 c)
{
	switch (a & 7) {
	case 0: return b;
	case 1: return c * 3;
	case 2: return ~b;
	case 3: return b - c;
	case 4: return 17;
	case 5: return c / 9;
	case 6: return b % 1000;
	default: return a;
	}
}

FN static u64 compute(int which, u64 a, u64 b, u64 c)
{
	switch (which) {
	case 0: return (u64)((s64)a / ((s64)(b >> 1) | 1)) + a % (b | 1);
	case 1: return (u32)((s32)a / ((s32)((u32)b >> 1) | 1)) ^ (u32)a % ((u32)c | 1);
	case 2: return (u64)(s16)((s16)a * (s16)b) + (u16)((u16)a / ((u16)b | 1)) + (u64)((s8)c >> 2);
	case 3: return (u64)__builtin_popcountll(a) + (u64)(a ? __builtin_clzll(a) : 64) + (u64)(c ? __builtin_ctzll(c) : 64);
	case 4: return __builtin_bswap64(a) ^ __builtin_bswap32((u32)b);
	case 5: {
		__extension__ unsigned __int128 p = (unsigned __int128)a * b + c;
		return (u64)(p >> 64) ^ (u64)p;
	}
	case 6: return float_bits((float)(s32)a + (float)(u32)b) ^ float_bits((float)c) ^ float_bits((float)(s64)a);
	case 7: return double_bits((double)(s64)a * (double)b - (double)(s32)c);
	case 8: return float_bits(as_float(a) / as_float(b)) + float_bits(as_float(a) - as_float(c));
	case 9: {
		struct record r = make(a, b), q = make(b, c);
		return sum(r, &q) ^ hash(q.g, 7);
	}
	case 10: return ackermann(2, a & 3);
	case 11: return sorted(a);
	case 12: {
		u64 (*f[3])(u64, u64) = {add, mix, multiply};
		return f[a % 3](b, c) + f[b % 3](a, c);
	}
	case 13: return choose(a, b, c);
	case 14: return walk(a, b, c);
	default:
		return (u64)(as_float(a) < as_float(b)) + 2u * (as_float(a) <= as_float(b)) + 4u * (as_float(a) != as_float(c)) +
		       8u * ((s64)a < (s64)b) + 16u * (a < b) + 32u * ((s16)a >= (s16)b);
	}
}
