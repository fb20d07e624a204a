/* SPDX-License-Identifier: Apache-2.0
 *
 * What the decoder's files share: one instruction as it is being read (operand.c), and the handlers that make decoded
 * instructions of it (decode_values.c for what computes, decode_access.c for what touches memory, other threads or the
 * flow of control; decode.c knows which is whose). */
#ifndef AXON_SOFTGPU_PTX_DECODE_H
#define AXON_SOFTGPU_PTX_DECODE_H

#include "parse.h"

enum operand_kind { O_NONE, O_REG, O_IMM, O_FLOAT, O_SREG, O_SYMBOL, O_MEMORY, O_VECTOR, O_NAME, O_SINK };

struct operand {
	enum operand_kind kind;
	enum operand_kind base;  /* of O_MEMORY: O_REG, O_IMM, O_SYMBOL */
	enum type type;          /* of a register */
	uint32_t slot, sreg;
	int32_t symbol;
	uint64_t value;          /* an integer, or the bits of a float */
	int single;
	int64_t offset;
	int negated;
	int has_second;          /* p|q */
	uint32_t second;
	uint32_t first, n;       /* elements of a vector, or coordinates in an address, in `elements` */
	const char *name;
	uint32_t len;
};

enum { MAX_PARTS = 24, MAX_OPERANDS = 10, MAX_ELEMENTS = 16 };

struct decoder {
	struct parser *p;
	uint32_t line;
	const char *text, *end;          /* the mnemonic in the text */
	const char *parts[MAX_PARTS];
	size_t lens[MAX_PARTS];
	int used[MAX_PARTS];
	unsigned nparts;
	struct operand operands[MAX_OPERANDS];
	unsigned n;
	struct operand elements[MAX_ELEMENTS];
	unsigned nelements;
	int guarded, guard_negated;
	uint32_t guard;
};
_Noreturn void unknown(struct decoder *d);
_Noreturn void bad_operand(struct decoder *d, unsigned k);
int take(struct decoder *d, const char *word);
int take_any(struct decoder *d, const char *const *words);
enum type take_type(struct decoder *d);
enum rounding take_rounding(struct decoder *d);
unsigned take_flags(struct decoder *d);
int take_order(struct decoder *d);
enum space take_space(struct decoder *d);
struct insn *emit(struct decoder *d, enum op op);
uint32_t add_constant(struct decoder *d, uint64_t v);
uint64_t mask_to(uint64_t v, unsigned bytes);
uint32_t value_of(struct decoder *d, const struct operand *o, enum type t, unsigned k);
uint32_t source(struct decoder *d, unsigned k, enum type t);
uint32_t target_slot(struct decoder *d, const struct operand *o, int predicate, unsigned k);
uint32_t destination(struct decoder *d, enum type t);
void want(struct decoder *d, unsigned n);
struct insn *simple(struct decoder *d, enum op op, enum type result, enum type t, unsigned sources);
uint32_t memory(struct decoder *d, unsigned k, int64_t *displacement);
void parse_operand(struct decoder *d, struct operand *o, int depth);

void parse_call(struct decoder *);
void decode_add(struct decoder *, int);
void decode_addc(struct decoder *, int);
void decode_mul(struct decoder *, int);
void decode_mad(struct decoder *, int);
void decode_mul24(struct decoder *, int);
void decode_fma(struct decoder *, int);
void decode_div(struct decoder *, int);
void decode_rem(struct decoder *, int);
void decode_minmax(struct decoder *, int);
void decode_neg(struct decoder *, int);
void decode_sad(struct decoder *, int);
void decode_special(struct decoder *, int);
void decode_copysign(struct decoder *, int);
void decode_testp(struct decoder *, int);
void decode_logic(struct decoder *, int);
void decode_not(struct decoder *, int);
void decode_cnot(struct decoder *, int);
void decode_shift(struct decoder *, int);
void decode_shf(struct decoder *, int);
void decode_count(struct decoder *, int);
void decode_bfind(struct decoder *, int);
void decode_bfe(struct decoder *, int);
void decode_bfi(struct decoder *, int);
void decode_bmsk(struct decoder *, int);
void decode_b32(struct decoder *, int);
void decode_brev(struct decoder *, int);
void decode_lop3(struct decoder *, int);
void decode_dot(struct decoder *, int);
void decode_setp(struct decoder *, int);
void decode_set(struct decoder *, int);
void decode_selp(struct decoder *, int);
void decode_slct(struct decoder *, int);
void decode_mov(struct decoder *, int);
void decode_cvt(struct decoder *, int);
void decode_cvta(struct decoder *, int);
void decode_isspacep(struct decoder *, int);
void decode_ld(struct decoder *, int);
void decode_st(struct decoder *, int);
void decode_atom(struct decoder *, int);
void decode_cp(struct decoder *, int);
void decode_hint(struct decoder *, int);
void decode_fence(struct decoder *, int);
void decode_bra(struct decoder *, int);
void decode_brx(struct decoder *, int);
void decode_end(struct decoder *, int);
void decode_nanosleep(struct decoder *, int);
void decode_pmevent(struct decoder *, int);
void decode_bar(struct decoder *, int);
void decode_shfl(struct decoder *, int);
void decode_vote(struct decoder *, int);
void decode_match(struct decoder *, int);
void decode_redux(struct decoder *, int);
void decode_activemask(struct decoder *, int);
void decode_elect(struct decoder *, int);
void decode_tex(struct decoder *, int);
void decode_surface(struct decoder *, int);
void decode_texture_query(struct decoder *, int);

#endif
