// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/transient"
)

// confine puts this process, which is about to become the program, into a scope
// with a limit of memory: of the user's own systemd, or root's of the machine's.
func confine(program string, max daemon.Size) error {
	m := &transient.Manager{Log: slog.New(slog.DiscardHandler), Groups: transient.Groups, Group: transient.GroupOf, Dial: dialUser}
	remedy := "; log in where systemd runs for you (loginctl enable-linger does it for good), or leave --memory out and limit the GPU's memory only, with --gpu-memory"
	if os.Geteuid() == 0 {
		m.Dial, remedy = transient.DialMachine, "; leave --memory out where systemd does not run the machine, and limit the GPU's memory only, with --gpu-memory"
	}
	if !transient.Unified() {
		return fail(runFailed, "--memory: %s is no hierarchy of control groups of version 2%s", transient.Groups, remedy)
	}
	defer m.Close()
	err := m.Make(context.Background(), transient.Scope{
		Name:        fmt.Sprintf("axon-run-%d.scope", os.Getpid()),
		PID:         os.Getpid(),
		Description: "axon run " + filepath.Base(program),
		MemoryMax:   uint64(max),
		MemoryHigh:  math.MaxUint64,
		TasksMax:    math.MaxUint64,
	})
	if err != nil {
		return fail(runFailed, "--memory: %v%s", err, remedy)
	}
	return nil
}

// dialUser connects to the user's own systemd, also where nothing says where it
// is, as under su.
func dialUser() (*sd.Conn, error) {
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	if runtime == "" {
		runtime = "/run/user/" + strconv.Itoa(os.Getuid())
	}
	return sd.NewConnection(func() (*dbus.Conn, error) {
		c, err := dbus.Dial("unix:path=" + dbus.EscapeBusAddressValue(filepath.Join(runtime, "systemd/private")))
		if err != nil {
			return nil, err
		}
		if err := c.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Getuid()))}); err != nil {
			c.Close()
			return nil, err
		}
		return c, nil
	})
}
