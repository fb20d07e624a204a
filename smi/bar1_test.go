// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"testing"

	"nervlinux.org/axon/nvml"
)

// What an H200 of driver 580.159.04 answered, without and with a program, and what the vendor's printed of it.
func TestBAR1InUseIsRoundedDownAndWhatIsFreeUp(t *testing.T) {
	for _, x := range []struct{ free, used, wantUsed, wantFree uint64 }{
		{0x3fffb10000, 0x4f0000, 4, 262140},
		{0x3f9ef80000, 0x61080000, 1552, 260592},
	} {
		r := &recorder{t: t}
		r.call("nvmlDeviceGetBAR1MemoryInfo", args{"device": 1}, nil, nil, &nvml.BAR1Memory{Bar1Total: 262144 << 20, Bar1Free: x.free, Bar1Used: x.used})
		rec, err := nvml.ReadRecording(&r.b)
		if err != nil {
			t.Fatal(err)
		}
		g := &GPU{handle: 1}
		readers[rBAR1](&source{nvml.New(rec), nil}, g)
		if m := g.BAR1.V; mib(m.Used) != x.wantUsed || mib(m.Free) != x.wantFree {
			t.Errorf("%d MiB used, %d MiB free (%v); want %d and %d", mib(m.Used), mib(m.Free), g.BAR1.R, x.wantUsed, x.wantFree)
		}
	}
}
