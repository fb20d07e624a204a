// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
)

// Meaning is the text that the fingerprint is taken of: all that two builds have to agree on to understand each
// other's frames, and nothing else. Comments, reasons, and how calls are answered inside a client are not in it.
func Meaning(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s protocol %s\n", a.Library, a.Head["protocol"])
	kind := 0
	for _, t := range a.Types {
		switch t.Kind {
		case describe.Handle:
			kind++
			fmt.Fprintf(&b, "handle %d %s %v %s\n", kind, t.Name, t.Pass, t.Missing)
		case describe.Alias:
			fmt.Fprintf(&b, "type %s %s\n", t.Name, t.Target)
		case describe.Enum, describe.Struct, describe.Union:
			fmt.Fprintf(&b, "%d %s %s %v\n", t.Kind, t.Name, strings.Join(t.Body, ";"), t.Carries)
		}
		if z := a.Sizes[t.Name]; z != nil {
			fmt.Fprintf(&b, "sizes %s %v\n", z.Enum, z.Values)
		}
	}
	for i, c := range a.Calls() {
		fr, err := Of(a, c.Func)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "call %d %s %s %v\n", i+1, c.Name, c.Func.Way, c.Func.OnError)
		for _, arg := range c.Func.Args {
			fmt.Fprintf(&b, " %s %s %s %v\n", arg.Dir, arg.Type, arg.Name, arg.Nullable)
		}
		for _, part := range []struct {
			name   string
			fields []Field
			arrays []Array
		}{{"in", fr.In, fr.InData}, {"out", fr.Out, fr.OutData}} {
			for _, f := range part.fields {
				fmt.Fprintf(&b, " %s %s %s %d %d\n", part.name, f.Name, f.C, f.Offset, f.Role)
			}
			for _, array := range part.arrays {
				fmt.Fprintf(&b, " %s %s %s [%s]\n", part.name, array.Arg.Name, array.C, array.Arg.Count)
			}
		}
	}
	return b.String(), nil
}

// Fingerprint is 16 bytes that differ when the meaning does.
func Fingerprint(a *describe.API) ([16]byte, error) {
	var out [16]byte
	text, err := Meaning(a)
	if err != nil {
		return out, err
	}
	sum := sha256.Sum256([]byte(text))
	copy(out[:], sum[:])
	return out, nil
}
