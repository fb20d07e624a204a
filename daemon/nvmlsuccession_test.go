// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
)

// A worker ends when nobody has asked for a while, and somebody may ask at that very moment.
func TestACallThatComesWhileAWorkerEndsIsAnswered(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.TelemetryIdle = time.Millisecond })
	var all sync.WaitGroup
	begin := time.Now()
	for i := range time.Duration(4) {
		c := a.nvml(t)
		all.Go(func() {
			for n := time.Duration(0); a.logged("telemetry ends") < 30; n++ {
				// One that is made once only, so that it shows.
				if ret := c.EventSetFree(7); ret != nvml.ERROR_INVALID_ARGUMENT {
					t.Errorf("a call is answered %d", uint32(ret))
					return
				}
				if time.Since(begin) > time.Minute {
					t.Error("workers do not end, so nothing is shown")
					return
				}
				time.Sleep((1000 + (n*7+i*13)%40*25) * time.Microsecond) // whenever it comes, it is right
			}
		})
	}
	all.Wait()
	if a.logged("level=WARN") != 0 {
		t.Errorf("it was noticed: %s", a.log)
	}
}

// slow has a worker make a call that takes a moment and is nobody else's question.
func slow(c *nvml.Client, device uint32) nvml.Return {
	_, ret := c.DeviceGetTemperature(nvml.Device(device), sensorSlow)
	return ret
}

func TestCallsThatOnlyReadAreRepeatedWhenTheirWorkerIsKilled(t *testing.T) {
	a := startAxond(t, nil)
	pid := workerPID(t, a.nvml(t))
	var all sync.WaitGroup
	for i := range uint32(8) {
		c := a.nvml(t)
		all.Go(func() {
			if ret := slow(c, i); ret != nvml.SUCCESS {
				t.Errorf("call %d is answered %d", i, uint32(ret))
			}
		})
	}
	eventually(t, "the calls to be on their way", func() bool {
		a.telemetry.mu.Lock()
		defer a.telemetry.mu.Unlock()
		return a.telemetry.worker != nil && len(a.telemetry.worker.pending) == 8
	})
	must(t, unix.Kill(pid, unix.SIGKILL))
	all.Wait()
	eventually(t, "the log says so", func() bool { return a.logged("calls_failed=0 calls_repeated=8") == 1 })
	if n := a.logged("telemetry starts"); n != 2 {
		t.Errorf("there were %d workers", n)
	}
}

func TestWhatAWorkerHadForSomebodyIsSaidToBeLost(t *testing.T) {
	a := startAxond(t, nil)
	c := a.nvml(t)
	set := good[nvml.EventSet](t)(c.EventSetCreate())
	pid := workerPID(t, c)
	waited := make(chan nvml.Return)
	go func() {
		_, ret := c.EventSetWait_v2(set, 3600_000)
		waited <- ret
	}()
	eventually(t, "the wait to be on its way", func() bool {
		a.Server.mu.Lock()
		defer a.Server.mu.Unlock()
		return a.readers.waits.all == 1
	})
	must(t, unix.Kill(pid, unix.SIGKILL))
	if ret := <-waited; ret != nvml.ERROR_UNKNOWN {
		t.Errorf("the wait is answered %d", uint32(ret))
	}
	eventually(t, "another worker's answer", func() bool { return workerPID(t, c) != pid })
	if n := a.readers.waits.all; n != 0 {
		t.Errorf("%d waits are still counted", n)
	}
}

// Whoever kills workers is refused for a while, and nobody else is.
func TestWhoseCallsKillWorkersIsRefusedAlone(t *testing.T) {
	a := startAxond(t, nil)
	hostile := a.nvml(t)
	refused := 0
	for range 20 {
		if _, ret := hostile.DeviceGetTemperature(1, sensorCrash); ret != nvml.ERROR_UNKNOWN {
			t.Fatalf("a call that kills the worker is answered %d", uint32(ret))
		}
	}
	before := a.logged("telemetry starts")
	if before > 4 {
		t.Errorf("a user has killed %d workers in a moment", before)
	}
	// Another user, who asks as axond does itself.
	call := nvmlCalls.named("nvmlDeviceGetCount_v2")
	for range 3 {
		if ret, _ := a.askNVML(t.Context(), 4242, call, nil); ret != nvml.SUCCESS {
			refused++
		}
	}
	if refused > 0 {
		t.Errorf("another user was refused %d times", refused)
	}
}

func TestASetWhoseMakerHangsUpDuringAWaitIsNobodys(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.TelemetryIdle = 50 * time.Millisecond })
	other := a.nvml(t)
	pid := workerPID(t, other)
	c, err := nvml.Dial(a.socket)
	must(t, err)
	set := good[nvml.EventSet](t)(c.EventSetCreate())
	var waits sync.WaitGroup
	var answered atomic.Int32
	for range nvmlWaitsOfOne {
		waits.Go(func() {
			if _, ret := c.EventSetWait_v2(set, 3600_000); ret == nvml.SUCCESS || ret == nvml.ERROR_TIMEOUT {
				t.Errorf("a wait is answered %d", uint32(ret))
			}
			answered.Add(1)
		})
	}
	eventually(t, "the waits to be on their way", func() bool {
		a.Server.mu.Lock()
		defer a.Server.mu.Unlock()
		return a.readers.waits.all == nvmlWaitsOfOne
	})
	if now := workerPID(t, other); now != pid {
		t.Errorf("worker %d became %d while somebody waited", pid, now)
	}
	c.Close()
	waits.Wait()
	eventually(t, "the waits to be given back", func() bool {
		a.Server.mu.Lock()
		defer a.Server.mu.Unlock()
		return a.readers.waits.all == 0
	})
	eventually(t, "the end of the worker, which has nothing any more", func() bool { return a.logged("telemetry ends") > 0 && !exists(pid) })
	if a.logged("level=WARN") != 0 {
		t.Errorf("somebody noticed: %s", a.log)
	}
}
