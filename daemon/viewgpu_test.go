// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"strings"
	"testing"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/view"
)

func TestTheViewHasNVMLsFiguresAndNoOthers(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	one, two := a.mustOpen(t, "SOFTGPU_FAKE=two devices"), a.mustOpen(t, "SOFTGPU_FAKE=two devices")
	a.uses(t, one.answer.Session, 2, 10)
	a.uses(t, two.answer.Session, 1, 20)
	worker := must2(a.Session(one.answer.Session)).WorkerPID
	p.are(fmt.Sprint(worker, " 75"))
	m := a.see(t)
	if m.GPUsError != nil || len(m.GPUs) != 2 || m.CUDA == nil || *m.CUDA != "13.2" || m.Driver != nil {
		t.Fatalf("the machine is %+v", m)
	}
	for i, g := range m.GPUs {
		if g.Index != uint32(i) || g.UUID != fakeUUID(uint64(i)+1) || g.Name != "" || g.BusID != nil || len(g.Links) != 0 {
			t.Errorf("GPU %d is %+v", i, g)
		}
		if g.Busy == nil || *g.Busy != 0 || g.MemoryBusy == nil || *g.MemoryBusy != 0.25 || g.Energy != nil || g.ClockSM != nil {
			t.Errorf("GPU %d: what is 0 is not what is not known: %+v", i, g)
		}
		if g.Temperature == nil || *g.Temperature != 40 || g.Power == nil {
			t.Errorf("GPU %d has %v degrees, takes %v watts", i, g.Temperature, g.Power)
		}
	}
	// Of the first the library does not tell the memory, as of one that shares the machine's.
	if g := m.GPUs[0]; g.MemoryKind != view.MemoryMachine || g.MemoryTotal == nil || *g.MemoryTotal != *m.MemoryTotal {
		t.Errorf("the first GPU has the memory %+v", g)
	}
	if g := m.GPUs[1]; g.MemoryKind != view.MemoryOwn || *g.MemoryTotal != 1000 || *g.MemoryUsed != 600 {
		t.Errorf("the second GPU has the memory %+v", g)
	}
	if s := sessionOf(t, m, one.answer.Session); s.Busy == nil || *s.Busy != 0.75 || len(s.GPUs) != 1 || s.GPUs[0] != fakeUUID(2) || s.GPUMemory != 10 {
		t.Errorf("the busy session is %+v", s)
	}
	if s := sessionOf(t, m, two.answer.Session); s.Busy != nil {
		t.Errorf("a session on a GPU that does not say is busy %v", *s.Busy)
	}
	p.are()
	if s := sessionOf(t, a.see(t), one.answer.Session); s.Busy == nil || *s.Busy != 0 {
		t.Errorf("an idle session is busy %v", s.Busy)
	}
	// The same by NVML itself, for others: by programs, not workers.
	p.are(fmt.Sprint(worker, " 50"), "4194303 1")
	list, ret := a.nvml(t).DeviceGetProcessUtilization(2, 0)
	if ret != nvml.SUCCESS || len(list) != 2 || int(list[0].Pid) != must2(a.Session(one.answer.Session)).PID || list[0].SmUtil != 50 {
		t.Errorf("processes' use: %+v, %v", list, ret)
	}
}

func TestTheViewWithoutNVMLSaysSo(t *testing.T) {
	t.Setenv("SOFTGPU_FAKE", "no driver")
	a := startAxond(t, func(c *Config) { c.Vendor = installed.Vendor{Dir: "/vendor"} })
	m := a.see(t)
	if m.GPUsError == nil || !strings.Contains(*m.GPUsError, "Driver Not Loaded") {
		t.Errorf("the machine is %+v", m)
	}
	if m.CPUs < 1 || m.Driver != nil {
		t.Errorf("the rest is %+v", m)
	}
}
