// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func spaceOf(t *testing.T, pid int, kind string) string {
	t.Helper()
	at, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/ns/" + kind)
	must(t, err)
	return at
}

// catIn starts a process in a client's room that ends with the test.
func catIn(t *testing.T, c *Confinement, client uint32) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("/bin/cat")
	in, err := cmd.StdinPipe()
	must(t, err)
	cmd.Stdout = io.Discard
	left, err := c.start(cmd, client)
	must(t, err)
	ended := false
	end = func() {
		if !ended {
			ended = true
			in.Close()
			cmd.Wait()
			left()
		}
	}
	t.Cleanup(end)
	return cmd.Process.Pid, end
}

func confined(t *testing.T) *Confinement {
	t.Helper()
	c := &Confinement{rooms: &rooms{}}
	if err := c.rooms.try(); err != nil {
		t.Skipf("namespaces cannot be made here: %v", err)
	}
	return c
}

func TestWorkersOfOneUserShareARoomAndNobodyElseDoes(t *testing.T) {
	c := confined(t)
	one, _ := catIn(t, c, 1000)
	two, _ := catIn(t, c, 1000)
	other, _ := catIn(t, c, 1001)
	for _, kind := range []string{"net", "ipc", "mnt"} {
		ours := spaceOf(t, os.Getpid(), kind)
		if spaceOf(t, one, kind) == ours || spaceOf(t, other, kind) == ours {
			t.Errorf("a worker has axond's own %s namespace", kind)
		}
		if spaceOf(t, one, kind) != spaceOf(t, two, kind) {
			t.Errorf("two workers of one user have two %s namespaces", kind)
		}
		if spaceOf(t, one, kind) == spaceOf(t, other, kind) {
			t.Errorf("workers of two users share the %s namespace", kind)
		}
	}
	status, err := os.ReadFile("/proc/" + strconv.Itoa(one) + "/status")
	must(t, err)
	for _, want := range []string{"CapBnd:\t0000000000000000", "CapPrm:\t0000000000000000", "NoNewPrivs:\t1"} {
		if !strings.Contains(string(status), want) {
			t.Errorf("a worker's status lacks %q", want)
		}
	}
	if st, err := os.ReadFile("/proc/self/status"); err != nil || strings.Contains(string(st), "CapBnd:\t0000000000000000") {
		t.Errorf("axond has lost its own capabilities (%v)", err)
	}
}

func TestARoomIsFoundAgainByAWorkerInIt(t *testing.T) {
	before, after := confined(t), &Confinement{rooms: &rooms{}}
	old, end := catIn(t, before, 1000)
	fd, err := unix.PidfdOpen(old, 0)
	must(t, err)
	pidfd := os.NewFile(uintptr(fd), "pidfd")
	defer pidfd.Close()
	left := after.adopt(1000, old, pidfd)
	if left == nil {
		t.Fatal("the worker's room was not found")
	}
	new, _ := catIn(t, after, 1000)
	if spaceOf(t, new, "mnt") != spaceOf(t, old, "mnt") {
		t.Error("the next worker of the user is in another room")
	}
	left()
	if after.adopt(1001, os.Getpid(), pidfd) != nil {
		t.Error("axond's own namespaces were taken for a room")
	}
	end()
	if after.adopt(1002, new, pidfd) != nil {
		t.Error("a process was adopted by a dead one's descriptor")
	}
}

func TestRoomsEndWithTheLastWorker(t *testing.T) {
	c := confined(t)
	_, end := catIn(t, c, 1000)
	if len(c.rooms.all) != 1 {
		t.Fatalf("there are %d rooms", len(c.rooms.all))
	}
	end()
	if len(c.rooms.all) != 0 {
		t.Errorf("%d rooms are left", len(c.rooms.all))
	}
}

func TestIdentitiesHaveTheirRange(t *testing.T) {
	if uid, err := identityOf(1000); err != nil || uid != 0x700003e8 {
		t.Errorf("user 1000's workers are %d, %v", uid, err)
	}
	for _, uid := range []uint32{0x0f000000, 0x700003e8, 0xffffffff} {
		if got, err := identityOf(uid); err == nil {
			t.Errorf("user %d's workers are %d", uid, got)
		}
	}
	c := &Confinement{identity: true}
	if c.admits(&Identity{UID: 0x700003e8}) == nil {
		t.Error("a worker may have a worker")
	}
	var none *Confinement
	if err := none.admits(&Identity{UID: 0x700003e8}); err != nil {
		t.Errorf("without confinement: %v", err)
	}
}

func TestWhatOthersMayNotReachIsNamed(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	file := filepath.Join(dir, "libcuda.so.1")
	must(t, os.WriteFile(file, nil, 0o644))
	if err := reachable(file); err == nil || !strings.Contains(err.Error(), "chmod o+rx") {
		t.Errorf("said %v", err)
	}
	if err := reachable("/bin/sh"); err != nil {
		t.Errorf("/bin/sh: %v", err)
	}
}

func TestRequiredConfinementIsAllOrNothing(t *testing.T) {
	o := ConfinementOptions{Mode: ConfineRequire, Policy: Policy{AxondRoot: false}}
	if _, err := NewConfinement(o); err == nil || !strings.Contains(err.Error(), "only root") {
		t.Errorf("an axond that is not root says %v", err)
	}
	o.Mode = ConfineOn
	c, err := NewConfinement(o)
	must(t, err)
	if len(c.Missing) == 0 || c.identity || c.rooms != nil {
		t.Errorf("an axond that is not root has %+v", c)
	}
	for _, bad := range []ConfinementOptions{{Mode: "maybe"}, {Mode: ConfineOn, Without: []string{"everything"}}} {
		if _, err := NewConfinement(bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if c, err := NewConfinement(ConfinementOptions{Mode: ConfineOff}); c != nil || err != nil {
		t.Errorf("off gives %+v, %v", c, err)
	}
}
