// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// sysfs is a tree of devices as the kernel shows it.
type sysfs struct {
	t    *testing.T
	root string
}

func newSysfs(t *testing.T, nodes int) *sysfs {
	s := &sysfs{t, t.TempDir()}
	for i := range nodes {
		dir := s.mkdir("devices/system/node/node" + string(rune('0'+i)))
		if err := os.WriteFile(dir+"/cpulist", fmt.Appendf(nil, "%d-%d,%d-%d\n", 28*i, 28*i+27, 56+28*i, 56+28*i+27), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *sysfs) mkdir(dir string) string {
	s.t.Helper()
	dir = filepath.Join(s.root, dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// device makes a PCI device at a path below devices/; card is its name as one that can RDMA, if it is.
func (s *sysfs) device(path, vendor, node, card string) {
	s.t.Helper()
	dir := s.mkdir("devices/" + path)
	links := []string{filepath.Join(s.mkdir("bus/pci/devices"), filepath.Base(path))}
	if card != "" {
		links = append(links, filepath.Join(s.mkdir("class/infiniband/"+card), "device"))
	}
	for _, err := range []error{os.WriteFile(dir+"/vendor", []byte(vendor+"\n"), 0o644), os.WriteFile(dir+"/numa_node", []byte(node+"\n"), 0o644)} {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	for _, link := range links {
		if err := os.Symlink(dir, link); err != nil {
			s.t.Fatal(err)
		}
	}
}

// matrixOf runs topo -m on a machine whose GPUs are at the bus ids, each pair with host bridges between.
func matrixOf(t *testing.T, s *sysfs, cpus []uint64, node uint64, buses ...string) string {
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("580.105.08", 80))
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": uint64(len(buses))})
	for i, bus := range buses {
		d := uint64(i + 1)
		r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": uint64(i)}, nil, args{"device": d})
		r.call("nvmlDeviceGetPciInfo_v3", args{"device": d}, nil, nil, &nvml.PciInfo{BusId: bus})
		for j := range buses {
			if j != i {
				r.call("nvmlDeviceGetTopologyCommonAncestor", args{"device1": d, "device2": uint64(j + 1)}, nil, args{"pathInfo": uint64(nvml.TOPOLOGY_NODE)})
			}
		}
		mask := make([]byte, 16*8)
		for k, w := range cpus {
			binary.LittleEndian.PutUint64(mask[8*k:], w)
		}
		r.call("nvmlDeviceGetCpuAffinityWithinScope", args{"device": d, "cpuSetSize": 16, "scope": 0}, nil, nil, mask)
		r.call("nvmlDeviceGetMemoryAffinity", args{"device": d, "nodeSetSize": 16, "scope": 0}, nil, nil, maskOf(16, node))
	}
	var out bytes.Buffer
	env := r.environment(&out, time.Now())
	env.Sysfs = s.root
	if status := Run(t.Context(), []string{"topo", "-m"}, env); status != 0 {
		t.Errorf("status %d", status)
	}
	return out.String()
}

func TestNetworkCardsAreInTheMatrix(t *testing.T) {
	s := newSysfs(t, 2)
	s.device("pci0000:a6/0000:a6:01.0/0000:a9:00.0", "0x10de", "1", "")
	s.device("pci0000:b5/0000:b5:01.0/0000:b8:00.0", "0x10de", "1", "")
	s.device("pci0000:97/0000:97:01.0/0000:98:00.0", mellanox, "1", "mlx5_0")
	s.device("pci0000:97/0000:97:01.0/0000:98:00.1", mellanox, "1", "mlx5_1")
	s.device("pci0000:00/0000:00:01.0/0000:01:00.0", "0x14e4", "0", "bnxt_re0") // one that is not listed
	s.mkdir("class/infiniband/siw0")                                            // nor one without a device
	cpus := []uint64{0xff << 56, 1<<48 - 1, 0xffffff << 40, 1<<32 - 1}
	got := matrixOf(t, s, cpus, 2, "00000000:A9:00.0", "00000000:B8:00.0")
	want := golden(t, "rtx4090d-580-topo.txt")
	same(t, got, headed(want))
}

// To a job that was given CPUs of one node, the other node is not there: its
// GPUs have no CPUs, and are no further than those of the first.
func TestTheMatrixIsThatOfTheCPUsOneMayUse(t *testing.T) {
	s := newSysfs(t, 2)
	s.device("pci0000:a6/0000:a6:01.0/0000:a9:00.0", "0x10de", "0", "")
	s.device("pci0000:b5/0000:b5:01.0/0000:b8:00.0", "0x10de", "1", "")
	s.device("pci0000:97/0000:97:01.0/0000:98:00.0", mellanox, "1", "mlx5_0")
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("550.90.12", 80))
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 2})
	nodes := [][]uint64{{1<<28 - 1 | 0xff<<56, 1<<20 - 1}, {(1<<28 - 1) << 28, (1<<28 - 1) << 20}}
	for i, bus := range []string{"00000000:A9:00.0", "00000000:B8:00.0"} {
		d := uint64(i + 1)
		r.call("nvmlDeviceGetHandleByIndex_v2", args{"index": uint64(i)}, nil, args{"device": d})
		r.call("nvmlDeviceGetPciInfo_v3", args{"device": d}, nil, nil, &nvml.PciInfo{BusId: bus})
		r.call("nvmlDeviceGetTopologyCommonAncestor", args{"device1": d, "device2": 3 - d}, nil, args{"pathInfo": uint64(nvml.TOPOLOGY_SYSTEM)})
		mask := make([]byte, 16*8)
		for k, w := range nodes[i] {
			binary.LittleEndian.PutUint64(mask[8*k:], w)
		}
		r.call("nvmlDeviceGetCpuAffinityWithinScope", args{"device": d, "cpuSetSize": 16, "scope": 0}, nil, nil, mask)
		r.call("nvmlDeviceGetMemoryAffinity", args{"device": d, "nodeSetSize": 16, "scope": 0}, nil, nil, maskOf(16, 1<<i))
	}
	for _, c := range []struct {
		cpus []uint64
		want string
	}{
		{nil, "GPU0\t X \tSYS\tSYS\t0-27,56-83\t0\t\tN/A\nGPU1\tSYS\t X \tNODE\t28-55,84-111\t1\t\tN/A\nNIC0\tSYS\tNODE\t X \t\t\t\t\n"},
		{[]uint64{0xffff | 0xff<<56, 0xff}, "GPU0\t X \tNODE\tNODE\t0-15,56-71\t0\t\tN/A\nGPU1\tNODE\t X \tNODE\t\t1\t\tN/A\nNIC0\tNODE\tNODE\t X \t\t\t\t\n"},
		{[]uint64{0xf<<20 | 0xf<<28}, "GPU0\t X \tSYS\tSYS\t20-23\t0\t\tN/A\nGPU1\tSYS\t X \tNODE\t28-31\t1\t\tN/A\nNIC0\tSYS\tNODE\t X \t\t\t\t\n"},
	} {
		var out bytes.Buffer
		env := r.environment(&out, time.Now())
		env.Sysfs, env.CPUs = s.root, c.cpus
		if status := Run(t.Context(), []string{"topo", "-m"}, env); status != 0 {
			t.Errorf("status %d", status)
		}
		_, rows, _ := strings.Cut(out.String(), "\n")
		rows, _, _ = strings.Cut(rows, "\nLegend")
		same(t, rows, c.want)
	}
}

func TestGB10sNetworkCardsAreInTheMatrix(t *testing.T) {
	s := newSysfs(t, 1)
	s.device("platform/soc/pci000f:00/000f:00:00.0/000f:01:00.0", "0x10de", "-1", "")
	for dev, card := range map[string]string{"0000:00/0000:00:00.0/0000:01:00.0": "rocep1s0f0", "0000:00/0000:00:00.0/0000:01:00.1": "rocep1s0f1",
		"0002:00/0002:00:00.0/0002:01:00.0": "roceP2p1s0f0", "0002:00/0002:00:00.0/0002:01:00.1": "roceP2p1s0f1"} {
		s.device("pci"+dev, mellanox, "0", card)
	}
	numbers := map[string]uint32{"rocep1s0f0": 0, "rocep1s0f1": 1, "roceP2p1s0f0": 2, "roceP2p1s0f1": 3}
	var names []string
	for _, c := range cards(s.root, numbers) {
		names = append(names, c.name)
	}
	if got := strings.Join(names, " "); got != "rocep1s0f0 rocep1s0f1 roceP2p1s0f0 roceP2p1s0f1" {
		t.Errorf("the cards are %s", got)
	}
	// By name, as here, those of the second bus come first.
	got := matrixOf(t, s, []uint64{1<<20 - 1}, 1, "0000000F:01:00.0")
	want := strings.NewReplacer("NIC0: rocep1s0f0", "NIC0: roceP2p1s0f0", "NIC1: rocep1s0f1", "NIC1: roceP2p1s0f1",
		"NIC2: roceP2p1s0f0", "NIC2: rocep1s0f0", "NIC3: roceP2p1s0f1", "NIC3: rocep1s0f1").Replace(golden(t, "gb10-580-topo.txt"))
	same(t, got, headed(want))
}

func TestCardsAreInTheKernelsOrder(t *testing.T) {
	s := newSysfs(t, 1)
	for i, name := range []string{"mlx5_0", "mlx5_10", "mlx5_9", "mlx5_bond_0"} {
		s.device("pci0000:00/0000:00:0"+string(rune('1'+i))+".0", mellanox, "0", name)
	}
	for _, c := range []struct {
		numbers map[string]uint32
		want    string
	}{
		{nil, "mlx5_0 mlx5_9 mlx5_10 mlx5_bond_0"},
		{map[string]uint32{"mlx5_0": 7, "mlx5_9": 3, "mlx5_10": 2, "mlx5_bond_0": 1}, "mlx5_bond_0 mlx5_10 mlx5_9 mlx5_0"},
	} {
		var names []string
		for _, x := range cards(s.root, c.numbers) {
			names = append(names, x.name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("numbered %v they are %s, not %s", c.numbers, got, c.want)
		}
	}
}

func TestLevelsAreThoseOfTheBuses(t *testing.T) {
	at := func(root, bridges string, numa int) place { return place{root, strings.Fields(bridges), numa} }
	for _, c := range []struct {
		name string
		a, b place
		one  bool
		want string
	}{
		{"functions of one device", at("pci0000:00", "01.0", 0), at("pci0000:00", "01.0", 0), false, "PIX"},
		{"ports of one switch", at("pci0000:00", "01.0 sw sw.0", 0), at("pci0000:00", "01.0 sw sw.1", 0), false, "PIX"},
		{"switches below a switch", at("pci0000:00", "01.0 sw sw.0 a a.0", 0), at("pci0000:00", "01.0 sw sw.1 b b.0", 0), false, "PXB"},
		{"root ports of one bridge", at("pci0000:00", "01.0", 0), at("pci0000:00", "02.0", 0), false, "PHB"},
		{"a virtual machine's bus", at("pci0000:00", "", -1), at("pci0000:00", "", -1), false, "PHB"},
		{"bridges of one node", at("pci0000:00", "01.0", 1), at("pci0000:80", "01.0", 1), false, "NODE"},
		{"bridges of two nodes", at("pci0000:00", "01.0", 0), at("pci0000:80", "01.0", 1), false, "SYS"},
		{"where there is only one node", at("pci0000:00", "01.0", -1), at("pci0000:80", "01.0", 0), true, "NODE"},
	} {
		if got, back := level(c.a, c.b, c.one), level(c.b, c.a, c.one); got != c.want || back != got {
			t.Errorf("%s: %s and %s, not %s", c.name, got, back, c.want)
		}
	}
}

func TestTheKernelsNumbersAreRead(t *testing.T) {
	attribute := func(kind uint16, value []byte) []byte {
		b := binary.NativeEndian.AppendUint16(nil, uint16(4+len(value)))
		b = append(binary.NativeEndian.AppendUint16(b, kind), value...)
		return append(b, make([]byte, (4-len(b)%4)%4)...)
	}
	message := func(kind uint16, body []byte) []byte {
		b := binary.NativeEndian.AppendUint32(nil, uint32(16+len(body)))
		b = binary.NativeEndian.AppendUint16(b, kind)
		return append(append(b, make([]byte, 10)...), body...)
	}
	device := func(index uint32, name string) []byte {
		return message(rdmaGetDevices, append(attribute(rdmaIndex, binary.NativeEndian.AppendUint32(nil, index)), attribute(rdmaName, []byte(name+"\x00"))...))
	}
	numbers := map[string]uint32{}
	if more, ok := rdmaDevices(append(device(5, "mlx5_0"), device(2, "mlx5_bond_0")...), numbers); !more || !ok {
		t.Errorf("%v %v", more, ok)
	}
	if more, ok := rdmaDevices(message(3, make([]byte, 4)), numbers); more || !ok {
		t.Errorf("the end: %v %v", more, ok)
	}
	if len(numbers) != 2 || numbers["mlx5_0"] != 5 || numbers["mlx5_bond_0"] != 2 {
		t.Errorf("%v", numbers)
	}
	whole := device(1, "mlx5_0")
	for n := range len(whole) {
		if _, ok := rdmaDevices(whole[:n], map[string]uint32{}); ok {
			t.Errorf("%d bytes of %d are a message", n, len(whole))
		}
	}
}

func TestTheCPUsAreThoseOfTheCgroup(t *testing.T) {
	for _, c := range []struct {
		what, file string
		groups     map[string]string
		want       string
	}{
		{"of its own", "0::/job/step\n", map[string]string{"cpuset.cpus.effective": "0-63", "job/step/cpuset.cpus.effective": "2-3,65\n"}, "2-3,65"},
		{"its parent's", "0::/job/step\n", map[string]string{"job/cpuset.cpus.effective": "4"}, "4"},
		{"outside of the namespace", "0::/../../else\n", map[string]string{"cpuset.cpus.effective": "0-7"}, "0-7"},
		{"of the first version", "3:cpu,cpuset:/job\n0::/\n", map[string]string{"cpuset/job/cpuset.cpus": "1"}, "1"},
		{"untold", "0::/job\nwhat\n", nil, ""},
	} {
		mount, file := t.TempDir(), filepath.Join(t.TempDir(), "cgroup")
		write := func(path, text string) {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(file, c.file)
		for path, cpus := range c.groups {
			write(filepath.Join(mount, path), cpus)
		}
		if got := bits(cgroupCPUs(file, mount)); got != c.want {
			t.Errorf("%s: %q, not %q", c.what, got, c.want)
		}
	}
	if cgroupCPUs(filepath.Join(t.TempDir(), "none"), t.TempDir()) != nil {
		t.Error("CPUs of no cgroup")
	}
}
