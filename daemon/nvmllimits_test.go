// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"syscall"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
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
	eventually(t, "the worker to have what it is given", func() bool {
		a.telemetry.mu.Lock()
		defer a.telemetry.mu.Unlock()
		return a.telemetry.worker != nil && len(a.telemetry.worker.pending) == nvmlCallsOf
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
	u := s.enterNVML(1)
	u.calls <- struct{}{}
	if s.enterNVML(1) != u {
		t.Error("two connections of a user have two accounts")
	}
	s.leaveNVML(u)
	s.leaveNVML(u)
	if s.enterNVML(1) != u {
		t.Error("a user with a call on its way has a new account")
	}
	s.leaveNVML(u)
	<-u.calls
	s.enterNVML(2)
	if s.readers.nvml[1] != nil || len(s.readers.nvml) != 1 {
		t.Errorf("there are %d accounts", len(s.readers.nvml))
	}
}
