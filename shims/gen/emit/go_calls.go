// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

// GoCalls writes a method of Client for each call.
func GoCalls(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, goBanner, a.Library, a.Library)
	for _, c := range a.Calls() {
		fr, err := layout.Of(a, c.Func)
		if err != nil {
			return "", err
		}
		g := &goCall{a: a, c: c, f: c.Func, fr: fr}
		if err := g.write(&b); err != nil {
			return "", fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return formatted(b.String())
}

// goCall writes one method: it puts the request together, makes the call and takes the answer apart. Its parameters are the
// function's values; what only says how long something is Go knows by itself (a slice's length, or the description's
// 'usual').
type goCall struct {
	a  *describe.API
	c  describe.Call
	f  *describe.Func
	fr *layout.Frame

	params, results []string
	before          strings.Builder // declarations before the request
	after           strings.Builder // what is taken out of the answer
	counter         *describe.Arg   // an inout number that says how many elements there is room for
}

func (g *goCall) write(b *strings.Builder) error {
	name := goName(g.a, g.c.Name)
	for _, arg := range g.f.Args {
		if err := g.argument(arg); err != nil {
			return fmt.Errorf("argument %s: %w", arg.Name, err)
		}
	}
	note := ""
	if g.f.Root {
		note = " It changes the machine, for root only."
	}
	fmt.Fprintf(b, "// %s is %s.%s\nfunc (c *Client) %s(%s) (%s) {\n", name, g.c.Name, note, name,
		strings.Join(g.params, ", "), strings.Join(append(g.results, "ret Return"), ", "))
	if g.fr.OutSize > 0 || len(g.fr.OutData) > 0 {
		b.WriteString("var out []byte\n")
	}
	b.WriteString(g.before.String())
	if g.counter != nil {
		fmt.Fprintf(b, "for try := 0; ; try++ {\n")
	}
	if err := g.request(b); err != nil {
		return err
	}
	if g.counter != nil {
		n := goVar(g.counter.Name)
		field := outField(g.fr, g.counter)
		fmt.Fprintf(b, "room := %s\n", n)
		fmt.Fprintf(b, "if len(out) >= %d {\n%s = %s\n}\n", g.fr.OutSize, n, goGet(g.a.Resolve(g.counter.Type), "out", fmt.Sprint(field.Offset), "uint32"))
		fmt.Fprintf(b, "if ret == ERROR_INSUFFICIENT_SIZE && %s > room && try < retries {\ncontinue\n}\n", n)
	}
	b.WriteString("if ret != SUCCESS {\nreturn\n}\n")
	if err := g.answer(b); err != nil {
		return err
	}
	b.WriteString("return\n")
	if g.counter != nil {
		b.WriteString("}\n")
	}
	b.WriteString("}\n\n")
	return nil
}

var goKeywords = map[string]bool{"in": true, "out": true, "ret": true, "c": true, "at": true, "n": true, "b": true, "le": true, "text": true}

// goVar is an argument's name as a variable.
func goVar(name string) string {
	name = strings.ToLower(name[:1]) + name[1:]
	if goKeywords[name] || token.IsKeyword(name) {
		name += "_"
	}
	return name
}

// argument declares an argument's parameter, result or variable.
func (g *goCall) argument(arg *describe.Arg) error {
	t := g.a.Resolve(arg.Type)
	v := goVar(arg.Name)
	param := func(as string) { g.params = append(g.params, v+" "+as) }
	result := func(as string) { g.results = append(g.results, v+" "+as) }
	element := func() (string, error) {
		e := arg.Element(g.a)
		if e == nil {
			return "", fmt.Errorf("no such elements in Go")
		}
		if e.Kind == describe.Scalar && e.Size == 0 {
			return "byte", nil
		}
		if s := goValue(g.a, e); s != "" {
			return s, nil
		}
		return "", fmt.Errorf("no such elements in Go")
	}
	switch arg.Dir {
	case describe.Value, describe.Del, describe.Opaque:
		if usual, ok := g.f.Usual[arg.Name]; ok {
			fmt.Fprintf(&g.before, "const %s = %s\n", v, goExpr(g.a, usual))
			return nil
		}
		if slice := g.countedBy(arg); slice != "" {
			fmt.Fprintf(&g.before, "%s := %s(len(%s))\n", v, goValue(g.a, t), slice)
			return nil
		}
		s := goValue(g.a, t)
		if arg.Dir == describe.Opaque {
			s = "uint64"
		}
		if s == "" {
			return fmt.Errorf("Go has no such value")
		}
		param(s)
		return nil
	case describe.Str:
		param("string")
		return nil
	case describe.Sized:
		if versions(g.a, t) > 1 {
			param("Versioned")
		} else {
			param("*" + goName(g.a, t.Name))
		}
		return nil
	case describe.New, describe.Text:
		return fmt.Errorf("Go knows no %q", arg.Dir)
	}
	e, err := element()
	if err != nil {
		return err
	}
	counted := arg.Count != ""
	switch {
	case arg.Dir == describe.In && counted, arg.Dir == describe.InOut && counted:
		param("[]" + e)
	case arg.Dir == describe.In:
		param(e)
	case arg.Dir == describe.InOut && isCounter(g.f, arg):
		if g.counter != nil {
			return fmt.Errorf("a second number to count by")
		}
		usual, ok := g.f.Usual[arg.Name]
		if !ok {
			return fmt.Errorf("say how much room is usual: usual %s NUMBER", arg.Name)
		}
		g.counter = arg
		fmt.Fprintf(&g.before, "%s := %s(%s)\n", v, e, goExpr(g.a, usual))
	case arg.Dir == describe.InOut:
		param("*" + e)
	case counted && arg.Type == "char":
		result("string")
	case counted:
		result("[]" + e)
	default:
		result(e)
	}
	return nil
}

// countedBy names the slice whose length a number is; "" for a number that is a parameter.
func (g *goCall) countedBy(n *describe.Arg) string {
	for _, arg := range g.f.Args {
		if arg.Count == n.Name && (arg.Dir == describe.In || arg.Dir == describe.InOut) {
			return goVar(arg.Name)
		}
	}
	return ""
}

// isCounter says whether an inout number only says how many elements there are.
func isCounter(f *describe.Func, n *describe.Arg) bool {
	for _, arg := range f.Args {
		if arg.Count == "*"+n.Name {
			return true
		}
	}
	return false
}

// versions counts the structs that a sized argument may be: those that differ in the number at their names' end.
func versions(a *describe.API, t *describe.Type) int {
	m := versionRE.FindStringSubmatch(t.Name)
	if m == nil {
		return 1
	}
	n := 0
	for _, other := range a.Types {
		if o := versionRE.FindStringSubmatch(other.Name); o != nil && o[1] == m[1] && other.Kind == describe.Struct {
			n++
		}
	}
	return n
}

func (g *goCall) request(b *strings.Builder) error {
	in := "nil"
	if g.fr.InSize > 0 || len(g.fr.InData) > 0 {
		in = "in"
		fmt.Fprintf(b, "in := make([]byte, %d, %d)\n", g.fr.InSize, up8(g.fr.InSize+32*len(g.fr.InData)))
		for _, f := range g.fr.In {
			if f.Role == layout.Pad {
				continue
			}
			v := goVar(f.Arg.Name)
			value := v
			switch f.Role {
			case layout.Has:
				value = "1"
			case layout.Length:
				value = fmt.Sprintf("len(%s)", v)
				if f.Arg.Dir == describe.Sized {
					value = v + ".Sizeof()"
				}
			default:
				if f.Arg.Dir == describe.InOut && !isCounter(g.f, f.Arg) {
					value = "*" + v
				}
			}
			fmt.Fprintf(b, "%s\n", goPut(fieldType(f), "in", fmt.Sprint(f.Offset), value))
		}
		for _, x := range g.fr.InData {
			v := goVar(x.Arg.Name)
			switch {
			case x.Arg.Dir == describe.Str:
				fmt.Fprintf(b, "in = appendBytes(in, []byte(%s))\n", v)
			case x.Arg.Dir == describe.Sized:
				fmt.Fprintf(b, "in = appendVersioned(in, %s)\n", v)
			case x.Count == nil && x.Arg.Dir == describe.InOut:
				fmt.Fprintf(b, "in = appendStruct(in, %s)\n", v)
			case x.Count == nil:
				fmt.Fprintf(b, "in = appendStruct(in, &%s)\n", v)
			case x.C == "" || goValue(g.a, x.Element) == "byte":
				fmt.Fprintf(b, "in = appendBytes(in, %s)\n", v)
			case x.Element.Kind == describe.Struct || x.Element.Kind == describe.Union:
				fmt.Fprintf(b, "for i := range %s {\nin = appendRaw(in, &%s[i])\n}\nin = pad(in)\n", v, v)
			default:
				fmt.Fprintf(b, "for _, x := range %s {\nin = le.AppendUint%d(in, uint%d(x))\n}\nin = pad(in)\n", v, goSize(x.Element)*8, goSize(x.Element)*8)
			}
		}
	}
	needed := g.fr.OutSize > 0 || len(g.fr.OutData) > 0
	if needed {
		fmt.Fprintf(b, "out, ret = c.call(Call%s, %s)\n", goName(g.a, g.c.Name), in)
	} else {
		fmt.Fprintf(b, "_, ret = c.call(Call%s, %s)\n", goName(g.a, g.c.Name), in)
	}
	return nil
}

// fieldType is a field's own type, 4 or 8 bytes.
func fieldType(f layout.Field) *describe.Type {
	return &describe.Type{Kind: describe.Scalar, Size: f.Size, Float: f.C == "float" || f.C == "double"}
}

func up8(n int) int { return (n + 7) &^ 7 }

func outField(fr *layout.Frame, arg *describe.Arg) layout.Field {
	for _, f := range fr.Out {
		if f.Arg == arg {
			return f
		}
	}
	return layout.Field{}
}

var countWord = regexp.MustCompile(`^\*?[A-Za-z_]\w*$`)

// answer takes the answer apart. What the worker says is as much to be doubted as what a client says: an answer that is too
// short is none.
func (g *goCall) answer(b *strings.Builder) error {
	if g.fr.OutSize == 0 && len(g.fr.OutData) == 0 {
		return nil
	}
	if g.fr.OutSize > 0 {
		fmt.Fprintf(b, "if len(out) < %d {\nret = ERROR_UNKNOWN\nreturn\n}\n", g.fr.OutSize)
	}
	for _, f := range g.fr.Out {
		if f.Role == layout.Pad || f.Arg == g.counter {
			continue
		}
		v := goVar(f.Arg.Name)
		if f.Arg.Dir == describe.InOut {
			v = "*" + v
		}
		as := goValue(g.a, g.a.Resolve(f.Arg.Type))
		if f.Arg.Stars == 2 {
			as = "uint64"
		}
		get := goGet(fieldType(f), "out", fmt.Sprint(f.Offset), as)
		fmt.Fprintf(b, "%s = %s\n", v, get)
	}
	if len(g.fr.OutData) == 0 {
		return nil
	}
	if g.fr.OutSize > 0 {
		fmt.Fprintf(b, "out = out[%d:]\n", g.fr.OutSize)
	}
	for i, x := range g.fr.OutData {
		v := goVar(x.Arg.Name)
		size, err := g.elementSize(x)
		if err != nil {
			return err
		}
		count, err := g.answered(x)
		if err != nil {
			return err
		}
		switch {
		case x.Arg.Dir == describe.Sized:
			fmt.Fprintf(b, "if len(out) < %s.Sizeof() {\nret = ERROR_UNKNOWN\nreturn\n}\n%s.Get(out)\n", v, v)
			count, size = v+".Sizeof()", 1
		case x.Count == nil:
			fmt.Fprintf(b, "if len(out) < %d {\nret = ERROR_UNKNOWN\nreturn\n}\n%s.Get(out)\n", size, v)
			count = "1"
		default:
			fmt.Fprintf(b, "if uint64(len(out)) < uint64(%s)*%d {\nret = ERROR_UNKNOWN\nreturn\n}\n", count, size)
			there := count
			if g.counter != nil && x.Arg.Count == "*"+g.counter.Name {
				there = fmt.Sprintf("min(%s, room)", goVar(g.counter.Name))
			}
			switch {
			case x.Arg.Dir == describe.InOut && x.Element.Kind == describe.Struct:
				fmt.Fprintf(b, "for i := range %s {\n%s[i].Get(out[i*%d:])\n}\n", v, v, size)
			case x.Arg.Type == "char" && x.C != "":
				fmt.Fprintf(b, "%s = text(out[:%s])\n", v, there)
			case x.C == "" || goValue(g.a, x.Element) == "byte":
				fmt.Fprintf(b, "%s = append([]byte(nil), out[:%s]...)\n", v, there)
			case x.Element.Kind == describe.Struct || x.Element.Kind == describe.Union:
				fmt.Fprintf(b, "%s = make([]%s, %s)\nfor i := range %s {\n%s[i].Get(out[i*%d:])\n}\n", v, goValue(g.a, x.Element), there, v, v, size)
			default:
				as := goValue(g.a, x.Element)
				fmt.Fprintf(b, "%s = make([]%s, %s)\nfor i := range %s {\n%s[i] = %s\n}\n", v, as, there, v, v, goGet(x.Element, "out", fmt.Sprintf("i*%d", size), as))
			}
		}
		if i+1 < len(g.fr.OutData) {
			fmt.Fprintf(b, "out = out[min(len(out), int(uint64(%s)*%d+7)&^7):]\n", count, size)
		}
	}
	return nil
}

// answered is how many elements an answer's array has: as many as the request said.
func (g *goCall) answered(x layout.Array) (string, error) {
	switch {
	case x.Count == nil || x.Arg.Dir == describe.Sized:
		return "", nil
	case g.counter != nil && x.Arg.Count == "*"+g.counter.Name:
		return "room", nil
	case countWord.MatchString(x.Arg.Count):
		return goVar(strings.TrimPrefix(x.Arg.Count, "*")), nil
	case len(x.Count.Terms) == 1 && x.Count.Terms[0].Name == "" && x.Count.Less == 0:
		return fmt.Sprint(x.Count.Terms[0].Number), nil
	}
	return "", fmt.Errorf("a count that Go can't say: %s", x.Arg.Count)
}

func (g *goCall) elementSize(x layout.Array) (int, error) {
	if x.Element.Kind == describe.Struct || x.Element.Kind == describe.Union {
		s, err := layout.StructOf(g.a, x.Element)
		if err != nil {
			return 0, err
		}
		return s.Size, nil
	}
	return max(goSize(x.Element), 1), nil
}
