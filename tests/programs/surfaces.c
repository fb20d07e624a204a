// SPDX-License-Identifier: Apache-2.0
//
// Surfaces, and copies of arrays in whatever way they can be asked for.
#include "textures.h"

static const char kernels[] = PTX_HEAD
	PTX_SAMPLE("write", "  cvt.rzi.s32.f32 %r2, %f2;\n  shl.b32 %r3, %r3, 2;\n"
			    "  sust.b.2d.b32.trap [%rd1, {%r3, %r2}], {%r1};\n  suld.b.2d.b32.trap {%r4}, [%rd1, {%r3, %r2}];\n")
	PTX_SAMPLE("read_clamp", "  cvt.rzi.s32.f32 %r2, %f2;\n  shl.b32 %r3, %r3, 2;\n"
				 "  suld.b.2d.b32.clamp {%r4}, [%rd1, {%r3, %r2}];\n")
	PTX_SAMPLE("read_zero", "  cvt.rzi.s32.f32 %r2, %f2;\n  shl.b32 %r3, %r3, 2;\n"
				"  suld.b.2d.b32.zero {%r4}, [%rd1, {%r3, %r2}];\n")
	PTX_SAMPLE("write_zero", "  cvt.rzi.s32.f32 %r2, %f2;\n  shl.b32 %r3, %r3, 2;\n"
				 "  sust.b.2d.b32.zero [%rd1, {%r3, %r2}], {%r1};\n")
	PTX_SAMPLE("line", "  shl.b32 %r3, %r3, 4;\n  suld.b.1d.v4.b32.trap " FOUR ", [%rd1, {%r3}];\n"
			   "  add.u32 %r4, %r4, 1000;\n  sust.b.1d.v4.b32.trap [%rd1, {%r3}], " FOUR ";\n")
	PTX_SAMPLE("box", "  cvt.rzi.s32.f32 %r4, %f2;\n  cvt.rzi.s32.f32 %r5, %f3;\n  shl.b32 %r3, %r3, 3;\n"
			  "  cvt.u64.u32 %v1, %r1;\n  sust.b.3d.b64.trap [%rd1, {%r3, %r4, %r5, %r5}], {%v1};\n")
	PTX_SAMPLE("layer", "  cvt.rzi.s32.f32 %r4, %f2;\n  shl.b32 %r3, %r3, 1;\n  { .reg .b16 %h<2>;\n  cvt.u16.u32 %h1, %r1;\n"
			    "  sust.b.a2d.b16.trap [%rd1, {%r2, %r3, %r4, %r4}], {%h1}; }\n")
	PTX_SAMPLE("wild", "  mov.u32 %r3, 4096;\n  sust.b.2d.b32.trap [%rd1, {%r3, %r3}], {%r1};\n");

enum { W = 8, H = 4 };

static void read_array(CUarray a, void *to, size_t each)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	OK(cuArray3DGetDescriptor(&d, a));
	size_t rows = d.Height ? d.Height : 1;
	CUDA_MEMCPY3D c = {.dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = to, .dstPitch = d.Width * each, .dstHeight = rows,
			   .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a, .WidthInBytes = d.Width * each, .Height = rows,
			   .Depth = d.Depth ? d.Depth : 1};
	OK(cuMemcpy3D(&c));
}

static CUsurfObject surface_of(CUarray a)
{
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
	CUsurfObject s;
	OK(cuSurfObjectCreate(&s, &r));
	return s;
}

static void what_a_surface_is_written_its_array_holds(void)
{
	struct place p[W * H];
	union word out[W * H][4];
	unsigned back[H][W];
	start_sampling(kernels);
	CUarray a = array_of(W, H, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST);
	CUsurfObject s = surface_of(a);
	for (int i = 0; i < W * H; i++)
		p[i] = (struct place){(float)(i % W), (float)(i / W), 0, 0};
	sample("write", s, p, W * H, out);
	read_array(a, back, 4);
	for (int i = 0; i < W * H; i++) {
		EQUAL(i, out[i][0].u);
		EQUAL(i, back[i / W][i % W]);
	}
	struct place beyond[] = {{-3, 1, 0, 0}, {W, 2, 0, 0}, {3, -1, 0, 0}, {4, H + 5, 0, 0}, {2, 2, 0, 0}};
	sample("read_clamp", s, beyond, 5, out);
	EQUAL(W, out[0][0].u);
	EQUAL(2 * W + W - 1, out[1][0].u);
	EQUAL(3, out[2][0].u);
	EQUAL((H - 1) * W + 4, out[3][0].u);
	EQUAL(2 * W + 2, out[4][0].u);
	sample("read_zero", s, beyond, 5, out);
	for (int i = 0; i < 4; i++)
		EQUAL(0, out[i][0].u);
	EQUAL(2 * W + 2, out[4][0].u);
	sample("write_zero", s, beyond, 5, out);
	read_array(a, back, 4);
	for (int i = 0; i < W * H; i++)
		EQUAL(i == 2 * W + 2 ? 4 : i, back[i / W][i % W]);
	OK(cuSurfObjectDestroy(s));
}

static void lines_boxes_and_layers_can_be_written(void)
{
	struct place p[PLACES];
	union word out[PLACES][4];
	start_sampling(kernels);
	unsigned line[W][4], line_back[W][4];
	for (unsigned i = 0; i < 4 * W; i++)
		line[i / 4][i % 4] = i;
	for (int i = 0; i < W * H * 2; i++)
		p[i] = (struct place){(float)(i % W), (float)(i / W % H), (float)(i / W / H), (float)(i / W / H)};
	CUarray a = array_of(W, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 4, CUDA_ARRAY3D_SURFACE_LDST);
	fill_array(a, line, sizeof *line);
	sample("line", surface_of(a), p, W, out);
	read_array(a, line_back, sizeof *line);
	for (unsigned i = 0; i < 4 * W; i++)
		EQUAL(i + (i % 4 == 0 ? 1000 : 0), line_back[i / 4][i % 4]);
	unsigned long long box[W * H * 2];
	a = array_of(W, H, 2, CU_AD_FORMAT_FLOAT, 2, CUDA_ARRAY3D_SURFACE_LDST);
	sample("box", surface_of(a), p, W * H * 2, out);
	read_array(a, box, 8);
	unsigned short layers[W * H * 2];
	a = array_of(W, H, 2, CU_AD_FORMAT_HALF, 1, CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_LAYERED);
	sample("layer", surface_of(a), p, W * H * 2, out);
	read_array(a, layers, 2);
	for (int i = 0; i < W * H * 2; i++) {
		EQUAL(i, box[i]);
		EQUAL(i, layers[i]);
	}
}

static void a_write_beyond_a_surface_breaks_the_context(void)
{
	start_sampling(kernels);
	CUarray a = array_of(W, H, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST);
	unsigned long long s = surface_of(a);
	void *params[] = {&s, &places_, &out_};
	OK(cuLaunchKernel(function(module_, "wild"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	TRUE(cuCtxSynchronize() != CUDA_SUCCESS);
}

static void a_surface_needs_an_array_that_says_so(void)
{
	start_sampling(kernels);
	CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array_of(W, H, 0, CU_AD_FORMAT_FLOAT, 1, 0)}, back;
	CUsurfObject s;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&s, &r));
	r.res.array.hArray = array_of(W, H, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
	OK(cuSurfObjectCreate(&s, &r));
	OK(cuSurfObjectGetResourceDesc(&back, s));
	TRUE(back.res.array.hArray == r.res.array.hArray);
}

static void rows_of_arrays_go_everywhere(void)
{
	unsigned char up[256], down[256];
	CUdeviceptr d;
	start();
	for (int i = 0; i < 256; i++)
		up[i] = (unsigned char)(i * 7);
	CUarray a = array_of(256, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0), b = array_of(256, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0);
	OK(cuMemAlloc(&d, 256));
	OK(cuMemcpyHtoA(a, 0, up, 256));
	OK(cuMemcpyAtoA(b, 16, a, 0, 200));
	OK(cuMemcpyAtoD(d, b, 16, 200));
	OK(cuMemcpyDtoA(a, 56, d, 200));
	OK(cuMemcpyAtoH(down, a, 0, 256));
	for (int i = 0; i < 256; i++)
		EQUAL(up[i < 56 ? i : i - 56], down[i]);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(a, 100, up, 200));
	OK(cuArrayDestroy(a));
	TRUE(cuMemcpyHtoA(a, 0, up, 16) != CUDA_SUCCESS);
}

static void boxes_go_between_arrays(void)
{
	enum { D = 3, N = W * H * D };
	unsigned host[N], back[N];
	start();
	for (unsigned i = 0; i < N; i++)
		host[i] = i;
	CUarray a = array_of(W, H, D, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0), b = array_of(W, H, D, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
	fill_array(a, host, 4);
	fill_array(b, host, 4);
	CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a, .srcXInBytes = 4, .srcY = 1, .srcZ = 0,
			   .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = b, .dstXInBytes = 8, .dstY = 0, .dstZ = 1,
			   .WidthInBytes = 12, .Height = 2, .Depth = 2};
	OK(cuMemcpy3D(&c));
	read_array(b, back, 4);
	for (unsigned z = 0; z < D; z++)
		for (unsigned y = 0; y < H; y++)
			for (unsigned x = 0; x < W; x++) {
				int inside = x >= 2 && x < 5 && y < 2 && z >= 1;
				unsigned from = inside ? (z - 1) * W * H + (y + 1) * W + x - 1 : z * W * H + y * W + x;
				EQUAL(from, back[z * W * H + y * W + x]);
			}
	c.srcXInBytes = 24;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&c));
}

static void a_graph_copies_into_an_array(void)
{
	unsigned host[W * H], back[W * H];
	CUdeviceptr d;
	CUstream s;
	CUgraph g;
	CUgraphExec e;
	start();
	for (unsigned i = 0; i < W * H; i++)
		host[i] = 3 * i;
	OK(cuMemAlloc(&d, sizeof host));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	CUarray a = array_of(W, H, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
	OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = d, .srcPitch = W * 4, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
			   .dstArray = a, .dstXInBytes = 4, .dstY = 1, .WidthInBytes = 4 * (W - 1), .Height = H - 1};
	OK(cuMemcpy2DAsync(&c, s));
	OK(cuStreamEndCapture(s, &g));
	OK(cuGraphInstantiateWithFlags(&e, g, 0));
	OK(cuMemcpyHtoD(d, host, sizeof host));
	OK(cuGraphLaunch(e, s));
	OK(cuStreamSynchronize(s));
	read_array(a, back, 4);
	for (unsigned y = 1; y < H; y++)
		for (unsigned x = 1; x < W; x++)
			EQUAL(host[(y - 1) * W + x - 1], back[y * W + x]);
}

static void arrays_are_described_and_refused(void)
{
	start();
	CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 5, .Height = 3, .Depth = 2, .Format = CU_AD_FORMAT_HALF, .NumChannels = 2}, back;
	CUarray a;
	OK(cuArray3DCreate(&a, &d));
	OK(cuArray3DGetDescriptor(&back, a));
	EQUAL(5, back.Width);
	EQUAL(3, back.Height);
	EQUAL(2, back.Depth);
	EQUAL(CU_AD_FORMAT_HALF, back.Format);
	EQUAL(2, back.NumChannels);
	OK(cuArrayDestroy(a));
	d.NumChannels = 3;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&a, &d));
	d.NumChannels = 1;
	d.Width = 0;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&a, &d));
	d.Width = 1 << 30;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&a, &d));
}

static const struct test_case cases[] = {
	CASE(what_a_surface_is_written_its_array_holds),
	CASE(lines_boxes_and_layers_can_be_written),
	CASE(a_write_beyond_a_surface_breaks_the_context),
	CASE(a_surface_needs_an_array_that_says_so),
	CASE(rows_of_arrays_go_everywhere),
	CASE(boxes_go_between_arrays),
	CASE(a_graph_copies_into_an_array),
	CASE(arrays_are_described_and_refused),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
