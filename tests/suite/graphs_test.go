// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

// Graphs and captures: the same programs on a libcuda reached directly and
// through axon, where calls are posted and where each is waited for.
func TestGraphs(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range in.ways(a) {
		t.Run(name, func(t *testing.T) {
			in.runCases(t, env, "graphs", nil)
			in.runCases(t, env, "conditionals", nil)
			in.runCases(t, env, "captures", nil)
			in.runCases(t, env, "graph_copies", nil)
		})
	}
}
