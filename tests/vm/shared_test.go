// SPDX-License-Identifier: Apache-2.0

package vm

import "testing"

// TestSharedMemoryOfUsersAndOfHugePages: a guest has huge pages if it is told
// to, which a machine that runs tests need not have.
func TestSharedMemoryOfUsersAndOfHugePages(t *testing.T) {
	g := installed(t, "shared_files")
	g.run("sysctl -q vm.nr_hugepages=16; [ $(cat /proc/sys/vm/nr_hugepages) = 16 ]")
	for _, c := range []string{"huge_pages_are_registered", "two_programs_register_one_file", "a_forked_child_shares_it_still"} {
		// A case that is left out says that, and why.
		says(t, "shared_files "+c, g.run(as("alice", "cd /tmp && AXON_DEBUG=1 shared_files "+c+" 2>&1 || true")), "ok "+c)
	}
	g.settled("-le 1")
	g.quiet()
}
