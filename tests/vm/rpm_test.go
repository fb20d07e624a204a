// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"path/filepath"
	"testing"
)

// TestThePackagesForRpm runs their scripts where rpm has no packages of its own:
// what they depend on is there by dpkg.
func TestThePackagesForRpm(t *testing.T) {
	g := newGuest(t)
	found, _ := filepath.Glob(filepath.Join(build(), "packages", "*.x86_64.rpm"))
	if len(found) != len(packages) {
		t.Skipf("there are %d packages for rpm in %s/packages; make rpm makes %d", len(found), build(), len(packages))
	}
	g.put(found...)
	g.put(filepath.Join(build(), "bin/driver_axpy"))
	g.run("install /host/driver_axpy /usr/local/bin/")
	const force = "rpm --nodeps --force-debian "
	if out := g.run(force + "-i /host/*.rpm 2>&1"); out != "" {
		t.Errorf("the installation says %s", out)
	}
	says(t, "systemctl status axond.socket", g.run("systemctl status axond.socket"), "active (listening)", "enabled")
	if got := g.run(firstLibcuda); got != shim {
		t.Errorf("programs load %q", got)
	}
	says(t, "driver_axpy", g.run(as("alice", "driver_axpy")), "65536 elements correct")
	g.run("rpm -V --nodeps axon axon-libs axon-worker axon-softgpu axon-smi")
	g.run("echo '# mine' >> /etc/axon/axond.toml")
	g.run(force + "-e axon axon-libs axon-worker axon-softgpu axon-smi 2>&1")
	if got := g.run(firstLibcuda); got != "" {
		t.Errorf("after the removal programs load %s", got)
	}
	if r := g.try("systemctl is-active axond.service axond.socket"); r.status == 0 {
		t.Errorf("after the removal: %s", r.out)
	}
	says(t, "systemctl --failed", g.run("systemctl --failed"), "0 loaded units listed")
}
