// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/nvml"
)

// processes are what the fake library says is on its GPUs.
type processes struct {
	t    *testing.T
	file string
	of   *axond // whose library that is
}

func fakeLists(t *testing.T) *processes {
	p := &processes{t: t, file: filepath.Join(t.TempDir(), "processes")}
	t.Setenv("SOFTGPU_FAKE_PROCESSES", p.file)
	return p
}

func (p *processes) are(lines ...string) {
	p.t.Helper()
	text := ""
	for _, l := range lines {
		text += l + "\n"
	}
	must(p.t, os.WriteFile(p.file, []byte(text), 0o644))
	if p.of != nil {
		p.of.nvmlCache.clear()
	}
}

// uses has a session use a GPU, and some of its memory.
func (a *axond) uses(t *testing.T, session uint32, mask, bytes uint64) {
	t.Helper()
	a.Server.mu.Lock()
	defer a.Server.mu.Unlock()
	l := a.lives[session]
	fd := int(l.accountFile.Fd())
	le := binary.LittleEndian
	must2(unix.Pwrite(fd, le.AppendUint64(nil, bytes), 128)) // AXON_ACCOUNT's device
	must2(unix.Pwrite(fd, le.AppendUint64(nil, mask), 176))  // and devices
	if f := l.figures(); f.Device != bytes || f.Devices != mask {
		t.Fatalf("the account's layout has changed: %+v", f)
	}
}

func entry(pid int, memory uint64) nvml.ProcessInfo {
	return nvml.ProcessInfo{Pid: uint32(pid), UsedGpuMemory: memory, GpuInstanceId: math.MaxUint32, ComputeInstanceId: math.MaxUint32}
}

func TestAListOfProcessesNamesProgramsAndNotWorkers(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	one, two := a.mustOpen(t), a.mustOpen(t, "SOFTGPU_FAKE=two devices")
	cmd, client := startClient(t, a.socket, "", nil)
	stranger := exec.Command("sleep", "60")
	stranger.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL}
	must(t, stranger.Start())
	defer stranger.Wait()
	defer stranger.Process.Kill()
	a.uses(t, two.answer.Session, 2, 77)
	second := must2(a.Session(two.answer.Session))
	const unknown = math.MaxUint64
	p.are(
		fmt.Sprint(one.worker.PID, " ", 1000),
		fmt.Sprint(second.WorkerPID, " ", uint64(unknown)),
		fmt.Sprint(client.Worker.PID, " ", 3000),
		fmt.Sprint(stranger.Process.Pid, " ", 4000), // axond's child, as a warm worker is
		fmt.Sprint(os.Getppid(), " ", 5000),         // not axon's
		"4194303 6000",                              // nobody
	)
	c := a.nvml(t)
	// Both sessions of this process are one program's; of the second the account knows the memory.
	want := []nvml.ProcessInfo{entry(os.Getpid(), 1077), entry(cmd.Process.Pid, 3000), entry(os.Getppid(), 5000), entry(4194303, 6000)}
	got, ret := c.DeviceGetComputeRunningProcesses_v3(1)
	if ret != nvml.SUCCESS || !slices.Equal(got, want) {
		t.Errorf("version 3: %+v, %v", got, ret)
	}
	got, ret = c.DeviceGetGraphicsRunningProcesses_v3(1)
	if ret != nvml.SUCCESS || !slices.Equal(got, want) {
		t.Errorf("graphics: %+v, %v", got, ret)
	}
	two2, ret := c.DeviceGetComputeRunningProcesses_v2(1)
	if ret != nvml.SUCCESS || len(two2) != 4 || nvml.ProcessInfo(two2[0]) != want[0] || nvml.ProcessInfo(two2[3]) != want[3] {
		t.Errorf("version 2: %+v, %v", two2, ret)
	}
	one1, ret := c.DeviceGetComputeRunningProcesses(1)
	if ret != nvml.SUCCESS || len(one1) != 4 || one1[0] != (nvml.ProcessInfo_v1{Pid: want[0].Pid, UsedGpuMemory: 1077}) || one1[2].UsedGpuMemory != 5000 {
		t.Errorf("version 1: %+v, %v", one1, ret)
	}
	encoders, ret := c.DeviceGetEncoderSessions(1)
	if ret != nvml.SUCCESS || len(encoders) != 5 || encoders[0].Pid != want[0].Pid || encoders[2].Pid != want[1].Pid || encoders[2].SessionId != 2 {
		t.Errorf("encoders: %+v, %v", encoders, ret)
	}
	// In axond's own namespace a number that no process has cannot be told from one of an outer namespace's.
	if r := nvmlAs(t, a.socket, &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID}); os.Geteuid() == 0 && (r.List != nvml.SUCCESS || len(r.Processes) != 0) {
		t.Errorf("a namespace without these processes: %+v", r)
	}
}

func TestCountsOfAListAreOfWhatTheReaderSees(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	o := a.mustOpen(t)
	c := a.nvml(t)
	lines := []string{fmt.Sprint(o.worker.PID, " 1"), fmt.Sprint(os.Getppid(), " 2")}
	for range 100 {
		lines = append(lines, fmt.Sprint(o.worker.PID, " 1")) // in many instances, say
	}
	p.are(lines...)
	ask := func(room uint32, has bool) (nvml.Return, uint32, []byte) {
		t.Helper()
		call := nvmlCalls.of(nvml.CallDeviceGetComputeRunningProcesses_v3)
		in := nvmlFrame{call.In, make([]byte, call.InSize)}
		in.put("device", 1)
		in.put("infoCount", uint64(room))
		if has {
			in.put("has_infos", 1)
		}
		out, ret := c.Do(call.number, in.b)
		if len(out) < call.OutSize {
			t.Fatalf("an answer of %d bytes, %v", len(out), ret)
		}
		return ret, uint32(nvmlFrame{call.Out, out}.get("infoCount")), out[call.OutSize:]
	}
	for _, x := range []struct {
		room  uint32
		has   bool
		ret   nvml.Return
		count uint32
		array int
	}{
		{0, false, nvml.ERROR_INSUFFICIENT_SIZE, 2, 0},
		{0, true, nvml.ERROR_INSUFFICIENT_SIZE, 2, 0},
		{50, false, nvml.ERROR_INSUFFICIENT_SIZE, 2, 0},
		{1, true, nvml.ERROR_INSUFFICIENT_SIZE, 2, 24},
		{2, true, nvml.SUCCESS, 2, 48},
		{3, true, nvml.SUCCESS, 2, 72},
	} {
		ret, count, array := ask(x.room, x.has)
		if ret != x.ret || count != x.count || len(array) != x.array {
			t.Errorf("room for %d (array %v): answered %d, %d processes, %d bytes of them", x.room, x.has, uint32(ret), count, len(array))
		}
	}
	p.are("4194303 1")
	if ret, count, _ := ask(0, false); ret != nvml.ERROR_INSUFFICIENT_SIZE || count != 1 {
		t.Errorf("one process: %d, %d", uint32(ret), count)
	}
	p.are()
	if ret, count, _ := ask(0, false); ret != nvml.SUCCESS || count != 0 {
		t.Errorf("no process: %d, %d", uint32(ret), count)
	}
	if ret, count, array := ask(7, true); ret != nvml.SUCCESS || count != 0 || len(array) != 7*24 {
		t.Errorf("no process and room for 7: %d, %d", uint32(ret), count)
	}
}

func TestSessionsAreListedWhereTheLibraryDoesNotKnow(t *testing.T) {
	for name, change := range map[string]func(c *Config, p *processes){
		"not supported":    func(*Config, *processes) {},
		"the software GPU": func(c *Config, p *processes) { c.Vendor = installed.Vendor{Dir: "/vendor", Software: true}; p.are() },
	} {
		t.Run(name, func(t *testing.T) {
			p := fakeLists(t)
			a := startAxond(t, func(c *Config) { change(c, p) })
			one := a.mustOpen(t, "SOFTGPU_FAKE=two devices")
			cmd, client := startClient(t, a.socket, "two devices", nil)
			a.uses(t, one.answer.Session, 2, 123)
			a.uses(t, client.Answer.Session, 3, 456) // both: how much on which is not known
			c := a.nvml(t)
			on := func(device nvml.Device, want ...nvml.ProcessInfo) {
				t.Helper()
				got, ret := c.DeviceGetComputeRunningProcesses_v3(device)
				if ret != nvml.SUCCESS || !slices.Equal(got, want) {
					t.Errorf("on GPU %d there are %+v, %v", device, got, ret)
				}
			}
			on(1, entry(cmd.Process.Pid, math.MaxUint64))
			on(2, entry(os.Getpid(), 123), entry(cmd.Process.Pid, math.MaxUint64))
			v1, ret := c.DeviceGetComputeRunningProcesses(2)
			if ret != nvml.SUCCESS || len(v1) != 2 || v1[0] != (nvml.ProcessInfo_v1{Pid: uint32(os.Getpid()), UsedGpuMemory: 123}) {
				t.Errorf("version 1: %+v, %v", v1, ret)
			}
			if name == "not supported" {
				if _, ret := c.DeviceGetGraphicsRunningProcesses_v3(1); ret != nvml.ERROR_NOT_SUPPORTED {
					t.Errorf("a list that no session is on is answered %d", ret)
				}
			}
		})
	}
}

func TestWhatTheDriverKeptOfAProgramIsFoundByItsNumber(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	o := a.mustOpen(t)
	cmd, gone := startClient(t, a.socket, "", nil)
	must(t, cmd.Process.Kill())
	cmd.Wait()
	eventually(t, "the session's end", func() bool { return len(a.Sessions()) == 1 })
	p.are(fmt.Sprint(o.worker.PID, " 11"), fmt.Sprint(gone.Worker.PID, " 22"))
	c := a.nvml(t)
	pids, ret := c.DeviceGetAccountingPids(1)
	if ret != nvml.SUCCESS || !slices.Equal(pids, []uint32{uint32(os.Getpid()), uint32(cmd.Process.Pid)}) {
		t.Errorf("accounts are of %v, %v", pids, ret)
	}
	for pid, memory := range map[int]uint64{os.Getpid(): 11, cmd.Process.Pid: 22} {
		if s, ret := c.DeviceGetAccountingStats(1, uint32(pid)); ret != nvml.SUCCESS || s.MaxMemoryUsage != memory {
			t.Errorf("of %d: %+v, %v", pid, s, ret)
		}
	}
	if _, ret := c.DeviceGetAccountingStats(1, 4194303); ret != nvml.ERROR_NOT_FOUND {
		t.Errorf("of nobody: %v", ret)
	}
}

func TestFormerWorkersAreForgottenInTheirOrder(t *testing.T) {
	var f former
	for i := range formerMax + 10 {
		f.add(i+1, process{i + 100001, 1})
	}
	f.add(50, process{7000007, 1}) // the number came again
	if f.clientOf(5).PID != 0 || f.clientOf(50).PID != 7000007 || f.clientOf(formerMax+10).PID != formerMax+100010 || len(f.ring) != formerMax {
		t.Errorf("%d, %d, %d of %d", f.clientOf(5), f.clientOf(50), f.clientOf(formerMax+10), len(f.ring))
	}
	if w := f.workersOf(7000007); !slices.Equal(w, []int{50}) {
		t.Errorf("the workers of the last are %v", w)
	}
}

func TestAListInAnotherPIDNamespaceHasItsNumbers(t *testing.T) {
	rootOnly(t)
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	outside := a.mustOpen(t)
	cmd := exec.Command(self, "client", a.socket, "nvml")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID}
	stdin := must2(cmd.StdinPipe())
	stdout := must2(cmd.StdoutPipe())
	must(t, cmd.Start())
	defer cmd.Wait()
	defer stdin.Close()
	d := json.NewDecoder(stdout)
	var c clientReport
	must(t, d.Decode(&c))
	p.are(fmt.Sprint(c.Worker.PID, " 1"), fmt.Sprint(outside.worker.PID, " 2"))
	must2(stdin.Write([]byte{'\n'})) // now it reads
	var r nvmlReport
	must(t, d.Decode(&r))
	if r.List != nvml.SUCCESS || !slices.Equal(r.Processes, []nvml.ProcessInfo{entry(1, 1)}) {
		t.Errorf("in its namespace: %+v", r)
	}
	got, ret := a.nvml(t).DeviceGetComputeRunningProcesses_v3(1)
	if ret != nvml.SUCCESS || !slices.Equal(got, []nvml.ProcessInfo{entry(cmd.Process.Pid, 1), entry(os.Getpid(), 2)}) {
		t.Errorf("outside: %+v, %v", got, ret)
	}
}
