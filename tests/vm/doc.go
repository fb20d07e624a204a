// SPDX-License-Identifier: Apache-2.0

// Package vm tests axon's packages as a person meets them: in a guest with
// systemd as process 1, under qemu, which needs no KVM. Each test gets a fresh
// guest, restored from the state of one that has booted, in seconds.
//
// `make vm-test` installs what that needs, builds the packages and runs these
// tests; without it they are skipped. They need root, for the guest's image is
// a file system with owners. The emulated processor is some 20 times slower
// than the machine's: nothing here measures speed.
//
//	AXON_VM_CACHE   where the image is kept (/var/cache/axon-vm)
//	AXON_VM_KEEP=1  leaves a failed test's guest running, and says how to reach it
package vm
