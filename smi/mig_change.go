// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"

	"nervlinux.org/axon/nvml"
)

// findProfile is the profile that a word means.
func findProfile(all []migProfile, word string) *migProfile {
	for i := range all {
		if all[i].named(word) {
			return &all[i]
		}
	}
	return nil
}

func createGPUInstances(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	for _, g := range gpus {
		profiles, r := s.gpuInstanceProfiles(g)
		for i := 0; r == Success && i < len(c.specs); i++ {
			var made gpuInstance
			made, r = s.createGPUInstance(b, g, profiles, c.specs[i])
			if r != Success || !c.defaultCompute {
				continue
			}
			if r := s.createComputeInstance(b, g, made, nil); r != Success {
				fmt.Fprintf(b, "Failed to create compute instances: %s\n", words(r))
				return exitOf(r)
			}
		}
		if r != Success {
			fmt.Fprintf(b, "Failed to create GPU instances: %s\n", words(r))
			return exitOf(r)
		}
	}
	return 0
}

func (s *source) createGPUInstance(b *bytes.Buffer, g *GPU, profiles []migProfile, spec migSpec) (gpuInstance, Return) {
	var made nvml.GpuInstance
	r := Return(nvml.ERROR_INVALID_ARGUMENT)
	p := findProfile(profiles, spec.profile)
	switch {
	case p == nil:
	case spec.start < 0:
		made, r = s.DeviceCreateGpuInstance(g.handle, p.id)
	default:
		list, n, why := s.DeviceGetGpuInstancePossiblePlacements_v2(g.handle, p.id)
		r = why
		if r == Success {
			r = nvml.ERROR_INVALID_ARGUMENT
		}
		for _, at := range list[:min(int(n), len(list))] {
			if int(at.Start) == spec.start {
				made, r = s.DeviceCreateGpuInstanceWithPlacement(g.handle, p.id, at)
			}
		}
	}
	if r != Success {
		fmt.Fprintf(b, "Unable to create a GPU instance on GPU %2d using profile %s: %s\n", g.Index, spec.profile, words(r))
		return gpuInstance{}, r
	}
	info, r := s.GpuInstanceGetInfo(made)
	if r != Success {
		return gpuInstance{}, r
	}
	fmt.Fprintf(b, "Successfully created GPU instance ID %2d on GPU %2d using profile %s (ID %2d)\n", info.Id, g.Index, p.name, p.id)
	return gpuInstance{handle: made, id: info.Id}, Success
}

// createComputeInstance makes one in a GPU instance, of the default profile without a spec.
func (s *source) createComputeInstance(b *bytes.Buffer, g *GPU, gi gpuInstance, spec *migSpec) Return {
	profiles, r := s.computeInstanceProfiles(gi.handle)
	if r != Success {
		return r
	}
	var p *migProfile
	word, start := "", -1
	switch {
	case spec != nil:
		p, word, start = findProfile(profiles, spec.profile), spec.profile, spec.start
	case len(profiles) > 0:
		p = &profiles[len(profiles)-1]
		word = fmt.Sprint(p.id)
	}
	var made nvml.ComputeInstance
	r = nvml.ERROR_INVALID_ARGUMENT
	switch {
	case p == nil:
	case start < 0:
		made, r = s.GpuInstanceCreateComputeInstance(gi.handle, p.id)
	default:
		list, n, why := s.GpuInstanceGetComputeInstancePossiblePlacements(gi.handle, p.id)
		if why != Success {
			r = why
		}
		for _, at := range list[:min(int(n), len(list))] {
			if int(at.Start) == start {
				made, r = s.GpuInstanceCreateComputeInstanceWithPlacement(gi.handle, p.id, at)
			}
		}
	}
	if r != Success {
		fmt.Fprintf(b, "Unable to create a compute instance on GPU %2d GPU instance ID %2d using profile %s: %s\n", g.Index, gi.id, word, words(r))
		return r
	}
	info, r := s.ComputeInstanceGetInfo_v2(made)
	if r != Success {
		return r
	}
	fmt.Fprintf(b, "Successfully created compute instance ID %2d on GPU %2d GPU instance ID %2d using profile %s (ID %2d)\n",
		info.Id, g.Index, gi.id, p.name, p.id)
	return Success
}

func createComputeInstances(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	found, r := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		if len(c.specs) == 0 {
			return s.createComputeInstance(b, g, gi, nil)
		}
		for i := range c.specs {
			if r := s.createComputeInstance(b, g, gi, &c.specs[i]); r != Success {
				return r
			}
		}
		return Success
	})
	switch {
	case !found:
		return noneThere(b, "GPU", r)
	case r != Success:
		fmt.Fprintf(b, "Failed to create compute instances: %s\n", words(r))
	}
	return exitOf(r)
}

func destroyGPUInstances(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	found, r := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		if r := s.GpuInstanceDestroy(gi.handle); r != Success {
			fmt.Fprintf(b, "Unable to destroy GPU instance ID %2d from GPU %2d: %s\n", gi.id, g.Index, words(r))
			return r
		}
		fmt.Fprintf(b, "Successfully destroyed GPU instance ID %2d from GPU %2d\n", gi.id, g.Index)
		return Success
	})
	switch {
	case !found:
		return noneThere(b, "GPU", r)
	case r != Success:
		fmt.Fprintf(b, "Failed to destroy GPU instances: %s\n", words(r))
	}
	return exitOf(r)
}

func destroyComputeInstances(s *source, b *bytes.Buffer, c *migCommand, gpus []*GPU) int {
	any := false
	found, r := s.eachGPUInstance(gpus, c, func(g *GPU, gi gpuInstance) Return {
		all, r := s.computeInstances(gi.handle)
		if r != Success {
			return r
		}
		for _, ci := range all {
			if !wanted(c.cis, ci.id) {
				continue
			}
			any = true
			if r := s.ComputeInstanceDestroy(ci.handle); r != Success {
				fmt.Fprintf(b, "Unable to destroy compute instance ID %2d from GPU %2d GPU instance ID %2d: %s\n", ci.id, g.Index, gi.id, words(r))
				return r
			}
			fmt.Fprintf(b, "Successfully destroyed compute instance ID %2d from GPU %2d GPU instance ID %2d\n", ci.id, g.Index, gi.id)
		}
		return Success
	})
	switch {
	case !found:
		return noneThere(b, "GPU", r)
	case r != Success:
		fmt.Fprintf(b, "Failed to destroy compute instances: %s\n", words(r))
	case !any:
		return noneThere(b, "compute", r)
	}
	return exitOf(r)
}
