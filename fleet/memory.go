// SPDX-License-Identifier: Apache-2.0

package fleet

import "nervlinux.org/axon/view"

// GPUMemory is what a machine's GPUs have used of what memory together, bytes,
// of those that tell both; nil if none does. The machine's own memory counts
// once, however many GPUs share it.
func GPUMemory(m *view.Machine) (used, total *uint64) {
	var u, t uint64
	shared, any := false, false
	for i := range m.GPUs {
		g := &m.GPUs[i]
		if g.MemoryUsed == nil || g.MemoryTotal == nil || shared && g.MemoryKind == view.MemoryMachine {
			continue
		}
		shared = shared || g.MemoryKind == view.MemoryMachine
		u, t, any = u+*g.MemoryUsed, t+*g.MemoryTotal, true
	}
	if !any {
		return nil, nil
	}
	return &u, &t
}
