// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// linked is three GPUs of one node; links are added to it.
func linked(t *testing.T) *recorder {
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("580.105.08", 80))
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 3})
	for d := uint64(1); d <= 3; d++ {
		r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": d - 1}, nil, args{"device": d})
		r.call("nvmlDeviceGetPciInfo_v3", args{"device": d}, nil, nil, &nvml.PciInfo{BusId: busOf(d)})
		for other := uint64(1); other <= 3; other++ {
			if other != d {
				r.call("nvmlDeviceGetTopologyCommonAncestor", args{"device1": d, "device2": other}, nil, args{"pathInfo": uint64(nvml.TOPOLOGY_NODE)})
			}
		}
	}
	return r
}

func busOf(device uint64) string { return fmt.Sprintf("00000000:%02X:00.0", 0xa0+device) }

// link is a link of a device that is up or down, to another or, for 0, to a switch.
func (r *recorder) link(device, link uint64, up bool, to uint64) {
	r.t.Helper()
	state, kind := uint64(0), uint64(nvml.NVLINK_DEVICE_TYPE_GPU)
	if up {
		state = 1
	}
	if to == 0 {
		kind = uint64(nvml.NVLINK_DEVICE_TYPE_SWITCH)
	}
	at := args{"device": device, "link": link}
	r.call("nvmlDeviceGetNvLinkState", at, nil, args{"isActive": state})
	r.call("nvmlDeviceGetNvLinkRemoteDeviceType", at, nil, args{"pNvLinkDeviceType": kind})
	if to != 0 {
		r.call("nvmlDeviceGetNvLinkRemotePciInfo_v2", at, nil, nil, &nvml.PciInfo{BusId: strings.ToLower(busOf(to))})
	}
}

// relations are the rows of the matrix without what follows the GPUs.
func relations(t *testing.T, r *recorder, option string) string {
	var out bytes.Buffer
	env := r.environment(&out, time.Now())
	env.Sysfs = newSysfs(t, 1).root
	if status := Run(t.Context(), []string{"topo", option}, env); status != 0 {
		t.Errorf("status %d", status)
	}
	var rows []string
	for l := range strings.Lines(out.String()) {
		if f := strings.Split(l, "\t"); strings.HasPrefix(l, "GPU") && len(f) > 3 {
			rows = append(rows, strings.Join(f[1:4], " "))
		}
	}
	return strings.Join(rows, "|")
}

func TestLinksThroughSwitchesReachEveryGPU(t *testing.T) {
	r := linked(t)
	for d := uint64(1); d <= 3; d++ {
		for l := range uint64(18) {
			r.link(d, l, true, 0)
		}
	}
	if got := relations(t, r, "-m"); got != " X  NV18 NV18|NV18  X  NV18|NV18 NV18  X " {
		t.Errorf("%s", got)
	}
	if got := relations(t, r, "-mp"); got != " X  NODE NODE|NODE  X  NODE|NODE NODE  X " {
		t.Errorf("without links: %s", got)
	}
}

func TestLinksBetweenTwoGPUsAreCounted(t *testing.T) {
	r := linked(t)
	for l := range uint64(3) {
		r.link(1, l, true, 2)
		r.link(2, l, true, 1)
	}
	r.link(1, 3, true, 3) // one to the third
	r.link(3, 0, true, 1)
	r.link(2, 3, false, 3) // and one that is down
	r.link(3, 1, false, 2)
	if got := relations(t, r, "-m"); got != " X  NV3 NV1|NV3  X  NODE|NV1 NODE  X " {
		t.Errorf("%s", got)
	}
}
