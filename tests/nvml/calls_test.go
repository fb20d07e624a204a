// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"os"
	"testing"

	"nervlinux.org/axon/shims/gen/describe"
)

func api(t testing.TB) *describe.API {
	t.Helper()
	a, err := describe.Load(os.DirFS("../../shims/api/nvml"), "nvml")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// call is the number of a call.
func call(t testing.TB, name string) uint32 {
	t.Helper()
	for i, c := range api(t).Calls() {
		if c.Name == name {
			return uint32(i + 1)
		}
	}
	t.Fatalf("there is no call %s", name)
	return 0
}

// lastCall is the greatest number that a call has.
func lastCall(t testing.TB) uint32 { return uint32(len(api(t).Calls())) }
