// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nervlinux.org/axon/nvml"
)

// absent says whether a result only means that this GPU, or this release, has no such thing.
func absent(r Return) bool {
	return r == NotSupported || r == nvml.ERROR_INVALID_ARGUMENT || r == nvml.ERROR_NOT_FOUND
}

// old says whether a release does not know a structure's version.
func old(r Return) bool {
	return r == nvml.ERROR_ARGUMENT_VERSION_MISMATCH || r == nvml.ERROR_INVALID_ARGUMENT || r == nvml.ERROR_FUNCTION_NOT_FOUND
}

// gpuInstanceProfiles are a GPU's, by size.
func (s *source) gpuInstanceProfiles(g *GPU) ([]migProfile, Return) {
	var all []migProfile
	for n := range uint32(nvml.GPU_INSTANCE_PROFILE_COUNT) {
		p, r := s.gpuInstanceProfile(g, n)
		switch {
		case r == Success:
			all = append(all, p)
		case !absent(r):
			return nil, r
		}
	}
	bySize(all)
	return all, Success
}

func (s *source) gpuInstanceProfile(g *GPU, n uint32) (migProfile, Return) {
	// The third version is of no use in 580: the library writes the name eight bytes behind its place and of the wrong fields, MIG 7g.0gb for 1g.18gb.
	var p nvml.GpuInstanceProfileInfo_v2
	r := s.DeviceGetGpuInstanceProfileInfoV(g.handle, n, &p)
	return migProfile{p.Id, p.SliceCount, p.InstanceCount, p.MultiprocessorCount, p.CopyEngineCount, p.DecoderCount, p.EncoderCount,
		p.JpegCount, p.OfaCount, p.MemorySizeMB, p.IsP2pSupported != 0, withMIG(p.Name)}, r
}

// bySize is the order they are listed in.
func bySize(all []migProfile) {
	slices.SortStableFunc(all, func(a, b migProfile) int {
		return cmp.Or(cmp.Compare(a.slices, b.slices), cmp.Compare(a.memory, b.memory), cmp.Compare(a.id, b.id))
	})
}

// computeInstanceProfiles are a GPU instance's; the last is the default one: it is all of it.
func (s *source) computeInstanceProfiles(gi nvml.GpuInstance) ([]migProfile, Return) {
	var all []migProfile
	for n := range uint32(nvml.COMPUTE_INSTANCE_PROFILE_COUNT) {
		p, r := s.computeInstanceProfile(gi, n)
		switch {
		case r == Success:
			all = append(all, p)
		case !absent(r):
			return nil, r
		}
	}
	slices.SortStableFunc(all, func(a, b migProfile) int {
		return cmp.Or(cmp.Compare(a.slices, b.slices), cmp.Compare(a.sms, b.sms), cmp.Compare(a.id, b.id))
	})
	return all, Success
}

func (s *source) computeInstanceProfile(gi nvml.GpuInstance, n uint32) (migProfile, Return) {
	const shared = nvml.COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED
	var v3 nvml.ComputeInstanceProfileInfo_v3
	r := s.GpuInstanceGetComputeInstanceProfileInfoV(gi, n, shared, &v3)
	if r == Success {
		return migProfile{v3.Id, v3.SliceCount, v3.InstanceCount, v3.MultiprocessorCount, v3.SharedCopyEngineCount, v3.SharedDecoderCount,
			v3.SharedEncoderCount, v3.SharedJpegCount, v3.SharedOfaCount, 0, false, withMIG(v3.Name)}, r
	}
	if !old(r) {
		return migProfile{}, r
	}
	var v2 nvml.ComputeInstanceProfileInfo_v2
	r = s.GpuInstanceGetComputeInstanceProfileInfoV(gi, n, shared, &v2)
	return migProfile{v2.Id, v2.SliceCount, v2.InstanceCount, v2.MultiprocessorCount, v2.SharedCopyEngineCount, v2.SharedDecoderCount,
		v2.SharedEncoderCount, v2.SharedJpegCount, v2.SharedOfaCount, 0, false, withMIG(v2.Name)}, r
}

// migNameWidth is how wide profiles' names are; those of Blackwell made the tables of 580 wider.
func (s *source) migNameWidth() int {
	if v, _ := s.SystemGetDriverVersion(); driverMajor(v) < 580 {
		return 14
	}
	return 16
}

func listGPUInstanceProfiles(s *source, b *bytes.Buffer, _ *migCommand, gpus []*GPU) int {
	width := s.migNameWidth()
	inner := 63 + width
	line := "+" + dashes(inner) + "+\n"
	fmt.Fprintf(b, "%s|%-*s|\n", line, inner, " GPU instance profiles:")
	fmt.Fprintf(b, "| GPU   %-*sID    Instances   Memory     P2P    SM    DEC   ENC  |\n", width+3, "Name")
	fmt.Fprintf(b, "|%*sFree/Total   GiB              CE    JPEG  OFA  |\n|%s|\n", width+16, "", strings.Repeat("=", inner))
	for _, g := range gpus {
		all, r := s.gpuInstanceProfiles(g)
		if r != Success {
			fmt.Fprintf(b, "Failed to display GPU instance profiles: %s\n", words(r))
			return ExitOther
		}
		for _, p := range all {
			free, r := s.DeviceGetGpuInstanceRemainingCapacity(g.handle, p.id)
			if r != Success { // the mode is off
				free = 0
			}
			p2p := "No"
			if p.p2p {
				p2p = "Yes"
			}
			fmt.Fprintf(b, "|%4d  %-*s%2d%6d/%-9d%-11.2f%-7s%-7d%-6d%-4d|\n", g.Index, width+4, p.name, p.id, free, p.instances,
				float64(p.memory)/1024, p2p, p.sms, p.decoders, p.encoders)
			fmt.Fprintf(b, "|%*s%-6d%-6d%-4d|\n%s", width+47, "", p.copy, p.jpeg, p.ofa, line)
		}
	}
	return 0
}

func listComputeInstanceProfiles(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	var rows bytes.Buffer
	line := "+" + dashes(86) + "+\n"
	found, status := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		all, r := s.computeInstanceProfiles(gi.handle)
		if r != Success {
			fmt.Fprintf(b, "Failed to display compute instance profiles: %s\n", words(r))
			return r
		}
		for i, p := range all {
			free, r := s.GpuInstanceGetComputeInstanceRemainingCapacity(gi.handle, p.id)
			if r != Success {
				free = 0
			}
			star := " "
			if i == len(all)-1 {
				star = "*"
			}
			fmt.Fprintf(&rows, "|%4d%7d       %-20s%2d%s%6d/%-12d%-10d%-6d%-6d%-4d|\n", g.Index, gi.id, p.name, p.id, star, free, p.instances,
				p.sms, p.decoders, p.encoders, p.ofa)
			fmt.Fprintf(&rows, "|%70s%-6d%-10d|\n%s", "", p.copy, p.jpeg, line)
		}
		return Success
	})
	switch {
	case status != Success && found:
		return ExitOther
	case !found:
		return noneThere(b, "GPU", status)
	}
	fmt.Fprintf(b, "%s|%-86s|\n", line, " Compute instance profiles:")
	fmt.Fprintf(b, "| GPU     GPU       Name             Profile  Instances   Exclusive       Shared       |\n"+
		"|       Instance                       ID     Free/Total     SM       DEC   ENC   OFA  |\n"+
		"|         ID                                                          CE    JPEG       |\n|%s|\n", strings.Repeat("=", 86))
	b.Write(rows.Bytes())
	return 0
}

// placements is where instances of a profile can begin, and how long each is.
func placements(start []uint32, size uint32) string {
	label := "Placements"
	if len(start) == 1 {
		label = "Placement "
	}
	words := make([]string, len(start))
	for i, n := range start {
		words[i] = fmt.Sprint(n)
	}
	return fmt.Sprintf("%s: {%s}:%d", label, strings.Join(words, ","), size)
}

func listGPUInstancePlacements(s *source, b *bytes.Buffer, _ *migCommand, gpus []*GPU) int {
	for _, g := range gpus {
		all, r := s.gpuInstanceProfiles(g)
		for i := 0; r == Success && i < len(all); i++ {
			var list []nvml.GpuInstancePlacement
			var n uint32
			list, n, r = s.DeviceGetGpuInstancePossiblePlacements_v2(g.handle, all[i].id)
			if list = list[:min(int(n), len(list))]; r != Success || len(list) == 0 {
				continue
			}
			var start []uint32
			for _, p := range list {
				start = append(start, p.Start)
			}
			fmt.Fprintf(b, "GPU %2d Profile ID %2d %s\n", g.Index, all[i].id, placements(start, list[0].Size))
		}
		if r != Success {
			fmt.Fprintf(b, "Failed to display GPU instance possible placements: %s\n", words(r))
			return ExitOther
		}
	}
	return 0
}

func listComputeInstancePlacements(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	found, r := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		all, r := s.computeInstanceProfiles(gi.handle)
		for i := 0; r == Success && i < len(all); i++ {
			var list []nvml.ComputeInstancePlacement
			var n uint32
			list, n, r = s.GpuInstanceGetComputeInstancePossiblePlacements(gi.handle, all[i].id)
			if list = list[:min(int(n), len(list))]; r != Success || len(list) == 0 {
				continue
			}
			var start []uint32
			for _, p := range list {
				start = append(start, p.Start)
			}
			fmt.Fprintf(b, "GPU %2d GI %2d Profile ID %2d %s\n", g.Index, gi.id, all[i].id, placements(start, list[0].Size))
		}
		if r != Success {
			fmt.Fprintf(b, "Failed to display compute instance possible placements: %s\n", words(r))
		}
		return r
	})
	switch {
	case !found:
		return noneThere(b, "GPU", r)
	case r != Success:
		return ExitOther
	}
	return 0
}
