// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// migGPU records a GPU that can be divided.
func migGPU(t *testing.T, driver string, on uint64) *recorder {
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString(driver, 80))
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 1})
	r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": 0}, nil, args{"device": 1})
	r.call("nvmlDeviceGetMigMode", args{"device": 1}, nil, args{"currentMode": on, "pendingMode": on})
	return r
}

const profileV2 = 152 | 2<<24

// profile records the nth profile and how many instances of it can still be made.
func (r *recorder) profile(n, free int, p nvml.GpuInstanceProfileInfo_v2) {
	p.Version = profileV2
	r.call("nvmlDeviceGetGpuInstanceProfileInfoV", args{"device": 1, "profile": uint64(n), "len_info": 152},
		[]any{&nvml.GpuInstanceProfileInfo_v2{Version: profileV2}}, nil, &p)
	r.call("nvmlDeviceGetGpuInstanceRemainingCapacity", args{"device": 1, "profileId": uint64(p.Id)}, nil, args{"count": uint64(free)})
}

// gpuProfile is one of -lgip's rows.
func gpuProfile(name string, id, slices, instances uint32, memory float64, sms, dec, enc, ce, jpeg, ofa uint32) nvml.GpuInstanceProfileInfo_v2 {
	return nvml.GpuInstanceProfileInfo_v2{Id: id, SliceCount: slices, InstanceCount: instances, MultiprocessorCount: sms, CopyEngineCount: ce,
		DecoderCount: dec, EncoderCount: enc, JpegCount: jpeg, OfaCount: ofa, MemorySizeMB: uint64(memory * 1024), Name: name}
}

func TestGPUInstanceProfilesAreTheVendors(t *testing.T) {
	r := migGPU(t, "580.105.08", 1)
	// In the order of NVML's numbers, which is not that of the table.
	r.profile(nvml.GPU_INSTANCE_PROFILE_1_SLICE, 4, gpuProfile("MIG 1g.24gb", 14, 1, 4, 23.625, 46, 1, 1, 1, 1, 0))
	r.profile(nvml.GPU_INSTANCE_PROFILE_2_SLICE, 2, gpuProfile("MIG 2g.48gb", 5, 2, 2, 47.375, 94, 2, 2, 2, 2, 0))
	r.profile(nvml.GPU_INSTANCE_PROFILE_4_SLICE, 1, gpuProfile("MIG 4g.96gb", 0, 4, 1, 95, 188, 4, 4, 4, 4, 1))
	r.profile(nvml.GPU_INSTANCE_PROFILE_1_SLICE_REV1, 1, gpuProfile("MIG 1g.24gb+me", 21, 1, 1, 23.625, 46, 1, 1, 1, 1, 1))
	r.profile(nvml.GPU_INSTANCE_PROFILE_1_SLICE_GFX, 4, gpuProfile("MIG 1g.24gb+gfx", 47, 1, 4, 23.625, 46, 1, 1, 1, 1, 0))
	r.profile(nvml.GPU_INSTANCE_PROFILE_2_SLICE_GFX, 2, gpuProfile("MIG 2g.48gb+gfx", 35, 2, 2, 47.375, 94, 2, 2, 2, 2, 0))
	r.profile(nvml.GPU_INSTANCE_PROFILE_4_SLICE_GFX, 1, gpuProfile("MIG 4g.96gb+gfx", 32, 4, 1, 95, 188, 4, 4, 4, 4, 1))
	r.profile(nvml.GPU_INSTANCE_PROFILE_1_SLICE_NO_ME, 4, gpuProfile("MIG 1g.24gb-me", 67, 1, 4, 23.625, 46, 0, 0, 1, 0, 0))
	r.profile(nvml.GPU_INSTANCE_PROFILE_2_SLICE_NO_ME, 2, gpuProfile("MIG 2g.48gb-me", 66, 2, 2, 47.375, 94, 0, 0, 2, 0, 0))
	r.profile(nvml.GPU_INSTANCE_PROFILE_1_SLICE_ALL_ME, 1, gpuProfile("MIG 1g.24gb+me.all", 65, 1, 1, 23.625, 46, 4, 4, 1, 4, 1))
	r.profile(nvml.GPU_INSTANCE_PROFILE_2_SLICE_ALL_ME, 1, gpuProfile("MIG 2g.48gb+me.all", 64, 2, 1, 47.375, 94, 4, 4, 2, 4, 1))
	got, status := r.run(time.Now(), "mig", "-lgip")
	same(t, got, golden(t, "rtxpro6000-580-lgip.txt"))
	if status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestOlderGPUInstanceProfilesAreTheVendors(t *testing.T) {
	r := migGPU(t, "550.127.06", 0)
	for _, p := range []struct {
		n, free int
		nvml.GpuInstanceProfileInfo_v2
	}{
		{nvml.GPU_INSTANCE_PROFILE_1_SLICE, 7, gpuProfile("MIG 1g.12gb", 19, 1, 7, 10.625, 16, 1, 0, 1, 1, 0)},
		{nvml.GPU_INSTANCE_PROFILE_2_SLICE, 3, gpuProfile("MIG 2g.24gb", 14, 2, 3, 21.5, 32, 2, 0, 2, 2, 0)},
		{nvml.GPU_INSTANCE_PROFILE_3_SLICE, 2, gpuProfile("MIG 3g.47gb", 9, 3, 2, 46.125, 60, 3, 0, 3, 3, 0)},
		{nvml.GPU_INSTANCE_PROFILE_4_SLICE, 1, gpuProfile("MIG 4g.47gb", 5, 4, 1, 46.125, 64, 4, 0, 4, 4, 0)},
		{nvml.GPU_INSTANCE_PROFILE_7_SLICE, 1, gpuProfile("MIG 7g.94gb", 0, 7, 1, 92.625, 132, 7, 0, 8, 7, 1)},
		{nvml.GPU_INSTANCE_PROFILE_1_SLICE_REV1, 1, gpuProfile("MIG 1g.12gb+me", 20, 1, 1, 10.625, 16, 1, 0, 1, 1, 1)},
		{nvml.GPU_INSTANCE_PROFILE_1_SLICE_REV2, 4, gpuProfile("MIG 1g.24gb", 15, 1, 4, 21.5, 26, 1, 0, 1, 1, 0)},
	} {
		r.profile(p.n, p.free, p.GpuInstanceProfileInfo_v2)
	}
	got, _ := r.run(time.Now(), "mig", "-lgip")
	same(t, got, golden(t, "h100nvl-550-lgip.txt"))
}

// divided is a GPU instance with compute instances in it.
type divided struct {
	profile  int
	id, at   uint32
	computes []computes
}

type computes struct {
	profile, id, at, size uint32
	name                  string
}

// theA100 records an A100 of 40 GB with instances.
func theA100(t *testing.T, driver string, there ...divided) *recorder {
	r := migGPU(t, driver, 1)
	profiles := map[int]nvml.GpuInstanceProfileInfo_v2{
		nvml.GPU_INSTANCE_PROFILE_1_SLICE: gpuProfile("MIG 1g.5gb", 19, 1, 7, 4.75, 14, 0, 0, 1, 0, 0),
		nvml.GPU_INSTANCE_PROFILE_2_SLICE: gpuProfile("MIG 2g.10gb", 14, 2, 3, 9.75, 28, 1, 0, 2, 0, 0),
		nvml.GPU_INSTANCE_PROFILE_3_SLICE: gpuProfile("MIG 3g.20gb", 9, 3, 2, 19.625, 42, 2, 0, 3, 0, 0),
		nvml.GPU_INSTANCE_PROFILE_4_SLICE: gpuProfile("MIG 4g.20gb", 5, 4, 1, 19.625, 56, 2, 0, 4, 0, 0),
	}
	size := []uint32{1, 2, 4, 4}
	starts := [][]uint32{{0, 1, 2, 3, 4, 5, 6}, {0, 2, 4}, {0, 4}, {0}}
	for n := range len(profiles) {
		p := profiles[n]
		r.profile(n, 0, p)
		at := make([]byte, 32*8)
		for i, start := range starts[n] {
			(&nvml.GpuInstancePlacement{Start: start, Size: size[n]}).Put(at[8*i:])
		}
		r.call("nvmlDeviceGetGpuInstancePossiblePlacements_v2", args{"device": 1, "profileId": uint64(p.Id), "has_placements": 1}, nil,
			args{"count": uint64(len(starts[n]))}, at)
		handles := make([]byte, 32*8)
		count := 0
		for _, i := range there {
			if i.profile == n {
				handles[8*count], handles[8*count+2] = byte(i.id+1), 1 // as the worker names it
				count++
			}
		}
		r.call("nvmlDeviceGetGpuInstances", args{"device": 1, "profileId": uint64(p.Id)}, nil, args{"count": uint64(count)}, handles)
	}
	for _, i := range there {
		p := profiles[i.profile]
		r.gpuInstance(i.id, p.Id, i.at, size[i.profile])
		for n := range p.SliceCount {
			r.computeProfile(i, p, n)
		}
	}
	return r
}

func handleOf(id uint32) uint64 { return 1<<16 | uint64(id+1) }

func (r *recorder) gpuInstance(id, profile, at, size uint32) {
	r.call("nvmlGpuInstanceGetInfo", args{"gpuInstance": handleOf(id)}, nil, nil,
		&nvml.GpuInstanceInfo{Device: 1, Id: id, ProfileId: profile, Placement: nvml.GpuInstancePlacement{Start: at, Size: size}})
}

// computeProfile records the profile of n+1 slices (three are only all of a 3g) in an instance, and what there is of it.
func (r *recorder) computeProfile(i divided, p nvml.GpuInstanceProfileInfo_v2, n uint32) {
	if n == 2 && p.SliceCount == 4 {
		return
	}
	const version = 140 | 3<<24
	name := p.Name
	if n+1 < p.SliceCount {
		name = "MIG " + string(rune('1'+n)) + "c." + strings.TrimPrefix(p.Name, "MIG ")
	}
	total := p.SliceCount / (n + 1)
	info := &nvml.ComputeInstanceProfileInfo_v3{Version: version, Id: n, SliceCount: n + 1, InstanceCount: total, MultiprocessorCount: 14 * (n + 1),
		SharedCopyEngineCount: p.CopyEngineCount, SharedDecoderCount: p.DecoderCount, Name: name}
	r.call("nvmlGpuInstanceGetComputeInstanceProfileInfoV", args{"gpuInstance": handleOf(i.id), "profile": uint64(n), "engProfile": 0, "len_info": 140},
		[]any{&nvml.ComputeInstanceProfileInfo_v3{Version: version}}, nil, info)
	r.call("nvmlGpuInstanceGetComputeInstanceRemainingCapacity", args{"gpuInstance": handleOf(i.id), "profileId": uint64(n)}, nil, args{"count": uint64(total)})
	at := make([]byte, 32*8)
	for k := range total {
		(&nvml.ComputeInstancePlacement{Start: k * (n + 1), Size: n + 1}).Put(at[8*k:])
	}
	r.call("nvmlGpuInstanceGetComputeInstancePossiblePlacements", args{"gpuInstance": handleOf(i.id), "profileId": uint64(n), "has_placements": 1}, nil,
		args{"count": uint64(total)}, at)
	handles := make([]byte, 32*8)
	count := 0
	for _, c := range i.computes {
		if c.profile == n {
			handles[8*count], handles[8*count+2], handles[8*count+4] = byte(c.id+1), byte(i.id+1), 1
			count++
			r.call("nvmlComputeInstanceGetInfo_v2", args{"computeInstance": handleOf(i.id)<<16 | uint64(c.id+1)}, nil, nil,
				&nvml.ComputeInstanceInfo{Device: 1, Id: c.id, ProfileId: n, Placement: nvml.ComputeInstancePlacement{Start: c.at, Size: c.size}})
		}
	}
	r.call("nvmlGpuInstanceGetComputeInstances", args{"gpuInstance": handleOf(i.id), "profileId": uint64(n)}, nil, args{"count": uint64(count)}, handles)
}

// three are the instances of the page that the files are from.
func three(t *testing.T) *recorder {
	return theA100(t, "580.126.09",
		divided{profile: 3, id: 2, at: 0, computes: []computes{{3, 0, 0, 4, ""}}},
		divided{profile: 1, id: 3, at: 4, computes: []computes{{0, 0, 0, 1, ""}, {0, 1, 1, 1, ""}}},
		divided{profile: 0, id: 9, at: 6, computes: []computes{{0, 0, 0, 1, ""}}})
}

func TestInstancesAreTheVendors(t *testing.T) {
	r := three(t)
	for words, file := range map[string]string{
		"mig -i 0 -lgi":                 "a100-580-lgi.txt",
		"mig --list-gpu-instances -i=0": "a100-580-lgi.txt",
		"mig -lci":                      "a100-580-lci.txt",
		"mig -i 0 -gi 2 -lcip":          "a100-580-lcip.txt",
	} {
		got, status := r.run(time.Now(), strings.Fields(words)...)
		same(t, got, golden(t, file))
		if status != 0 {
			t.Errorf("%s: status %d", words, status)
		}
	}
	old := theA100(t, "535.183.01", divided{profile: 2, id: 1, at: 4}, divided{profile: 0, id: 11, at: 0}, divided{profile: 1, id: 6, at: 2},
		divided{profile: 0, id: 12, at: 1})
	got, _ := old.run(time.Now(), "mig", "-lgi")
	same(t, got, golden(t, "a100-510-lgi.txt"))
	got, status := old.run(time.Now(), "mig", "-gi", "12", "-lci")
	if got != "No compute instances found: Not Found\n" || status != exitNotFound {
		t.Errorf("%d %q", status, got)
	}
}

func TestPlacementsAreTheVendors(t *testing.T) {
	got, _ := three(t).run(time.Now(), "mig", "-lgipp")
	same(t, got, "GPU  0 Profile ID 19 Placements: {0,1,2,3,4,5,6}:1\nGPU  0 Profile ID 14 Placements: {0,2,4}:2\n"+
		"GPU  0 Profile ID  9 Placements: {0,4}:4\nGPU  0 Profile ID  5 Placement : {0}:4\n")
	got, _ = three(t).run(time.Now(), "mig", "-lcipp", "-gi", "3")
	same(t, got, "GPU  0 GI  3 Profile ID  0 Placements: {0,1}:1\nGPU  0 GI  3 Profile ID  1 Placement : {0}:2\n")
}

func TestInstancesAreMadeAndEndedAsByTheVendors(t *testing.T) {
	const gi2, gi3, gi9 = 1<<16 | 3, 1<<16 | 4, 1<<16 | 10
	says(t, three, []lineCase{
		{"mig -cgi 9,3g.20gb:4 -C", func(r *recorder) {
			r.call("nvmlDeviceCreateGpuInstance", args{"device": 1, "profileId": 9}, nil, args{"gpuInstance": handleOf(1)})
			r.gpuInstance(1, 9, 0, 4)
			r.call("nvmlDeviceCreateGpuInstanceWithPlacement", args{"device": 1, "profileId": 9}, []any{&nvml.GpuInstancePlacement{Start: 4, Size: 4}},
				args{"gpuInstance": handleOf(5)})
			r.gpuInstance(5, 9, 4, 4)
			p := gpuProfile("MIG 3g.20gb", 9, 3, 2, 19.625, 42, 2, 0, 3, 0, 0)
			for _, id := range []uint32{1, 5} {
				for n := range uint32(3) {
					r.computeProfile(divided{id: id, computes: []computes{{2, 0, 0, 3, ""}}}, p, n)
				}
				r.call("nvmlGpuInstanceCreateComputeInstance", args{"gpuInstance": handleOf(id), "profileId": 2}, nil, args{"computeInstance": handleOf(id)<<16 | 1})
			}
		}, "Successfully created GPU instance ID  1 on GPU  0 using profile MIG 3g.20gb (ID  9)\n" +
			"Successfully created compute instance ID  0 on GPU  0 GPU instance ID  1 using profile MIG 3g.20gb (ID  2)\n" +
			"Successfully created GPU instance ID  5 on GPU  0 using profile MIG 3g.20gb (ID  9)\n" +
			"Successfully created compute instance ID  0 on GPU  0 GPU instance ID  5 using profile MIG 3g.20gb (ID  2)\n", 0},
		{"mig -cgi 14 -C", func(r *recorder) {
			r.fails("nvmlDeviceCreateGpuInstance", args{"device": 1, "profileId": 14}, nvml.ERROR_IN_USE)
		}, "Unable to create a GPU instance on GPU  0 using profile 14: In use by another client\nFailed to create GPU instances: In use by another client\n", 19},
		{"mig -cgi 7g.40gb", func(*recorder) {}, "Unable to create a GPU instance on GPU  0 using profile 7g.40gb: Invalid Argument\nFailed to create GPU instances: Invalid Argument\n", 2},
		{"mig -cgi 9:1", func(*recorder) {}, "Unable to create a GPU instance on GPU  0 using profile 9: Invalid Argument\nFailed to create GPU instances: Invalid Argument\n", 2},
		{"mig -i 0 -gi 9 -cci", func(r *recorder) {
			r.call("nvmlGpuInstanceCreateComputeInstance", args{"gpuInstance": gi9, "profileId": 0}, nil, args{"computeInstance": gi9<<16 | 1})
		}, "Successfully created compute instance ID  0 on GPU  0 GPU instance ID  9 using profile MIG 1g.5gb (ID  0)\n", 0},
		{"mig -gi 3 -cci 0:1", func(r *recorder) {
			r.call("nvmlGpuInstanceCreateComputeInstanceWithPlacement", args{"gpuInstance": gi3, "profileId": 0},
				[]any{&nvml.ComputeInstancePlacement{Start: 1, Size: 1}}, args{"computeInstance": gi3<<16 | 2})
		}, "Successfully created compute instance ID  1 on GPU  0 GPU instance ID  3 using profile MIG 1c.2g.10gb (ID  0)\n", 0},
		{"mig -dci -gi 3", func(r *recorder) {
			r.call("nvmlComputeInstanceDestroy", args{"computeInstance": gi3<<16 | 1}, nil, nil)
			r.call("nvmlComputeInstanceDestroy", args{"computeInstance": gi3<<16 | 2}, nil, nil)
		}, "Successfully destroyed compute instance ID  0 from GPU  0 GPU instance ID  3\nSuccessfully destroyed compute instance ID  1 from GPU  0 GPU instance ID  3\n", 0},
		{"mig -dci -gi 3 -ci 1", func(r *recorder) {
			r.call("nvmlComputeInstanceDestroy", args{"computeInstance": gi3<<16 | 2}, nil, nil)
		}, "Successfully destroyed compute instance ID  1 from GPU  0 GPU instance ID  3\n", 0},
		{"mig -dci -gi 7", func(*recorder) {}, "No GPU instances found: Not Found\n", 6},
		{"mig -dgi", func(r *recorder) {
			r.call("nvmlGpuInstanceDestroy", args{"gpuInstance": gi9}, nil, nil)
			r.fails("nvmlGpuInstanceDestroy", args{"gpuInstance": gi3}, nvml.ERROR_IN_USE)
		}, "Successfully destroyed GPU instance ID  9 from GPU  0\nUnable to destroy GPU instance ID  3 from GPU  0: In use by another client\n" +
			"Failed to destroy GPU instances: In use by another client\n", 19},
		{"mig -cgi", func(*recorder) {}, "Option \"-cgi\" is missing its value.\n", 2},
		{"mig -lgi -lci", func(*recorder) {}, "nvidia-smi mig -lgi -lci " + notAxons + "\n", 2},
		{"mig -gi 3", func(*recorder) {}, "nvidia-smi mig -gi 3 " + notAxons + "\n", 2},
		{"mig -lgip -lgi", func(*recorder) {}, string(combination) + "\n", 2},
		{"mig -lgi -C", func(*recorder) {}, string(combination) + "\n", 2},
		{"mig -lci -gi x", func(*recorder) {}, string(combination) + "\n", 2},
		{"mig", func(*recorder) {}, help("mig.txt", Environment{}), 0},
		{"mig -h", func(*recorder) {}, help("mig.txt", Environment{}), 0},
		{"mig --no-such", func(*recorder) {}, "Option \"--no-such\" is not recognized.\n", 2},
	})
}

func TestWithoutMIGItIsSaid(t *testing.T) {
	for words, want := range map[string]string{"-lgip": "No MIG-supported devices found.\n", "-lgi": "No MIG-enabled devices found.\n"} {
		r := quietH200(t)
		if words == "-lgip" {
			r = &recorder{t: t}
			r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("580.95.05", 80))
			r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 1})
			r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": 0}, nil, args{"device": 1})
		}
		code := 0
		if words == "-lgip" {
			code = exitNotFound
		}
		if got, status := r.run(time.Now(), "mig", words); got != want || status != code {
			t.Errorf("%s: %d %q", words, status, got)
		}
	}
	r := migGPU(t, "580.126.09", 1)
	r.profile(0, 7, gpuProfile("MIG 1g.5gb", 19, 1, 7, 4.75, 14, 0, 0, 1, 0, 0))
	r.fails("nvmlDeviceGetGpuInstances", args{"device": 1, "profileId": 19}, nvml.ERROR_NO_PERMISSION)
	want := "Failed to display GPU instances: Insufficient Permissions\nNo GPU instances found: Insufficient Permissions\n"
	if got, status := r.run(time.Now(), "mig", "-lgi"); got != want || status != 4 {
		t.Errorf("%d %q", status, got)
	}
}
