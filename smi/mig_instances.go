// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"

	"nervlinux.org/axon/nvml"
)

// gpuInstance is one that there is.
type gpuInstance struct {
	handle  nvml.GpuInstance
	id      uint32
	profile migProfile
	at      nvml.GpuInstancePlacement
}

// computeInstance is one in a GPU instance.
type computeInstance struct {
	handle  nvml.ComputeInstance
	id      uint32
	profile migProfile
	at      nvml.ComputeInstancePlacement
}

// gpuInstances are a GPU's, in the order of their profiles. NVML tells them to root only.
func (s *source) gpuInstances(g *GPU) (all []gpuInstance, r Return) {
	profiles, r := s.gpuInstanceProfiles(g)
	if r != Success {
		return nil, r
	}
	for _, p := range profiles {
		list, n, r := s.DeviceGetGpuInstances(g.handle, p.id)
		if r != Success {
			if absent(r) {
				continue
			}
			return nil, r
		}
		for _, h := range list[:min(int(n), len(list))] {
			i, r := s.GpuInstanceGetInfo(h)
			if r != Success {
				return nil, r
			}
			all = append(all, gpuInstance{h, i.Id, p, i.Placement})
		}
	}
	return all, Success
}

func (s *source) computeInstances(gi nvml.GpuInstance) (all []computeInstance, r Return) {
	profiles, r := s.computeInstanceProfiles(gi)
	if r != Success {
		return nil, r
	}
	for _, p := range profiles {
		list, n, r := s.GpuInstanceGetComputeInstances(gi, p.id)
		if r != Success {
			if absent(r) {
				continue
			}
			return nil, r
		}
		for _, h := range list[:min(int(n), len(list))] {
			i, r := s.ComputeInstanceGetInfo_v2(h)
			if r != Success {
				return nil, r
			}
			all = append(all, computeInstance{h, i.Id, p, i.Placement})
		}
	}
	return all, Success
}

// eachGPUInstance does something with each that is asked for, up to what fails.
// found is false where there is none, and the result why.
func (s *source) eachGPUInstance(gpus []*GPU, c *migCommand, do func(*GPU, gpuInstance) Return) (found bool, r Return) {
	for _, g := range gpus {
		all, r := s.gpuInstances(g)
		if r != Success {
			return false, r
		}
		for _, gi := range all {
			if !wanted(c.gis, gi.id) {
				continue
			}
			found = true
			if r := do(g, gi); r != Success {
				return true, r
			}
		}
	}
	return found, Success
}

func listGPUInstances(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	width := s.migNameWidth()
	inner := 41 + width
	line := "+" + dashes(inner) + "+\n"
	var rows bytes.Buffer
	found, r := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		fmt.Fprintf(&rows, "|%4d  %-*s%2d%9d%11d:%-6d|\n%s", g.Index, width+6, gi.profile.name, gi.profile.id, gi.id, gi.at.Start, gi.at.Size, line)
		return Success
	})
	if !found {
		if r != Success {
			fmt.Fprintf(b, "Failed to display GPU instances: %s\n", words(r))
		}
		return noneThere(b, "GPU", r)
	}
	fmt.Fprintf(b, "%s|%-*s|\n", line, inner, " GPU instances:")
	fmt.Fprintf(b, "| GPU   %-*sProfile  Instance   Placement  |\n|%*sID       ID       Start:Size |\n|%s|\n", width+3, "Name", width+12, "", strings.Repeat("=", inner))
	b.Write(rows.Bytes())
	return 0
}

func listComputeInstances(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	line := "+" + dashes(68) + "+\n"
	var rows bytes.Buffer
	found, r := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		all, r := s.computeInstances(gi.handle)
		for _, ci := range all {
			if wanted(c.cis, ci.id) {
				fmt.Fprintf(&rows, "|%4d%7d       %-20s%2d%10d%11d:%-6d|\n%s", g.Index, gi.id, ci.profile.name, ci.profile.id, ci.id,
					ci.at.Start, ci.at.Size, line)
			}
		}
		return r
	})
	switch {
	case !found:
		return noneThere(b, "GPU", r)
	case r != Success:
		fmt.Fprintf(b, "Failed to display compute instances: %s\n", words(r))
		return noneThere(b, "compute", r)
	case rows.Len() == 0:
		return noneThere(b, "compute", r)
	}
	fmt.Fprintf(b, "%s|%-68s|\n", line, " Compute instances:")
	fmt.Fprintf(b, "| GPU     GPU       Name             Profile   Instance   Placement  |\n"+
		"|       Instance                       ID        ID       Start:Size |\n"+
		"|         ID                                                         |\n|%s|\n", strings.Repeat("=", 68))
	b.Write(rows.Bytes())
	return 0
}
