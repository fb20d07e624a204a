/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX text to tokens. */
#ifndef AXON_SOFTGPU_PTX_LEX_H
#define AXON_SOFTGPU_PTX_LEX_H

#include <stddef.h>
#include <stdint.h>

enum token {
	TOK_END,
	TOK_NAME,     /* identifier, also %r1 and $L__BB0_2 */
	TOK_WORD,     /* .s32, .shared::cta: text without the first dot */
	TOK_INT,      /* value */
	TOK_FLOAT,    /* value: the bits of a double; `single` when it was written as 0f... (value: the bits of a float) */
	TOK_STRING,   /* text without the quotes, escapes as written */
	TOK_BAD,      /* a character that PTX does not know, a comment or string that does not end */
	TOK_SHL, TOK_SHR, TOK_LE, TOK_GE, TOK_EQ, TOK_NE, TOK_ANDAND, TOK_OROR,
	/* and single characters as themselves, from '!' on */
	TOK_FIRST_CHAR = 32,
};

struct lexer {
	const char *at, *end;
	uint32_t line;       /* of the token */
	uint32_t next_line;  /* of `at` */
	int token;
	const char *text;
	size_t len;
	uint64_t value;
	int single;
};

void lex_open(struct lexer *, const char *text, size_t len);
void lex_next(struct lexer *);
/* The next token becomes the first one of the following line: for .loc and .file, which have no other end. */
void lex_skip_line(struct lexer *);

#endif
