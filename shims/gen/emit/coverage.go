// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
)

// Coverage writes the table of what works, a line for each exported symbol, with the sums on top.
func Coverage(a *describe.API) (string, error) {
	var lines strings.Builder
	sums := map[string]int{}
	all, part := 0, ""
	for _, f := range a.Funcs {
		if f.Internal {
			continue
		}
		if f.Src.File != part {
			part = f.Src.File
			fmt.Fprintf(&lines, "\n## %s\n\n| function | |\n|---|---|\n", strings.TrimSuffix(part, ".api"))
		}
		for _, s := range f.Symbols() {
			all++
			sum, how := standing(f)
			sums[sum]++
			fmt.Fprintf(&lines, "| `%s` | %s |\n", s.Name, how)
		}
	}
	works := sums["posted"] + sums["waited for"] + sums["answered here"]
	file := a.Head["file"]
	if file == "" {
		file = "lib" + a.Library
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated from shims/api/%s by shims/gen: change the description, not this file. -->\n\n# Coverage of %s\n\n", a.Library, file)
	fmt.Fprintf(&b, "%d of %d work: %d are posted (sent and not waited for), %d are waited for, %d are answered inside the\nclient. %d are refused for good, %d are not there yet and return %s.\n\n",
		works, all, sums["posted"], sums["waited for"], sums["answered here"], sums["refused"], sums["not yet"], a.Head["unsupported"])
	b.WriteString("    go run ./shims/gen -coverage docs/coverage.md\n\nwrites this page; a test says when it is out of date.\n")
	return b.String() + lines.String(), nil
}

func standing(f *describe.Func) (sum, how string) {
	switch f.Way {
	case describe.Post:
		return "posted", "works: posted"
	case describe.Wait:
		return "waited for", "works: waited for"
	case describe.Here:
		return "answered here", "works: answered here"
	case describe.Refuse:
		return "refused", "refused: " + f.Reason
	}
	return "not yet", "not yet: " + f.Reason
}
