// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"testing"

	"nervlinux.org/axon/view"
)

func TestMemoryOfSeveralGPUs(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	own, shared := view.MemoryOwn, view.MemoryMachine
	for what, c := range map[string]struct {
		gpus        []view.GPU
		used, total *uint64
	}{
		"none":             {nil, nil, nil},
		"none that tells":  {[]view.GPU{{MemoryKind: own}, {MemoryKind: own, MemoryUsed: n(1)}}, nil, nil},
		"their own":        {[]view.GPU{{MemoryKind: own, MemoryUsed: n(1), MemoryTotal: n(10)}, {MemoryKind: own, MemoryUsed: n(2), MemoryTotal: n(20)}}, n(3), n(30)},
		"one tells half":   {[]view.GPU{{MemoryKind: own, MemoryUsed: n(1), MemoryTotal: n(10)}, {MemoryKind: own, MemoryUsed: n(2)}}, n(1), n(10)},
		"the machine's":    {[]view.GPU{{MemoryKind: shared, MemoryUsed: n(5), MemoryTotal: n(9)}, {MemoryKind: shared, MemoryUsed: n(5), MemoryTotal: n(9)}}, n(5), n(9)},
		"both kinds":       {[]view.GPU{{MemoryKind: shared, MemoryUsed: n(5), MemoryTotal: n(9)}, {MemoryKind: own, MemoryUsed: n(1), MemoryTotal: n(10)}}, n(6), n(19)},
		"one of two tells": {[]view.GPU{{MemoryKind: shared}, {MemoryKind: shared, MemoryUsed: n(5), MemoryTotal: n(9)}}, n(5), n(9)},
	} {
		used, total := GPUMemory(&view.Machine{GPUs: c.gpus})
		if same := func(a, b *uint64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }; !same(used, c.used) || !same(total, c.total) {
			t.Errorf("%s: %v of %v", what, used, total)
		}
	}
}
