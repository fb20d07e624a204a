/* SPDX-License-Identifier: Apache-2.0
 *
 * The parser's state, shared by its two files: parse.c reads directives and declarations, decode.c instructions.
 *
 * An error leaves by longjmp from wherever it is met to parse_module(), which frees the scratch vectors below; all
 * else belongs to the module and goes with it.
 */
#ifndef AXON_SOFTGPU_PTX_PARSE_H
#define AXON_SOFTGPU_PTX_PARSE_H

#include <setjmp.h>

#include "code.h"
#include "lex.h"

enum symbol_kind {
	SYM_REGISTER, SYM_REGISTERS, SYM_VARIABLE, SYM_SHARED, SYM_DYNAMIC, SYM_LOCAL, SYM_PARAM, SYM_KERNEL_PARAM,
	SYM_FUNCTION, SYM_LABEL, SYM_PROTOTYPE, SYM_TABLE,
};

struct symbol {
	enum symbol_kind kind;
	const char *name;    /* in the text */
	uint32_t len;
	uint32_t hash;
	int32_t next;        /* in its bucket, older; -1: none */
	uint8_t type;
	uint32_t index;      /* slot, variable, function, instruction, list */
	uint32_t count;      /* of SYM_REGISTERS; of a table's targets */
	uint64_t offset, size;
	struct ptx_function *prototype;
};

struct vector {
	void *data;
	uint32_t n, cap;
};

/* A label used before it is known: in the `imm` of an instruction, or in a list. */
struct fixup {
	const char *name;
	uint32_t len, line;
	uint32_t index;
	int in_list;
};

struct scope { uint32_t symbols, fixups, slots, local; };

enum { BUCKETS = 4096 };

struct parser {
	struct lexer lex;
	struct ptx_module *module;
	struct ptx_function *function;   /* whose body is being read */
	jmp_buf failed;
	char *log;
	size_t log_size;
	int32_t buckets[BUCKETS];
	struct vector symbols;           /* struct symbol */
	struct vector fixups;            /* struct fixup */
	struct vector code;              /* struct insn */
	struct vector constants;         /* uint64_t */
	struct vector lists;             /* uint32_t */
	struct vector calls;             /* struct call */
	struct vector relocations;       /* struct relocation */
	struct vector functions;         /* struct ptx_function * */
	struct vector variables;         /* struct variable */
	struct vector bytes;             /* an initialiser */
	struct scope scopes[MAX_SCOPES];
	uint32_t depth;
	uint32_t share_from;             /* constants before this one are not known yet */
	uint32_t slots, local;           /* in use here; the function records the most that ever were */
};

_Noreturn void parse_fail(struct parser *, uint32_t line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The new element, zeroed. Elements move: keep indices. */
void *vector_push(struct parser *, struct vector *, size_t element);
void *parse_alloc(struct parser *, size_t bytes);

int parse_accept(struct parser *, int token);
void parse_expect(struct parser *, int token, const char *what);
int accept_word(struct parser *, const char *word);
int at_word(const struct parser *, const char *word);

enum type type_named(const char *text, size_t len);
/* -1: not declared. */
int32_t find_symbol(const struct parser *, const char *name, size_t len);
struct symbol *symbol_at(const struct parser *, int32_t i);
uint32_t new_slot(struct parser *, uint32_t line);
/* An integer constant expression; floats and addresses are left to the caller. */
int64_t parse_constant(struct parser *);
uint32_t parse_u32(struct parser *, const char *what);
/* .callprototype's lists, or a function's. */
void parse_formals(struct parser *, struct formal **out, uint32_t *count, int kernel);

/* decode.c: one instruction from its guard to its semicolon. */
void parse_instruction(struct parser *);
void emit_end(struct parser *);

#endif
