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

// lastCall is the greatest number that a call has.
func lastCall(t testing.TB) uint32 { return uint32(len(api(t).Calls())) }
