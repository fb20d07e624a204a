// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A user can be thousands: /etc/subuid gives most users 65536 more numbers for
// namespaces of their own. What is shared out by user goes by who has made the
// namespace, then.

// chargedFor is the user whose share a process's connection is of: its own, or in
// a user namespace that another user has made, that user's. Where root has made
// it (a container's engine), it is its own all the same. See ioctl_nsfs(2).
func chargedFor(pid int, uid uint32) uint32 {
	ours, err := os.Stat("/proc/self/ns/user")
	if err != nil {
		return uid
	}
	ns, err := os.Open(fmt.Sprintf("/proc/%d/ns/user", pid))
	if err != nil {
		return uid
	}
	defer func() { ns.Close() }()
	owner := uid
	for {
		switch at, err := ns.Stat(); {
		case err != nil:
			return uid
		case os.SameFile(at, ours):
			return owner
		}
		if n, err := unix.IoctlGetUint32(int(ns.Fd()), unix.NS_GET_OWNER_UID); err == nil && n != 0 {
			owner = n // in the end of the outermost that is not root's
		}
		parent, err := unix.IoctlRetInt(int(ns.Fd()), unix.NS_GET_PARENT)
		if err != nil { // it is in none of axond's
			return uid
		}
		unix.CloseOnExec(parent)
		ns.Close()
		ns = os.NewFile(uintptr(parent), "namespace")
	}
}
