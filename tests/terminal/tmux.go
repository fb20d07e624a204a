// SPDX-License-Identifier: Apache-2.0

// Package terminal runs programs on a real terminal, tmux's, for tests that
// type and look.
package terminal

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long a screen may take to become what is waited for. The
// machine may be busy with other tests.
const patience = 30 * time.Second

// Terminal is a terminal with a program on it.
type Terminal struct {
	t      testing.TB
	socket string
	status string // the file that gets the program's exit status
}

// settings are tmux's: the whole screen is the program's, and stays when it ends.
const settings = "set -g status off\nset -g remain-on-exit on\nset -g escape-time 0\nset -g default-terminal tmux-256color\n"

// Start starts a program on a terminal of so many columns and lines. Without
// tmux the test is skipped. env goes over the test's own environment.
func Start(t testing.TB, columns, lines int, env []string, program string, args ...string) *Terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux; scripts/deps installs it")
	}
	dir, err := os.MkdirTemp("", "terminal")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	conf := filepath.Join(dir, "conf")
	if err := os.WriteFile(conf, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	x := &Terminal{t, filepath.Join(dir, "sock"), filepath.Join(dir, "status")}
	words := []string{"-f", conf, "new-session", "-d", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(lines)}
	for _, e := range append([]string{"LC_ALL=C.UTF-8", "NO_COLOR=", "TZ=UTC"}, env...) {
		words = append(words, "-e", e)
	}
	// tmux knows the status as well, but now and then (3.3a) misses that a child has ended.
	words = append(words, "--", "sh", "-c", `"$@"; echo $? >"$0.new"; mv "$0.new" "$0"`, x.status, program)
	x.tmux(append(words, args...)...)
	t.Cleanup(func() { exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
	return x
}

// tmux runs a command of tmux's.
func (x *Terminal) tmux(args ...string) string {
	x.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8") // as if there were none around the test
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		x.t.Fatalf("tmux %q: %v, %s", args, err, errOut.String())
	}
	return out.String()
}

// Type presses keys, by tmux's names: "j", "Enter", "C-d".
func (x *Terminal) Type(keys ...string) {
	x.t.Helper()
	x.tmux(append([]string{"send-keys", "--"}, keys...)...)
}

// Write types a text, letter by letter.
func (x *Terminal) Write(text string) {
	x.t.Helper()
	x.tmux("send-keys", "-l", "--", text)
}

// Resize changes the terminal's size.
func (x *Terminal) Resize(columns, lines int) {
	x.t.Helper()
	x.tmux("resize-window", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(lines))
}

// Screen is what is on the terminal: its lines, without spaces at their ends.
func (x *Terminal) Screen() string {
	x.t.Helper()
	lines := strings.Split(x.tmux("capture-pane", "-p"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Escapes is the same with the escape sequences for colours and the like, and
// with the spaces at the ends of lines.
func (x *Terminal) Escapes() string {
	x.t.Helper()
	return x.tmux("capture-pane", "-p", "-e", "-N")
}

// Written is how many bytes the program has written since Record.
func (x *Terminal) Written() int64 {
	x.t.Helper()
	st, err := os.Stat(x.status + ".output")
	if err != nil {
		x.t.Fatal(err)
	}
	return st.Size()
}

// Record writes down what the program writes from now on.
func (x *Terminal) Record() {
	x.t.Helper()
	file := x.status + ".output"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		x.t.Fatal(err)
	}
	x.tmux("pipe-pane", "exec cat >>"+file)
}

// Until waits for a screen and returns it.
func (x *Terminal) Until(what string, is func(screen string) bool) string {
	x.t.Helper()
	var screen string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if screen = x.Screen(); is(screen) {
			return screen
		}
	}
	x.t.Fatalf("in %v there was no screen with %s, but:\n%s", patience, what, screen)
	return ""
}

// Has waits for texts that are on the screen at the same time.
func (x *Terminal) Has(texts ...string) string {
	x.t.Helper()
	return x.Until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, t := range texts {
			if !strings.Contains(screen, t) {
				return false
			}
		}
		return true
	})
}

// Lacks waits until a text is not on the screen any more.
func (x *Terminal) Lacks(text string) string {
	x.t.Helper()
	return x.Until(fmt.Sprintf("no %q", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// Ended waits until the program has ended and returns its status; of one that a
// signal ended that is 128 and the signal's number.
func (x *Terminal) Ended() int {
	x.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(x.status); err == nil {
			code, err := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil {
				x.t.Fatal(err)
			}
			return code
		}
	}
	x.t.Fatalf("the program has not ended in %v:\n%s", patience, x.Screen())
	return -1
}
