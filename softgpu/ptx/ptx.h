/* SPDX-License-Identifier: Apache-2.0
 *
 * The software GPU's processor: loads modules written in PTX text and runs their kernels on the CPU.
 *
 * A module is loaded once and may be launched from any number of OS threads at a time. Loading refuses what cannot be
 * run: a module that loads holds no instruction that is missing here.
 *
 * How a driver uses it:
 *   1. ptx_load() the text.
 *   2. For each variable (ptx_variable_count, ptx_variable_at): allocate device memory, ptx_bind() its address.
 *   3. ptx_initialise() once: writes the initial values through those addresses. Only then may kernels run.
 *   4. ptx_run() a launch, as often as wanted. It blocks until the grid has ended or has met a fault.
 *
 * Addresses. A global address is a host address: the driver answers through `find` what a kernel may touch. The other
 * state spaces appear to generic addressing as windows above anything that a host can map (see PTX_*_WINDOW), each of
 * PTX_WINDOW_SIZE bytes; within ld.shared, ld.local and so on an address is an offset in its window. Constant variables
 * live in global memory.
 *
 * Time. A cycle of %clock and %clock64 is a nanosecond (a clock rate of 1 GHz); %globaltimer is the host's real time.
 */
#ifndef AXON_SOFTGPU_PTX_H
#define AXON_SOFTGPU_PTX_H

#include <stddef.h>
#include <stdint.h>

#define PTX_SHARED_WINDOW UINT64_C(0x0f01000000000000)
#define PTX_LOCAL_WINDOW  UINT64_C(0x0f02000000000000)
#define PTX_PARAM_WINDOW  UINT64_C(0x0f03000000000000)
#define PTX_WINDOW_SIZE   UINT64_C(0x0000000100000000)

struct ptx_module;
struct ptx_function;

/* Text: `len` bytes, or as far as the first NUL. Returns 0, or -1 with the reason in `log` (one line, NUL-terminated,
 * "softgpu: line 12: no instruction 'wgmma...'"; `log` may be NULL). The text is not needed afterwards. */
int ptx_load(const char *text, size_t len, struct ptx_module **out, char *log, size_t log_size);
void ptx_unload(struct ptx_module *);

/* From the .version and .target lines: 9.0 is 90, sm_75 is 75. */
unsigned ptx_isa_version(const struct ptx_module *);
unsigned ptx_target(const struct ptx_module *);

/* Kernels, in the order of the text. Names live as long as the module. NULL when there is none. */
const struct ptx_function *ptx_entry(const struct ptx_module *, const char *name);
size_t ptx_entry_count(const struct ptx_module *);
const struct ptx_function *ptx_entry_at(const struct ptx_module *, size_t i);
const char *ptx_entry_name(const struct ptx_function *);

/* A kernel's parameters. ptx_param: 0, or -1 when there is no parameter i. ptx_param_bytes: the buffer that holds them
 * all at their offsets. */
size_t ptx_param_count(const struct ptx_function *);
int ptx_param(const struct ptx_function *, size_t i, size_t *offset, size_t *size);
size_t ptx_param_bytes(const struct ptx_function *);

struct ptx_needs {
	size_t static_shared;    /* bytes a block, before dynamic shared memory */
	size_t local;            /* bytes a thread, through every function it can call, one level of recursion */
	size_t constant;         /* bytes of .const variables in the module */
	unsigned registers;      /* 32-bit registers a thread: an estimate, 255 at most */
	unsigned max_threads;    /* product of .maxntid or .reqntid; 0: not given */
	unsigned required[3];    /* .reqntid; zeros: not given */
	unsigned min_blocks;     /* .minnctapersm; 0: not given */
};
void ptx_needs(const struct ptx_function *, struct ptx_needs *);

/* Module variables (.global and .const). */
struct ptx_variable {
	const char *name;
	size_t size, align;      /* align: a power of two. size may be 0 */
	int constant;            /* .const */
	int visible;             /* .visible, .extern, .weak or .common: others can ask for it by name */
	int managed;             /* .attribute(.managed) */
};
size_t ptx_variable_count(const struct ptx_module *);
int ptx_variable_at(const struct ptx_module *, size_t i, struct ptx_variable *);
/* Where variable i lives: a host address, aligned. Before ptx_initialise only. 0, or -1 for a bad index or alignment. */
int ptx_bind(struct ptx_module *, size_t i, uint64_t address);
/* Writes every variable's initial value (zeros where the text gives none) and resolves addresses in code and data.
 * 0, or -1 when a variable is not bound. */
int ptx_initialise(struct ptx_module *);

struct ptx_range {
	uint64_t start, end;     /* [start, end), host addresses, mapped until every launch that may have seen it has ended */
	int writable;
};

/* What a texture or surface object names. Both are the same here: a surface uses the first level only. */
enum { PTX_LEVELS = 16 };
enum ptx_texel { PTX_TEXEL_UINT, PTX_TEXEL_SINT, PTX_TEXEL_FLOAT };
enum ptx_edge { PTX_EDGE_WRAP, PTX_EDGE_CLAMP, PTX_EDGE_MIRROR, PTX_EDGE_BORDER };
struct ptx_image {
	uint64_t base;           /* host address of the first texel */
	uint32_t width, height, depth; /* texels; 1 where there is no such dimension. depth: also layers */
	uint64_t pitch, slice;   /* bytes from a row to the next, from a slice or layer to the next */
};
struct ptx_texture {
	struct ptx_image levels[PTX_LEVELS];
	unsigned level_count;    /* 1 to PTX_LEVELS */
	enum ptx_texel texel;
	unsigned bytes, channels; /* of one channel: 1, 2, 4; 1, 2 or 4 */
	int as_float;            /* integers of 1 or 2 bytes are read as [0, 1] or [-1, 1] */
	int normalised;          /* coordinates go from 0 to 1 */
	int linear, linear_levels; /* filters; else the nearest */
	enum ptx_edge edges[3];
	uint32_t border[4];      /* bits, as they are read */
	float bias, least, most; /* of the level */
};

struct ptx_launch {
	const struct ptx_function *entry;
	const void *params;      /* ptx_param_bytes(entry) bytes, laid out as ptx_param() says; read during ptx_run only */
	uint32_t grid[3], block[3];
	uint32_t dynamic_shared; /* bytes */
	uint32_t stack;          /* bytes of local memory a thread; 0: a default. Never less than the kernel needs */
	uint32_t resident;       /* blocks that make progress at the same time; 0: a default. Cooperative: all of the grid */
	uint32_t sm_count;       /* %nsmid; 0 means 1 */
	uint64_t grid_id;        /* %gridid */
	const uint32_t *envreg;  /* 32 words for %envreg0..31, or NULL: zeros */
	const int *stop;         /* polled (atomically): non-zero ends the launch with PTX_FAULT_STOPPED. May be NULL */
	/* The memory around a global address: 0 with *range filled, or -1 when a kernel may not touch it. Called on the
	 * thread of ptx_run; its answers are kept until the launch ends. */
	int (*find)(void *ctx, uint64_t address, struct ptx_range *range);
	/* The texture (or surface) that a handle names: 0, or -1. Called as `find` is; the answer's memory must be there until
	 * the launch ends. May be NULL: there are none. */
	int (*texture)(void *ctx, uint64_t handle, int surface, struct ptx_texture *texture);
	/* The kernel calls cudaGraphSetConditional. May be NULL: without effect. */
	void (*set_conditional)(void *ctx, uint64_t handle, uint32_t value);
	/* What the kernel prints with vprintf. May be NULL: dropped. */
	void (*print)(void *ctx, const char *bytes, size_t n);
	void *ctx;               /* for those above */
};

enum ptx_fault_kind {
	PTX_FAULT_NONE,
	PTX_FAULT_ILLEGAL_ADDRESS,     /* outside every range, a window's end, a write to read-only memory, no texture */
	PTX_FAULT_MISALIGNED,
	PTX_FAULT_TRAP,                /* trap */
	PTX_FAULT_ASSERT,              /* __assertfail; message says which */
	PTX_FAULT_STACK_OVERFLOW,      /* calls too deep, or local memory used up */
	PTX_FAULT_ILLEGAL_INSTRUCTION, /* a brx.idx past its table, a call to no function, ... */
	PTX_FAULT_DEADLOCK,            /* every thread waits for a barrier that cannot fill */
	PTX_FAULT_STOPPED,             /* *stop was set */
	PTX_FAULT_BAD_LAUNCH,          /* the launch itself: dimensions, shared memory, unbound variables */
	PTX_FAULT_NO_MEMORY,           /* the host's */
};

struct ptx_fault {
	enum ptx_fault_kind kind;
	uint64_t address;              /* of the access, where that is the fault */
	const char *function;          /* lives as long as the module; NULL when the launch never started */
	unsigned line;                 /* of the PTX text */
	uint32_t block[3], thread[3];
	char message[256];             /* one line for a log, NUL-terminated */
};

/* Runs a grid to its end. 0, or -1 with *fault filled (`fault` may be NULL). Up to 1024 threads a block. */
int ptx_run(const struct ptx_launch *, struct ptx_fault *fault);

#endif
