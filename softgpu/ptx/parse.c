/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX declarations: a module's directives, variables with their initial values, functions with their formals, and
 * inside a body the scopes, registers and labels. */
#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void parse_fail(struct parser *p, uint32_t line, const char *format, ...)
{
	if (p->log && p->log_size) {
		int n = snprintf(p->log, p->log_size, "softgpu: line %u: ", (unsigned)line);
		if (n > 0 && (size_t)n < p->log_size) {
			va_list ap;
			va_start(ap, format);
			vsnprintf(p->log + n, p->log_size - (size_t)n, format, ap);
			va_end(ap);
		}
		/* The text's bytes may be anything; a log line is one line of ASCII. */
		for (char *c = p->log; *c; c++)
			if (*c < ' ' || *c > '~')
				*c = '?';
	}
	longjmp(p->failed, 1);
}

void *vector_push(struct parser *p, struct vector *v, size_t element)
{
	if (v->n == v->cap) {
		uint32_t cap = v->cap ? v->cap * 2 : 64;
		void *data = cap > (1u << 28) ? NULL : realloc(v->data, cap * element);
		if (!data)
			parse_fail(p, p->lex.line, "out of memory");
		v->data = data;
		v->cap = cap;
	}
	void *slot = (char *)v->data + v->n++ * element;
	memset(slot, 0, element);
	return slot;
}

void *parse_alloc(struct parser *p, size_t bytes)
{
	void *m = module_alloc(p->module, bytes);
	if (!m)
		parse_fail(p, p->lex.line, "out of memory");
	return m;
}

static char *copy_name(struct parser *p, const char *name, size_t len)
{
	char *c = parse_alloc(p, len + 1);
	memcpy(c, name, len);
	return c;
}

/* Moves a scratch vector's elements to where they live as long as the module. */
static void *settle(struct parser *p, struct vector *v, size_t element)
{
	void *m = parse_alloc(p, v->n * element + 1);
	if (v->n)
		memcpy(m, v->data, v->n * element);
	v->n = 0;
	return m;
}

static _Noreturn void unexpected(struct parser *p, const char *wanted)
{
	int n = (int)(p->lex.len > 40 ? 40 : p->lex.len);
	if (p->lex.token == TOK_END)
		parse_fail(p, p->lex.line, "the text ends where %s is expected", wanted);
	parse_fail(p, p->lex.line, "'%.*s' where %s is expected", n, p->lex.text, wanted);
}

int parse_accept(struct parser *p, int token)
{
	if (p->lex.token != token)
		return 0;
	lex_next(&p->lex);
	return 1;
}

void parse_expect(struct parser *p, int token, const char *what)
{
	if (!parse_accept(p, token))
		unexpected(p, what);
}

int at_word(const struct parser *p, const char *word)
{
	return p->lex.token == TOK_WORD && strlen(word) == p->lex.len && !memcmp(word, p->lex.text, p->lex.len);
}

int accept_word(struct parser *p, const char *word)
{
	if (!at_word(p, word))
		return 0;
	lex_next(&p->lex);
	return 1;
}

static const struct { char name[8]; enum type type; uint8_t size; } type_names[] = {
	{"pred", T_PRED, 1}, {"b8", T_B8, 1}, {"b16", T_B16, 2}, {"b32", T_B32, 4}, {"b64", T_B64, 8}, {"b128", T_B128, 16},
	{"u8", T_U8, 1}, {"u16", T_U16, 2}, {"u32", T_U32, 4}, {"u64", T_U64, 8},
	{"s8", T_S8, 1}, {"s16", T_S16, 2}, {"s32", T_S32, 4}, {"s64", T_S64, 8},
	{"f16", T_F16, 2}, {"bf16", T_BF16, 2}, {"f32", T_F32, 4}, {"f64", T_F64, 8},
	{"f16x2", T_F16X2, 4}, {"bf16x2", T_BF16X2, 4},
};

enum type type_named(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++)
		if (strlen(type_names[i].name) == len && !memcmp(type_names[i].name, text, len))
			return type_names[i].type;
	return T_NONE;
}

unsigned type_size(enum type t)
{
	for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++)
		if (type_names[i].type == t)
			return type_names[i].size;
	return 0;
}

int type_is_signed(enum type t) { return t >= T_S8 && t <= T_S64; }
int type_is_float(enum type t) { return t >= T_F16; }

static uint32_t hash_name(const char *name, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

struct symbol *symbol_at(const struct parser *p, int32_t i)
{
	return (struct symbol *)p->symbols.data + i;
}

static int32_t find_exact(const struct parser *p, const char *name, size_t len, int ranges)
{
	uint32_t h = hash_name(name, len);
	for (int32_t i = p->buckets[h % BUCKETS]; i >= 0; i = symbol_at(p, i)->next) {
		struct symbol *s = symbol_at(p, i);
		if (s->hash == h && s->len == len && !memcmp(s->name, name, len) && (s->kind == SYM_REGISTERS) == ranges)
			return i;
	}
	return NOTHING_YET;
}

/* The number at the end of "%r12", and where it starts. A leading zero makes it another name. */
static int trailing_number(const char *name, size_t len, size_t *start, uint32_t *number)
{
	size_t i = len;
	while (i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9')
		i--;
	if (i == len || i == 0 || len - i > 8 || (name[i] == '0' && len - i > 1))
		return 0;
	uint32_t v = 0;
	for (size_t k = i; k < len; k++)
		v = v * 10 + (uint32_t)(name[k] - '0');
	*start = i;
	*number = v;
	return 1;
}

int32_t find_symbol(const struct parser *p, const char *name, size_t len)
{
	int32_t found = find_exact(p, name, len, 0);
	size_t start;
	uint32_t number;
	if (trailing_number(name, len, &start, &number)) {
		/* "%r1<5>" declares %r10 to %r14, so every split of the digits could be the range's name; compilers end the
		 * name with a letter, which is the split tried here. */
		int32_t range = find_exact(p, name, start, 1);
		if (range > found && number < symbol_at(p, range)->count)
			return range;
	}
	return found;
}

static struct symbol *declare(struct parser *p, enum symbol_kind kind, const char *name, size_t len)
{
	if (len > MAX_NAME)
		parse_fail(p, p->lex.line, "a name longer than %d characters", MAX_NAME);
	int32_t before = find_exact(p, name, len, kind == SYM_REGISTERS);
	uint32_t scope_start = p->depth ? p->scopes[p->depth - 1].symbols : 0;
	if (before >= 0 && (uint32_t)before >= scope_start)
		parse_fail(p, p->lex.line, "'%.*s' is declared twice", (int)(len > 80 ? 80 : len), name);
	struct symbol *s = vector_push(p, &p->symbols, sizeof *s);
	s->kind = kind;
	s->name = name;
	s->len = (uint32_t)len;
	s->hash = hash_name(name, len);
	s->next = p->buckets[s->hash % BUCKETS];
	p->buckets[s->hash % BUCKETS] = (int32_t)p->symbols.n - 1;
	return s;
}

uint32_t new_slot(struct parser *p, uint32_t line)
{
	if (p->slots >= MAX_SLOTS)
		parse_fail(p, line, "more than %d registers in one function", MAX_SLOTS);
	uint32_t slot = p->slots++;
	if (p->slots > p->function->slots)
		p->function->slots = p->slots;
	return slot;
}

static void open_scope(struct parser *p)
{
	if (p->depth == MAX_SCOPES)
		parse_fail(p, p->lex.line, "more than %d nested blocks", MAX_SCOPES);
	p->scopes[p->depth++] = (struct scope){p->symbols.n, p->fixups.n, p->slots, p->local};
}

/* Labels used inside the block are looked up in it; those not found are left to the block around it. */
static void close_scope(struct parser *p)
{
	struct scope s = p->scopes[p->depth - 1];
	struct fixup *fixups = p->fixups.data;
	uint32_t kept = s.fixups;
	for (uint32_t i = s.fixups; i < p->fixups.n; i++) {
		struct fixup f = fixups[i];
		int32_t sym = find_exact(p, f.name, f.len, 0);
		if (sym >= 0 && (uint32_t)sym >= s.symbols) {
			struct symbol *label = symbol_at(p, sym);
			if (label->kind != SYM_LABEL)
				parse_fail(p, f.line, "'%.*s' is no label", (int)f.len, f.name);
			if (f.in_list)
				((uint32_t *)p->lists.data)[f.index] = label->index;
			else
				((struct insn *)p->code.data)[f.index].imm = label->index;
		} else {
			fixups[kept++] = f;
		}
	}
	p->fixups.n = kept;
	while (p->symbols.n > s.symbols) {
		struct symbol *last = symbol_at(p, (int32_t)--p->symbols.n);
		p->buckets[last->hash % BUCKETS] = last->next;
	}
	p->slots = s.slots;
	p->local = s.local;
	p->depth--;
}

static uint64_t align_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) & ~(align - 1);
}

/* Recursive descent, with a bound on the depth: "((((((" comes from outside. */
static int64_t constant_binary(struct parser *p, int level, int depth);

static int64_t constant_unary(struct parser *p, int depth)
{
	if (depth > 64)
		parse_fail(p, p->lex.line, "a constant expression is nested too deeply");
	if (parse_accept(p, '-'))
		return (int64_t)(0 - (uint64_t)constant_unary(p, depth + 1));
	if (parse_accept(p, '+'))
		return constant_unary(p, depth + 1);
	if (parse_accept(p, '~'))
		return ~constant_unary(p, depth + 1);
	if (parse_accept(p, '!'))
		return !constant_unary(p, depth + 1);
	if (parse_accept(p, '(')) {
		if (p->lex.token == TOK_WORD && (at_word(p, "s64") || at_word(p, "u64"))) { /* a cast */
			lex_next(&p->lex);
			parse_expect(p, ')', "')'");
			return constant_unary(p, depth + 1);
		}
		int64_t v = constant_binary(p, 0, depth + 1);
		parse_expect(p, ')', "')'");
		return v;
	}
	if (p->lex.token == TOK_INT) {
		int64_t v = (int64_t)p->lex.value;
		lex_next(&p->lex);
		return v;
	}
	if (p->lex.token == TOK_NAME && p->lex.len == 7 && !memcmp(p->lex.text, "WARP_SZ", 7)) {
		lex_next(&p->lex);
		return 32;
	}
	unexpected(p, "a number");
}

static int constant_level(int token)
{
	switch (token) {
	case TOK_OROR: return 1;
	case TOK_ANDAND: return 2;
	case '|': return 3;
	case '^': return 4;
	case '&': return 5;
	case TOK_EQ: case TOK_NE: return 6;
	case '<': case '>': case TOK_LE: case TOK_GE: return 7;
	case TOK_SHL: case TOK_SHR: return 8;
	case '+': case '-': return 9;
	case '*': case '/': case '%': return 10;
	default: return 0;
	}
}

static int64_t constant_binary(struct parser *p, int level, int depth)
{
	int64_t v = constant_unary(p, depth);
	for (;;) {
		int token = p->lex.token, at = constant_level(token);
		if (!at || at <= level)
			return v;
		uint32_t line = p->lex.line;
		lex_next(&p->lex);
		int64_t w = constant_binary(p, at, depth + 1);
		uint64_t a = (uint64_t)v, b = (uint64_t)w;
		switch (token) {
		case TOK_OROR: v = a || b; break;
		case TOK_ANDAND: v = a && b; break;
		case '|': v = (int64_t)(a | b); break;
		case '^': v = (int64_t)(a ^ b); break;
		case '&': v = (int64_t)(a & b); break;
		case TOK_EQ: v = a == b; break;
		case TOK_NE: v = a != b; break;
		case '<': v = v < w; break;
		case '>': v = v > w; break;
		case TOK_LE: v = v <= w; break;
		case TOK_GE: v = v >= w; break;
		case TOK_SHL: v = b > 63 ? 0 : (int64_t)(a << b); break;
		case TOK_SHR: v = b > 63 ? 0 : (int64_t)(a >> b); break;
		case '+': v = (int64_t)(a + b); break;
		case '-': v = (int64_t)(a - b); break;
		case '*': v = (int64_t)(a * b); break;
		default:
			if (w == 0)
				parse_fail(p, line, "a constant expression divides by zero");
			if (w == -1)
				v = token == '/' ? (int64_t)(0 - a) : 0;
			else
				v = token == '/' ? v / w : v % w;
		}
	}
}

int64_t parse_constant(struct parser *p)
{
	return constant_binary(p, 0, 0);
}

uint32_t parse_u32(struct parser *p, const char *what)
{
	uint32_t line = p->lex.line;
	int64_t v = parse_constant(p);
	if (v < 0 || v > UINT32_MAX)
		parse_fail(p, line, "%s is out of range", what);
	return (uint32_t)v;
}

/* What stands between a state space and a name: alignment, vector, type, pointer attributes. */
struct shape {
	enum type type;
	uint32_t vector;
	uint64_t align;
	int managed;
	const char *name;
	size_t len;
	uint64_t count;     /* elements over all dimensions; 0 with `open` */
	int array, open;    /* name[]: as long as the initialiser, or as the launch says */
	uint32_t line;
};

static void skip_parentheses(struct parser *p)
{
	parse_expect(p, '(', "'('");
	for (int depth = 1; depth;) {
		if (p->lex.token == TOK_END || p->lex.token == TOK_BAD)
			unexpected(p, "')'");
		depth += p->lex.token == '(';
		depth -= p->lex.token == ')';
		lex_next(&p->lex);
	}
}

static uint64_t parse_align(struct parser *p)
{
	uint32_t line = p->lex.line;
	int64_t a = parse_constant(p);
	if (a < 1 || a > 4096 || (a & (a - 1)))
		parse_fail(p, line, "an alignment must be a power of two up to 4096");
	return (uint64_t)a;
}

static void parse_type(struct parser *p, struct shape *s)
{
	memset(s, 0, sizeof *s);
	s->vector = 1;
	s->count = 1;
	while (p->lex.token == TOK_WORD) {
		enum type t = type_named(p->lex.text, p->lex.len);
		if (t != T_NONE) {
			s->type = t;
			lex_next(&p->lex);
		} else if (accept_word(p, "align")) {
			s->align = parse_align(p);
		} else if (accept_word(p, "v2")) {
			s->vector = 2;
		} else if (accept_word(p, "v4")) {
			s->vector = 4;
		} else if (accept_word(p, "ptr")) {
			while (accept_word(p, "global") || accept_word(p, "const") || accept_word(p, "shared") ||
			       accept_word(p, "local"))
				;
			if (accept_word(p, "align"))
				parse_align(p);
		} else if (accept_word(p, "attribute")) {
			parse_expect(p, '(', "'('");
			for (;;) {
				if (accept_word(p, "managed"))
					s->managed = 1;
				else if (accept_word(p, "unified"))
					skip_parentheses(p);
				else
					unexpected(p, "an attribute");
				if (!parse_accept(p, ','))
					break;
			}
			parse_expect(p, ')', "')'");
		} else {
			parse_fail(p, p->lex.line, "no type '.%.*s'", (int)(p->lex.len > 40 ? 40 : p->lex.len), p->lex.text);
		}
	}
	if (s->type == T_NONE)
		unexpected(p, "a type");
	uint64_t natural = (uint64_t)type_size(s->type) * s->vector;
	if (s->align < natural)
		s->align = natural;
}

static void parse_name(struct parser *p, struct shape *s)
{
	s->line = p->lex.line;
	s->name = p->lex.text;
	s->len = p->lex.len;
	s->count = 1;
	s->array = s->open = 0;
	parse_expect(p, TOK_NAME, "a name");
	while (parse_accept(p, '[')) {
		s->array = 1;
		if (p->lex.token == ']') {
			s->open = 1;
		} else {
			int64_t n = parse_constant(p);
			if (n < 0 || (uint64_t)n > MAX_VARIABLE || (n && s->count > MAX_VARIABLE / (uint64_t)n))
				parse_fail(p, s->line, "'%.*s' is too big", (int)(s->len > 80 ? 80 : s->len), s->name);
			s->count *= (uint64_t)n;
		}
		parse_expect(p, ']', "']'");
	}
}

static uint64_t shape_bytes(struct parser *p, const struct shape *s)
{
	uint64_t each = (uint64_t)type_size(s->type) * s->vector;
	if (s->count > MAX_VARIABLE / each)
		parse_fail(p, s->line, "'%.*s' is too big", (int)(s->len > 80 ? 80 : s->len), s->name);
	return s->open ? 0 : each * s->count;
}

static void put_bytes(struct parser *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		*(uint8_t *)vector_push(p, &p->bytes, 1) = (uint8_t)(i < 8 ? v >> (8 * i) : 0);
}

/* "name", "name+4", "generic(name)+4", "generic(name+4)": 8 bytes that the driver's addresses will fill. */
static void initial_address(struct parser *p, uint32_t variable, unsigned width, unsigned shift)
{
	uint32_t line = p->lex.line;
	int generic = p->lex.token == TOK_NAME && p->lex.len == 7 && !memcmp(p->lex.text, "generic", 7);
	if (generic) {
		lex_next(&p->lex);
		parse_expect(p, '(', "'('");
	}
	const char *name = p->lex.text;
	size_t len = p->lex.len;
	parse_expect(p, TOK_NAME, "a number or the name of a variable");
	int32_t sym = find_symbol(p, name, len);
	int64_t addend = 0;
	for (int closed = !generic;; closed = 1) {
		if (p->lex.token == '+' || p->lex.token == '-')
			addend = (int64_t)((uint64_t)addend + (uint64_t)constant_binary(p, 0, 0));
		if (closed)
			break;
		parse_expect(p, ')', "')'");
	}
	if (sym < 0)
		parse_fail(p, line, "'%.*s' is not declared", (int)(len > 80 ? 80 : len), name);
	struct symbol *s = symbol_at(p, sym);
	if (s->kind != SYM_VARIABLE && s->kind != SYM_FUNCTION)
		parse_fail(p, line, "the address of '%.*s' is not constant", (int)(len > 80 ? 80 : len), name);
	struct relocation *r = vector_push(p, &p->relocations, sizeof *r);
	r->variable = variable;
	r->where = p->bytes.n;
	r->width = width;
	r->shift = shift;
	r->target = s->kind == SYM_VARIABLE ? (int32_t)s->index : ~(int32_t)s->index;
	r->addend = addend;
	put_bytes(p, 0, width);
}

/* constant_binary starts at a sign as well as at a number, so "+4" after a name is one expression. */
static void initial_value(struct parser *p, const struct shape *s, uint32_t variable)
{
	unsigned size = type_size(s->type);
	uint32_t line = p->lex.line;
	int negative = 0;
	struct lexer before = p->lex;
	while (p->lex.token == '-' || p->lex.token == '+') {
		negative ^= p->lex.token == '-';
		lex_next(&p->lex);
	}
	if (p->lex.token == TOK_FLOAT) {
		uint64_t bits = p->lex.value;
		double d;
		float f;
		if (p->lex.single) {
			uint32_t half = (uint32_t)bits;
			memcpy(&f, &half, 4);
			d = (double)f;
		} else {
			memcpy(&d, &bits, 8);
			f = (float)d;
		}
		if (negative)
			f = -f, d = -d;
		if (s->type == T_F64 || (size == 8 && !p->lex.single)) {
			memcpy(&bits, &d, 8);
			put_bytes(p, bits, 8);
		} else if (size == 4) {
			uint32_t half;
			memcpy(&half, &f, 4);
			put_bytes(p, half, 4);
		} else {
			parse_fail(p, line, "a floating point number does not fit the variable's type");
		}
		lex_next(&p->lex);
		return;
	}
	if (p->lex.token == TOK_NAME && !(p->lex.len == 7 && !memcmp(p->lex.text, "WARP_SZ", 7))) {
		if (size != 8 || negative)
			parse_fail(p, line, "an address needs 64 bits");
		initial_address(p, variable, 8, 0);
		return;
	}
	p->lex = before;
	int64_t v = parse_constant(p);
	if (p->lex.token == '(') { /* 0xff00(name): one byte of an address */
		unsigned shift = 0;
		while (shift < 56 && (uint64_t)v != UINT64_C(0xff) << shift)
			shift += 8;
		if ((uint64_t)v != UINT64_C(0xff) << shift || size != 1)
			parse_fail(p, line, "a mask on an address must name one byte");
		lex_next(&p->lex);
		initial_address(p, variable, 1, shift);
		parse_expect(p, ')', "')'");
		return;
	}
	if (s->type == T_F32 || s->type == T_F64) {
		double d = (double)v;
		float f = (float)d;
		uint64_t bits = 0;
		memcpy(&bits, s->type == T_F64 ? (void *)&d : (void *)&f, size);
		put_bytes(p, bits, size);
		return;
	}
	put_bytes(p, (uint64_t)v, size);
}

static void initial_list(struct parser *p, const struct shape *s, uint32_t variable, int depth)
{
	if (depth > 16)
		parse_fail(p, p->lex.line, "an initialiser is nested too deeply");
	parse_expect(p, '{', "'{'");
	if (parse_accept(p, '}'))
		return;
	do {
		if (p->lex.token == '{')
			initial_list(p, s, variable, depth + 1);
		else
			initial_value(p, s, variable);
	} while (parse_accept(p, ','));
	parse_expect(p, '}', "'}'");
}

enum linkage { LINK_NONE, LINK_VISIBLE, LINK_EXTERN, LINK_WEAK, LINK_COMMON };

static void parse_global(struct parser *p, int constant, enum linkage linkage)
{
	struct shape s;
	parse_type(p, &s);
	do {
		parse_name(p, &s);
		if (s.type == T_PRED || s.type == T_B128)
			parse_fail(p, s.line, "a variable cannot have this type");
		uint32_t index;
		int32_t sym = find_exact(p, s.name, s.len, 0);
		uint32_t scope_start = p->depth ? p->scopes[p->depth - 1].symbols : 0;
		if (sym >= 0 && (uint32_t)sym >= scope_start && symbol_at(p, sym)->kind == SYM_VARIABLE) {
			index = symbol_at(p, sym)->index;
			struct variable *v = (struct variable *)p->variables.data + index;
			if (v->bound != LINK_EXTERN && linkage != LINK_EXTERN)
				parse_fail(p, s.line, "'%.*s' is declared twice", (int)(s.len > 80 ? 80 : s.len), s.name);
		} else {
			char *name = copy_name(p, s.name, s.len);
			struct variable *v = vector_push(p, &p->variables, sizeof *v);
			index = p->variables.n - 1;
			v->v.name = name;
			v->v.constant = constant;
			v->bound = LINK_EXTERN; /* until defined; `bound` is the parser's until then */
			declare(p, SYM_VARIABLE, s.name, s.len)->index = index;
		}
		p->bytes.n = 0;
		if (parse_accept(p, '=')) {
			if (p->lex.token == '{')
				initial_list(p, &s, index, 0);
			else
				initial_value(p, &s, index);
		}
		uint64_t size = shape_bytes(p, &s);
		if (s.open)
			size = p->bytes.n;
		if (p->bytes.n > size)
			parse_fail(p, s.line, "the initialiser of '%.*s' is longer than the variable", (int)(s.len > 80 ? 80 : s.len),
			           s.name);
		size_t ninit = p->bytes.n;
		uint8_t *init = settle(p, &p->bytes, 1);
		struct variable *v = (struct variable *)p->variables.data + index;
		v->v.visible |= linkage != LINK_NONE;
		v->v.managed |= s.managed;
		if (linkage != LINK_EXTERN) {
			v->v.size = size;
			v->v.align = s.align;
			v->init = init;
			v->ninit = ninit;
			v->bound = LINK_NONE;
		}
	} while (parse_accept(p, ','));
	parse_expect(p, ';', "';'");
}

static void parse_shared(struct parser *p, enum linkage linkage)
{
	struct shape s;
	parse_type(p, &s);
	do {
		parse_name(p, &s);
		uint64_t size = shape_bytes(p, &s);
		if (s.type == T_PRED)
			parse_fail(p, s.line, "a shared variable cannot be a predicate");
		if (s.open || (linkage == LINK_EXTERN && size == 0)) {
			if (s.align > p->module->dynamic_align)
				p->module->dynamic_align = (uint32_t)s.align;
			declare(p, SYM_DYNAMIC, s.name, s.len);
			continue;
		}
		struct symbol *sym;
		/* A kernel's own variables lie after the module's, over those of other kernels. */
		int own = p->function && p->function->entry;
		uint32_t *used = own ? &p->function->shared : &p->module->shared;
		uint64_t at = align_up(*used, s.align);
		if (size > MAX_SHARED || at + size > MAX_SHARED)
			parse_fail(p, s.line, "more than %d bytes of static shared memory", MAX_SHARED);
		sym = declare(p, SYM_SHARED, s.name, s.len);
		sym->offset = at;
		sym->size = size;
		sym->count = (uint32_t)own;
		*used = (uint32_t)(at + size);
	} while (parse_accept(p, ','));
	parse_expect(p, ';', "';'");
}

static uint64_t take_local(struct parser *p, const struct shape *s, uint64_t size)
{
	uint64_t align = s->align > 16 ? s->align : s->align ? s->align : 1;
	uint64_t at = align_up(p->local, align);
	if (size > MAX_LOCAL || at + size > MAX_LOCAL)
		parse_fail(p, s->line, "more than %d bytes of local memory in one function", MAX_LOCAL);
	p->local = (uint32_t)(at + size);
	if (p->local > p->function->local)
		p->function->local = p->local;
	return at;
}

static void parse_local(struct parser *p, enum symbol_kind kind)
{
	struct shape s;
	parse_type(p, &s);
	do {
		parse_name(p, &s);
		uint64_t size = shape_bytes(p, &s), at = take_local(p, &s, size);
		struct symbol *sym = declare(p, kind, s.name, s.len);
		sym->offset = at;
		sym->size = size;
		sym->type = (uint8_t)s.type;
		if (kind == SYM_LOCAL)
			p->function->has_local = 1;
	} while (parse_accept(p, ','));
	parse_expect(p, ';', "';'");
}

static void check_register_type(struct parser *p, const struct shape *s)
{
	if (s->vector != 1 || s->type == T_B128 || s->type == T_B8)
		parse_fail(p, p->lex.line, "no registers of this type");
}

static void parse_registers(struct parser *p)
{
	struct shape s;
	parse_type(p, &s);
	check_register_type(p, &s);
	do {
		const char *name = p->lex.text;
		size_t len = p->lex.len;
		uint32_t line = p->lex.line, n = 1;
		int range = 0;
		parse_expect(p, TOK_NAME, "a register's name");
		if (parse_accept(p, '<')) {
			n = 0;
			if (p->lex.token == TOK_INT && p->lex.value <= MAX_SLOTS)
				n = (uint32_t)p->lex.value;
			else
				parse_fail(p, line, "more than %d registers in one function", MAX_SLOTS);
			lex_next(&p->lex);
			parse_expect(p, '>', "'>'");
			range = 1;
		}
		if (p->slots + n > MAX_SLOTS)
			parse_fail(p, line, "more than %d registers in one function", MAX_SLOTS);
		struct symbol *sym = declare(p, range ? SYM_REGISTERS : SYM_REGISTER, name, len);
		sym->type = (uint8_t)s.type;
		sym->index = p->slots;
		sym->count = n;
		p->slots += n;
		if (p->slots > p->function->slots)
			p->function->slots = p->slots;
		p->function->registers += n * (type_size(s.type) == 8 ? 2 : 1);
	} while (parse_accept(p, ','));
	parse_expect(p, ';', "';'");
}

void parse_formals(struct parser *p, struct formal **out, uint32_t *count, int kernel)
{
	struct vector v = {0};
	*out = NULL;
	*count = 0;
	parse_expect(p, '(', "'('");
	/* The list is built in the module's memory, doubled as it grows: an error in it must not leak. */
	struct formal *list = NULL;
	uint64_t at = 0;
	while (p->lex.token != ')') {
		if (v.n)
			parse_expect(p, ',', "','");
		int in_register = accept_word(p, "reg");
		if (!in_register && !accept_word(p, "param"))
			unexpected(p, ".param");
		struct shape s;
		parse_type(p, &s);
		parse_name(p, &s);
		if (v.n == v.cap) {
			v.cap = v.cap ? v.cap * 2 : 8;
			struct formal *bigger = parse_alloc(p, v.cap * sizeof *bigger);
			if (v.n)
				memcpy(bigger, list, v.n * sizeof *bigger);
			list = bigger;
		}
		uint64_t size = shape_bytes(p, &s);
		if (in_register)
			check_register_type(p, &s);
		if (kernel && in_register)
			parse_fail(p, s.line, "a kernel's parameters must be .param");
		if (s.type == T_PRED && !in_register)
			parse_fail(p, s.line, "a parameter cannot be a predicate");
		at = align_up(at, s.align);
		if (size > MAX_PARAM_BYTES || at + size > MAX_PARAM_BYTES)
			parse_fail(p, s.line, "more than %d bytes of parameters", MAX_PARAM_BYTES);
		list[v.n++] = (struct formal){
			.name = copy_name(p, s.name, s.len), .in_register = in_register, .type = (uint8_t)s.type,
			.offset = (uint32_t)at, .size = (uint32_t)size, .align = (uint32_t)s.align,
		};
		at += size;
	}
	parse_expect(p, ')', "')'");
	*out = list;
	*count = v.n;
}

/* ".branchtargets A, B;", ".callprototype (...) _ (...);" and ".calltargets f, g;" after their label. */
static void parse_table(struct parser *p, const char *name, size_t len)
{
	if (accept_word(p, "branchtargets")) {
		uint32_t first = p->lists.n;
		do {
			struct fixup *f = vector_push(p, &p->fixups, sizeof *f);
			f->name = p->lex.text;
			f->len = (uint32_t)p->lex.len;
			f->line = p->lex.line;
			f->index = p->lists.n;
			f->in_list = 1;
			parse_expect(p, TOK_NAME, "a label");
			vector_push(p, &p->lists, sizeof(uint32_t));
		} while (parse_accept(p, ','));
		struct symbol *s = declare(p, SYM_TABLE, name, len);
		s->index = first;
		s->count = p->lists.n - first;
	} else if (accept_word(p, "callprototype")) {
		struct ptx_function *f = parse_alloc(p, sizeof *f);
		if (p->lex.token == '(')
			parse_formals(p, &f->results, &f->nresults, 0);
		parse_expect(p, TOK_NAME, "'_'");
		if (p->lex.token == '(')
			parse_formals(p, &f->params, &f->nparams, 0);
		while (accept_word(p, "noreturn"))
			;
		declare(p, SYM_PROTOTYPE, name, len)->prototype = f;
	} else if (accept_word(p, "calltargets")) {
		int32_t first = NOTHING_YET;
		do {
			int32_t s = find_symbol(p, p->lex.text, p->lex.len);
			parse_expect(p, TOK_NAME, "a function");
			if (first < 0)
				first = s;
		} while (parse_accept(p, ','));
		if (first < 0 || symbol_at(p, first)->kind != SYM_FUNCTION)
			parse_fail(p, p->lex.line, "a call target is no function");
		struct ptx_function *f = ((struct ptx_function **)p->functions.data)[symbol_at(p, first)->index];
		declare(p, SYM_PROTOTYPE, name, len)->prototype = f;
	}
	parse_expect(p, ';', "';'");
}

static void skip_section(struct parser *p)
{
	while (p->lex.token != '{' && p->lex.token != TOK_END && p->lex.token != TOK_BAD)
		lex_next(&p->lex);
	parse_expect(p, '{', "'{'");
	while (p->lex.token != '}' && p->lex.token != TOK_END && p->lex.token != TOK_BAD)
		lex_next(&p->lex);
	parse_expect(p, '}', "'}'");
}

/* Directives for debuggers, allowed anywhere. */
static int skip_debug(struct parser *p)
{
	if (at_word(p, "loc") || at_word(p, "file")) {
		lex_skip_line(&p->lex);
	} else if (accept_word(p, "section")) {
		skip_section(p);
	} else if (accept_word(p, "pragma")) {
		do
			parse_expect(p, TOK_STRING, "a string");
		while (parse_accept(p, ','));
		parse_expect(p, ';', "';'");
	} else if (p->lex.token == '@' && p->lex.at < p->lex.end && *p->lex.at == '@') {
		lex_skip_line(&p->lex); /* @@DWARF of old compilers */
	} else {
		return 0;
	}
	return 1;
}

static void parse_statement(struct parser *p)
{
	if (skip_debug(p))
		return;
	struct lexer *l = &p->lex;
	if (parse_accept(p, '{')) {
		open_scope(p);
	} else if (p->depth > 1 && parse_accept(p, '}')) {
		close_scope(p);
	} else if (parse_accept(p, ';')) {
		return;
	} else if (accept_word(p, "reg")) {
		parse_registers(p);
	} else if (accept_word(p, "local")) {
		parse_local(p, SYM_LOCAL);
	} else if (accept_word(p, "param")) {
		parse_local(p, SYM_PARAM);
	} else if (accept_word(p, "shared")) {
		parse_shared(p, LINK_NONE);
	} else if (accept_word(p, "global")) {
		parse_global(p, 0, LINK_NONE);
	} else if (accept_word(p, "const")) {
		parse_global(p, 1, LINK_NONE);
	} else if (accept_word(p, "extern")) {
		if (!accept_word(p, "shared"))
			unexpected(p, ".shared");
		parse_shared(p, LINK_EXTERN);
	} else if (l->token == TOK_WORD) {
		parse_fail(p, l->line, "no directive '.%.*s'", (int)(l->len > 40 ? 40 : l->len), l->text);
	} else if (l->token == TOK_NAME) {
		struct lexer before = *l;
		lex_next(l);
		if (parse_accept(p, ':')) {
			if (at_word(p, "branchtargets") || at_word(p, "callprototype") || at_word(p, "calltargets"))
				parse_table(p, before.text, before.len);
			else
				declare(p, SYM_LABEL, before.text, before.len)->index = p->code.n;
			return;
		}
		*l = before;
		parse_instruction(p);
	} else if (l->token == '@') {
		parse_instruction(p);
	} else {
		unexpected(p, "a statement");
	}
}

static void parse_body(struct parser *p, struct ptx_function *f)
{
	if (f->defined)
		parse_fail(p, p->lex.line, "'%s' is defined twice", f->name);
	f->defined = 1;
	f->line = p->lex.line;
	p->function = f;
	p->code.n = p->constants.n = p->lists.n = p->calls.n = p->fixups.n = 0;
	p->share_from = 0;
	p->slots = 1; /* the sink */
	f->slots = 1;
	p->local = 0;
	/* Relocations of the code name it by `function`; those before belong to others. */
	open_scope(p);
	for (int results = 1; results >= 0; results--) {
		struct formal *list = results ? f->results : f->params;
		for (uint32_t i = 0; i < (results ? f->nresults : f->nparams); i++) {
			struct formal *a = &list[i];
			struct symbol *s;
			size_t len = strlen(a->name);
			if (len == 1 && a->name[0] == '_' && !a->in_register) {
				struct shape shape = {.align = a->align, .line = p->lex.line};
				a->offset = (uint32_t)take_local(p, &shape, a->size);
				continue;
			}
			if (a->in_register) {
				a->slot = new_slot(p, p->lex.line);
				s = declare(p, SYM_REGISTER, a->name, len);
				s->index = a->slot;
				s->count = 1;
			} else if (f->entry) {
				s = declare(p, SYM_KERNEL_PARAM, a->name, len);
				s->offset = a->offset;
			} else {
				struct shape shape = {.align = a->align, .line = p->lex.line};
				a->offset = (uint32_t)take_local(p, &shape, a->size);
				s = declare(p, SYM_PARAM, a->name, len);
				s->offset = a->offset;
			}
			s->size = a->size;
			s->type = a->type;
		}
	}
	while (!(p->depth == 1 && p->lex.token == '}'))
		parse_statement(p);
	emit_end(p);
	if (p->depth != 1)
		unexpected(p, "'}'");
	close_scope(p);
	lex_next(&p->lex);
	if (p->fixups.n) {
		struct fixup *x = p->fixups.data;
		parse_fail(p, x->line, "no label '%.*s'", (int)(x->len > 80 ? 80 : x->len), x->name);
	}
	f->ncode = p->code.n;
	f->code = settle(p, &p->code, sizeof(struct insn));
	f->nconstants = p->constants.n;
	f->constants = settle(p, &p->constants, sizeof(uint64_t));
	f->nlists = p->lists.n;
	f->lists = settle(p, &p->lists, sizeof(uint32_t));
	f->ncalls = p->calls.n;
	f->calls = settle(p, &p->calls, sizeof(struct call));
	f->local = (uint32_t)align_up(f->local, 16);
	p->function = NULL;
}

static int same_formals(const struct formal *a, uint32_t na, const struct formal *b, uint32_t nb)
{
	if (na != nb)
		return 0;
	for (uint32_t i = 0; i < na; i++)
		if (a[i].size != b[i].size || a[i].in_register != b[i].in_register)
			return 0;
	return 1;
}

static void parse_bounds(struct parser *p, struct ptx_function *f)
{
	for (;;) {
		uint32_t line = p->lex.line;
		int required = at_word(p, "reqntid");
		if (accept_word(p, "maxntid") || accept_word(p, "reqntid")) {
			uint32_t v[3] = {1, 1, 1};
			for (int i = 0; i < 3; i++) {
				v[i] = parse_u32(p, "a block's size");
				if (i < 2 && !parse_accept(p, ','))
					break;
			}
			uint64_t product = (uint64_t)v[0] * v[1];
			if (v[0] == 0 || v[1] == 0 || v[2] == 0 || product > 1 << 20 || product * v[2] > 1 << 20)
				parse_fail(p, line, "a block's size is out of range");
			f->max_threads = (unsigned)(product * v[2]);
			if (required)
				memcpy(f->required, v, sizeof v);
		} else if (accept_word(p, "minnctapersm")) {
			f->min_blocks = parse_u32(p, "a number of blocks");
		} else if (accept_word(p, "maxnctapersm") || accept_word(p, "maxnreg")) {
			parse_u32(p, "a number");
		} else if (accept_word(p, "noreturn")) {
			continue;
		} else if (accept_word(p, "attribute")) {
			skip_parentheses(p);
		} else if (accept_word(p, "reqnctapercluster")) {
			do
				if (parse_u32(p, "a cluster's size") != 1)
					parse_fail(p, line, "clusters of more than one block are not there");
			while (parse_accept(p, ','));
		} else if (accept_word(p, "maxclusterrank")) {
			parse_u32(p, "a cluster's size");
		} else if (!skip_debug(p)) {
			return;
		}
	}
}

static void parse_function(struct parser *p, int entry, enum linkage linkage)
{
	struct ptx_function *f = parse_alloc(p, sizeof *f);
	if (!entry && accept_word(p, "attribute"))
		skip_parentheses(p);
	if (!entry && p->lex.token == '(')
		parse_formals(p, &f->results, &f->nresults, 0);
	uint32_t line = p->lex.line;
	const char *name = p->lex.text;
	size_t len = p->lex.len;
	parse_expect(p, TOK_NAME, "a function's name");
	if (p->lex.token == '(')
		parse_formals(p, &f->params, &f->nparams, entry);
	int32_t sym = find_exact(p, name, len, 0);
	if (sym >= 0) {
		if (symbol_at(p, sym)->kind != SYM_FUNCTION)
			parse_fail(p, line, "'%.*s' is declared twice", (int)(len > 80 ? 80 : len), name);
		struct ptx_function *before = ((struct ptx_function **)p->functions.data)[symbol_at(p, sym)->index];
		if (before->entry != entry || !same_formals(before->params, before->nparams, f->params, f->nparams) ||
		    !same_formals(before->results, before->nresults, f->results, f->nresults))
			parse_fail(p, line, "'%s' differs from its declaration", before->name);
		if (!before->defined) {
			/* The definition's names count in the body. */
			before->params = f->params;
			before->results = f->results;
		}
		f = before;
	} else {
		f->module = p->module;
		f->entry = entry;
		f->name = copy_name(p, name, len);
		f->line = line;
		f->index = p->functions.n;
		if (len == 7 && !memcmp(name, "vprintf", 7))
			f->builtin = BUILTIN_VPRINTF;
		else if (len == 12 && !memcmp(name, "__assertfail", 12))
			f->builtin = BUILTIN_ASSERTFAIL;
		else if (len == 23 && !memcmp(name, "cudaGraphSetConditional", 23))
			f->builtin = BUILTIN_SET_CONDITIONAL;
		declare(p, SYM_FUNCTION, name, len)->index = f->index;
		*(struct ptx_function **)vector_push(p, &p->functions, sizeof f) = f;
	}
	f->external |= linkage == LINK_EXTERN;
	if (f->nparams && entry) {
		struct formal *last = &f->params[f->nparams - 1];
		f->param_bytes = last->offset + last->size;
	}
	parse_bounds(p, f);
	if (parse_accept(p, ';'))
		return;
	if (p->lex.token != '{')
		unexpected(p, "a body or ';'");
	lex_next(&p->lex);
	parse_body(p, f);
}

static void parse_header(struct parser *p)
{
	if (!accept_word(p, "version"))
		unexpected(p, ".version");
	if (p->lex.token != TOK_FLOAT || p->lex.single)
		unexpected(p, "a version");
	double d;
	memcpy(&d, &p->lex.value, 8);
	if (!(d > 0 && d < 100))
		parse_fail(p, p->lex.line, "a version is out of range");
	p->module->isa = (unsigned)(d * 10 + 0.5);
	lex_next(&p->lex);
	if (!accept_word(p, "target"))
		unexpected(p, ".target");
	do {
		const char *name = p->lex.text;
		size_t len = p->lex.len;
		parse_expect(p, TOK_NAME, "a target");
		if (len > 3 && len < 9 && !memcmp(name, "sm_", 3)) {
			unsigned v = 0;
			for (size_t i = 3; i < len && name[i] >= '0' && name[i] <= '9'; i++)
				v = v * 10 + (unsigned)(name[i] - '0');
			p->module->target = v;
		}
	} while (parse_accept(p, ','));
	if (accept_word(p, "address_size")) {
		uint32_t line = p->lex.line;
		if (parse_u32(p, "an address size") != 64)
			parse_fail(p, line, "only addresses of 64 bits are there");
	}
}

static void parse_text(struct parser *p)
{
	while (skip_debug(p))
		;
	parse_header(p);
	while (p->lex.token != TOK_END) {
		enum linkage linkage = LINK_NONE;
		if (skip_debug(p) || parse_accept(p, ';'))
			continue;
		if (accept_word(p, "visible"))
			linkage = LINK_VISIBLE;
		else if (accept_word(p, "extern"))
			linkage = LINK_EXTERN;
		else if (accept_word(p, "weak"))
			linkage = LINK_WEAK;
		else if (accept_word(p, "common"))
			linkage = LINK_COMMON;
		if (accept_word(p, "entry"))
			parse_function(p, 1, linkage);
		else if (accept_word(p, "func"))
			parse_function(p, 0, linkage);
		else if (accept_word(p, "global"))
			parse_global(p, 0, linkage);
		else if (accept_word(p, "const"))
			parse_global(p, 1, linkage);
		else if (accept_word(p, "shared"))
			parse_shared(p, linkage);
		else if (p->lex.token == TOK_WORD)
			parse_fail(p, p->lex.line, "no directive '.%.*s'", (int)(p->lex.len > 40 ? 40 : p->lex.len), p->lex.text);
		else
			unexpected(p, "a directive");
	}
	struct variable *v = p->variables.data;
	for (uint32_t i = 0; i < p->variables.n; i++)
		if (v[i].bound == LINK_EXTERN)
			parse_fail(p, p->lex.line, "the variable '%.80s' is declared .extern but not defined in this module", v[i].v.name);
}

int parse_module(struct ptx_module *m, const char *text, size_t len, char *log, size_t log_size)
{
	struct parser *p = calloc(1, sizeof *p);
	if (!p) {
		if (log && log_size)
			snprintf(log, log_size, "softgpu: out of memory");
		return -1;
	}
	p->module = m;
	p->log = log;
	p->log_size = log_size;
	memset(p->buckets, 0xff, sizeof p->buckets);
	int result = -1;
	if (!setjmp(p->failed)) {
		lex_open(&p->lex, text, len);
		parse_text(p);
		m->nfunctions = p->functions.n;
		m->functions = settle(p, &p->functions, sizeof(struct ptx_function *));
		m->nvariables = p->variables.n;
		m->variables = settle(p, &p->variables, sizeof(struct variable));
		m->nrelocations = p->relocations.n;
		m->relocations = settle(p, &p->relocations, sizeof(struct relocation));
		result = 0;
	}
	struct vector *all[] = {&p->symbols, &p->fixups, &p->code, &p->constants, &p->lists, &p->calls, &p->relocations,
	                        &p->functions, &p->variables, &p->bytes};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		free(all[i]->data);
	free(p);
	return result;
}
