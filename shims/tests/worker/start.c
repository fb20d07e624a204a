// SPDX-License-Identifier: Apache-2.0
//
// axon-worker as axond starts it, with a vendor's library: its start, what it
// says, where device memory lands, a module loaded and launched, copies, pinned
// memory, a host function, and its end when the socket hangs up.
//
//   start AXON-WORKER VENDOR-FOLDER
//
// The vendor is softgpu in CI and the real one on a machine with a GPU.
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_calls.h"
#include "fake.h"
#include "hello.h"
#include "name.h"
#include "snapshot.h"
#include "wait.h"

#define LANES 4
#define HEAP_BYTES (64u << 20)

static const char ptx[] =
	".version 7.0\n.target sm_52\n.address_size 64\n"
	".visible .entry axpy(.param .u64 p, .param .u32 n, .param .u32 a)\n{\n"
	"  .reg .pred %q;\n  .reg .b32 %r<8>;\n  .reg .b64 %d<4>;\n"
	"  ld.param.u64 %d0, [p];\n  ld.param.u32 %r0, [n];\n  ld.param.u32 %r1, [a];\n"
	"  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n"
	"  mad.lo.s32 %r5, %r2, %r3, %r4;\n  setp.ge.u32 %q, %r5, %r0;\n  @%q bra done;\n"
	"  cvta.to.global.u64 %d1, %d0;\n  mul.wide.u32 %d2, %r5, 4;\n  add.s64 %d3, %d1, %d2;\n"
	"  ld.global.u32 %r6, [%d3];\n  mad.lo.s32 %r7, %r6, %r1, %r5;\n  st.global.u32 [%d3], %r7;\n"
	"done:\n  ret;\n}\n";

struct worker {
	pid_t pid;
	int control, memfd;
	struct axw_session client; // only what fake_* uses: the region and its header
	struct { uint32_t status, init, text_bytes; char text[600]; } said;
};

static int region_new(struct axr_header **header, uint8_t **region)
{
	static const uint8_t fingerprint[16] = AXG_FINGERPRINT;
	uint64_t heap_offset = AXR_LANES_OFFSET + (uint64_t)LANES * AXR_LANE_SIZE, size = heap_offset + HEAP_BYTES;
	int fd = memfd_create("region", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	EXPECT(fd >= 0 && ftruncate(fd, (off_t)size) == 0, "no memfd: %s", strerror(errno));
	EXPECT(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0, "no seals");
	*region = mmap(NULL, heap_offset, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	EXPECT(*region != MAP_FAILED, "no mapping");
	struct axr_header *h = *header = (struct axr_header *)*region;
	h->magic = AXR_MAGIC;
	h->version = AXR_VERSION;
	memcpy(h->fingerprint, fingerprint, sizeof fingerprint);
	h->lanes = LANES;
	h->size = size;
	h->heap_offset = heap_offset;
	h->heap_size = HEAP_BYTES;
	h->heap_base = AXR_HEAP_BASE;
	h->device_base = AXR_DEVICE_BASE;
	h->device_size = AXR_DEVICE_SIZE;
	return fd;
}

// Starts a worker on a region that spoil() may have changed, and waits for what it says.
static struct worker worker_start(const char *program, const char *vendor, void (*spoil)(struct axr_header *h))
{
	struct worker w;
	int pair[2];

	memset(&w, 0, sizeof w);
	w.memfd = region_new(&w.client.header, &w.client.region);
	w.client.lanes = LANES;
	if (spoil)
		spoil(w.client.header);
	EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, "no sockets");
	w.pid = fork();
	EXPECT(w.pid >= 0, "no process");
	if (w.pid == 0) {
		int region = fcntl(w.memfd, F_DUPFD, 10), control = fcntl(pair[1], F_DUPFD, 10);
		if (region < 0 || control < 0 || dup2(region, 3) < 0 || dup2(control, 4) < 0)
			_exit(3);
		close(region);
		close(control);
		execl(program, program, "--library", "cuda", "--vendor", vendor, "--session", "7", (char *)NULL);
		_exit(4);
	}
	close(pair[1]);
	w.control = pair[0];
	ssize_t n = recv(w.control, &w.said, sizeof w.said - 1, 0);
	EXPECT(n >= 12, "the worker said nothing (%zd)", n);
	return w;
}

static int worker_end(struct worker *w)
{
	int status;
	close(w->control);
	EXPECT(waitpid(w->pid, &status, 0) == w->pid, "no status");
	munmap(w->client.region, AXR_LANES_OFFSET + (size_t)LANES * AXR_LANE_SIZE);
	close(w->memfd);
	return status;
}

static void wrong_version(struct axr_header *h) { h->version++; }
static void wrong_fingerprint(struct axr_header *h) { h->fingerprint[3] ^= 1; }
static void too_many_lanes(struct axr_header *h) { h->lanes = 900; }

static void bad_regions_are_refused_by_name(const char *program, const char *vendor)
{
	static const struct { void (*spoil)(struct axr_header *); uint32_t status; const char *vendor; } cases[] = {
		{ wrong_version, 2, NULL }, { wrong_fingerprint, 2, NULL }, { too_many_lanes, 3, NULL }, { NULL, 4, "/nowhere" } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct worker w = worker_start(program, cases[i].vendor ? cases[i].vendor : vendor, cases[i].spoil);
		EXPECT(w.said.status == cases[i].status && w.said.text_bytes > 10, "case %zu: status %u", i, w.said.status);
		int status = worker_end(&w);
		EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 1, "case %zu: ended with 0x%x", i, status);
	}
}

static const void *call(struct fake_client *c, uint64_t context, unsigned number, const void *fixed, uint32_t fixed_size, const void *data,
			uint32_t data_size, uint32_t expect, const char *what)
{
	fake_send(c, AXR_WAIT, number, context, fixed, fixed_size, data, data_size);
	struct fake_answer r = fake_reply(c);
	EXPECT(r.result == expect, "%s: result %u, not %u", what, r.result, expect);
	return r.bytes;
}

// Does the upcalls until `n` were done.
static void upcalls_serve(struct axw_session *s, uint32_t n, uint64_t function, uint64_t argument)
{
	for (uint32_t i = 0; i < n; i++) {
		fake_until_not(&s->header->upcall_tail, i, "an upcall");
		struct axr_upcall *u = axr_upcall_at(s->region, i);
		EXPECT(u->kind == AXR_UP_CALL && u->a == function && u->b == argument, "another upcall came: kind %u", u->kind);
		atomic_store(&u->state, 2);
		axr_futex_wake(&u->state);
	}
}

static void mirrored(struct axr_header *h) { h->flags |= AXR_FLAG_MIRRORED; }

// Pinned memory that is a copy on this side: a copy's bytes are asked for when its stream gets there, and sent on
// when it has written them.
static void mirrored_memory_is_fetched_and_pushed(const char *program, const char *vendor)
{
	struct worker w = worker_start(program, vendor, mirrored);
	EXPECT(w.said.status == 0 && w.said.init == 0, "the worker is not ready");
	struct fake_client c = fake_open(&w.client, 0);
	uint8_t *heap = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, w.memfd, (off_t)w.client.header->heap_offset);
	EXPECT(heap != MAP_FAILED, "no mapping of the heap");
	uint64_t context = axr_name(AXH_CUcontext, 0, 0, 1), device;
	struct ax_in_cuDevicePrimaryCtxRetain retain = { .pctx = context };
	call(&c, 0, AX_cuDevicePrimaryCtxRetain, &retain, sizeof retain, NULL, 0, 0, "cuDevicePrimaryCtxRetain");
	struct ax_in_cuMemAlloc_v2 alloc = { .bytesize = 65536 };
	memcpy(&device, call(&c, context, AX_cuMemAlloc_v2, &alloc, sizeof alloc, NULL, 0, 0, "cuMemAlloc"), 8);
	struct ax_in_axHostRegister reg = { .address = AXR_HEAP_BASE, .size = 1 << 16 };
	call(&c, context, AX_axHostRegister, &reg, sizeof reg, NULL, 0, 0, "axHostRegister");

	struct ax_in_cuMemcpyHtoDAsync_v2 up = { .dstDevice = device, .srcHost = AXR_HEAP_BASE, .ByteCount = 8 };
	struct ax_in_cuMemcpyDtoHAsync_v2 down = { .srcDevice = device, .dstHost = AXR_HEAP_BASE + 4096, .ByteCount = 8 };
	fake_send(&c, AXR_POST, AX_cuMemcpyHtoDAsync_v2, context, &up, sizeof up, NULL, 0);
	fake_send(&c, AXR_POST, AX_cuMemcpyDtoHAsync_v2, context, &down, sizeof down, NULL, 0);
	static const struct { uint32_t kind; uint64_t at; } expected[] = { { AXR_UP_FETCH, AXR_HEAP_BASE }, { AXR_UP_PUSH, AXR_HEAP_BASE + 4096 } };
	for (uint32_t i = 0; i < 2; i++) {
		fake_until_not(&w.client.header->upcall_tail, i, "an upcall");
		struct axr_upcall *u = axr_upcall_at(w.client.region, i);
		EXPECT(u->kind == expected[i].kind && u->a == expected[i].at && u->b == 8, "upcall %u: kind %u at 0x%llx", i, u->kind,
		       (unsigned long long)u->a);
		if (u->kind == AXR_UP_FETCH)
			memcpy(heap, "far away", 8); // a relay brings them just in time
		else
			EXPECT(memcmp(heap + 4096, "far away", 8) == 0, "pushed before it was written, or fetched too late");
		atomic_store(&u->state, 2);
		axr_futex_wake(&u->state);
	}
	struct ax_in_cuStreamSynchronize sync = { .hStream = 0 };
	call(&c, context, AX_cuStreamSynchronize, &sync, sizeof sync, NULL, 0, 0, "cuStreamSynchronize");
	munmap(heap, HEAP_BYTES);
	worker_end(&w);
}

static void pass(const struct worker *w, uint64_t number, int fd)
{
	struct axon_descriptor m = { .magic = AXR_MAGIC, .number = number };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec io = { &m, sizeof m };
	struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control };
	memset(&control, 0, sizeof control);
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof fd);
	EXPECT(sendmsg(w->control, &message, 0) == (ssize_t)sizeof m, "no way for a descriptor");
}

// A memfd of so many bytes, PTX first and `last` at its end, with such seals.
static int image_file(size_t bytes, uint8_t last, unsigned seals)
{
	int fd = memfd_create("image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	EXPECT(fd >= 0 && ftruncate(fd, (off_t)bytes) == 0 && pwrite(fd, ptx, sizeof ptx, 0) == (ssize_t)sizeof ptx &&
	       pwrite(fd, &last, 1, (off_t)bytes - 1) == 1 && (!seals || fcntl(fd, F_ADD_SEALS, seals) == 0), "no file");
	return fd;
}

// What may still change, or is shorter than it says, is never read from.
static void images_come_as_sealed_files(struct worker *w, struct fake_client *c, uint64_t context)
{
	const unsigned sealed = F_SEAL_WRITE | F_SEAL_SHRINK;
	const size_t size = 100000, whole = size + 64;
	int ends[2];
	EXPECT(pipe2(ends, O_CLOEXEC) == 0, "no pipe");
	const struct { int fd; uint64_t total; uint32_t result; const char *what; } cases[] = {
		{ image_file(whole, 0, 0), size, CUDA_ERROR_INVALID_VALUE, "an image that is not sealed" },
		{ image_file(whole, 0, F_SEAL_SHRINK | F_SEAL_GROW), size, CUDA_ERROR_INVALID_VALUE, "one that can be written to" },
		{ image_file(whole, 0, F_SEAL_WRITE | F_SEAL_GROW), size, CUDA_ERROR_INVALID_VALUE, "one that can be cut off" },
		{ image_file(whole, 0, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE), size, CUDA_ERROR_INVALID_VALUE, "one that an older mapping can write to" },
		{ image_file(whole - 1, 0, sealed), size, CUDA_ERROR_INVALID_VALUE, "one without all its zeros" },
		{ image_file(whole, 1, sealed), size, CUDA_ERROR_INVALID_VALUE, "one with something else behind it" },
		{ image_file(whole, 0, sealed), UINT64_MAX - 32, CUDA_ERROR_INVALID_VALUE, "one that says it is longer than there are numbers" },
		{ image_file(whole, 0, sealed), 1ull << 40, CUDA_ERROR_INVALID_VALUE, "one that says it is long" },
		{ image_file(whole, 0, sealed), 0, CUDA_ERROR_INVALID_VALUE, "one of nothing" },
		{ ends[0], size, CUDA_ERROR_INVALID_VALUE, "a pipe" },
		{ open("/proc/self/exe", O_RDONLY | O_CLOEXEC), 4096, CUDA_ERROR_INVALID_VALUE, "a file" },
		{ image_file(whole, 0, sealed), size, CUDA_SUCCESS, "one that is sealed" },
		{ image_file(whole, 0, sealed), size, CUDA_ERROR_OUT_OF_MEMORY, "another of the same number" },
	};
	struct ax_out_axModuleLoad module;
	struct ax_in_axModuleLoad load = { .image = 77 };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ax_in_axImageFile file = { .image = 77, .number = 1000 + i, .total = cases[i].total };
		pass(w, 1000 + i, cases[i].fd);
		call(c, context, AX_axImageFile, &file, sizeof file, NULL, 0, cases[i].result, cases[i].what);
		if (cases[i].result == CUDA_ERROR_INVALID_VALUE)
			call(c, context, AX_axModuleLoad, &load, sizeof load, NULL, 0, CUDA_ERROR_INVALID_VALUE, "a load of it");
		close(cases[i].fd);
	}
	close(ends[1]);
	memcpy(&module, call(c, context, AX_axModuleLoad, &load, sizeof load, NULL, 0, 0, "a load of the sealed one"), sizeof module);
	struct ax_in_axImageDrop drop = { .image = 77 };
	fake_send(c, AXR_POST, AX_axImageDrop, context, &drop, sizeof drop, NULL, 0);
	call(c, context, AX_axModuleLoad, &load, sizeof load, NULL, 0, CUDA_ERROR_INVALID_VALUE, "a load after it was dropped");
}

// A file that the client shares is mapped where the client says, if it is memory and there is room; what is in its descriptor is anybody's guess.
static void files_are_shown_where_nothing_else_is(struct worker *w, struct fake_client *c, uint64_t context)
{
	const uint64_t at = 0x7e0000000000, size = 1 << 20, edge = AXR_HEAP_BASE - (1 << 16);
	const uint64_t device = ((struct axr_header *)w->client.region)->device_base;
	int ends[2];
	EXPECT(pipe2(ends, O_CLOEXEC) == 0, "no pipe");
	const struct { int fd; uint64_t address, size, offset; uint32_t writable, result; const char *what; } cases[] = {
		{ image_file(size, 0, 0), at + 1, size, 0, 1, CUDA_ERROR_INVALID_VALUE, "a file at no page's edge" },
		{ image_file(size, 0, 0), at, size - 1, 0, 1, CUDA_ERROR_INVALID_VALUE, "a part of a page" },
		{ image_file(size, 0, 0), at, 1 << 16, 1, 1, CUDA_ERROR_INVALID_VALUE, "a file from no page's edge" },
		{ image_file(size, 0, 0), at, 0, 0, 1, CUDA_ERROR_INVALID_VALUE, "nothing of a file" },
		{ image_file(size, 0, 0), at, size, 1 << 16, 1, CUDA_ERROR_INVALID_VALUE, "more than there is of a file" },
		{ image_file(size, 0, 0), at, 1 << 16, ~(uint64_t)0xffff, 1, CUDA_ERROR_INVALID_VALUE, "a file from the end of all numbers" },
		{ image_file(size, 0, 0), 1ull << 47, size, 0, 1, CUDA_ERROR_INVALID_VALUE, "a file where the kernel is" },
		{ image_file(size, 0, 0), at, size, 0, 2, CUDA_ERROR_INVALID_VALUE, "a file that is more than writable" },
		{ image_file(size, 0, 0), edge, size, 0, 1, CUDA_ERROR_INVALID_VALUE, "a file over the heap" },
		{ image_file(size, 0, 0), device, size, 0, 1, CUDA_ERROR_INVALID_VALUE, "a file where device memory goes" },
		{ ends[0], at, 1 << 16, 0, 0, CUDA_ERROR_NOT_SUPPORTED, "a pipe" },
		{ open("/dev/zero", O_RDWR | O_CLOEXEC), at, 1 << 16, 0, 1, CUDA_ERROR_NOT_SUPPORTED, "a device" },
		{ open("/proc/self/maps", O_RDONLY | O_CLOEXEC), at, 1 << 16, 0, 0, CUDA_ERROR_NOT_SUPPORTED, "a file of /proc" },
		{ open("/dev", O_RDONLY | O_CLOEXEC), at, 1 << 16, 0, 0, CUDA_ERROR_NOT_SUPPORTED, "a folder" },
		{ image_file(size, 0, F_SEAL_WRITE), at, size, 0, 1, CUDA_ERROR_NOT_SUPPORTED, "a sealed file, to write to" },
		{ image_file(size, 0, F_SEAL_WRITE), at, size, 0, 0, CUDA_SUCCESS, "a sealed file, to read from" },
		{ image_file(size, 0, 0), at + size, size, 0, 1, CUDA_SUCCESS, "a file" },
		{ image_file(size, 0, 0), at + size, 1 << 16, 0, 1, CUDA_ERROR_NOT_SUPPORTED, "a file where one is already" },
		{ image_file(size - 100, 0, 0), at + 2 * size, size, 0, 1, CUDA_SUCCESS, "a file whose last page is not whole" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ax_in_axHostShare in = { .address = cases[i].address, .size = cases[i].size, .offset = cases[i].offset,
						.number = 2000 + i, .writable = cases[i].writable };
		EXPECT(cases[i].fd >= 0, "no descriptor for %s", cases[i].what);
		if (cases[i].result != CUDA_ERROR_INVALID_VALUE || cases[i].offset) // the others are not waited for
			pass(w, 2000 + i, cases[i].fd);
		call(c, context, AX_axHostShare, &in, sizeof in, NULL, 0, cases[i].result, cases[i].what);
		close(cases[i].fd);
	}
	close(ends[1]);
	struct ax_in_axHostRegister reg = { .address = at + size + 100, .size = 2 * size - 200 };
	call(c, context, AX_axHostRegister, &reg, sizeof reg, NULL, 0, 0, "registering from one file into the next");
	struct ax_in_axHostUnregister un = { .address = at + size + 100 };
	call(c, context, AX_axHostUnregister, &un, sizeof un, NULL, 0, 0, "the end of that");
	for (unsigned i = 0; i < 3; i++) {
		struct ax_in_axHostUnmap unmap = { .address = at + i * size };
		call(c, context, AX_axHostUnmap, &unmap, sizeof unmap, NULL, 0, 0, "the end of a file");
		call(c, context, AX_axHostUnmap, &unmap, sizeof unmap, NULL, 0, CUDA_ERROR_INVALID_VALUE, "the end of one that has ended");
	}
	call(c, context, AX_axHostRegister, &reg, sizeof reg, NULL, 0, CUDA_ERROR_INVALID_VALUE, "registering what is there no longer");
}

int main(int argc, char **argv)
{
	enum { N = 100000 };
	static uint32_t values[N];

	EXPECT(argc == 3, "usage: start AXON-WORKER VENDOR-FOLDER");
	signal(SIGPIPE, SIG_IGN);
	bad_regions_are_refused_by_name(argv[1], argv[2]);
	mirrored_memory_is_fetched_and_pushed(argv[1], argv[2]);

	uint64_t t0 = axr_now_ns();
	struct worker w = worker_start(argv[1], argv[2], NULL);
	EXPECT(w.said.status == 0, "the worker is not ready: %.*s", (int)w.said.text_bytes, w.said.text);
	EXPECT(w.said.init == 0, "cuInit gave %u", w.said.init);
	EXPECT(atomic_load(&w.client.header->state) == AXR_READY, "the region's state is not ready");
	const struct axon_snapshot *snap = (const struct axon_snapshot *)(w.client.region + AXR_SNAPSHOT_OFFSET);
	EXPECT(snap->device_count > 0 && snap->device[0].name[0] && snap->device[0].total_memory, "the snapshot has no device");
	printf("ready after %.1f ms: %s, driver %d\n", (double)(axr_now_ns() - t0) / 1e6, snap->device[0].name, snap->driver_version);

	struct fake_client c = fake_open(&w.client, 0);
	call(&c, 0, AX_axNull, NULL, 0, NULL, 0, 0, "axNull");
	uint64_t context = axr_name(AXH_CUcontext, 0, 0, 1), stream = axr_name(AXH_CUstream, 0, 0, 1);
	struct ax_in_cuDevicePrimaryCtxRetain retain = { .pctx = context };
	call(&c, 0, AX_cuDevicePrimaryCtxRetain, &retain, sizeof retain, NULL, 0, 0, "cuDevicePrimaryCtxRetain");

	// Memory of all sizes lands in the window.
	struct ax_in_cuMemAlloc_v2 alloc;
	uint64_t device = 0;
	for (uint64_t size = 256; size <= 1ull << 30; size *= 4) {
		memset(&alloc, 0, sizeof alloc);
		alloc.bytesize = size;
		memcpy(&device, call(&c, context, AX_cuMemAlloc_v2, &alloc, sizeof alloc, NULL, 0, 0, "cuMemAlloc"), 8);
		printf("cuMemAlloc of %llu bytes: 0x%llx\n", (unsigned long long)size, (unsigned long long)device);
		EXPECT(device >= AXR_DEVICE_BASE && device - AXR_DEVICE_BASE < AXR_DEVICE_SIZE, "it is outside the device window");
		if (size == 1ull << 30)
			break;
		struct ax_in_cuMemFree_v2 release = { .dptr = device };
		call(&c, context, AX_cuMemFree_v2, &release, sizeof release, NULL, 0, 0, "cuMemFree");
	}

	images_come_as_sealed_files(&w, &c, context);
	files_are_shown_where_nothing_else_is(&w, &c, context);

	// A module from PTX, its function, its layout.
	struct ax_in_axImagePart part = { .image = 1, .total = sizeof ptx, .n = sizeof ptx };
	call(&c, context, AX_axImagePart, &part, sizeof part, ptx, sizeof ptx, 0, "axImagePart");
	struct ax_in_axModuleLoad load = { .image = 1 };
	struct ax_out_axModuleLoad module;
	memcpy(&module, call(&c, context, AX_axModuleLoad, &load, sizeof load, NULL, 0, 0, "axModuleLoad"), sizeof module);
	struct ax_in_cuModuleGetFunction get = { .hmod = module.module, .len_name = 5 };
	uint64_t function;
	memcpy(&function, call(&c, context, AX_cuModuleGetFunction, &get, sizeof get, "axpy", 5, 0, "cuModuleGetFunction"), 8);
	struct ax_in_axFunctionInfo ask = { .function = function, .room = 8 };
	const uint8_t *answer = call(&c, context, AX_axFunctionInfo, &ask, sizeof ask, NULL, 0, 0, "axFunctionInfo");
	struct ax_out_axFunctionInfo info;
	struct axParameter parameter[3];
	memcpy(&info, answer, sizeof info);
	memcpy(parameter, answer + sizeof info + 64, sizeof parameter);
	EXPECT(info.count == 3 && parameter[0].size == 8 && parameter[1].offset == 8 && parameter[2].offset == 12, "the layout is wrong");
	EXPECT(info.known & 1, "the most threads of a block are not known");

	// Pageable bytes up, a launch, pageable bytes down: on a stream that the client named.
	struct ax_in_cuStreamCreate create = { .phStream = stream, .Flags = 1 };
	fake_send(&c, AXR_POST, AX_cuStreamCreate, context, &create, sizeof create, NULL, 0);
	for (uint32_t i = 0; i < N; i++)
		values[i] = i;
	memcpy((uint8_t *)c.lane + AXR_BULK_OFFSET, values, sizeof values);
	struct ax_in_cuMemcpyHtoDAsync_v2 up = { .dstDevice = device, .ByteCount = sizeof values, .hStream = stream };
	struct axr_frame head = { .kind = AXR_POST, .call = AX_cuMemcpyHtoDAsync_v2, .context = context, .fixed = sizeof up,
				  .data = sizeof values, .bulk_in = sizeof values };
	head.ticket = atomic_fetch_add(&w.client.header->ticket, 1) + 1;
	fake_send_header(&c, head, &up, NULL);
	struct ax_in_axLaunch launch = { .function = function, .stream = stream, .gridX = (N + 255) / 256, .gridY = 1, .gridZ = 1,
					 .blockX = 256, .blockY = 1, .blockZ = 1, .paramBytes = 16 };
	uint32_t params[4] = { (uint32_t)device, (uint32_t)(device >> 32), N, 3 };
	fake_send(&c, AXR_POST, AX_axLaunch, context, &launch, sizeof launch, params, sizeof params);
	struct ax_in_cuMemcpyDtoHAsync_v2 down = { .srcDevice = device, .ByteCount = sizeof values, .hStream = stream };
	head = (struct axr_frame){ .kind = AXR_WAIT, .call = AX_cuMemcpyDtoHAsync_v2, .context = context, .fixed = sizeof down,
				   .ticket = atomic_load(&w.client.header->ticket), .bulk = 1 << 20, .bulk_out = sizeof values };
	fake_send_header(&c, head, &down, NULL);
	EXPECT(fake_reply(&c).result == 0, "the copy down: %u", fake_reply(&c).result);
	memcpy(values, (uint8_t *)c.lane + AXR_BULK_OFFSET + (1 << 20), sizeof values);
	for (uint32_t i = 0; i < N; i++)
		EXPECT(values[i] == 4 * i, "value %u is %u", i, values[i]);
	// Few bytes come in the reply itself.
	down.ByteCount = 400;
	answer = call(&c, context, AX_cuMemcpyDtoHAsync_v2, &down, sizeof down, NULL, 0, 0, "cuMemcpyDtoHAsync");
	EXPECT(memcmp(answer, values, 400) == 0, "other bytes came in the reply");

	// Pinned memory: written by the device, read by us, no copy on the way.
	uint8_t *heap = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, w.memfd, (off_t)w.client.header->heap_offset);
	EXPECT(heap != MAP_FAILED, "no mapping of the heap");
	struct ax_in_axHostRegister reg = { .address = AXR_HEAP_BASE, .size = 1 << 20 };
	call(&c, context, AX_axHostRegister, &reg, sizeof reg, NULL, 0, 0, "axHostRegister");
	down = (struct ax_in_cuMemcpyDtoHAsync_v2){ .dstHost = AXR_HEAP_BASE + 4096, .srcDevice = device, .ByteCount = sizeof values, .hStream = stream };
	call(&c, context, AX_cuMemcpyDtoHAsync_v2, &down, sizeof down, NULL, 0, 0, "cuMemcpyDtoHAsync to pinned memory");
	struct ax_in_cuStreamSynchronize sync = { .hStream = stream };
	call(&c, context, AX_cuStreamSynchronize, &sync, sizeof sync, NULL, 0, 0, "cuStreamSynchronize");
	EXPECT(memcmp(heap + 4096, values, sizeof values) == 0, "pinned memory has other bytes");
	down.dstHost = AXR_HEAP_BASE + HEAP_BYTES - 4096;
	call(&c, context, AX_cuMemcpyDtoHAsync_v2, &down, sizeof down, NULL, 0, CUDA_ERROR_INVALID_VALUE, "a copy beyond the heap");
	struct ax_in_axHostUnregister unreg = { .address = AXR_HEAP_BASE };
	call(&c, context, AX_axHostUnregister, &unreg, sizeof unreg, NULL, 0, 0, "axHostUnregister");

	// A host function, in stream order.
	struct ax_in_cuLaunchHostFunc host = { .hStream = stream, .fn = 0x1234, .userData = 0x5678 };
	fake_send(&c, AXR_POST, AX_cuLaunchHostFunc, context, &host, sizeof host, NULL, 0);
	fake_send(&c, AXR_WAIT, AX_cuStreamSynchronize, context, &sync, sizeof sync, NULL, 0);
	upcalls_serve(&w.client, 1, 0x1234, 0x5678);
	EXPECT(fake_reply(&c).result == 0, "the stream did not end well");

	// A dead stream is an error of the call, in the next one that waits.
	struct ax_in_cuStreamDestroy_v2 destroy = { .hStream = stream };
	fake_send(&c, AXR_POST, AX_cuStreamDestroy_v2, context, &destroy, sizeof destroy, NULL, 0);
	call(&c, context, AX_cuStreamSynchronize, &sync, sizeof sync, NULL, 0, CUDA_ERROR_INVALID_HANDLE, "a dead stream");

	t0 = axr_now_ns();
	for (int i = 0; i < 2000; i++)
		call(&c, context, AX_axNull, NULL, 0, NULL, 0, 0, "axNull");
	printf("axNull: %.2f us\n", (double)(axr_now_ns() - t0) / 2000e3);
	int status = worker_end(&w);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the worker ended with 0x%x at hang-up", status);
	return 0;
}
