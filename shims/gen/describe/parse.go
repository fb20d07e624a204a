// SPDX-License-Identifier: Apache-2.0

package describe

import (
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Load reads the description whose head is LIBRARY.api in dir, with all the parts that the head names.
func Load(dir fs.FS, library string) (*API, error) {
	a := newAPI(library)
	head := library + ".api"
	text, err := fs.ReadFile(dir, head)
	if err != nil {
		return nil, err
	}
	if err := a.read(head, string(text)); err != nil {
		return nil, err
	}
	for i := 0; i < len(a.Parts); i++ {
		name := a.Parts[i]
		text, err := fs.ReadFile(dir, path.Clean(name))
		if err != nil {
			return nil, err
		}
		if err := a.read(name, string(text)); err != nil {
			return nil, err
		}
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	return a, nil
}

// Parse reads a description that is one text, for tests and tools.
func Parse(library, file, text string) (*API, error) {
	a := newAPI(library)
	if err := a.read(file, text); err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	return a, nil
}

func newAPI(library string) *API {
	a := &API{Library: library, Head: map[string]string{}, Sizes: map[string]*Sizes{}, byName: map[string]*Type{}, funcs: map[string]*Func{}}
	for i := range scalars {
		a.byName[scalars[i].Name] = &scalars[i]
	}
	return a
}

// Sizes are those of LP64, which is all axon builds for.
var scalars = []Type{
	{Name: "char", Size: 1, Signed: true}, {Name: "unsigned char", Size: 1},
	{Name: "short", Size: 2, Signed: true}, {Name: "unsigned short", Size: 2},
	{Name: "int", Size: 4, Signed: true}, {Name: "unsigned int", Size: 4},
	{Name: "long", Size: 8, Signed: true}, {Name: "unsigned long", Size: 8},
	{Name: "long long", Size: 8, Signed: true}, {Name: "unsigned long long", Size: 8},
	{Name: "size_t", Size: 8}, {Name: "float", Size: 4, Float: true}, {Name: "double", Size: 8, Float: true},
	{Name: "uint8_t", Size: 1}, {Name: "uint16_t", Size: 2}, {Name: "uint32_t", Size: 4}, {Name: "uint64_t", Size: 8},
	{Name: "int32_t", Size: 4, Signed: true}, {Name: "int64_t", Size: 8, Signed: true},
	{Name: "void"},
}

func (a *API) read(file, text string) error {
	stmts, err := Statements(file, text)
	if err != nil {
		return err
	}
	for _, s := range stmts {
		if err := a.statement(s); err != nil {
			return err
		}
	}
	return nil
}

func (a *API) statement(s *Statement) error {
	word, rest, _ := strings.Cut(s.Lines[0], " ")
	rest = strings.TrimSpace(rest)
	internal := false
	if word == "internal" && strings.HasPrefix(rest, "struct ") {
		internal, word, rest = true, "struct", strings.TrimPrefix(rest, "struct ")
	}
	switch word {
	case "library":
		if rest != a.Library {
			return s.Errorf("library %q, but the head was opened as %q", rest, a.Library)
		}
		return nil
	case "set":
		key, value, ok := cutField(rest)
		if !ok {
			return s.Errorf("set needs a name and a value: set result CUresult")
		}
		a.Head[key] = value
		return nil
	case "part":
		if !fs.ValidPath(rest) {
			return s.Errorf("part %q is no file name", rest)
		}
		for _, p := range a.Parts {
			if p == rest {
				return s.Errorf("part %q is named twice", rest)
			}
		}
		a.Parts = append(a.Parts, rest)
		return nil
	case "const":
		name, value, ok := strings.Cut(rest, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !isName(name) || value == "" {
			return s.Errorf("const needs a name and a value: const CU_IPC_HANDLE_SIZE = 64")
		}
		a.Consts = append(a.Consts, Const{name, value})
		return nil
	case "type", "handle", "callback", "enum", "struct", "union":
		t, err := parseType(s, word, rest)
		if err != nil {
			return err
		}
		if a.byName[t.Name] != nil {
			return s.Errorf("type %s is declared twice", t.Name)
		}
		t.Internal = internal
		a.byName[t.Name] = t
		a.Types = append(a.Types, t)
		return nil
	case "carries":
		return a.parseCarries(s, rest)
	case "sizes":
		return a.parseSizes(s, rest)
	case "texts":
		return a.parseTexts(s, rest)
	default:
		f, err := parseFunc(s)
		if err != nil {
			return err
		}
		if a.funcs[f.Name] != nil {
			return s.Errorf("%s is described twice, first at %s:%d", f.Name, a.funcs[f.Name].Src.File, a.funcs[f.Name].Src.Line)
		}
		a.funcs[f.Name] = f
		a.Funcs = append(a.Funcs, f)
		return nil
	}
}

var (
	nameRE     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	typeNameRE = regexp.MustCompile(`^(unsigned (char|short|int|long long|long)|long long|[A-Za-z_][A-Za-z0-9_]*)$`)
	blockRE    = regexp.MustCompile(`^([A-Za-z_]\w*)(?: : ([A-Za-z_]\w*))? \{$`)
	handleRE   = regexp.MustCompile(`^(\w+) = (struct (\w+)|unsigned long long)$`)
	callbackRE = regexp.MustCompile(`^(\*?)(\w+) = ([\w ]+?) ?\((.*)\)$`)
	memberRE   = regexp.MustCompile(`^(?:(?:struct|union)(?: \w+)? \{|\}(?: \w+(?:\[\w+\])?)?|(?:(?:const|struct) )?[\w ]+ (?:\*+(?:const \*)?)?\w+(?:\[\w+\])*(?: aligned \d+)?)$`)
	valueRE    = regexp.MustCompile(`^\w+(?: = [\w ()<|+~-]+)?$`)
)

func isName(s string) bool { return nameRE.MatchString(s) }

func cutField(s string) (first, rest string, ok bool) {
	first, rest, _ = strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	return first, rest, first != "" && rest != ""
}

func parseType(s *Statement, word, rest string) (*Type, error) {
	t := &Type{Src: s}
	switch word {
	case "type":
		name, target, ok := strings.Cut(rest, " = ")
		if !ok || !isName(name) || !typeNameRE.MatchString(strings.TrimSuffix(target, " *")) {
			return nil, s.Errorf("type needs a name and a type: type CUdevice = int")
		}
		t.Name, t.Kind, t.Target = name, Alias, target
		return t, noMore(s)
	case "handle":
		m := handleRE.FindStringSubmatch(rest)
		if m == nil {
			return nil, s.Errorf("handle needs a name and what it is in C: handle CUevent = struct CUevent_st")
		}
		t.Name, t.Kind, t.Target, t.Tag = m[1], Handle, m[2], m[3]
		for _, l := range s.Lines[1:] {
			key, value, ok := cutField(strings.TrimSpace(l))
			switch {
			case ok && key == "pass":
				t.Pass = append(t.Pass, strings.Fields(value)...)
			case ok && key == "missing" && isName(value):
				t.Missing = value
			default:
				return nil, s.Errorf("a handle's lines are 'pass VALUES' and 'missing RESULT', not %q", strings.TrimSpace(l))
			}
		}
		for _, p := range t.Pass {
			if _, err := strconv.ParseUint(p, 0, 64); err != nil {
				return nil, s.Errorf("pass %q: not a number", p)
			}
		}
		return t, nil
	case "callback":
		m := callbackRE.FindStringSubmatch(rest)
		if m == nil {
			return nil, s.Errorf("callback reads: callback *CUhostFn = void (void *userData)")
		}
		t.Direct, t.Name, t.Kind, t.Target, t.Params = m[1] == "", m[2], Callback, m[3], m[4]
		return t, noMore(s)
	}
	m := blockRE.FindStringSubmatch(rest)
	if m == nil {
		return nil, s.Errorf("%s reads: %s NAME : TAG {", word, word)
	}
	t.Name, t.Tag = m[1], m[2]
	t.Kind = map[string]TypeKind{"enum": Enum, "struct": Struct, "union": Union}[word]
	last := len(s.Lines) - 1
	if last < 1 || s.Lines[last] != "}" {
		return nil, s.Errorf("%s %s has no closing brace in the first column", word, t.Name)
	}
	open := 0
	for _, l := range s.Lines[1:last] {
		l = strings.TrimSpace(l)
		if t.Kind == Enum {
			if !valueRE.MatchString(l) {
				return nil, s.Errorf("enum %s: %q is no value; they read NAME = VALUE", t.Name, l)
			}
		} else if !memberRE.MatchString(l) {
			return nil, s.Errorf("%s %s: %q is no member; they read TYPE name[N]", word, t.Name, l)
		}
		if strings.HasSuffix(l, "{") {
			open++
		} else if l[0] == '}' {
			if open--; open < 0 {
				return nil, s.Errorf("%s %s: more closing braces than open ones", word, t.Name)
			}
		}
		t.Body = append(t.Body, l)
	}
	if open != 0 || len(t.Body) == 0 {
		return nil, s.Errorf("%s %s: empty, or a brace inside stays open", word, t.Name)
	}
	return t, nil
}

func noMore(s *Statement) error {
	if len(s.Lines) > 1 {
		return s.Errorf("nothing may follow this line: %q", strings.TrimSpace(s.Lines[1]))
	}
	return nil
}

var (
	carryRE = regexp.MustCompile(`^(\w+(?:\.\w+)*) (\w+)(?:\[(\w+)\])?(?: when (\w+(?:\.\w+)*) (\w+))?$`)
	sizeRE  = regexp.MustCompile(`^(\w+) (\d{1,4})$`)
)

// parseCarries reads which members of a struct do not cross as bytes:
//
//	carries CUlaunchConfig
//	    hStream CUstream
//	    attrs CUlaunchAttribute[numAttrs]
//	    base dropped
//	    value.event CUevent when id CU_LAUNCH_ATTRIBUTE_EVENT
func (a *API) parseCarries(s *Statement, name string) error {
	t := a.byName[name]
	if t == nil || (t.Kind != Struct && t.Kind != Union) {
		return s.Errorf("carries %s: no struct of that name above this line", name)
	}
	if t.Carries != nil || len(s.Lines) < 2 {
		return s.Errorf("carries %s: said twice, or no member follows", name)
	}
	for _, l := range s.Lines[1:] {
		m := carryRE.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			return s.Errorf("carries %s: %q should read MEMBER HANDLE", name, strings.TrimSpace(l))
		}
		c := Carry{Member: m[1], Type: m[2], Count: m[3], WhenMember: m[4], WhenValue: m[5]}
		if c.Type == "dropped" {
			c.Type, c.Drop = "", true
		}
		t.Carries = append(t.Carries, c)
	}
	return nil
}

// parseSizes reads how many bytes the value of each attribute takes:
//
//	sizes CUmemPool_attribute
//	    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD 8
func (a *API) parseSizes(s *Statement, name string) error {
	if t := a.byName[name]; t == nil || t.Kind != Enum {
		return s.Errorf("sizes %s: no enum of that name above this line", name)
	}
	if a.Sizes[name] != nil || len(s.Lines) < 2 {
		return s.Errorf("sizes %s: said twice, or no value follows", name)
	}
	z := &Sizes{Enum: name, Src: s}
	for _, l := range s.Lines[1:] {
		m := sizeRE.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			return s.Errorf("sizes %s: %q should read VALUE BYTES", name, strings.TrimSpace(l))
		}
		n, _ := strconv.Atoi(m[2])
		z.Values = append(z.Values, SizeOf{m[1], n})
	}
	a.Sizes[name] = z
	return nil
}

var textRE = regexp.MustCompile(`^(\w+) "([^"\\]+)"$`)

// parseTexts reads the library's own words for the values of an enum:
//
//	texts nvmlReturn_t
//	    NVML_ERROR_NOT_SUPPORTED "Not Supported"
func (a *API) parseTexts(s *Statement, name string) error {
	if t := a.byName[name]; t == nil || t.Kind != Enum {
		return s.Errorf("texts %s: no enum of that name above this line", name)
	}
	z := &Texts{Enum: name, Src: s}
	for _, l := range s.Lines[1:] {
		m := textRE.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			return s.Errorf("texts %s: %q should read VALUE \"text\"", name, strings.TrimSpace(l))
		}
		z.Values = append(z.Values, TextOf{m[1], m[2]})
	}
	a.Texts = append(a.Texts, z)
	return nil
}
