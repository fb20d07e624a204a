// SPDX-License-Identifier: Apache-2.0

package wire

import "encoding/binary"

// The CUDA snapshot's layout, as far as this package looks; see snapshot.h.
const (
	snapshotDevices    = 32
	snapshotAttributes = 200
	offDevices         = 16
	offAttribute       = 352
	deviceSize         = 1952
	cudaSnapshotSize   = offDevices + snapshotDevices*deviceSize
)

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
