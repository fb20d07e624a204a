// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"path/filepath"
	"testing"
)

// What the driver says by itself reaches the program's functions: its log in
// the thread whose call brought it, a device's notifications in one of their own.
func TestTheDriverCallsTheProgramBack(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range map[string][]string{
		"direct":  append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")),
		"posted":  in.clientEnv(a.socket),
		"waiting": append(in.clientEnv(a.socket), "AXON_SYNC=1"),
		"relay":   in.clientEnv(startRelay(t, a)),
	} {
		t.Run(name, func(t *testing.T) { in.runCases(t, env, "callbacks", nil) })
	}
}
