// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

// What the driver says by itself reaches the program's functions: its log in
// the thread whose call brought it, a device's notifications in one of their own.
func TestTheDriverCallsTheProgramBack(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	ways := in.ways(a)
	ways["relay"] = in.clientEnv(startRelay(t, a))
	for name, env := range ways {
		t.Run(name, func(t *testing.T) { in.runCases(t, env, "callbacks", nil) })
	}
}
