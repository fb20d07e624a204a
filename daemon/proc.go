// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What the view takes from the kernel's files and /etc/passwd.

const (
	argsMax      = 4096                   // bytes of a program's arguments that are shown
	argsTime     = 5 * time.Second        // between two looks at them: programs change theirs
	argsPatience = 200 * time.Millisecond // of a sample with them
	usersTime    = 30 * time.Second       // that a user's name is believed
	hidesTime    = 10 * time.Second       // likewise, how /proc is mounted
)

// cpuTimes is what /proc/stat (proc_stat(5)) says of all processors, in ticks.
type cpuTimes struct {
	processors  int
	busy, total uint64
}

// cpuTimes reads it.
func (m machine) cpuTimes() (cpuTimes, error) {
	f, err := os.Open(m.proc + "/stat")
	if err != nil {
		return cpuTimes{}, err
	}
	defer f.Close()
	var t cpuTimes
	for s := bufio.NewScanner(f); s.Scan(); {
		name, rest, _ := strings.Cut(s.Text(), " ")
		switch {
		case !strings.HasPrefix(name, "cpu"):
			if t.processors == 0 || t.total == 0 {
				return t, fmt.Errorf("%s/stat has no processors", m.proc)
			}
			return t, nil // what follows is long
		case name != "cpu":
			t.processors++
			continue
		}
		for i, w := range strings.Fields(rest) {
			n, err := strconv.ParseUint(w, 10, 64)
			if err != nil {
				return t, fmt.Errorf("%s/stat: %w", m.proc, err)
			}
			switch {
			case i > 7: // guests' time, which is in the user's already
			case i == 3 || i == 4: // idle, and idle with a disk at work
				t.total += n
			default:
				t.busy += n
				t.total += n
			}
		}
	}
	return t, fmt.Errorf("%s/stat ends early", m.proc)
}

// busySince is the part of the time since before that the processors were
// busy, nil if there was none. Idle time may go backwards (proc_stat(5)).
func (t cpuTimes) busySince(before cpuTimes) *float64 {
	if t.total <= before.total || t.busy < before.busy {
		return nil
	}
	r := min(float64(t.busy-before.busy)/float64(t.total-before.total), 1)
	return &r
}

// programArgs are a program's arguments as they were a moment ago. To read them
// the kernel reads the program's memory, for which it may have to wait for as
// long as the program likes: so that is done beside a sample, which does not.
type programArgs struct {
	mu      sync.Mutex
	args    []string // nil if it has none any more
	at      time.Time
	looking bool
}

func (a *programArgs) known() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.args
}

// look looks at them if that was long ago. The channel is closed when that is
// done; it is nil if nobody has begun now.
func (a *programArgs) look(m machine, p process) chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.looking || !a.at.IsZero() && time.Since(a.at) < argsTime {
		return nil
	}
	a.looking = true
	done := make(chan struct{})
	go func() {
		defer close(done)
		args := m.args(p.PID)
		if !p.is() { // they are another's
			args = nil
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.args, a.at, a.looking = args, time.Now(), false
	}()
	return done
}

// lookAtArgs looks at those of sessions' programs.
func (v *viewer) lookAtArgs(all []SessionFigures) {
	args := make(map[uint32]*programArgs, len(all))
	var looks []chan struct{}
	for _, f := range all {
		a := v.args[f.Session]
		if a == nil {
			a = &programArgs{}
		}
		args[f.Session] = a
		if done := a.look(v.s.machine, f.client()); done != nil {
			looks = append(looks, done)
		}
	}
	v.args = args
	late := time.NewTimer(argsPatience)
	defer late.Stop()
	for _, done := range looks {
		select {
		case <-done:
		case <-late.C:
			return
		}
	}
}

// args are a process's arguments, cut where they are long. They are the
// program's own: whoever prints them looks to it that they draw nothing.
func (m machine) args(pid int) []string {
	f, err := os.Open(fmt.Sprintf("%s/%d/cmdline", m.proc, pid))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, argsMax))
	if err != nil || len(b) == 0 {
		return nil
	}
	var all []string
	for _, arg := range bytes.Split(bytes.TrimSuffix(b, []byte{0}), []byte{0}) {
		all = append(all, strings.ToValidUTF8(string(arg), "?"))
	}
	return all
}

// hiding remembers how /proc is mounted.
type hiding struct {
	mu  sync.Mutex
	yes bool
	at  time.Time
}

// now says whether /proc keeps users from seeing others' arguments (hidepid= in
// proc(5)). axond, which sees them, then does not tell them.
func (h *hiding) now(m machine) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at.IsZero() || time.Since(h.at) > hidesTime {
		h.yes, h.at = mountHides(m.proc+"/self/mounts", m.proc), time.Now()
	}
	return h.yes
}

// mountHides is true if it cannot be known.
func mountHides(mounts, at string) bool {
	b, err := os.ReadFile(mounts)
	if err != nil {
		return true
	}
	hidden, found := false, false
	for line := range strings.Lines(string(b)) {
		w := strings.Fields(line)
		if len(w) < 4 || w[1] != at {
			continue
		}
		found, hidden = true, false // the last one is on top
		for _, o := range strings.Split(w[3], ",") {
			if v, ok := strings.CutPrefix(o, "hidepid="); ok && v != "0" && v != "off" {
				hidden = true
			}
		}
	}
	return hidden || !found
}

// userNames remembers users' names: a static program reads all of /etc/passwd
// for each.
type userNames struct {
	known map[uint32]*string
	at    time.Time
}

// name is nil if the user has none.
func (u *userNames) name(uid uint32) *string {
	if u.known == nil || time.Since(u.at) > usersTime {
		u.known, u.at = map[uint32]*string{}, time.Now()
	}
	name, ok := u.known[uid]
	if !ok {
		got, err := user.LookupId(strconv.FormatUint(uint64(uid), 10))
		switch {
		case err == nil:
			name = &got.Username
		case !errors.As(err, new(user.UnknownUserIdError)):
			return nil // asked again
		}
		u.known[uid] = name
	}
	return name
}
