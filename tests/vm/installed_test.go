// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// build is the folder of what make has built, ../../build or AXON_BUILD.
func build() string {
	if b := os.Getenv("AXON_BUILD"); b != "" {
		return b
	}
	return "../../build"
}

// packages are the names of this version's packages, in an order in which they
// can be installed.
var packages = []string{"axon-worker", "axon-softgpu", "axon", "axon-libs", "axon-smi"}

// debs are the files of the named packages in a folder of packages.
func debs(t *testing.T, dir string, names ...string) []string {
	t.Helper()
	var all []string
	for _, name := range names {
		found, _ := filepath.Glob(filepath.Join(dir, name+"_*_amd64.deb"))
		if len(found) != 1 {
			t.Fatalf("there are %d packages %s in %s; make deb makes one", len(found), name, dir)
		}
		all = append(all, found[0])
	}
	return all
}

// ready is the state of a guest with axon's packages, as apt installs them, and
// driver_axpy. The first test that wants one makes it.
var ready struct {
	sync.Mutex
	booted
}

// installed is a guest from that state, with those of tests/programs that are
// named besides.
func installed(t *testing.T, programs ...string) *guest {
	t.Helper()
	install(t)
	g := ready.restore(t, ready.disk, true)
	for _, p := range programs {
		g.put(filepath.Join(build(), "tests", p))
		g.run("install /host/" + p + " /usr/local/bin/")
	}
	return g
}

// install makes what ready is, where that is not there yet.
func install(t *testing.T) {
	t.Helper()
	needGuest(t)
	ready.Lock()
	defer ready.Unlock()
	if ready.state != "" {
		return
	}
	b, err := bootOnce()
	if err != nil {
		t.Fatal(err)
	}
	disk := filepath.Join(scratch, "installed.qcow2")
	if err := overlay(disk, "qcow2", b.disk); err != nil {
		t.Fatal(err)
	}
	g := b.restore(t, disk, false)
	g.put(debs(t, filepath.Join(build(), "packages"), packages...)...)
	g.put(filepath.Join(build(), "bin/driver_axpy"))
	g.run("install /host/driver_axpy /usr/local/bin/")
	g.run("apt-get install -y -q --no-install-recommends /host/*.deb")
	state := filepath.Join(scratch, "installed")
	g.save(state)
	ready.booted = booted{b.cache, disk, state}
}
