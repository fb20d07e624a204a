// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"slices"

	"nervlinux.org/axon/nvml"
)

// memoryFields are where a structure with a GPU's memory says what is free and
// what is used, in bytes from its start.
type memoryFields struct {
	free, used int
}

// memoryFieldsOf is nil for a call that does not tell that.
func memoryFieldsOf(name string) *memoryFields {
	switch name {
	case "nvmlDeviceGetMemoryInfo":
		return &memoryFields{8, 16}
	case "nvmlDeviceGetMemoryInfo_v2":
		return &memoryFields{24, 32}
	}
	return nil
}

// softwareNVML says whether NVML is the software GPU's, and not a recording of
// another's: that one runs in a process of its own and does not know what memory
// sessions have. axond does.
func (s *Server) softwareNVML() bool {
	return s.Vendor.Software && os.Getenv("SOFTGPU_NVML") == ""
}

// withSessionsMemory is done with what sessions have added to what is used.
func (s *Server) withSessionsMemory(ctx context.Context, uid uint32, call *nvmlCall, in []byte, done func(nvml.Return, []byte)) func(nvml.Return, []byte) {
	return func(ret nvml.Return, out []byte) {
		at := call.OutSize
		if ret != nvml.SUCCESS || len(in) < call.InSize || len(out) < at+call.memory.used+8 {
			done(ret, out)
			return
		}
		go func() { // whose GPU it is has to be asked, and this is who reads answers
			uuid, ok := s.deviceUUID(ctx, uid, nvmlFrame{call.In, in[:call.InSize]}.get("device"))
			if ok {
				out = bytes.Clone(out) // others have it too
				free, used := out[at+call.memory.free:], out[at+call.memory.used:]
				le := binary.LittleEndian
				n := min(s.memoryOfSessions(uuid), le.Uint64(free))
				le.PutUint64(free, le.Uint64(free)-n)
				le.PutUint64(used, le.Uint64(used)+n)
			}
			done(ret, out)
		}()
	}
}

// memoryOfSessions is what sessions have on a GPU, bytes.
func (s *Server) memoryOfSessions(uuid string) uint64 {
	var sum uint64
	for _, f := range s.Sessions() {
		if n, ok := memoryOn(&f); ok && slices.Contains(usedGPUs(&f), uuid) {
			sum += n
		}
	}
	return sum
}
