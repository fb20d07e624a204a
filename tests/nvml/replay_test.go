// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is a line of a recording.
func recorded(name string, in []byte, result uint32, out []byte) string {
	frame := func(b []byte) string {
		if len(b) == 0 {
			return "-"
		}
		return hex.EncodeToString(b)
	}
	return fmt.Sprintf("%s %s -> %d %s\n", name, frame(in), result, frame(out))
}

func numbers(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, v)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		case string:
			b = append(b, v...)
		}
	}
	return b
}

// A recording's GPU goes for a GPU, through a worker that may read nothing else of the machine.
func TestARecordingIsPlayed(t *testing.T) {
	name := "NVIDIA H200" + strings.Repeat("\x00", 96-11)
	text := "# driver 580.159.04\n" +
		recorded("nvmlDeviceGetCount_v2", nil, 0, numbers(uint32(2), uint32(0))) +
		recorded("nvmlDeviceGetName", numbers(uint64(2), uint32(96), uint32(0)), 0, []byte(name)) +
		recorded("nvmlDeviceGetTemperature", numbers(uint64(2), uint32(0), uint32(0)), 0, numbers(uint32(41), uint32(0))) +
		recorded("nvmlDeviceGetTemperature", numbers(uint64(2), uint32(0), uint32(0)), 0, numbers(uint32(42), uint32(0))) +
		recorded("nvmlDeviceGetComputeRunningProcesses_v3", numbers(uint64(2), uint32(3), uint32(1)), 0,
			numbers(uint32(2), uint32(0), uint64(11), uint64(1000), uint64(0), uint64(12), uint64(2000), uint64(0), uint64(0), uint64(0), uint64(0))) +
		recorded("nvmlDeviceGetPowerUsage", numbers(uint64(2)), 15, nil) +
		recorded("nvmlDeviceOfANewerDriver", nil, 0, nil) +
		"process 4711 /usr/bin/python3\n"
	file := filepath.Join(t.TempDir(), "recording")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := startRelay(t, startWorker(t, "SOFTGPU_NVML="+file))
	mustRun(t, r.path, "recorded")
}

// TestWhatBtopShowsIsWhatTheGPUSays: btop's calls, which have NVML's first
// names, on a GPU that answers all of them, and on one that answers few.
func TestWhatBtopShowsIsWhatTheGPUSays(t *testing.T) {
	gpu := func(n uint64, rest ...any) []byte { return numbers(append([]any{n}, rest...)...) }
	pair := func(v uint32) []byte { return numbers(v, uint32(0)) }
	zero, one, two := uint32(0), uint32(1), uint32(2)
	text := "# driver 580.159.04\n" + recorded("nvmlDeviceGetCount_v2", nil, 0, pair(2)) + recorded("nvmlDeviceGetCount", nil, 0, pair(2))
	for i, name := range []string{"NVIDIA H200", "NVIDIA GB10"} {
		text += recorded("nvmlDeviceGetHandleByIndex", numbers(uint32(i), zero), 0, numbers(uint64(i+1))) +
			recorded("nvmlDeviceGetName", gpu(uint64(i+1), uint32(64), zero), 0, []byte(name+strings.Repeat("\x00", 64-len(name))))
	}
	text += recorded("nvmlDeviceGetPowerManagementLimit", gpu(1), 0, pair(700000)) +
		recorded("nvmlDeviceGetTemperatureThreshold", gpu(1, zero, zero), 0, pair(92)) +
		recorded("nvmlDeviceGetUtilizationRates", gpu(1), 0, numbers(uint32(37), uint32(12))) +
		recorded("nvmlDeviceGetUtilizationRates", gpu(1), 0, numbers(uint32(38), uint32(13))) +
		recorded("nvmlDeviceGetClockInfo", gpu(1, zero, zero), 0, pair(1980)) +
		recorded("nvmlDeviceGetClockInfo", gpu(1, two, zero), 0, pair(3201)) +
		recorded("nvmlDeviceGetPowerUsage", gpu(1), 0, pair(81840)) +
		recorded("nvmlDeviceGetPowerState", gpu(1), 0, pair(0)) +
		recorded("nvmlDeviceGetTemperature", gpu(1, zero, zero), 0, pair(41)) +
		recorded("nvmlDeviceGetMemoryInfo", gpu(1), 0, numbers(uint64(150754820096), uint64(150754820096-539*1<<20), uint64(539*1<<20))) +
		recorded("nvmlDeviceGetPcieThroughput", gpu(1, zero, zero), 0, pair(959)) +
		recorded("nvmlDeviceGetPcieThroughput", gpu(1, one, zero), 0, pair(569)) +
		recorded("nvmlDeviceGetEncoderUtilization", gpu(1), 0, numbers(uint32(3), uint32(167000))) +
		recorded("nvmlDeviceGetDecoderUtilization", gpu(1), 0, numbers(uint32(4), uint32(167000))) +
		recorded("nvmlDeviceGetUtilizationRates", gpu(2), 0, numbers(uint32(5), uint32(0))) +
		recorded("nvmlDeviceGetMemoryInfo", gpu(2), 3, nil)
	file := filepath.Join(t.TempDir(), "recording")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := startRelay(t, startWorker(t, "SOFTGPU_NVML="+file))
	out := mustRun(t, r.path, "btop", "2")
	_, out, _ = strings.Cut(out, "\n") // which library it is
	full := func(busy, memoryBusy string) string {
		return "0 busy: " + busy + "\n0 memory busy: " + memoryBusy + `
0 clock: 1980
0 memory's clock: 3201
0 power: 81840
0 state: 0
0 temperature: 41
0 memory: 565182464 of 150754820096
0 encoder: 3
0 decoder: 4
0 PCIe sent: 959
0 PCIe received: 569
`
	}
	want := `GPUs: 2
round: 1
0 name: NVIDIA H200
0 power limit: 700000
0 shut down at: 92
` + full("37", "12") + `1 name: NVIDIA GB10
1 power limit: Not Supported
1 shut down at: Not Supported
1 busy: 5
1 memory busy: 0
1 clock: Not Supported
1 memory's clock: Not Supported
1 power: Not Supported
1 state: Not Supported
1 temperature: Not Supported
1 memory: Not Supported
1 encoder: Not Supported
1 decoder: Not Supported
1 PCIe sent: Not Supported
1 PCIe received: Not Supported
round: 2
` + full("38", "13") + "1 busy: 5\n1 memory busy: 0\n"
	if out != want {
		t.Errorf("it shows\n%s\nand not\n%s", out, want)
	}
}

func TestADriverThatIsNotThereIsSaidSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recording")
	if err := os.WriteFile(file, []byte(recorded("nvmlDeviceGetCount_v2", nil, 9, nil)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, env := range []string{"SOFTGPU_NVML=" + file, "SOFTGPU_NVML=/nonexistent"} {
		w := startWorker(t, env)
		if w.init != 9 {
			t.Errorf("%s: nvmlInit says %d", env, w.init)
		}
		r := startRelay(t, w)
		if out, err := run(t, r.path, "getters", "1", "0"); err == nil || !strings.Contains(out, "nvmlInit_v2: Driver Not Loaded\n") {
			t.Errorf("%s: %v\n%s", env, err, out)
		}
	}
}

// Every call with frames of every length, on GPUs that there are: the worker answers and goes on. Sanitizers look on where
// they are built in.
func TestFramesOfEveryCall(t *testing.T) {
	w := startWorker(t, "SOFTGPU_DEVICES=2")
	last := lastCall(t)
	answer := make([]byte, packetMax+1)
	for call := uint32(1); call <= last; call++ {
		for size := 0; size <= 4096; size = size*5/4 + 4 {
			for _, fill := range []byte{0, 1, 8, 0x7f, 0xff} {
				frame := bytes.Repeat([]byte{fill}, size)
				copy(frame, numbers(uint64(1)))
				if _, err := w.conn.Write(packet(7, call, 1, frame)); err != nil {
					t.Fatalf("call %d: the worker has ended: %v", call, err)
				}
				n, err := w.conn.Read(answer)
				if err != nil || n < 16 || int(binary.LittleEndian.Uint32(answer[12:])) != n-16 || binary.LittleEndian.Uint32(answer) != 7 {
					t.Fatalf("call %d, %d bytes of %#x: %d bytes, %v", call, size, fill, n, err)
				}
			}
		}
	}
}
