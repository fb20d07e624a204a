// SPDX-License-Identifier: Apache-2.0

package smi

import "fmt"

// The names of a process's values are padded to what was the width once.
const processWidth = 42

func (t *tree) processes(g *GPU) {
	if !t.xml && (!g.Processes.OK() || len(g.Processes.V) == 0) {
		none := "None"
		if !g.Processes.OK() {
			none = na(g.Processes.R)
		}
		t.leaf("Processes", "", none)
		return
	}
	if !g.Processes.OK() {
		t.leaf("", "processes", na(g.Processes.R))
		return
	}
	t.group("Processes", "processes", func() {
		width := t.width
		t.width = processWidth
		for _, p := range g.Processes.V {
			t.group("", "process_info", func() {
				t.leaf("GPU instance ID", "gpu_instance_id", number(p.GI, ""))
				t.leaf("Compute instance ID", "compute_instance_id", number(p.CI, ""))
				t.leaf("Process ID", "pid", fmt.Sprint(p.PID))
				t.leaf("    Type", "type", p.Type)
				t.leaf("    Name", "process_name", p.Name)
				t.leaf("    Used GPU Memory", "used_memory", text(p.Memory, func(n uint64) string { return fmt.Sprintf("%d MiB", mib(n)) }))
			})
		}
		t.width = width
	})
}

func (t *tree) accounted(g *GPU) {
	if !t.xml && (!g.Accounted.OK() || len(g.Accounted.V) == 0) {
		none := "None"
		if !g.Accounted.OK() {
			none = na(g.Accounted.R)
		}
		t.leaf("Accounted Processes", "", none)
		return
	}
	t.group("Accounted Processes", "accounted_processes", func() {
		for _, a := range g.Accounted.V {
			t.group("", "accounted_process_info", func() {
				t.leaf("Process ID", "pid", fmt.Sprint(a.PID))
				t.leaf("    GPU Utilization", "gpu_util", number(a.GPU, " %"))
				t.leaf("    Memory Utilization", "memory_util", number(a.Memory, " %"))
				t.leaf("    Max memory usage", "max_memory_usage", text(a.MaxMemory, func(n uint64) string { return fmt.Sprintf("%d MiB", mib(n)) }))
				t.leaf("    Time", "time", fmt.Sprintf("%d ms", a.Time))
				t.leaf("    Is Running", "is_running", fmt.Sprint(map[bool]int{true: 1}[a.Running]))
			})
		}
	})
}

func (t *tree) supported(g *GPU) {
	if !g.SupportedClocks.OK() {
		t.leaf("Supported Clocks", "supported_clocks", na(g.SupportedClocks.R))
		return
	}
	t.group("Supported Clocks", "supported_clocks", func() {
		for _, s := range g.SupportedClocks.V {
			if t.xml {
				t.group("", "supported_mem_clock", func() {
					t.leaf("", "value", fmt.Sprintf("%d MHz", s.Memory))
					for _, c := range s.Graphics {
						t.leaf("", "supported_graphics_clock", fmt.Sprintf("%d MHz", c))
					}
				})
				continue
			}
			t.leaf("Memory", "", fmt.Sprintf("%d MHz", s.Memory))
			t.depth++
			for _, c := range s.Graphics {
				t.leaf("Graphics", "", fmt.Sprintf("%d MHz", c))
			}
			t.depth--
		}
	})
}
