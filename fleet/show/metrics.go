// SPDX-License-Identifier: Apache-2.0

package show

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/view"
)

// ContentType is what Metrics writes: Prometheus' text exposition format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// label is a name with a value that may be anything.
type label struct{ name, value string }

// metric is a family: a figure of many things.
type metric struct {
	name, kind, help string
	samples          []sample
}

type sample struct {
	labels []label
	value  float64
}

// figure is a metric with what it is of a GPU or a session; NaN is unknown, and left out.
type figure[T any] struct {
	name, kind, help string
	of               func(*T) float64
}

func scaled[N float64 | uint64](n *N, by float64) float64 {
	if n == nil {
		return math.NaN()
	}
	return float64(*n) * by
}

const mib = 1.0 / (1 << 20)

// own is a figure of memory that only the GPU has.
func own(g *view.GPU, v float64) float64 {
	if g.MemoryKind != view.MemoryOwn {
		return math.NaN()
	}
	return v
}

// gpuFigures have dcgm-exporter's names, and units, where they mean the same.
var gpuFigures = []figure[view.GPU]{
	{"DCGM_FI_DEV_SM_CLOCK", "gauge", "SM clock frequency (in MHz).", func(g *view.GPU) float64 { return scaled(g.ClockSM, 1e-6) }},
	{"DCGM_FI_DEV_MEM_CLOCK", "gauge", "Memory clock frequency (in MHz).", func(g *view.GPU) float64 { return scaled(g.ClockMemory, 1e-6) }},
	{"DCGM_FI_DEV_GPU_TEMP", "gauge", "GPU temperature (in C).", func(g *view.GPU) float64 { return scaled(g.Temperature, 1) }},
	{"DCGM_FI_DEV_POWER_USAGE", "gauge", "Power draw (in W).", func(g *view.GPU) float64 { return scaled(g.Power, 1) }},
	{"DCGM_FI_DEV_POWER_MGMT_LIMIT", "gauge", "Power limit (in W).", func(g *view.GPU) float64 { return scaled(g.PowerLimit, 1) }},
	{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "counter", "Energy since the driver was loaded (in mJ).", func(g *view.GPU) float64 { return scaled(g.Energy, 1000) }},
	{"DCGM_FI_DEV_GPU_UTIL", "gauge", "Time in which a program ran (in %).", func(g *view.GPU) float64 { return scaled(g.Busy, 100) }},
	{"DCGM_FI_DEV_MEM_COPY_UTIL", "gauge", "Time in which memory was read or written (in %).", func(g *view.GPU) float64 { return scaled(g.MemoryBusy, 100) }},
	{"DCGM_FI_DEV_FAN_SPEED", "gauge", "Fan speed (in %).", func(g *view.GPU) float64 { return scaled(g.Fan, 100) }},
	{"DCGM_FI_DEV_FB_TOTAL", "gauge", "The GPU's own memory (in MiB).", func(g *view.GPU) float64 { return own(g, scaled(g.MemoryTotal, mib)) }},
	{"DCGM_FI_DEV_FB_USED", "gauge", "The GPU's own memory that is used (in MiB).", func(g *view.GPU) float64 { return own(g, scaled(g.MemoryUsed, mib)) }},
	{"DCGM_FI_DEV_FB_FREE", "gauge", "The GPU's own memory that is not used (in MiB).", func(g *view.GPU) float64 {
		return own(g, scaled(g.MemoryTotal, mib)-scaled(g.MemoryUsed, mib))
	}},
}

// memoryFigures are of memory of either kind, which dcgm-exporter does not know.
var memoryFigures = []figure[view.GPU]{
	{"axon_gpu_memory_total_bytes", "gauge", "Memory that the GPU can use; the label kind says whether it is its own or the machine's.", func(g *view.GPU) float64 { return scaled(g.MemoryTotal, 1) }},
	{"axon_gpu_memory_used_bytes", "gauge", "How much of it is used.", func(g *view.GPU) float64 { return scaled(g.MemoryUsed, 1) }},
}

var sessionFigures = []figure[view.Session]{
	{"axon_session_busy_ratio", "gauge", "Time in which the session's kernels ran, 0 to 1.", func(s *view.Session) float64 { return scaled(s.Busy, 1) }},
	{"axon_session_gpu_memory_bytes", "gauge", "GPU memory that the session has.", func(s *view.Session) float64 { return scaled(&s.GPUMemory, 1) }},
	{"axon_session_gpu_memory_peak_bytes", "gauge", "The most that it had.", func(s *view.Session) float64 { return scaled(&s.GPUMemoryPeak, 1) }},
	{"axon_session_gpu_memory_limit_bytes", "gauge", "What it may have; absent without a limit.", func(s *view.Session) float64 { return scaled(s.GPUMemoryLimit, 1) }},
	{"axon_session_pinned_memory_bytes", "gauge", "Pinned memory that it has.", func(s *view.Session) float64 { return scaled(&s.PinnedMemory, 1) }},
	{"axon_session_host_memory_bytes", "gauge", "Memory of its worker.", func(s *view.Session) float64 { return scaled(s.HostMemory, 1) }},
	{"axon_session_calls_total", "counter", "Calls of the driver that it made.", func(s *view.Session) float64 { return scaled(&s.Calls, 1) }},
	{"axon_session_start_time_seconds", "gauge", "When it began, in Unix time.", func(s *view.Session) float64 { return float64(s.Since.UnixMicro()) / 1e6 }},
}

var machineFigures = []figure[view.Machine]{
	{"axon_sessions", "gauge", "Sessions that there are.", func(m *view.Machine) float64 { return float64(len(m.Sessions)) }},
	{"axon_machine_cpus", "gauge", "Processors.", func(m *view.Machine) float64 { return float64(m.CPUs) }},
	{"axon_machine_cpu_busy_ratio", "gauge", "Time in which they were busy, 0 to 1.", func(m *view.Machine) float64 { return scaled(m.CPUBusy, 1) }},
	{"axon_machine_memory_total_bytes", "gauge", "The machine's memory.", func(m *view.Machine) float64 { return scaled(m.MemoryTotal, 1) }},
	{"axon_machine_memory_used_bytes", "gauge", "What no program could have of it.", func(m *view.Machine) float64 { return scaled(m.MemoryUsed, 1) }},
}

// Names are those of all metrics that there can be.
func Names() []string {
	all := []string{"axon_up"}
	for _, f := range machineFigures {
		all = append(all, f.name)
	}
	for _, f := range slices.Concat(gpuFigures, memoryFigures) {
		all = append(all, f.name)
	}
	for _, f := range sessionFigures {
		all = append(all, f.name)
	}
	return all
}

// Metrics writes a machine's figures for Prometheus. What is not known is left
// out; axon_up is 0, and alone, where axond does not answer. Programs'
// arguments are not told: they are many, and may be secret.
func Metrics(w io.Writer, m *fleet.Machine) error {
	up := 0.0
	if m.Err == nil && m.Last != nil {
		up = 1
	}
	all := []metric{{"axon_up", "gauge", "1 if axond answered.", []sample{{nil, up}}}}
	if up == 1 {
		l := m.Last
		host := label{"Hostname", l.Host}
		all = append(all, families(machineFigures, []*view.Machine{l}, func(*view.Machine) []label { return []label{host} })...)
		var gpus []*view.GPU
		index := map[string]string{}
		for i := range l.GPUs {
			gpus = append(gpus, &l.GPUs[i])
			index[l.GPUs[i].UUID] = strconv.FormatUint(uint64(l.GPUs[i].Index), 10)
		}
		ofGPU := func(g *view.GPU) []label {
			labels := []label{{"gpu", index[g.UUID]}, {"UUID", g.UUID}}
			if g.BusID != nil {
				labels = append(labels, label{"pci_bus_id", *g.BusID})
			}
			labels = append(labels, label{"device", "nvidia" + index[g.UUID]}, label{"modelName", g.Name}, host)
			if l.Driver != nil {
				labels = append(labels, label{"DCGM_FI_DRIVER_VERSION", *l.Driver})
			}
			return labels
		}
		all = append(all, families(gpuFigures, gpus, ofGPU)...)
		all = append(all, families(memoryFigures, gpus, func(g *view.GPU) []label { return append(ofGPU(g), label{"kind", g.MemoryKind}) })...)
		var sessions []*view.Session
		for i := range l.Sessions {
			sessions = append(sessions, &l.Sessions[i])
		}
		all = append(all, families(sessionFigures, sessions, func(s *view.Session) []label {
			labels := []label{{"session", strconv.FormatUint(uint64(s.Session), 10)}, {"uid", strconv.FormatUint(uint64(s.UID), 10)}, {"user", User(s)}, {"program", Text(s.Program)}}
			if s.PID != nil {
				labels = append(labels, label{"pid", strconv.Itoa(*s.PID)})
			}
			var gpus []string
			for _, uuid := range s.GPUs {
				gpus = append(gpus, index[uuid])
			}
			return append(labels, label{"gpus", strings.Join(gpus, ",")}, host)
		})...)
	}
	b := bufio.NewWriter(w)
	for _, f := range all {
		f.write(b)
	}
	return b.Flush()
}

// families are the figures of things that are alike.
func families[T any](figures []figure[T], of []*T, labels func(*T) []label) []metric {
	all := make([]metric, 0, len(figures))
	for _, f := range figures {
		m := metric{f.name, f.kind, f.help, nil}
		for _, thing := range of {
			if v := f.of(thing); !math.IsNaN(v) {
				m.samples = append(m.samples, sample{labels(thing), v})
			}
		}
		all = append(all, m)
	}
	return all
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func (m *metric) write(b *bufio.Writer) {
	if len(m.samples) == 0 {
		return
	}
	b.WriteString("# HELP " + m.name + " " + m.help + "\n# TYPE " + m.name + " " + m.kind + "\n")
	for _, s := range m.samples {
		b.WriteString(m.name)
		for i, l := range s.labels {
			b.WriteString([]string{"{", ","}[min(i, 1)] + l.name + `="` + labelEscapes.Replace(Text(l.value)) + `"`)
		}
		if len(s.labels) > 0 {
			b.WriteByte('}')
		}
		b.WriteString(" " + strconv.FormatFloat(s.value, 'g', -1, 64) + "\n")
	}
}
