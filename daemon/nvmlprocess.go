// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
)

// The vendor's lists of processes name the workers. A reader is told of the
// programs that these work for, by their numbers in its own pid namespace; who
// is not in that is left out, as are axond's workers that work for nobody. A
// library that does not know who is on its GPU is told by axond, which does.
//
// The worker is always asked for a whole list, however long the reader's is, so
// that what is left out and added changes the counts that the reader sees, and
// so that all readers' questions are the same one.

// accountsMax is how many workers' accounts are asked for to find one process's.
const accountsMax = 16

// nvmlListMax is how many processes of a GPU are asked for.
const nvmlListMax = 4096

// processList is a call that lists processes: an array with a process's number
// in each element, and a count that is told how many there is room for and tells
// how many there are.
type processList struct {
	pid      int         // where the number is
	memory   bool        // bytes of memory are at 8, and behind them what tells apart two entries of a process
	sessions bool        // sessions are on it, where the library does not know
	ended    bool        // processes are on it that are no more
	none     nvml.Return // what an empty one is
	counts   bool        // without an array it only counts, by the vendor's own measure
}

// processLists are they, by the beginning of their names.
var processLists = []struct {
	name string
	processList
}{
	{"nvmlDeviceGetComputeRunningProcesses", processList{memory: true, sessions: true}},
	{"nvmlDeviceGetGraphicsRunningProcesses", processList{memory: true}},
	{"nvmlDeviceGetMPSComputeRunningProcesses", processList{memory: true}},
	{"nvmlDeviceGetProcessUtilization", processList{none: nvml.ERROR_NOT_FOUND, counts: true}},
	{"axDeviceGetRunningProcessDetailList", processList{memory: true}},
	{"axDeviceGetProcessesUtilizationInfo", processList{pid: 8, none: nvml.ERROR_NOT_FOUND, counts: true}},
	{"nvmlDeviceGetAccountingPids", processList{ended: true}},
	{"nvmlDeviceGetEncoderSessions", processList{pid: 4, counts: true}},
	{"nvmlDeviceGetFBCSessions", processList{pid: 4, counts: true}},
}

// listOf is nil for a call that lists no processes.
func listOf(info *nvml.Info) *processList {
	for i := range processLists {
		l := &processLists[i]
		if strings.HasPrefix(info.Name, l.name) && len(info.OutData) == 1 {
			return &l.processList
		}
	}
	return nil
}

// nvmlFrame is a call's in-frame or the fixed part of its out-frame.
type nvmlFrame struct {
	fields []nvml.Field
	b      []byte
}

// at is a field's bytes, nil if there is none.
func (f nvmlFrame) at(name string) []byte {
	for _, field := range f.fields {
		if field.Name == name {
			return f.b[field.Offset : field.Offset+field.Size]
		}
	}
	return nil
}

// get is a field's value, 0 if there is none.
func (f nvmlFrame) get(name string) uint64 {
	switch b := f.at(name); len(b) {
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (f nvmlFrame) put(name string, v uint64) {
	switch b := f.at(name); len(b) {
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// aboutProcesses answers a call that lists processes or is about one, in a
// goroutine of its own.
func (c *nvmlClient) aboutProcesses(ctx context.Context, call *nvmlCall, in []byte, answer func(nvml.Return, []byte)) {
	c.s.wg.Go(func() {
		if call.list != nil {
			answer(c.list(ctx, call, in))
		} else {
			answer(c.accounted(ctx, call, in))
		}
	})
}

func (c *nvmlClient) list(ctx context.Context, call *nvmlCall, in []byte) (nvml.Return, []byte) {
	array := call.OutData[0]
	asked := nvmlFrame{call.In, in[:call.InSize]}
	room, has := asked.get(array.Count), asked.at("has_"+array.Name)
	if has == nil || asked.get("has_"+array.Name) != 0 {
		if room > uint64(nvml.PacketMax-nvml.HeaderSize-call.OutSize)/uint64(array.Element) {
			return nvml.ERROR_INVALID_ARGUMENT, nil
		}
	} else if call.list.counts {
		return c.s.askNVML(ctx, c.id.Charged, call, in)
	} else {
		room = 0
	}
	whole := nvmlFrame{call.In, bytes.Clone(asked.b)}
	whole.put(array.Count, uint64(min(nvmlListMax, (nvml.PacketMax-nvml.HeaderSize-call.OutSize)/array.Element)))
	whole.put("has_"+array.Name, 1)
	ret, raw := c.s.askNVML(ctx, c.id.Charged, call, whole.b)

	var entries [][]byte
	switch {
	case ret == nvml.SUCCESS && len(raw) >= call.OutSize:
		n := nvmlFrame{call.Out, raw[:call.OutSize]}.get(array.Count)
		for b := raw[call.OutSize:]; len(b) >= array.Element && uint64(len(entries)) < n; b = b[array.Element:] {
			entries = append(entries, bytes.Clone(b[:array.Element])) // raw is others' too
		}
	case ret == nvml.ERROR_NOT_SUPPORTED && call.list.sessions:
	default:
		return ret, c.emptyList(call, room, asked)
	}
	uuid := ""
	if call.list.sessions && (c.s.Vendor.Software || ret == nvml.ERROR_NOT_SUPPORTED) {
		uuid, _ = c.s.deviceUUID(ctx, c.id.Charged, asked.get("device"))
	}
	entries = c.seen(call.list, uuid, array.Element, entries)

	out := c.emptyList(call, room, asked)
	nvmlFrame{call.Out, out[:call.OutSize]}.put(array.Count, uint64(len(entries)))
	switch {
	case len(entries) == 0 && call.list.none != 0:
		return call.list.none, out
	case uint64(len(entries)) > room:
		return nvml.ERROR_INSUFFICIENT_SIZE, out
	}
	for i, e := range entries {
		copy(out[call.OutSize+i*array.Element:], e)
	}
	return nvml.SUCCESS, out
}

// emptyList is an answer with room for as many as there was asked for, which
// says what the question said.
func (c *nvmlClient) emptyList(call *nvmlCall, room uint64, asked nvmlFrame) []byte {
	array := call.OutData[0]
	out := make([]byte, call.OutSize+(int(room)*array.Element+7)&^7)
	nvmlFrame{call.Out, out[:call.OutSize]}.put(array.Count, asked.get(array.Count))
	return out
}

// askNVML is readNVML for who waits.
func (s *Server) askNVML(ctx context.Context, uid uint32, call *nvmlCall, in []byte) (nvml.Return, []byte) {
	type answer struct {
		ret nvml.Return
		out []byte
	}
	got := make(chan answer, 1)
	s.readNVML(ctx, uid, call, in, func(ret nvml.Return, out []byte) { got <- answer{ret, out} })
	a := <-got
	return a.ret, a.out
}

// seen is a list as the reader sees it, with the sessions on a GPU if its UUID is
// given. A user's readers look at processes one after the other.
func (c *nvmlClient) seen(list *processList, uuid string, element int, entries [][]byte) [][]byte {
	c.user.looking.Lock()
	defer c.user.looking.Unlock()
	entries = c.translate(list, entries)
	if uuid != "" {
		entries = c.addSessions(uuid, element, entries)
	}
	return entries
}

// translate puts programs in workers' places.
func (c *nvmlClient) translate(list *processList, entries [][]byte) [][]byte {
	le := binary.LittleEndian
	byWorker := map[int]*SessionFigures{}
	all := c.s.Sessions()
	for i := range all {
		byWorker[all[i].WorkerPID] = &all[i]
	}
	kept := entries[:0]
	for _, e := range entries {
		f := byWorker[int(le.Uint32(e[list.pid:]))]
		seen, ok := c.stands(list, f, int(le.Uint32(e[list.pid:])))
		if !ok {
			continue
		}
		if f != nil && list.memory && le.Uint64(e[8:]) == math.MaxUint64 {
			if bytes, ok := memoryOn(f); ok {
				le.PutUint64(e[8:], bytes)
			}
		}
		le.PutUint32(e[list.pid:], uint32(seen))
		if list.memory {
			kept = addEntry(kept, e)
		} else {
			kept = append(kept, e)
		}
	}
	return kept
}

// stands is the number that a reader is told in place of one of the driver's;
// false if it is told none. f is the session whose worker has or had that number.
func (c *nvmlClient) stands(list *processList, f *SessionFigures, pid int) (int, bool) {
	if f != nil {
		switch now := processNow(pid); now {
		case f.worker():
			return c.space.seesProcess(f.client())
		case process{pid, 0}:
			return 0, false // it has just died, and the session ends
		}
	}
	switch client := c.s.former.clientOf(pid); {
	case client.PID == 0 || processExists(pid):
		if isChild(pid) {
			return 0, false
		}
		return c.space.sees(pid)
	case !list.ended || born(client.PID) != 0 && !client.is():
		return 0, false // who is no more is on no GPU; and who had its number is not who has it now
	default:
		return c.space.sees(client.PID)
	}
}

// addEntry adds an entry, or adds its memory to that of the same program's: one
// may have several sessions.
func addEntry(all [][]byte, e []byte) [][]byte {
	le := binary.LittleEndian
	for _, o := range all {
		if le.Uint32(o) == le.Uint32(e) && bytes.Equal(o[16:], e[16:]) {
			a, b := le.Uint64(o[8:]), le.Uint64(e[8:])
			if a == math.MaxUint64 || b == math.MaxUint64 || a+b < a {
				le.PutUint64(o[8:], math.MaxUint64) // not available
			} else {
				le.PutUint64(o[8:], a+b)
			}
			return all
		}
	}
	return append(all, e)
}

// memoryOn is a session's memory on the GPU that it uses, if that is one.
func memoryOn(f *SessionFigures) (uint64, bool) {
	return f.Device, len(usedGPUs(f)) == 1
}

// accounted answers what the driver keeps of one process, which the reader
// gives by its own number: the worker's, who works for that.
func (c *nvmlClient) accounted(ctx context.Context, call *nvmlCall, in []byte) (nvml.Return, []byte) {
	asked := nvmlFrame{call.In, in[:call.InSize]}
	pid := int(asked.get("pid"))
	workers := c.workersOf(pid)
	ret, out := nvml.ERROR_NOT_FOUND, []byte(nil)
	for _, worker := range workers {
		q := nvmlFrame{call.In, bytes.Clone(asked.b)}
		q.put("pid", uint64(worker))
		if ret, out = c.s.askNVML(ctx, c.id.Charged, call, q.b); ret != nvml.ERROR_NOT_FOUND {
			break
		}
	}
	return ret, out
}

// workersOf are those that work, or have worked, for a process that has a number
// in the reader's space, and the number's own; the last ones of many.
func (c *nvmlClient) workersOf(pid int) (all []int) {
	c.user.looking.Lock()
	defer c.user.looking.Unlock()
	for _, f := range c.s.Sessions() {
		if seen, ok := c.space.seesProcess(f.client()); ok && seen == pid {
			all = append(all, f.WorkerPID)
		}
	}
	if c.space.own { // numbers of processes that are gone, and that are not axon's
		all = append(all, c.s.former.workersOf(pid)...)
		all = append(all[:min(len(all), accountsMax)], pid)
	}
	return all[:min(len(all), accountsMax+1)]
}

// processExists says whether a number is a process's now.
func processExists(pid int) bool { return pid > 0 && unix.Kill(pid, 0) != unix.ESRCH }

// isChild says whether a process is axond's own: its workers that have no
// session (yet, or any more).
func isChild(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false
	}
	for line := range bytes.Lines(b) {
		if rest, ok := bytes.CutPrefix(line, []byte("PPid:")); ok {
			parent, err := strconv.Atoi(string(bytes.TrimSpace(rest)))
			return err == nil && parent == os.Getpid()
		}
	}
	return false
}

// addSessions adds the sessions that are on a GPU and not in a list yet.
func (c *nvmlClient) addSessions(uuid string, element int, entries [][]byte) [][]byte {
	le := binary.LittleEndian
	there := map[uint32]bool{}
	for _, e := range entries {
		there[le.Uint32(e)] = true
	}
	for _, f := range c.s.Sessions() {
		used := usedGPUs(&f)
		pid, ok := c.space.seesProcess(f.client())
		if !ok || there[uint32(pid)] || !slices.Contains(used, uuid) {
			continue
		}
		e := bytes.Repeat([]byte{0xff}, element) // what is not known: memory, instances
		le.PutUint64(e, uint64(pid))
		if bytes, ok := memoryOn(&f); ok {
			le.PutUint64(e[8:], bytes)
		}
		entries = addEntry(entries, e)
	}
	return entries
}

// deviceUUID is a GPU's UUID, for a user who wants to know.
func (s *Server) deviceUUID(ctx context.Context, uid uint32, device uint64) (string, bool) {
	call := nvmlCalls.named("nvmlDeviceGetUUID")
	if call == nil {
		return "", false
	}
	in := nvmlFrame{call.In, make([]byte, call.InSize)}
	in.put("device", device)
	in.put("length", 96)
	ret, out := s.askNVML(ctx, uid, call, in.b)
	if ret != nvml.SUCCESS || len(out) < call.OutSize {
		return "", false
	}
	text, _, _ := bytes.Cut(out[call.OutSize:], []byte{0})
	return string(text), true
}
