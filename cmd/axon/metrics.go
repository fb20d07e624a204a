// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/wire"
)

// metricsCommand is axon metrics.
type metricsCommand struct {
	Listen string `long:"listen" value-name:"WHERE" description:"Answer scrapes there: the path of a Unix socket, with a slash, or address:port"`
	Once   bool   `long:"once" description:"Print the figures once"`
	Socket string `long:"socket" value-name:"PATH" description:"Where axond is (default: AXON_SESSION, else /run/axon/sock)"`

	out io.Writer
}

func metricsDescription(out io.Writer) command {
	return command{
		name:  "metrics",
		short: "tell Prometheus what the GPUs do",
		long: "Answers scrapes by Prometheus over HTTP, with dcgm-exporter's names where they mean the same, and axon's own for sessions. " +
			"Started by systemd it answers on the sockets that systemd made.\n\n" +
			"Examples:\n" +
			"$ axon metrics --listen 127.0.0.1:9400\n" +
			"$ axon metrics --listen /run/user/1000/axon-metrics.sock\n" +
			"$ axon metrics --once",
		data: &metricsCommand{out: out},
	}
}

// Execute prints, or answers until it is told to end.
func (c *metricsCommand) Execute(args []string) error {
	switch {
	case len(args) > 0:
		return fail(usageStatus, "metrics has no arguments, but %q was given", args[0])
	case c.Once && c.Listen != "":
		return fail(usageStatus, "--once and --listen exclude each other; leave one out")
	}
	f := fleet.New([]fleet.Member{thisMachine(c.Socket)}, time.Second)
	defer f.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	if c.Once {
		f.Ask(ctx)
		if err := interrupted(ctx); err != nil {
			return err
		}
		m := f.Machines()[0]
		if err := show.Metrics(c.out, m); err != nil {
			return err
		}
		if m.Err != nil {
			return fail(1, "%s", show.Text(m.Err.Error()))
		}
		return nil
	}
	listeners, err := c.listeners()
	if err != nil {
		return err
	}
	failed := make(chan error, len(listeners))
	s := &scrapes{fleet: f, crowd: crowd{max: atOnce}}
	for _, l := range listeners {
		go func() { failed <- s.serve(ctx, l) }()
	}
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	for _, l := range listeners {
		l.Close()
	}
	if err != nil && ctx.Err() == nil {
		return fail(1, "metrics cannot be told any more: %v", err)
	}
	return nil
}

// listeners are where scrapes come in.
func (c *metricsCommand) listeners() ([]net.Listener, error) {
	if c.Listen == "" {
		found, err := passedOn()
		if err == nil && len(found) == 0 {
			err = fail(usageStatus, "metrics needs a place, for example --listen 127.0.0.1:9400, or --once")
		}
		return found, err
	}
	if strings.Contains(c.Listen, "/") {
		l, err := listenUnix(c.Listen)
		if err != nil {
			return nil, err
		}
		return []net.Listener{l}, nil
	}
	l, err := net.Listen("tcp", c.Listen)
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		return nil, fail(1, "--listen %s: something listens there already (dcgm-exporter?); take another port", c.Listen)
	case errors.Is(err, fs.ErrPermission):
		return nil, fail(1, "--listen %s: you may not; take a port from 1024 on", c.Listen)
	case errors.Is(err, unix.EADDRNOTAVAIL):
		return nil, fail(1, "--listen %s: this machine has no such address; take one that it has (ip address)", c.Listen)
	case err != nil:
		return nil, fail(usageStatus, "--listen %s: %v; it is address:port, or a path with a slash", c.Listen, err)
	}
	return []net.Listener{l}, nil
}

// passedOn are the listeners that systemd made, sd_listen_fds(3). go-systemd's
// package for that brings TLS along, which every start of axon would pay for.
func passedOn() (all []net.Listener, err error) {
	const first = 3 // SD_LISTEN_FDS_START
	if os.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	n, err := strconv.Atoi(os.Getenv("LISTEN_FDS"))
	if err != nil || n < 0 || n > 1000 {
		return nil, fail(usageStatus, "LISTEN_FDS=%s is not what systemd says; start axon metrics by its unit, or with --listen", os.Getenv("LISTEN_FDS"))
	}
	for fd := first; fd < first+n; fd++ {
		file := os.NewFile(uintptr(fd), "socket")
		l, err := net.FileListener(file) // a duplicate, which is closed on exec
		file.Close()
		if err != nil {
			return nil, fail(1, "a socket of systemd's cannot be listened on: %v; axon-metrics.socket needs ListenStream=", err)
		}
		all = append(all, l)
	}
	return all, nil
}

// listenUnix makes a socket in place of one on which nobody listens any more.
// Who may connect is up to the folder and the umask.
func listenUnix(path string) (net.Listener, error) {
	if len(path) > wire.SocketPathMax {
		return nil, fail(usageStatus, "--listen %s: that is longer than the %d bytes that a socket's path can be", path, wire.SocketPathMax)
	}
	l, err := net.Listen("unix", path)
	if errors.Is(err, unix.EADDRINUSE) {
		if st, serr := os.Lstat(path); serr == nil && st.Mode().Type() != fs.ModeSocket {
			return nil, fail(1, "--listen %s: it is there, and no socket; take another path", path)
		} else if serr == nil {
			if conn, derr := net.Dial("unix", path); derr == nil {
				conn.Close()
				return nil, fail(1, "--listen %s: something listens there already; take another path", path)
			} else if errors.Is(derr, unix.ECONNREFUSED) {
				if err = os.Remove(path); err == nil {
					l, err = net.Listen("unix", path)
				}
			}
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		return nil, fail(1, "--listen %s: there is no folder %s; make it", path, filepath.Dir(path))
	case errors.Is(err, fs.ErrPermission):
		return nil, fail(1, "--listen %s: you may not make a socket there; take another folder", path)
	case err != nil:
		return nil, fail(1, "--listen %s: %v", path, err)
	}
	return l, nil
}
