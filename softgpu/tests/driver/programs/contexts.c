/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of devices and contexts: what is current where, what an end ends, and what a fault breaks.
 */
#include "check.h"
#include "kernels.h"

#include <sys/wait.h>

static void a_device_says_one_thing_everywhere(void)
{
	int n, major, minor, v;
	char name[64], id[32];
	CUdevice dev, back;
	size_t total, free_bytes, same;
	CUuuid a, b;
	CUdevprop prop;
	OK(cuDeviceGetCount(&n));
	TRUE(n >= 1);
	OK(cuDeviceGet(&dev, 0));
	IS(cuDeviceGet(&dev, n), CUDA_ERROR_INVALID_DEVICE);
	IS(cuDeviceGet(&dev, -1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceGetName(name, sizeof name, 0));
	TRUE(strlen(name) > 0);
	OK(cuDeviceComputeCapability(&major, &minor, 0));
	OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
	IS(v, major);
	OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
	IS(v, 32);
	OK(cuDeviceGetProperties(&prop, 0));
	OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0));
	IS(v, prop.maxThreadsPerBlock);
	IS(cuDeviceGetAttribute(&v, (CUdevice_attribute)100000, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceTotalMem_v2(&total, 0));
	OK(cuMemGetInfo_v2(&free_bytes, &same));
	IS(same, total);
	OK(cuDeviceGetUuid_v2(&a, 0));
	OK(cuDeviceGetUuid(&b, 0));
	TRUE(!memcmp(&a, &b, sizeof a));
	OK(cuDeviceGetPCIBusId(id, sizeof id, 0));
	OK(cuDeviceGetByPCIBusId(&back, id));
	IS(back, 0);
}

static void contexts_stack_up_a_thread(void)
{
	CUcontext base, a, b, got;
	OK(cuCtxGetCurrent(&base));
	OK(cuCtxCreate_v2(&a, 0, 0));
	OK(cuCtxGetCurrent(&got));
	TRUE(got == a);
	OK(cuCtxCreate_v2(&b, CU_CTX_SCHED_BLOCKING_SYNC, 0));
	OK(cuCtxPopCurrent_v2(&got));
	TRUE(got == b);
	OK(cuCtxPushCurrent_v2(b));
	OK(cuCtxDestroy_v2(b));                  /* current: it is popped */
	OK(cuCtxGetCurrent(&got));
	TRUE(got == a);
	OK(cuCtxDestroy_v2(a));
	OK(cuCtxGetCurrent(&got));
	TRUE(got == base);
	OK(cuCtxSetCurrent(NULL));
	IS(cuCtxPopCurrent_v2(&got), CUDA_ERROR_INVALID_CONTEXT);
	CUdeviceptr p;
	IS(cuMemAlloc_v2(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

static void *uses_nothing(void *p)
{
	CUcontext got = p;
	OK(cuCtxGetCurrent(&got));
	TRUE(!got);
	return NULL;
}

static void a_new_thread_has_no_context(void)
{
	pthread_t t;
	pthread_create(&t, NULL, uses_nothing, &failures);
	pthread_join(t, NULL);
}

static void the_primary_context_lives_while_it_is_retained(void)
{
	CUcontext first, again, got;
	unsigned flags;
	int active;
	OK(cuCtxGetCurrent(&first));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	IS(active, 1);
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	TRUE(again == first);
	OK(cuDevicePrimaryCtxRelease_v2(0));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	IS(active, 1);
	OK(cuDevicePrimaryCtxRelease_v2(0));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	IS(active, 0);
	IS(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	OK(cuDevicePrimaryCtxReset_v2(0));       /* ends it, and is no release */
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	IS(active, 0);
	OK(cuDevicePrimaryCtxRelease_v2(0));
	IS(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuCtxGetCurrent(&got));
	CUdeviceptr p;
	IS(cuMemAlloc_v2(&p, 16), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	OK(cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_YIELD));
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	OK(cuCtxSetCurrent(again));
	OK(cuCtxGetFlags(&flags));
	IS(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_YIELD);
	IS(cuCtxDestroy_v2(again), CUDA_ERROR_INVALID_CONTEXT);
}

static void limits_are_kept(void)
{
	size_t n;
	OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
	OK(cuCtxGetLimit(&n, CU_LIMIT_STACK_SIZE));
	IS(n, 4096);
	IS(cuCtxGetLimit(&n, CU_LIMIT_MAX), CUDA_ERROR_INVALID_VALUE);
}

static CUfunction function(CUmodule *m, const char *name)
{
	CUfunction f = NULL;
	OK(cuModuleLoadData(m, kernels));
	OK(cuModuleGetFunction(&f, *m, name));
	return f;
}

/* A fault breaks the context for good, and only its end mends it. */
static void breaks(const char *name, void **params, CUresult wanted)
{
	CUmodule m;
	CUfunction f = function(&m, name);
	CUdeviceptr p;
	CUcontext ctx;
	CUstream s;
	char byte;
	OK(cuMemAlloc_v2(&p, 16));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	IS(cuCtxSynchronize(), wanted);
	IS(cuCtxSynchronize(), wanted);
	IS(cuMemcpyDtoH_v2(&byte, p, 1), wanted);
	IS(cuMemAlloc_v2(&p, 16), wanted);
	IS(cuStreamSynchronize(s), wanted);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), wanted);
	if (!on_softgpu())     /* elsewhere nothing but a new process helps */
		exit(failures != 0);
	OK(cuDevicePrimaryCtxReset_v2(0));
	OK(cuDevicePrimaryCtxRetain(&ctx, 0));
	OK(cuDevicePrimaryCtxRelease_v2(0));
	OK(cuCtxSetCurrent(ctx));
	OK(cuMemAlloc_v2(&p, 16));
	OK(cuMemsetD8_v2(p, 1, 16));
	OK(cuMemcpyDtoH_v2(&byte, p, 1));
	IS(byte, 1);
}

static void a_wild_store_breaks_the_context(void)
{
	CUdeviceptr wild = 0x10;
	breaks("store", (void *[]){ &wild }, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void a_misaligned_store_breaks_the_context(void)
{
	CUdeviceptr p;
	OK(cuMemAlloc_v2(&p, 16));
	p += 2;
	breaks("store", (void *[]){ &p }, CUDA_ERROR_MISALIGNED_ADDRESS);
}

static void a_trap_breaks_the_context(void)
{
	breaks("stop", NULL, CUDA_ERROR_LAUNCH_FAILED);
}

static void a_store_to_freed_memory_breaks_the_context(void)
{
	CUdeviceptr p;
	if (!on_softgpu())     /* elsewhere the page may still be mapped */
		return;
	OK(cuMemAlloc_v2(&p, 4096));
	OK(cuMemFree_v2(p));
	p += 1 << 20;
	breaks("store", (void *[]){ &p }, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void another_context_goes_on_after_a_fault(void)
{
	CUcontext broken, fine;
	CUmodule m;
	CUdeviceptr wild = 0x10, p;
	unsigned v = 0;
	if (!on_softgpu())     /* elsewhere the device fails for the whole process */
		return;
	OK(cuCtxGetCurrent(&broken));
	CUfunction f = function(&m, "store");
	OK(cuCtxCreate_v2(&fine, 0, 0));
	OK(cuCtxSetCurrent(broken));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &wild }, NULL));
	IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
	OK(cuCtxSetCurrent(fine));
	f = function(&m, "store");
	OK(cuMemAlloc_v2(&p, 16));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &p }, NULL));
	OK(cuMemcpyDtoH_v2(&v, p, 4));
	IS(v, 42);
	OK(cuCtxDestroy_v2(fine));
}

static void told(CUstream s, CUresult status, void *p)
{
	(void)s;
	*(CUresult *)p = status;
}

static void after_a_fault_callbacks_hear_of_it(void)
{
	CUmodule m;
	CUdeviceptr wild = 0x10;
	CUfunction f = function(&m, "store");
	CUresult status = CUDA_SUCCESS;
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &wild }, NULL));
	CUresult r = cuStreamAddCallback(NULL, told, &status, 0);
	IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
	if (!r)      /* the fault may be known before the callback is queued */
		IS(status, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* An endless kernel, and work queued behind it, go with their context. */
static void a_context_can_be_ended_while_it_works(void)
{
	CUcontext ctx;
	CUmodule m;
	CUstream s;
	CUdeviceptr p;
	if (!on_softgpu())
		return;
	OK(cuCtxCreate_v2(&ctx, 0, 0));
	CUfunction f = function(&m, "forever");
	OK(cuStreamCreate(&s, 0));
	OK(cuMemAlloc_v2(&p, 4096));
	OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, NULL, NULL));
	OK(cuMemsetD32Async(p, 1, 1024, s));
	OK(cuMemsetD32Async(p, 1, 1024, NULL));
	OK(cuCtxDestroy_v2(ctx));
	IS(cuStreamQuery(s), CUDA_ERROR_INVALID_HANDLE);
	IS(cuCtxSetCurrent(ctx), CUDA_ERROR_INVALID_CONTEXT);
}

static void *sees_it_go(void *p)
{
	CUdeviceptr q;
	OK(cuCtxSetCurrent(((CUcontext *)p)[0]));
	sem_post((sem_t *)((void **)p)[1]);
	while (sem_wait((sem_t *)((void **)p)[2]))
		;
	IS(cuMemAlloc_v2(&q, 16), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	IS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	return NULL;
}

static void a_thread_is_told_that_its_context_is_gone(void)
{
	CUcontext ctx;
	sem_t ready, gone;
	pthread_t t;
	if (!on_softgpu())
		return;
	sem_init(&ready, 0, 0);
	sem_init(&gone, 0, 0);
	OK(cuCtxCreate_v2(&ctx, 0, 0));
	void *args[] = { ctx, &ready, &gone };
	pthread_create(&t, NULL, sees_it_go, args);
	sem_wait(&ready);
	OK(cuCtxDestroy_v2(ctx));
	sem_post(&gone);
	pthread_join(t, NULL);
}

static void a_forked_child_is_told_to_keep_away(void)
{
	pid_t child = fork();
	int status = 0;
	if (!child) {
		int n;
		_exit(cuDeviceGetCount(&n) != CUDA_ERROR_NOT_INITIALIZED || cuInit(0) != CUDA_ERROR_NOT_INITIALIZED);
	}
	TRUE(child > 0 && waitpid(child, &status, 0) == child);
	IS(status, 0);
}

static void devices_reach_each_other(void)
{
	int n, can;
	CUcontext mine, other;
	CUdeviceptr p, q;
	unsigned v = 5, w = 0;
	OK(cuDeviceGetCount(&n));
	if (n < 2)
		return;
	OK(cuCtxGetCurrent(&mine));
	OK(cuDeviceCanAccessPeer(&can, 0, 1));
	OK(cuMemAlloc_v2(&p, 4));
	OK(cuCtxCreate_v2(&other, 0, 1));
	OK(cuMemAlloc_v2(&q, 4));
	OK(cuMemcpyHtoD_v2(q, &v, 4));
	OK(cuCtxSetCurrent(mine));
	OK(cuMemcpyPeer(p, mine, q, other, 4));
	OK(cuMemcpyDtoH_v2(&w, p, 4));
	IS(w, 5);
	if (can) {
		CUmodule m;
		CUfunction f = function(&m, "store");
		OK(cuCtxEnablePeerAccess(other, 0));
		IS(cuCtxEnablePeerAccess(other, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
		OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &q }, NULL));
		OK(cuMemcpyDtoH_v2(&w, q, 4));
		IS(w, 42);
		OK(cuCtxDisablePeerAccess(other));
		OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &q }, NULL));
		IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
	}
	OK(cuCtxDestroy_v2(other));
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
#define T(name) { #name, name },
		T(a_device_says_one_thing_everywhere)
		T(contexts_stack_up_a_thread)
		T(a_new_thread_has_no_context)
		T(the_primary_context_lives_while_it_is_retained)
		T(limits_are_kept)
		T(a_wild_store_breaks_the_context)
		T(a_misaligned_store_breaks_the_context)
		T(a_trap_breaks_the_context)
		T(a_store_to_freed_memory_breaks_the_context)
		T(another_context_goes_on_after_a_fault)
		T(after_a_fault_callbacks_hear_of_it)
		T(a_context_can_be_ended_while_it_works)
		T(a_thread_is_told_that_its_context_is_gone)
		T(a_forked_child_is_told_to_keep_away)
		T(devices_reach_each_other)
	};
	return RUN(tests);
}
