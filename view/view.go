// SPDX-License-Identifier: Apache-2.0

// Package view is what a machine's axond says about it: its GPUs, what they do
// now, and whose sessions are on them. What cannot be known is nil, and null in
// JSON, never 0.
package view

import "time"

// Schema is the version of the JSON below. It is raised when a key's meaning
// changes or a key goes away, not when one comes.
const Schema = 1

// Machine is a machine at one moment.
type Machine struct {
	Schema int       `json:"schema"`
	Host   string    `json:"host"`
	Time   time.Time `json:"time"` // of the sample, by that machine's clock

	Axon   string  `json:"axon_version"`
	Driver *string `json:"driver_version"` // the vendor's
	CUDA   *string `json:"cuda_version"`   // the newest that the driver knows, "13.0"

	CPUs        int      `json:"cpus"`
	CPUBusy     *float64 `json:"cpu_busy_ratio"` // of all processors since the sample before, 0 to 1
	MemoryTotal *uint64  `json:"memory_total_bytes"`
	MemoryUsed  *uint64  `json:"memory_used_bytes"` // that no program could have now

	GPUs      []GPU     `json:"gpus"`
	GPUsError *string   `json:"gpus_error"` // why there are none or figures are missing
	Sessions  []Session `json:"sessions"`
}

// Whose a GPU's memory is.
const (
	MemoryOwn     = "own"
	MemoryMachine = "machine" // shared with the processors
)

// GPU is one GPU. Figures are the vendor's but for what the vendor does not
// tell and axon knows.
type GPU struct {
	Index uint32  `json:"index"` // the vendor's management library's
	Name  string  `json:"name"`
	UUID  string  `json:"uuid"`
	BusID *string `json:"bus_id"` // 00000000:01:00.0

	Busy        *float64 `json:"busy_ratio"`        // time in which any kernel ran, 0 to 1
	MemoryBusy  *float64 `json:"memory_busy_ratio"` // time in which memory was read or written, 0 to 1
	MemoryKind  string   `json:"memory_kind"`       // MemoryOwn or MemoryMachine
	MemoryTotal *uint64  `json:"memory_total_bytes"`
	MemoryUsed  *uint64  `json:"memory_used_bytes"`

	Temperature *float64 `json:"temperature_celsius"`
	Power       *float64 `json:"power_watts"`
	PowerLimit  *float64 `json:"power_limit_watts"`
	Energy      *float64 `json:"energy_joules"` // since the driver was loaded
	Fan         *float64 `json:"fan_ratio"`     // 0 to 1, may be more
	ClockSM     *uint64  `json:"clock_sm_hertz"`
	ClockMemory *uint64  `json:"clock_memory_hertz"`
	Links       []Link   `json:"links"`
}

// Link is a way from a GPU to the rest, or as many as are alike.
type Link struct {
	Kind       string  `json:"kind"` // "pcie", "nvlink" or "c2c"
	Count      uint32  `json:"count"`
	Generation *uint32 `json:"generation"` // now; an idle GPU's may be lower than it can be
	Width      *uint32 `json:"width"`      // lanes, PCIe only
}

// Session is a program's use of GPUs.
type Session struct {
	Session uint32    `json:"session"`
	UID     uint32    `json:"uid"`
	User    *string   `json:"user"`    // nil if the uid has no name
	PID     *int      `json:"pid"`     // as the reader's processes see it; nil if they don't
	Program string    `json:"program"` // the kernel's name for it, at most 15 bytes
	Args    []string  `json:"args"`    // null if it has none any more
	Since   time.Time `json:"since"`
	Scope   *string   `json:"scope"`  // systemd's unit
	Remote  *string   `json:"remote"` // the machine that it runs on, nil if this one

	GPUs           []string `json:"gpus"` // UUIDs
	Busy           *float64 `json:"busy_ratio"`
	GPUMemory      uint64   `json:"gpu_memory_bytes"`
	GPUMemoryPeak  uint64   `json:"gpu_memory_peak_bytes"`
	GPUMemoryLimit *uint64  `json:"gpu_memory_limit_bytes"` // nil if there is none
	PinnedMemory   uint64   `json:"pinned_memory_bytes"`
	HostMemory     *uint64  `json:"host_memory_bytes"` // of the worker's scope
	Calls          uint64   `json:"calls_total"`
}
