// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a frame: through the frame check and the worker half of the
// call that it names, generated or hand-written, down to a vendor that reads
// and writes all that it was given and otherwise does nothing. AddressSanitizer
// sees a half that hands on less memory than it says.
//
// For libFuzzer; without it (-DAXON_FUZZ_ALONE) main() makes the bytes up.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cuda_worker.h"
#include "frame.h"
#include "lane.h"
#include "name.h"
#include "start.h"

static struct axw_session session;
static volatile uint8_t sink;
static unsigned turn; // makes results differ from call to call
static uintptr_t last_object = 0x100000;

static void look(const void *p, size_t n)
{
	for (size_t i = 0; p && i < n; i++)
		sink ^= ((const uint8_t *)p)[i];
}

static CUresult result(void) { return ++turn % 7 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
static void *object(void) { return (void *)(last_object += 16); }

// Stands in for every function that has no better one. The caller passes what it likes, all of it in registers or
// on a stack that it cleans up itself.
static CUresult any(void) { return result(); }

static CUresult init(unsigned flags) { (void)flags; return CUDA_SUCCESS; }
static CUresult module_load(CUmodule *m, const void *image, unsigned n, CUjit_option *names, void **values)
{
	look(image, 64);
	look(names, n * sizeof *names);
	for (unsigned i = 0; i < n; i++) {
		look(&values[i], sizeof values[i]);
		for (unsigned j = 0; j < n; j++) // logs are written to their ends
			if (values[i] && ((names[i] == CU_JIT_INFO_LOG_BUFFER && names[j] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) ||
					  (names[i] == CU_JIT_ERROR_LOG_BUFFER && names[j] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)))
				memset(values[i], 'x', (size_t)(uintptr_t)values[j]);
	}
	*m = object();
	return result();
}
static CUresult library_load(CUlibrary *l, const void *code, CUjit_option *names, void **values, unsigned n,
			     CUlibraryOption *library_names, void **library_values, unsigned m)
{
	look(library_names, m * sizeof *library_names);
	look(library_values, m * sizeof *library_values);
	*l = object();
	return module_load((CUmodule *)l, code, n, names, values);
}
static CUresult get_function(CUfunction *f, CUmodule m, const char *name) { (void)m; look(name, strlen(name)); *f = object(); return result(); }
static CUresult get_kernel(CUkernel *k, CUlibrary l, const char *name) { (void)l; look(name, strlen(name)); *k = object(); return result(); }
static CUresult stream_create(CUstream *s, unsigned f) { (void)f; *s = object(); return result(); }
static CUresult event_create(CUevent *e, unsigned f) { (void)f; *e = object(); return result(); }
static CUresult ctx_create(CUcontext *c, unsigned f, CUdevice d) { (void)f, (void)d; *c = object(); return result(); }
static CUresult graph_create(CUgraph *g, unsigned f) { (void)f; *g = object(); return result(); }
// Now and then it is another function between one question and the next.
static CUresult param_info(CUfunction f, size_t i, size_t *offset, size_t *size)
{
	static unsigned asked;
	(void)f;
	unsigned count = 3 + asked++ / 4 % 4 * 5;
	*offset = i * 8, *size = count > 13 ? 16 : 8;
	return i < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult launch(CUfunction f, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g, unsigned h, CUstream s,
		       void **params, void **extra)
{
	(void)f, (void)a, (void)b, (void)c, (void)d, (void)e, (void)g, (void)h, (void)s, (void)params;
	if (extra)
		look(extra[1], *(size_t *)extra[3]);
	return result();
}
static CUresult launch_ex(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)
{
	(void)f, (void)params;
	look(config->attrs, config->numAttrs * sizeof *config->attrs);
	if (extra)
		look(extra[1], *(size_t *)extra[3]);
	return result();
}
static CUresult to_device(CUdeviceptr d, const void *p, size_t n) { (void)d; look(p, n); return result(); }
static CUresult to_host(void *p, CUdeviceptr d, size_t n) { (void)d; memset(p, 1, n); return result(); }
static CUresult to_device_async(CUdeviceptr d, const void *p, size_t n, CUstream s) { (void)s; return to_device(d, p, n); }
static CUresult to_host_async(void *p, CUdeviceptr d, size_t n, CUstream s) { (void)s; return to_host(p, d, n); }
static CUresult pointer_attribute(void *p, CUpointer_attribute a, CUdeviceptr d)
{
	(void)d;
	memset(p, 1, axg_sizeof_CUpointer_attribute(a));
	return result();
}
static CUresult pointer_attributes(unsigned n, CUpointer_attribute *a, void **data, CUdeviceptr d)
{
	for (unsigned i = 0; i < n; i++)
		pointer_attribute(data[i], a[i], d);
	return result();
}
static CUresult batch(CUstream s, unsigned n, CUstreamBatchMemOpParams *ops, unsigned f) { (void)s, (void)f; look(ops, n * sizeof *ops); return result(); }
static int captured; // what the worker was told last
static CUresult capturing(CUstream s, CUstreamCaptureStatus *status)
{
	(void)s;
	captured = turn % 3 == 0;
	*status = turn % 3 ? CU_STREAM_CAPTURE_STATUS_NONE : CU_STREAM_CAPTURE_STATUS_ACTIVE;
	return CUDA_SUCCESS;
}
static CUresult capture_info(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *g, const CUgraphNode **nodes,
			     const CUgraphEdgeData **edges, size_t *n)
{
	static CUgraphNode some[40];
	static CUgraphEdgeData some_edges[40];
	(void)s;
	*status = CU_STREAM_CAPTURE_STATUS_ACTIVE, *id = 7, *g = (CUgraph)0x4000, *n = 40;
	for (unsigned i = 0; i < 40; i++)
		some[i] = (CUgraphNode)(uintptr_t)(0x5000 + 16 * i);
	*nodes = some, *edges = some_edges;
	return result();
}
static CUresult graph_nodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
	(void)g;
	if (nodes)
		for (size_t i = 0; i < *n; i++)
			nodes[i] = (CUgraphNode)(uintptr_t)(0x5000 + 16 * (i % 40));
	else
		*n = 40;
	return result();
}
static CUresult semaphores_of_node(CUgraphNode node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *p)
{
	static CUexternalSemaphore some[3];
	static CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS params[3];
	(void)node;
	for (unsigned i = 0; i < 3; i++)
		some[i] = (CUexternalSemaphore)(uintptr_t)(0x6000 + 16 * i);
	*p = (CUDA_EXT_SEM_SIGNAL_NODE_PARAMS){ some, params, turn % 4 };
	return result();
}
static CUresult semaphores_node(CUgraphNode *node, CUgraph g, const CUgraphNode *on, size_t n, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *p)
{
	(void)g;
	look(on, n * sizeof *on);
	look(p->extSemArray, p->numExtSems * sizeof *p->extSemArray);
	look(p->paramsArray, p->numExtSems * sizeof *p->paramsArray);
	*node = object();
	return result();
}
static CUresult semaphores(const CUexternalSemaphore *s, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *p, unsigned n, CUstream stream)
{
	(void)stream;
	look(s, n * sizeof *s);
	look(p, n * sizeof *p);
	return result();
}
// The session's own contexts are never freed here: nothing to run later.
// In place of running: what it carries is its own, but for one in a graph, which is kept.
static CUresult host_func(CUstream s, CUhostFn fn, void *arg)
{
	(void)s, (void)fn;
	if (!captured)
		free(arg);
	return CUDA_SUCCESS;
}
static CUresult stream_callback(CUstream s, CUstreamCallback fn, void *arg, unsigned f) { (void)s, (void)fn, (void)f; free(arg); return CUDA_SUCCESS; }

static void start(void)
{
	size_t size = AXR_LANES_OFFSET + AXR_LANE_SIZE;
	session.lanes = 1;
	session.memfd = -1;
	session.heap_base = 0x500000000000ull;
	session.heap_size = 0x100000;
	session.region = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	session.header = (struct axr_header *)session.region;
	if (session.region == MAP_FAILED || axw_session_init(&session) || axw_calls_load(&session) || axw_lane_memory(session.lane))
		abort();
	CUresult (*generic)(void) = any;
	for (size_t i = 0; i < AXG_SYMBOLS; i++)
		memcpy((char *)&axg_vendor + axg_symbols[i].offset, &generic, sizeof generic);
	axg_vendor.cuInit = init;
	axg_vendor.cuModuleLoadDataEx = module_load;
	axg_vendor.cuLibraryLoadData = library_load;
	axg_vendor.cuModuleGetFunction = get_function;
	axg_vendor.cuLibraryGetKernel = get_kernel;
	axg_vendor.cuStreamCreate = stream_create;
	axg_vendor.cuEventCreate = event_create;
	axg_vendor.cuCtxCreate_v2 = ctx_create;
	axg_vendor.cuGraphCreate = graph_create;
	axg_vendor.cuFuncGetParamInfo = param_info;
	axg_vendor.cuLaunchKernel = launch;
	axg_vendor.cuLaunchKernelEx = launch_ex;
	axg_vendor.cuMemcpyHtoD_v2 = axg_vendor.cuMemcpyHtoD_v2_ptds = to_device;
	axg_vendor.cuMemcpyDtoH_v2 = axg_vendor.cuMemcpyDtoH_v2_ptds = to_host;
	axg_vendor.cuMemcpyHtoDAsync_v2 = to_device_async;
	axg_vendor.cuMemcpyDtoHAsync_v2 = to_host_async;
	axg_vendor.cuPointerGetAttribute = pointer_attribute;
	axg_vendor.cuPointerGetAttributes = pointer_attributes;
	axg_vendor.cuStreamBatchMemOp_v2 = batch;
	axg_vendor.cuStreamIsCapturing = capturing;
	axg_vendor.cuStreamGetCaptureInfo_v3 = capture_info;
	axg_vendor.cuGraphGetNodes = graph_nodes;
	axg_vendor.cuGraphExternalSemaphoresSignalNodeGetParams = semaphores_of_node;
	axg_vendor.cuGraphAddExternalSemaphoresSignalNode = semaphores_node;
	axg_vendor.cuSignalExternalSemaphoresAsync = semaphores;
	axg_vendor.cuLaunchHostFunc = host_func;
	axg_vendor.cuStreamAddCallback = stream_callback;
	// The heap as a client would have it, without anything registered.
	if (mmap((void *)(uintptr_t)session.heap_base, session.heap_size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
		session.heap_size = 0;
	// Some objects of each kind, under the names that an input most easily hits.
	for (unsigned kind = 1; kind < AXH_COUNT; kind++)
		for (unsigned slot = 0; slot < 4; slot++)
			axw_put(&session, kind, axr_name(kind, 0, 0, slot), object());
}

// An input is: call (2 bytes), kind and how bulk is used (1), how much the fixed part is off (1), then the frame's body.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static int started;
	struct axw_frame f;
	struct axw_call w;

	if (!started++)
		start();
	if (size < 4 || size > AXR_FRAME_MAX / 2)
		return 0;
	struct axw_lane *l = session.lane;
	unsigned call = (bytes[0] | bytes[1] << 8) % AX_COUNT;
	size_t body = size - 4;
	struct axr_frame h = { .kind = bytes[2] & 1 ? AXR_POST : AXR_WAIT, .call = (uint16_t)call, .ticket = 1 };
	h.fixed = axg_call_fixed[call];
	if (bytes[3] & 0x80)
		h.fixed = (uint32_t)(bytes[3] & 0x7f) * 8;
	if (h.fixed > body)
		h.fixed = (uint32_t)body & ~7u;
	h.data = (uint32_t)body - h.fixed;
	if (bytes[2] & 2)
		h.bulk = (uint32_t)bytes[2] * 4096, h.bulk_out = (uint32_t)bytes[3] * 64;
	if (bytes[2] & 4)
		h.bulk_in = h.data;
	h.size = (uint32_t)(sizeof h + body + 15) & ~15u;
	memset(l->ring, 0, h.size);
	memcpy(l->ring, &h, sizeof h);
	memcpy(l->ring + sizeof h, bytes + 4, body);
	if (bytes[2] & 8) // and now and then a header that is all the input's
		memcpy(l->ring, bytes + 4, body < sizeof h ? body : sizeof h);
	if (h.bulk_in)
		memcpy((uint8_t *)l->shared + AXR_BULK_OFFSET + h.bulk, bytes + 4 + h.fixed, h.data);
	// The same bytes beside the tail: what is taken from there is in bounds.
	struct axr_request q;
	struct axw_request taken;
	memset(&q, 0, sizeof q);
	memcpy(&q, bytes + 4, body < sizeof q ? body : sizeof q);
	uint32_t pending = bytes[2] & 16 ? q.size : h.size;
	if (axw_frame_request(&q, atomic_load(&q.end), pending, &taken) &&
	    (taken.frame.head.fixed + taken.frame.head.data > sizeof q.bytes || taken.frame.step != pending ||
	     taken.frame.fixed != taken.copy.bytes || taken.frame.data != taken.copy.bytes + taken.frame.head.fixed ||
	     taken.frame.head.size > pending || taken.frame.head.bulk_in || taken.frame.head.bulk_out))
		abort();
	if (axw_frame_read(l->ring, 0, h.size, &f) || f.head.kind == AXR_PAD || axw_lane_take(l, &f, &w))
		return 0;

	// Everything in a block of its own exact size, so that reading one byte too far shows.
	void *in = malloc(w.in_size ? w.in_size : 1), *data = malloc(w.data_size ? w.data_size : 1), *out = malloc(w.out_max);
	void *bulk_out = w.bulk_out ? malloc(w.bulk_out_size) : NULL;
	if (!in || !data || !out)
		abort();
	memcpy(in, w.in, w.in_size);
	memcpy(data, w.data, w.data_size);
	w.in = in, w.data = data, w.out = out, w.bulk_out = bulk_out;
	session.dispatch[f.head.call](&w);
	if (w.out_size > w.out_max)
		abort();
	look(w.out, w.out_size); // MemorySanitizer's part: an answer must not have holes
	free(in), free(data), free(out), free(bulk_out);
	return 0;
}

#ifdef AXON_FUZZ_ALONE
// What chance does not make: a kernel's node whose parameters are listed, as often as its function changes meanwhile.
static void kernel_nodes(void)
{
	struct ax_in_axGraphNodeAdd in = { .graph = axr_name(AXH_CUgraph, 0, 0, 1), .extraBytes = 400 };
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	uint8_t bytes[4 + sizeof in + sizeof p + 400] = { AX_axGraphNodeAdd & 0xff, AX_axGraphNodeAdd >> 8 };

	p.kernel.func = (CUfunction)(uintptr_t)axr_name(AXH_CUfunction, 0, 0, 1);
	p.kernel.kernelParams = (void **)(uintptr_t)1;
	memcpy(bytes + 4, &in, sizeof in);
	memcpy(bytes + 4 + sizeof in, &p, sizeof p);
	for (int i = 0; i < 200; i++)
		LLVMFuzzerTestOneInput(bytes, sizeof bytes);
}

int main(int argc, char **argv)
{
	uint64_t x = 88172645463325252ull;
	long rounds = argc > 1 ? atol(argv[1]) : 300000;
	static uint8_t bytes[512];

	kernel_nodes();
	for (long i = 0; i < rounds; i++) {
		for (size_t j = 0; j < sizeof bytes; j += 8) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			uint64_t word = x;
			// Names and small numbers are what gets past the first checks.
			if (x % 4 == 0)
				word = axr_name((unsigned)(x >> 8) % AXH_COUNT, 0, 0, (unsigned)(x >> 16) % 4);
			else if (x % 4 < 3)
				word = (x >> 20) % 20;
			memcpy(bytes + j, &word, 8);
		}
		unsigned call = (unsigned)(i % AX_COUNT);
		bytes[0] = (uint8_t)call, bytes[1] = (uint8_t)(call >> 8), bytes[2] = (uint8_t)(x >> 30), bytes[3] &= 0x9f;
		if (x % 8)
			bytes[2] &= 7, bytes[3] &= 0x7f;
		LLVMFuzzerTestOneInput(bytes, 4 + (size_t)(x >> 40) % (sizeof bytes - 4));
	}
	return 0;
}
#endif
