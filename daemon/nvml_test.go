// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/wire"
)

// nvml connects to axond as a program that reads NVML.
func (a *axond) nvml(t testing.TB) *nvml.Client {
	t.Helper()
	c, err := nvml.Dial(a.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// good ends the test if a call was not answered.
func good[T any](t testing.TB) func(v T, ret nvml.Return) T {
	return func(v T, ret nvml.Return) T {
		t.Helper()
		if ret != nvml.SUCCESS {
			t.Fatalf("a call is answered %d: %v", uint32(ret), ret)
		}
		return v
	}
}

// workerPID is the fake telemetry worker's.
func workerPID(t testing.TB, c *nvml.Client) int {
	t.Helper()
	return int(good[uint32](t)(c.DeviceGetPowerManagementLimit(1)))
}

func (a *axond) logged(text string) int { return strings.Count(a.log.String(), text) }

// nvmlReport is what fakeNVMLReader found.
type nvmlReport struct {
	Err       string
	Return    nvml.Return // of Dial
	Count     uint32
	Set       nvml.Return
	Instance  nvml.Return // of an instance of a divided GPU
	Bandwidth nvml.Return // of the mode of NVLinks' bandwidth
	Processes []nvml.ProcessInfo
	List      nvml.Return
}

// fakeNVMLReader reads NVML and tries to change something by it.
func fakeNVMLReader(socket string) {
	json.NewEncoder(os.Stdout).Encode(readByNVML(socket))
}

func readByNVML(socket string) (r nvmlReport) {
	c, err := nvml.Dial(socket)
	if err != nil {
		r.Err = err.Error()
		errors.As(err, &r.Return)
		return r
	}
	defer c.Close()
	r.Count, _ = c.DeviceGetCount_v2()
	r.Set = c.DeviceSetPersistenceMode(1, 1)
	_, r.Instance = c.DeviceGetGpuInstanceById(1, 2)
	_, r.Bandwidth = c.SystemGetNvlinkBwMode()
	r.Processes, r.List = c.DeviceGetComputeRunningProcesses_v3(1)
	return r
}

func nvmlAs(t *testing.T, socket string, attr *syscall.SysProcAttr) (r nvmlReport) {
	t.Helper()
	cmd := exec.Command(self, "nvml", socket)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = attr
	b, err := cmd.Output()
	must(t, err)
	must(t, json.Unmarshal(b, &r))
	return r
}

func TestTelemetryStartsWhenAskedForAndEndsWhenNobodyAsks(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.TelemetryIdle = 100 * time.Millisecond })
	if n := a.logged("telemetry starts"); n != 0 {
		t.Errorf("it started %d times before anybody asked", n)
	}
	c := a.nvml(t)
	if n := good[uint32](t)(c.DeviceGetCount_v2()); n != 2 {
		t.Errorf("there are %d GPUs", n)
	}
	if uuid := good[string](t)(c.DeviceGetUUID(2)); uuid != fakeUUID(2) {
		t.Errorf("the second GPU is %q", uuid)
	}
	first := workerPID(t, c)
	eventually(t, "the end of telemetry", func() bool { return a.logged("telemetry ends") == 1 && !exists(first) })
	if second := workerPID(t, c); second == first || !running(second) {
		t.Errorf("the next call is answered by process %d, the first was by %d", second, first)
	}
	if n := a.logged("telemetry starts"); n != 2 || a.logged("level=WARN") != 0 {
		t.Errorf("it started %d times", n)
	}
	if a.Counts() != (Counts{}) || len(a.Sessions()) != 0 {
		t.Errorf("a reader counts as a session: %+v", a.Counts())
	}
}

func TestTelemetryEndsWithAxond(t *testing.T) {
	a := startAxond(t, nil)
	pid := workerPID(t, a.nvml(t))
	must(t, a.stop())
	if exists(pid) {
		t.Errorf("the telemetry worker %d outlives axond", pid)
	}
}

func TestALibraryThatCannotBeReadIsSaidOnce(t *testing.T) {
	for fake, c := range map[string]struct {
		ret  nvml.Return
		says string
	}{
		"no library":        {nvml.ERROR_LIBRARY_NOT_FOUND, "no libnvidia-ml.so.1"},
		"no driver":         {nvml.ERROR_DRIVER_NOT_LOADED, "nvmlInit"},
		"dies at the start": {nvml.ERROR_UNKNOWN, "exit status 3"},
	} {
		t.Run(fake, func(t *testing.T) {
			t.Setenv("SOFTGPU_FAKE", fake)
			a := startAxond(t, nil)
			for range 20 {
				if _, ret := a.nvml(t).DeviceGetCount_v2(); ret != c.ret {
					t.Fatalf("a call is answered %d, not %d", ret, c.ret)
				}
			}
			eventually(t, "the reason in the log", func() bool { return a.logged(c.says) > 0 && a.logged("NVML cannot be read") > 0 })
			if n := a.logged("NVML cannot be read"); n != 1 {
				t.Errorf("the log says it %d times: %s", n, a.log)
			}
		})
	}
}

func TestAWorkerOfAnotherBuildIsNotUsed(t *testing.T) {
	a := startAxond(t, func(c *Config) {
		old := filepath.Join(t.TempDir(), "worker")
		must(t, os.WriteFile(old, []byte("#!/bin/sh\necho 1 000102030405060708090a0b0c0d0e0f\n"), 0o755))
		c.Worker.Path = old
	})
	if _, ret := a.nvml(t).DeviceGetCount_v2(); ret != nvml.ERROR_LIB_RM_VERSION_MISMATCH {
		t.Errorf("a call is answered %d: %s", ret, a.log)
	}
	eventually(t, "the remedy in the log", func() bool { return a.logged("systemctl restart axond") == 1 })
	b := a.dial(t)
	h := wire.Hello{Version: wire.Version, Fingerprint: [16]byte{1}, Library: wire.LibraryNVML}
	must2(b.Write(h.Append(nil)))
	if answer := must2(wire.ReceiveAnswer(b)); answer.Status != wire.StatusMismatch || !strings.Contains(answer.Text, "update axon") {
		t.Errorf("a program of another build is told %+v", answer)
	}
}

func TestOnlyRootOfTheMachineChangesIt(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, func(c *Config) { c.TelemetryIdle = 100 * time.Millisecond })
	must(t, os.Chmod(a.socket, 0o666))
	if r := nvmlAs(t, a.socket, nil); r.Err != "" || r.Count != 2 || r.Set != nvml.SUCCESS || r.Instance != nvml.SUCCESS || r.Bandwidth != nvml.SUCCESS {
		t.Errorf("root: %+v", r)
	}
	eventually(t, "the end of what changes things", func() bool { return strings.Contains(a.log.String(), "telemetry ends\" telemetry=changing") })
	if r := nvmlAs(t, a.socket, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346}}); r.Return != nvml.ERROR_NO_PERMISSION || !strings.Contains(r.Err, "usermod") {
		t.Errorf("an outsider: %+v", r)
	}
	if a.Policy.HasGroup {
		if r := nvmlAs(t, a.socket, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{a.Policy.GID}}}); r.Count != 2 || r.Set != nvml.ERROR_NO_PERMISSION || r.Instance != nvml.ERROR_NO_PERMISSION || r.Bandwidth != nvml.ERROR_NO_PERMISSION {
			t.Errorf("a member of the group: %+v", r)
		}
	}
	ids := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}}
	if r := nvmlAs(t, a.socket, &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER, UidMappings: ids, GidMappings: ids}); r.Count != 2 || r.Set != nvml.ERROR_NO_PERMISSION || r.Instance != nvml.ERROR_NO_PERMISSION || r.Bandwidth != nvml.ERROR_NO_PERMISSION {
		t.Errorf("root of a user namespace: %+v", r)
	}
	cmd := exec.Command("setpriv", "--bounding-set", "-sys_admin", self, "nvml", a.socket)
	if b, err := cmd.Output(); err != nil {
		t.Logf("not shown, there is no setpriv: %v", err)
	} else {
		var r nvmlReport
		must(t, json.Unmarshal(b, &r))
		if r.Count != 2 || r.Set != nvml.ERROR_NO_PERMISSION {
			t.Errorf("root without CAP_SYS_ADMIN: %+v", r)
		}
	}
}

func TestTheTelemetryWorkerGetsNothingOfAClients(t *testing.T) {
	a := startAxond(t, nil)
	pid := workerPID(t, a.nvml(t))
	b := must2(os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)))
	if want := self + " --library nvml --vendor /vendor --telemetry "; strings.ReplaceAll(string(b), "\x00", " ") != want {
		t.Errorf("it was started as %q", b)
	}
	for env := range bytes.SplitSeq(must2(os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))), []byte{0}) {
		name, _, _ := strings.Cut(string(env), "=")
		switch name {
		case "", "LD_LIBRARY_PATH", "PATH", "AXON_DEBUG":
		default:
			if !strings.HasPrefix(name, "SOFTGPU_") {
				t.Errorf("it has %q in its environment", env)
			}
		}
	}
	env := telemetryEnv([]string{"SOFTGPU_NVML=/f", "LD_PRELOAD=/evil.so", "HOME=/root", "CUDA_VISIBLE_DEVICES="}, "/v", false)
	if got := strings.Join(env, " "); got != "LD_LIBRARY_PATH=/v PATH=/usr/local/bin:/usr/bin:/bin SOFTGPU_NVML=/f" {
		t.Errorf("a worker's environment is %q", got)
	}
}

func TestAKilledTelemetryWorkerFailsItsCallsAndIsReplaced(t *testing.T) {
	a := startAxond(t, nil)
	var wg sync.WaitGroup
	var stop atomic.Bool
	var answered, failed [10]atomic.Int64
	for i := range answered {
		c := a.nvml(t)
		wg.Go(func() {
			for !stop.Load() {
				switch _, ret := c.DeviceGetTemperature(1, nvml.TemperatureSensors(i)); ret {
				case nvml.SUCCESS:
					answered[i].Add(1)
				case nvml.ERROR_UNKNOWN:
					failed[i].Add(1)
				default:
					t.Errorf("a call is answered %d", ret)
					return
				}
			}
		})
	}
	all := func(of *[10]atomic.Int64, more int64) func() bool {
		var were [10]int64
		for i := range of {
			were[i] = of[i].Load()
		}
		return func() bool {
			for i := range of {
				if of[i].Load() < were[i]+more {
					return false
				}
			}
			return true
		}
	}
	eventually(t, "answers for all", all(&answered, 3))
	pid := workerPID(t, a.nvml(t))
	must(t, unix.Kill(pid, unix.SIGKILL))
	eventually(t, "the loss in the log", func() bool { return a.logged("the telemetry worker was lost") == 1 })
	eventually(t, "answers for all, again", all(&answered, 3))
	stop.Store(true)
	wg.Wait()
	if text := a.log.String(); !strings.Contains(text, "killed by SIGKILL") || !strings.Contains(text, "level=WARN msg=\"the telemetry worker was lost") {
		t.Errorf("the log does not say how: %s", text)
	}
}

func TestATelemetryWorkerThatAlwaysDiesIsNotStartedForEver(t *testing.T) {
	a := startAxond(t, nil)
	c := a.nvml(t)
	for range 50 {
		if _, ret := c.DeviceGetTemperature(1, sensorCrash); ret != nvml.ERROR_UNKNOWN {
			t.Fatalf("a call that kills the worker is answered %d", ret)
		}
	}
	if n := a.logged("telemetry starts"); n < 2 || n > 4 {
		t.Errorf("it was started %d times for 50 calls at once", n)
	}
	a.telemetry.mu.Lock()
	a.telemetry.blamed = nil // that time has gone by
	a.telemetry.mu.Unlock()
	good[uint32](t)(c.DeviceGetCount_v2())
}

func TestATelemetryWorkerThatMisbehavesIsReplaced(t *testing.T) {
	for name, sensor := range map[string]nvml.TemperatureSensors{"hangs": sensorHang, "says garbage": sensorGarbage, "answers what nobody asked": sensorUnasked} {
		t.Run(name, func(t *testing.T) {
			a := startAxond(t, func(c *Config) { c.TelemetryIdle = time.Second })
			a.telemetry.stuck = 500 * time.Millisecond
			done := make(chan nvml.Return)
			go func() {
				c, err := nvml.Dial(a.socket)
				if err != nil {
					done <- nvml.SUCCESS
					return
				}
				defer c.Close()
				_, ret := c.DeviceGetTemperature(1, sensor)
				done <- ret
			}()
			if sensor == sensorHang { // others' calls go on
				good[uint32](t)(a.nvml(t).DeviceGetCount_v2())
			}
			if ret := <-done; ret != nvml.ERROR_UNKNOWN {
				t.Errorf("the call is answered %d", ret)
			}
			if sensor == sensorHang {
				eventually(t, "what hangs in the log", func() bool { return a.logged("nvmlDeviceGetTemperature was not answered") == 1 })
			}
			good[uint32](t)(a.nvml(t).DeviceGetCount_v2())
		})
	}
}

func TestAReplacedLibraryIsLoadedAnew(t *testing.T) {
	dir := t.TempDir()
	library := filepath.Join(dir, nvmlLibrary)
	must(t, os.WriteFile(library, []byte("one"), 0o644))
	a := startAxond(t, func(c *Config) { c.Vendor.Dir, c.TelemetryIdle = dir, 200*time.Millisecond })
	c := a.nvml(t)
	good[nvml.EventSet](t)(c.EventSetCreate()) // it would stay for that
	pid := workerPID(t, c)
	must(t, os.WriteFile(library, []byte("another"), 0o644))
	eventually(t, "the old one's end", func() bool { return a.logged("was replaced on disk") == 1 })
	if now := workerPID(t, c); now == pid || a.logged("level=WARN") != 0 {
		t.Errorf("worker %d became %d", pid, now)
	}
}

func TestEqualQuestionsAreAskedOnce(t *testing.T) {
	a := startAxond(t, nil)
	c := a.nvml(t)
	before := good[uint32](t)(c.DeviceGetPowerUsage(1)) // counts the worker's calls
	began := time.Now()
	var wg sync.WaitGroup
	for range 500 {
		wg.Go(func() { c.DeviceGetPowerUsage(1) })
	}
	wg.Wait()
	took := time.Since(began)
	after := good[uint32](t)(c.DeviceGetPowerUsage(2))
	if most := 3 + uint32(took/nvmlFresh); after-before > most {
		t.Errorf("500 questions in %v became %d calls, at most %d were needed", took, after-before, most)
	}
	// It is not for ever, nor for another question, nor for one with an owner.
	eventually(t, "a newer answer", func() bool {
		now, _ := c.DeviceGetPowerUsage(1)
		return now > after
	})
	if owner := good[uint32](t)(c.DeviceGetFanSpeed(1)); owner != 0 {
		t.Errorf("a question that anybody may ask is owner %d's", owner)
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	var c nvmlCache
	call := nvmlCalls.named("nvmlDeviceGetPowerUsage")
	asked, answered := 0, 0
	for i := range 10 * nvmlCacheSize {
		in := binary.LittleEndian.AppendUint64(nil, uint64(i))
		done := c.ask(call, in, func(ret nvml.Return, out []byte) { answered++ })
		if done == nil {
			t.Fatalf("question %d was asked already", i)
		}
		asked++
		if i%2 == 0 {
			done(nvml.SUCCESS, make([]byte, 3000))
		} else {
			defer done(nvml.SUCCESS, nil)
		}
		if len(c.known) > nvmlCacheSize || c.bytes > nvmlCacheBytes+4000 || c.bytes < 0 {
			t.Fatalf("after %d questions it has %d answers of %d bytes", i, len(c.known), c.bytes)
		}
	}
	if answered != asked/2 {
		t.Errorf("%d of %d were answered", answered, asked/2)
	}
	c.clear()
	if c.ask(call, make([]byte, nvmlCacheKey+1), func(nvml.Return, []byte) {}) == nil || len(c.known) != 0 {
		t.Error("a question that is too long was kept")
	}
}

// nvmlConn is a connection that speaks packets itself.
func (a *axond) nvmlConn(t *testing.T) func(b []byte) error {
	t.Helper()
	c := a.dial(t)
	h := wire.Hello{Version: wire.Version, Fingerprint: nvml.Fingerprint, Library: wire.LibraryNVML}
	must2(c.Write(h.Append(nil)))
	if answer := must2(wire.ReceiveAnswer(c)); answer.Status != wire.StatusOK || answer.Session != 0 {
		t.Fatalf("an NVML reader is told %+v", answer)
	}
	return func(b []byte) error {
		_, err := c.Write(b)
		return err
	}
}

func request(id, call, flags, announced uint32, in []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32(nil, id), call)
	return append(le.AppendUint32(le.AppendUint32(b, flags), announced), in...)
}

func hostileRequests() map[string][]byte {
	return map[string][]byte{
		"half a head":   request(1, 1, 0, 0, nil)[:15],
		"flags":         request(1, nvml.CallDeviceGetCount_v2, 1, 0, nil),
		"too little":    request(1, nvml.CallDeviceGetUUID, 0, 16, make([]byte, 15)),
		"too much":      request(1, nvml.CallDeviceGetUUID, 0, 16, make([]byte, 17)),
		"a wrong count": request(1, nvml.CallDeviceGetUUID, 0, 0xffffffff, make([]byte, 16)),
		"a long packet": request(1, nvml.CallDeviceGetUUID, 0, nvml.PacketMax, make([]byte, nvml.PacketMax)),
		"one byte":      {0},
	}
}

func TestAMalformedPacketEndsItsConnectionAlone(t *testing.T) {
	a := startAxond(t, nil)
	other := a.nvml(t)
	pid := workerPID(t, other)
	for name, b := range hostileRequests() {
		c := a.dial(t)
		h := wire.Hello{Version: wire.Version, Fingerprint: nvml.Fingerprint, Library: wire.LibraryNVML}
		must2(c.Write(h.Append(nil)))
		must2(wire.ReceiveAnswer(c))
		if _, err := c.Write(b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n, err := c.Read(make([]byte, 100)); n != 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: it was answered with %d bytes, %v", name, n, err)
		}
	}
	if now := workerPID(t, other); now != pid {
		t.Errorf("worker %d became %d", pid, now)
	}
	// What is only wrong for its call is answered.
	for name, c := range map[string]struct {
		call uint32
		in   []byte
		ret  nvml.Return
	}{
		"no such call":        {0x7fffffff, nil, nvml.ERROR_FUNCTION_NOT_FOUND},
		"call 0":              {0, nil, nvml.ERROR_FUNCTION_NOT_FOUND},
		"the worker's own":    {telemetryForget, nil, nvml.ERROR_FUNCTION_NOT_FOUND},
		"a short frame":       {nvml.CallDeviceGetUUID, make([]byte, 8), nvml.ERROR_INVALID_ARGUMENT},
		"a list without end":  {nvml.CallDeviceGetComputeRunningProcesses_v3, append(make([]byte, 8), bytes.Repeat([]byte{0xff}, 8)...), nvml.ERROR_INVALID_ARGUMENT},
		"a list of no device": {nvml.CallDeviceGetGraphicsRunningProcesses_v3, make([]byte, 16), nvml.ERROR_NOT_SUPPORTED},
	} {
		if _, ret := other.Do(c.call, c.in); ret != c.ret {
			t.Errorf("%s: answered %d, not %d", name, ret, c.ret)
		}
	}
}

func FuzzNVMLRequest(f *testing.F) {
	for _, b := range hostileRequests() {
		f.Add(b)
	}
	f.Add(request(7, nvml.CallDeviceGetComputeRunningProcesses_v3, 0, 16, make([]byte, 16)))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := parseNVMLRequest(b)
		if err != nil {
			return
		}
		if !bytes.Equal(request(r.id, r.call, 0, uint32(len(r.in)), r.in), b) {
			t.Fatalf("%q was read as %+v", b, r)
		}
		if call := nvmlCalls.of(r.call); call != nil && call.list != nil && len(r.in) >= call.InSize {
			// A list's frame is looked into: nothing in it leads out of what there is.
			c := &nvmlClient{}
			asked := nvmlFrame{call.In, r.in[:call.InSize]}
			if room := asked.get(call.OutData[0].Count); room < 1000 {
				c.emptyList(call, room, asked)
			}
		}
	})
}

func FuzzTelemetryAnswer(f *testing.F) {
	f.Add(request(1, 0, 0, 0, nil))
	f.Add(request(1, 0, 0, 8, make([]byte, 8)))
	f.Add(request(2, 0, 0, 0, nil))
	for _, b := range hostileRequests() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w := &telemetryWorker{t: newTelemetry(New(Config{}), false), bad: make(chan string, 1), pending: map[uint32]telemetryCall{}, keeps: map[uint32]int{}}
		answers := 0
		w.add(telemetryCall{call: nvmlCalls.of(1), done: func(ret nvml.Return, out []byte) {
			answers++
			if len(out) != len(b)-nvml.HeaderSize {
				t.Errorf("%d bytes became an answer of %d", len(b), len(out))
			}
		}})
		if w.answered(b) != (answers == 1) || (answers == 1) == (len(w.bad) == 1) {
			t.Errorf("%q: %d answers, %d complaints", b, answers, len(w.bad))
		}
	})
}

func TestAReaderOfNVMLThatStopsReadingIsHungUpOnAndNobodyWaits(t *testing.T) {
	a := startAxond(t, nil)
	say := a.nvmlConn(t)
	other := a.nvml(t)
	good[uint32](t)(other.DeviceGetCount_v2())
	in := make([]byte, 16)
	in[0] = 1
	binary.LittleEndian.PutUint32(in[8:], 96)
	longest := time.Duration(0)
	for id := uint32(0); say(request(id, nvml.CallDeviceGetUUID, 0, 16, in)) == nil; id++ {
		if id%1000 == 0 {
			began := time.Now()
			good[uint32](t)(other.DeviceGetCount_v2())
			longest = max(longest, time.Since(began))
		}
	}
	if longest > readerTime {
		t.Errorf("another reader waited for %v", longest)
	}
	eventually(t, "the log says so", func() bool { return a.logged("did not take its answers") == 1 })
}

func TestASetOfEventsKeepsTelemetryUntilItsReaderIsGone(t *testing.T) {
	a := startAxond(t, func(c *Config) { c.TelemetryIdle = 100 * time.Millisecond })
	c := a.nvml(t)
	set := good[nvml.EventSet](t)(c.EventSetCreate())
	pid := workerPID(t, c)
	eventually(t, "the time after which it would end", func() bool {
		a.telemetry.mu.Lock()
		defer a.telemetry.mu.Unlock()
		return time.Since(a.telemetry.worker.used) > 3*a.TelemetryIdle
	})
	if ret := c.EventSetFree(set); ret != nvml.SUCCESS || workerPID(t, c) != pid {
		t.Errorf("its set is gone: %v", ret)
	}
	if ret := a.nvml(t).EventSetFree(set); ret != nvml.ERROR_INVALID_ARGUMENT {
		t.Errorf("it is another's as well: %v", ret)
	}
	c.Close()
	eventually(t, "the end of telemetry", func() bool { return a.logged("telemetry ends") == 1 })
}

func TestWaitsForEventsHoldNobodyUp(t *testing.T) {
	a := startAxond(t, nil)
	share := int32(shareOf(shares{max: nvmlWaits, root: nvmlWaitsRoot}, uint32(os.Getuid())))
	var refused, timedOut atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		c := a.nvml(t)
		set := good[nvml.EventSet](t)(c.EventSetCreate())
		for range nvmlWaitsOfOne + 1 {
			wg.Go(func() {
				switch _, ret := c.EventSetWait_v2(set, 1000); ret {
				case nvml.ERROR_INSUFFICIENT_RESOURCES:
					refused.Add(1)
				case nvml.ERROR_TIMEOUT:
					timedOut.Add(1)
				default:
					t.Errorf("a wait is answered %d", ret)
				}
			})
		}
	}
	eventually(t, "as many waits as there may be", func() bool {
		a.Server.mu.Lock()
		defer a.Server.mu.Unlock()
		return a.readers.waits.all == int(share)
	})
	good[uint32](t)(a.nvml(t).DeviceGetCount_v2())
	wg.Wait()
	if timedOut.Load() < share || refused.Load() != 20*(nvmlWaitsOfOne+1)-timedOut.Load() {
		t.Errorf("%d waits were refused, %d were not", refused.Load(), timedOut.Load())
	}
	a.Server.mu.Lock()
	defer a.Server.mu.Unlock()
	if w := &a.readers.waits; w.all != 0 || len(w.of) != 0 {
		t.Errorf("%d waits are still counted", w.all)
	}
}

func TestReadersOfNVMLLeaveNothingBehind(t *testing.T) {
	a := startAxond(t, nil)
	good[uint32](t)(a.nvml(t).DeviceGetCount_v2())
	nothingLeaks(t, func() {
		for range 20 {
			c, err := nvml.Dial(a.socket)
			must(t, err)
			go c.DeviceGetTemperature(1, sensorSlow)
			good[uint32](t)(c.DeviceGetCount_v2())
			c.Close()
		}
	})
}

func TestAnNVMLReaderConnectsAnewAfterARestart(t *testing.T) {
	a := startAxond(t, nil)
	c := a.nvml(t)
	pid := workerPID(t, c)
	must(t, a.stop())
	if _, ret := c.DeviceGetCount_v2(); ret == nvml.SUCCESS {
		t.Error("a call is answered without axond")
	}
	l, err := Listen(a.socket, a.Policy)
	must(t, err)
	s := New(a.Config)
	defer serveUntilStopped(t, s, l)()
	if now := workerPID(t, a.nvml(t)); now == pid {
		t.Errorf("worker %d outlived its axond", now)
	}
}
