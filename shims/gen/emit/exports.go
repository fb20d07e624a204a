// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
)

// Exports writes the linker's version script for a library whose symbols have no versions: all that is described is
// exported, and what tells it from the vendor's; nothing else.
func Exports(a *describe.API) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, banner+"{\nglobal:\n", a.Library)
	for _, f := range a.Funcs {
		if f.Internal {
			continue
		}
		for _, s := range f.Symbols() {
			fmt.Fprintf(&b, "\t%s;\n", s.Name)
		}
	}
	b.WriteString("\taxon_shim;\nlocal:\n\t*;\n};\n")
	return b.String(), nil
}
