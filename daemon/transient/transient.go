// SPDX-License-Identifier: Apache-2.0

// Package transient has systemd make transient scopes for processes that run
// (org.freedesktop.systemd1(5), StartTransientUnit), and makes sure that they are
// what was asked for.
//
// That is a race with systemd. It creates the scope and moves the process in a
// job that may take its time, and up to version 257 a scope can be dead at
// birth, its process left in a control group that nobody manages: systemd was
// told that the group is empty before the process was in it (seen on Debian 12,
// version 252). So Make returns when the job is done and the scope was looked
// at: it is active, the process is in its group, and the group has the limits
// that were asked for. Whatever was not to happen outside has to wait for that.
package transient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path"
	"path/filepath"
	"sync"
	"time"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

const (
	attempts     = 5                // to make a scope
	attemptTime  = 10 * time.Second // for one
	attemptPause = 20 * time.Millisecond
)

// Groups is where control groups of version 2 are mounted.
const Groups = "/sys/fs/cgroup"

// Scope is one to be made. No limit is the largest number.
type Scope struct {
	Name        string // ends in .scope
	PID         int    // of the process that shall be in it
	Slice       string // "" is the manager's own choice
	Description string // for people
	StopTime    time.Duration
	MemoryMax   uint64 // bytes
	MemoryHigh  uint64 // bytes
	TasksMax    uint64
}

// Manager is a systemd: the machine's or a user's.
type Manager struct {
	Log    *slog.Logger
	Dial   func() (*sd.Conn, error)
	Groups string                        // where the control groups are mounted
	Group  func(pid int) (string, error) // a process's, from the hierarchy's root; GroupOf

	mu   sync.Mutex
	conn *sd.Conn // nil if there is none
}

// DialMachine connects to the systemd that runs the machine: directly, as the
// bus may be restarted at any time, or by the bus.
func DialMachine() (*sd.Conn, error) {
	c, err := sd.NewSystemdConnectionContext(context.Background())
	if err != nil {
		c, err = sd.NewSystemConnectionContext(context.Background())
	}
	return c, err
}

// Unified says whether this machine has control groups of version 2.
func Unified() bool {
	var fs unix.Statfs_t
	return unix.Statfs(Groups, &fs) == nil && fs.Type == unix.CGROUP2_SUPER_MAGIC
}

// Conn is the connection, made anew if systemd has closed it.
func (m *Manager) Conn() (*sd.Conn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conn != nil && m.conn.Connected() {
		return m.conn, nil
	}
	if m.conn != nil {
		m.conn.Close()
		m.conn = nil
	}
	c, err := m.Dial()
	if err != nil {
		return nil, fmt.Errorf("systemd cannot be reached: %w", err)
	}
	m.conn = c
	return c, nil
}

// Close closes the connection.
func (m *Manager) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conn != nil {
		m.conn.Close()
		m.conn = nil
	}
}

// Make makes a scope.
func (m *Manager) Make(ctx context.Context, s Scope) error {
	var err error
	for i := range attempts {
		if i > 0 {
			m.Log.Warn("a scope was not made as it should be, it is made again", "scope", s.Name, "err", err)
			select {
			case <-time.After(attemptPause << i):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err = m.attempt(ctx, s); err == nil {
			return nil
		}
		if ctx.Err() != nil || unix.Kill(s.PID, 0) == unix.ESRCH {
			break
		}
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}

func (m *Manager) attempt(ctx context.Context, s Scope) error {
	conn, err := m.Conn()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	done := make(chan string, 1)
	_, err = conn.StartTransientUnitContext(ctx, s.Name, "fail", s.properties(), done)
	var de dbus.Error
	if errors.As(err, &de) && de.Name == "org.freedesktop.systemd1.UnitExists" {
		// One that failed, or that somebody has left.
		conn.ResetFailedUnitContext(ctx, s.Name)
		stopped := make(chan string, 1)
		if _, err := conn.StopUnitContext(ctx, s.Name, "replace", stopped); err == nil {
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
		if err := m.verify(context.WithoutCancel(ctx), conn, s); err != nil {
			return fmt.Errorf("systemd's job did not end in %v, and %w", attemptTime, err)
		}
		return nil
	}
	return m.verify(ctx, conn, s)
}

func (s Scope) properties() []sd.Property {
	property := func(name string, value any) sd.Property {
		return sd.Property{Name: name, Value: dbus.MakeVariant(value)}
	}
	p := []sd.Property{
		property("Description", s.Description),
		property("PIDs", []uint32{uint32(s.PID)}),
		property("CollectMode", "inactive-or-failed"),
		property("CPUAccounting", true),
		property("MemoryAccounting", true),
		property("TasksAccounting", true),
		property("MemoryMax", s.MemoryMax),
		property("MemoryHigh", s.MemoryHigh),
		property("MemorySwapMax", uint64(0)),
		property("TasksMax", s.TasksMax),
	}
	if s.Slice != "" {
		p = append(p, property("Slice", s.Slice))
	}
	if s.StopTime != 0 {
		p = append(p, property("TimeoutStopUSec", uint64(s.StopTime.Microseconds())))
	}
	return p
}

// verify looks whether a process is where it should be.
func (m *Manager) verify(ctx context.Context, conn *sd.Conn, s Scope) error {
	state, err := conn.GetUnitPropertyContext(ctx, s.Name, "ActiveState")
	if err != nil {
		return err
	}
	if got, _ := state.Value.Value().(string); got != "active" {
		return fmt.Errorf("it is %q at birth", got)
	}
	group, err := m.Group(s.PID)
	if err != nil {
		return fmt.Errorf("the process's control group: %w", err)
	}
	if path.Base(group) != s.Name {
		return fmt.Errorf("the process is in the control group %s", group)
	}
	for file, want := range map[string]uint64{"memory.max": s.MemoryMax, "memory.high": s.MemoryHigh} {
		if want == math.MaxUint64 {
			continue
		}
		got, err := readSize(filepath.Join(m.Groups, group, file))
		if err != nil {
			return fmt.Errorf("its limit of memory does not hold: %w", err)
		}
		if got > want {
			return fmt.Errorf("its %s is %d and not %d", file, got, want)
		}
	}
	return nil
}
