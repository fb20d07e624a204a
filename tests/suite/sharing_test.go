// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"path/filepath"
	"testing"
)

// alone are the programs about what reaches over a call or over the process:
// on the software GPU itself, through axon, and what of it a relay carries.
var alone = []string{"print", "ipc", "link"}

func TestPrintingLinkingAndSharing(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	relay := startRelay(t, a)
	for _, way := range []struct {
		name string
		env  []string
	}{
		{"softgpu", append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu"))},
		{"axon", in.clientEnv(a.socket)},
		{"sync", append(in.clientEnv(a.socket), "AXON_SYNC=1")},
		{"relay", in.clientEnv(relay)},
	} {
		for _, program := range alone {
			t.Run(way.name+"/"+program, func(t *testing.T) { in.runCases(t, way.env, program, nil) })
		}
	}
}
