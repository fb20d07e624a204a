// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/view"
)

// look is the machine as of now.
func look(t testing.TB, socket string) *view.Machine {
	t.Helper()
	began := time.Now()
	c, err := view.Dial(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for {
		m, err := c.Machine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if m.Time.After(began) { // not one that another reader had taken
			return m
		}
	}
}

func readNVML(t testing.TB, socket string) *nvml.Client {
	t.Helper()
	c, err := nvml.Dial(socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// telemetryWorkers are the processes that hold NVML.
func (a *axond) telemetryWorkers() (pids []int) {
	for _, pid := range a.workers() {
		if b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); strings.Contains(string(b), "\x00--telemetry") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// A person who looks sees the program, by its own number and with its own
// memory, wherever the look comes from.
func TestAProgramIsSeenByNVMLAndTheView(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	c.expect("hold", "0")
	reader := readNVML(t, a.socket)
	uuid, ret := reader.DeviceGetUUID(1)
	if ret != nvml.SUCCESS {
		t.Fatal(ret)
	}
	list, ret := reader.DeviceGetComputeRunningProcesses_v3(1)
	if ret != nvml.SUCCESS || len(list) != 1 || int(list[0].Pid) != c.cmd.Process.Pid || list[0].UsedGpuMemory < 64<<20 {
		t.Errorf("NVML says %+v, %v; the program is %d", list, ret, c.cmd.Process.Pid)
	}
	had, ret := reader.DeviceGetMemoryInfo(1)
	if ret != nvml.SUCCESS || had.Used != list[0].UsedGpuMemory || had.Used+had.Free != had.Total {
		t.Errorf("NVML says %+v, %v; the program has %d bytes", had, ret, list[0].UsedGpuMemory)
	}
	m := look(t, a.socket)
	if len(m.GPUs) > 0 && (m.GPUs[0].MemoryUsed == nil || *m.GPUs[0].MemoryUsed != had.Used) {
		t.Errorf("the view's memory is %+v", m.GPUs[0])
	}
	if m.GPUsError != nil || len(m.GPUs) == 0 || m.GPUs[0].UUID != uuid || m.Driver == nil || m.CUDA == nil {
		t.Errorf("the view has %+v", m)
	}
	if len(m.Sessions) != 1 {
		t.Fatalf("the view has %d sessions", len(m.Sessions))
	}
	s := m.Sessions[0]
	if s.PID == nil || *s.PID != c.cmd.Process.Pid || len(s.GPUs) != 1 || s.GPUs[0] != uuid || s.GPUMemory < 64<<20 || s.Calls == 0 {
		t.Errorf("the session is %+v", s)
	}
	if len(s.Args) != 1 || s.Args[0] != filepath.Join(in.build, "tests", "linger") || s.Program != "linger" {
		t.Errorf("the program is %q, %q", s.Program, s.Args)
	}
	c.cmd.Process.Kill()
	waitFor(t, "nobody is seen any more", 20*time.Second, func() bool {
		list, ret := reader.DeviceGetComputeRunningProcesses_v3(1)
		had, ret2 := reader.DeviceGetMemoryInfo(1)
		return ret == nvml.SUCCESS && len(list) == 0 && ret2 == nvml.SUCCESS && had.Used == 0 && len(look(t, a.socket).Sessions) == 0
	})
}

func TestASessionDoesNotNoticeTheTelemetryWorkersEnd(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0")
	reader := readNVML(t, a.socket)
	for range 3 {
		if _, ret := reader.DeviceGetCount_v2(); ret != nvml.SUCCESS {
			t.Fatal(ret)
		}
		pids := a.telemetryWorkers()
		if len(pids) != 1 {
			t.Fatalf("%d processes hold NVML", len(pids))
		}
		syscall.Kill(pids[0], syscall.SIGKILL)
		c.expect("call", "0")
		waitFor(t, "another telemetry worker", 20*time.Second, func() bool {
			_, ret := reader.DeviceGetCount_v2()
			now := a.telemetryWorkers()
			return ret == nvml.SUCCESS && len(now) == 1 && now[0] != pids[0]
		})
	}
}

// cpuTime is what a process has used.
func cpuTime(t testing.TB, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		t.Fatal(err)
	}
	// Of its main thread; axond's others have theirs.
	total := int64(0)
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, task := range tasks {
		if b, err = os.ReadFile(task); err == nil {
			n, _ := strconv.ParseInt(strings.Fields(string(b))[0], 10, 64)
			total += n
		}
	}
	return time.Duration(total)
}

// BenchmarkLooking is what axond and the telemetry worker spend on one look at
// the machine, of which a view takes one a second.
func BenchmarkLooking(b *testing.B) {
	for _, sessions := range []int{0, 50} {
		b.Run(fmt.Sprint(sessions, "sessions"), func(b *testing.B) {
			in := installation{build: buildDir(b)}
			a := startAxond(b, in)
			for range sessions {
				startClient(b, in, in.clientEnv(a.socket)).expect("open", "0")
			}
			c, err := view.Dial(a.socket)
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			if m, err := c.Machine(b.Context()); err != nil || len(m.Sessions) != sessions {
				b.Fatalf("%+v, %v", m, err)
			}
			pids := append(a.telemetryWorkers(), a.cmd.Process.Pid)
			if len(pids) != 2 {
				b.Fatalf("%d processes are to be watched", len(pids))
			}
			used := func() (d time.Duration) {
				for _, pid := range pids {
					d += cpuTime(b, pid)
				}
				return d
			}
			before := used()
			b.ResetTimer()
			for range b.N {
				time.Sleep(260 * time.Millisecond) // a look is good for 250
				if _, err := c.Machine(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((used()-before).Microseconds())/float64(b.N), "cpu-us/look")
		})
	}
}

// BenchmarkACallWhileOthersRead is a session's call and back, while nobody and
// while a hundred programs read what nvidia-smi shows, once a second each.
func BenchmarkACallWhileOthersRead(b *testing.B) {
	for _, readers := range []int{0, 100} {
		b.Run(fmt.Sprint(readers, "readers"), func(b *testing.B) {
			in := installation{build: buildDir(b)}
			a := startAxond(b, in)
			c := startClient(b, in, in.clientEnv(a.socket))
			c.expect("open", "0")
			var wg sync.WaitGroup
			done := make(chan struct{})
			for i := range readers {
				r := readNVML(b, a.socket)
				wg.Go(func() {
					t := time.NewTimer(time.Duration(i) * time.Second / time.Duration(readers))
					for {
						select {
						case <-done:
							return
						case <-t.C:
						}
						r.DeviceGetUtilizationRates(1)
						r.DeviceGetMemoryInfo(1)
						r.DeviceGetTemperature(1, nvml.TEMPERATURE_GPU)
						r.DeviceGetPowerUsage(1)
						r.DeviceGetClockInfo(1, nvml.CLOCK_SM)
						r.DeviceGetComputeRunningProcesses_v3(1)
						t.Reset(time.Second)
					}
				})
			}
			b.ResetTimer()
			for range b.N {
				c.expect("call", "0")
			}
			b.StopTimer()
			close(done)
			wg.Wait()
		})
	}
}
