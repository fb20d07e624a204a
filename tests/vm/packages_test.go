// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const shim = "/usr/lib/axon/shim/libcuda.so.1"

// firstLibcuda is the libcuda.so.1 that a program loads.
const firstLibcuda = `ldconfig -p | sed -n 's/.*libcuda\.so\.1 .*=> //p' | head -n 1`

// firstNVML is its libnvidia-ml.so.1.
const firstNVML = `ldconfig -p | sed -n 's/.*libnvidia-ml\.so\.1 .*=> //p' | head -n 1`

// opened is the library that a program gets that opens it by a name without a
// number, as btop and numba try to.
func opened(name string) string {
	return "ldconfig -p | sed -n 's/.*\\t" + name + `\.so (.*=> //p' | head -n 1`
}

// leftovers are the guest's files with axon in their names, but for what tests put there.
const leftovers = `find / -xdev -iname '*axon*' -not -path '/host*' -not -path '/proc/*' -not -path '/sys/*' -not -path '/var/lib/dpkg/info/*' \
	-not -path '/var/cache/apt/*' -not -path '/var/log/*' -not -path '/var/lib/systemd/*' -not -path '/var/lib/apt/*' -not -path '/tmp/*'; \
	find /run -iname '*axon*'; systemctl list-unit-files --no-legend '*axon*'; grep -c -e axon /etc/passwd /etc/group | grep -v ':0$'; true`

// next builds the packages of a later version.
func next(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	b, err := filepath.Abs(build())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("../../packaging/build", b, dir, "amd64", "deb")
	cmd.Env = append(os.Environ(), "VERSION=9.9.9", "AXON="+filepath.Join(b, "bin/axon"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("packaging/build: %v, %s", err, out)
	}
	return dir
}

func TestPackagesAreRemovedAndPurged(t *testing.T) {
	g := installed(t)
	if got := g.run(firstLibcuda); got != shim {
		t.Fatalf("with axon-libs programs load %q", got)
	}
	g.run(as("alice", "driver_axpy"))
	g.run("apt-get remove -y -q axon axon-libs axon-worker axon-softgpu axon-smi")
	if got := g.run(firstLibcuda); got != "" {
		t.Errorf("after the removal programs load %s", got)
	}
	if out := g.try("pgrep -a axon").out; out != "" {
		t.Errorf("after the removal these run: %s", out)
	}
	if out := g.run("ldconfig 2>&1"); out != "" {
		t.Errorf("after the removal ldconfig complains: %s", out)
	}
	if r := g.try("systemctl status axond.socket"); r.status != 4 { // no such unit
		t.Errorf("after the removal systemctl knows axond.socket: %s", r.out)
	}
	// Installed again, it is what it was.
	g.put(debs(t, filepath.Join(build(), "packages"), packages...)...)
	g.run("apt-get install -y -q --no-install-recommends /host/*.deb")
	g.run(as("alice", "driver_axpy"))
	g.run("apt-get purge -y -q axon axon-libs axon-worker axon-softgpu axon-smi")
	if out := g.run(leftovers); out != "" {
		t.Errorf("after the purge there is still:\n%s", out)
	}
	says(t, "systemctl --failed", g.run("systemctl --failed"), "0 loaded units listed")
}

func TestAnUpgradeKeepsWhatTheAdministratorDecided(t *testing.T) {
	later := next(t)
	g := installed(t)
	g.run(as("alice", "driver_axpy"))
	before := g.run("systemctl show -P MainPID axond")
	g.run("echo '# mine' >> /etc/ld.so.conf.d/00-axon.conf")
	g.put(debs(t, later, packages...)...)
	g.run("apt-get install -y -q --no-install-recommends /host/*_9.9.9_*.deb")
	says(t, "axon version", g.run("axon version"), "9.9.9")
	if after := g.run("systemctl show -P MainPID axond"); after == before || after == "0" {
		t.Errorf("an axond that ran is not the new one: process %s became %s", before, after)
	}
	g.run(as("alice", "driver_axpy"))
	says(t, "what the administrator wrote", g.run("cat /etc/ld.so.conf.d/00-axon.conf"), "# mine")
	// A socket that was disabled stays so.
	g.run("systemctl disable --now axond.socket; systemctl stop axond")
	g.run("apt-get install -y -q --reinstall /host/axon_9.9.9_*.deb")
	if out := g.try("systemctl is-enabled axond.socket").out; out != "disabled" {
		t.Errorf("after a reinstallation a disabled socket is %s", out)
	}
}

// theVendors makes, in the guest, a package with files named as NVIDIA's are.
// The library in it is the software GPU, so that it computes.
const theVendors = `set -e
d=/tmp/vendor; lib=$d/usr/lib/x86_64-linux-gnu; mkdir -p $d/DEBIAN $lib $d/usr/bin
cp /usr/lib/axon/softgpu/libcuda.so.1 $lib/libcuda.so.580.95.05
ln -s libcuda.so.580.95.05 $lib/libcuda.so.1
ln -s libcuda.so.1 $lib/libcuda.so
cp /usr/lib/axon/softgpu/libnvidia-ml.so.1 $lib/libnvidia-ml.so.580.95.05
ln -s libnvidia-ml.so.580.95.05 $lib/libnvidia-ml.so.1
ln -s libnvidia-ml.so.1 $lib/libnvidia-ml.so
printf '#!/bin/sh\necho the vendor\n' > $d/usr/bin/nvidia-smi; chmod 755 $d/usr/bin/nvidia-smi
printf 'Package: libnvidia-compute-580\nVersion: 580.95.05-1\nArchitecture: amd64\nMaintainer: x <x@localhost>\nProvides: libcuda1, libcuda.so.1\nDescription: x\n' > $d/DEBIAN/control
echo activate-noawait ldconfig > $d/DEBIAN/triggers
dpkg-deb -b $d /tmp/vendor.deb`

func TestTheVendorsPackagesAndAxonsLiveTogether(t *testing.T) {
	g := installed(t)
	g.run(theVendors)
	g.run("apt-get install -y -q /tmp/vendor.deb")
	expect := func(when, want string) {
		t.Helper()
		if got := g.run(firstLibcuda); got != want {
			t.Errorf("%s programs load %s", when, got)
		}
		if got := g.run(firstNVML); got != strings.Replace(want, "libcuda", "libnvidia-ml", 1) {
			t.Errorf("%s programs that read NVML load %s", when, got)
		}
		for _, name := range []string{"libcuda", "libnvidia-ml"} {
			if got := g.run(opened(name)); got != filepath.Join(filepath.Dir(want), name+".so") {
				t.Errorf("%s programs that open %s.so load %q", when, name, got)
			}
		}
		if out := g.try("dpkg --verify | grep -e axon -e cuda -e nvidia").out; out != "" {
			t.Errorf("%s files are not as their packages have them: %s", when, out)
		}
	}
	expect("with the vendor's package after axon's", shim)
	g.put(filepath.Join(build(), "tests/nvml/btop"))
	says(t, "btop's calls", g.run(as("alice", "/host/btop")), "library: /usr/lib/axon/shim/libnvidia-ml.so", "name: axon softgpu")
	// The driver's version is what tools take from the first name that matches this.
	if out := g.run("ls /usr/lib/x86_64-linux-gnu/libcuda.so.*.* /usr/lib64/libcuda.so.*.* 2>/dev/null || true"); out != "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05" {
		t.Errorf("tools that look for the driver's version find %s", out)
	}
	// Workers have the vendor's, programs axon's.
	g.run("systemctl restart axond")
	says(t, "driver_axpy", g.run(as("alice", "driver_axpy")), "65536 elements correct")
	g.tells("-u axond -o cat", "vendor's library in /usr/lib/x86_64-linux-gnu")
	says(t, "axon version", g.run("axon version"), "/usr/lib/x86_64-linux-gnu")
	g.run("apt-get remove -y -q axon-libs")
	expect("without axon-libs", "/lib/x86_64-linux-gnu/libcuda.so.1")
	// `axon run` asks for axon-libs, and says so.
	says(t, "axon run without axon-libs", g.try(as("alice", "axon run driver_axpy")).out, "axon's libcuda.so.1", "install")
	g.put(debs(t, filepath.Join(build(), "packages"), "axon-libs")...)
	g.run("apt-get install -y -q /host/axon-libs_*.deb")
	expect("with axon's package after the vendor's", shim)
	// axon-smi keeps the vendor's program aside, and puts it back.
	says(t, "the vendor's nvidia-smi", g.run("nvidia-smi.nvidia"), "the vendor")
	g.run("apt-get remove -y -q axon-smi")
	says(t, "nvidia-smi without axon-smi", g.run("nvidia-smi"), "the vendor")
	g.run("apt-get purge -y -q libnvidia-compute-580")
	expect("without the vendor's package", shim)
	if out := g.run("which nvidia-smi || true"); strings.TrimSpace(out) != "" {
		t.Errorf("the vendor's package left %s", out)
	}
}
