// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

func TestALimitIsTheSmallestOfWhatIsSaid(t *testing.T) {
	l := Limits{GPUMemory: 8 << 30}
	for _, x := range []struct {
		env  []string
		want SessionLimit
	}{
		{nil, SessionLimit{8 << 30, math.MaxUint64}},
		{[]string{"AXON_GPU_MEMORY=6G"}, SessionLimit{6 << 30, math.MaxUint64}},
		{[]string{"AXON_GPU_MEMORY=9G"}, SessionLimit{8 << 30, math.MaxUint64}},
		{[]string{"AXON_GPU_MEMORY=6G", "AXON_GPU_MEMORY=1G", "AXON_MEMORY=7G"}, SessionLimit{6 << 30, 7 << 30}},
		{[]string{"AXON_MEMORY=1G"}, SessionLimit{1 << 30, 1 << 30}},
	} {
		if got, err := l.of(x.env); err != nil || got != x.want {
			t.Errorf("%v gives %v, %v; not %v", x.env, got, err, x.want)
		}
	}
	if _, err := l.of([]string{"AXON_MEMORY=lots"}); err == nil || !strings.Contains(err.Error(), `AXON_MEMORY: "lots" is no size`) {
		t.Errorf("nonsense gives %v", err)
	}
}

// fakeMachine has 1000 MiB available, and a process 1 in /a/b, of which /a may
// have 500 MiB and has 100, 20 of them files.
func fakeMachine(t *testing.T) machine {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"proc/meminfo":              "MemTotal: 4096000 kB\nMemAvailable: 1024000 kB\n",
		"proc/1/cgroup":             "0::/a/b\n",
		"proc/2/cgroup":             "0::/a\n",
		"proc/3/cgroup":             "0::/abc\n",
		"proc/4/cgroup":             "0::/../elsewhere\n",
		"cgroup/a/memory.max":       fmt.Sprintln(500 << 20),
		"cgroup/a/memory.current":   fmt.Sprintln(100 << 20),
		"cgroup/a/memory.stat":      fmt.Sprintln("anon 1\ninactive_file", 20<<20),
		"cgroup/a/b/memory.max":     "max\n",
		"cgroup/a/b/memory.current": "5\n",
	} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return machine{filepath.Join(dir, "proc"), filepath.Join(dir, "cgroup")}
}

// put changes a file of a fake machine's control groups.
func (m machine) put(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(m.cgroup, name), []byte(text), 0o644))
}

const mib = 1 << 20

func TestMemoryThatIsSharedIsWhatGroupsAndTheMachineHaveLeft(t *testing.T) {
	s := New(Config{Settings: &Settings{MemoryFloor: 200 * mib}})
	s.machine = fakeMachine(t)
	limit := func(pid int, f wire.Figures, asking uint64) uint64 {
		t.Helper()
		return s.shared(SessionInfo{Session: 1, PID: pid}, f, asking) / mib
	}
	for _, x := range []struct {
		what   string
		pid    int
		f      wire.Figures
		asking uint64
		want   uint64
	}{
		{"nothing yet", 1, wire.Figures{}, 0, 420},
		{"all outside", 1, wire.Figures{Device: 100 * mib, Outside: 100 * mib}, 0, 420},
		{"pinned, in the group", 1, wire.Figures{Device: 100 * mib, Pinned: 50 * mib, Outside: 100 * mib}, 0, 470},
		{"no group", 3, wire.Figures{}, 0, 800},
		{"no group, and has something", 3, wire.Figures{Device: 100 * mib, Outside: 100 * mib}, 0, 900},
		{"no group, and asks", 3, wire.Figures{Device: 100 * mib, Outside: 100 * mib}, 60 * mib, 840},
		{"outside of what is seen", 4, wire.Figures{}, 0, 800},
		{"gone", 5, wire.Figures{}, 0, 800},
		{"a liar", 1, wire.Figures{Device: math.MaxUint64, Pinned: 2}, 0, 0},
	} {
		if got := limit(x.pid, x.f, x.asking); got != x.want {
			t.Errorf("%s: %d MiB, not %d", x.what, got, x.want)
		}
	}

	// Another session of the group's has some, and the limit of a group changes.
	account, fd, err := wire.NewAccount()
	must(t, err)
	defer os.NewFile(uintptr(fd), "account").Close()
	putFigures(t, fd, 120*mib)
	s.lives[2] = &live{info: SessionInfo{Session: 2, PID: 2}, account: account}
	if got := limit(1, wire.Figures{}, 0); got != 300 {
		t.Errorf("beside another with 120: %d MiB", got)
	}
	if got := limit(3, wire.Figures{}, 0); got != 800 {
		t.Errorf("beside another in another group: %d MiB", got)
	}
	s.machine.put(t, "a/b/memory.max", fmt.Sprint(10*mib+5))
	s.machine.put(t, "a/b/memory.stat", "inactive_file 0\n")
	if got := limit(1, wire.Figures{}, 0); got != 10 {
		t.Errorf("in a smaller one: %d MiB", got)
	}
	s.machine.put(t, "a/memory.max", "1")
	if got := limit(1, wire.Figures{Device: mib, Outside: mib}, 0); got != 0 {
		t.Errorf("when a group is full: %d MiB", got)
	}
}

// putFigures writes what a worker would: so much of a GPU's that shares. The
// offsets are account.h's: device, outside, shares.
func putFigures(t *testing.T, fd int, device uint64) {
	t.Helper()
	for off, value := range map[int64]uint64{128: device, 160: device, 184: 1} {
		_, err := unix.Pwrite(fd, binary.LittleEndian.AppendUint64(nil, value), off)
		must(t, err)
	}
}

func TestTheFloorIsASixteenthAtMostTwoGiB(t *testing.T) {
	s := New(Config{})
	s.machine = fakeMachine(t)
	if got := s.floor(); got != 4096000<<10/16 {
		t.Errorf("the floor is %d", got)
	}
	must(t, os.WriteFile(s.machine.proc+"/meminfo", []byte("MemTotal: 131072000 kB\n"), 0o644))
	if got := s.floor(); got != floorMax {
		t.Errorf("the floor is %d", got)
	}
}
