// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

var (
	untoldPart    = regexp.MustCompile(`(?m)^(                Host Max +): .*$`)
	untoldVoltage = regexp.MustCompile(`(?m)^(        Graphics +): [0-9.]+ mV$`)
)

// told is the text without what no function of NVML's tells.
func told(text string) string {
	return untoldVoltage.ReplaceAllString(untoldPart.ReplaceAllString(text, "$1: N/A"), "$1: N/A")
}

func TestQueryOfOlderReleasesIsTheVendors(t *testing.T) {
	for _, file := range []string{"a100-535", "h100-545", "v100-550", "a10-550", "h100-560", "h100-565", "rtx5090-570", "gtx1650-575"} {
		t.Run(file, func(t *testing.T) {
			text := golden(t, file+".q.txt")
			var b bytes.Buffer
			writeQuery(&b, readSample(t, text).machine(), display{all: true})
			same(t, b.String(), told(text))
		})
	}
}

// aGTX1070 and aRTX4070 are the GPUs of published -x: what differs from GPUs whose -q is known.
func aGTX1070(t *testing.T) *Machine {
	na, never := none[uint32](NotSupported), none[uint64](NotSupported)
	m := readSample(t, golden(t, "v100-550.q.txt")).machine()
	g := m.GPUs[0]
	m.Time, m.Driver, m.CUDA, m.Count = at(t, "Wed Mar 13 13:06:02 2024"), of("550.54.14"), none[int32](nvml.ERROR_NOT_FOUND), 1
	g.Name, g.Brand, g.Architecture, g.DisplayAttached, g.Persistence = of("NVIDIA GeForce GTX 1070"), of[uint32](5), of[uint32](4), of(false), of(false)
	g.Serial, g.UUID, g.VBIOS = none[string](NotSupported), of("GPU-00000000-0000-0000-0000-000000000010"), of("86.04.50.00.24")
	g.BoardID, g.BoardPart, g.ModuleID = of[uint32](0x900), none[string](NotSupported), of[uint32](1)
	g.InforomImage, g.InforomECC = of("G001.0000.01.04"), none[string](NotSupported)
	g.PCI = of(PCI{Bus: 9, DeviceID: 0x1B8110DE, SubSystem: 0x33011462, BusID: "00000000:09:00.0", BaseClass: 3})
	g.LinkGen, g.Rx, g.Fan, g.PState = of[uint32](1), of[uint32](0), of[uint32](33), of[uint32](8)
	g.Memory, g.BAR1 = of(Mem{8192 * mebi, 85 * mebi, 984 * mebi, 7122 * mebi}), of(Mem{256 * mebi, 0, 2 * mebi, 254 * mebi})
	g.ECC, g.RetiredSBE, g.RetiredDBE, g.RetiredPending = none[Modes[bool]](NotSupported), none[[]Retired](NotSupported), none[[]Retired](NotSupported), none[bool](NotSupported)
	g.Corrected[0].Total = never
	g.Temperature, g.Shutdown, g.Slowdown, g.GPUMax, g.Target = of[int32](39), of[uint32](99), of[uint32](96), na, of[uint32](83)
	g.MemoryTemperature, g.MemMax, g.TargetMin, g.TargetMax = na, na, of[uint32](60), of[uint32](92)
	g.Power, g.PowerEnforced, g.PowerLimit, g.PowerDefault = of[uint32](8190), of[uint32](190000), of[uint32](190000), of[uint32](190000)
	g.PowerMin, g.PowerMax = of[uint32](95000), of[uint32](200000)
	g.Clocks, g.MaxClocks, g.BoostClock = mhz(139, 139, 405, 544), mhz(1936, 1936, 4004, 1708), na
	g.AppClocks, g.DefaultClocks = [4]Val[uint32]{na, na, na, na}, [4]Val[uint32]{na, na, na, na}
	g.SupportedClocks = of([]Supported{{4004, []uint32{1936, 1923}}, {3802, []uint32{1936, 1923}}, {810, []uint32{1911, 1898}}, {405, []uint32{607, 594}}})
	g.Processes = of([]Process{process(281698, "C", "", 982)})
	g.Accounted = of([]Accounted(nil))
	return m
}

func aRTX4070(t *testing.T) *Machine {
	m := readSample(t, golden(t, "gtx1650-575.q.txt")).machine()
	g := m.GPUs[0]
	m.Time, m.Driver = at(t, "Mon Oct 13 00:25:36 2025"), of("575.51.02")
	g.Name, g.Architecture, g.DisplayAttached, g.DisplayActive = of("NVIDIA GeForce RTX 4070 Laptop GPU"), of[uint32](8), of(true), of(true)
	g.Persistence, g.Addressing, g.UUID, g.VBIOS = of(true), of[uint32](1), of("GPU-00000000-0000-0000-0000-000000000011"), of("95.06.32.00.49")
	g.InforomImage, g.InforomOEM, g.GSPVersion = of("G002.0000.00.03"), of("2.0"), of("575.51.02")
	g.PCI = of(PCI{Bus: 1, DeviceID: 0x286010DE, SubSystem: 0x35A81043, BusID: "00000000:01:00.0", BaseClass: 3})
	g.LinkGenMax, g.LinkGen, g.LinkGenGPUMax, g.LinkWidthMax = of[uint32](4), of[uint32](2), of[uint32](4), of[uint32](8)
	g.Tx, g.Rx, g.PState = of[uint32](6850), of[uint32](29050), of[uint32](5)
	g.ReasonTimes[0], g.ReasonTimes[2] = of[uint64](91403239), of[uint64](91403239)
	g.Memory, g.BAR1 = of(Mem{8188 * mebi, 390 * mebi, 2026 * mebi, 5773 * mebi}), of(Mem{8192 * mebi, 0, 26 * mebi, 8166 * mebi})
	g.UtilGPU, g.UtilMemory = of[uint32](30), of[uint32](30)
	g.Remapped, g.Histogram = of(Rows{}), of(Histogram{Max: 64})
	g.Temperature, g.Margin, g.ShutdownT, g.SlowdownT, g.GPUMaxT = of[int32](41), of[int32](46), of[int32](-12), of[int32](-2), of[int32](0)
	g.MemMaxT, g.TargetMin, g.TargetMax = none[int32](NotSupported), none[uint32](NotSupported), none[uint32](NotSupported)
	g.PowerAverage, g.PowerInstant, g.PowerEnforced, g.PowerLimit = of[uint32](11150), of[uint32](11260), of[uint32](95000), of[uint32](95000)
	g.PowerDefault, g.PowerMin, g.PowerMax = of[uint32](55000), of[uint32](5000), of[uint32](140000)
	g.Clocks, g.MaxClocks = mhz(675, 675, 810, 765), mhz(3105, 3105, 8001, 2415)
	return m
}

func anL40S(t *testing.T) *Machine {
	na, na64, nastr, gone := none[uint32](NotSupported), none[uint64](NotSupported), none[string](NotSupported), none[uint32](Deprecated)
	m := aH200()
	g := m.GPUs[0]
	m.Time, m.Driver, m.CUDA = at(t, "Fri Aug 21 09:34:04 2026"), of("595.91.07"), of[int32](13020)
	g.Name, g.Architecture, g.Addressing, g.MIG = of("NVIDIA L40S"), of[uint32](8), of[uint32](1), none[Modes[bool]](NotSupported)
	g.Serial, g.PDI, g.VBIOS, g.BoardID = of("1650000000001"), of[uint64](1), of("95.02.66.00.15"), of[uint32](0x3000)
	g.BoardPart, g.Platform, g.ModuleID = of("900-2G133-A880-000"), none[Platform](NotSupported), of[uint32](1)
	g.InforomImage, g.InforomOEM, g.InforomECC, g.InforomPower = of("G133.0242.00.03"), of("2.1"), of("6.16"), nastr
	g.C2C, g.GSPVersion = none[bool](NotSupported), of("595.91.07")
	g.PCI = of(PCI{Bus: 0x30, DeviceID: 0x26B910DE, SubSystem: 0x185110DE, BusID: "00000000:30:00.0", BaseClass: 3, SubClass: 2})
	g.LinkGenMax, g.LinkGen, g.LinkGenGPUMax, g.LinkWidth = of[uint32](4), of[uint32](4), of[uint32](4), of[uint32](8)
	g.Replays, g.Tx, g.Rx = of[uint64](0), of[uint32](585), of[uint32](292)
	g.Memory, g.BAR1 = of(Mem{46068 * mebi, 609 * mebi, 0, 45460 * mebi}), of(Mem{65536 * mebi, 0, 0, 65536 * mebi})
	g.Unrepairable, g.Histogram = none[bool](NotSupported), of(Histogram{Max: 192})
	g.Temperature, g.Margin, g.ShutdownT, g.MemoryTemperature, g.MemMaxT = of[int32](29), of[int32](59), of[int32](-5), na, none[int32](NotSupported)
	g.PowerAverage, g.PowerInstant, g.MemoryPowerAverage = of[uint32](65640), of[uint32](66160), na
	g.PowerEnforced, g.PowerLimit, g.PowerDefault, g.PowerMin, g.PowerMax = of[uint32](350000), of[uint32](350000), of[uint32](350000), of[uint32](100000), of[uint32](350000)
	g.Clocks, g.MaxClocks, g.BoostClock = mhz(2040, 2040, 9001, 1725), mhz(2520, 2520, 9001, 1965), of[uint32](2520)
	g.AppClocks, g.DefaultClocks = [4]Val[uint32]{gone, gone, gone, gone}, [4]Val[uint32]{gone, gone, gone, gone}
	g.Fabric, g.Capabilities, g.BBXTime = none[Fabric](NotSupported), na, na64
	return m
}

func TestXMLOfOtherReleasesIsTheVendors(t *testing.T) {
	untold := regexp.MustCompile(`<(max_host_link_gen)>[^<]*<`)
	for file, m := range map[string]*Machine{"gtx1070-550.xml": aGTX1070(t), "rtx4070-575.xml": aRTX4070(t), "l40s-595.xml": anL40S(t)} {
		t.Run(file, func(t *testing.T) {
			want := untold.ReplaceAllString(golden(t, file), "<$1>N/A<")
			var b bytes.Buffer
			writeXML(&b, m, false)
			got := b.String()
			if end := strings.Index(got, "\t\t<supported_clocks>"); !strings.Contains(want, "</nvidia_smi_log>") && end > 0 {
				got = got[:end] // the rest of it was not published whole
			}
			same(t, got, want)
		})
	}
}

func TestPartsOfTheQueryAreTheVendors(t *testing.T) {
	v100 := readSample(t, golden(t, "v100-550.q.txt")).machine()
	v100.Time, v100.Driver, v100.CUDA, v100.Count = at(t, "Wed May 13 10:44:25 2026"), of("580.105.08"), of[int32](13000), 4
	v100.GPUs[0].PCI.V.BusID = "00000000:41:00.0"
	na := none[uint32](NotSupported)
	rtx := &GPU{PCI: of(PCI{BusID: "00000000:01:00.0"}), PowerAverage: of[uint32](13440), PowerInstant: of[uint32](13370), PowerEnforced: of[uint32](480000),
		PowerLimit: of[uint32](480000), PowerDefault: of[uint32](480000), PowerMin: of[uint32](100000), PowerMax: of[uint32](480000),
		PowerSamples:       of(Samples{117960 * time.Millisecond, 119, 14.21, 13.22, 13.57}),
		MemoryPowerAverage: na, MemoryPowerInstant: na, ModulePowerAverage: na, ModulePowerInstant: na, ModulePowerEnforced: na, ModulePowerLimit: na,
		ModulePowerDefault: na, ModulePowerMin: na, ModulePowerMax: na,
		Clocks: mhz(210, 210, 405, 555), MaxClocks: mhz(2115, 2115, 10501, 1965), AppClocks: [4]Val[uint32]{na, na, na, na},
		DefaultClocks: [4]Val[uint32]{na, na, na, na}, BoostClock: na, AutoBoost: none[Modes[bool]](NotSupported),
		SMClockSamples: none[Samples](nvml.ERROR_NOT_FOUND), MemoryClockSamples: none[Samples](nvml.ERROR_NOT_FOUND)}
	m := &Machine{Time: at(t, "Wed Feb  4 22:19:26 2026"), Driver: of("580.65.06"), CUDA: of[int32](13000), Count: 4, GPUs: []*GPU{rtx}}
	newer, wide := *m, *rtx
	newer.Time, newer.Driver, newer.CUDA, newer.Count, newer.GPUs = at(t, "Tue Jun  2 09:04:09 2026"), of("595.71.05"), of[int32](13020), 1, []*GPU{&wide}
	wide.PowerAverage, wide.PowerInstant, wide.PowerEnforced, wide.PowerLimit = na, na, of[uint32](115000), of[uint32](115000)
	wide.PowerDefault, wide.PowerMin, wide.PowerMax = of[uint32](115000), of[uint32](90000), of[uint32](115000)
	wide.PowerSamples = of(Samples{116990 * time.Millisecond, 119, 52.34, 50.16, 50.68})
	for _, c := range []struct {
		file, words string
		m           *Machine
	}{{"v100-580-ecc.q.txt", "ECC", v100}, {"rtx3090-580-power-clock.q.txt", "POWER,CLOCK", m}, {"rtx4060-595-power.q.txt", "POWER", &newer}} {
		d, err := parseDisplay(c.words)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		writeQuery(&b, c.m, d)
		same(t, b.String(), golden(t, c.file))
	}
}
