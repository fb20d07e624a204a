// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"path/filepath"
	"testing"
)

// What kernels and streams do together: grids, warps, atomics, words that
// streams wait for.
func TestKernelsAndStreamsTogether(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range map[string][]string{
		"direct":  append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")),
		"posted":  in.clientEnv(a.socket),
		"waiting": append(in.clientEnv(a.socket), "AXON_SYNC=1"),
	} {
		t.Run(name, func(t *testing.T) {
			in.runCases(t, env, "cooperative", nil)
			in.runCases(t, env, "values", nil)
		})
	}
}
