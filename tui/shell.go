// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"

	"golang.org/x/sys/unix"
)

// shell is a shell that has the terminal until it ends; tea's ExecCommand.
type shell struct {
	*exec.Cmd
	hello string
}

// SetStdin is tea.ExecCommand's.
func (s *shell) SetStdin(r io.Reader) { s.Stdin = r }

// SetStdout is tea.ExecCommand's.
func (s *shell) SetStdout(w io.Writer) { s.Stdout = w }

// SetStderr is tea.ExecCommand's.
func (s *shell) SetStderr(w io.Writer) { s.Stderr = w }

// Run runs it and takes the terminal back: a shell that was killed has left it
// to a process group that is no more.
func (s *shell) Run() error {
	fmt.Fprintln(s.Stdout, s.hello)
	err := s.Cmd.Run()
	if in, ok := s.Stdin.(*os.File); ok {
		signal.Ignore(unix.SIGTTOU) // the kernel's answer to those in the background
		unix.IoctlSetPointerInt(int(in.Fd()), unix.TIOCSPGRP, unix.Getpgrp())
		signal.Reset(unix.SIGTTOU)
	}
	return err
}
