// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestASnapshotTellsOfItsDevices(t *testing.T) {
	b := make([]byte, SnapshotBytes)
	le := binary.LittleEndian
	le.PutUint32(b[offDeviceCount:], 2)
	for i := range 2 {
		d := b[offDevices+i*deviceSize:]
		copy(d, "a GPU\x1b[2J")
		for j := range 16 {
			d[offUUID+j] = byte(16*i + j)
		}
		le.PutUint64(d[offTotalMemory:], 1<<30)
		le.PutUint32(d[offAttribute+4*attributeIntegrated:], uint32(i))
	}
	want := []Device{
		{"a GPU?[2J", "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f", 1 << 30, false},
		{"a GPU?[2J", "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f", 1 << 30, true},
	}
	if got := Devices(b); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestASnapshotMayBeAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := make([]byte, SnapshotBytes)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if n := len(Devices(b)); n != snapshotDevices {
			t.Fatalf("of a snapshot that claims %d devices %d are read", binary.LittleEndian.Uint32(b[offDeviceCount:]), n)
		}
	}
	if got := Devices(make([]byte, SnapshotBytes-1)); got != nil {
		t.Errorf("a short snapshot has devices: %v", got)
	}
}
