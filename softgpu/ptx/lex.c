/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX text to tokens. */
#include "lex.h"

#include <stdlib.h>
#include <string.h>

/* Not <ctype.h>: PTX is ASCII whatever the program's locale. */
static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int is_alpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int is_word(int c) { return is_alpha(c) || is_digit(c) || c == '_' || c == '$'; }

static int hex(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

void lex_open(struct lexer *l, const char *text, size_t len)
{
	memset(l, 0, sizeof *l);
	const char *nul = memchr(text, 0, len);
	l->at = text;
	l->end = nul ? nul : text + len;
	l->next_line = 1;
	lex_next(l);
}

/* 0 when a comment does not end. */
static int skip_blank(struct lexer *l)
{
	while (l->at < l->end) {
		char c = *l->at;
		if (c == '\n') {
			l->next_line++;
			l->at++;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
			l->at++;
		} else if (c == '/' && l->at + 1 < l->end && l->at[1] == '/') {
			while (l->at < l->end && *l->at != '\n')
				l->at++;
		} else if (c == '/' && l->at + 1 < l->end && l->at[1] == '*') {
			const char *start = l->at;
			l->at += 2;
			for (;;) {
				if (l->at + 1 >= l->end) {
					l->at = start;
					return 0;
				}
				if (l->at[0] == '*' && l->at[1] == '/')
					break;
				if (*l->at == '\n')
					l->next_line++;
				l->at++;
			}
			l->at += 2;
		} else {
			break;
		}
	}
	return 1;
}

static void bad(struct lexer *l, size_t len)
{
	l->token = TOK_BAD;
	l->len = len;
	l->at = l->end;
}

static void lex_number(struct lexer *l)
{
	const char *p = l->at, *end = l->end;
	uint64_t v = 0;
	l->single = 0;
	if (*p == '0' && p + 1 < end && (p[1] == 'f' || p[1] == 'F' || p[1] == 'd' || p[1] == 'D')) {
		int digits = p[1] == 'f' || p[1] == 'F' ? 8 : 16;
		l->single = digits == 8;
		p += 2;
		for (int i = 0; i < digits; i++, p++) {
			if (p >= end || hex(*p) < 0) {
				bad(l, (size_t)(p - l->text));
				return;
			}
			v = v << 4 | (uint64_t)hex(*p);
		}
		l->token = TOK_FLOAT;
	} else if (*p == '0' && p + 1 < end && (p[1] == 'x' || p[1] == 'X')) {
		for (p += 2; p < end && hex(*p) >= 0; p++)
			v = v << 4 | (uint64_t)hex(*p);
		l->token = TOK_INT;
	} else if (*p == '0' && p + 1 < end && (p[1] == 'b' || p[1] == 'B')) {
		for (p += 2; p < end && (*p == '0' || *p == '1'); p++)
			v = v << 1 | (uint64_t)(*p - '0');
		l->token = TOK_INT;
	} else {
		const char *q = p;
		while (q < end && is_digit(*q))
			q++;
		int real = q < end && (*q == '.' || *q == 'e' || *q == 'E');
		if (real && *q == '.' && !(q + 1 < end && (is_digit(q[1]) || q[1] == 'e' || q[1] == 'E')))
			real = q + 1 >= end || !is_word(q[1]); /* "1." is a number, "1.x" is not one */
		if (real) {
			/* A copy, because the text need not end with a NUL. strtod reads the C locale's point: programs
			 * that switch to a decimal comma would break it, so the point is checked for. */
			char copy[64];
			size_t n = 0;
			while (q < end && (is_digit(*q) || *q == '.' || *q == 'e' || *q == 'E' ||
			                   ((*q == '+' || *q == '-') && (q[-1] == 'e' || q[-1] == 'E'))))
				q++;
			n = (size_t)(q - p);
			if (n >= sizeof copy) {
				bad(l, n);
				return;
			}
			memcpy(copy, p, n);
			copy[n] = 0;
			char *stop;
			double d = strtod(copy, &stop);
			if (*stop) {
				bad(l, n);
				return;
			}
			memcpy(&v, &d, 8);
			p = q;
			l->token = TOK_FLOAT;
		} else {
			unsigned base = *p == '0' ? 8 : 10;
			for (; p < end && is_digit(*p); p++)
				v = v * base + (uint64_t)(*p - '0');
			l->token = TOK_INT;
		}
	}
	if (l->token == TOK_INT && p < end && (*p == 'U' || *p == 'u'))
		p++;
	if (p < end && is_word(*p)) {
		bad(l, (size_t)(p - l->text) + 1);
		return;
	}
	l->value = v;
	l->at = p;
	l->len = (size_t)(p - l->text);
}

static const struct { char text[3]; int token; } pairs[] = {
	{"<<", TOK_SHL}, {">>", TOK_SHR}, {"<=", TOK_LE}, {">=", TOK_GE},
	{"==", TOK_EQ}, {"!=", TOK_NE}, {"&&", TOK_ANDAND}, {"||", TOK_OROR},
};

void lex_next(struct lexer *l)
{
	int ok = skip_blank(l);
	l->line = l->next_line;
	l->text = l->at;
	l->len = 0;
	if (!ok) {
		bad(l, 2);
		return;
	}
	if (l->at >= l->end) {
		l->token = TOK_END;
		return;
	}
	const char *p = l->at;
	char c = *p;
	if (is_digit(c)) {
		lex_number(l);
		return;
	}
	if (is_alpha(c) || c == '_' || c == '$' || (c == '%' && p + 1 < l->end && is_word(p[1]))) {
		p++;
		while (p < l->end && is_word(*p))
			p++;
		l->token = TOK_NAME;
		l->len = (size_t)(p - l->text);
		l->at = p;
		return;
	}
	if (c == '.' && p + 1 < l->end && is_word(p[1])) {
		p++;
		l->text = p;
		while (p < l->end && (is_word(*p) || (*p == ':' && p + 2 < l->end && p[1] == ':' && is_word(p[2])))) {
			if (*p == ':')
				p++;
			p++;
		}
		l->token = TOK_WORD;
		l->len = (size_t)(p - l->text);
		l->at = p;
		return;
	}
	if (c == '"') {
		l->text = ++p;
		while (p < l->end && *p != '"' && *p != '\n') {
			if (*p == '\\' && p + 1 < l->end && p[1] != '\n')
				p++;
			p++;
		}
		if (p >= l->end || *p != '"') {
			bad(l, 1);
			return;
		}
		l->token = TOK_STRING;
		l->len = (size_t)(p - l->text);
		l->at = p + 1;
		return;
	}
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		if (p + 1 < l->end && p[0] == pairs[i].text[0] && p[1] == pairs[i].text[1]) {
			l->token = pairs[i].token;
			l->len = 2;
			l->at = p + 2;
			return;
		}
	}
	if (c > ' ' && c < 127 && strchr("!%&()*+,-./:;<=>?@[]^{|}~", c)) {
		l->token = c;
		l->len = 1;
		l->at = p + 1;
		return;
	}
	bad(l, 1);
}

void lex_skip_line(struct lexer *l)
{
	/* The current token stands on the line to skip; if it is already past it, nothing is to be done. */
	while (l->at < l->end && *l->at != '\n')
		l->at++;
	lex_next(l);
}
