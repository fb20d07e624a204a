// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"path/filepath"
	"testing"
)

// Managed memory is the program's own, through axon too.
func TestUnifiedMemory(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range map[string][]string{
		"direct":  append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")),
		"posted":  in.clientEnv(a.socket),
		"waiting": append(in.clientEnv(a.socket), "AXON_SYNC=1"),
	} {
		t.Run(name, func(t *testing.T) { in.runCases(t, env, "unified", nil) })
	}
}
