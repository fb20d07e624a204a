// SPDX-License-Identifier: Apache-2.0

// Package emit writes the C that a description stands for: the library's header, the frames, and both halves of each
// call. One file of this package writes one output.
package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
)

const banner = "/* SPDX-License-Identifier: Apache-2.0 */\n/* Generated from shims/api/%s by shims/gen: change the description, not this file. */\n"

// Header writes the library's types, constants and prototypes, so that nothing needs the vendor's own header.
func Header(a *describe.API) (string, error) {
	var b strings.Builder
	guard := "AXON_" + strings.ToUpper(a.Library) + "_API_H"
	fmt.Fprintf(&b, banner, a.Library)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include <stddef.h>\n#include <stdint.h>\n\n", guard, guard)
	b.WriteString("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n")
	for _, t := range a.Types {
		if !t.Internal {
			writeType(&b, t)
		}
	}
	for _, c := range a.Consts {
		fmt.Fprintf(&b, "#define %s %s\n", c.Name, c.Value)
	}
	b.WriteString("\n")
	for _, f := range a.Funcs {
		if f.Internal {
			continue
		}
		fmt.Fprintf(&b, "%s;\n", Prototype(a, f, f.Name))
		for _, s := range f.Also {
			fmt.Fprintf(&b, "%s;\n", Prototype(a, f, s.Name))
		}
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String(), nil
}

// Prototype is a function's C declaration under one of its symbols, without the semicolon.
func Prototype(a *describe.API, f *describe.Func, symbol string) string {
	var args []string
	for _, arg := range f.Args {
		args = append(args, arg.C)
	}
	if args == nil {
		args = []string{"void"}
	}
	result := a.Head["result"]
	if f.Result != "" {
		result = f.Result
	}
	return fmt.Sprintf("%s %s(%s)", result, symbol, strings.Join(args, ", "))
}

func writeType(b *strings.Builder, t *describe.Type) {
	switch t.Kind {
	case describe.Alias:
		fmt.Fprintf(b, "typedef %s %s;\n", t.Target, t.Name)
	case describe.Handle:
		if t.Tag == "" {
			fmt.Fprintf(b, "typedef %s %s;\n", t.Target, t.Name)
		} else {
			fmt.Fprintf(b, "typedef struct %s *%s;\n", t.Tag, t.Name)
		}
	case describe.Callback:
		name := "(*" + t.Name + ")"
		if t.Direct {
			name = t.Name
		}
		fmt.Fprintf(b, "typedef %s %s(%s);\n", t.Target, name, t.Params)
	case describe.Enum:
		fmt.Fprintf(b, "typedef enum %s{\n", spaced(t.Tag))
		for _, v := range t.Body {
			fmt.Fprintf(b, "    %s,\n", v)
		}
		fmt.Fprintf(b, "} %s;\n", t.Name)
	case describe.Struct, describe.Union:
		word := "struct"
		if t.Kind == describe.Union {
			word = "union"
		}
		fmt.Fprintf(b, "typedef %s %s{\n", word, spaced(t.Tag))
		depth := 1
		for _, m := range t.Body {
			if m[0] == '}' {
				depth--
			}
			end := ";"
			if strings.HasSuffix(m, "{") {
				end = ""
			}
			if member, bytes, ok := strings.Cut(m, " aligned "); ok {
				m = fmt.Sprintf("%s __attribute__((aligned(%s)))", member, bytes) // C and C++ both take this spelling
			}
			fmt.Fprintf(b, "%s%s%s\n", strings.Repeat("    ", depth), m, end)
			if end == "" {
				depth++
			}
		}
		fmt.Fprintf(b, "} %s;\n", t.Name)
	}
}

func spaced(tag string) string {
	if tag == "" {
		return ""
	}
	return tag + " "
}
