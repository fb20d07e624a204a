// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

func TestMonitorsAreTheVendors(t *testing.T) {
	now := time.Date(2026, 9, 1, 20, 41, 56, 0, time.Local)
	quiet := quietH200(t)
	got, _ := quiet.run(now, "dmon", "-c", "1")
	same(t, got, `# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk 
# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz 
    0     81     37     37      0      0      0      0      0      0   3201    345 
`)
	got, _ = quiet.run(now, "dmon", "-s", "t", "-o", "T", "-c", "1")
	same(t, got, "#Time         gpu  rxpci  txpci \n#HH:MM:SS     Idx   MB/s   MB/s \n 20:41:56       0      0      0 \n")
	got, _ = quiet.run(now, "dmon", "-s", "p", "-o", "DT", "-c", "1")
	same(t, got, `#Date        Time         gpu    pwr  gtemp  mtemp 
#YYYYMMDD    HH:MM:SS     Idx      W      C      C 
 20260901    20:41:56       0     81     37     37 
`)
	got, _ = quiet.run(now, "pmon", "-c", "1")
	same(t, got, `# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command 
# Idx           #    C/G      %      %      %      %      %      %    name 
    0          -     -      -      -      -      -      -      -    -              
`)

	busy := theH200(t)
	list := make([]byte, 0)
	for i, u := range []nvml.ProcessUtilizationSample{{Pid: 643, TimeStamp: 1, SmUtil: 99}, {Pid: 643, TimeStamp: 2, SmUtil: 2, EncUtil: 24}} {
		list = append(list, make([]byte, u.Sizeof())...)
		u.Put(list[i*u.Sizeof():])
	}
	room := uint64(processSamplesRoom)
	list = append(list, make([]byte, int(room)*32-len(list))...)
	busy.call("nvmlDeviceGetProcessUtilization", args{"device": 1, "processSamplesCount": room, "has_utilization": 1}, nil, args{"processSamplesCount": 2}, list)
	fmt.Fprintf(&busy.b, "process 643 /usr/bin/python3\n")
	got, _ = busy.run(now, "pmon", "-c", "1", "-i", "0")
	same(t, got, `# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command 
# Idx           #    C/G      %      %      %      %      %      %    name 
    0        643     C      2      0     24      -      -      -    python3        
`)
}

const processSamplesRoom = 128 // of the client

func TestTopologyAndLinksAreTheVendors(t *testing.T) {
	r := quietH200(t)
	r.call("nvmlDeviceGetCpuAffinityWithinScope", args{"device": 1, "cpuSetSize": 16, "scope": 0}, nil, nil, maskOf(16, 1<<24-1))
	r.call("nvmlDeviceGetMemoryAffinity", args{"device": 1, "nodeSetSize": 16, "scope": 0}, nil, nil, maskOf(16, 1))
	got, _ := r.run(time.Now(), "topo", "-m")
	same(t, got, headed(golden(t, "h200-580-topo.txt")))
	for l := range uint64(18) {
		up := uint64(1)
		if l == 2 {
			up = 0
		}
		r.one("nvmlDeviceGetNvLinkState", args{"link": l}, args{"isActive": up})
		r.field(fieldLinkSpeed, uint32(l), nvml.VALUE_TYPE_UNSIGNED_INT, 26562)
	}
	got, _ = r.run(time.Now(), "nvlink", "-s")
	want := "GPU 0: NVIDIA H200 (UUID: GPU-00000000-1111-2222-3333-444444444444)\n"
	for l := range 18 {
		if l == 2 {
			want += "\t Link 2: <inactive>\n"
			continue
		}
		want += fmt.Sprintf("\t Link %d: 26.562 GB/s\n", l)
	}
	same(t, got, want)
}

// headed is a matrix as it is printed: those published have lost the underline of their heading.
func headed(matrix string) string {
	head, rest, _ := strings.Cut(matrix, "\n")
	return "\t\x1b[4m" + head[1:] + "\x1b[0m\n" + rest
}

func maskOf(n int, first uint64) []byte {
	b := make([]byte, 8*n)
	for i := range 8 {
		b[i] = byte(first >> (8 * i))
	}
	return b
}

func TestCPUsAreRanges(t *testing.T) {
	for _, c := range []struct {
		words []uint64
		want  string
	}{{[]uint64{0b1011}, "0-1,3"}, {[]uint64{1 << 63, 1}, "63-64"}, {[]uint64{0}, ""},
		{[]uint64{0x5555555555555555}, "0,2,4,6,8,10"}} {
		if got := bits(c.words); got != c.want {
			t.Errorf("%x is %s, not %s", c.words, got, c.want)
		}
	}
}
