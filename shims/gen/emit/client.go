// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

// ClientHeader declares what the generated client half offers to the hand-written one.
func ClientHeader(a *describe.API) (string, error) {
	var b strings.Builder
	guard := "AXON_" + strings.ToUpper(a.Library) + "_CLIENT_H"
	fmt.Fprintf(&b, banner, a.Library)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include \"%s_calls.h\"\n\n", guard, guard, a.Library)
	b.WriteString("/* Calls of axon's own. */\n")
	for _, f := range a.Funcs {
		if f.Internal && !f.HandClient {
			fmt.Fprintf(&b, "%s;\n", Prototype(a, f, f.Name))
		}
	}
	for _, t := range a.Texts {
		fmt.Fprintf(&b, "\n/* The library's own words for a value; NULL for one that has none. */\nconst char *axg_text_%s(%s value);\n", t.Enum, t.Enum)
	}
	b.WriteString("\n/* Copies an array into a frame and zeroes its padding. Returns where the next one goes. */\n" + putC)
	b.WriteString("\n#endif\n")
	return b.String(), nil
}

const putC = `static inline void *axg_put(void *at, const void *from, uint64_t bytes)
{
	uint64_t padded = (bytes + 7) & ~(uint64_t)7;

	if (bytes)
		memcpy(at, from, bytes);
	if (padded > bytes)
		memset((uint8_t *)at + bytes, 0, padded - bytes);
	return (uint8_t *)at + padded;
}
`

// Client writes the client half: the exported functions that are not written by hand, and the lookup table.
func Client(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, banner, a.Library)
	b.WriteString("#include \"call.h\"\n")
	if len(a.Entries()) > 0 {
		b.WriteString("#include \"procaddress.h\"\n")
	}
	fmt.Fprintf(&b, "#include \"%s_client.h\"\n\n", a.Library)
	if err := tables(&b, a); err != nil {
		return "", err
	}
	for _, t := range a.Texts {
		fmt.Fprintf(&b, "const char *axg_text_%s(%s value)\n{\n\tswitch (value) {\n", t.Enum, t.Enum)
		for _, v := range t.Values {
			fmt.Fprintf(&b, "\tcase %s: return \"%s\";\n", v.Value, v.Text)
		}
		b.WriteString("\tdefault: return NULL;\n\t}\n}\n\n")
	}
	if err := nestedClient(&b, a); err != nil {
		return "", err
	}
	for _, f := range a.Funcs {
		fr, err := layout.Of(a, f)
		if f.Sent() && !f.HandClient && err == nil && fr.Text != nil {
			b.WriteString(keepC)
			break
		}
	}
	for _, f := range a.Funcs {
		if err := clientFunc(&b, a, f); err != nil {
			return "", err
		}
	}
	if len(a.Entries()) == 0 {
		return b.String(), nil // a library without a symbol lookup of its own
	}
	b.WriteString("const struct axg_entry axg_entry[] = {\n")
	for _, e := range a.Entries() {
		per := 0
		if e.PerThread {
			per = 1
		}
		fmt.Fprintf(&b, "\t{\"%s\", %d, %d, (void *)%s},\n", e.Name, e.Since, per, e.Symbol)
	}
	b.WriteString("};\nconst size_t axg_entries = sizeof axg_entry / sizeof *axg_entry;\n")
	return b.String(), nil
}

// A text that a library owns is valid for as long as its owner: the client keeps one copy of each for good.
const keepC = `#include <stdatomic.h>
#include <stdlib.h>

struct axg_kept {
	struct axg_kept *next;
	size_t bytes;
	char text[];
};

static const char *axg_keep(const void *from, size_t bytes)
{
	static _Atomic(struct axg_kept *) first;
	struct axg_kept *head = atomic_load_explicit(&first, memory_order_acquire);

	for (struct axg_kept *k = head; k; k = k->next)
		if (k->bytes == bytes && !memcmp(k->text, from, bytes))
			return k->text;
	struct axg_kept *made = malloc(sizeof *made + bytes + 1);
	if (!made)
		return NULL;
	made->bytes = bytes;
	memcpy(made->text, from, bytes);
	made->text[bytes] = 0;
	made->next = head;
	/* Two threads may keep the same text twice: that costs a copy, once. */
	while (!atomic_compare_exchange_weak_explicit(&first, &made->next, made, memory_order_release, memory_order_relaxed))
		;
	return made->text;
}

`

func clientFunc(b *strings.Builder, a *describe.API, f *describe.Func) error {
	byHand := f.HandClient || f.Way == describe.Here
	if !byHand {
		switch f.Way {
		case describe.Refuse, describe.Later:
			refusal(b, a, f, f.Name)
		default:
			if err := clientCall(b, a, f, f.Name); err != nil {
				return err
			}
		}
	}
	for _, s := range f.Also {
		switch {
		case len(s.With) == 0 && byHand:
			// by hand as well
		case f.Way == describe.Refuse || f.Way == describe.Later:
			refusal(b, a, f, s.Name)
		case s.Apart:
			if err := clientCall(b, a, f, s.Name); err != nil {
				return err
			}
		default:
			wrapper(b, a, f, s)
		}
	}
	return nil
}

func refusal(b *strings.Builder, a *describe.API, f *describe.Func, symbol string) {
	fmt.Fprintf(b, "AX_EXPORT %s\n{\n", Prototype(a, f, symbol))
	for _, arg := range f.Args {
		fmt.Fprintf(b, "\t(void)%s;\n", arg.Name)
	}
	fmt.Fprintf(b, "\treturn axc_refused(\"%s\");\n}\n\n", symbol)
}

// wrapper is a second symbol that calls the first one.
func wrapper(b *strings.Builder, a *describe.API, f *describe.Func, s describe.Symbol) {
	fmt.Fprintf(b, "AX_EXPORT %s\n{\n", Prototype(a, f, s.Name))
	for _, name := range s.With {
		fmt.Fprintf(b, "\tif (%s == (%s)%d)\n\t\t%s = (%s)%d;\n", name, f.Arg(name).Type, s.From, name, f.Arg(name).Type, s.To)
	}
	var args []string
	for _, arg := range f.Args {
		args = append(args, arg.Name)
	}
	fmt.Fprintf(b, "\treturn %s(%s);\n}\n\n", f.Name, strings.Join(args, ", "))
}

// clientCall writes a call: check, make room, fill, send, and take the answer.
func clientCall(b *strings.Builder, a *describe.API, f *describe.Func, symbol string) error {
	fr, err := layout.Of(a, f)
	if err != nil {
		return err
	}
	invalid := a.Head["invalid"]
	if !f.Internal {
		b.WriteString("AX_EXPORT ")
	}
	fmt.Fprintf(b, "%s\n{\n\tstruct axc_call ax_c;\n", Prototype(a, f, symbol))
	// Names of our own start with ax_: the arguments' are the vendor's.
	fixed := "0"
	if fr.InSize > 0 {
		fmt.Fprintf(b, "\tstruct ax_in_%s *ax_in;\n", symbol)
		fixed = "sizeof *ax_in"
	}
	if len(fr.InData) > 0 {
		b.WriteString("\tuint64_t ax_data = 0;\n\tvoid *ax_at;\n")
	}
	if len(fr.OutData) > 0 {
		b.WriteString("\tuint64_t ax_answer = 0;\n")
	}
	fmt.Fprintf(b, "\t%s ax_r;\n\n", a.Head["result"])

	// 0. A session: the vendor says so first, too. A forked child must not go on to locks that nobody holds any more.
	fmt.Fprintf(b, "\tax_r = axc_ready();\n\tif (ax_r != %s)\n\t\treturn ax_r;\n", a.Head["success"])

	// 1. Pointers that have to be there.
	var nulls []string
	for _, arg := range f.Args {
		if arg.Stars > 0 && arg.Dir != describe.Opaque && !arg.Nullable && arg.Count == "" {
			nulls = append(nulls, "!"+arg.Name)
		}
	}
	if nulls != nil {
		fmt.Fprintf(b, "\tif (%s)\n\t\treturn %s;\n", strings.Join(nulls, " || "), invalid)
	}

	// A posted call's errors come late, so what the client knows at once is said at once: a handle that is none.
	if f.Way == describe.Post {
		for _, fd := range fr.In {
			if fd.Role != layout.Name || fd.Arg.Dir == describe.New || fd.Arg.Stars > 0 {
				continue
			}
			h, value := a.Resolve(fd.Arg.Type), fmt.Sprintf("(uint64_t)(uintptr_t)%s", fd.Arg.Name)
			test := ""
			for _, p := range h.Pass {
				test += fmt.Sprintf("%s != %s && ", value, p)
			}
			fmt.Fprintf(b, "\tif (%saxc_check(AXH_%s, %s))\n\t\treturn axc_missing(%s, \"%s\", \"%s\", \"%s\", %s);\n",
				test, h.Name, value, h.Missing, f.Name, h.Name, fd.Arg.Name, value)
		}
	}

	// 2. Lengths, before anything they are read from can change.
	length := func(x layout.Array) error {
		switch {
		case x.Arg.Dir == describe.Str:
			fmt.Fprintf(b, "\tuint64_t ax_n_%s = %sstrlen(%s);\n", x.Arg.Name, ifThere(x.Arg), x.Arg.Name)
		case x.Arg.Dir == describe.Sized:
			fmt.Fprintf(b, "\tuint64_t ax_n_%s = axg_sized(%s);\n\tif (!axg_sized_fits(ax_n_%s, sizeof *%s))\n\t\treturn %s;\n",
				x.Arg.Name, x.Arg.Name, x.Arg.Name, x.Arg.Name, mismatch(a))
		case x.Count != nil:
			fmt.Fprintf(b, "\tuint64_t ax_n_%s = %s%s;\n", x.Arg.Name, ifThere(x.Arg), clientCount(a, f, x.Count))
			if !x.Arg.Nullable {
				fmt.Fprintf(b, "\tif (!%s && ax_n_%s)\n\t\treturn %s;\n", x.Arg.Name, x.Arg.Name, invalid)
			}
		case x.Arg.Nullable:
			fmt.Fprintf(b, "\tuint64_t ax_n_%s = %s != NULL;\n", x.Arg.Name, x.Arg.Name)
		}
		return nil
	}
	seen := map[*describe.Arg]bool{}
	for _, x := range append(append([]layout.Array{}, fr.InData...), fr.OutData...) {
		if !seen[x.Arg] {
			seen[x.Arg] = true
			if err := length(x); err != nil {
				return err
			}
		}
	}
	var rooms []string
	for _, x := range fr.InData {
		rooms = append(rooms, fmt.Sprintf("axg_room(&ax_data, %s, %s)", lengthOf(x), sizeOf(x)))
		if nested(x.Element) {
			rooms = append(rooms, fmt.Sprintf("axg_room_%s(&ax_data, %s, %s)", x.Element.Name, pointerTo(x), lengthOf(x)))
		}
	}
	for _, x := range fr.OutData {
		rooms = append(rooms, fmt.Sprintf("axg_room(&ax_answer, %s, %s)", lengthOf(x), sizeOf(x)))
	}
	for _, r := range rooms {
		fmt.Fprintf(b, "\tif (%s)\n\t\treturn %s;\n", r, invalid)
	}

	// 3. Fill.
	for _, fd := range fr.In {
		if fd.Arg != nil && fd.Arg.Dir == describe.New {
			fmt.Fprintf(b, "\tuint64_t ax_new_%s = axc_new(AXH_%s);\n\tif (!ax_new_%s)\n\t\treturn %s;\n",
				fd.Arg.Name, a.Resolve(fd.Arg.Type).Name, fd.Arg.Name, a.Head["full"])
		}
	}
	data := "0"
	if len(fr.InData) > 0 {
		data = "ax_data"
	}
	fmt.Fprintf(b, "\tax_r = axc_begin(&ax_c, AX_%s, %s, %s);\n\tif (ax_r != %s) {\n", symbol, fixed, data, a.Head["success"])
	for _, fd := range fr.In {
		if fd.Arg != nil && fd.Arg.Dir == describe.New {
			fmt.Fprintf(b, "\t\taxc_forget(AXH_%s, ax_new_%s);\n", a.Resolve(fd.Arg.Type).Name, fd.Arg.Name)
		}
	}
	b.WriteString("\t\treturn ax_r;\n\t}\n")
	if fr.InSize > 0 {
		b.WriteString("\tax_in = ax_c.in;\n")
	}
	for _, fd := range fr.In {
		fmt.Fprintf(b, "\tax_in->%s = %s;\n", fd.Name, fieldValue(a, fd))
	}
	if len(fr.InData) > 0 {
		b.WriteString("\tax_at = ax_c.data;\n")
		for _, x := range fr.InData {
			fmt.Fprintf(b, "\tax_at = axg_put(ax_at, %s, %s * %s);\n", pointerTo(x), lengthOf(x), sizeOf(x))
			if nested(x.Element) {
				fmt.Fprintf(b, "\tax_at = axg_put_%s(ax_at, %s, %s);\n", x.Element.Name, pointerTo(x), lengthOf(x))
			}
		}
		b.WriteString("\t(void)ax_at;\n")
	}

	// 4. Send, and what follows from the result.
	if f.Way == describe.Post {
		b.WriteString("\tax_r = axc_post(&ax_c);\n")
	} else {
		b.WriteString("\tax_r = axc_wait(&ax_c);\n")
		if fr.Answers() {
			clientAnswer(b, a, f, fr, symbol)
		}
		b.WriteString("\taxc_end(&ax_c);\n")
	}
	for _, fd := range fr.In {
		if fd.Arg == nil || fd.Role != layout.Name {
			continue
		}
		kind := a.Resolve(fd.Arg.Type).Name
		switch fd.Arg.Dir {
		case describe.New:
			// A posted call's error comes too late to say that there is no such object: its name stays, and is refused.
			fmt.Fprintf(b, "\tif (ax_r != %s)\n\t\taxc_forget(AXH_%s, ax_new_%s);\n\telse\n\t\t*%s = (%s)(uintptr_t)ax_new_%s;\n",
				a.Head["success"], kind, fd.Arg.Name, fd.Arg.Name, fd.Arg.Type, fd.Arg.Name)
		case describe.Del:
			fmt.Fprintf(b, "\tif (ax_r == %s)\n\t\taxc_forget(AXH_%s, (uint64_t)(uintptr_t)%s);\n", a.Head["success"], kind, fd.Arg.Name)
		}
	}
	b.WriteString("\treturn ax_r;\n}\n\n")
	return nil
}

func clientAnswer(b *strings.Builder, a *describe.API, f *describe.Func, fr *layout.Frame, symbol string) {
	size := "0"
	if fr.OutSize > 0 {
		size = fmt.Sprintf("sizeof(struct ax_out_%s)", symbol)
	}
	if len(fr.OutData) > 0 {
		size += " + ax_answer"
	}
	right := fmt.Sprintf("ax_c.out && ax_c.out_size == %s", size)
	if fr.Text != nil {
		right = fmt.Sprintf("ax_c.out && ax_c.out_size >= %s && ax_c.out_size - (%s) == ((const struct ax_out_%s *)ax_c.out)->len_%s",
			size, size, symbol, fr.Text.Name)
	}
	if f.OnError {
		fmt.Fprintf(b, "\tif (%s) {\n", right)
	} else {
		fmt.Fprintf(b, "\tif (ax_r == %s && %s) {\n", a.Head["success"], right)
	}
	if fr.OutSize > 0 {
		fmt.Fprintf(b, "\t\tconst struct ax_out_%s *ax_out = ax_c.out;\n", symbol)
	}
	for _, fd := range fr.Out {
		if fd.Role == layout.Pad || fd.Role == layout.Length {
			continue
		}
		cast := fmt.Sprintf("(%s)", fd.Arg.Type)
		if fd.Role == layout.Name {
			cast += "(uintptr_t)"
		}
		guard := ""
		if fd.Arg.Nullable {
			guard = fmt.Sprintf("if (%s)\n\t\t\t", fd.Arg.Name)
		}
		fmt.Fprintf(b, "\t\t%s*%s = %sax_out->%s;\n", guard, fd.Arg.Name, cast, fd.Name)
	}
	if len(fr.OutData) > 0 {
		start := "ax_c.out"
		if fr.OutSize > 0 {
			start = "ax_out + 1"
		}
		fmt.Fprintf(b, "\t\tconst uint8_t *ax_from = (const uint8_t *)(%s);\n", start)
		for _, x := range fr.OutData {
			bytes := fmt.Sprintf("%s * %s", lengthOf(x), sizeOf(x))
			if x.Count != nil || x.Arg.Nullable {
				fmt.Fprintf(b, "\t\tif (%s)\n\t", lengthOf(x))
			}
			fmt.Fprintf(b, "\t\tmemcpy(%s, ax_from, %s);\n\t\tax_from += (%s + 7) & ~(uint64_t)7;\n", x.Arg.Name, bytes, bytes)
		}
		b.WriteString("\t\t(void)ax_from;\n")
	}
	if fr.Text != nil {
		fmt.Fprintf(b, "\t\t*%s = axg_keep((const uint8_t *)ax_c.out + %s, ax_out->len_%s);\n\t\tif (!*%s)\n\t\t\tax_r = %s;\n",
			fr.Text.Name, size, fr.Text.Name, fr.Text.Name, a.Head["full"])
	}
	fmt.Fprintf(b, "\t} else if (ax_r == %s) {\n\t\tax_r = %s;\n\t}\n", a.Head["success"], a.Head["broken"])
}

// fieldValue is what the client puts into a field of the fixed part.
func fieldValue(a *describe.API, fd layout.Field) string {
	arg := fd.Arg
	switch fd.Role {
	case layout.Pad:
		return "0"
	case layout.Has:
		return fmt.Sprintf("%s != NULL", arg.Name)
	case layout.Length:
		return fmt.Sprintf("(uint32_t)ax_n_%s", arg.Name)
	case layout.Number:
		return fmt.Sprintf("(uint64_t)(uintptr_t)%s", arg.Name)
	case layout.Name:
		switch {
		case arg.Dir == describe.New:
			return fmt.Sprintf("ax_new_%s", arg.Name)
		case arg.Stars > 0 && arg.Nullable:
			return fmt.Sprintf("%s ? (uint64_t)(uintptr_t)*%s : 0", arg.Name, arg.Name)
		case arg.Stars > 0:
			return fmt.Sprintf("(uint64_t)(uintptr_t)*%s", arg.Name)
		}
		return fmt.Sprintf("(uint64_t)(uintptr_t)%s", arg.Name)
	}
	switch {
	case arg.Stars > 0 && arg.Nullable:
		return fmt.Sprintf("%s ? (%s)*%s : 0", arg.Name, fd.C, arg.Name)
	case arg.Stars > 0:
		return fmt.Sprintf("(%s)*%s", fd.C, arg.Name)
	}
	return fmt.Sprintf("(%s)%s", fd.C, arg.Name)
}

func ifThere(arg *describe.Arg) string {
	if !arg.Nullable {
		return ""
	}
	return fmt.Sprintf("!%s ? 0 : ", arg.Name)
}

// lengthOf is the number of elements of an array on the client's side.
func lengthOf(x layout.Array) string {
	if x.Arg.Dir == describe.Str || x.Arg.Dir == describe.Sized || x.Count != nil || x.Arg.Nullable {
		return "ax_n_" + x.Arg.Name
	}
	return "(uint64_t)1"
}

func sizeOf(x layout.Array) string {
	if x.C == "" {
		return "1"
	}
	return fmt.Sprintf("sizeof(%s)", x.C)
}

// pointerTo is where an array of the client starts: a struct by value has an address, too.
func pointerTo(x layout.Array) string {
	if x.Arg.Stars == 0 {
		return "&" + x.Arg.Name
	}
	return x.Arg.Name
}

func clientCount(a *describe.API, f *describe.Func, c *describe.Count) string {
	return countC(c, func(t describe.Term) string {
		switch {
		case t.Sizeof:
			return fmt.Sprintf("axg_sizeof_%s(%s)", a.Resolve(f.Arg(t.Name).Type).Name, t.Name)
		case t.Deref:
			return "(uint64_t)*" + t.Name
		}
		return "(uint64_t)" + t.Name
	})
}

// nested says whether a struct points to arrays that travel behind it.
func nested(t *describe.Type) bool {
	if t == nil {
		return false
	}
	for _, c := range t.Carries {
		if c.Count != "" {
			return true
		}
	}
	return false
}

// nestedClient writes, for each struct that points to arrays, how much room those take and how they are put behind it.
func nestedClient(b *strings.Builder, a *describe.API) error {
	for _, t := range used(a) {
		if !nested(t) {
			continue
		}
		fmt.Fprintf(b, "static int axg_room_%s(uint64_t *total, const %s *v, uint64_t n)\n{\n\tfor (uint64_t i = 0; i < n; i++) {\n", t.Name, t.Name)
		for _, c := range t.Carries {
			if c.Count == "" {
				continue
			}
			fmt.Fprintf(b, "\t\tif (!v[i].%s && v[i].%s)\n\t\t\treturn -1;\n", c.Member, c.Count)
			fmt.Fprintf(b, "\t\tif (axg_room(total, v[i].%s, sizeof *v[i].%s))\n\t\t\treturn -1;\n", c.Count, c.Member)
		}
		fmt.Fprintf(b, "\t}\n\treturn 0;\n}\n\nstatic void *axg_put_%s(void *at, const %s *v, uint64_t n)\n{\n\tfor (uint64_t i = 0; i < n; i++) {\n", t.Name, t.Name)
		for _, c := range t.Carries {
			if c.Count != "" {
				fmt.Fprintf(b, "\t\tat = axg_put(at, v[i].%s, v[i].%s * sizeof *v[i].%s);\n", c.Member, c.Count, c.Member)
			}
		}
		b.WriteString("\t}\n\treturn at;\n}\n\n")
	}
	return nil
}

// used lists the structs with members of their own way that generated halves send or get.
func used(a *describe.API) []*describe.Type {
	want := map[*describe.Type]bool{}
	for _, f := range a.Funcs {
		if !f.Sent() || f.HandClient {
			continue
		}
		for _, arg := range f.Args {
			t := a.Resolve(arg.Type)
			if t != nil && t.Carries != nil {
				want[t] = true
			}
		}
	}
	var out []*describe.Type
	for _, t := range a.Types {
		if want[t] {
			out = append(out, t)
		}
	}
	return out
}
