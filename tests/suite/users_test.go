// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"os"
	"os/user"
	"strconv"
	"testing"
)

// otherUsers skips a test that runs programs as users who are nobody, where it cannot; else it gives the group
// that lets them in.
func otherUsers(t *testing.T) (video uint32) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("this needs root, to be other users")
	}
	group, err := user.LookupGroup("video")
	if err != nil {
		t.Skip("there is no group video on this machine")
	}
	gid, err := strconv.ParseUint(group.Gid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(gid)
}
