// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"testing"
	"time"
)

// aQuietH200 is the one of the capture of -q.
func aQuietH200() *Machine {
	m := aH200()
	g := m.GPUs[0]
	m.Time = time.Date(2026, 11, 30, 8, 12, 27, 0, time.Local)
	m.Driver, g.GSPVersion = of("580.159.04"), of("580.159.04")
	g.PCI = of(PCI{Device: 6, DeviceID: 0x233510DE, SubSystem: 0x18BF10DE, BusID: "00000000:00:06.0", BaseClass: 3, SubClass: 2})
	g.Serial, g.UUID, g.PDI = of("1650000000000"), of("GPU-00000000-1111-2222-3333-444444444444"), of[uint64](0x0123456789abcdef)
	g.VBIOS, g.BoardID, g.BoardPart = of("96.00.A5.00.1A"), of[uint32](6), of("692-2G520-0282-000")
	g.ModuleID, g.InforomImage = of[uint32](1), of("G520.0282.02.02")
	g.Replays, g.Tx, g.Rx = of[uint64](0), of[uint32](959), of[uint32](569)
	g.MemoryTemperature = of[uint32](37)
	g.PowerAverage, g.PowerInstant, g.MemoryPowerAverage = of[uint32](81840), of[uint32](81320), of[uint32](45680)
	g.Fabric = of(Fabric{Summary: noFan})
	return m
}

func TestQueryIsTheVendors(t *testing.T) {
	var b bytes.Buffer
	writeQuery(&b, aQuietH200(), display{all: true})
	same(t, b.String(), golden(t, "h200-580.q.txt"))
}

// aGB200 is the first of the four.
func aGB200() *Machine {
	m := aH200()
	g := m.GPUs[0]
	m.Time, m.Count = time.Date(2026, 8, 21, 11, 1, 42, 0, time.Local), 4
	g.Name, g.Architecture, g.Addressing = of("NVIDIA GB200"), of[uint32](blackwell), of[uint32](2)
	g.PCI = of(PCI{Bus: 0x29, DeviceID: 0x294110DE, SubSystem: 0x204610DE, BusID: "00000000:29:00.0", BaseClass: 3, SubClass: 2})
	g.Serial, g.PDI, g.VBIOS, g.BoardID, g.BoardPart = of("1650000000001"), of[uint64](1), of("97.00.B9.00.69"), of[uint32](0x2900), of("900-2G548-A801-000")
	g.Platform = of(Platform{"1820000000001", 14, 4, 1, 1, 2, "0x0000000000000001"})
	g.ModuleID, g.InforomImage, g.C2C, g.LinkGenGPUMax = of[uint32](2), of("G548.0201.00.06"), of(true), of[uint32](6)
	g.BBXTime, g.BBXDuration = of(uint64(time.Date(2026, 8, 20, 23, 33, 0, 497e6, time.Local).UnixMicro())), of[uint64](61655)
	g.Replays, g.Tx, g.Rx, g.AtomicsIn = of[uint64](0), of[uint32](0), of[uint32](0), of[uint64](0x3f)
	g.ReasonTimes[0] = of[uint64](2354613)
	g.Memory, g.BAR1 = of(Mem{189471 * mebi, 742*mebi - 1, 0, 188729*mebi + 1}), of(Mem{Total: 262144 * mebi, Free: 262144 * mebi})
	g.Histogram = of(Histogram{Max: 3968})
	g.Temperature, g.Margin, g.MemoryTemperature, g.ShutdownT = of[int32](27), of[int32](60), of[uint32](27), of[int32](-5)
	g.PowerAverage, g.PowerInstant, g.PowerEnforced, g.PowerLimit = of[uint32](165930), of[uint32](165930), of[uint32](1200000), of[uint32](1200000)
	g.PowerDefault, g.PowerMax, g.MemoryPowerAverage = of[uint32](1200000), of[uint32](1200000), of[uint32](30260)
	g.ModulePowerAverage, g.ModulePowerInstant, g.ModulePowerEnforced = of[uint32](467170), of[uint32](467680), of[uint32](2500000)
	g.ModulePowerLimit, g.ModulePowerDefault, g.ModulePowerMin, g.ModulePowerMax = of[uint32](2500000), of[uint32](2500000), of[uint32](500000), of[uint32](2500000)
	g.Smoothing = none[bool](NoPermission)
	g.Clocks, g.AppClocks, g.DefaultClocks, g.MaxClocks = mhz(120, 120, 3996, 600), mhz(2062, 0, 3996, 0), mhz(2062, 0, 3996, 0), mhz(2062, 2062, 3996, 1890)
	g.BoostClock = of[uint32](2062)
	g.Fabric = of(Fabric{State: 3, Clique: 2, Cluster: "00000001-0000-0000-0000-000000000001", Summary: of[uint32](1), HasHealth: true, Health: 0b10101010})
	g.SupportedClocks = of([]Supported{{3996, []uint32{2062, 2055}}})
	return m
}

func TestXMLIsTheVendors(t *testing.T) {
	var b bytes.Buffer
	writeXML(&b, aGB200(), false)
	same(t, b.String(), golden(t, "gb200-580.xml"))
}
