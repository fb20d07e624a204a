// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What programs do to the process that the shim lives in.
func TestProgramsThatAreHardOnTheirProcess(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	in.runCases(t, in.clientEnv(a.socket), "survive", nil)
	waitFor(t, "every worker ended with its client", 20*time.Second, func() bool { return len(a.workers()) == 0 })
}

// Null pointers and dead handles are errors, in whatever function and whatever
// state the process is in; a shim that is not whole loses a symbol.
func TestEveryFunctionTakesZeros(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	names, err := os.ReadFile(filepath.Join("..", "..", "shims", "api", "cuda", "testdata", "exports.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"before", "after", "forked"} {
		t.Run(when, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := in.command(ctx, in.clientEnv(a.socket), "zeros", when)
			cmd.Stdin = bytes.NewReader(names)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if len(lines) < 670 {
				t.Errorf("only %d functions were called", len(lines))
			}
			for _, line := range lines {
				name, result, _ := strings.Cut(line, " ")
				if strings.HasPrefix(result, "signal") || result == "missing" || result == "hangs" {
					t.Errorf("%s: %s", name, result)
				}
				// Without a session nothing can succeed.
				if result == "0" && when != "after" {
					t.Errorf("%s succeeds", name)
				}
			}
		})
	}
	c := startClient(t, in, in.clientEnv(a.socket))
	c.expect("open", "0") // and axond is well
}

// An axond that is killed cannot tell its clients; if its worker is killed with
// it (a whole control group is), nobody can.
func TestAClientHearsOfItsAxondsDeath(t *testing.T) {
	for _, who := range []string{"axond", "axond and the worker"} {
		t.Run(who, func(t *testing.T) {
			in := installation{build: buildDir(t)}
			a := startAxond(t, in)
			c := startClient(t, in, in.clientEnv(a.socket))
			c.expect("open", "0")
			c.expect("call", "0")
			workers := a.workers()
			if who != "axond" {
				a.cmd.Process.Signal(syscall.SIGSTOP) // or it would see the worker go
				for _, pid := range workers {
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
			a.cmd.Process.Kill()
			// Each call returns, and before long with the error.
			waitFor(t, "a call fails", 30*time.Second, func() bool { return c.tell("wait") == deviceUnavailable })
			c.expect("call", deviceUnavailable)
		})
	}
}

// A pager that was quit, a journal that hangs: sessions begin and end all the same.
func TestSessionsDoNotNeedALogThatIsRead(t *testing.T) {
	in := installation{build: buildDir(t)}
	for _, reader := range []string{"gone", "asleep"} {
		t.Run(reader, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, 4096) // filled by some sessions' lines
			in.log = w
			a := startAxond(t, in)
			w.Close()
			if reader == "gone" {
				r.Close()
			}
			for range 40 {
				c := startClient(t, in, in.clientEnv(a.socket))
				c.expect("open", "0")
				c.expect("call", "0")
				c.in.Close()
				c.cmd.Wait()
			}
			waitFor(t, "every worker ended with its client", 20*time.Second, func() bool { return len(a.workers()) == 0 })
		})
	}
}
