/* SPDX-License-Identifier: Apache-2.0
 *
 * What a loaded module looks like inside: functions as arrays of decoded instructions.
 *
 * Every thread has a stack of register frames (64-bit slots) and a local memory. A slot holds its value zero-extended
 * from the register's width; predicates are 0 or 1; floats are their bits. A source operand is a *reference*: twice an
 * index, plus 1 when the index is into the function's constants rather than the frame. A destination is a plain slot;
 * slot 0 of each frame is the sink that `_` writes to.
 *
 * Guards cost nothing where there are none: "@p add" is a branch around the add.
 */
#ifndef AXON_SOFTGPU_PTX_CODE_H
#define AXON_SOFTGPU_PTX_CODE_H

#include "ptx.h"

/* Function addresses: PTX_CODE_WINDOW + 16 * (1 + index of the function). */
#define PTX_CODE_WINDOW UINT64_C(0x0f04000000000000)

/* Limits that keep a hostile text from taking the machine. */
enum {
	MAX_SLOTS = 1 << 16,            /* registers of one function */
	MAX_LOCAL = 512 << 10,          /* bytes of local memory of one function, as on hardware */
	MAX_SHARED = 1 << 20,           /* bytes of static shared memory */
	MAX_PARAM_BYTES = 32764,        /* of a kernel, as on hardware */
	MAX_SCOPES = 64,                /* nested braces */
	MAX_NAME = 4096,
	MAX_FRAMES = 1 << 16,           /* call depth of a thread */
	MAX_STACK_SLOTS = 1 << 18,      /* registers of all of a thread's frames */
	MAX_THREADS = 1024,
	BARRIERS = 16,
	NOTHING_YET = -1,
};
#define MAX_VARIABLE (UINT64_C(1) << 40)

enum type {
	T_NONE, T_PRED,
	T_B8, T_B16, T_B32, T_B64, T_B128,
	T_U8, T_U16, T_U32, T_U64,
	T_S8, T_S16, T_S32, T_S64,
	T_F16, T_BF16, T_F32, T_F64, T_F16X2, T_BF16X2,
	TYPES
};
unsigned type_size(enum type);   /* bytes; a predicate's is 1 */
int type_is_signed(enum type);
int type_is_float(enum type);

enum space { S_GENERIC, S_GLOBAL, S_CONST, S_SHARED, S_LOCAL, S_PARAM, S_REG };

enum rounding { R_NONE, R_RN, R_RZ, R_RM, R_RP, R_RNA, R_RNI, R_RZI, R_RMI, R_RPI };

enum { F_FTZ = 1, F_SAT = 2, F_APPROX = 4, F_NAN = 8, F_XORSIGN = 16, F_RELU = 32, F_CARRY_IN = 64, F_CARRY_OUT = 128 };

/* A comparison is the set of relations that satisfy it. */
enum { C_LT = 1, C_EQ = 2, C_GT = 4, C_UN = 8 };

enum { B_NONE, B_AND, B_OR, B_XOR };

#define WIDTHS(X, n) X(n##_16) X(n##_32) X(n##_64)
#define INTS(X, n) X(n##_U16) X(n##_U32) X(n##_U64) X(n##_S16) X(n##_S32) X(n##_S64)
#define WIDES(X, n) X(n##_U16) X(n##_U32) X(n##_S16) X(n##_S32)
#define FLOATS(X, n) X(n##_F32) X(n##_F64)

/* The order within a family matters: the decoder adds an index by width or type. */
#define OPS(X) \
	X(NOP) X(MOV) X(SREG) X(LADDR) X(DYNAMIC) X(PACK) X(UNPACK) \
	X(BRA) X(BRT) X(BRF) X(BRX) X(CALL) X(CALLI) X(RET) X(EXIT) X(TRAP) X(PAUSE) \
	WIDTHS(X, ADD) WIDTHS(X, SUB) WIDTHS(X, MUL) WIDTHS(X, MAD) WIDTHS(X, NEG) WIDTHS(X, SHL) \
	X(AND) X(OR) X(XOR) WIDTHS(X, NOT) X(NOTP) \
	INTS(X, DIV) INTS(X, REM) INTS(X, MIN) INTS(X, MAX) INTS(X, SHR) INTS(X, MULHI) INTS(X, SETP) \
	WIDES(X, MULWIDE) WIDES(X, MADWIDE) \
	FLOATS(X, ADD) FLOATS(X, SUB) FLOATS(X, MUL) FLOATS(X, FMA) FLOATS(X, NEG) FLOATS(X, ABS) FLOATS(X, SETP) \
	X(EXT_U) X(EXT_S) X(CVT) X(CVT_F64_F32) X(CVT_F32_F64) X(CVT_F32_S32) X(CVT_F64_S32) \
	X(SELP) X(SETPX) X(SET) X(SLCT) \
	X(CARRY) X(ALU) X(FLOAT) X(PACKCVT) \
	X(LDP) X(LDF) X(STF) \
	X(LDG_32) X(LDG_64) X(STG_32) X(STG_64) X(LDS_32) X(LDS_64) X(STS_32) X(STS_64) X(LD) X(ST) X(COPY) \
	X(ATOM) X(TO_GENERIC) X(FROM_GENERIC) X(ISSPACE) \
	X(BARRIER) X(WARP) X(FENCE) X(TEX) X(SURF) X(TXQ)

enum op {
#define X(n) OP_##n,
	OPS(X)
#undef X
	OPS_COUNT
};

/* What OP_ALU, OP_FLOAT, OP_ATOM, OP_BARRIER, OP_WARP and OP_CARRY do is in `sub`. */
enum alu {
	ALU_MADHI, ALU_ADDSAT, ALU_SUBSAT, ALU_MADSAT, ALU_ABS, ALU_SAD, ALU_MUL24, ALU_MUL24HI, ALU_MAD24, ALU_MAD24HI,
	ALU_MAD24SAT, ALU_POPC, ALU_CLZ, ALU_BREV, ALU_BFIND, ALU_BFIND_SHIFT, ALU_BFE, ALU_BFI, ALU_BMSK_CLAMP,
	ALU_BMSK_WRAP, ALU_SZEXT_CLAMP, ALU_SZEXT_WRAP, ALU_FNS, ALU_SHF_L_CLAMP, ALU_SHF_L_WRAP, ALU_SHF_R_CLAMP,
	ALU_SHF_R_WRAP, ALU_PRMT, ALU_PRMT_F4E, ALU_PRMT_B4E, ALU_PRMT_RC8, ALU_PRMT_ECL, ALU_PRMT_ECR, ALU_PRMT_RC16,
	ALU_LOP3, ALU_DP4A, ALU_DP2A_LO, ALU_DP2A_HI, ALU_CNOT,
};
enum flo {
	FLO_ADD, FLO_SUB, FLO_MUL, FLO_FMA, FLO_DIV, FLO_MIN, FLO_MAX, FLO_NEG, FLO_ABS, FLO_SQRT, FLO_RSQRT, FLO_RCP,
	FLO_SIN, FLO_COS, FLO_LG2, FLO_EX2, FLO_TANH, FLO_COPYSIGN,
	FLO_TESTP_FINITE, FLO_TESTP_INFINITE, FLO_TESTP_NUMBER, FLO_TESTP_NAN, FLO_TESTP_NORMAL, FLO_TESTP_SUBNORMAL,
};
enum atomic {
	ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH, ATOM_INC, ATOM_DEC, ATOM_CAS,
};
enum barrier { BAR_SYNC, BAR_ARRIVE, BAR_POPC, BAR_AND, BAR_OR };
enum warp {
	WARP_BAR, WARP_ACTIVEMASK, WARP_SHFL_UP, WARP_SHFL_DOWN, WARP_SHFL_BFLY, WARP_SHFL_IDX,
	WARP_ALL, WARP_ANY, WARP_UNI, WARP_BALLOT, WARP_MATCH_ANY, WARP_MATCH_ALL, WARP_ELECT,
	WARP_REDUX_ADD, WARP_REDUX_MIN, WARP_REDUX_MAX, WARP_REDUX_AND, WARP_REDUX_OR, WARP_REDUX_XOR,
};
/* Of OP_TEX, OP_SURF: how coordinates are meant. A layer comes before them. */
enum geometry { GEO_1D, GEO_2D, GEO_3D, GEO_A1D, GEO_A2D };
/* In `cmp` of OP_TEX. TEX_GATHER and what follows: of that channel. */
enum tex { TEX_BASE, TEX_LEVEL, TEX_GATHER };
/* In `cmp` of OP_SURF, with `boolop` 1 for a store. */
enum surf { SURF_TRAP, SURF_CLAMP, SURF_ZERO };
enum query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_ARRAY_SIZE, QUERY_LEVELS };
enum carry { CARRY_ADD, CARRY_SUB, CARRY_MADLO, CARRY_MADHI };

enum sreg {
	SR_TID_X, SR_TID_Y, SR_TID_Z, SR_NTID_X, SR_NTID_Y, SR_NTID_Z, SR_CTAID_X, SR_CTAID_Y, SR_CTAID_Z,
	SR_NCTAID_X, SR_NCTAID_Y, SR_NCTAID_Z, SR_ZERO, SR_ONE, SR_LANEID, SR_WARPID, SR_NWARPID, SR_SMID, SR_NSMID, SR_GRIDID,
	SR_CLOCK, SR_CLOCK_HI, SR_CLOCK64, SR_GLOBALTIMER, SR_GLOBALTIMER_LO, SR_GLOBALTIMER_HI,
	SR_LANEMASK_EQ, SR_LANEMASK_LE, SR_LANEMASK_LT, SR_LANEMASK_GE, SR_LANEMASK_GT,
	SR_DYNAMIC_SMEM, SR_TOTAL_SMEM, SR_ENVREG0,
	SR_ENVREG31 = SR_ENVREG0 + 31,
};

struct insn {
	uint16_t op;
	uint8_t sub;         /* enum alu, flo, ... */
	uint8_t type, type2; /* of the result or the access; of the source where it differs */
	uint8_t width;       /* bytes of one element in memory; bits for EXT_* */
	uint8_t n;           /* elements of a vector */
	uint8_t space;
	uint8_t cmp, boolop, rnd, flags;
	uint32_t dst, dst2;
	uint32_t a, b, c, d; /* references; d: an index into `lists` for vectors */
	uint32_t line;
	uint64_t imm;        /* displacement, branch target, mask, lookup table */
};

/* One argument or result of a call, or one formal parameter. */
struct formal {
	const char *name;
	int in_register;     /* declared with .reg */
	uint8_t type;
	uint32_t slot;       /* of the register */
	uint32_t offset;     /* in local memory of the frame, or in a kernel's parameter buffer */
	uint32_t size, align;
};

struct actual {
	uint8_t in_register; /* else in the caller's frame memory */
	uint32_t ref;        /* source reference; for results: slot */
	uint32_t offset, size;
};

/* A call site. With `target` NULL it is indirect. */
struct call {
	struct ptx_function *target;
	uint32_t line;
	uint32_t nresults, nargs;
	struct actual *results, *args;
};

enum builtin { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_ASSERTFAIL, BUILTIN_SET_CONDITIONAL };

struct ptx_function {
	struct ptx_module *module;
	const char *name;
	uint32_t index;              /* in module->functions */
	uint32_t line;
	int entry, defined, external;
	enum builtin builtin;

	struct formal *params, *results;
	uint32_t nparams, nresults;
	uint32_t param_bytes;        /* of a kernel's buffer */

	struct insn *code;           /* ends with EXIT or RET: running off the end is impossible */
	uint32_t ncode;
	uint64_t *constants;
	uint32_t nconstants;
	uint32_t *lists;             /* vectors of slots or references, tables of branch targets */
	uint32_t nlists;
	struct call *calls;
	uint32_t ncalls;
	uint32_t slots;              /* of a frame */
	uint32_t local;              /* bytes of frame memory: .local variables and .param areas */
	uint32_t shared;             /* bytes of shared memory declared in an entry, after the module's own */
	int uses_shared, calls_indirect, has_local;

	unsigned max_threads, required[3], min_blocks, registers;

	/* filled by the linker */
	uint32_t need_slots, need_local, need_shared;
	int mark;
};

/* "The 8 bytes at `where` of this variable (or constant number `where` of this function) are an address." */
struct relocation {
	struct ptx_function *function; /* NULL: in a variable */
	uint32_t variable;
	uint64_t where;
	uint32_t width, shift;         /* its `width` bytes from bit `shift` on */
	int32_t target;                /* a variable; negative: function number ~target */
	int64_t addend;
};

struct variable {
	struct ptx_variable v;
	uint64_t address;
	int bound;
	uint8_t *init;                 /* ninit bytes, then zeros */
	size_t ninit;
};

struct chunk { struct chunk *next; };

struct ptx_module {
	unsigned isa, target;
	struct ptx_function **functions;
	uint32_t nfunctions;
	struct variable *variables;
	uint32_t nvariables;
	struct relocation *relocations;
	uint32_t nrelocations;
	uint32_t shared;               /* bytes: variables of the module and of device functions */
	uint32_t dynamic_align;        /* of .extern .shared */
	int initialised;
	struct chunk *chunks;          /* everything above lives in these */
	size_t allocated;
};

/* Memory that lives as long as the module, zeroed; NULL when there is none. */
void *module_alloc(struct ptx_module *, size_t bytes);

/* Whether a call passes what the function takes. */
int call_fits(const struct call *, const struct ptx_function *);

/* Checks calls against their targets and sums what each kernel needs. 0, or -1 with a reason in log. */
int link_module(struct ptx_module *, char *log, size_t log_size);

/* Reads the text into an empty module. 0, or -1 with a reason in log. */
int parse_module(struct ptx_module *, const char *text, size_t len, char *log, size_t log_size);

#endif
