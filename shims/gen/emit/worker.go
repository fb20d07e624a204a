// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

// WorkerHeader declares what the generated worker half offers to the hand-written one, and what it wants of it.
func WorkerHeader(a *describe.API) (string, error) {
	var b strings.Builder
	guard := "AXON_" + strings.ToUpper(a.Library) + "_WORKER_H"
	fmt.Fprintf(&b, banner, a.Library)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include <stddef.h>\n\n#include \"call.h\"\n#include \"%s_calls.h\"\n\n", guard, guard, a.Library)

	b.WriteString("/* The vendor's functions; null where its library lacks one. */\nstruct axg_vendor {\n")
	symbols := vendorSymbols(a)
	for _, s := range symbols {
		fmt.Fprintf(&b, "\t__typeof__(%s) *%s;\n", s, s)
	}
	b.WriteString("};\nextern struct axg_vendor axg_vendor;\n\n/* What to look up, and where in axg_vendor it goes. */\nstruct axg_symbol {\n\tconst char *name;\n\tsize_t offset;\n};\n")
	fmt.Fprintf(&b, "#define AXG_SYMBOLS %d\nextern const struct axg_symbol axg_symbols[AXG_SYMBOLS];\n\n", len(symbols))
	fmt.Fprintf(&b, "/* The worker half of each call, by number. */\nextern %s (*const axg_dispatch[AX_COUNT])(struct axw_call *w);\n\n", a.Head["result"])

	b.WriteString("/* The halves that are written by hand. */\n")
	for _, c := range a.Calls() {
		if c.Func.HandWorker {
			fmt.Fprintf(&b, "%s axw_%s(struct axw_call *w);\n", a.Head["result"], c.Name)
		}
	}
	b.WriteString("\n/* What a kind of object is called, by AXH_*. */\nextern const char *const axg_kind_name[AXH_COUNT];\n")
	b.WriteString("\n/* A handle by its name (get), and the name of one (name). */\n")
	for _, h := range Handles(a) {
		fmt.Fprintf(&b, "%s axg_get_%s(struct axw_session *s, uint64_t name, %s *handle);\n", a.Head["result"], h.Name, h.Name)
		fmt.Fprintf(&b, "uint64_t axg_name_%s(struct axw_session *s, %s handle);\n", h.Name, h.Name)
	}
	b.WriteString(takeH)
	b.WriteString("\n/* What of a struct does not cross as bytes: in puts the worker's own there, out the client's. */\n")
	for _, t := range carriers(a) {
		fmt.Fprintf(&b, "%s axg_in_%s(struct axw_session *s, struct axg_take *t, %s *v);\nvoid axg_out_%s(struct axw_session *s, %s *v);\n",
			a.Head["result"], t.Name, t.Name, t.Name, t.Name)
	}
	b.WriteString("\n#endif\n")
	return b.String(), nil
}

const takeH = `
/* Reads a frame's data: every piece is checked against its end and copied out of the client's reach. */
struct axg_take {
	const uint8_t *at, *end;
	struct axg_block *blocks;
	size_t used;
	_Alignas(16) uint8_t first[1024];
};
void axg_take_open(struct axg_take *t, const struct axw_call *w);
/* n elements of size bytes each and zero bytes after them; NULL if the frame is too short or memory ran out. */
void *axg_take(struct axg_take *t, uint64_t n, uint64_t size);
/* The same without the copy: for bytes that only the device or the vendor's copying reads. */
const void *axg_take_bytes(struct axg_take *t, uint64_t n);
/* n zeroed elements for an answer; NULL if memory ran out. */
void *axg_take_room(struct axg_take *t, uint64_t n, uint64_t size);
void axg_take_close(struct axg_take *t);
`

const takeC = `struct axg_block {
	struct axg_block *next;
	_Alignas(16) uint8_t bytes[];
};

void axg_take_open(struct axg_take *t, const struct axw_call *w)
{
	t->at = w->data;
	t->end = w->data + w->data_size;
	t->blocks = NULL;
	t->used = 0;
}

void *axg_take_room(struct axg_take *t, uint64_t n, uint64_t size)
{
	if (n > AXG_DATA_MAX / size)
		return NULL;
	size_t bytes = (n * size + 8 + 15) & ~(uint64_t)15; /* a NUL behind the last byte, always */
	if (t->used <= sizeof t->first && bytes <= sizeof t->first - t->used) {
		uint8_t *p = t->first + t->used;
		t->used += bytes;
		memset(p, 0, bytes);
		return p;
	}
	struct axg_block *b = calloc(1, sizeof *b + bytes);
	if (!b)
		return NULL;
	b->next = t->blocks;
	t->blocks = b;
	return b->bytes;
}

const void *axg_take_bytes(struct axg_take *t, uint64_t n)
{
	uint64_t left = (uint64_t)(t->end - t->at), padded = (n + 7) & ~(uint64_t)7;
	const uint8_t *p = t->at;

	if (n > AXG_DATA_MAX || n > left)
		return NULL;
	t->at += padded < left ? padded : left;
	return p ? p : t->first;
}

void *axg_take(struct axg_take *t, uint64_t n, uint64_t size)
{
	if (n > AXG_DATA_MAX / size)
		return NULL;
	const void *from = axg_take_bytes(t, n * size);
	void *p = from ? axg_take_room(t, n, size) : NULL;
	if (p && n)
		memcpy(p, from, n * size);
	return p;
}

void axg_take_close(struct axg_take *t)
{
	while (t->blocks) {
		struct axg_block *b = t->blocks;
		t->blocks = b->next;
		free(b);
	}
}

`

// Worker writes the worker half.
func Worker(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, banner, a.Library)
	fmt.Fprintf(&b, "#include \"%s_worker.h\"\n\n#include <stdlib.h>\n#include <string.h>\n\n", a.Library)
	if err := tables(&b, a); err != nil {
		return "", err
	}
	b.WriteString("const char *const axg_kind_name[AXH_COUNT] = {\n\t[0] = \"\",\n")
	for _, h := range Handles(a) {
		fmt.Fprintf(&b, "\t[AXH_%s] = \"%s\",\n", h.Name, h.Name)
	}
	b.WriteString("};\n\nstruct axg_vendor axg_vendor;\n\nconst struct axg_symbol axg_symbols[AXG_SYMBOLS] = {\n")
	for _, s := range vendorSymbols(a) {
		fmt.Fprintf(&b, "\t{\"%s\", offsetof(struct axg_vendor, %s)},\n", s, s)
	}
	b.WriteString("};\n\n" + takeC)
	for _, h := range Handles(a) {
		translators(&b, a, h)
	}
	for _, t := range carriers(a) {
		structTranslators(&b, a, t)
	}
	calls := a.Calls()
	for _, c := range calls {
		if c.Func.HandWorker {
			continue
		}
		if err := workerCall(&b, a, c); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(&b, "%s (*const axg_dispatch[AX_COUNT])(struct axw_call *w) = {\n\t[0] = NULL,\n", a.Head["result"])
	for _, c := range calls {
		fmt.Fprintf(&b, "\t[AX_%s] = axw_%s,\n", c.Name, c.Name)
	}
	b.WriteString("};\n")
	return b.String(), nil
}

// vendorSymbols lists what the worker may want of the vendor's library: everything but what is refused without asking it and
// what only changes an argument.
func vendorSymbols(a *describe.API) []string {
	var out []string
	for _, f := range a.Funcs {
		if f.Internal || f.Way == describe.Refuse && f.Via == "" {
			continue
		}
		out = append(out, f.Name)
		for _, s := range f.Also {
			if s.Apart {
				out = append(out, s.Name)
			}
		}
	}
	return out
}

// carriers lists every struct with members of their own way, after those that it holds arrays of.
func carriers(a *describe.API) []*describe.Type {
	var out []*describe.Type
	for _, t := range a.Types {
		if t.Carries != nil {
			out = append(out, t)
		}
	}
	return out
}

func translators(b *strings.Builder, a *describe.API, h *describe.Type) {
	pass := func(value string) string {
		var tests []string
		for _, p := range h.Pass {
			tests = append(tests, fmt.Sprintf("%s == %s", value, p))
		}
		return strings.Join(tests, " || ")
	}
	fmt.Fprintf(b, "%s axg_get_%s(struct axw_session *s, uint64_t name, %s *handle)\n{\n\tvoid *p;\n\n", a.Head["result"], h.Name, h.Name)
	if h.Pass != nil {
		fmt.Fprintf(b, "\tif (%s) {\n\t\t*handle = (%s)(uintptr_t)name;\n\t\treturn %s;\n\t}\n", pass("name"), h.Name, a.Head["success"])
	}
	fmt.Fprintf(b, "\tif (axw_get(s, AXH_%s, name, &p) || !p)\n\t\treturn axw_own(%s);\n\t*handle = (%s)(uintptr_t)p;\n\treturn %s;\n}\n\n",
		h.Name, h.Missing, h.Name, a.Head["success"])
	fmt.Fprintf(b, "uint64_t axg_name_%s(struct axw_session *s, %s handle)\n{\n\tuint64_t value = (uint64_t)(uintptr_t)handle;\n\n", h.Name, h.Name)
	zero := "value == 0"
	if h.Pass != nil {
		zero = pass("value")
		if !strings.Contains(zero, "value == 0") {
			zero += " || value == 0"
		}
	}
	fmt.Fprintf(b, "\treturn %s ? value : axw_name(s, AXH_%s, (void *)(uintptr_t)value);\n}\n\n", zero, h.Name)
}

func structTranslators(b *strings.Builder, a *describe.API, t *describe.Type) {
	result, success := a.Head["result"], a.Head["success"]
	when := func(c describe.Carry) string {
		if c.WhenMember == "" {
			return ""
		}
		return fmt.Sprintf("v->%s == %s && ", c.WhenMember, c.WhenValue)
	}
	fmt.Fprintf(b, "%s axg_in_%s(struct axw_session *s, struct axg_take *t, %s *v)\n{\n\t%s r = %s;\n\n\t(void)s;\n\t(void)t;\n", result, t.Name, t.Name, result, success)
	for _, c := range t.Carries {
		switch {
		case c.Drop:
			fmt.Fprintf(b, "\tv->%s = NULL;\n", c.Member)
		case c.Count != "":
			fmt.Fprintf(b, "\tv->%s = axg_take(t, v->%s, sizeof *v->%s);\n\tif (!v->%s)\n\t\treturn axw_own(%s);\n", c.Member, c.Count, c.Member, c.Member, a.Head["invalid"])
			if e := a.Resolve(c.Type); e.Carries != nil {
				fmt.Fprintf(b, "\tfor (uint64_t i = 0; i < v->%s && r == %s; i++)\n\t\tr = axg_in_%s(s, t, &v->%s[i]);\n\tif (r != %s)\n\t\treturn r;\n",
					c.Count, success, e.Name, c.Member, success)
			}
		default:
			h := a.Resolve(c.Type)
			// A member may be left empty where an argument may not.
			fmt.Fprintf(b, "\tif (%sv->%s != 0) {\n\t\tr = axg_get_%s(s, (uint64_t)(uintptr_t)v->%s, &v->%s);\n\t\tif (r != %s) {\n\t\t\taxw_argument(\"%s\");\n\t\t\treturn r;\n\t\t}\n\t}\n",
				when(c), c.Member, h.Name, c.Member, c.Member, success, c.Member)
		}
	}
	fmt.Fprintf(b, "\treturn r;\n}\n\nvoid axg_out_%s(struct axw_session *s, %s *v)\n{\n\t(void)s;\n", t.Name, t.Name)
	for _, c := range t.Carries {
		switch {
		case c.Drop || c.Count != "":
			fmt.Fprintf(b, "\tv->%s = NULL;\n", c.Member)
		default:
			h := a.Resolve(c.Type)
			line := fmt.Sprintf("v->%s = (%s)(uintptr_t)axg_name_%s(s, v->%s);\n", c.Member, h.Name, h.Name, c.Member)
			if c.WhenMember != "" {
				line = fmt.Sprintf("if (v->%s == %s)\n\t\t%s", c.WhenMember, c.WhenValue, line)
			}
			b.WriteString("\t" + line)
		}
	}
	b.WriteString("}\n\n")
}

// workerCall writes one call's worker half: unpack, translate, call, answer.
func workerCall(b *strings.Builder, a *describe.API, c describe.Call) error {
	f := c.Func
	fr, err := layout.Of(a, f)
	if err != nil {
		return err
	}
	result, success, invalid := a.Head["result"], a.Head["success"], a.Head["invalid"]
	fmt.Fprintf(b, "static %s axw_%s(struct axw_call *w)\n{\n", result, c.Name)
	if f.Internal {
		if len(f.Args) > 0 {
			return f.Src.Errorf("%s: an internal call with arguments needs a worker half by hand", f.Name)
		}
		fmt.Fprintf(b, "\t(void)w;\n\treturn %s;\n}\n\n", success)
		return nil
	}
	takes := len(fr.InData) > 0 || len(fr.OutData) > 0
	fmt.Fprintf(b, "\t%s r = %s;\n", result, success)
	if fr.InSize > 0 {
		fmt.Fprintf(b, "\tstruct ax_in_%s in;\n", c.Name)
	}
	if takes {
		b.WriteString("\tstruct axg_take t;\n")
	}
	fmt.Fprintf(b, "\n\tif (!axg_vendor.%s)\n\t\treturn axw_own(%s);\n", c.Name, a.Head["unsupported"])
	if fr.InSize > 0 {
		fmt.Fprintf(b, "\tif (w->in_size < sizeof in)\n\t\treturn axw_own(%s);\n\tmemcpy(&in, w->in, sizeof in);\n", invalid)
	} else if !takes && !fr.Answers() {
		b.WriteString("\t(void)w;\n")
	}

	// Declarations first: failures jump over what follows.
	var pass []string
	for _, arg := range f.Args {
		pass = append(pass, declare(b, a, fr, arg))
	}
	if fr.Answers() {
		size := "0"
		if fr.OutSize > 0 {
			size = fmt.Sprintf("sizeof(struct ax_out_%s)", c.Name)
		}
		fmt.Fprintf(b, "\tuint64_t answer = %s;\n", size)
	}
	if takes {
		b.WriteString("\taxg_take_open(&t, w);\n")
	}
	for _, arg := range f.Args {
		unpack(b, a, f, fr, arg, success, invalid)
	}
	if fr.Answers() {
		fmt.Fprintf(b, "\tif (answer > w->out_max) {\n\t\tr = axw_own(%s);\n\t\tgoto done;\n\t}\n", invalid)
	}
	fmt.Fprintf(b, "\tr = axg_vendor.%s(%s);\n", c.Name, strings.Join(pass, ", "))

	for _, arg := range f.Args {
		kind := a.Resolve(arg.Type).Name
		switch arg.Dir {
		case describe.New:
			// The name may already stand for the same object: a primary context that is retained again.
			fmt.Fprintf(b, "\tif (r == %s && axw_put(w->s, AXH_%s, in.%s, (void *)(uintptr_t)v_%s)) {\n\t\tvoid *had = NULL;\n"+
				"\t\tif (axw_get(w->s, AXH_%s, in.%s, &had) || had != (void *)(uintptr_t)v_%s)\n\t\t\tr = axw_own(%s);\n\t}\n",
				success, kind, arg.Name, arg.Name, kind, arg.Name, arg.Name, invalid)
		case describe.Del:
			fmt.Fprintf(b, "\tif (r == %s)\n\t\taxw_del(w->s, AXH_%s, in.%s);\n", success, kind, arg.Name)
		}
	}
	if fr.Answers() {
		workerAnswer(b, a, c, fr)
	}
	if jumps(a, f, fr) {
		b.WriteString("done:\n")
	}
	if takes {
		b.WriteString("\taxg_take_close(&t);\n")
	}
	b.WriteString("\treturn r;\n}\n\n")
	return nil
}

// jumps says whether anything in the half can fail before the call.
func jumps(a *describe.API, f *describe.Func, fr *layout.Frame) bool {
	if fr.Answers() || len(fr.InData) > 0 {
		return true
	}
	for _, fd := range fr.In {
		if fd.Role == layout.Name && fd.Arg.Dir != describe.New {
			return true
		}
	}
	return false
}

func find(arrays []layout.Array, arg *describe.Arg) (layout.Array, bool) {
	for _, x := range arrays {
		if x.Arg == arg {
			return x, true
		}
	}
	return layout.Array{}, false
}

// declare declares the local behind an argument and gives what the vendor's function is passed.
func declare(b *strings.Builder, a *describe.API, fr *layout.Frame, arg *describe.Arg) string {
	v := "v_" + arg.Name
	orNull := func(s string) string {
		if arg.Nullable {
			return fmt.Sprintf("in.has_%s ? %s : NULL", arg.Name, s)
		}
		return s
	}
	in, isIn := find(fr.InData, arg)
	out, isOut := find(fr.OutData, arg)
	switch {
	case arg.Dir == describe.Str:
		fmt.Fprintf(b, "\tconst char *%s = NULL;\n", v)
		return orNull(v)
	case arg.Dir == describe.Text:
		fmt.Fprintf(b, "\tconst char *%s = NULL;\n", v)
		return "&" + v
	case arg.Dir == describe.Opaque && arg.Stars == 0, arg.Dir == describe.Value && opaqueValue(a, arg):
		return fmt.Sprintf("(%s)(uintptr_t)in.%s", arg.Type, arg.Name)
	case arg.Dir == describe.Opaque:
		return fmt.Sprintf("(void *)(uintptr_t)in.%s", arg.Name)
	case isIn && in.Count != nil && in.C == "":
		fmt.Fprintf(b, "\tconst void *%s = NULL;\n", v)
		return orNull("(void *)(uintptr_t)" + v)
	case arg.Dir == describe.Sized:
		fmt.Fprintf(b, "\t%s *%s = NULL;\n\tuint64_t n_%s = 0;\n", arg.Type, v, arg.Name)
		return v
	case isIn && in.Count != nil:
		fmt.Fprintf(b, "\t%s *%s = NULL;\n", in.C, v)
		if isOut {
			fmt.Fprintf(b, "\tuint64_t n_%s = 0;\n", arg.Name)
		}
		return orNull(pointerCast(arg) + v)
	case isOut && out.Count != nil && out.C == "":
		fmt.Fprintf(b, "\tvoid *%s = NULL;\n\tuint64_t n_%s = 0;\n", v, arg.Name)
		return orNull(v)
	case isOut && out.Count != nil:
		fmt.Fprintf(b, "\t%s *%s = NULL;\n\tuint64_t n_%s = 0;\n", out.C, v, arg.Name)
		return orNull(pointerCast(arg) + v)
	case (isIn || isOut) && arg.Stars == 0:
		fmt.Fprintf(b, "\t%s %s;\n\tmemset(&%s, 0, sizeof %s);\n", arg.Type, v, v, v)
		return v
	case isIn || isOut:
		fmt.Fprintf(b, "\t%s %s;\n\tmemset(&%s, 0, sizeof %s);\n", arg.Type, v, v, v)
		if isOut {
			n := "1"
			if arg.Nullable {
				n = fmt.Sprintf("in.has_%s != 0", arg.Name)
			}
			fmt.Fprintf(b, "\tuint64_t n_%s = %s;\n", arg.Name, n)
		}
		return orNull("&" + v)
	case arg.Stars == 1:
		fmt.Fprintf(b, "\t%s %s = (%s)0;\n", arg.Type, v, arg.Type)
		return orNull("&" + v)
	case a.Resolve(arg.Type).Kind == describe.Handle:
		fmt.Fprintf(b, "\t%s %s = (%s)0;\n", arg.Type, v, arg.Type)
		return v
	}
	return fmt.Sprintf("(%s)in.%s", arg.Type, arg.Name)
}

func pointerCast(arg *describe.Arg) string {
	if arg.Stars == 2 {
		return "(void **)"
	}
	return ""
}

func opaqueValue(a *describe.API, arg *describe.Arg) bool {
	k := a.Resolve(arg.Type).Kind
	return arg.Stars == 0 && (k == describe.Callback || k == describe.Alias)
}

func unpack(b *strings.Builder, a *describe.API, f *describe.Func, fr *layout.Frame, arg *describe.Arg, success, invalid string) {
	v := "v_" + arg.Name
	t := a.Resolve(arg.Type)
	fail := func(cond, r string) {
		fmt.Fprintf(b, "\tif (%s) {\n\t\tr = axw_own(%s);\n\t\tgoto done;\n\t}\n", cond, r)
	}
	there := func(n string) string {
		if arg.Nullable {
			return fmt.Sprintf("in.has_%s ? %s : 0", arg.Name, n)
		}
		return n
	}
	in, isIn := find(fr.InData, arg)
	out, isOut := find(fr.OutData, arg)
	// A handle by value, or one behind a pointer that the client sends.
	for _, fd := range fr.In {
		if fd.Arg != arg || fd.Role != layout.Name || arg.Dir == describe.New {
			continue
		}
		fmt.Fprintf(b, "\tr = axg_get_%s(w->s, in.%s, &%s);\n\tif (r != %s) {\n\t\taxw_argument(\"%s\");\n\t\tgoto done;\n\t}\n", t.Name, fd.Name, v, success, arg.Name)
	}
	if arg.Stars == 1 && (arg.Dir == describe.In || arg.Dir == describe.InOut) && !isIn && t.Kind != describe.Handle {
		fmt.Fprintf(b, "\t%s = (%s)in.%s;\n", v, arg.Type, arg.Name)
	}
	switch {
	case arg.Dir == describe.Str:
		fmt.Fprintf(b, "\t%s = axg_take(&t, in.len_%s, 1);\n", v, arg.Name)
		fail("!"+v, invalid)
	case arg.Dir == describe.Sized:
		// The vendor goes by the size in the first word, so that has to be the size that came; its memory is the largest's.
		fmt.Fprintf(b, "\tn_%s = in.len_%s;\n", arg.Name, arg.Name)
		fail(fmt.Sprintf("!axg_sized_fits(n_%s, sizeof *%s)", arg.Name, v), mismatch(a))
		fmt.Fprintf(b, "\tconst void *f_%s = axg_take_bytes(&t, n_%s);\n", arg.Name, arg.Name)
		fail(fmt.Sprintf("!f_%s || axg_sized(f_%s) != n_%s", arg.Name, arg.Name, arg.Name), invalid)
		fmt.Fprintf(b, "\t%s = axg_take_room(&t, 1, sizeof *%s);\n", v, v)
		fail("!"+v, a.Head["full"])
		fmt.Fprintf(b, "\tmemcpy(%s, f_%s, n_%s);\n", v, arg.Name, arg.Name)
	case isIn && in.Count != nil && in.C == "":
		fmt.Fprintf(b, "\t%s = axg_take_bytes(&t, %s);\n", v, there(workerCount(a, f, in.Count)))
		fail("!"+v, invalid)
	case isIn && in.Count != nil:
		count := there(workerCount(a, f, in.Count))
		fmt.Fprintf(b, "\t%s = axg_take(&t, %s, sizeof(%s));\n", v, count, in.C)
		fail("!"+v, invalid)
		each := func(body string) {
			fmt.Fprintf(b, "\tfor (uint64_t i = 0, n = %s; i < n; i++) {\n\t\tr = %s;\n\t\tif (r != %s) {\n\t\t\taxw_argument(\"%s\");\n\t\t\tgoto done;\n\t\t}\n\t}\n", count, body, success, arg.Name)
		}
		if in.Element.Kind == describe.Handle {
			each(fmt.Sprintf("axg_get_%s(w->s, (uint64_t)(uintptr_t)%s[i], &%s[i])", in.Element.Name, v, v))
		} else if in.Element.Carries != nil {
			each(fmt.Sprintf("axg_in_%s(w->s, &t, &%s[i])", in.Element.Name, v))
		}
	case isIn:
		// One struct: into a local, which has the alignment that its type asks for.
		open, shut := "", ""
		if arg.Nullable {
			open, shut = fmt.Sprintf("\tif (in.has_%s) {\n", arg.Name), "\t}\n"
		}
		fmt.Fprintf(b, "%s\tconst void *f_%s = axg_take_bytes(&t, sizeof %s);\n", open, arg.Name, v)
		fail("!f_"+arg.Name, invalid)
		fmt.Fprintf(b, "\tmemcpy(&%s, f_%s, sizeof %s);\n", v, arg.Name, v)
		if in.Element.Carries != nil {
			fmt.Fprintf(b, "\tr = axg_in_%s(w->s, &t, &%s);\n\tif (r != %s)\n\t\tgoto done;\n", in.Element.Name, v, success)
		}
		b.WriteString(shut)
	}
	if isOut {
		if out.Count != nil {
			fmt.Fprintf(b, "\tn_%s = %s;\n", arg.Name, there(workerCount(a, f, out.Count)))
		}
		// Before any memory is taken for it: a count may be all that a client sent.
		fail(fmt.Sprintf("axg_room(&answer, n_%s, %s) || answer > w->out_max", arg.Name, sizeOf(out)), invalid)
		if out.Count != nil && !isIn {
			fmt.Fprintf(b, "\t%s = axg_take_room(&t, n_%s, %s);\n", v, arg.Name, sizeOf(out))
			fail("!"+v, a.Head["full"])
		}
	}
}

func workerAnswer(b *strings.Builder, a *describe.API, c describe.Call, fr *layout.Frame) {
	if !c.Func.OnError {
		fmt.Fprintf(b, "\tif (r != %s)\n\t\tgoto done;\n", a.Head["success"])
	}
	b.WriteString("\tuint8_t *at = w->out;\n")
	if fr.OutSize > 0 {
		fmt.Fprintf(b, "\tstruct ax_out_%s out;\n\tmemset(&out, 0, sizeof out);\n", c.Name)
		for _, fd := range fr.Out {
			switch fd.Role {
			case layout.Pad:
			case layout.Length:
				fmt.Fprintf(b, "\tsize_t text = v_%s ? strlen(v_%s) : 0;\n\tif (text > w->out_max - answer) {\n\t\tr = axw_own(%s);\n\t\tgoto done;\n\t}\n\tout.%s = (uint32_t)text;\n",
					fd.Arg.Name, fd.Arg.Name, a.Head["invalid"], fd.Name)
			case layout.Name:
				fmt.Fprintf(b, "\tout.%s = axg_name_%s(w->s, v_%s);\n", fd.Name, a.Resolve(fd.Arg.Type).Name, fd.Arg.Name)
			default:
				fmt.Fprintf(b, "\tout.%s = (%s)v_%s;\n", fd.Name, fd.C, fd.Arg.Name)
			}
		}
		b.WriteString("\tmemcpy(at, &out, sizeof out);\n\tat += sizeof out;\n")
	}
	for _, x := range fr.OutData {
		v := "v_" + x.Arg.Name
		switch {
		case x.Element.Kind == describe.Handle:
			fmt.Fprintf(b, "\tfor (uint64_t i = 0; i < n_%s; i++)\n\t\t%s[i] = (%s)(uintptr_t)axg_name_%s(w->s, %s[i]);\n", x.Arg.Name, v, x.C, x.Element.Name, v)
		case x.Element.Carries != nil && x.Count != nil:
			fmt.Fprintf(b, "\tfor (uint64_t i = 0; i < n_%s; i++)\n\t\taxg_out_%s(w->s, &%s[i]);\n", x.Arg.Name, x.Element.Name, v)
		case x.Element.Carries != nil:
			fmt.Fprintf(b, "\taxg_out_%s(w->s, &%s);\n", x.Element.Name, v)
		}
		from := v
		if x.Count == nil && x.Arg.Dir != describe.Sized {
			from = "&" + v
		}
		fmt.Fprintf(b, "\tmemcpy(at, %s, n_%s * %s);\n\tat += (n_%s * %s + 7) & ~(uint64_t)7;\n", from, x.Arg.Name, sizeOf(x), x.Arg.Name, sizeOf(x))
	}
	if fr.Text != nil {
		fmt.Fprintf(b, "\tif (text)\n\t\tmemcpy(at, v_%s, text);\n\tat += text;\n", fr.Text.Name)
	}
	b.WriteString("\tw->out_size = (size_t)(at - (uint8_t *)w->out);\n")
}

func workerCount(a *describe.API, f *describe.Func, c *describe.Count) string {
	return countC(c, func(t describe.Term) string {
		if t.Sizeof {
			return fmt.Sprintf("axg_sizeof_%s(in.%s)", a.Resolve(f.Arg(t.Name).Type).Name, t.Name)
		}
		return "(uint64_t)in." + t.Name
	})
}
