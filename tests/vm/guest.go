// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a command in the guest may take. It is for machines with
// other work beside, where the emulator gets a quarter of a processor.
const patience = 10 * time.Minute

// guest is a fresh guest that belongs to one test.
type guest struct {
	t     *testing.T
	q     *qemu
	share string // the guest's /host

	left chan string // what the agent says to LEAVE

	mu      sync.Mutex
	jobs    int
	waiting map[string]chan int
	gone    error
}

// bootOnce: the tests of a process share one saved state.
var bootOnce = sync.OnceValues(boot)

// needGuest skips a test where no guest is wanted.
func needGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("AXON_VM") == "" {
		t.Skip("without AXON_VM=1 no guest is started; make vm-test sets it, and builds what the guest needs")
	}
}

// newGuest restores a guest that has just booted. It ends with the test.
func newGuest(t *testing.T) *guest {
	t.Helper()
	needGuest(t)
	b, err := bootOnce()
	if err != nil {
		t.Fatal(err)
	}
	return b.restore(t, b.disk, true)
}

// restore starts a guest from a state, on its disk or one above that, which is
// left as it is with throwAway.
func (b booted) restore(t *testing.T, disk string, throwAway bool) *guest {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-vm") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	q, err := startQemu(b.cache, dir, disk, throwAway, b.state)
	if err != nil {
		os.RemoveAll(dir)
		t.Fatal(err)
	}
	g := &guest{t: t, q: q, share: filepath.Join(dir, "share"), left: make(chan string, 1), waiting: map[string]chan int{}}
	t.Cleanup(g.end)
	if err := g.resume(); err != nil {
		t.Fatalf("the guest does not come up: %v\n%s", err, q.said())
	}
	t.Logf("the guest was up after %.1f s", time.Since(started).Seconds())
	go g.listen()
	return g
}

func (g *guest) resume() error {
	if err := g.q.qmp.until("query-status", "paused", "inmigrate"); err != nil {
		return err
	}
	if err := g.q.qmp.do("cont", nil, nil); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(g.q.port, "UP %.6f\n", float64(time.Now().UnixMicro())/1e6); err != nil {
		return err
	}
	line, err := g.q.line(patience)
	if err == nil && line != "UP 0" {
		err = fmt.Errorf("its agent says %q", line)
	}
	return err
}

func (g *guest) end() {
	if g.t.Failed() && os.Getenv("AXON_VM_KEEP") != "" {
		g.q.port.Close()
		fmt.Printf("%s: the guest runs on: write a script to %s/x.sh, then: echo RUN x | socat - UNIX:%s/port; its output is in x.out. Kill process %d to go on.\n",
			g.t.Name(), g.share, g.q.dir, g.q.cmd.Process.Pid)
		<-g.q.exited
	}
	g.q.stop()
	os.RemoveAll(g.q.dir)
}

// save ends the guest with its state in a file, to start others from.
func (g *guest) save(state string) {
	g.t.Helper()
	if _, err := fmt.Fprintln(g.q.port, "LEAVE"); err != nil {
		g.t.Fatal(err)
	}
	select {
	case line := <-g.left:
		if line != "LEFT 0" {
			g.t.Fatalf("/host is still in use: the agent says %q", line)
		}
	case <-time.After(patience):
		g.t.Fatalf("the agent does not leave /host\n%s", g.q.said())
	}
	if err := g.q.save(state); err != nil {
		g.t.Fatal(err)
	}
}

// listen takes what the agent says and wakes who waits for it.
func (g *guest) listen() {
	for {
		line, err := g.q.line(time.Hour)
		g.mu.Lock()
		if err != nil {
			g.gone = err
			for _, c := range g.waiting {
				close(c)
			}
			g.waiting = nil
			g.mu.Unlock()
			return
		}
		if strings.HasPrefix(line, "LEFT ") {
			g.left <- line
		}
		var job string
		var status int
		if n, _ := fmt.Sscanf(line, "DONE %s %d", &job, &status); n == 2 && g.waiting[job] != nil {
			g.waiting[job] <- status
			delete(g.waiting, job)
		}
		g.mu.Unlock()
	}
}

// result is what a script printed, on both streams, and its exit status.
type result struct {
	out    string
	status int
}

// try runs a shell script as root in the guest.
func (g *guest) try(script string) result {
	g.t.Helper()
	g.mu.Lock()
	if g.gone != nil {
		g.mu.Unlock()
		g.t.Fatalf("%s: %v\n%s", script, g.gone, g.q.said())
	}
	g.jobs++
	job := fmt.Sprint("job", g.jobs)
	done := make(chan int, 1)
	g.waiting[job] = done
	g.mu.Unlock()
	path := filepath.Join(g.share, job)
	if err := os.WriteFile(path+".sh", []byte(script+"\n"), 0o644); err != nil {
		g.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(g.q.port, "RUN %s\n", job); err != nil {
		g.t.Fatal(err)
	}
	select {
	case status, ok := <-done:
		if !ok {
			g.t.Fatalf("%s: %v\n%s", script, g.gone, g.q.said())
		}
		out, err := os.ReadFile(path + ".out")
		if err != nil {
			g.t.Fatal(err)
		}
		return result{strings.TrimRight(string(out), "\n"), status}
	case <-time.After(patience):
		out, _ := os.ReadFile(path + ".out")
		g.t.Fatalf("%s: not done after %v; it said: %s\n%s", script, patience, out, g.q.said())
	}
	panic("not reached")
}

// run runs a script that must end well, and gives what it printed.
func (g *guest) run(script string) string {
	g.t.Helper()
	r := g.try(script)
	if r.status != 0 {
		g.t.Fatalf("%s: exit status %d: %s", script, r.status, r.out)
	}
	return r.out
}

// as is a script for try and run that runs a command line as a user who has
// just logged in.
func as(user, script string) string {
	return "runuser -l " + user + " -c '" + strings.ReplaceAll(script, "'", `'\''`) + "'"
}

// put copies files into the guest's /host. What is run there is copied on to the
// guest's own disk first (see installed): 9p is slow to map from.
func (g *guest) put(files ...string) {
	g.t.Helper()
	for _, f := range files {
		if err := copyFile(f, filepath.Join(g.share, filepath.Base(f))); err != nil {
			g.t.Fatal(err)
		}
	}
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, st.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// says fails the test unless the text has every one of the pieces.
func says(t *testing.T, what, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%s does not say %q:\n%s", what, p, text)
		}
	}
}
