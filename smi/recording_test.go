// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// recorder writes a recording by hand: calls with their arguments by name.
type recorder struct {
	t *testing.T
	b bytes.Buffer
}

type args map[string]uint64

// raw is a struct of NVML's.
type raw interface {
	Sizeof() int
	Put([]byte)
}

func frame(fields []nvml.Field, size int, values args, data ...any) []byte {
	b := make([]byte, size)
	for _, f := range fields {
		if f.Size == 8 {
			binary.LittleEndian.PutUint64(b[f.Offset:], values[f.Name])
		} else {
			binary.LittleEndian.PutUint32(b[f.Offset:], uint32(values[f.Name]))
		}
	}
	for _, d := range data {
		switch d := d.(type) {
		case string: // of a buffer whose length the request says
			b = append(b, d...)
		case raw:
			n := len(b)
			b = append(b, make([]byte, d.Sizeof())...)
			d.Put(b[n:])
		case []byte:
			b = append(b, d...)
		}
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

// call adds a call that worked; in are its arguments, inData the arrays behind
// them, then what it answered.
func (r *recorder) call(name string, in args, inData []any, out args, data ...any) {
	r.t.Helper()
	n := nvml.Find(name)
	if n == 0 {
		r.t.Fatalf("there is no %s", name)
	}
	info, _ := nvml.Call(n)
	for _, m := range []struct {
		given args
		known []nvml.Field
	}{{in, info.In}, {out, info.Out}} {
		for arg := range m.given {
			found := false
			for _, f := range m.known {
				found = found || f.Name == arg
			}
			if !found {
				r.t.Fatalf("%s has no %s among %v", name, arg, m.known)
			}
		}
	}
	if err := nvml.Write(&r.b, n, frame(info.In, info.InSize, in, inData...), nvml.SUCCESS, frame(info.Out, info.OutSize, out, data...)); err != nil {
		r.t.Fatal(err)
	}
}

// fails adds a call that did not.
func (r *recorder) fails(name string, in args, ret nvml.Return) {
	r.t.Helper()
	n := nvml.Find(name)
	info, _ := nvml.Call(n)
	if err := nvml.Write(&r.b, n, frame(info.In, info.InSize, in), ret, nil); err != nil {
		r.t.Fatal(err)
	}
}

// text is a string in a buffer of n bytes.
func cString(s string, n int) []byte { return append([]byte(s), make([]byte, n-len(s))...) }

// environment runs commands on the recording.
func (r *recorder) environment(out *bytes.Buffer, now time.Time) Environment {
	rec, err := nvml.ReadRecording(bytes.NewReader(r.b.Bytes()))
	if err != nil {
		r.t.Fatal(err)
	}
	return Environment{
		Out:   out,
		Dial:  func() (*nvml.Client, error) { return nvml.New(rec), nil },
		Names: func(pid uint32) (string, bool) { n, ok := rec.Processes[pid]; return n, ok },
		Now:   func() time.Time { return now },
		Sysfs: r.t.TempDir(), // not this machine's
	}
}

func (r *recorder) run(now time.Time, words ...string) (string, int) {
	var out bytes.Buffer
	status := Run(context.Background(), words, r.environment(&out, now))
	return out.String(), status
}

// lineCase is a command line, what it is answered besides what the machine is, and what it prints and exits with.
type lineCase struct {
	line   string
	record func(*recorder)
	want   string
	status int
}

// says runs each line on a machine of its own.
func says(t *testing.T, machine func(*testing.T) *recorder, cases []lineCase) {
	t.Helper()
	for _, c := range cases {
		r := machine(t)
		c.record(r)
		got, status := r.run(time.Now(), strings.Fields(c.line)...)
		if got != c.want || status != c.status {
			t.Errorf("nvidia-smi %s:\n got %d %q\nwant %d %q", c.line, status, got, c.status, c.want)
		}
	}
}

// theH200 records what the table of the capture with one process takes.
func theH200(t *testing.T) *recorder {
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("580.159.04", 80))
	r.call("nvmlSystemGetNVMLVersion", args{"length": 80}, nil, nil, cString("13.580.159.04", 80))
	r.call("nvmlSystemGetCudaDriverVersion_v2", nil, nil, args{"cudaDriverVersion": 13000})
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 1})
	r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": 0}, nil, args{"device": 1})
	d := args{"device": 1}
	r.call("nvmlDeviceGetName", args{"device": 1, "length": 96}, nil, nil, cString("NVIDIA H200", 96))
	r.call("nvmlDeviceGetUUID", args{"device": 1, "length": 96}, nil, nil, cString("GPU-00000000-1111-2222-3333-444444444444", 96))
	r.call("nvmlDeviceGetPciInfo_v3", d, nil, nil, &nvml.PciInfo{BusIdLegacy: "0000:00:06.0", Device: 6, PciDeviceId: 0x233510DE, PciSubSystemId: 0x18BF10DE, BusId: "00000000:00:06.0"})
	r.call("nvmlDeviceGetTemperature", args{"device": 1, "sensorType": 0}, nil, args{"temp": 38})
	r.call("nvmlDeviceGetPowerUsage", d, nil, args{"power": 92480})
	r.call("nvmlDeviceGetEnforcedPowerLimit", d, nil, args{"limit": 700000})
	r.call("nvmlDeviceGetPowerManagementLimit", d, nil, args{"limit": 700000})
	in := &nvml.Memory_v2{Version: 40 | 2<<24}
	out := &nvml.Memory_v2{Version: 40 | 2<<24, Total: 143771 * mebi, Reserved: 616 * mebi, Used: 2669 * mebi, Free: 140486 * mebi}
	r.call("nvmlDeviceGetMemoryInfo_v2", args{"device": 1, "len_memory": 40}, []any{in}, nil, out)
	r.call("nvmlDeviceGetUtilizationRates", d, nil, nil, &nvml.Utilization{Gpu: 2})
	list := args{"device": 1, "infoCount": 64, "has_infos": 1}
	none := make([]byte, 64*24)
	one := append([]byte(nil), none...)
	(&nvml.ProcessInfo{Pid: 643, UsedGpuMemory: 2660 * mebi, GpuInstanceId: 1<<32 - 1, ComputeInstanceId: 1<<32 - 1}).Put(one)
	r.call("nvmlDeviceGetComputeRunningProcesses_v3", list, nil, args{"infoCount": 1}, one)
	r.call("nvmlDeviceGetGraphicsRunningProcesses_v3", list, nil, args{"infoCount": 0}, none)
	r.call("nvmlDeviceGetMPSComputeRunningProcesses_v3", list, nil, args{"infoCount": 0}, none)
	for i, clock := range []uint64{345, 345, 3201, 765} {
		r.call("nvmlDeviceGetClockInfo", args{"device": 1, "type": uint64(i)}, nil, args{"clock": clock})
	}
	fmt.Fprintf(&r.b, "process 643 python3\n")
	return r
}

func TestARecordingIsPrintedAsTheVendors(t *testing.T) {
	r := theH200(t)
	now := time.Date(2026, 11, 30, 8, 24, 52, 123e6, time.Local)
	for _, c := range []struct{ line, want string }{
		{"-L", "GPU 0: NVIDIA H200 (UUID: GPU-00000000-1111-2222-3333-444444444444)\n"},
		{"--query-gpu=index -i 00000000:00:06.0", "No devices were found\n"}, // the recording knows no bus id
		{"--query-gpu=index -i 0,7 --format=noheader", "0\n"},
		{"--query-gpu=index,,memory.total, --format=nounits", "index, memory.total [MiB]\n0, 143771\n"},
		{"--query-gpu=index --format=", "index\n0\n"},
		{"--query-gpu=", "\n\n"},
		{"--query-compute-apps=", "\n\n"},
		{"--version", "NVIDIA-SMI version  : 580.159.04\nNVML version        : 580.159\nDRIVER version      : 580.159.04\nCUDA Version        : 13.0\n"},
		{"--query-gpu=timestamp,gpu_name,memory.used,clocks.sm,fan.speed --format=csv",
			"timestamp, name, memory.used [MiB], clocks.current.sm [MHz], fan.speed [%]\n2026/11/30 08:24:52.123, NVIDIA H200, 2669 MiB, 345 MHz, [N/A]\n"},
		{"--query-gpu=power.draw,memory.total --format=csv,nounits", "power.draw [W], memory.total [MiB]\n92.48, 143771\n"},
		{"-i 0 --query-gpu index,pci.bus_id --format csv,noheader", "0, 00000000:00:06.0\n"},
		{"--query-compute-apps=pid,name,used_memory --format=csv", "pid, process_name, used_gpu_memory [MiB]\n643, python3, 2660 MiB\n"},
		{"--query-gpu=cuda_version --format=csv", "Field \"cuda_version\" is not a valid field to query.\n\n"},
		{"-i 7", "No devices were found\n"},
	} {
		got, _ := r.run(now, strings.Fields(c.line)...)
		if got != c.want {
			t.Errorf("nvidia-smi %s:\n got %q\nwant %q", c.line, got, c.want)
		}
	}
}
