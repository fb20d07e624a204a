// SPDX-License-Identifier: Apache-2.0

// Package scope puts workers into transient scopes of systemd's
// (org.freedesktop.systemd1(5)): axon-session-N.scope in axon.slice, where
// systemctl shows, kills and limits them, and where they outlive axond.
//
// Place is a race with systemd. It creates the scope and moves the process in a
// job that may take its time, and up to version 257 a scope can be dead at
// birth, its process left in a control group that nobody manages: systemd was
// told that the group is empty before the process was in it (seen on Debian 12,
// version 252). So the worker waits at a pipe until the job is done and the
// scope was looked at: it is active, the process is in its group, and the group
// has the limits that were asked for.
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
	"sync"
	"time"

	"github.com/containerd/cgroups/v3/cgroup2"
	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/coreos/go-systemd/v22/util"
	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon"
)

// Slice is where the scopes are.
const Slice = "axon.slice"

const (
	attempts     = 5                // to place a worker
	attemptTime  = 10 * time.Second // for one
	attemptPause = 20 * time.Millisecond
	stopTime     = 5 * time.Second // for a worker that systemctl stop has told to
	tasksMax     = 2048            // without a setting: a fork bomb ends there
)

// Systemd makes scopes. It implements daemon.Scopes.
type Systemd struct {
	log    *slog.Logger
	dial   func() (*sd.Conn, error)
	groups string                        // where the control groups are mounted
	group  func(pid int) (string, error) // a process's, from the hierarchy's root

	mu   sync.Mutex
	conn *sd.Conn // nil if there is none
}

// New connects to the systemd that runs this machine. An error says why there
// can be no scopes; only root's axond can have any.
func New(log *slog.Logger) (*Systemd, error) {
	switch {
	case !util.IsRunningSystemd():
		return nil, errors.New("systemd does not run this machine")
	case os.Geteuid() != 0:
		return nil, errors.New("axond does not run as root")
	}
	const groups = "/sys/fs/cgroup"
	var fs unix.Statfs_t
	if err := unix.Statfs(groups, &fs); err != nil || fs.Type != unix.CGROUP2_SUPER_MAGIC {
		return nil, errors.New(groups + " is no hierarchy of control groups of version 2")
	}
	s := &Systemd{log: log, groups: groups, group: groupOf, dial: func() (*sd.Conn, error) {
		// Directly: the bus may be restarted at any time.
		c, err := sd.NewSystemdConnectionContext(context.Background())
		if err != nil {
			c, err = sd.NewSystemConnectionContext(context.Background())
		}
		return c, err
	}}
	if _, err := s.connected(); err != nil {
		return nil, err
	}
	return s, nil
}

// connected is the connection, made anew if systemd has closed it.
func (s *Systemd) connected() (*sd.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && s.conn.Connected() {
		return s.conn, nil
	}
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
	c, err := s.dial()
	if err != nil {
		return nil, fmt.Errorf("systemd cannot be reached: %w", err)
	}
	s.conn = c
	return c, nil
}

// Close closes the connection.
func (s *Systemd) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// Name is the scope of a session.
func Name(session uint32) string { return fmt.Sprintf("axon-session-%d.scope", session) }

func groupPath(session uint32) string { return "/" + Slice + "/" + Name(session) }

// Holds is true.
func (s *Systemd) Holds() bool { return true }

// Place makes a session's scope with the worker in it.
func (s *Systemd) Place(ctx context.Context, p daemon.Placement) (string, error) {
	name := Name(p.Session)
	var err error
	for i := range attempts {
		if i > 0 {
			s.log.Warn("a scope was not made as it should be, it is made again", "session", p.Session, "scope", name, "err", err)
			select {
			case <-time.After(attemptPause << i):
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
		if err = s.place(ctx, name, p); err == nil {
			return name, nil
		}
		if ctx.Err() != nil || !s.alive(p.PID) {
			break
		}
	}
	return "", fmt.Errorf("%s: %w", name, err)
}

// alive is false for a process that is gone, which no attempt brings back.
func (s *Systemd) alive(pid int) bool { return unix.Kill(pid, 0) == nil }

func (s *Systemd) place(ctx context.Context, name string, p daemon.Placement) error {
	conn, err := s.connected()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	done := make(chan string, 1)
	_, err = conn.StartTransientUnitContext(ctx, name, "fail", properties(p), done)
	var de dbus.Error
	if errors.As(err, &de) && de.Name == "org.freedesktop.systemd1.UnitExists" {
		// One that failed, or that an earlier axond has left.
		conn.ResetFailedUnitContext(ctx, name)
		if stopped := make(chan string, 1); s.stop(ctx, conn, name, stopped) == nil {
			select {
			case <-stopped:
			case <-ctx.Done():
			}
		}
		return fmt.Errorf("it exists already: %w", err)
	}
	if err != nil {
		return err
	}
	select {
	case result := <-done:
		if result != "done" {
			return fmt.Errorf("systemd's job ended with %q", result)
		}
	case <-ctx.Done():
		// The connection may have been lost with the answer: what there is decides.
		if err := s.verify(context.WithoutCancel(ctx), conn, name, p); err != nil {
			return fmt.Errorf("systemd's job did not end in %v, and %w", attemptTime, err)
		}
		return nil
	}
	return s.verify(ctx, conn, name, p)
}

func (s *Systemd) stop(ctx context.Context, conn *sd.Conn, name string, done chan string) error {
	_, err := conn.StopUnitContext(ctx, name, "replace", done)
	return err
}

func properties(p daemon.Placement) []sd.Property {
	property := func(name string, value any) sd.Property {
		return sd.Property{Name: name, Value: dbus.MakeVariant(value)}
	}
	size := func(s daemon.Size) uint64 {
		if s == 0 {
			return math.MaxUint64 // infinity
		}
		return uint64(s)
	}
	tasks := p.Limits.TasksMax
	if tasks == 0 {
		tasks = tasksMax
	}
	return []sd.Property{
		property("Description", p.Description),
		property("Slice", Slice),
		property("PIDs", []uint32{uint32(p.PID)}),
		property("CollectMode", "inactive-or-failed"),
		property("TimeoutStopUSec", uint64(stopTime.Microseconds())),
		property("CPUAccounting", true),
		property("MemoryAccounting", true),
		property("TasksAccounting", true),
		property("MemoryMax", size(p.Limits.MemoryMax)),
		property("MemoryHigh", size(p.Limits.MemoryHigh)),
		property("MemorySwapMax", uint64(0)),
		property("TasksMax", tasks),
	}
}

// verify looks whether a worker is where it should be.
func (s *Systemd) verify(ctx context.Context, conn *sd.Conn, name string, p daemon.Placement) error {
	state, err := conn.GetUnitPropertyContext(ctx, name, "ActiveState")
	if err != nil {
		return err
	}
	if got, _ := state.Value.Value().(string); got != "active" {
		return fmt.Errorf("it is %q at birth", got)
	}
	group, err := s.group(p.PID)
	if err != nil {
		return fmt.Errorf("the worker's control group: %w", err)
	}
	if filepath.Base(group) != name {
		return fmt.Errorf("the worker is in the control group %s", group)
	}
	for file, want := range map[string]daemon.Size{"memory.max": p.Limits.MemoryMax, "memory.high": p.Limits.MemoryHigh} {
		if want == 0 || want == daemon.Infinity {
			continue
		}
		got, err := readSize(filepath.Join(s.groups, group, file))
		if err != nil {
			return err
		}
		if got > uint64(want) {
			return fmt.Errorf("its %s is %d and not %d", file, got, want)
		}
	}
	return nil
}

// Usage is what a session's scope has used.
func (s *Systemd) Usage(session uint32) (daemon.Usage, bool) {
	m, err := cgroup2.Load(groupPath(session), cgroup2.WithMountpoint(s.groups))
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

// Remove kills what a worker has left in its scope, which systemd then collects.
func (s *Systemd) Remove(session uint32) {
	m, err := cgroup2.Load(groupPath(session), cgroup2.WithMountpoint(s.groups))
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
	conn, err := s.connected()
	if err != nil {
		s.log.Warn("what earlier sessions have left cannot be looked for", "err", err)
		return
	}
	units, err := conn.ListUnitsByPatternsContext(ctx, nil, []string{"axon-session-*.scope"})
	if err != nil {
		s.log.Warn("what earlier sessions have left cannot be looked for", "err", err)
		return
	}
	for _, u := range units {
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
	conn, err := s.connected()
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
