// SPDX-License-Identifier: Apache-2.0
//
// Arrays, mipmapped arrays and textures on them: where a coordinate falls, edges, filters, formats.
#include "textures.h"
#include <math.h>

static const char kernels[] = PTX_HEAD
	PTX_SAMPLE("line", "  tex.1d.v4.f32.f32 " FOUR ", [%rd1, {%f1}];\n")
	PTX_SAMPLE("fetch", "  tex.1d.v4.f32.s32 " FOUR ", [%rd1, {%r3}];\n")
	PTX_SAMPLE("flat", "  tex.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f2}];\n")
	PTX_SAMPLE("flat_u", "  tex.2d.v4.u32.f32 " FOUR ", [%rd1, {%f1, %f2}];\n")
	PTX_SAMPLE("flat_s", "  tex.2d.v4.s32.f32 " FOUR ", [%rd1, {%f1, %f2}];\n")
	PTX_SAMPLE("box", "  tex.3d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f2, %f3, %f3}];\n")
	PTX_SAMPLE("layer", "  tex.a2d.v4.f32.f32 " FOUR ", [%rd1, {%r2, %f1, %f2, %f2}];\n")
	PTX_SAMPLE("line_layer", "  tex.a1d.v4.f32.f32 " FOUR ", [%rd1, {%r2, %f1}];\n")
	PTX_SAMPLE("level", "  tex.level.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f2}], %f4;\n")
	PTX_SAMPLE("gather", "  tld4.g.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f2}];\n")
	PTX_SAMPLE("size", "  txq.width.b32 %r4, [%rd1];\n  txq.height.b32 %r5, [%rd1];\n");

enum { W = 8, H = 4 };

static CUtexObject texture_of(CUarray a, CUaddress_mode edge, CUfilter_mode filter, unsigned flags)
{
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
	CUDA_TEXTURE_DESC d = {.addressMode = {edge, edge, edge}, .filterMode = filter, .flags = flags};
	CUtexObject t;
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	return t;
}

// Filters have weights with eight bits of fraction, and hardware its own way to add them up.
#define NEAR(want, value) \
	do { \
		double w_ = (double)(want), v_ = (double)(value); \
		if (!(fabs(w_ - v_) < 1e-3 * (1 + fabs(w_)))) \
			FAIL("%s is %g, not %g", #value, v_, w_); \
	} while (0)

// Texel (x, y) is 10 * y + x.
static CUarray numbers(void)
{
	float host[H][W];
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			host[y][x] = (float)(10 * y + x);
	CUarray a = array_of(W, H, 0, CU_AD_FORMAT_FLOAT, 1, 0);
	fill_array(a, host, sizeof(float));
	return a;
}

static int wrapped(int i, int n) { return ((i % n) + n) % n; }
static int mirrored(int i, int n)
{
	i = wrapped(i, 2 * n);
	return i < n ? i : 2 * n - 1 - i;
}
static int clamped(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

static void the_nearest_texel_is_read_beyond_each_edge_too(void)
{
	static const struct { CUaddress_mode mode; unsigned flags; } ways[] = {
		{CU_TR_ADDRESS_MODE_CLAMP, 0}, {CU_TR_ADDRESS_MODE_BORDER, 0}, {CU_TR_ADDRESS_MODE_CLAMP, CU_TRSF_NORMALIZED_COORDINATES},
		{CU_TR_ADDRESS_MODE_BORDER, CU_TRSF_NORMALIZED_COORDINATES}, {CU_TR_ADDRESS_MODE_WRAP, CU_TRSF_NORMALIZED_COORDINATES},
		{CU_TR_ADDRESS_MODE_MIRROR, CU_TRSF_NORMALIZED_COORDINATES},
	};
	start_sampling(kernels);
	CUarray a = numbers();
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		CUtexObject t = texture_of(a, ways[k].mode, CU_TR_FILTER_MODE_POINT, ways[k].flags);
		struct place p[PLACES];
		union word out[PLACES][4];
		for (int i = 0; i < PLACES; i++) {
			float x = (float)(i - 20) + 0.25f, y = (float)(i % 11 - 4) + 0.75f;
			p[i] = ways[k].flags ? (struct place){x / W, y / H, 0, 0} : (struct place){x, y, 0, 0};
		}
		sample("flat", t, p, PLACES, out);
		for (int i = 0; i < PLACES; i++) {
			int x = i - 20, y = i % 11 - 4, outside = x < 0 || x >= W || y < 0 || y >= H;
			float want = 0;
			switch (ways[k].mode) {
			case CU_TR_ADDRESS_MODE_CLAMP: want = (float)(10 * clamped(y, H) + clamped(x, W)); break;
			case CU_TR_ADDRESS_MODE_WRAP: want = (float)(10 * wrapped(y, H) + wrapped(x, W)); break;
			case CU_TR_ADDRESS_MODE_MIRROR: want = (float)(10 * mirrored(y, H) + mirrored(x, W)); break;
			default: want = outside ? 0 : (float)(10 * y + x); break;
			}
			if (out[i][0].f != want)
				FAIL("way %zu at texel %d, %d: %g, not %g", k, x, y, (double)out[i][0].f, (double)want);
		}
		OK(cuTexObjectDestroy(t));
	}
}

static void a_border_has_its_colour(void)
{
	start_sampling(kernels);
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = numbers()};
	CUDA_TEXTURE_DESC d = {.addressMode = {CU_TR_ADDRESS_MODE_BORDER, CU_TR_ADDRESS_MODE_BORDER, CU_TR_ADDRESS_MODE_BORDER},
			       .borderColor = {2.5f, 0, 0, 0}};
	CUtexObject t;
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	union word out[2][4];
	sample("flat", t, (struct place[]){{-1, 1, 0, 0}, {1.5f, 1.5f, 0, 0}}, 2, out);
	TRUE(out[0][0].f == 2.5f);
	TRUE(out[1][0].f == 11);
}

static void a_linear_filter_mixes_four_texels(void)
{
	start_sampling(kernels);
	CUarray a = numbers();
	struct place p[PLACES];
	union word out[PLACES][4];
	CUtexObject t = texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0);
	for (int i = 0; i < PLACES; i++)
		p[i] = (struct place){0.5f + (float)(i % 8) * 0.875f, 0.5f + (float)(i / 8) * 0.375f, 0, 0};
	sample("flat", t, p, PLACES, out);
	for (int i = 0; i < PLACES; i++)
		NEAR(10 * (p[i].y - 0.5f) + (p[i].x - 0.5f), out[i][0].f);
	// Half a texel beyond the middle of the last one: clamped, half of the border, and half of the first one.
	sample("flat", t, (struct place[]){{W, 0.5f, 0, 0}}, 1, out);
	NEAR(7, out[0][0].f);
	t = texture_of(a, CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_LINEAR, 0);
	sample("flat", t, (struct place[]){{W, 0.5f, 0, 0}}, 1, out);
	NEAR(3.5, out[0][0].f);
	t = texture_of(a, CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
	sample("flat", t, (struct place[]){{0, 0.125f, 0, 0}, {1, 0.125f, 0, 0}, {-1.75f, 0.125f, 0, 0}}, 3, out);
	NEAR(3.5, out[0][0].f);
	NEAR(3.5, out[1][0].f);
	NEAR(1.5, out[2][0].f);
	t = texture_of(a, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
	sample("flat", t, (struct place[]){{0, 0.125f, 0, 0}, {1.25f, 0.125f, 0, 0}}, 2, out);
	NEAR(0, out[0][0].f);
	NEAR(5.5, out[1][0].f);
}

// Channel c of the only texel.
static unsigned long long raw(unsigned bytes, unsigned c) { return (0xf17f8081c0037e05ull >> (8 * (c * bytes % 8))) & ((1ull << 8 * bytes) - 1); }

static void integers_come_as_they_are_or_as_fractions(void)
{
	static const struct { CUarray_format format; unsigned bytes; int is_signed; } formats[] = {
		{CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, {CU_AD_FORMAT_UNSIGNED_INT16, 2, 0}, {CU_AD_FORMAT_UNSIGNED_INT32, 4, 0},
		{CU_AD_FORMAT_SIGNED_INT8, 1, 1}, {CU_AD_FORMAT_SIGNED_INT16, 2, 1}, {CU_AD_FORMAT_SIGNED_INT32, 4, 1},
	};
	start_sampling(kernels);
	struct place at = {0.5f, 0.5f, 0, 0};
	union word out[1][4];
	for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
		for (unsigned channels = 1; channels <= 4; channels *= 2) {
			unsigned bytes = formats[k].bytes;
			unsigned char texel[16];
			long long want[4];
			for (unsigned c = 0; c < channels; c++) {
				unsigned long long v = raw(bytes, c);
				memcpy(texel + c * bytes, &v, bytes);
				unsigned unused = 64 - 8 * bytes;
				want[c] = formats[k].is_signed ? (long long)(v << unused) >> unused : (long long)v;
			}
			CUarray a = array_of(1, 1, 0, formats[k].format, channels, 0);
			fill_array(a, texel, bytes * channels);
			CUtexObject t = texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_READ_AS_INTEGER);
			sample(formats[k].is_signed ? "flat_s" : "flat_u", t, &at, 1, out);
			for (unsigned c = 0; c < channels; c++)
				EQUAL(want[c], formats[k].is_signed ? out[0][c].s : (long long)out[0][c].u);
			if (bytes < 4) {
				double most = formats[k].is_signed ? (1 << (8 * bytes - 1)) - 1 : (1 << 8 * bytes) - 1;
				t = texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
				sample("flat", t, &at, 1, out);
				for (unsigned c = 0; c < channels; c++)
					NEAR(fmax((double)want[c] / most, -1), out[0][c].f);
			}
			OK(cuArrayDestroy(a));
		}
}

static void halves_and_floats_come_as_floats(void)
{
	static const unsigned short halves[4] = {0x3c00, 0xc500, 0x0001, 0x7bff};
	static const float values[4] = {1, -5, 0x1p-24f, 65504}, floats[4] = {1.5f, -2, 1e30f, 0};
	start_sampling(kernels);
	struct place at = {0.5f, 0.5f, 0, 0};
	union word out[1][4];
	for (unsigned channels = 1; channels <= 4; channels *= 2) {
		CUarray a = array_of(1, 1, 0, CU_AD_FORMAT_HALF, channels, 0);
		fill_array(a, halves, 2 * channels);
		sample("flat", texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), &at, 1, out);
		for (unsigned c = 0; c < channels; c++)
			TRUE(out[0][c].f == values[c]);
		a = array_of(1, 1, 0, CU_AD_FORMAT_FLOAT, channels, 0);
		fill_array(a, floats, 4 * channels);
		sample("flat", texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), &at, 1, out);
		for (unsigned c = 0; c < channels; c++)
			TRUE(out[0][c].f == floats[c]);
	}
}

static void lines_boxes_and_layers_have_their_texels(void)
{
	float host[3][H][W];
	union word out[PLACES][4];
	struct place p[PLACES];
	start_sampling(kernels);
	for (int z = 0; z < 3; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++)
				host[z][y][x] = (float)(100 * z + 10 * y + x);
	CUarray line = array_of(W, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0), box = array_of(W, H, 3, CU_AD_FORMAT_FLOAT, 1, 0);
	CUarray layers = array_of(W, H, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED);
	CUarray lines = array_of(W, 0, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED);
	fill_array(line, host, 4);
	fill_array(box, host, 4);
	fill_array(layers, host, 4);
	fill_array(lines, host, 4);
	for (int i = 0; i < PLACES; i++)
		p[i] = (struct place){(float)(i % W) + 0.5f, (float)(i / W % H) + 0.5f, (float)(i % 3) + 0.5f, (float)(i % 3)};
	sample("line", texture_of(line, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), p, PLACES, out);
	for (int i = 0; i < PLACES; i++)
		EQUAL(i % W, out[i][0].f);
	sample("box", texture_of(box, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), p, PLACES, out);
	for (int i = 0; i < PLACES; i++)
		EQUAL(host[i % 3][i / W % H][i % W], out[i][0].f);
	sample("layer", texture_of(layers, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), p, PLACES, out);
	for (int i = 0; i < PLACES; i++)
		EQUAL(host[i % 3][i / W % H][i % W], out[i][0].f);
	sample("line_layer", texture_of(lines, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), p, PLACES, out);
	for (int i = 0; i < PLACES; i++)
		EQUAL((&host[0][0][0])[i % 3 * W + i % W], out[i][0].f);
	p[0] = (struct place){2, 2, 1.25f, 0};
	sample("box", texture_of(box, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0), p, 1, out);
	NEAR(75 + 15 + 1.5, out[0][0].f);
}

static void linear_memory_is_a_texture(void)
{
	float host[H * 64];
	union word out[PLACES][4];
	struct place p[PLACES];
	CUdeviceptr d;
	CUtexObject t;
	start_sampling(kernels);
	for (int i = 0; i < H * 64; i++)
		host[i] = (float)(i + 1);
	OK(cuMemAlloc(&d, sizeof host));
	OK(cuMemcpyHtoD(d, host, sizeof host));
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_LINEAR,
				.res.linear = {.devPtr = d, .format = CU_AD_FORMAT_FLOAT, .numChannels = 2, .sizeInBytes = 10 * 8}};
	CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
	OK(cuTexObjectCreate(&t, &r, &how, NULL));
	for (int i = 0; i < PLACES; i++)
		p[i] = (struct place){(float)(i - 3), 0, 0, 0};
	sample("fetch", t, p, 20, out);
	for (int i = 0; i < 20; i++) { // beyond its ends there are zeros
		int x = i - 3, inside = x >= 0 && x < 10;
		EQUAL(inside ? 2 * x + 1 : 0, out[i][0].f);
		EQUAL(inside ? 2 * x + 2 : 0, out[i][1].f);
	}
	r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
				 .res.pitch2D = {.devPtr = d, .format = CU_AD_FORMAT_FLOAT, .numChannels = 1, .width = 50, .height = H, .pitchInBytes = 256}};
	how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
	OK(cuTexObjectCreate(&t, &r, &how, NULL));
	for (int i = 0; i < PLACES; i++)
		p[i] = (struct place){(float)i + 0.5f, (float)(i % 6) + 0.5f, 0, 0};
	sample("flat", t, p, PLACES, out);
	for (int i = 0; i < PLACES; i++)
		EQUAL(host[clamped(i % 6, H) * 64 + clamped(i, 50)], out[i][0].f);
	r.res.pitch2D.devPtr = d + 4;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &how, NULL));
}

static void a_mipmaps_levels_are_arrays_and_sampled_between(void)
{
	start_sampling(kernels);
	CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 8, .Height = 8, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
	CUmipmappedArray m;
	CUarray level;
	CUtexObject t;
	union word out[4][4];
	OK(cuMipmappedArrayCreate(&m, &d, 3));
	for (unsigned l = 0; l < 3; l++) {
		float flat[64];
		CUDA_ARRAY3D_DESCRIPTOR got;
		OK(cuMipmappedArrayGetLevel(&level, m, l));
		OK(cuArray3DGetDescriptor(&got, level));
		EQUAL(8 >> l, got.Width);
		EQUAL(8 >> l, got.Height);
		for (int i = 0; i < 64; i++)
			flat[i] = (float)(100 * (l + 1));
		fill_array(level, flat, 4);
	}
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&level, m, 3));
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = m};
	CUDA_TEXTURE_DESC how = {.flags = CU_TRSF_NORMALIZED_COORDINATES, .maxMipmapLevelClamp = 2};
	struct place p[4] = {{0.25f, 0.25f, 0, 0}, {0.25f, 0.25f, 0, 1}, {0.25f, 0.25f, 0, 2}, {0.25f, 0.25f, 0, 7}};
	OK(cuTexObjectCreate(&t, &r, &how, NULL));
	sample("level", t, p, 4, out);
	for (int i = 0; i < 4; i++)
		EQUAL(100 * (i + 1 > 3 ? 3 : i + 1), out[i][0].f);
	how.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
	OK(cuTexObjectCreate(&t, &r, &how, NULL));
	p[0].w = 0.5f;
	p[1].w = 1.25f;
	sample("level", t, p, 2, out);
	NEAR(150, out[0][0].f);
	NEAR(225, out[1][0].f);
	OK(cuMipmappedArrayDestroy(m));
}

static void a_gather_gives_four_texels_of_one_channel(void)
{
	float host[H][W][2];
	union word out[1][4];
	start_sampling(kernels);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			host[y][x][0] = -1;
			host[y][x][1] = (float)(10 * y + x);
		}
	CUarray a = array_of(W, H, 0, CU_AD_FORMAT_FLOAT, 2, CUDA_ARRAY3D_TEXTURE_GATHER);
	fill_array(a, host, 8);
	sample("gather", texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0), (struct place[]){{3, 2, 0, 0}}, 1, out);
	EQUAL(22, out[0][0].f);
	EQUAL(23, out[0][1].f);
	EQUAL(13, out[0][2].f);
	EQUAL(12, out[0][3].f);
}

static void a_texture_tells_what_it_was_made_of(void)
{
	start_sampling(kernels);
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = numbers()}, back;
	CUDA_TEXTURE_DESC d = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_BORDER, CU_TR_ADDRESS_MODE_WRAP},
			       .flags = CU_TRSF_READ_AS_INTEGER}, said;
	CUtexObject t;
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	OK(cuTexObjectGetResourceDesc(&back, t));
	EQUAL(CU_RESOURCE_TYPE_ARRAY, back.resType);
	TRUE(back.res.array.hArray == r.res.array.hArray);
	OK(cuTexObjectGetTextureDesc(&said, t));
	EQUAL(CU_TR_ADDRESS_MODE_BORDER, said.addressMode[1]);
	EQUAL(CU_TRSF_READ_AS_INTEGER, said.flags);
	union word out[1][4];
	sample("size", t, (struct place[]){{0, 0, 0, 0}}, 1, out);
	EQUAL(W, out[0][0].u);
	EQUAL(H, out[0][1].u);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, NULL, NULL));
	d.flags = 0;
	r.resType = (CUresourcetype)9;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &d, NULL));
	size_t most = 0;
	OK(cuDeviceGetTexture1DLinearMaxWidth(&most, CU_AD_FORMAT_FLOAT, 1, device));
	TRUE(most >= 1 << 27);
}

static const struct test_case cases[] = {
	CASE(the_nearest_texel_is_read_beyond_each_edge_too),
	CASE(a_border_has_its_colour),
	CASE(a_linear_filter_mixes_four_texels),
	CASE(integers_come_as_they_are_or_as_fractions),
	CASE(halves_and_floats_come_as_floats),
	CASE(lines_boxes_and_layers_have_their_texels),
	CASE(linear_memory_is_a_texture),
	CASE(a_mipmaps_levels_are_arrays_and_sampled_between),
	CASE(a_gather_gives_four_texels_of_one_channel),
	CASE(a_texture_tells_what_it_was_made_of),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
