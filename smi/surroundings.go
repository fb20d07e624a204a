// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// surroundings are the CPUs that the caller may use, and the NUMA nodes they are
// of. NVIDIA's library shows the machine as those have it, to a job that was
// given a part of it.
type surroundings struct {
	allowed       []uint64 // nil: all
	usable, nodes int
}

func surroundingsOf(sysfs string, allowed []uint64) *surroundings {
	a := &surroundings{allowed: allowed}
	lists, _ := filepath.Glob(filepath.Join(sysfs, "devices/system/node/node[0-9]*/cpulist"))
	for _, file := range lists {
		b, _ := os.ReadFile(file)
		cpus := cpuList(strings.TrimSpace(string(b)))
		if len(cpus) == 0 {
			continue // memory alone
		}
		a.nodes++
		for _, c := range cpus {
			if a.has(c) {
				a.usable++
				break
			}
		}
	}
	return a
}

func (a *surroundings) has(cpu int) bool {
	return a.allowed == nil || cpu/64 < len(a.allowed) && a.allowed[cpu/64]>>(cpu%64)&1 != 0
}

// confined is that the caller has CPUs of one node only, of a machine with more.
func (a *surroundings) confined() bool { return a.nodes > 1 && a.usable <= 1 }

// cpus are those of a mask that the caller may use.
func (a *surroundings) cpus(mask Val[[]uint64]) string {
	if a.allowed == nil {
		return affinity(mask)
	}
	return affinity(pick(mask, func(words []uint64) []uint64 {
		both := make([]uint64, min(len(words), len(a.allowed)))
		for i := range both {
			both[i] = words[i] & a.allowed[i]
		}
		return both
	}))
}

// cpuList reads a list like 0-3,8.
func cpuList(s string) (cpus []int) {
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		if err != nil {
			continue
		}
		to := from
		if isRange {
			if to, err = strconv.Atoi(last); err != nil {
				continue
			}
		}
		for c := from; c <= to; c++ {
			cpus = append(cpus, c)
		}
	}
	return cpus
}

// usableCPUs are those of the caller's cgroup; all, where the devices described are another machine's. A thread's
// own affinity (taskset) is no part of it: 580.159.04 shows the same under any.
func (e *Environment) usableCPUs() []uint64 {
	if e.CPUs != nil || e.Sysfs != "" {
		return e.CPUs
	}
	return cgroupCPUs("/proc/self/cgroup", "/sys/fs/cgroup")
}

// cgroupCPUs are a mask of what the cpuset of a process allows, by its cgroup file; nil where nothing says.
func cgroupCPUs(file, mount string) []uint64 {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		name, top := "cpuset.cpus.effective", mount
		if slices.Contains(strings.Split(parts[1], ","), "cpuset") { // the first version's
			name, top = "cpuset.cpus", filepath.Join(mount, "cpuset")
		} else if parts[0] != "0" {
			continue
		}
		// A group without a cpuset of its own has its parent's; nor is one outside of the namespace seen here.
		for path := filepath.Join("/", parts[2]); ; path = filepath.Dir(path) {
			if b, err := os.ReadFile(filepath.Join(top, path, name)); err == nil {
				return maskOfCPUs(cpuList(strings.TrimSpace(string(b))))
			}
			if path == "/" {
				break
			}
		}
	}
	return nil
}

func maskOfCPUs(cpus []int) []uint64 {
	var words []uint64
	for _, c := range cpus {
		for len(words) <= c/64 {
			words = append(words, 0)
		}
		words[c/64] |= 1 << (c % 64)
	}
	return words
}
