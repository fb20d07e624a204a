// SPDX-License-Identifier: Apache-2.0
//
// Calls that do several things at once: copies of boxes, decompression, what is
// known of a range.
#include <stdint.h>

#include "check.h"
#include "graphs.h"
#include "kernels.h"

#undef cuMemcpy3DBatchAsync // the first version, by its own name

enum { W = 48, H = 5, D = 3 }; // bytes, rows, layers

static CUmemcpy3DOperand at(uint64_t address, size_t row, size_t rows)
{
	CUmemcpy3DOperand o = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER};
	o.op.ptr.ptr = address;
	o.op.ptr.rowLength = row;
	o.op.ptr.layerHeight = rows;
	return o;
}

static CUDA_MEMCPY3D_BATCH_OP box(CUmemcpy3DOperand from, CUmemcpy3DOperand to)
{
	CUDA_MEMCPY3D_BATCH_OP op = {.src = from, .dst = to, .extent = {W, H, D}, .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
	return op;
}

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

// A box of pageable memory with gaps goes up, over, and down into pinned memory, without gaps at last.
static void boxes_of_a_batch_go_where_each_says(void)
{
	enum { ROW = W + 16, ROWS = H + 2 };
	static uint8_t from[D * ROWS * ROW], back[D * ROWS * ROW];
	size_t failed = 5;
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr a = words(D * ROWS * ROW), b = words(D * H * W);
	uint8_t *to = (uint8_t *)pinned(D * H * W);
	for (size_t i = 0; i < sizeof from; i++)
		from[i] = (uint8_t)(i * 7 + i / 256);
	CUDA_MEMCPY3D_BATCH_OP up[2] = {box(at(address_of(from), ROW, ROWS), at(a, ROW, ROWS)), box(at(address_of(from) + 1, ROW, ROWS), at(b, 0, 0))};
	HAVE("batches", cuMemcpy3DBatchAsync(2, up, &failed, 0, s));
	unsigned first, now;
	launch(function(load(PTX_HEAD PTX_ADD), "add"), b, 5, s); // in stream order between the two
	CUDA_MEMCPY3D_BATCH_OP down[2] = {box(at(a, ROW, ROWS), at(address_of(back), ROW, ROWS)), box(at(b, W, H), at(address_of(to), 0, 0))};
	OK(cuMemcpy3DBatchAsync_v2(2, down, 0, s));
	OK(cuStreamSynchronize(s));
	memcpy(&first, from + 1, 4);
	memcpy(&now, to, 4);
	EQUAL(first + 5, now);
	memcpy(to, &first, 4);
	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++) {
				size_t gap = ((size_t)z * ROWS + y) * ROW + x;
				EQUAL(from[gap], back[gap]);
				EQUAL(from[gap + 1], to[(z * H + y) * W + x]);
			}
	EQUAL(0, back[W]); // between rows
	EQUAL(0, back[H * ROW]);
}

static void the_per_thread_name_takes_stream_0(void)
{
	static uint8_t from[D * H * W], to[D * H * W];
	size_t failed;
	start();
	CUdeviceptr a = words(D * H * W);
	memset(from, 0x5a, sizeof from);
	CUDA_MEMCPY3D_BATCH_OP up = box(at(address_of(from), 0, 0), at(a, 0, 0)), down = box(at(a, 0, 0), at(address_of(to), 0, 0));
	HAVE("batches", cuMemcpy3DBatchAsync_ptsz(1, &up, &failed, 0, NULL));
	OK(cuMemcpy3DBatchAsync_v2_ptsz(1, &down, 0, NULL));
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	EQUAL(0x5a, to[sizeof to - 1]);
}

static void a_bad_box_stops_the_batch_and_is_named(void)
{
	static uint8_t from[D * H * W], back[4];
	size_t failed = 77;
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr a = words(D * H * W);
	memset(from, 9, sizeof from);
	CUDA_MEMCPY3D_BATCH_OP good = box(at(address_of(from), 0, 0), at(a, 0, 0)), ops[3] = {good, good, good};
	ops[2].dst.op.ptr.rowLength = W - 1; // shorter than the box
	if (cuMemcpy3DBatchAsync(3, ops, &failed, 0, s) == CUDA_ERROR_NOT_SUPPORTED)
		SKIP("no batches");
	EQUAL(2, failed);
	OK(cuStreamSynchronize(s));
	OK(cuMemcpyDtoH(back, a, 4));
	EQUAL(0, back[0]); // none was made
	for (int what = 0; what < 9; what++) {
		ops[1] = good;
		switch (what) {
		case 0: ops[1].extent.depth = 0; break;
		case 1: ops[1].extent.width = SIZE_MAX; break;
		case 2: ops[1].src.type = (CUmemcpy3DOperandType)0; break;
		case 3: ops[1].src.op.ptr.ptr = 0; break;
		case 4: ops[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID; break;
		case 5: ops[1].dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY; ops[1].dst.op.array.array = NULL; break;
		case 6: ops[1].dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY; ops[1].dst.op.array.array = (CUarray)(uintptr_t)0x123450; break;
		case 7: ops[1].dst.op.ptr.layerHeight = H - 1; break;
		case 8: ops[1].src.op.ptr.rowLength = ops[1].extent.width = SIZE_MAX / 2; break;
		}
		failed = 77;
		if (cuMemcpy3DBatchAsync(2, ops, &failed, 0, s) == CUDA_SUCCESS || failed != 1)
			FAIL("bad box %d: entry %zu is named", what, failed);
	}
	TRUE(cuMemcpy3DBatchAsync(0, &good, &failed, 0, s) != CUDA_SUCCESS);
	TRUE(cuMemcpy3DBatchAsync(1, NULL, &failed, 0, s) != CUDA_SUCCESS);
	TRUE(cuMemcpy3DBatchAsync(1, &good, &failed, 1, s) != CUDA_SUCCESS);
	TRUE(cuMemcpy3DBatchAsync(1, &good, &failed, 0, NULL) != CUDA_SUCCESS);
	OK(cuStreamSynchronize(s));
}

static void decompression_reads_only_what_the_device_reaches(void)
{
	static uint8_t mine[64];
	size_t failed = 77;
	start();
	CUstream s = stream_of_its_own();
	CUdeviceptr d = words(64);
	CUmemDecompressParams p[2] = {{.srcNumBytes = 16, .dstNumBytes = 64, .src = (void *)(uintptr_t)d,
				       .dst = (void *)(uintptr_t)(d + 64), .dstActBytes = (cuuint32_t *)(uintptr_t)(d + 128),
				       .algo = CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE}};
	p[1] = p[0];
	TRUE(cuMemBatchDecompressAsync(NULL, 1, 0, &failed, s) != CUDA_SUCCESS);
	TRUE(cuMemBatchDecompressAsync(p, 0, 0, &failed, s) != CUDA_SUCCESS);
	TRUE(cuMemBatchDecompressAsync(p, 1, 1, &failed, s) != CUDA_SUCCESS);
	// Sixteen zeros are no deflate stream; a device without the engine says that it has none.
	TRUE(cuMemBatchDecompressAsync(p, SIZE_MAX, 0, &failed, s) != CUDA_SUCCESS);
	p[1].src = mine;
	TRUE(cuMemBatchDecompressAsync(p, 2, 0, &failed, s) != CUDA_SUCCESS);
	EQUAL(0, value_at(d));
}

static void attributes_of_a_range_come_one_by_one(void)
{
	int32_t mostly = 77, preferred = 77;
	void *data[2] = {&mostly, &preferred};
	size_t sizes[2] = {4, 4};
	CUmem_range_attribute which[2] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
	CUdeviceptr p;
	start();
	CUdeviceptr d = words(4);
	TRUE(cuMemRangeGetAttributes(NULL, sizes, which, 2, d, 16) != CUDA_SUCCESS);
	TRUE(cuMemRangeGetAttributes(data, NULL, which, 2, d, 16) != CUDA_SUCCESS);
	TRUE(cuMemRangeGetAttributes(data, sizes, NULL, 2, d, 16) != CUDA_SUCCESS);
	TRUE(cuMemRangeGetAttributes(data, sizes, which, 0, d, 16) != CUDA_SUCCESS);
	OK(cuMemAllocManaged(&p, 1 << 16, CU_MEM_ATTACH_GLOBAL));
	CUresult one = cuMemRangeGetAttribute(&mostly, 4, which[0], p, 1 << 16);
	if (one)
		GIVES(one, cuMemRangeGetAttributes(data, sizes, which, 2, p, 1 << 16));
	else
		OK(cuMemRangeGetAttributes(data, sizes, which, 2, p, 1 << 16));
	if (one)
		SKIP("this library knows no attributes of ranges: %d", (int)one);
	EQUAL(0, mostly);
	EQUAL(CU_DEVICE_INVALID, preferred);
}

// One launch in the list, for what has one device; with two the kernels would be two devices'.
static void a_cooperative_launch_on_every_device_of_a_list(void)
{
	start();
	CUfunction add = function(load(PTX_HEAD PTX_ADD), "add");
	CUstream s = stream_of_its_own();
	CUdeviceptr p = words(1);
	unsigned v = 3;
	void *arguments[] = {&p, &v}, *half[] = {&p, NULL};
	CUDA_LAUNCH_PARAMS l = {.function = add, .gridDimX = 2, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 5, .blockDimY = 1, .blockDimZ = 1,
				.hStream = s, .kernelParams = arguments}, bad;
	HAVE("launches on several devices", cuLaunchCooperativeKernelMultiDevice(&l, 1, 0));
	OK(cuStreamSynchronize(s));
	EQUAL(3 * 10, value_at(p));
	TRUE(cuLaunchCooperativeKernelMultiDevice(NULL, 1, 0) != CUDA_SUCCESS);
	TRUE(cuLaunchCooperativeKernelMultiDevice(&l, 0, 0) != CUDA_SUCCESS);
	TRUE(cuLaunchCooperativeKernelMultiDevice(&l, UINT32_MAX, 0) != CUDA_SUCCESS);
	TRUE(cuLaunchCooperativeKernelMultiDevice(&l, 1, 64) != CUDA_SUCCESS);
	bad = l, bad.function = NULL;
	TRUE(cuLaunchCooperativeKernelMultiDevice(&bad, 1, 0) != CUDA_SUCCESS);
	bad = l, bad.function = (CUfunction)(uintptr_t)0x123450;
	TRUE(cuLaunchCooperativeKernelMultiDevice(&bad, 1, 0) != CUDA_SUCCESS);
	bad = l, bad.kernelParams = NULL;
	TRUE(cuLaunchCooperativeKernelMultiDevice(&bad, 1, 0) != CUDA_SUCCESS);
	bad = l, bad.kernelParams = half;
	TRUE(cuLaunchCooperativeKernelMultiDevice(&bad, 1, 0) != CUDA_SUCCESS);
	bad = l, bad.blockDimX = 1u << 20;
	TRUE(cuLaunchCooperativeKernelMultiDevice(&bad, 1, 0) != CUDA_SUCCESS);
	bad = l, bad.hStream = (CUstream)(uintptr_t)0x123450;
	TRUE(cuLaunchCooperativeKernelMultiDevice(&bad, 1, 0) != CUDA_SUCCESS);
	OK(cuCtxSynchronize());
	EQUAL(3 * 10, value_at(p));
}

static const struct test_case cases[] = {
	CASE(boxes_of_a_batch_go_where_each_says),
	CASE(the_per_thread_name_takes_stream_0),
	CASE(a_bad_box_stops_the_batch_and_is_named),
	CASE(decompression_reads_only_what_the_device_reaches),
	CASE(attributes_of_a_range_come_one_by_one),
	CASE(a_cooperative_launch_on_every_device_of_a_list),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
