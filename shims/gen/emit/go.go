// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"go/format"
	"regexp"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

const goBanner = "// SPDX-License-Identifier: Apache-2.0\n// Code generated from shims/api/%s by shims/gen; DO NOT EDIT.\n\npackage %s\n\n"

// goScalars are Go's types for C's.
var goScalars = map[string]string{
	"char": "int8", "unsigned char": "byte", "short": "int16", "unsigned short": "uint16", "int": "int32", "unsigned int": "uint32",
	"long": "int64", "unsigned long": "uint64", "long long": "int64", "unsigned long long": "uint64", "size_t": "uint64",
	"float": "float32", "double": "float64", "uint8_t": "byte", "uint16_t": "uint16", "uint32_t": "uint32", "uint64_t": "uint64",
	"int32_t": "int32", "int64_t": "int64",
}

// goName is what Go calls a type, a constant or a function: its name without the library's prefix and C's suffix.
func goName(a *describe.API, c string) string {
	name := strings.TrimSuffix(c, "_t")
	for _, prefix := range []string{strings.ToUpper(a.Library) + "_", a.Library, "ax"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			name = rest
			break
		}
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// goExpr is a constant's value: the names in it are Go's.
func goExpr(a *describe.API, value string) string {
	return nameInExpr.ReplaceAllStringFunc(value, func(name string) string { return goName(a, name) })
}

var nameInExpr = regexp.MustCompile(`\b[A-Za-z_]\w*`)

// goValue is Go's type for a value of a described type; "" for one that has none.
func goValue(a *describe.API, t *describe.Type) string {
	switch t.Kind {
	case describe.Scalar:
		return goScalars[t.Name]
	case describe.Callback, describe.Alias:
		return ""
	}
	return goName(a, t.Name)
}

// GoTypes writes the library's types and constants in Go, with the bytes of each struct.
func GoTypes(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, goBanner, a.Library, a.Library)
	b.WriteString("import (\n\t\"encoding/binary\"\n\t\"math\"\n)\n\nvar _ = math.Pi\n\n")
	sum, err := layout.Fingerprint(a)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "// Fingerprint is of the description: both sides of a connection have the same one, or can't talk.\nvar Fingerprint = [16]byte{")
	for _, x := range sum {
		fmt.Fprintf(&b, "%#02x, ", x)
	}
	b.WriteString("}\n\nvar le = binary.LittleEndian\n\n")
	b.WriteString("// Names of the library's constants.\nconst (\n")
	for _, c := range a.Consts {
		fmt.Fprintf(&b, "%s = %s\n", goName(a, c.Name), goExpr(a, c.Value))
	}
	b.WriteString(")\n\n")
	for _, t := range a.Types {
		name := goName(a, t.Name)
		switch t.Kind {
		case describe.Handle:
			fmt.Fprintf(&b, "// %s is a %s: a number, 0 for none.\ntype %s uint64\n\n", name, t.Name, name)
		case describe.Enum:
			goEnum(&b, a, t)
		case describe.Alias:
			target := a.Resolve(t.Name)
			if target == nil {
				continue
			}
			if v := goValue(a, target); v != "" {
				fmt.Fprintf(&b, "// %s is %s.\ntype %s = %s\n\n", name, t.Name, name, v)
			}
		case describe.Struct, describe.Union:
			if err := goStruct(&b, a, t); err != nil {
				return "", err
			}
		}
	}
	for _, z := range a.Texts {
		t := a.Type(z.Enum)
		fmt.Fprintf(&b, "// texts%s are the library's own words for a %s.\nvar texts%s = map[%s]string{\n", goName(a, t.Name), t.Name, goName(a, t.Name), goName(a, t.Name))
		for _, v := range z.Values {
			fmt.Fprintf(&b, "%s: %q,\n", goName(a, v.Value), v.Text)
		}
		b.WriteString("}\n\n")
	}
	return formatted(b.String())
}

func formatted(text string) (string, error) {
	out, err := format.Source([]byte(text))
	if err != nil {
		return "", fmt.Errorf("the generated Go is none: %w", err)
	}
	return string(out), nil
}

func goEnum(b *strings.Builder, a *describe.API, t *describe.Type) {
	name, base := goName(a, t.Name), "uint32"
	for _, v := range t.Body {
		if strings.Contains(v, "= -") {
			base = "int32"
		}
	}
	fmt.Fprintf(b, "// %s is %s.\ntype %s %s\n\n// Values of a %s.\nconst (\n", name, t.Name, name, base, name)
	last := ""
	for _, v := range t.Body {
		value, expr, ok := strings.Cut(v, " = ")
		switch {
		case ok:
			expr = goExpr(a, expr)
		case last == "":
			expr = "0"
		default:
			expr = last + " + 1"
		}
		last = goName(a, value)
		fmt.Fprintf(b, "%s %s = %s\n", last, name, expr)
	}
	b.WriteString(")\n\n")
}

// goStruct writes a struct with its bytes: Sizeof, Put and Get. A union is its bytes. A pointer in a struct means nothing to
// the other side, so Go has no such member.
func goStruct(b *strings.Builder, a *describe.API, t *describe.Type) error {
	s, err := layout.StructOf(a, t)
	if err != nil {
		return err
	}
	name := goName(a, t.Name)
	if s.Union {
		fmt.Fprintf(b, "// %s is %s, a union of %d bytes.\ntype %s [%d]byte\n\n", name, t.Name, s.Size, name, s.Size)
		fmt.Fprintf(b, "// Sizeof is the union's size in bytes.\nfunc (%s) Sizeof() int { return %d }\n\n", name, s.Size)
		fmt.Fprintf(b, "// Put writes the union's bytes to b.\nfunc (s *%s) Put(b []byte) { copy(b[:%d], s[:]) }\n\n", name, s.Size)
		fmt.Fprintf(b, "// Get reads them from b.\nfunc (s *%s) Get(b []byte) { copy(s[:], b[:%d]) }\n\n", name, s.Size)
		return nil
	}
	return goFields(b, a, name, t.Name, s)
}

func goFields(b *strings.Builder, a *describe.API, name, c string, s *layout.Struct) error {
	var fields, put, get, after strings.Builder
	for _, m := range s.Members {
		if m.Pointer {
			continue
		}
		if m.Name == "" {
			return fmt.Errorf("%s: a member without a name has none in Go either", c)
		}
		if err := goMember(&fields, &put, &get, &after, a, name, m); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	fmt.Fprintf(b, "// %s is %s, %d bytes.\ntype %s struct {\n%s}\n\n", name, c, s.Size, name, fields.String())
	fmt.Fprintf(b, "// Sizeof is the struct's size in bytes.\nfunc (%s) Sizeof() int { return %d }\n\n", name, s.Size)
	fmt.Fprintf(b, "// Put writes the struct's bytes to b.\nfunc (s *%s) Put(b []byte) {\nclear(b[:%d])\n%s}\n\n", name, s.Size, put.String())
	fmt.Fprintf(b, "// Get reads them from b.\nfunc (s *%s) Get(b []byte) {\n_ = b[%d]\n%s}\n\n", name, s.Size-1, get.String())
	if v := versionRE.FindStringSubmatch(c); v != nil && s.Members[0].Name == "version" {
		fmt.Fprintf(b, "func (s *%s) version() *uint32 { return &s.Version }\n\nfunc (%s) versionWord() uint32 { return %d | %s<<24 }\n\n", name, name, s.Size, v[2])
	}
	b.WriteString(after.String())
	return nil
}

var versionRE = regexp.MustCompile(`^(\w+?)_v(\d+)_t$`)

func goMember(fields, put, get, after *strings.Builder, a *describe.API, owner string, m layout.Member) error {
	field := strings.ToUpper(m.Name[:1]) + m.Name[1:]
	element := ""
	switch {
	case m.Nested != nil && m.Nested.Union:
		fmt.Fprintf(fields, "%s [%d]byte // a union\n", field, m.Size*max(m.Count, 1))
		fmt.Fprintf(put, "copy(b[%d:], s.%s[:])\n", m.Offset, field)
		fmt.Fprintf(get, "copy(s.%s[:], b[%d:])\n", field, m.Offset)
		return nil
	case m.Nested != nil:
		element = owner + field
		if err := goFields(after, a, element, "a part of "+owner, m.Nested); err != nil {
			return err
		}
	case m.Type.Kind == describe.Scalar && m.Type.Name == "char" && m.Count > 0:
		fmt.Fprintf(fields, "%s string // at most %d bytes\n", field, m.Count-1)
		fmt.Fprintf(put, "putText(b[%d:%d], s.%s)\n", m.Offset, m.Offset+m.Count, field)
		fmt.Fprintf(get, "s.%s = text(b[%d:%d])\n", field, m.Offset, m.Offset+m.Count)
		return nil
	default:
		if element = goValue(a, m.Type); element == "" {
			return fmt.Errorf("%s: Go has no such value", m.Name)
		}
	}
	target, at := "s."+field, fmt.Sprint(m.Offset)
	if m.Count > 0 {
		fmt.Fprintf(fields, "%s [%d]%s\n", field, m.Count, element)
		if element == "byte" {
			fmt.Fprintf(put, "copy(b[%d:], s.%s[:])\n", m.Offset, field)
			fmt.Fprintf(get, "copy(s.%s[:], b[%d:])\n", field, m.Offset)
			return nil
		}
		target, at = target+"[i]", fmt.Sprintf("%d+i*%d", m.Offset, m.Size)
		fmt.Fprintf(put, "for i := range s.%s {\n", field)
		fmt.Fprintf(get, "for i := range s.%s {\n", field)
		defer func() {
			put.WriteString("}\n")
			get.WriteString("}\n")
		}()
	} else {
		fmt.Fprintf(fields, "%s %s\n", field, element)
	}
	if m.Nested != nil || m.Type.Kind == describe.Struct || m.Type.Kind == describe.Union {
		fmt.Fprintf(put, "%s.Put(b[%s:])\n", target, at)
		fmt.Fprintf(get, "%s.Get(b[%s:])\n", target, at)
		return nil
	}
	fmt.Fprintf(put, "%s\n", goPut(m.Type, "b", at, target))
	fmt.Fprintf(get, "%s = %s\n", target, goGet(m.Type, "b", at, element))
	return nil
}

// goPut writes a value's bytes to b[at:], as a statement.
func goPut(t *describe.Type, b, at, value string) string {
	switch size := goSize(t); {
	case t.Float && size == 4:
		return fmt.Sprintf("le.PutUint32(%s[%s:], math.Float32bits(%s))", b, at, value)
	case t.Float:
		return fmt.Sprintf("le.PutUint64(%s[%s:], math.Float64bits(%s))", b, at, value)
	case size == 1:
		return fmt.Sprintf("%s[%s] = byte(%s)", b, at, value)
	default:
		return fmt.Sprintf("le.PutUint%d(%s[%s:], uint%d(%s))", size*8, b, at, size*8, value)
	}
}

// goGet reads it, as an expression of a Go type.
func goGet(t *describe.Type, b, at, as string) string {
	switch size := goSize(t); {
	case t.Float && size == 4:
		return fmt.Sprintf("math.Float32frombits(le.Uint32(%s[%s:]))", b, at)
	case t.Float:
		return fmt.Sprintf("math.Float64frombits(le.Uint64(%s[%s:]))", b, at)
	case size == 1:
		return fmt.Sprintf("%s(%s[%s])", as, b, at)
	default:
		return fmt.Sprintf("%s(le.Uint%d(%s[%s:]))", as, size*8, b, at)
	}
}

func goSize(t *describe.Type) int {
	switch t.Kind {
	case describe.Enum:
		return 4
	case describe.Handle:
		return 8
	}
	return t.Size
}
