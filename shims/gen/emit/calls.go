// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/layout"
)

// Handles lists a description's handle types in the order of their kinds; the first one's kind is 1.
func Handles(a *describe.API) []*describe.Type {
	var out []*describe.Type
	for _, t := range a.Types {
		if t.Kind == describe.Handle {
			out = append(out, t)
		}
	}
	return out
}

// Calls writes what both halves share: call numbers, handle kinds, and the fixed parts.
func Calls(a *describe.API) (string, error) {
	var b strings.Builder
	guard := "AXON_" + strings.ToUpper(a.Library) + "_CALLS_H"
	fmt.Fprintf(&b, banner, a.Library)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n#include <string.h>\n\n#include \"%s_api.h\"\n\n", guard, guard, a.Library)

	fmt.Fprintf(&b, "/* The version of what carries the frames that this description was written for. */\n#define AXG_PROTOCOL %su\n", a.Head["protocol"])
	if !a.Packets() {
		b.WriteString("#if defined(AXR_VERSION) && AXR_VERSION != AXG_PROTOCOL\n#error \"region.h and the API description disagree on the protocol version\"\n#endif\n")
	}
	b.WriteString("\n")
	sum, err := layout.Fingerprint(a)
	if err != nil {
		return "", err
	}
	var bytes []string
	for _, x := range sum {
		bytes = append(bytes, fmt.Sprintf("0x%02x", x))
	}
	fmt.Fprintf(&b, "#define AXG_FINGERPRINT { %s }\nextern const uint8_t axg_fingerprint[16];\n\n", strings.Join(bytes, ", "))

	b.WriteString("/* Kinds of handles. */\nenum {\n")
	handles := Handles(a)
	for i, h := range handles {
		fmt.Fprintf(&b, "\tAXH_%s = %d,\n", h.Name, i+1)
	}
	fmt.Fprintf(&b, "\tAXH_COUNT = %d,\n};\n\n", len(handles)+1)

	calls := a.Calls()
	b.WriteString("/* Call numbers. */\nenum {\n")
	for i, c := range calls {
		fmt.Fprintf(&b, "\tAX_%s = %d,\n", c.Name, i+1)
	}
	fmt.Fprintf(&b, "\tAX_COUNT = %d,\n};\n\n", len(calls)+1)
	b.WriteString("/* By call number: the name; 1 if it is posted; 1 if more than the result comes back; bytes of the fixed part. */\n" +
		"extern const char *const axg_call_name[AX_COUNT];\nextern const uint8_t axg_call_posted[AX_COUNT];\n" +
		"extern const uint8_t axg_call_answers[AX_COUNT];\nextern const uint16_t axg_call_fixed[AX_COUNT];\n\n")

	if a.Packets() {
		b.WriteString("/* 1 if the call changes the machine: it is for root only. */\nextern const uint8_t axg_call_root[AX_COUNT];\n\n")
	}
	for _, t := range a.Types {
		if t.Internal {
			writeType(&b, t)
		}
	}
	b.WriteString("\n")
	for _, c := range calls {
		fr, err := layout.Of(a, c.Func)
		if err != nil {
			return "", err
		}
		if c.Name != c.Func.Name {
			if fr.InSize > 0 {
				fmt.Fprintf(&b, "#define ax_in_%s ax_in_%s\n", c.Name, c.Func.Name)
			}
			if fr.OutSize > 0 {
				fmt.Fprintf(&b, "#define ax_out_%s ax_out_%s\n", c.Name, c.Func.Name)
			}
			continue
		}
		fmt.Fprintf(&b, "/* %s: %s%s */\n", c.Name, c.Func.Way, dataComment(fr))
		writeFixed(&b, "ax_in_"+c.Name, fr.In, fr.InSize)
		writeFixed(&b, "ax_out_"+c.Name, fr.Out, fr.OutSize)
	}
	b.WriteString(arithmetic)
	if a.Packets() {
		b.WriteString(sizedC)
	}
	for _, t := range a.Types {
		if z := a.Sizes[t.Name]; z != nil {
			writeSizes(&b, z)
		}
	}
	b.WriteString("\n#endif\n")
	return b.String(), nil
}

func dataComment(fr *layout.Frame) string {
	list := func(arrays []layout.Array) string {
		var names []string
		for _, x := range arrays {
			count := x.Arg.Count
			switch {
			case x.Arg.Dir == describe.Str || x.Arg.Dir == describe.Sized:
				count = "len_" + x.Arg.Name
			case count == "":
				count = "1"
			}
			names = append(names, fmt.Sprintf("%s[%s]", x.Arg.Name, count))
		}
		return strings.Join(names, ", ")
	}
	s := ""
	if len(fr.InData) > 0 {
		s += "; data: " + list(fr.InData)
	}
	if len(fr.OutData) > 0 {
		s += "; answer's data: " + list(fr.OutData)
	}
	return s
}

func writeFixed(b *strings.Builder, name string, fields []layout.Field, size int) {
	if size == 0 {
		return
	}
	fmt.Fprintf(b, "struct %s {\n", name)
	for _, f := range fields {
		fmt.Fprintf(b, "\t%s %s;\n", f.C, f.Name)
	}
	fmt.Fprintf(b, "};\n_Static_assert(sizeof(struct %s) == %d, \"no holes\");\n", name, size)
}

func writeSizes(b *strings.Builder, z *describe.Sizes) {
	fmt.Fprintf(b, "\n/* Bytes of the value behind an attribute; AXG_TOO_MANY for one that is not known. */\nstatic inline uint64_t axg_sizeof_%s(uint64_t attribute)\n{\n\tswitch (attribute) {\n", z.Enum)
	for _, v := range z.Values {
		fmt.Fprintf(b, "\tcase %s: return %d;\n", v.Value, v.Bytes)
	}
	b.WriteString("\tdefault: return AXG_TOO_MANY;\n\t}\n}\n")
}

// Both halves compute the lengths of arrays with these, so that a length out of bounds is one on both sides.
const arithmetic = `
#define AXG_TOO_MANY UINT64_MAX
#define AXG_DATA_MAX ((uint64_t)1 << 31)

static inline uint64_t axg_times(uint64_t a, uint64_t b)
{
	return b && a > AXG_TOO_MANY / b ? AXG_TOO_MANY : a * b;
}

static inline uint64_t axg_less(uint64_t a, uint64_t b)
{
	return a == AXG_TOO_MANY || a < b ? AXG_TOO_MANY : a - b;
}

/* Adds an array to *total, padded to 8 bytes. -1 if that is more than any frame holds. */
static inline int axg_room(uint64_t *total, uint64_t count, uint64_t size)
{
	if (count > AXG_DATA_MAX / size)
		return -1;
	*total += (count * size + 7) & ~(uint64_t)7;
	return *total > AXG_DATA_MAX ? -1 : 0;
}
`

// A struct that says its own size: what its first word says, and whether a struct of that size is one that is known.
const sizedC = `
static inline uint64_t axg_sized(const void *p)
{
	uint32_t version;

	memcpy(&version, p, sizeof version);
	return version & 0xffffff;
}

static inline int axg_sized_fits(uint64_t bytes, uint64_t most)
{
	return bytes >= sizeof(uint32_t) && bytes <= most;
}
`

// mismatch is the result for a struct of a size that is not known.
func mismatch(a *describe.API) string {
	if r := a.Head["mismatch"]; r != "" {
		return r
	}
	return a.Head["invalid"]
}

// tables writes the tables that calls.h declares.
func tables(b *strings.Builder, a *describe.API) error {
	b.WriteString("const uint8_t axg_fingerprint[16] = AXG_FINGERPRINT;\n\n")
	var names, posted, answers, fixed, root strings.Builder
	for _, c := range a.Calls() {
		fr, err := layout.Of(a, c.Func)
		if err != nil {
			return err
		}
		fmt.Fprintf(&names, "\t[AX_%s] = \"%s\",\n", c.Name, c.Name)
		if c.Func.Way == describe.Post {
			fmt.Fprintf(&posted, "\t[AX_%s] = 1,\n", c.Name)
		}
		if fr.Answers() {
			fmt.Fprintf(&answers, "\t[AX_%s] = 1,\n", c.Name)
		}
		if fr.InSize > 0 {
			fmt.Fprintf(&fixed, "\t[AX_%s] = %d,\n", c.Name, fr.InSize)
		}
		if c.Func.Root {
			fmt.Fprintf(&root, "\t[AX_%s] = 1,\n", c.Name)
		}
	}
	fmt.Fprintf(b, "const char *const axg_call_name[AX_COUNT] = {\n\t[0] = \"\",\n%s};\n\n", names.String())
	fmt.Fprintf(b, "const uint8_t axg_call_posted[AX_COUNT] = {\n\t[0] = 0,\n%s};\n\n", posted.String())
	fmt.Fprintf(b, "const uint8_t axg_call_answers[AX_COUNT] = {\n\t[0] = 0,\n%s};\n\n", answers.String())
	fmt.Fprintf(b, "const uint16_t axg_call_fixed[AX_COUNT] = {\n\t[0] = 0,\n%s};\n\n", fixed.String())
	if a.Packets() {
		fmt.Fprintf(b, "const uint8_t axg_call_root[AX_COUNT] = {\n\t[0] = 0,\n%s};\n\n", root.String())
	}
	return nil
}

// countC is a count as C; value says what an argument's number is called there, size what its attribute's size is.
func countC(c *describe.Count, value func(describe.Term) string) string {
	s := ""
	for i, t := range c.Terms {
		x := fmt.Sprintf("(uint64_t)%du", t.Number)
		if t.Name != "" {
			x = value(t)
		}
		if i == 0 {
			s = x
		} else {
			s = fmt.Sprintf("axg_times(%s, %s)", s, x)
		}
	}
	if c.Less > 0 {
		s = fmt.Sprintf("axg_less(%s, %d)", s, c.Less)
	}
	return s
}
