// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

// Rooms writes, for each call that answers one array whose length the caller chooses, where its frames say so. Who has
// one answer of such a call can give another one that is as long as somebody asks.
func Rooms(a *describe.API) (string, error) {
	var b strings.Builder
	guard := "AXON_" + strings.ToUpper(a.Library) + "_ROOMS_H"
	fmt.Fprintf(&b, banner, a.Library)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include \"%s_calls.h\"\n\n", guard, guard, a.Library)
	b.WriteString("/* Offsets into the fixed parts of 32-bit numbers: how many elements there is room for; whether there is an array (has) and\n" +
		" * how many there are (told), each -1 for none. The array's elements, in bytes, and what stands before it in the answer. */\n" +
		"struct axg_room_of {\n\tint count, has, told, fixed, element;\n};\n\n" +
		"static const struct axg_room_of axg_rooms[AX_COUNT] = {\n\t[0] = { 0 },\n")
	for _, c := range a.Calls() {
		fr, err := layout.Of(a, c.Func)
		if err != nil {
			return "", err
		}
		if len(fr.OutData) != 1 || len(fr.InData) != 0 || fr.Text != nil {
			continue
		}
		x := fr.OutData[0]
		if x.Count == nil || x.Count.Less != 0 || len(x.Count.Terms) != 1 || x.Count.Terms[0].Name == "" || x.Count.Terms[0].Sizeof {
			continue
		}
		count, has, told := -1, -1, -1
		for _, fd := range fr.In {
			switch {
			case fd.Role == layout.Has && fd.Arg == x.Arg:
				has = fd.Offset
			case fd.Role == layout.Plain && fd.Size == 4 && fd.Arg.Name == x.Count.Terms[0].Name:
				count = fd.Offset
			}
		}
		for _, fd := range fr.Out {
			if fd.Role == layout.Plain && fd.Arg.Name == x.Count.Terms[0].Name {
				told = fd.Offset
			}
		}
		if count >= 0 && (told >= 0 || x.Arg.Type == "char") { // a text says by itself how long it is
			fmt.Fprintf(&b, "\t[AX_%s] = { %d, %d, %d, %d, %s },\n", c.Name, count, has, told, fr.OutSize, sizeOf(x))
		}
	}
	b.WriteString("};\n\n#endif\n")
	return b.String(), nil
}
