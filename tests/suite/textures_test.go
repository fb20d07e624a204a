// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

// Textures and surfaces: what a kernel reads of an array is the same on a
// libcuda reached directly and through axon, where objects are numbers of the
// worker's and handles are names.
func TestTextures(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range in.ways(a) {
		t.Run(name, func(t *testing.T) {
			in.runCases(t, env, "textures", nil)
			in.runCases(t, env, "surfaces", nil)
		})
	}
}
