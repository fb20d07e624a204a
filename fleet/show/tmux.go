// SPDX-License-Identifier: Apache-2.0

package show

import (
	"fmt"
	"io"
	"strings"

	"nervlinux.org/axon/fleet"
)

// Tmux writes one short line for a status bar: the GPUs' use, memory, heat and
// power. Of several GPUs it is the mean use, the sums and the highest
// temperature. Nothing in it is a name that somebody chose, as tmux reads
// styles in what it shows.
func Tmux(w io.Writer, machines []*fleet.Machine) error {
	var gpus, silent int
	var busy, watts, hottest float64
	var busyOf, wattsOf, hottestOf, memoryOf int
	var used, total uint64
	for _, m := range machines {
		if m.Err != nil || m.Last == nil {
			silent++
			continue
		}
		if u, t := fleet.GPUMemory(m.Last); t != nil {
			used, total, memoryOf = used+*u, total+*t, memoryOf+1
		}
		for i := range m.Last.GPUs {
			g := &m.Last.GPUs[i]
			gpus++
			if g.Busy != nil {
				busy += *g.Busy
				busyOf++
			}
			if g.Temperature != nil {
				hottest = max(hottest, *g.Temperature)
				hottestOf++
			}
			if g.Power != nil {
				watts += *g.Power
				wattsOf++
			}
		}
	}
	words := []string{"GPU"}
	if gpus != 1 {
		words[0] = fmt.Sprintf("%d GPUs", gpus)
	}
	if gpus == 0 && silent > 0 {
		words[0] = "GPU ?"
	}
	if busyOf > 0 {
		words = append(words, fmt.Sprintf("%.0f%%", 100*busy/float64(busyOf)))
	}
	if memoryOf > 0 {
		words = append(words, Bytes(used)+"/"+Bytes(total))
	}
	if hottestOf > 0 {
		words = append(words, fmt.Sprintf("%.0fC", hottest))
	}
	if wattsOf > 0 {
		words = append(words, fmt.Sprintf("%.0fW", watts))
	}
	if silent > 0 && len(machines) > 1 {
		words = append(words, fmt.Sprintf("%d silent", silent))
	}
	_, err := fmt.Fprintln(w, strings.Join(words, " "))
	return err
}
