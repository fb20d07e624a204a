// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"strings"
	"testing"

	"nervlinux.org/axon/shims/gen/describe"
)

const head = `
library toy
set result toy_result
set success TOY_OK
set invalid TOY_INVALID
set unsupported TOY_UNSUPPORTED
set missing TOY_NO_OBJECT
set broken TOY_UNKNOWN
set full TOY_FULL
set protocol 7
handle toy_thing = struct toy_thing_st
enum toy_attr : toy_attr_enum {
    TOY_A = 1
}
sizes toy_attr
    TOY_A 8
struct toy_place : toy_place_st {
    int type
    int id
}
callback *toy_fn = void (void *data)
type toy_pointer = unsigned long long
`

func parse(t *testing.T, text string) *describe.API {
	t.Helper()
	a, err := describe.Parse("toy", "toy.api", head+text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// show writes a frame on one line: the fields as name@offset, the arrays as name[count].
func show(fr *Frame) string {
	fields := func(list []Field) string {
		var out []string
		for _, f := range list {
			out = append(out, fmt.Sprintf("%s %s@%d", f.C, f.Name, f.Offset))
		}
		return strings.Join(out, ", ")
	}
	arrays := func(list []Array) string {
		var out []string
		for _, x := range list {
			c := x.C
			if c == "" {
				c = "bytes"
			}
			out = append(out, fmt.Sprintf("%s %s[%s]", c, x.Arg.Name, x.Arg.Count))
		}
		return strings.Join(out, ", ")
	}
	return fmt.Sprintf("in %d {%s} {%s} out %d {%s} {%s}", fr.InSize, fields(fr.In), arrays(fr.InData), fr.OutSize, fields(fr.Out), arrays(fr.OutData))
}

func TestArgumentsStandWhereBothHalvesLookForThem(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"void", "in 0 {} {} out 0 {} {}"},
		{"int a", "in 8 {int32_t a@0, uint32_t pad0@4} {} out 0 {} {}"},
		{"unsigned char a, unsigned short b", "in 8 {uint32_t a@0, uint32_t b@4} {} out 0 {} {}"},
		{"int a, size_t b, toy_attr c", "in 24 {int32_t a@0, uint32_t pad0@4, uint64_t b@8, uint32_t c@16, uint32_t pad1@20} {} out 0 {} {}"},
		{"float f, double d", "in 16 {float f@0, uint32_t pad0@4, double d@8} {} out 0 {} {}"},
		{"toy_thing t, toy_pointer p", "in 16 {uint64_t t@0, uint64_t p@8} {} out 0 {} {}"},
		{"opaque void *user, toy_fn fn", "in 16 {uint64_t user@0, uint64_t fn@8} {} out 0 {} {}"},
		{"toy_place p, int a", "in 8 {int32_t a@0, uint32_t pad0@4} {toy_place p[]} out 0 {} {}"},
		{"out int *a, out size_t *?b", "in 8 {uint32_t has_b@0, uint32_t pad0@4} {} out 16 {int32_t a@0, uint32_t pad0@4, uint64_t b@8} {}"},
		{"out toy_thing *t", "in 0 {} {} out 8 {uint64_t t@0} {}"},
		{"new toy_thing *t", "in 8 {uint64_t t@0} {} out 0 {} {}"},
		{"del toy_thing t", "in 8 {uint64_t t@0} {} out 0 {} {}"},
		{"inout toy_attr *a", "in 8 {uint32_t a@0, uint32_t pad0@4} {} out 8 {uint32_t a@0, uint32_t pad0@4} {}"},
		{"inout toy_place *p", "in 0 {} {toy_place p[]} out 0 {} {toy_place p[]}"},
		{"str name", "in 8 {uint32_t len_name@0, uint32_t pad0@4} {char name[]} out 0 {} {}"},
		{"text const char **name", "in 0 {} {} out 8 {uint32_t len_name@0, uint32_t pad0@4} {}"},
		{"in const void *b[n], size_t n", "in 8 {uint64_t n@0} {bytes b[n]} out 0 {} {}"},
		{"in const toy_thing *t[n], unsigned int n", "in 8 {uint32_t n@0, uint32_t pad0@4} {toy_thing t[n]} out 0 {} {}"},
		{"in void **v[n], unsigned int n", "in 8 {uint32_t n@0, uint32_t pad0@4} {uint64_t v[n]} out 0 {} {}"},
		{"out char *s[len], int len", "in 8 {int32_t len@0, uint32_t pad0@4} {} out 0 {} {char s[len]}"},
		{"out toy_thing *?t[*n], inout size_t *n", "in 16 {uint32_t has_t@0, uint32_t pad0@4, uint64_t n@8} {} out 8 {uint64_t n@0} {toy_thing t[*n]}"},
		{"out void *v[sizeof a], toy_attr a", "in 8 {uint32_t a@0, uint32_t pad0@4} {} out 0 {} {bytes v[sizeof a]}"},
	} {
		a := parse(t, "wait toyCall("+c.args+")\n")
		fr, err := Of(a, a.Func("toyCall"))
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if got := show(fr); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.args, got, c.want)
		}
	}
}

func TestAStructThatSaysItsSizeIsBytesBothWays(t *testing.T) {
	a := parse(t, "set carrier packets\nstruct toy_sized : s {\n    unsigned int version\n    double d\n}\n"+
		"wait toyCall(toy_thing t, sized toy_sized *s, inout int *v[n], int n)\n")
	fr, err := Of(a, a.Func("toyCall"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "in 16 {uint64_t t@0, uint32_t len_s@8, int32_t n@12} {bytes s[], int v[n]} out 0 {} {bytes s[], int v[n]}"
	if got := show(fr); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestFixedPartsHaveNoHoles(t *testing.T) {
	a := parse(t, "wait toyCall(int a, size_t b, int c, float d, toy_thing e, int f, out int *g, out size_t *h)\n")
	fr, err := Of(a, a.Func("toyCall"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		fields []Field
		size   int
	}{{fr.In, fr.InSize}, {fr.Out, fr.OutSize}} {
		at := 0
		for _, f := range part.fields {
			if f.Offset != at || f.Offset%f.Size != 0 {
				t.Errorf("%s at %d, want %d", f.Name, f.Offset, at)
			}
			at += f.Size
		}
		if at != part.size || at%8 != 0 {
			t.Errorf("%d bytes of fields in %d", at, part.size)
		}
	}
}

func TestTwoBuildsThatDisagreeHaveDifferentFingerprints(t *testing.T) {
	const base = "wait toyOne(int a)\npost toyTwo(toy_thing t)\n"
	of := func(text string) [16]byte {
		sum, err := Fingerprint(parse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	was := of(base)
	for what, text := range map[string]string{
		"order":     "post toyTwo(toy_thing t)\nwait toyOne(int a)\n",
		"name":      "wait toyOther(int a)\npost toyTwo(toy_thing t)\n",
		"way":       "post toyOne(int a)\npost toyTwo(toy_thing t)\n",
		"argument":  "wait toyOne(unsigned int a)\npost toyTwo(toy_thing t)\n",
		"direction": "wait toyOne(int a)\npost toyTwo(del toy_thing t)\n", // the same bytes, but another meaning of them
		"more":      base + "wait toyThree(void)\n",
		"handle":    base + "handle toy_other = struct toy_other_st\n",
		"struct":    base + "struct toy_more : t {\n    int a\n}\n",
	} {
		if of(text) == was {
			t.Errorf("another %s, the same fingerprint", what)
		}
	}
	for what, text := range map[string]string{
		"comment": "# a comment\n" + base,
		"lookup":  "wait toyOne(int a) = toyOne 1000\npost toyTwo(toy_thing t)\n",
		"later":   base + "later toyLater(int *p)\n    \"not yet\"\n",
		"here":    base + "here toyHere(out int *p)\n",
	} {
		if of(text) != was {
			t.Errorf("only a %s differs, and the fingerprint does", what)
		}
	}
}
