// SPDX-License-Identifier: Apache-2.0

// Package layout decides where each argument of a call stands in its frame: the fixed part, the arrays behind it, and
// the same for the answer. Both halves, the fingerprint and the tests go by it.
//
// A fixed part is a struct of 32-bit and 64-bit fields in the order of the arguments, without holes: where one would
// be there is a named pad field. Arrays follow in the order of the arguments, each padded to 8 bytes. Their lengths are
// not in the frame where the arguments already say them.
package layout

import (
	"fmt"

	"nervlinux.org/axon/shims/gen/describe"
)

// Role says what a field holds.
type Role int

const (
	Plain  Role = iota // the argument's value
	Name               // a handle's name
	Number             // an opaque pointer
	Has                // 1 if the nullable argument is there
	Length             // bytes of a text, without a NUL; of a struct that says its own size
	Pad
)

// A Field is a member of a fixed part.
type Field struct {
	Name   string
	C      string // its C type
	Offset int
	Size   int
	Role   Role
	Arg    *describe.Arg // nil for a pad
}

// An Array is a run of bytes behind a fixed part: an array, one struct, a text.
type Array struct {
	Arg     *describe.Arg
	Element *describe.Type
	C       string          // the element's C type; empty for bytes
	Count   *describe.Count // nil for one element; of a text and of a sized struct, its Length field counts
}

// A Frame is the layout of a call.
type Frame struct {
	In      []Field
	InSize  int
	InData  []Array
	Out     []Field
	OutSize int
	OutData []Array
	Text    *describe.Arg // the text behind all that; nil for none
}

// Answers says whether anything but the result comes back.
func (f *Frame) Answers() bool { return f.OutSize > 0 || len(f.OutData) > 0 }

// Of lays out a function's frame. The description has been checked; what it cannot lay out is a fault in the check.
func Of(a *describe.API, f *describe.Func) (*Frame, error) {
	fr := &Frame{}
	for _, arg := range f.Args {
		if err := fr.add(a, arg); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	fr.In, fr.InSize = place(fr.In)
	fr.Out, fr.OutSize = place(fr.Out)
	return fr, nil
}

func (fr *Frame) add(a *describe.API, arg *describe.Arg) error {
	has := func() {
		if arg.Nullable {
			fr.In = append(fr.In, Field{Name: "has_" + arg.Name, C: "uint32_t", Size: 4, Role: Has, Arg: arg})
		}
	}
	t := a.Resolve(arg.Type)
	switch arg.Dir {
	case describe.Value:
		if c, size, ok := plain(t); ok {
			fr.In = append(fr.In, Field{Name: arg.Name, C: c, Size: size, Role: roleOf(t), Arg: arg})
			return nil
		}
		if t.Kind == describe.Callback || t.Kind == describe.Alias {
			fr.In = append(fr.In, Field{Name: arg.Name, C: "uint64_t", Size: 8, Role: Number, Arg: arg})
			return nil
		}
		fr.InData = append(fr.InData, Array{Arg: arg, Element: t, C: arg.Type})
		return nil
	case describe.New, describe.Del:
		fr.In = append(fr.In, Field{Name: arg.Name, C: "uint64_t", Size: 8, Role: Name, Arg: arg})
		return nil
	case describe.Opaque:
		fr.In = append(fr.In, Field{Name: arg.Name, C: "uint64_t", Size: 8, Role: Number, Arg: arg})
		return nil
	case describe.Text:
		// Its bytes come last in the answer, so that their number is needed by nothing else.
		fr.Out = append(fr.Out, Field{Name: "len_" + arg.Name, C: "uint32_t", Size: 4, Role: Length, Arg: arg})
		fr.Text = arg
		return nil
	case describe.Str:
		has()
		fr.In = append(fr.In, Field{Name: "len_" + arg.Name, C: "uint32_t", Size: 4, Role: Length, Arg: arg})
		fr.InData = append(fr.InData, Array{Arg: arg, Element: t, C: "char"})
		return nil
	}
	if arg.Dir == describe.Sized {
		// Bytes, because which struct it is the first word says; the answer has as many.
		fr.In = append(fr.In, Field{Name: "len_" + arg.Name, C: "uint32_t", Size: 4, Role: Length, Arg: arg})
		array := Array{Arg: arg, Element: t}
		fr.InData = append(fr.InData, array)
		if !arg.Const {
			fr.OutData = append(fr.OutData, array)
		}
		return nil
	}
	has()
	element := arg.Element(a)
	if element == nil {
		return fmt.Errorf("argument %s: no layout", arg.Name)
	}
	var count *describe.Count
	if arg.Count != "" {
		var err error
		if count, err = describe.ParseCount(arg.Count); err != nil {
			return err
		}
	}
	ctype := arg.Type
	switch {
	case arg.Stars == 2:
		ctype = "uint64_t"
	case element.Kind == describe.Scalar && element.Size == 0:
		ctype = ""
	}
	c, size, isPlain := plain(element)
	if isPlain && count == nil {
		// One number or one handle: a field each way.
		f := Field{Name: arg.Name, C: c, Size: size, Role: roleOf(element), Arg: arg}
		if arg.Dir != describe.Out {
			fr.In = append(fr.In, f)
		}
		if arg.Dir != describe.In {
			fr.Out = append(fr.Out, f)
		}
		return nil
	}
	array := Array{Arg: arg, Element: element, C: ctype, Count: count}
	if arg.Dir != describe.Out {
		fr.InData = append(fr.InData, array)
	}
	if arg.Dir != describe.In {
		fr.OutData = append(fr.OutData, array)
	}
	return nil
}

func roleOf(t *describe.Type) Role {
	if t.Kind == describe.Handle {
		return Name
	}
	return Plain
}

// plain gives the C type and size of a value that fits a field.
func plain(t *describe.Type) (c string, size int, ok bool) {
	switch t.Kind {
	case describe.Handle:
		return "uint64_t", 8, true
	case describe.Enum:
		return "uint32_t", 4, true
	case describe.Scalar:
		switch {
		case t.Size == 0:
			return "", 0, false
		case t.Float && t.Size == 4:
			return "float", 4, true
		case t.Float:
			return "double", 8, true
		case t.Size == 8 && t.Signed:
			return "int64_t", 8, true
		case t.Size == 8:
			return "uint64_t", 8, true
		case t.Signed:
			return "int32_t", 4, true
		default:
			return "uint32_t", 4, true
		}
	}
	return "", 0, false
}

// place gives fields their offsets and names the holes.
func place(fields []Field) ([]Field, int) {
	var out []Field
	at, pads := 0, 0
	pad := func() {
		out = append(out, Field{Name: fmt.Sprintf("pad%d", pads), C: "uint32_t", Offset: at, Size: 4, Role: Pad})
		pads++
		at += 4
	}
	for _, f := range fields {
		if f.Size == 8 && at%8 != 0 {
			pad()
		}
		f.Offset = at
		out = append(out, f)
		at += f.Size
	}
	if at%8 != 0 {
		pad()
	}
	return out, at
}
