// SPDX-License-Identifier: Apache-2.0

// Package tui draws a fleet on a terminal and takes keys. It draws what the
// fleet has: no key and no frame waits for a machine.
package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
)

// Options are what a view needs of who shows it.
type Options struct {
	// Shell is a shell whose programs use a GPU of this machine, nil to offer none.
	Shell func(*view.GPU) (*exec.Cmd, error)
	Now   func() time.Time // nil is time.Now
	ASCII bool             // the terminal has no more letters
}

// ASCII says whether the locale in the environment cannot show more, as the
// C library decides it (setlocale(3)).
func ASCII(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return true
}

// framesPerSecond is how often the screen may change: a figure a second and
// keys need no more, and each costs a wake-up.
const framesPerSecond = 20

// Run shows a fleet until the user has seen enough, a signal comes or ctx ends.
// The fleet runs meanwhile. An error is that the terminal cannot be used.
func Run(ctx context.Context, f *fleet.Fleet, o Options) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	go f.Run(running)
	// Whoever tells it to end has it quit: a program of tea's that is killed closes
	// the terminal under the goroutine that reads it.
	quit := func(_ tea.Model, m tea.Msg) tea.Msg {
		if _, ok := m.(tea.InterruptMsg); ok {
			return tea.Quit()
		}
		return m
	}
	p := tea.NewProgram(newModel(running, f, o), tea.WithFilter(quit), tea.WithFPS(framesPerSecond))
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	return err
}

// mode is what the keys mean.
type mode int

const (
	moving mode = iota
	filtering
	asking  // whether a session is to end
	reading // a page: help or details
)

// model is what is on the screen. Update changes it, View draws it; both run in
// one goroutine.
type model struct {
	ctx   context.Context
	fleet *fleet.Fleet
	o     Options
	pens  pens

	width, height int
	machines      []*fleet.Machine
	now           time.Time

	mode    mode
	filter  string
	sort    int // index of sorts
	reverse bool
	folded  map[int]bool // machines, by index: what the user chose
	rows    []row
	cursor  rowKey
	at      int // the cursor's index in rows
	top     int // the first line that is shown
	said    string
	ends    ending
	page    page
	pageTop int
}

// ending is a session that the user may want to end.
type ending struct {
	machine int
	key     fleet.SessionKey
	who     string
}

func newModel(ctx context.Context, f *fleet.Fleet, o Options) *model {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &model{ctx: ctx, fleet: f, o: o, width: 80, height: 24, folded: map[int]bool{}, pens: newPens()}
	m.refresh()
	return m
}

// newer says that the fleet may have something new.
type newer struct{}

// endedSession is how the end of a session went.
type endedSession struct {
	who string
	err error
}

// leftShell says that the user is back.
type leftShell struct{ err error }

// gather is how long machines that are asked at the same moment have to answer
// in the same frame.
const gather = 40 * time.Millisecond

// wait waits for something new, or until ages have to be drawn again.
func (m *model) wait() tea.Msg {
	select {
	case <-m.fleet.Changed():
		select {
		case <-m.ctx.Done():
		case <-time.After(gather):
		}
	case <-time.After(max(m.fleet.Interval(), time.Second) + time.Second/2):
	case <-m.ctx.Done():
	}
	return newer{}
}

// Init is tea.Model's.
func (m *model) Init() tea.Cmd { return m.wait }

// Update is tea.Model's.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case newer:
		cmd = m.wait
	case tea.WindowSizeMsg:
		m.width, m.height = max(1, msg.Width), max(1, msg.Height)
	case tea.KeyPressMsg:
		cmd = m.key(msg)
	case tea.PasteMsg:
		if m.mode == filtering {
			m.filter += show.Text(msg.Content)
		}
	case endedSession:
		if m.said = msg.who + " has ended."; msg.err != nil {
			m.said = show.Text(msg.err.Error())
		}
	case leftShell:
		if m.said = ""; msg.err != nil {
			m.said = "The shell ended: " + show.Text(msg.err.Error())
		}
	default:
		return m, nil
	}
	m.refresh()
	return m, cmd
}

// refresh takes what the fleet has and keeps the cursor where it was.
func (m *model) refresh() {
	m.machines, m.now = m.fleet.Machines(), m.o.Now()
	m.rows = m.build()
	m.follow()
}

// selected is the row under the cursor; nil if there is none.
func (m *model) selected() *row {
	if m.at < 0 || m.at >= len(m.rows) {
		return nil
	}
	return &m.rows[m.at]
}

// ask asks before a session ends.
func (m *model) ask() {
	r := m.selected()
	if r == nil || r.kind != sessionRow {
		m.said = "k ends a session; put the cursor on one. K, - or ↑ go up."
		if m.o.ASCII {
			m.said = "k ends a session; put the cursor on one. K, - or the arrow go up."
		}
		return
	}
	s := r.session(m)
	m.ends = ending{r.machine, fleet.KeyOf(s), fmt.Sprintf("Session %d", s.Session)}
	m.mode = asking
}

// question is what is asked; "" if the session is gone.
func (m *model) question() string {
	s := m.find(m.ends)
	if s == nil {
		return ""
	}
	pid := ""
	if s.PID != nil {
		pid = fmt.Sprintf(", pid %d", *s.PID)
	}
	where := ""
	if len(m.machines) > 1 {
		where = " on " + cut(show.Text(m.machines[m.ends.machine].Name), 20)
	}
	return fmt.Sprintf("End session %d (%s of %s%s)%s? y ends it, any other key does not.", s.Session, cut(show.Text(s.Program), 15), cut(show.User(s), 12), pid, where)
}

// find is a session that is still there.
func (m *model) find(e ending) *view.Session {
	if e.machine >= len(m.machines) || m.machines[e.machine].Last == nil {
		return nil
	}
	all := m.machines[e.machine].Last.Sessions
	for i := range all {
		if fleet.KeyOf(&all[i]) == e.key {
			return &all[i]
		}
	}
	return nil
}

// end ends the session that was asked about, if it is still the same one.
func (m *model) end() tea.Cmd {
	e := m.ends
	if m.find(e) == nil {
		m.said = e.who + " has ended by itself."
		return nil
	}
	m.said = "Ending session " + fmt.Sprint(e.key.Session) + " ..."
	return func() tea.Msg { return endedSession{e.who, m.fleet.End(m.ctx, e.machine, e.key.Session)} }
}

// shell opens a shell for the GPU under the cursor.
func (m *model) shell(r *row) tea.Cmd {
	machine := m.machines[r.machine]
	switch {
	case !machine.Local:
		m.said = "A shell for a GPU can only be opened on its own machine: log in there."
		return nil
	case m.o.Shell == nil:
		m.said = "There is no shell here."
		return nil
	}
	cmd, err := m.o.Shell(r.gpu(m))
	if err != nil {
		m.said = show.Text(err.Error())
		return nil
	}
	hello := fmt.Sprintf("Programs in this shell use GPU %d, %s. Its end leads back to axon.", r.gpu(m).Index, show.Text(r.gpu(m).Name))
	return tea.Exec(&shell{cmd, hello}, func(err error) tea.Msg {
		// A shell that was left after a command failed says so by its status.
		if errors.As(err, new(*exec.ExitError)) {
			err = nil
		}
		return leftShell{err}
	})
}
