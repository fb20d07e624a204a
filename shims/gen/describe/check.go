// SPDX-License-Identifier: Apache-2.0

package describe

import (
	"sort"
	"strconv"
	"strings"
)

// Settings that every head has to make: the result type, and its values that generated code returns.
var required = []string{"result", "success", "invalid", "unsupported", "missing", "broken", "full", "protocol"}

// check resolves names and refuses what cannot be carried.
func (a *API) check() error {
	for _, key := range required {
		if a.Head[key] == "" {
			return &Error{a.Library + ".api", 1, "the head lacks 'set " + key + " ...'"}
		}
	}
	if _, err := strconv.ParseUint(a.Head["protocol"], 10, 16); err != nil {
		return &Error{a.Library + ".api", 1, "set protocol takes a small number"}
	}
	if c := a.Head["carrier"]; c != "" && c != "packets" {
		return &Error{a.Library + ".api", 1, "set carrier takes packets; without it calls cross in a region"}
	}
	for _, t := range a.Types {
		if err := a.checkType(t); err != nil {
			return err
		}
	}
	if err := a.checkSymbols(); err != nil {
		return err
	}
	for _, f := range a.Funcs {
		if err := a.checkFunc(f); err != nil {
			return err
		}
	}
	return nil
}

func (a *API) checkType(t *Type) error {
	switch t.Kind {
	case Alias:
		seen := map[string]bool{}
		for u := t; u.Kind == Alias && !strings.HasSuffix(u.Target, "*"); {
			if seen[u.Name] {
				return t.Src.Errorf("type %s goes round in a circle", t.Name)
			}
			seen[u.Name] = true
			next := a.byName[u.Target]
			if next == nil {
				return t.Src.Errorf("type %s: there is no type %s", t.Name, u.Target)
			}
			u = next
		}
	case Handle:
		if t.Missing == "" {
			t.Missing = a.Head["missing"]
		}
	}
	for _, c := range t.Carries {
		to := a.Resolve(c.Type)
		switch {
		case c.Drop:
		case to == nil:
			return t.Src.Errorf("carries %s: there is no type %s", t.Name, c.Type)
		case c.Count == "" && to.Kind != Handle:
			return t.Src.Errorf("carries %s: %s is no handle; an array of structs needs its count: %s[N]", t.Name, c.Type, c.Type)
		}
	}
	return nil
}

func (a *API) checkSymbols() error {
	seen := map[string]*Func{}
	type entry struct {
		name      string
		since     int
		perThread bool
	}
	entries := map[entry]string{}
	for _, f := range a.Funcs {
		for _, s := range f.Symbols() {
			if seen[s.Name] != nil {
				return f.Src.Errorf("%s is described twice, first at %s:%d", s.Name, seen[s.Name].Src.File, seen[s.Name].Src.Line)
			}
			seen[s.Name] = f
			if s.Lookup == nil {
				continue
			}
			e := entry{s.Lookup.Name, s.Lookup.Since, s.Lookup.PerThread}
			if other, taken := entries[e]; taken {
				return f.Src.Errorf("%s and %s would both answer %s %d", s.Name, other, e.name, e.since)
			}
			entries[e] = s.Name
		}
		if f.Internal && f.Lookup != nil {
			return f.Src.Errorf("%s: an internal call cannot be looked up", f.Name)
		}
	}
	return nil
}

func (a *API) checkFunc(f *Func) error {
	switch {
	case f.Reason == "" && (f.Way == Refuse || f.Way == Later):
		return f.Src.Errorf("%s: %s needs a reason in quotes", f.Name, f.Way)
	case f.Reason != "" && f.Way != Refuse && f.Way != Later:
		return f.Src.Errorf("%s: a reason, but it is not refused", f.Name)
	case f.Via != "" && (!f.HandClient || f.HandWorker):
		return f.Src.Errorf("%s: 'via' is for calls whose client half is written by hand", f.Name)
	case f.Way == Refuse && f.HandClient != (f.Via != ""):
		return f.Src.Errorf("%s: what is refused after the library was asked reads: hand refuse ... via CALL", f.Name)
	case f.HandClient && f.Way != Wait && f.Way != Post && f.Way != Refuse:
		return f.Src.Errorf("%s: 'hand' goes with wait and post; %s has no frame", f.Name, f.Way)
	case f.Internal && f.Way != Wait && f.Way != Post:
		return f.Src.Errorf("%s: an internal call is sent: wait or post", f.Name)
	case a.Packets() && f.Way == Post:
		return f.Src.Errorf("%s: a packet is always answered: wait", f.Name)
	case f.Result != "" && f.Sent():
		return f.Src.Errorf("%s: only a result of the head's type comes back: answer it in the client (here)", f.Name)
	}
	if f.Via != "" {
		if to := a.funcs[f.Via]; to == nil || !to.Sent() {
			return f.Src.Errorf("%s: via %s, but no such call is sent", f.Name, f.Via)
		}
	}
	for name := range f.Usual {
		if arg := f.Arg(name); arg == nil || arg.Count != "" || (arg.Dir != Value && arg.Dir != InOut) {
			return f.Src.Errorf("%s: 'usual %s': there is no such number", f.Name, name)
		}
	}
	for _, s := range f.Also {
		for _, name := range s.With {
			arg := f.Arg(name)
			if arg == nil || arg.Stars > 0 {
				return f.Src.Errorf("%s: 'also %s with %s': there is no such plain argument", f.Name, s.Name, name)
			}
		}
	}
	for i, arg := range f.Args {
		if err := a.checkArg(f, i, arg); err != nil {
			return err
		}
	}
	return nil
}

func (a *API) checkArg(f *Func, i int, arg *Arg) error {
	bad := func(format string, args ...any) error {
		return f.Src.Errorf("%s: argument %s: "+format, append([]any{f.Name, arg.Name}, args...)...)
	}
	t := a.Resolve(arg.Type)
	if t == nil {
		return bad("there is no type %s", arg.Type)
	}
	if !f.Sent() {
		return nil // only the prototype matters
	}
	if arg.Stars == 0 && t == a.byName["void"] {
		return bad("void is no value")
	}
	if arg.Stars == 0 && arg.Dir != Value && arg.Dir != Del && arg.Dir != Opaque {
		return bad("%q needs a pointer", arg.Dir)
	}
	answers := arg.Dir == Out || arg.Dir == InOut || arg.Dir == Text || arg.Dir == Sized
	if f.Way == Post && answers {
		return bad("a posted call answers nothing: wait, or let the client name it (new)")
	}
	switch arg.Dir {
	case Value:
		if arg.Stars > 0 {
			return bad("a pointer needs its direction: in, out, inout, new, del, str or opaque")
		}
	case New, Del:
		if t.Kind != Handle || arg.Count != "" || arg.Nullable || (arg.Dir == New) != (arg.Stars == 1) {
			return bad("%q is for one handle", arg.Dir)
		}
	case Str:
		if arg.Type != "char" || arg.Stars != 1 || arg.Count != "" {
			return bad("str is for const char *")
		}
	case Text:
		if arg.Type != "char" || arg.Stars != 2 || arg.Count != "" || arg.Nullable {
			return bad("text is for const char **")
		}
		for _, other := range f.Args {
			if other != arg && other.Dir == Text {
				return bad("one text an answer is all that is carried")
			}
		}
	case Sized:
		if !a.Packets() || t.Kind != Struct || arg.Stars != 1 || arg.Count != "" || arg.Nullable || t.Body[0] != "unsigned int version" {
			return bad("sized is for one struct that crosses in a packet and begins with 'unsigned int version'")
		}
	case Opaque:
		if arg.Count != "" || arg.Nullable {
			return bad("an opaque pointer is only a number")
		}
	default:
		element := arg.Element(a)
		if element == nil {
			return bad("its elements cannot be carried (%s)", arg.C)
		}
		if element.Kind == Scalar && element.Size == 0 && arg.Count == "" {
			return bad("void needs a count of bytes: %s[n]", arg.Name)
		}
		if arg.Dir == InOut && arg.Count != "" && !a.Packets() {
			return bad("inout arrays are not carried; write the call by hand")
		}
		if err := a.checkCount(f, i, arg, bad); err != nil {
			return err
		}
		if arg.Dir == Out && !f.HandWorker {
			for _, c := range element.Carries {
				if c.Count != "" {
					return bad("%s holds an array: it cannot be an answer", element.Name)
				}
			}
		}
	}
	return nil
}

func (a *API) checkCount(f *Func, i int, arg *Arg, bad func(string, ...any) error) error {
	if arg.Count == "" {
		return nil
	}
	e, err := ParseCount(arg.Count)
	if err != nil {
		return bad("%v", err)
	}
	for _, term := range e.Terms {
		if term.Name == "" {
			continue
		}
		n := f.Arg(term.Name)
		switch {
		case n == nil || n == arg:
			return bad("its count names %s, which is no other argument", term.Name)
		case term.Sizeof:
			t := a.Resolve(n.Type)
			if n.Stars != 0 || t.Kind != Enum || a.Sizes[t.Name] == nil {
				return bad("sizeof %s: needs 'sizes %s' and a plain argument", term.Name, n.Type)
			}
		case term.Deref:
			t := a.Resolve(n.Type)
			if n.Stars != 1 || n.Dir != InOut || t.Kind != Scalar || t.Float || t.Size < 4 {
				return bad("*%s is no inout number", term.Name)
			}
		default:
			t := a.Resolve(n.Type)
			if n.Stars != 0 || t.Kind != Scalar || t.Float || t.Size < 4 {
				return bad("%s is no whole number to count by", term.Name)
			}
		}
	}
	return nil
}

// Resolve follows aliases to the type behind a name: nil if there is none. A handle or an enum is what it is.
func (a *API) Resolve(name string) *Type {
	for i := 0; i < 16; i++ {
		t := a.byName[name]
		if t == nil || t.Kind != Alias || strings.HasSuffix(t.Target, "*") {
			return t
		}
		name = t.Target
	}
	return nil
}

// Element is what a pointer argument points to: for void one byte, for a pointer to untyped pointers a 64-bit number.
// nil if that cannot be carried: pointers to pointers of other types.
func (arg *Arg) Element(a *API) *Type {
	t := a.Resolve(arg.Type)
	if arg.Stars == 1 && t != nil && t.Kind != Callback && !(t.Kind == Alias) {
		return t
	}
	if arg.Stars == 2 && arg.Type == "void" {
		return a.byName["uint64_t"]
	}
	return nil
}

// Arg finds an argument by name; nil for none.
func (f *Func) Arg(name string) *Arg {
	for _, arg := range f.Args {
		if arg.Name == name {
			return arg
		}
	}
	return nil
}

// Sent says whether a call of this function has a frame of its own.
func (f *Func) Sent() bool { return (f.Way == Wait || f.Way == Post) && f.Via == "" }

// Symbols lists every exported name, the main one first.
func (f *Func) Symbols() []Symbol { return append([]Symbol{f.Symbol}, f.Also...) }

// A Call is something with a number of its own: a function that is sent, or another symbol of one, described as apart.
type Call struct {
	Name string
	Func *Func
}

// Calls lists the calls in the order of their numbers; the first one's number is 1.
func (a *API) Calls() []Call {
	var out []Call
	for _, f := range a.Funcs {
		if !f.Sent() {
			continue
		}
		out = append(out, Call{f.Name, f})
		for _, s := range f.Also {
			if s.Apart {
				out = append(out, Call{s.Name, f})
			}
		}
	}
	return out
}

// An Entry is a line of the symbol lookup table.
type Entry struct {
	Lookup
	Symbol string
}

// Entries lists the lookup table sorted by name, version, and the per-thread flag.
func (a *API) Entries() []Entry {
	var out []Entry
	for _, f := range a.Funcs {
		for _, s := range f.Symbols() {
			if s.Lookup != nil {
				out = append(out, Entry{*s.Lookup, s.Name})
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		x, y := out[i], out[j]
		if x.Name != y.Name {
			return x.Name < y.Name
		}
		if x.Since != y.Since {
			return x.Since < y.Since
		}
		return !x.PerThread && y.PerThread
	})
	return out
}
