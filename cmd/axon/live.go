// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/tui"
	"nervlinux.org/axon/view"
)

// live is the view on a terminal.
func (c *topCommand) live(f *fleet.Fleet) error {
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM, unix.SIGHUP)
	defer stop()
	err := tui.Run(ctx, f, tui.Options{ASCII: tui.ASCII(os.Getenv), Shell: c.shell})
	if err != nil {
		return fail(1, "the terminal cannot be used: %v; for a plain table: axon --once", err)
	}
	return nil
}

// shell is a shell whose programs load axon's library and see one GPU.
func (c *topCommand) shell(g *view.GPU) (*exec.Cmd, error) {
	path, err := exec.LookPath(os.Getenv("SHELL"))
	if err != nil {
		path = "/bin/sh"
	}
	cmd := exec.Command(path)
	cmd.Env = setenv(os.Environ(), "CUDA_VISIBLE_DEVICES", g.UUID)
	if c.Socket != "" {
		socket, err := filepath.Abs(c.Socket)
		if err != nil {
			return nil, err
		}
		cmd.Env = setenv(cmd.Env, "AXON_SESSION", socket)
	}
	// Without a shim of its own folder the programs find the one that is installed.
	if shim, err := shimFolder(""); err == nil {
		cmd.Env = setenv(cmd.Env, "LD_LIBRARY_PATH", libraryPath(shim, os.Getenv("LD_LIBRARY_PATH")))
	}
	return cmd, nil
}
