// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/wire"
)

// hangs makes as many calls as a connection may have on its way, which are never answered.
func hangs(c *nvml.Client, from int) {
	call := nvmlCalls.named("nvmlDeviceGetTemperature")
	for i := range nvmlCallsOfOne {
		in := nvmlFrame{call.In, make([]byte, call.InSize)}
		in.put("device", uint64(from+i)) // another question each time
		in.put("sensorType", sensorHang)
		c.Transport().Send(call.number, in.b, func(nvml.Return, []byte) {})
	}
}

func TestOneUsersCallsLeaveRoomForOthers(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, nil)
	if !a.Policy.HasGroup {
		t.Skip("there is no group video, so nobody else may read")
	}
	for i := range 4 {
		hangs(a.nvml(t), i*nvmlCallsOfOne)
	}
	share := shareOf(shares{max: telemetryCalls, root: telemetryCallsRoot}, 0)
	eventually(t, "the worker to have what it is given", func() bool {
		a.telemetry.mu.Lock()
		defer a.telemetry.mu.Unlock()
		return a.telemetry.worker != nil && len(a.telemetry.worker.pending) == share
	})
	got := make(chan nvmlReport, 1)
	go func() {
		got <- nvmlAs(t, a.socket, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{a.Policy.GID}}})
	}()
	select {
	case r := <-got:
		if r.Count != 2 {
			t.Errorf("another user is told %+v", r)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("another user waits")
	}
}

func TestAFrameThatIsTooLongIsNone(t *testing.T) {
	a := startAxond(t, nil)
	c := a.nvml(t)
	for _, name := range []string{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetAccountingStats", "nvmlDeviceGetCount_v2"} {
		call := nvmlCalls.named(name)
		in := nvmlFrame{call.In, make([]byte, call.InSize+1)}
		in.put("device", 1)
		if _, ret := c.Do(call.number, in.b); ret != nvml.ERROR_INVALID_ARGUMENT {
			t.Errorf("%s with a byte more than its frame has: %v", name, ret)
		}
	}
}

// An account of what a user has is not kept for longer than there is something in it.
func TestUsersOfNVMLAreForgotten(t *testing.T) {
	s := New(Config{})
	u := must2(s.claimReader(1))
	u.calls <- struct{}{}
	if must2(s.claimReader(1)) != u {
		t.Error("two connections of a user have two accounts")
	}
	s.unclaimReader(1)
	s.unclaimReader(1)
	if must2(s.claimReader(1)) != u {
		t.Error("a user with a call on its way has a new account")
	}
	s.unclaimReader(1)
	<-u.calls
	must2(s.claimReader(2))
	if s.readers.users[1] != nil || len(s.readers.users) != 1 {
		t.Errorf("there are %d accounts", len(s.readers.users))
	}
}

func TestNoTwoConnectionsHaveOneNumber(t *testing.T) {
	s := New(Config{})
	first := s.claimOwner()
	s.readers.owner = 1<<32 - 2 // four thousand million connections later
	if a, b, c := s.claimOwner(), s.claimOwner(), s.claimOwner(); a != 1<<32-1 || b == 0 || b == first || c == b || c == first {
		t.Errorf("connections have the numbers %d, %d, %d, %d", first, a, b, c)
	}
}

// What a user's readers do not read is bounded for all of them together.
func TestUnreadAnswersOfAUserAreBounded(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	p.are(fmt.Sprint(os.Getppid(), " 1"))
	call := nvmlCalls.named("nvmlDeviceGetComputeRunningProcesses_v3")
	in := nvmlFrame{call.In, make([]byte, call.InSize)}
	in.put("device", 1)
	in.put("infoCount", 4096)
	in.put("has_infos", 1)
	unread := func() int64 {
		a.Server.mu.Lock()
		defer a.Server.mu.Unlock()
		if u := a.readers.users[uint32(os.Getuid())]; u != nil {
			return u.unread.Load()
		}
		return 0
	}
	good[uint32](t)(a.nvml(t).DeviceGetCount_v2()) // there is a worker
	nothingLeaks(t, func() {
		// Each leaves less than a connection may: it takes all to be too much.
		const answers = nvmlUnread / (4096 * 24)
		var all []*net.UnixConn
		for range nvmlUnreadOf/((answers-3)*4096*24) + 10 {
			c := a.dial(t)
			h := wire.Hello{Version: wire.Version, Fingerprint: nvml.Fingerprint, Library: wire.LibraryNVML}
			must2(c.Write(h.Append(nil)))
			must2(wire.ReceiveAnswer(c))
			for id := range uint32(answers) { // the kernel has room for two or three of them
				if _, err := c.Write(request(id, call.number, 0, uint32(len(in.b)), in.b)); err != nil {
					break // hung up on
				}
			}
			all = append(all, c)
			if n := unread(); n > nvmlUnreadOf+nvml.PacketMax {
				t.Fatalf("%d bytes are unread", n)
			}
		}
		eventually(t, "the log says so", func() bool { return a.logged("did not take its answers") > 0 })
		_, rest, _ := strings.Cut(a.log.String(), " of_user=")
		var of int64
		fmt.Sscan(rest, &of)
		if of <= nvmlUnreadOf {
			t.Errorf("a reader was hung up on when its user left %d bytes: %s", of, a.log)
		}
		for _, c := range all {
			c.Close()
		}
		eventually(t, "nothing to be unread", func() bool { return unread() == 0 })
	})
	// And whoever reads is answered.
	good[uint32](t)(a.nvml(t).DeviceGetCount_v2())
}

func TestSetsOfEventsAreBoundedForAUser(t *testing.T) {
	w := &telemetryWorker{pending: map[uint32]telemetryCall{}, keeps: map[uint32]int{}, objects: shares{max: telemetryObjects, root: telemetryObjectsRoot}}
	makes, frees := nvmlCalls.named("nvmlEventSetCreate"), nvmlCalls.named("nvmlEventSetFree")
	if !makes.makes || !frees.frees || makes.frees || frees.makes || !nvmlCalls.named("nvmlGpmSampleFree").frees {
		t.Fatal("what makes a set, and what frees it, is not known")
	}
	create := func(uid, owner uint32) bool {
		c := telemetryCall{uid: uid, owner: owner, call: makes}
		_, ok := w.add(c)
		if ok {
			w.note(c, true)
		}
		return ok
	}
	share := shareOf(shares{max: telemetryObjects, root: telemetryObjectsRoot}, 1000)
	for i := range share {
		if !create(1000, uint32(i%3)) {
			t.Fatalf("a user gets %d sets, not %d", i, share)
		}
	}
	if create(1000, 9) || !create(1001, 10) || !create(0, 11) {
		t.Error("one user's sets are others'")
	}
	w.note(telemetryCall{uid: 1000, owner: 1, call: frees}, true)
	w.note(telemetryCall{uid: 1000, owner: 1, call: frees}, false)
	if w.objects.of[1000] != share-1 {
		t.Errorf("with %d sets of which one is freed a user has %d", share, w.objects.of[1000])
	}
	for owner := range uint32(3) {
		w.drop(owner, 1000)
	}
	if w.objects.of[1000] != 0 || len(w.keeps) != 2 {
		t.Errorf("a user who is gone has %d sets", w.objects.of[1000])
	}
}
