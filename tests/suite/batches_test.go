// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

const noReferences = "the software GPU has no texture references"

// What the shim makes of calls that the software GPU does not have: batches of
// boxes become single copies, attached contexts are counted in the client. Of
// texture references only what is refused can be seen here.
func TestBatchesAttachedContextsAndReferences(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range map[string][]string{
		"posted":  in.clientEnv(a.socket),
		"waiting": append(in.clientEnv(a.socket), "AXON_SYNC=1"),
		"relay":   in.clientEnv(startRelay(t, a)),
	} {
		leaveOut := map[string]string{}
		if name == "relay" {
			leaveOut["attributes_of_a_range_come_one_by_one"] = unreachable
		}
		t.Run(name, func(t *testing.T) {
			in.runCases(t, env, "attach", nil)
			in.runCases(t, env, "batches", leaveOut)
			in.runCases(t, env, "texrefs", map[string]string{
				"a_kernel_reads_what_its_reference_is_bound_to": noReferences,
				"a_reference_keeps_what_it_was_told":            noReferences,
			})
		})
	}
}
