// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

// What the shim makes of calls that the software GPU does not have: batches of
// boxes become single copies, attached contexts are counted in the client.
func TestBatchesAndAttachedContexts(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range map[string][]string{
		"posted":  in.clientEnv(a.socket),
		"waiting": append(in.clientEnv(a.socket), "AXON_SYNC=1"),
		"relay":   in.clientEnv(startRelay(t, a)),
	} {
		t.Run(name, func(t *testing.T) {
			in.runCases(t, env, "attach", nil)
			in.runCases(t, env, "batches", map[string]string{
				"attributes_of_a_range_come_one_by_one": "the software GPU knows no attributes of ranges",
			})
		})
	}
}
