// SPDX-License-Identifier: Apache-2.0

// Package scope puts workers into transient scopes of systemd's
// (org.freedesktop.systemd1(5)): axon-session-N.scope in axon.slice, where
// systemctl shows, kills and limits them, and where they outlive axond.
package scope

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/containerd/cgroups/v3/cgroup2"
	"github.com/coreos/go-systemd/v22/util"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/transient"
)

// Slice is where the scopes are.
const Slice = "axon.slice"

const (
	waiting  = "axon-warm-"    // begins the names of scopes of workers that wait
	stopTime = 5 * time.Second // for a worker that systemctl stop has told to
	tasksMax = 2048            // without a setting: a fork bomb ends there
)

// Systemd makes scopes. It implements daemon.Scopes.
type Systemd struct {
	manager *transient.Manager
	log     *slog.Logger
}

// New connects to the systemd that runs this machine. An error says why there
// can be no scopes; only root's axond can have any.
func New(log *slog.Logger) (*Systemd, error) {
	switch {
	case !util.IsRunningSystemd():
		return nil, errors.New("systemd does not run this machine")
	case os.Geteuid() != 0:
		return nil, errors.New("axond does not run as root")
	case !transient.Unified():
		return nil, errors.New(transient.Groups + " is no hierarchy of control groups of version 2")
	}
	m := &transient.Manager{Log: log, Groups: transient.Groups, Group: transient.GroupOf, Dial: transient.DialMachine}
	if _, err := m.Conn(); err != nil {
		return nil, err
	}
	return &Systemd{m, log}, nil
}

// Close closes the connection.
func (s *Systemd) Close() { s.manager.Close() }

// Name is the scope of a session.
func Name(session uint32) string { return fmt.Sprintf("axon-session-%d.scope", session) }

func groupPath(session uint32) string { return "/" + Slice + "/" + Name(session) }

// Holds is true.
func (s *Systemd) Holds() bool { return true }

// Place makes a session's scope with the worker in it.
func (s *Systemd) Place(ctx context.Context, p daemon.Placement) (string, error) {
	orNone := func(n uint64) uint64 {
		if n == 0 {
			return math.MaxUint64
		}
		return n
	}
	sc := transient.Scope{
		Name: Name(p.Session), PID: p.PID, Slice: Slice, Description: p.Description, StopTime: stopTime,
		MemoryMax: orNone(uint64(p.Limits.MemoryMax)), MemoryHigh: orNone(uint64(p.Limits.MemoryHigh)), TasksMax: p.Limits.TasksMax,
	}
	if sc.TasksMax == 0 {
		sc.TasksMax = tasksMax
	}
	return sc.Name, s.manager.Make(ctx, sc)
}

// Wait makes a scope for a worker that waits. It ends when the worker is taken out
// of it; what the worker has by then stays counted in the slice.
func (s *Systemd) Wait(ctx context.Context, pid int) error {
	return s.manager.Make(ctx, transient.Scope{
		Name: fmt.Sprintf("%s%d.scope", waiting, pid), PID: pid, Slice: Slice, Description: "axon worker that waits for a session", StopTime: stopTime,
		MemoryMax: math.MaxUint64, MemoryHigh: math.MaxUint64, TasksMax: tasksMax,
	})
}

// Usage is what a session's scope has used.
func (s *Systemd) Usage(session uint32) (daemon.Usage, bool) {
	m, err := cgroup2.Load(groupPath(session), cgroup2.WithMountpoint(s.manager.Groups))
	if err != nil {
		return daemon.Usage{}, false
	}
	st, err := m.StatFiltered(cgroup2.StatCPU | cgroup2.StatMemory)
	if err != nil || st.GetCPU().GetUsageUsec() == 0 && st.GetMemory().GetUsage() == 0 {
		return daemon.Usage{}, false // it is not there
	}
	return daemon.Usage{
		CPU:        time.Duration(st.GetCPU().GetUsageUsec()) * time.Microsecond,
		Memory:     st.GetMemory().GetUsage(),
		MemoryPeak: st.GetMemory().GetMaxUsage(),
	}, true
}

// Memory is how much memory a session's scope has.
func (s *Systemd) Memory(session uint32) (uint64, bool) {
	b, err := os.ReadFile(filepath.Join(s.manager.Groups, groupPath(session), "memory.current"))
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}

// Remove kills what a worker has left in its scope, which systemd then collects.
func (s *Systemd) Remove(session uint32) {
	m, err := cgroup2.Load(groupPath(session), cgroup2.WithMountpoint(s.manager.Groups))
	if err != nil {
		return
	}
	if left, err := m.Procs(true); err != nil || len(left) == 0 {
		return
	}
	if err := m.Kill(); err != nil {
		s.log.Warn("what a worker has left in its scope cannot be killed", "session", session, "scope", Name(session), "err", err)
	}
}

// Strays ends scopes that belong to no session.
func (s *Systemd) Strays(ctx context.Context, keep func(session uint32) bool) {
	conn, err := s.manager.Conn()
	if err != nil {
		s.log.Warn("what earlier sessions have left cannot be looked for", "err", err)
		return
	}
	units, err := conn.ListUnitsByPatternsContext(ctx, nil, []string{"axon-session-*.scope", waiting + "*.scope"})
	if err != nil {
		s.log.Warn("what earlier sessions have left cannot be looked for", "err", err)
		return
	}
	for _, u := range units {
		if strings.HasPrefix(u.Name, waiting) {
			// Its worker ends by itself, unless it hangs.
			if _, err := conn.StopUnitContext(ctx, u.Name, "replace", nil); err != nil {
				s.log.Debug("that scope was gone already", "scope", u.Name, "err", err)
			}
			continue
		}
		number, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(u.Name, "axon-session-"), ".scope"), 10, 32)
		if err != nil || keep(uint32(number)) {
			continue
		}
		s.log.Warn("a scope was left by a session that is gone; it is stopped", "scope", u.Name)
		s.Remove(uint32(number))
		conn.ResetFailedUnitContext(ctx, u.Name)
		if _, err := conn.StopUnitContext(ctx, u.Name, "replace", nil); err != nil {
			s.log.Debug("that scope was gone already", "scope", u.Name, "err", err)
		}
	}
}

// Restarting says whether systemd stops axond in order to start it again.
func (s *Systemd) Restarting(ctx context.Context) (bool, error) {
	conn, err := s.manager.Conn()
	if err != nil {
		return false, err
	}
	unit, err := conn.GetUnitNameByPID(ctx, uint32(os.Getpid()))
	if err != nil {
		return false, err
	}
	jobs, err := conn.ListJobsContext(ctx)
	if err != nil {
		return false, err
	}
	for _, j := range jobs {
		if j.Unit == unit {
			return j.JobType == "restart" || j.JobType == "try-restart", nil
		}
	}
	return false, nil
}
