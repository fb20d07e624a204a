// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

// GoTable writes the calls' numbers and what there is to know of each.
func GoTable(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, goBanner, a.Library, a.Library)
	b.WriteString("// Numbers of the calls.\nconst (\n")
	for i, c := range a.Calls() {
		fmt.Fprintf(&b, "Call%s = %d\n", goName(a, c.Name), i+1)
	}
	b.WriteString(")\n\n// calls says what there is to know of each call, by its number.\nvar calls = [...]Info{\n")
	for _, c := range a.Calls() {
		fr, err := layout.Of(a, c.Func)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "Call%s: {Name: %q", goName(a, c.Name), c.Name)
		if c.Func.Root {
			b.WriteString(", Root: true")
		}
		if c.Func.OnError {
			b.WriteString(", OnError: true")
		}
		fmt.Fprintf(&b, ", InSize: %d, OutSize: %d", fr.InSize, fr.OutSize)
		goLayout(&b, "In", fr.In)
		goLayout(&b, "Out", fr.Out)
		if err := goArrays(&b, a, "InData", fr.InData); err != nil {
			return "", err
		}
		if err := goArrays(&b, a, "OutData", fr.OutData); err != nil {
			return "", err
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return formatted(b.String())
}

func goLayout(b *strings.Builder, name string, fields []layout.Field) {
	var parts []string
	for _, f := range fields {
		if f.Role != layout.Pad {
			handle := ""
			if f.Role == layout.Name {
				handle = fmt.Sprintf(", Handle: %q", f.Arg.Type)
			}
			parts = append(parts, fmt.Sprintf("{Name: %q, Offset: %d, Size: %d%s}", f.Name, f.Offset, f.Size, handle))
		}
	}
	if parts != nil {
		fmt.Fprintf(b, ", %s: []Field{%s}", name, strings.Join(parts, ", "))
	}
}

func goArrays(b *strings.Builder, a *describe.API, name string, arrays []layout.Array) error {
	var parts []string
	for _, x := range arrays {
		size := max(goSize(x.Element), 1)
		if x.Arg.Dir == describe.Sized {
			size = 1
		} else if x.Element.Kind == describe.Struct || x.Element.Kind == describe.Union {
			s, err := layout.StructOf(a, x.Element)
			if err != nil {
				return err
			}
			size = s.Size
		}
		count := x.Arg.Count
		switch {
		case x.Arg.Dir == describe.Str || x.Arg.Dir == describe.Sized:
			count = "len_" + x.Arg.Name
		case count == "":
			count = "1"
		}
		parts = append(parts, fmt.Sprintf("{Name: %q, Element: %d, Count: %q}", x.Arg.Name, size, strings.TrimPrefix(count, "*")))
	}
	if parts != nil {
		fmt.Fprintf(b, ", %s: []Array{%s}", name, strings.Join(parts, ", "))
	}
	return nil
}
