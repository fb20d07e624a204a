// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// same fails with the first line that differs.
func same(t *testing.T, got, want string) {
	t.Helper()
	g, w := bytes.SplitAfter([]byte(got), []byte("\n")), bytes.SplitAfter([]byte(want), []byte("\n"))
	for i := 0; i < len(g) || i < len(w); i++ {
		var a, b []byte
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if !bytes.Equal(a, b) {
			t.Fatalf("line %d:\n got %q\nwant %q", i+1, a, b)
		}
	}
}

func golden(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const mebi = 1 << 20

func at(t *testing.T, s string) time.Time {
	t.Helper()
	when, err := time.Parse(ctime, s)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// board is a GPU with what the default table shows.
func board(index uint32, name, bus string, fan Val[uint32], temp int32, pstate, watts, limit uint32, used, total uint64) *GPU {
	g := &GPU{
		Index: index, Name: of(name), PCI: of(PCI{BusID: bus}), Fan: fan, Temperature: of(temp), PState: of(pstate),
		Power: of(watts * 1000), PowerEnforced: of(limit * 1000), Memory: of(Mem{Used: used * mebi, Total: total * mebi}),
		Persistence: of(false), DisplayActive: of(false), UtilGPU: of[uint32](0), ComputeMode: of[uint32](0),
		MIG: none[Modes[bool]](NotSupported), ECC: none[Modes[bool]](NotSupported), Processes: of([]Process(nil)),
	}
	return g
}

func withECC(g *GPU) *GPU {
	g.ECC = of(Modes[bool]{true, true})
	g.Uncorrected[0].Total = of[uint64](0)
	return g
}

var noFan = none[uint32](NotSupported)

func process(pid uint32, kind, name string, mibs uint64) Process {
	return Process{PID: pid, Type: kind, Name: name, Memory: of(mibs * mebi), GI: none[uint32](NotSupported), CI: none[uint32](NotSupported)}
}

func TestTableIsTheVendors(t *testing.T) {
	h200 := withECC(board(0, "NVIDIA H200", "00000000:00:06.0", noFan, 38, 0, 92, 700, 2669, 143771))
	h200.Persistence, h200.UtilGPU, h200.MIG = of(true), of[uint32](2), of(Modes[bool]{})
	h200.Processes = of([]Process{process(643, "C", "python3", 2660)})

	mig := withECC(board(0, "NVIDIA H200", "00000000:83:00.0", noFan, 38, 0, 88, 700, 44, 143771))
	mig.Persistence, mig.UtilGPU, mig.MIG = of(true), noFan, of(Modes[bool]{true, true})
	mig.MIGDevices = []MIGDevice{{
		GI: 2, SMs: of[uint32](60), Copy: of[uint32](3), Encoders: of[uint32](0), Decoders: of[uint32](3), OFA: of[uint32](0), JPEG: of[uint32](3),
		SRAMUncorrected: of[uint64](0), Memory: of(Mem{Used: 44*mebi - 1, Total: 71424 * mebi}), BAR1: of(Mem{Total: 59238 * mebi}),
	}}

	gb10 := board(0, "NVIDIA GB10", "0000000F:01:00.0", noFan, 32, 8, 4, 0, 0, 0)
	gb10.Persistence, gb10.Memory, gb10.PowerEnforced = of(true), none[Mem](NotSupported), none[uint32](NotSupported)
	gb10.Processes = of([]Process{process(3094, "G", "/usr/lib/xorg/Xorg", 43), process(3172, "G", "/usr/bin/gnome-shell", 16)})

	v100 := withECC(board(0, "Tesla V100-SXM2-16GB", "00000000:1A:00.0", noFan, 37, 0, 38, 300, 84, 16384))
	v100.Persistence = of(true)
	v100.Processes = of([]Process{process(2036, "G", "/usr/libexec/Xorg", 66), process(2133, "G", "/usr/bin/gnome-shell", 16)})

	lost := board(2, "NVIDIA A100 80GB PCIe", "00000000:CA:00.0", none[uint32](GPUIsLost), 46, 0, 0, 0, 0, 81920)
	lost.Persistence, lost.DisplayActive, lost.Power, lost.PowerEnforced = of(true), none[bool](NotSupported), noFan, noFan
	lost.UtilGPU, lost.MIG = noFan, none[Modes[bool]](GPUIsLost)

	titan := board(0, "NVIDIA TITAN RTX", "00000000:0A:00.0", of[uint32](41), 44, 0, 67, 280, 1367, 24576)
	titan.DisplayActive, titan.UtilGPU = of(true), of[uint32](2)
	titan.Processes = of([]Process{process(2146, "G", "/usr/lib/xorg/Xorg", 4), process(314080, "C", "/usr/bin/python3", 172)})
	a30 := withECC(board(0, "NVIDIA A30", "00000000:0B:00.0", noFan, 48, 0, 33, 165, 0, 24576))
	a30.UtilGPU, a30.MIG = noFan, of(Modes[bool]{true, true})
	a6000 := []*GPU{
		withECC(board(0, "NVIDIA RTX A6000", "00000000:4F:00.0", of[uint32](30), 28, 8, 24, 300, 1, 46068)),
		withECC(board(1, "NVIDIA GeForce RTX 4050 Laptop GPU", "00000000:52:00.0", of[uint32](30), 29, 8, 18, 300, 1, 46068)),
	}
	a6000[0].Persistence = of(true)
	a6000[0].Processes = of([]Process{process(5977, "G", "/opt/chrome --variations-seed-version=20240815-180124.066000", 132)})

	for _, c := range []struct {
		file string
		m    Machine
	}{
		{"titan-535.txt", Machine{Time: at(t, "Wed Oct 22 09:26:54 2025"), Driver: of("535.113.01"), CUDA: of[int32](12020), GPUs: []*GPU{titan}}},
		{"a30-535-mig.txt", Machine{Time: at(t, "Wed Oct 22 09:26:54 2025"), Driver: of("535.183.01"), CUDA: of[int32](12020), GPUs: []*GPU{a30}}},
		{"two-550.txt", Machine{Time: at(t, "Wed Oct 22 09:26:54 2025"), Driver: of("550.127.05"), CUDA: of[int32](12040), GPUs: a6000}},
		{"lost-580.txt", Machine{Time: at(t, "Wed Oct 22 09:26:54 2025"), Driver: of("580.95.05"), CUDA: of[int32](13000), GPUs: []*GPU{lost}}},
		{"h200-580-process.txt", Machine{Time: at(t, "Mon Nov 30 08:24:52 2026"), Driver: of("580.159.04"), CUDA: of[int32](13000), GPUs: []*GPU{h200}}},
		{"h200-580-mig.txt", Machine{Time: at(t, "Tue Sep  1 20:42:06 2026"), Driver: of("580.173.02"), CUDA: of[int32](13000), GPUs: []*GPU{mig}}},
		{"gb10-580.txt", Machine{Time: at(t, "Wed Oct 22 09:26:54 2025"), Driver: of("580.95.05"), CUDA: of[int32](13000), GPUs: []*GPU{gb10}}},
		{"v100-570.txt", Machine{Time: at(t, "Wed Oct 22 09:26:54 2025"), Driver: of("570.172.08"), CUDA: of[int32](12080), GPUs: []*GPU{v100}}},
	} {
		var b bytes.Buffer
		writeTable(&b, &c.m)
		t.Run(c.file, func(t *testing.T) { same(t, b.String(), golden(t, c.file)) })
	}
}
