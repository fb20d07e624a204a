// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sample is what a -q of the vendor's says of its first GPU, by the headings
// above each value: "Clocks/SM". What NVML must have told is read from it, so
// that it can be printed again.
type sample struct {
	t      *testing.T
	values map[string]string
}

func readSample(t *testing.T, text string) *sample {
	s := &sample{t, map[string]string{}}
	var path []string
	for _, line := range strings.Split(text, "\n") {
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 4
		label, value, isLeaf := strings.Cut(line, ": ")
		label = strings.TrimSpace(label)
		if label == "" || depth > len(path) && !strings.HasPrefix(label, "HW ") && len(path) == 0 {
			continue
		}
		path = append(path[:min(depth, len(path))], label)
		if isLeaf {
			s.values[strings.Join(slices.Clone(path[min(1, depth):]), "/")] = value
		}
	}
	return s
}

func (s *sample) get(path string) (string, Return) {
	v, ok := s.values[path]
	switch {
	case !ok, v == "N/A":
		return "", NotSupported
	case v == words(Deprecated):
		return "", Deprecated
	}
	return v, Success
}

func (s *sample) str(path string) Val[string] {
	v, r := s.get(path)
	return Val[string]{v, r}
}

// number is the first word, without x before or after a number.
func parsed[T uint32 | int32 | uint64](s *sample, path string) Val[T] {
	v, r := s.get(path)
	if r != Success {
		return none[T](r)
	}
	word, _, _ := strings.Cut(v, " ")
	base := 10
	if rest, ok := strings.CutPrefix(word, "0x"); ok {
		word, base = rest, 16
	}
	n, err := strconv.ParseInt(strings.Trim(word, "xP"), base, 64)
	if err != nil {
		s.t.Errorf("%s is %q: %v", path, v, err)
	}
	return of(T(n))
}

func (s *sample) u32(path string) Val[uint32] { return parsed[uint32](s, path) }
func (s *sample) u64(path string) Val[uint64] { return parsed[uint64](s, path) }
func (s *sample) i32(path string) Val[int32]  { return parsed[int32](s, path) }

func (s *sample) flag(path, yes string) Val[bool] {
	return pick(s.str(path), func(v string) bool { return v == yes })
}

func (s *sample) modes(path string) Val[Modes[bool]] {
	return pick(s.str(path+"/Current"), func(v string) Modes[bool] { return Modes[bool]{v == "Enabled", s.flag(path+"/Pending", "Enabled").V} })
}

func (s *sample) milliwatts(path string) Val[uint32] {
	return pick(s.str(path), func(v string) uint32 {
		n, err := strconv.ParseFloat(strings.TrimSuffix(v, " W"), 64)
		if err != nil {
			s.t.Errorf("%s is %q: %v", path, v, err)
		}
		return uint32(n*1000 + 0.5)
	})
}

// bytes is a size whose MiB were rounded up.
func (s *sample) size(path string) Val[Mem] {
	return pick(s.u64(path+"/Total"), func(total uint64) Mem {
		of := func(name string) uint64 { return mebi * s.u64(path+"/"+name).V }
		return Mem{total * mebi, of("Reserved"), of("Used"), of("Free")}
	})
}

// nth is the number of a name.
func (s *sample) nth(path string, name func(uint32) string) Val[uint32] {
	return pick(s.str(path), func(v string) uint32 {
		for n := range uint32(32) {
			if name(n) == v {
				return n
			}
		}
		s.t.Errorf("%s is %q, which no number is", path, v)
		return 0
	})
}

func (s *sample) stats(path string) Val[Stats] {
	return pick(s.u32(path+"/Active Sessions"), func(n uint32) Stats {
		return Stats{n, s.u32(path + "/Average FPS").V, s.u32(path + "/Average Latency").V}
	})
}

func (s *sample) clocks(path string) [4]Val[uint32] {
	return [4]Val[uint32]{s.u32(path + "/Graphics"), s.u32(path + "/SM"), s.u32(path + "/Memory"), s.u32(path + "/Video")}
}

// machine is what NVML told where the sample was printed.
func (s *sample) machine() *Machine {
	when, err := time.Parse(ctime, s.str("Timestamp").V)
	if err != nil {
		s.t.Fatal(err)
	}
	major, minor, _ := strings.Cut(s.str("CUDA Version").V, ".")
	cuda, _ := strconv.Atoi(major)
	tens, _ := strconv.Atoi(minor)
	g := &GPU{
		Name: s.str("Product Name"), Brand: s.nth("Product Brand", brandName), Architecture: s.nth("Product Architecture", architectureName),
		DisplayAttached: s.flag("Display Mode", "Enabled"), DisplayActive: s.flag("Display Active", "Enabled"),
		Persistence: s.flag("Persistence Mode", "Enabled"), Addressing: s.nth("Addressing Mode", addressingName), MIG: s.modes("MIG Mode"),
		Accounting: s.flag("Accounting Mode", "Enabled"), AccountingBuffer: s.u32("Accounting Mode Buffer Size"),
		Serial: s.str("Serial Number"), UUID: s.str("GPU UUID"), Minor: s.u32("Minor Number"), VBIOS: s.str("VBIOS Version"),
		MultiGPUBoard: s.flag("MultiGPU Board", "Yes"), BoardID: s.u32("Board ID"), BoardPart: s.str("Board Part Number"),
		InforomImage: s.str("Inforom Version/Image Version"), InforomOEM: s.str("Inforom Version/OEM Object"),
		InforomECC: s.str("Inforom Version/ECC Object"), InforomPower: s.str("Inforom Version/Power Management Object"),
		BBXDuration: s.u64("Inforom BBX Object Flush/Latest Duration"), GOM: none[Modes[uint32]](NotSupported), C2C: s.flag("GPU C2C Mode", "Enabled"),
		Virtualization: s.nth("GPU Virtualization Mode/Virtualization Mode", virtualizationName), HostVGPU: none[uint32](NotSupported),
		Heterogeneous: none[bool](NotSupported), ResetRequired: s.flag("GPU Reset Status/Reset Required", "Yes"),
		DrainRecommended: s.flag("GPU Reset Status/Drain and Reset Recommended", "Yes"), Recovery: s.nth("GPU Recovery Action", recoveryName),
		GSPVersion: s.str("GSP Firmware Version"),
		LinkGenMax: s.u32("PCI/GPU Link Info/PCIe Generation/Max"), LinkGen: s.u32("PCI/GPU Link Info/PCIe Generation/Current"),
		LinkGenGPUMax: s.u32("PCI/GPU Link Info/PCIe Generation/Device Max"), LinkWidthMax: s.u32("PCI/GPU Link Info/Link Width/Max"),
		LinkWidth: s.u32("PCI/GPU Link Info/Link Width/Current"), BridgeType: none[uint32](NotSupported), BridgeFirmware: none[string](NotSupported),
		Replays: s.u64("PCI/Replays Since Reset"), Rollovers: s.u64("PCI/Replay Number Rollovers"), Tx: s.u32("PCI/Tx Throughput"), Rx: s.u32("PCI/Rx Throughput"),
		AtomicsOut: s.atomics("PCI/Atomic Caps Outbound"), AtomicsIn: s.atomics("PCI/Atomic Caps Inbound"), Fan: s.u32("Fan Speed"),
		PState: s.u32("Performance State"), Memory: s.size("FB Memory Usage"), BAR1: s.size("BAR1 Memory Usage"), Protected: s.size("Conf Compute Protected Memory Usage"),
		ComputeMode: s.nth("Compute Mode", computeModeName), UtilMemory: s.u32("Utilization/Memory"), UtilEncoder: s.u32("Utilization/Encoder"),
		UtilDecoder: s.u32("Utilization/Decoder"), UtilJPEG: s.u32("Utilization/JPEG"), UtilOFA: s.u32("Utilization/OFA"),
		Encoder: s.stats("Encoder Stats"), FBC: s.stats("FBC Stats"), DRAMEncryption: s.modes("DRAM Encryption Mode"), ECC: s.modes("ECC Mode"),
		Temperature: s.i32("Temperature/GPU Current Temp"), Margin: s.i32("Temperature/GPU T.Limit Temp"), MemoryTemperature: s.u32("Temperature/Memory Current Temp"),
		Shutdown: s.u32("Temperature/GPU Shutdown Temp"), Slowdown: s.u32("Temperature/GPU Slowdown Temp"), GPUMax: s.u32("Temperature/GPU Max Operating Temp"),
		MemMax: s.u32("Temperature/Memory Max Operating Temp"), ShutdownT: s.i32("Temperature/GPU Shutdown T.Limit Temp"),
		SlowdownT: s.i32("Temperature/GPU Slowdown T.Limit Temp"), GPUMaxT: s.i32("Temperature/GPU Max Operating T.Limit Temp"),
		MemMaxT: s.i32("Temperature/Memory Max Operating T.Limit Temp"), Target: s.u32("Temperature/GPU Target Temperature"),
		Power: s.milliwatts("GPU Power Readings/Power Draw"), PowerAverage: s.milliwatts("GPU Power Readings/Average Power Draw"),
		PowerInstant: s.milliwatts("GPU Power Readings/Instantaneous Power Draw"), PowerEnforced: s.milliwatts("GPU Power Readings/Current Power Limit"),
		PowerLimit: s.milliwatts("GPU Power Readings/Requested Power Limit"), PowerDefault: s.milliwatts("GPU Power Readings/Default Power Limit"),
		PowerMin: s.milliwatts("GPU Power Readings/Min Power Limit"), PowerMax: s.milliwatts("GPU Power Readings/Max Power Limit"),
		MemoryPowerAverage: s.milliwatts("GPU Memory Power Readings/Power Draw"), Smoothing: none[bool](NotSupported),
		MemoryPowerInstant: none[uint32](NotSupported), ModulePowerAverage: none[uint32](NotSupported), ModulePowerInstant: none[uint32](NotSupported),
		ModulePowerEnforced: none[uint32](NotSupported), ModulePowerLimit: none[uint32](NotSupported), ModulePowerDefault: none[uint32](NotSupported),
		ModulePowerMin: none[uint32](NotSupported), ModulePowerMax: none[uint32](NotSupported),
		Clocks: s.clocks("Clocks"), AppClocks: s.clocks("Applications Clocks"), DefaultClocks: s.clocks("Default Applications Clocks"),
		MaxClocks: s.clocks("Max Clocks"), BoostClock: s.u32("Max Customer Boost Clocks/Graphics"), AutoBoost: none[Modes[bool]](NotSupported),
		Capabilities: of[uint32](0), Processes: of[[]Process](nil), Platform: none[Platform](NotSupported),
	}
	s.places(g)
	s.faults(g)
	return &Machine{Time: when, Driver: s.str("Driver Version"), CUDA: of(int32(cuda*1000 + tens*10)), GPUs: []*GPU{g}, Count: int(s.u32("Attached GPUs").V)}
}

func (s *sample) atomics(path string) Val[uint64] {
	return pick(s.str(path), func(v string) uint64 {
		for n := range uint64(1 << 12) {
			if atomicsNames(n) == v {
				return n
			}
		}
		s.t.Errorf("%s is %q", path, v)
		return 0
	})
}

// places fills in where it is and what comes from several values.
func (s *sample) places(g *GPU) {
	hex := func(name string) uint32 { return s.u32("PCI/" + name).V }
	g.PCI = of(PCI{Domain: hex("Domain"), Bus: hex("Bus"), Device: hex("Device"), DeviceID: hex("Device Id"), SubSystem: hex("Sub System Id"),
		BusID: s.str("PCI/Bus Id").V, BaseClass: hex("Base Classcode"), SubClass: hex("Sub Classcode")})
	if v := s.str("Display Attached"); v.OK() {
		g.DisplayAttached = of(v.V == "Yes")
	}
	for _, path := range []string{"Module ID", "Platform Info/Module Id"} {
		if v := s.u32(path); v.OK() {
			g.ModuleID = v
		}
	}
	if chassis := s.str("Platform Info/Chassis Serial Number"); chassis.OK() {
		part := func(name string) uint32 { return s.u32("Platform Info/" + name).V }
		g.Platform = of(Platform{chassis.V, part("Slot Number"), part("Tray Index"), part("Host ID"), s.nth("Platform Info/Peer Type", peerName).V, g.ModuleID.V,
			"0x0000000000000000"})
	}
	for _, path := range []string{"Utilization/Gpu", "Utilization/GPU"} {
		if v := s.u32(path); v.OK() {
			g.UtilGPU = v
		}
	}
	g.BBXTime = pick(s.str("Inforom BBX Object Flush/Latest Timestamp"), func(v string) uint64 {
		at, err := time.ParseInLocation("2006/01/02 15:04:05.000", v, time.Local)
		if err != nil {
			s.t.Error(err)
		}
		return uint64(at.UnixMicro())
	})
	for _, r := range reasons {
		path := "Clocks Event Reasons/" + strings.TrimSpace(r.label)
		if strings.HasPrefix(r.label, "    ") {
			path = "Clocks Event Reasons/HW Slowdown/" + strings.TrimSpace(r.label)
		}
		if s.flag(path, "Active").V {
			g.Reasons.V |= r.bit
		}
	}
	for i, name := range []string{"SW Power Capping", "Sync Boost", "SW Thermal Slowdown", "HW Thermal Slowdown", "HW Power Braking"} {
		g.ReasonTimes[i] = s.u64("Clocks Event Reasons Counters/" + name)
	}
	g.Fabric = none[Fabric](NotSupported)
	if state := s.str("Fabric/State"); state.OK() {
		g.Fabric = of(Fabric{State: 3, Clique: s.u32("Fabric/CliqueId").V, Cluster: s.str("Fabric/ClusterUUID").V, Summary: none[uint32](NotSupported)})
	}
	if pid := s.u32("Processes/Process ID"); pid.OK() {
		g.Processes = of([]Process{process(pid.V, s.str("Processes/Process ID/Type").V, s.str("Processes/Process ID/Name").V, s.u64("Processes/Process ID/Used GPU Memory").V)})
	}
}

func (s *sample) faults(g *GPU) {
	for i, when := range []string{"Volatile", "Aggregate"} {
		for _, c := range []struct {
			counts     *Counts
			bits, sram string
		}{{&g.Corrected[i], "Single", "Correctable"}, {&g.Uncorrected[i], "Double", "Uncorrectable"}} {
			at := "ECC Errors/" + when + "/"
			bits := at + c.bits + " Bit/"
			*c.counts = Counts{Total: s.u64(bits + "Total"), Device: s.u64(bits + "Device Memory"), Registers: s.u64(bits + "Register File"), L1: s.u64(bits + "L1 Cache"),
				L2: s.u64(bits + "L2 Cache"), Texture: s.u64(bits + "Texture Memory"), TextureShared: s.u64(bits + "Texture Shared"), CBU: s.u64(bits + "CBU"),
				SRAM: s.u64(at + "SRAM " + c.sram)}
			if dram := s.u64(at + "DRAM " + c.sram); dram.OK() {
				c.counts.Device = dram
			}
		}
	}
	at := "ECC Errors/Aggregate Uncorrectable SRAM Sources/SRAM "
	g.SRAM = pick(s.u64(at+"L2"), func(l2 uint64) SRAM {
		one := func(path string) uint64 { return s.u64("ECC Errors/" + path).V }
		return SRAM{one("Volatile/SRAM Uncorrectable Parity"), one("Volatile/SRAM Uncorrectable SEC-DED"), one("Aggregate/SRAM Uncorrectable Parity"),
			one("Aggregate/SRAM Uncorrectable SEC-DED"), l2, s.u64(at + "SM").V, s.u64(at + "Microcontroller").V, s.u64(at + "PCIE").V, s.u64(at + "Other").V,
			s.flag("ECC Errors/Aggregate/SRAM Threshold Exceeded", "Yes").V}
	})
	pages := func(path string) Val[[]Retired] {
		return pick(s.u32(path), func(n uint32) []Retired { return make([]Retired, n) })
	}
	g.RetiredSBE, g.RetiredDBE = pages("Retired Pages/Single Bit ECC"), pages("Retired Pages/Double Bit ECC")
	g.RetiredPending = s.flag("Retired Pages/Pending Page Blacklist", "Yes")
	at = "Remapped Rows/"
	g.Remapped = pick(s.u32(at+"Correctable Error"), func(n uint32) Rows {
		return Rows{Correctable: n, Uncorrectable: s.u32(at + "Uncorrectable Error").V, Pending: s.flag(at+"Pending", "Yes").V, Failure: s.flag(at+"Remapping Failure Occurred", "Yes").V}
	})
	at += "Bank Remap Availability Histogram/"
	g.Histogram = pick(s.u32(at+"Max"), func(n uint32) Histogram {
		return Histogram{n, s.u32(at + "High").V, s.u32(at + "Partial").V, s.u32(at + "Low").V, s.u32(at + "None").V}
	})
}
