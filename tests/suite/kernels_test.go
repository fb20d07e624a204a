// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

// What kernels and streams do together: grids, warps, atomics, words that
// streams wait for.
func TestKernelsAndStreamsTogether(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range in.ways(a) {
		t.Run(name, func(t *testing.T) {
			in.runCases(t, env, "cooperative", nil)
			in.runCases(t, env, "values", nil)
		})
	}
}
