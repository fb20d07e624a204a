// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

// Managed memory is the program's own, through axon too.
func TestUnifiedMemory(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range in.ways(a) {
		t.Run(name, func(t *testing.T) { in.runCases(t, env, "unified", nil) })
	}
}
