// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The CUDA snapshot's layout, as far as this package looks; see snapshot.h.
const (
	snapshotDevices    = 32
	snapshotAttributes = 200
	offDeviceCount     = 8
	offDevices         = 16
	offUUID            = 256
	offTotalMemory     = 320
	offAttribute       = 352
	deviceSize         = 1952
	cudaSnapshotSize   = offDevices + snapshotDevices*deviceSize

	attributeIntegrated = 18 // CU_DEVICE_ATTRIBUTE_INTEGRATED
)

// SnapshotBytes is how much of a snapshot Devices looks at.
const SnapshotBytes = cudaSnapshotSize

// Device is a GPU as a worker's library tells of it.
type Device struct {
	Name   string // printable
	UUID   string // GPU-01234567-89ab-...
	Memory uint64 // bytes
	Shares bool   // its memory is the machine's
}

// Devices are the devices that a snapshot tells of, in the library's order. The
// snapshot may be anything: a client can write to its own.
func Devices(snapshot []byte) []Device {
	if len(snapshot) < cudaSnapshotSize {
		return nil
	}
	le := binary.LittleEndian
	all := []Device{}
	for i := range min(int(le.Uint32(snapshot[offDeviceCount:])), snapshotDevices) {
		d := snapshot[offDevices+i*deviceSize:][:deviceSize]
		name, _, _ := bytes.Cut(d[:offUUID], []byte{0})
		u := d[offUUID:]
		all = append(all, Device{
			Name:   printable(name),
			UUID:   fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16]),
			Memory: le.Uint64(d[offTotalMemory:]),
			Shares: le.Uint32(d[offAttribute+4*attributeIntegrated:]) != 0,
		})
	}
	return all
}

// printable is text with a ? for each byte that is no printable ASCII.
func printable(b []byte) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, b))
}

// notCarried are attributes (CUdevice_attribute) that a device behind a relay
// does not have: its kernels cannot reach the client's memory.
var notCarried = []int{
	19, // CAN_MAP_HOST_MEMORY
	83, // MANAGED_MEMORY
	89, // CONCURRENT_MANAGED_ACCESS
	91, // CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
}

// maskSnapshot takes what a relay does not carry out of a CUDA snapshot.
func maskSnapshot(snapshot []byte) {
	for d := range snapshotDevices {
		for _, a := range notCarried {
			binary.LittleEndian.PutUint32(snapshot[offDevices+d*deviceSize+offAttribute+4*a:], 0)
		}
	}
}
