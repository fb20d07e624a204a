// SPDX-License-Identifier: Apache-2.0

package describe

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

const head = `library toy
set result toy_result
set success TOY_OK
set invalid TOY_INVALID
set unsupported TOY_UNSUPPORTED
set missing TOY_NO_OBJECT
set broken TOY_UNKNOWN
set full TOY_FULL
set protocol 1
handle toy_thing = struct toy_thing_st
    pass 0 1
    missing TOY_NO_THING
enum toy_attr : toy_attr_enum {
    TOY_A = 1
    TOY_B = (1 << 4)
}
sizes toy_attr
    TOY_A 8
struct toy_config : toy_config_st {
    unsigned int n
    toy_place *places
    union {
        toy_thing thing
        char pad[16]
    } u
}
struct toy_place : toy_place_st {
    int type
    int id
}
carries toy_config
    places toy_place[n]
    u.thing toy_thing when n TOY_A
`

func TestAFunctionReadsLikeItsPrototype(t *testing.T) {
	a, err := Parse("toy", "toy.api", head+`
# a comment
hand both post toyCopy_v2(in const void *from[bytes], # where from
        size_t bytes, toy_thing to)
    = toyCopy 3020
    also toyCopy_v2_pt with to 0 as 2 = toyCopy 7000 per-thread
    also toyCopy_v2_other apart
    also toyCopy
refuse toyDraw(void) = toyDraw 2000
    "pictures # live elsewhere"
`)
	if err != nil {
		t.Fatal(err)
	}
	f := a.Func("toyCopy_v2")
	if f.Way != Post || !f.HandClient || !f.HandWorker || len(f.Args) != 3 {
		t.Fatalf("toyCopy_v2: %+v", f)
	}
	from := f.Args[0]
	if from.Dir != In || !from.Const || from.Stars != 1 || from.Type != "void" || from.Count != "bytes" || from.C != "const void *from" {
		t.Errorf("from: %+v", from)
	}
	if *f.Lookup != (Lookup{"toyCopy", 3020, false}) || *f.Also[0].Lookup != (Lookup{"toyCopy", 7000, true}) {
		t.Errorf("lookups: %+v, %+v", f.Lookup, f.Also[0].Lookup)
	}
	if s := f.Also[0]; len(s.With) != 1 || s.With[0] != "to" || s.From != 0 || s.To != 2 || s.Apart {
		t.Errorf("per-thread symbol: %+v", s)
	}
	if !f.Also[1].Apart || f.Also[2].Apart || f.Also[2].With != nil && len(f.Also[2].With) != 0 {
		t.Errorf("other symbols: %+v", f.Also[1:])
	}
	if d := a.Func("toyDraw"); d.Way != Refuse || d.Reason != "pictures # live elsewhere" || d.Args != nil {
		t.Errorf("toyDraw: %+v", d)
	}
	var calls []string
	for _, c := range a.Calls() {
		calls = append(calls, c.Name)
	}
	if got := strings.Join(calls, " "); got != "toyCopy_v2 toyCopy_v2_other" {
		t.Errorf("calls: %s", got)
	}
	if h := a.Type("toy_thing"); strings.Join(h.Pass, " ") != "0 1" || h.Missing != "TOY_NO_THING" {
		t.Errorf("toy_thing: %+v", h)
	}
}

// Each of these would make a frame that one half misreads, or C that says something else than the description.
func TestAFaultIsRefusedWithItsLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"wait toyA(int *p)", "needs its direction"},
		{"wait toyA(out int p)", "needs a pointer"},
		{"post toyA(out int *p)", "a posted call answers nothing"},
		{"wait toyA(out void *p)", "void needs a count"},
		{"wait toyA(in toy_thing *p[n])", "no other argument"},
		{"wait toyA(in toy_thing *p[p])", "no other argument"},
		{"wait toyA(in int *p[f], float f)", "no whole number"},
		{"wait toyA(in int *p[*n], in size_t *n)", "no inout number"},
		{"wait toyA(out void *p[sizeof n], int n)", "needs 'sizes"},
		{"wait toyA(in int *p[n+1], int n)", "neither a number nor an argument"},
		{"wait toyA(in int *p[], int n)", "empty count"},
		{"wait toyA(inout int *p[n], int n)", "inout arrays"},
		{"wait toyA(new int *p)", "is for one handle"},
		{"wait toyA(del toy_thing *p)", "is for one handle"},
		{"wait toyA(str int *p)", "str is for"},
		{"wait toyA(text char *p)", "text is for"},
		{"wait toyA(text const char **p, text const char **q)", "one text"},
		{"wait toyA(in char **p)", "cannot be carried"},
		{"wait toyA(out toy_config *p)", "cannot be an answer"},
		{"wait toyA(nothing n)", "no type nothing"},
		{"wait toyA(int a, int a)", "two arguments"},
		{"wait toyA(int ?a)", "only a pointer"},
		{"wait toyA(int a); system(\"x\")", "no declaration"},
		{"wait toyA(int a)\n    whatever", "is none of"},
		{"wait toyA(int a) = toyA 1000\n    = toyA 2000", "two lookup names"},
		{"wait toyA(int a) = toyA 1000\nwait toyB(int a) = toyA 1000", "would both answer"},
		{"wait toyA(int a)\nwait toyA(int a)", "described twice"},
		{"wait toyA(int a)\nwait toyB(int a)\n    also toyA", "described twice"},
		{"wait toyA(int a)\n    also toyB with b 0 as 2", "no such plain argument"},
		{"refuse toyA(int a)", "needs a reason"},
		{"wait toyA(int a)\n    \"because\"", "not refused"},
		{"hand here toyA(int a)", "has no frame"},
		{"hand refuse toyA(int a)\n    \"because\"", "via CALL"},
		{"refuse toyA(int a)\n    \"because\"\n    via toyB", "via"},
		{"hand refuse toyA(int a)\n    \"because\"\n    via toyB", "no such call is sent"},
		{"hand wait toyA(int a)\n    via toyB", "no such call is sent"},
		{"wait toyA(int a)\n    via toyA", "written by hand"},
		{"internal here toyA(int a)", "is sent"},
		{"toyA(int a)", "no declaration"},
		{"hand toyA(int a)", "before the name"},
		{"wait toyA(int a", "no declaration"},
		{"    wait toyA(int a)", "is no member"}, // it belongs to the line above
		{"type toy_a = toy_b\ntype toy_b = toy_a", "circle"},
		{"type toy_a = toy_none", "no type toy_none"},
		{"struct toy_s : s {\n    int a; int b\n}", "is no member"},
		{"struct toy_s : s {\n    int a", "closing brace"},
		{"struct toy_s : s {\n    union {\n        int a\n}", "stays open"},
		{"enum toy_e : e {\n    A = system()\n    B, C\n}", "is no value"},
		{"carries toy_none\n    a toy_thing", "no struct"},
		{"carries toy_place\n    id toy_attr", "is no handle"},
		{"sizes toy_place\n    A 8", "no enum"},
		{"handle toy_h = int", "handle needs"},
		{"part ../../etc/passwd", "no file name"},
		{"set protocol many", "small number"},
		{"set carrier pigeons", "takes packets"},
		{"wait toyA(sized toy_config *p)", "crosses in a packet"},
		{"set carrier packets\nwait toyA(sized toy_place *p)", "begins with"},
		{"set carrier packets\npost toyA(int a)", "always answered"},
		{"wait toyA(int a)\n    returns int", "answer it in the client"},
	} {
		text := head + c.text + "\n"
		if strings.HasPrefix(c.text, "    ") {
			text = strings.TrimSuffix(head, "\n") + "\nstruct toy_s : s {\n" + c.text + "\n}\n"
		}
		_, err := Parse("toy", "toy.api", text)
		var where *Error
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		} else if !errors.As(err, &where) || where.File != "toy.api" || where.Line < 1 {
			t.Errorf("%q: the error names no line: %v", c.text, err)
		}
	}
}

func TestADescriptionIsReadFromItsParts(t *testing.T) {
	a, err := Load(fstest.MapFS{
		"toy.api":  {Data: []byte(head + "part more.api\n")},
		"more.api": {Data: []byte("wait toyA(toy_thing t)\n")},
	}, "toy")
	if err != nil {
		t.Fatal(err)
	}
	if f := a.Func("toyA"); f == nil || f.Src.File != "more.api" || f.Src.Line != 1 {
		t.Errorf("toyA: %+v", f)
	}
	if _, err := Load(fstest.MapFS{"toy.api": {Data: []byte(head + "part none.api\n")}}, "toy"); err == nil {
		t.Error("a part that is not there was not missed")
	}
}

// Whatever stands in a file, reading it ends with a description that can be used or with an error.
func FuzzParse(f *testing.F) {
	f.Add(head + "wait toyA(in const void *p[n * 4 - 1], size_t n) = toyA 1000\n    also toyB with n 0 as 2\n")
	f.Add(head + "internal hand both post toyA(new toy_thing *t, out toy_attr *?a[*n], inout size_t *n)\n")
	f.Add("callback *f = void (void)\n\"\"\n#\n}\n")
	f.Add("wait (\n")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse("toy", "toy.api", text)
		if err != nil {
			return
		}
		for _, c := range a.Calls() {
			if a.Func(c.Func.Name) != c.Func {
				t.Errorf("%s is not found under its own name", c.Func.Name)
			}
		}
		a.Entries()
	})
}
