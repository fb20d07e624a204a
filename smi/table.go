// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"
)

// ctime is the time as the C library's ctime has it.
const ctime = "Mon Jan _2 15:04:05 2006"

// writeTable is what nvidia-smi without arguments prints.
func writeTable(w *bytes.Buffer, m *Machine) {
	driver := str(m.Driver)
	l := layoutOf(driver)
	left := 41
	right := l.width - 4 - left - l.memory
	rule := fmt.Sprintf("%s+%s+%s", dashes(left), dashes(l.memory), dashes(right))
	line := dashes(l.width - 2)

	fmt.Fprintf(w, "%s       \n", m.Time.Format(ctime))
	fmt.Fprintf(w, "+%s+\n", line)
	fmt.Fprintf(w, "| NVIDIA-SMI %-22s Driver Version: %-*s CUDA Version: %-8s |\n", driver, l.driverVersion, driver, cudaVersion(m.CUDA))
	fmt.Fprintf(w, "%c%s+\n", l.firstRule, rule)
	fmt.Fprintf(w, "| GPU  Name                 Persistence-M | %-*sDisp.A | Volatile Uncorr. ECC |\n", l.memory-8, "Bus-Id")
	fmt.Fprintf(w, "| Fan  Temp   Perf          Pwr:Usage/Cap |%*s | GPU-Util  Compute M. |\n", l.memory-1, "Memory-Usage")
	fmt.Fprintf(w, "|%*s|%*s|%*s |\n", left, "", l.memory, "", right-1, "MIG M.")
	fmt.Fprintf(w, "|%s|\n", strings.ReplaceAll(rule, "-", "="))
	mig := false
	for _, g := range m.GPUs {
		gpuRows(w, l, g)
		fmt.Fprintf(w, "+%s+\n", rule)
		mig = mig || g.MIG.OK() && g.MIG.V.Current
	}
	if mig {
		migTable(w, l, m)
	}
	fmt.Fprintf(w, "%s\n", l.space)
	processTable(w, l, m)
}

func dashes(n int) string { return strings.Repeat("-", n) }

func cudaVersion(v Val[int32]) string {
	return text(v, func(n int32) string { return fmt.Sprintf("%d.%d", n/1000, n%1000/10) })
}

// cell is the value or N/A; what went wrong otherwise has no room.
func cell(r Return) string {
	if na(r) == "N/A" {
		return "N/A"
	}
	return "ERR!"
}

func gpuRows(w *bytes.Buffer, l *layout, g *GPU) {
	name := cellOf(g.Name, func(s string) string { return s })
	if len(name) > 27 {
		name = name[:24] + "..."
	}
	persistence := "   " + cell(g.Persistence.R) + "  "
	if g.Persistence.OK() {
		persistence = fmt.Sprintf("    %-3s ", onOff(g.Persistence, "On", "Off"))
	}
	fmt.Fprintf(w, "| %3d  %-27s%s|%*s %3s | %20s |\n", g.Index, name, persistence,
		l.memory-5, fmt.Sprintf("%-16s", text(g.PCI, func(p PCI) string { return p.BusID })),
		text(g.DisplayActive, func(b bool) string {
			if b {
				return "On"
			}
			return "Off"
		}), eccCell(g))

	fan := cellOf(g.Fan, func(n uint32) string { return fmt.Sprintf("%d%%", n) })
	temperature := cellOf(g.Temperature, func(n int32) string { return fmt.Sprintf("%dC", n) })
	state := "  " + cell(g.PState.R) + " "
	if g.PState.OK() && g.PState.V < 32 {
		state = fmt.Sprintf("%6s", fmt.Sprintf("P%d", g.PState.V))
	}
	fmt.Fprintf(w, "|%4s%6s%-6s%s|%s|%s %12s |\n", fan, temperature, state, powerCell(l, g), memoryCell(l, g),
		fmt.Sprintf("%8s", cellOf(g.UtilGPU, func(n uint32) string { return fmt.Sprintf("%d%%", n) })),
		cellOf(g.ComputeMode, func(n uint32) string { return name4(n, "Default", "E. Thread", "Prohibited", "E. Process") }))
	fmt.Fprintf(w, "|%41s|%*s| %20s |\n", "", l.memory, "",
		cellOf(g.MIG, func(m Modes[bool]) string { return enabled(of(m.Current)) }))
}

func cellOf[T any](v Val[T], f func(T) string) string {
	if !v.OK() {
		return cell(v.R)
	}
	return f(v.V)
}

// name4 is the nth name; one that is not known is Unknown.
func name4(n uint32, names ...string) string {
	if int(n) < len(names) && names[n] != "" {
		return names[n]
	}
	return "Unknown"
}

// eccCell is the count, or On where it is on and nothing is counted for the whole GPU, as with MIG.
func eccCell(g *GPU) string {
	switch {
	case !g.ECC.OK():
		return "N/A"
	case !g.ECC.V.Current:
		return "Off"
	case g.MIG.OK() && g.MIG.V.Current, !g.Uncorrected[0].Total.OK():
		return "On"
	}
	return number(g.Uncorrected[0].Total, "")
}

func powerCell(l *layout, g *GPU) string {
	watts := func(n uint32) string { return fmt.Sprintf("%dW", n/1000) }
	usage, limit := text(g.Power, watts), text(g.PowerEnforced, watts)
	if l.cap == 4 {
		return fmt.Sprintf("%*s /%*s ", l.usage, cellOf(g.Power, watts), l.cap+1, cellOf(g.PowerEnforced, watts))
	}
	if !g.Power.OK() {
		usage = "N/A "
	}
	if !g.PowerEnforced.OK() {
		limit = " N/A "
	}
	return fmt.Sprintf("%*s / %*s ", l.usage, usage, l.cap, limit)
}

func memoryCell(l *layout, g *GPU) string {
	switch {
	case g.Memory.OK():
		half := l.memory/2 - 1
		return fmt.Sprintf("%*s / %*s ", half, fmt.Sprintf("%dMiB", mib(g.Memory.V.Used)),
			l.memory-half-4, fmt.Sprintf("%dMiB", mib(g.Memory.V.Total)))
	case g.Memory.R == NotSupported && l.cap == 5:
		return fmt.Sprintf(" %-*s", l.memory-1, "Not Supported")
	}
	return fmt.Sprintf("%*s   ", l.memory-3, "N/A")
}

func processTable(w *bytes.Buffer, l *layout, m *Machine) {
	inner := l.width - 2
	line := dashes(inner)
	memory := inner - 26 - l.pid - l.name
	fmt.Fprintf(w, "+%s+\n", line)
	fmt.Fprintf(w, "|%-*s|\n", inner, " Processes:")
	fmt.Fprintf(w, "|  GPU   GI   CI%*s   Type   %-*sGPU Memory |\n", l.pid+1, "PID", l.name+memory-11, "Process name")
	fmt.Fprintf(w, "|        ID   ID%*sUsage      |\n", inner-14-12, "")
	fmt.Fprintf(w, "|%s|\n", strings.Repeat("=", inner))
	any := false
	for _, g := range m.GPUs {
		if !g.Processes.OK() {
			continue
		}
		for _, p := range g.Processes.V {
			any = true
			processRow(w, l, g.Index, p, memory)
		}
	}
	if !any {
		fmt.Fprintf(w, "|%-*s|\n", inner, "  "+noProcesses(m))
	}
	fmt.Fprintf(w, "+%s+\n", line)
}

func noProcesses(m *Machine) string {
	for _, g := range m.GPUs {
		if g.Processes.OK() {
			return "No running processes found"
		}
	}
	if len(m.GPUs) > 0 && m.GPUs[0].Processes.R == NoPermission {
		return "Insufficient Permissions"
	}
	return "No running processes found"
}

func processRow(w *bytes.Buffer, l *layout, gpu uint32, p Process, memory int) {
	name := p.Name
	if len(name) > l.name {
		name = "..." + name[len(name)-(l.name-3):]
	}
	instance := fmt.Sprintf("   N/A  N/A%*d", l.pid, p.PID)
	if p.GI.OK() {
		instance = fmt.Sprintf("%5d%5s%*d", p.GI.V, number(p.CI, ""), l.pid+1, p.PID)
	}
	used := "N/A     "
	if p.Memory.OK() {
		used = fmt.Sprintf("%dMiB", mib(p.Memory.V))
	}
	fmt.Fprintf(w, "|%5d%s%7s   %-*s%*s |\n", gpu, instance, p.Type, l.name, name, memory-1, used)
}
