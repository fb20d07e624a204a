// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"nervlinux.org/axon/wire"
)

// A session's limit of GPU memory is the smallest of what axond.toml says for
// its user, what axon run was told, and, on a GPU that has its memory in the
// machine's, what the program's control groups and the machine have left. The
// kernel counts none of a GPU's memory in a control group (measured on GB10:
// 12 GiB in a scope with MemoryMax=8G), so axond does: what its workers have for
// the programs of a group counts in the group and in all above it. The worker
// enforces the limit and asks before each allocation of some size.

// floorMax is the most that is left alone without a setting, bytes.
const floorMax = 2 << 30

// Variables of the hello by which axon run hands on what it was told. They can
// only make a limit smaller.
const (
	EnvGPUMemory = "AXON_GPU_MEMORY"
	EnvMemory    = "AXON_MEMORY"
)

// SessionLimit is what a session may have, bytes.
type SessionLimit struct {
	GPUMemory uint64
	Pinned    uint64 // of host memory, on a GPU that has memory of its own
}

// of is the limit for a session whose hello has an environment. Errors are Refusals.
func (l Limits) of(env []string) (SessionLimit, error) {
	s := SessionLimit{l.gpuMemory(), math.MaxUint64}
	seen := map[string]bool{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if name != EnvGPUMemory && name != EnvMemory || seen[name] {
			continue // getenv finds the first of two
		}
		seen[name] = true
		size, err := ParseSize(value)
		if err != nil {
			return s, refuse(wire.StatusNoWorker, "%s: %v", name, err)
		}
		s.GPUMemory = min(s.GPUMemory, uint64(size))
		if name == EnvMemory {
			s.Pinned = min(s.Pinned, uint64(size))
		}
	}
	return s, nil
}

// gpuMemory is the administrator's part of that.
func (l Limits) gpuMemory() uint64 {
	if l.GPUMemory == 0 {
		return math.MaxUint64
	}
	return uint64(l.GPUMemory)
}

// Allow is the administrator's: it makes what a session's user may set the
// limit to.
func (s *Server) Allow(number uint32, bytes uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lives[number]
	if l == nil {
		return ErrNoSession
	}
	l.allowed.Store(bytes)
	return nil // SetLimit follows, and has it kept
}

// SetLimit changes a session's limit of GPU memory, bytes. What it has it keeps.
func (s *Server) SetLimit(number uint32, bytes uint64) error {
	s.mu.Lock()
	l := s.lives[number]
	s.mu.Unlock()
	if l == nil {
		return ErrNoSession
	}
	l.limit.Store(bytes)
	s.setLimit(l, 0)
	select {
	case l.changed <- struct{}{}: // for the state that outlives axond
	default:
	}
	return nil
}

// setLimit computes a session's limit and tells the worker. It has taken
// `asking` bytes that the machine does not know of yet.
func (s *Server) setLimit(l *live, asking uint64) {
	// One at a time: each sees what the others were granted.
	s.sums.Lock()
	defer s.sums.Unlock()
	limit := l.limit.Load()
	if f, ok := s.figures(l); ok && f.Shares {
		limit = min(limit, s.shared(l.info, f, asking))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lives[l.info.Session] == l { // else its account is gone
		l.account.SetLimit(limit)
	}
}

func (s *Server) figures(l *live) (wire.Figures, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lives[l.info.Session] != l {
		return wire.Figures{}, false
	}
	return l.account.Figures(), true
}

// shared is what a session may have of memory that is the machine's, too.
func (s *Server) shared(info SessionInfo, f wire.Figures, asking uint64) uint64 {
	has := f.Device + f.Pinned
	if has < f.Device {
		return 0 // no sane worker says so
	}
	limit := uint64(math.MaxUint64)
	if left, err := s.machine.available(); err == nil {
		limit = atLeast0(has, asking) + atLeast0(left, s.floor())
	} else {
		s.Log.Warn("the machine's memory is not known, so none is kept for it", "err", err)
	}
	groups, err := s.machine.groups(info.PID)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.Log.Warn("the control groups of a program cannot be read, so they do not limit it", "session", info.Session, "err", err)
	}
	for _, g := range groups {
		others := uint64(0)
		for pid, outside := range s.outside(info.Session) {
			if s.machine.within(pid, g.path) {
				others += outside
			}
		}
		inside := atLeast0(has, f.Outside) // is among what the group has used
		limit = min(limit, atLeast0(g.max, g.used+others)+inside)
	}
	return limit
}

// outside is what other programs' sessions have that is the machine's memory
// and is counted in no group of theirs, by process.
func (s *Server) outside(but uint32) map[int]uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[int]uint64{}
	for number, l := range s.lives {
		if f := l.account.Figures(); number != but && f.Shares {
			all[l.info.PID] += f.Outside
		}
	}
	return all
}

func atLeast0(a, b uint64) uint64 {
	if a < b {
		return 0
	}
	return a - b
}

// floor is how much of the machine's memory is left alone, bytes.
func (s *Server) floor() uint64 {
	if f := s.inForce.Load().MemoryFloor; f != 0 {
		return uint64(f)
	}
	total, err := s.machine.meminfo("MemTotal")
	if err != nil {
		return floorMax
	}
	return min(total/16, floorMax)
}

// machine is where the kernel says what memory there is.
type machine struct {
	proc   string // /proc
	cgroup string // where the control groups are mounted
}

// group is a control group with a limit.
type group struct {
	path      string // from the hierarchy's root
	max, used uint64 // bytes
}

// groups are those of a process that limit its memory: its own and those above.
func (m machine) groups(pid int) ([]group, error) {
	path, err := m.groupOf(pid)
	if err != nil {
		return nil, err
	}
	var all []group
	for ; path != "" && path != "/"; path = path[:strings.LastIndexByte(path, '/')] {
		dir := m.cgroup + path
		limit, err := readCount(dir + "/memory.max")
		if errors.Is(err, os.ErrNotExist) || err == nil && limit == math.MaxUint64 {
			continue // no limit here; where the controller is off there is none below either
		}
		if err != nil {
			return nil, err
		}
		used, err := readCount(dir + "/memory.current")
		if err != nil {
			return nil, err
		}
		// Files that were read lately and nobody uses: the kernel lets go of
		// them when the group comes to its limit.
		cache, err := readField(dir+"/memory.stat", "inactive_file")
		if err != nil {
			return nil, err
		}
		all = append(all, group{path, limit, atLeast0(used, cache)})
	}
	return all, nil
}

// within says whether a process is in a group or below it.
func (m machine) within(pid int, path string) bool {
	own, err := m.groupOf(pid)
	return err == nil && (own == path || strings.HasPrefix(own, path+"/"))
}

func (m machine) groupOf(pid int) (string, error) {
	b, err := os.ReadFile(fmt.Sprintf("%s/%d/cgroup", m.proc, pid))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(b)) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::/"); ok && !strings.HasPrefix(path, "..") {
			return "/" + path, nil
		}
	}
	return "", fmt.Errorf("process %d is in no control group of version 2 that can be seen from here: %w", pid, os.ErrNotExist)
}

// available is MemAvailable, bytes.
func (m machine) available() (uint64, error) { return m.meminfo("MemAvailable") }

func (m machine) meminfo(name string) (uint64, error) {
	kib, err := readField(m.proc+"/meminfo", name+":")
	return kib << 10, err
}

// readCount reads a file that has a number in it, or "max".
func readCount(file string) (uint64, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	text := strings.TrimSpace(string(b))
	if text == "max" {
		return math.MaxUint64, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return n, nil
}

// readField reads the number after a name at the start of one of a file's lines.
func readField(file, name string) (uint64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if words := strings.Fields(s.Text()); len(words) > 1 && words[0] == name {
			return strconv.ParseUint(words[1], 10, 64)
		}
	}
	return 0, fmt.Errorf("%s has no line %s", file, name)
}
