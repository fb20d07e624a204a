// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
)

// What the fake telemetry worker does with a temperature's sensor.
const (
	sensorCrash   = 99
	sensorHang    = 98
	sensorGarbage = 97
	sensorUnasked = 96
	sensorSlow    = 95 // a tenth of a second
)

// fakeTelemetry is a telemetry worker whose library has two GPUs. Its processes
// are those of a file that SOFTGPU_FAKE_PROCESSES names, "PID MEMORY" a line.
func fakeTelemetry() {
	le := binary.LittleEndian
	say := func(status, result uint32, text string) {
		b := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, status), result), uint32(len(text)))
		unix.Write(4, append(b, text...))
	}
	switch os.Getenv("SOFTGPU_FAKE") {
	case "no library":
		say(4, 12, "no libnvidia-ml.so.1")
		os.Exit(1)
	case "no driver":
		say(0, uint32(nvml.ERROR_DRIVER_NOT_LOADED), "")
		select {}
	case "dies at the start":
		fmt.Fprintln(os.Stderr, "about to die")
		os.Exit(3)
	}
	say(0, 0, "")
	var calls atomic.Uint32
	b := make([]byte, nvml.PacketMax+1)
	for {
		n, err := unix.Read(4, b)
		if n <= 0 || err != nil {
			os.Exit(0)
		}
		p := bytes.Clone(b[:n])
		id, owner := le.Uint32(p), le.Uint32(p[8:])
		if le.Uint32(p[4:]) == telemetryForget {
			close(fakeOwner(owner))
			continue
		}
		go func() {
			ret, out := fakeNVML(le.Uint32(p[4:]), p[nvml.HeaderSize:], calls.Add(1), owner)
			a := le.AppendUint32(le.AppendUint32(nil, id), uint32(ret))
			a = le.AppendUint32(le.AppendUint32(a, owner), uint32(len(out)))
			unix.Write(4, append(a, out...))
		}()
	}
}

var fakeOwners = struct {
	mu  sync.Mutex
	all map[uint32]chan struct{}
}{all: map[uint32]chan struct{}{}}

// fakeOwner is closed when axond says that an owner is gone.
func fakeOwner(owner uint32) chan struct{} {
	fakeOwners.mu.Lock()
	defer fakeOwners.mu.Unlock()
	if fakeOwners.all[owner] == nil {
		fakeOwners.all[owner] = make(chan struct{})
	}
	return fakeOwners.all[owner]
}

// fakeUUID is that of a GPU of the fake workers'.
func fakeUUID(device uint64) string { return fmt.Sprintf("GPU-00000000-0000-0000-0000-%012d", device) }

func fakeNVML(number uint32, in []byte, calls, owner uint32) (nvml.Return, []byte) {
	call := nvmlCalls.of(number)
	asked := nvmlFrame{call.In, in[:call.InSize]}
	out := nvmlFrame{call.Out, make([]byte, call.OutSize)}
	switch name := call.Name; {
	case name == "nvmlDeviceGetCount_v2":
		out.put("deviceCount", 2)
	case name == "nvmlDeviceGetUUID":
		text := make([]byte, 96)
		copy(text, fakeUUID(asked.get("device")))
		return nvml.SUCCESS, text
	case name == "nvmlDeviceGetHandleByIndex_v2":
		out.put("device", 1+asked.get("index"))
	case name == "nvmlDeviceGetMemoryInfo" && asked.get("device") == 2:
		return nvml.SUCCESS, append(out.b, fakeStruct(&nvml.Memory{Total: 1000, Free: 400, Used: 600})...)
	case name == "nvmlDeviceGetUtilizationRates":
		return nvml.SUCCESS, append(out.b, fakeStruct(&nvml.Utilization{Gpu: 0, Memory: 25})...)
	case name == "nvmlSystemGetCudaDriverVersion_v2":
		out.put("cudaDriverVersion", 13020)
	case name == "nvmlDeviceGetProcessUtilization" && asked.get("device") == 2:
		return fakeUtilization(call, asked, out)
	case name == "nvmlEventSetCreate":
		out.put("set", 1<<32|uint64(owner))
	case name == "nvmlEventSetFree":
		if asked.get("set") != 1<<32|uint64(owner) {
			return nvml.ERROR_INVALID_ARGUMENT, nil
		}
	case name == "nvmlEventSetWait_v2":
		select {
		case <-time.After(time.Duration(asked.get("timeoutms")) * time.Millisecond):
			return nvml.ERROR_TIMEOUT, nil
		case <-fakeOwner(owner):
			return nvml.ERROR_UNINITIALIZED, nil
		}
	case name == "nvmlDeviceGetPowerUsage":
		out.put("power", uint64(calls))
	case name == "nvmlDeviceGetFanSpeed":
		out.put("speed", uint64(owner))
	case name == "nvmlDeviceGetPowerManagementLimit":
		out.put("limit", uint64(os.Getpid()))
	case name == "nvmlDeviceSetPersistenceMode", name == "nvmlSystemGetNvlinkBwMode":
		if !slices.Contains(os.Args, "--telemetry=admin") {
			return nvml.ERROR_NO_PERMISSION, nil
		}
	case name == "nvmlDeviceGetGpuInstanceById":
		if !slices.Contains(os.Args, "--telemetry=admin") {
			return nvml.ERROR_NO_PERMISSION, nil
		}
		out.put("gpuInstance", 1<<16|(asked.get("id")+1))
	case name == "nvmlDeviceGetTemperature":
		switch asked.get("sensorType") {
		case sensorCrash:
			fmt.Fprintln(os.Stderr, "about to crash")
			unix.Kill(os.Getpid(), unix.SIGKILL)
			select {}
		case sensorHang:
			select {}
		case sensorGarbage:
			unix.Write(4, []byte("garbage of some length, more than a header"))
			select {}
		case sensorUnasked:
			unix.Write(4, make([]byte, nvml.HeaderSize))
			select {}
		case sensorSlow:
			time.Sleep(100 * time.Millisecond)
		}
		out.put("temp", 40)
	case name == "nvmlDeviceGetAccountingStats":
		return fakeAccount(int(asked.get("pid")), out)
	case name == "nvmlDeviceGetEncoderSessions":
		return fakeEncoders(call, asked, out)
	case strings.Contains(name, "RunningProcesses"), name == "nvmlDeviceGetAccountingPids":
		return fakeProcesses(call, asked, out)
	default:
		return nvml.ERROR_NOT_SUPPORTED, nil
	}
	return nvml.SUCCESS, out.b
}

// fakeProcesses does as the vendor's library does with counts.
func fakeProcesses(call *nvmlCall, asked, out nvmlFrame) (nvml.Return, []byte) {
	le := binary.LittleEndian
	text, err := os.ReadFile(os.Getenv("SOFTGPU_FAKE_PROCESSES"))
	if err != nil {
		return nvml.ERROR_NOT_SUPPORTED, nil
	}
	room, element := asked.get(call.OutData[0].Count), call.OutData[0].Element
	array := make([]byte, (int(room)*element+7)&^7)
	n := uint64(0)
	for line := range strings.Lines(string(text)) {
		var pid, memory uint64
		fmt.Sscan(line, &pid, &memory)
		if n < room {
			e := array[int(n)*element:]
			le.PutUint32(e, uint32(pid))
			if element > 8 {
				le.PutUint64(e[8:], memory)
			}
			if element > 16 {
				le.PutUint64(e[16:], 0xffffffffffffffff)
			}
		}
		n++
	}
	out.put(call.OutData[0].Count, n)
	if n > room {
		return nvml.ERROR_INSUFFICIENT_SIZE, append(out.b, make([]byte, len(array))...)
	}
	return nvml.SUCCESS, append(out.b, array...)
}

// fakeEncoders are of the processes of the list.
func fakeEncoders(call *nvmlCall, asked, out nvmlFrame) (nvml.Return, []byte) {
	text, err := os.ReadFile(os.Getenv("SOFTGPU_FAKE_PROCESSES"))
	if err != nil {
		return nvml.ERROR_NOT_SUPPORTED, nil
	}
	array := make([]byte, int(asked.get("sessionCount"))*call.OutData[0].Element)
	n := 0
	for line := range strings.Lines(string(text)) {
		s := nvml.EncoderSessionInfo{SessionId: uint32(n), AverageFps: 60}
		fmt.Sscan(line, &s.Pid)
		copy(array[n*call.OutData[0].Element:], fakeStruct(&s))
		n++
	}
	out.put("sessionCount", uint64(n))
	return nvml.SUCCESS, append(out.b, array...)
}

func fakeStruct(s interface {
	Sizeof() int
	Put(b []byte)
}) []byte {
	b := make([]byte, s.Sizeof())
	s.Put(b)
	return b
}

// fakeUtilization is of the processes of the list: their memory in percent.
func fakeUtilization(call *nvmlCall, asked, out nvmlFrame) (nvml.Return, []byte) {
	text, err := os.ReadFile(os.Getenv("SOFTGPU_FAKE_PROCESSES"))
	if err != nil {
		return nvml.ERROR_NOT_SUPPORTED, nil
	}
	room := asked.get("processSamplesCount")
	if asked.get("has_utilization") == 0 {
		out.put("processSamplesCount", 100)
		return nvml.ERROR_INSUFFICIENT_SIZE, out.b
	}
	array := make([]byte, int(room)*call.OutData[0].Element)
	n := uint64(0)
	for line := range strings.Lines(string(text)) {
		s := nvml.ProcessUtilizationSample{TimeStamp: uint64(time.Now().UnixMicro()), MemUtil: 1}
		fmt.Sscan(line, &s.Pid, &s.SmUtil)
		copy(array[int(n)*call.OutData[0].Element:], fakeStruct(&s))
		n++
	}
	out.put("processSamplesCount", n)
	if n == 0 {
		return nvml.ERROR_NOT_FOUND, append(out.b, array...)
	}
	return nvml.SUCCESS, append(out.b, array...)
}

// fakeAccount is of a process of the list: its memory.
func fakeAccount(pid int, out nvmlFrame) (nvml.Return, []byte) {
	text, _ := os.ReadFile(os.Getenv("SOFTGPU_FAKE_PROCESSES"))
	for line := range strings.Lines(string(text)) {
		var at int
		var s nvml.AccountingStats
		if fmt.Sscan(line, &at, &s.MaxMemoryUsage); at == pid {
			return nvml.SUCCESS, append(out.b, fakeStruct(&s)...)
		}
	}
	return nvml.ERROR_NOT_FOUND, nil
}
