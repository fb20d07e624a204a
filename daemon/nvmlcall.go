// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
)

// nvmlCall is a call of NVML's and what axond does with it.
type nvmlCall struct {
	nvml.Info
	number uint32

	shared bool // whoever makes it gets the same answer, and making it changes nothing
	waits  bool // it may take as long as its caller likes
	makes  bool // something that its caller then has in the worker
	frees  bool // something that its caller had there
	secret bool // the driver tells it to root alone, so root asks it as root

	list    *processList // nil: it lists no processes
	account bool         // it is about one process
	memory  *memoryFields
}

type nvmlTable []*nvmlCall

// of is nil for a number that no call has.
func (t nvmlTable) of(number uint32) *nvmlCall {
	if uint64(number) >= uint64(len(t)) {
		return nil
	}
	return t[number]
}

// named is nil for a name that the description does not have.
func (t nvmlTable) named(name string) *nvmlCall { return t.of(nvml.Find(name)) }

var nvmlCalls = func() nvmlTable {
	t := nvmlTable{nil}
	for n := uint32(1); ; n++ {
		info, ok := nvml.Call(n)
		if !ok {
			return t
		}
		c := &nvmlCall{Info: info, number: n}
		c.waits = strings.HasPrefix(info.Name, "nvmlEventSetWait")
		c.makes = slices.ContainsFunc(info.Out, owned)
		c.frees = strings.HasSuffix(info.Name, "Free") && slices.ContainsFunc(info.In, owned)
		c.shared = !info.Root && strings.Contains(info.Name, "Get") && !c.makes && !slices.ContainsFunc(info.In, owned)
		c.secret = !info.Root && (aboutInstances(&c.Info) || info.Name == "nvmlSystemGetNvlinkBwMode")
		c.account = info.Name == "nvmlDeviceGetAccountingStats"
		c.list = listOf(&c.Info)
		c.memory = memoryFieldsOf(info.Name)
		t = append(t, c)
	}
}()

// owned says whether a field is a handle of something that belongs to one
// connection. All others mean the same to everybody.
func owned(f nvml.Field) bool {
	return f.Handle == "nvmlEventSet_t" || f.Handle == "nvmlGpmSample_t"
}

// aboutInstances says whether a call tells of instances, or takes one by its
// handle, which the worker finds again by such a call.
func aboutInstances(c *nvml.Info) bool {
	instance := func(f nvml.Field) bool { return f.Handle == "nvmlGpuInstance_t" || f.Handle == "nvmlComputeInstance_t" }
	return slices.ContainsFunc(c.In, instance) || slices.ContainsFunc(c.Out, instance) || c.Name == "nvmlDeviceGetGpuInstances" ||
		c.Name == "nvmlDeviceGetGpuInstanceRemainingCapacity" || strings.HasPrefix(c.Name, "nvmlDeviceGetGpuInstancePossiblePlacements")
}

// mayChange says whether a client may change the machine by NVML: root of this
// machine with the capability that the vendor's driver asks for, so that root
// in a container may as little as without axon.
func (id *Identity) mayChange() bool {
	if id.UID != 0 || id.pidfd == nil {
		return false
	}
	dir := "/proc/" + strconv.Itoa(id.PID)
	status, err1 := os.ReadFile(dir + "/status")
	users, err2 := os.ReadFile(dir + "/uid_map")
	ours, err3 := os.Stat("/proc/self/ns/user")
	theirs, err4 := os.Stat(dir + "/ns/user")
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || !alive(id.pidfd) { // its number may have been another's
		return false
	}
	w := strings.Fields(string(users))
	// A namespace of users with everybody in it is one, too.
	if len(w) != 3 || w[0] != "0" || w[1] != "0" || w[2] != "4294967295" || !os.SameFile(ours, theirs) {
		return false
	}
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("CapEff:")); ok {
			set, err := strconv.ParseUint(string(bytes.TrimSpace(rest)), 16, 64)
			return err == nil && set>>unix.CAP_SYS_ADMIN&1 != 0
		}
	}
	return false
}
