// SPDX-License-Identifier: Apache-2.0

package smi

import "strconv"

// fabricWords is what is printed of the registration with a fabric.
type fabricWords struct {
	state, status, clique, cluster                                             string
	summary, bandwidth, recovery, unhealthy, timeout, configuration, partition string
}

func wordsOf(v Val[Fabric]) fabricWords {
	na := na(v.R)
	if v.OK() {
		na = "N/A"
	}
	w := fabricWords{na, na, na, na, na, na, na, na, na, na, na}
	if !v.OK() || v.V.State == 0 {
		return w
	}
	f := v.V
	w.state = fabricStateName(f.State)
	if f.State == 3 {
		w.status, w.clique, w.cluster = words(f.Status), strconv.Itoa(int(f.Clique)), f.Cluster
	}
	if f.Summary.OK() {
		w.summary = name4(f.Summary.V, "N/A", "Healthy", "Unhealthy", "Limited Capacity")
	}
	if !f.HasHealth {
		return w
	}
	// Two bits each: 0 not supported, 1 true, 2 false; the configuration has four.
	flag := func(shift uint, yes, no string) string { return name4(f.Health>>shift&3, "N/A", yes, no, "N/A") }
	w.bandwidth = flag(0, "Degraded", "Full")
	w.recovery = flag(2, "True", "False")
	w.unhealthy = flag(4, "True", "False")
	w.timeout = flag(6, "True", "False")
	w.configuration = name4(f.Health>>8&15, "N/A", "None", "Incorrect SYSGUID", "Incorrect Chassis SN", "No Partition", "Insufficient Nvlinks",
		"Incompatible GPU FW", "Invalid Location")
	return w
}
