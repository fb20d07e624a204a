// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"path/filepath"
	"testing"
)

// alone are the programs about what reaches over a call or over the process:
// on the software GPU itself, through axon, and what of it a relay carries.
var alone = []string{"print", "ipc", "link", "images", "occupancy"}

func TestPrintingLinkingAndSharing(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	relay := startRelay(t, a)
	for _, way := range []struct {
		name     string
		env      []string
		leaveOut map[string]string
	}{
		{"softgpu", append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")), map[string]string{
			"a_kernel_is_launched_by_parts": "the software GPU has no launch by parts; the shim has it on top",
		}},
		{"axon", in.clientEnv(a.socket), nil},
		{"sync", append(in.clientEnv(a.socket), "AXON_SYNC=1"), nil},
		{"relay", in.clientEnv(relay), map[string]string{
			"an_allocation_crosses_as_a_descriptor": "a descriptor of another machine's memory means nothing here",
		}},
	} {
		for _, program := range alone {
			t.Run(way.name+"/"+program, func(t *testing.T) { in.runCases(t, way.env, program, way.leaveOut) })
		}
	}
}
