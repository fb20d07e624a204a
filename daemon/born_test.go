// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

func TestAProcessIsKnownByWhenItBegan(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	must(t, cmd.Start())
	p := processNow(cmd.Process.Pid)
	if p.Born == 0 || !p.is() {
		t.Errorf("a process that runs is %+v", p)
	}
	if other := (process{p.PID, p.Born + 1}); other.is() {
		t.Error("another process that has its number is taken for it")
	}
	cmd.Process.Kill()
	eventually(t, "its end", func() bool { return !running(p.PID) })
	if !p.is() {
		t.Error("a process that is not reaped has lost its number")
	}
	cmd.Wait()
	if p.is() || processNow(p.PID).Born != 0 && processNow(p.PID) == p {
		t.Error("a process that is no more is taken for one that is there")
	}
	fields := " 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"
	for stat, want := range map[string]uint64{
		"1 (a) S" + fields + " 4242 23":         4242,
		"1 (x) 1 2 (y z) R" + fields + " 77 23": 77, // a program may call itself anything
		"1 (a) S" + fields:                      0,
		"1 (a) S" + fields + " -1 23":           0,
		"":                                      0,
		"nonsense":                              0,
	} {
		if got := startTime([]byte(stat)); got != want {
			t.Errorf("%q began at %d, not %d", stat, got, want)
		}
	}
}

// began changes when a session's client and worker began: as if their numbers
// were others' by now.
func (a *axond) began(t *testing.T, session uint32, client, worker uint64) {
	t.Helper()
	a.Server.mu.Lock()
	defer a.Server.mu.Unlock()
	// Another in its place: what a session is told at its start is read without a lock.
	l := a.lives[session]
	i := l.info
	if i.client() != processNow(i.PID) || i.worker() != processNow(i.WorkerPID) {
		t.Fatalf("a session's processes are %+v", i)
	}
	i.Born += client
	i.WorkerBorn += worker
	a.lives[session] = &live{info: i, log: l.log, client: l.client, worker: l.worker, account: l.account}
}

func TestANumberThatIsAnothersByNowIsNotTheSessions(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	one, two, three := a.mustOpen(t), a.mustOpen(t), a.mustOpen(t)
	cmd, client := startClient(t, a.socket, "", nil)
	a.began(t, one.answer.Session, 1, 0) // its client is gone, and has its number no more
	a.began(t, two.answer.Session, 0, 1) // its worker likewise
	p.are(fmt.Sprint(one.worker.PID, " 1"), fmt.Sprint(two.worker.PID, " 2"), fmt.Sprint(client.Worker.PID, " 3"))
	c := a.nvml(t)
	// The second is a child of axond's that works for no session.
	want := []nvml.ProcessInfo{entry(cmd.Process.Pid, 3)}
	got, ret := c.DeviceGetComputeRunningProcesses_v3(1)
	if ret != nvml.SUCCESS || !slices.Equal(got, want) {
		t.Errorf("there are %+v, %v", got, ret)
	}
	m := a.see(t)
	if s := sessionOf(t, m, one.answer.Session); s.PID != nil || s.Args != nil {
		t.Errorf("the view takes another for a session's program: %+v", s)
	}
	if s := sessionOf(t, m, three.answer.Session); s.PID == nil || *s.PID != os.Getpid() {
		t.Errorf("the view does not know a program: %+v", s)
	}
}

func TestWhatWasKeptOfASessionIsNotOfWhoHasItsNumberNow(t *testing.T) {
	p := fakeLists(t)
	a := startAxond(t, nil)
	p.of = a
	const worker = 4194301 // a number that nobody has
	me := processNow(os.Getpid())
	p.are(fmt.Sprint(worker, " 5"))
	c := a.nvml(t)
	asked := func() (pids []uint32, account nvml.Return) {
		t.Helper()
		pids, ret := c.DeviceGetAccountingPids(1)
		if ret != nvml.SUCCESS {
			t.Fatalf("accounts: %v", ret)
		}
		_, account = c.DeviceGetAccountingStats(1, uint32(me.PID))
		return pids, account
	}
	a.former.add(worker, process{me.PID, me.Born + 1})
	if pids, account := asked(); len(pids) != 0 || account != nvml.ERROR_NOT_FOUND {
		t.Errorf("an account of who had this process's number is told as this one's: %v, %v", pids, account)
	}
	a.former.add(worker, me) // it has ended a session and lives
	eventually(t, "its own account", func() bool {
		pids, account := asked()
		return slices.Equal(pids, []uint32{uint32(me.PID)}) && account == nvml.SUCCESS
	})
	// On a GPU there is nobody who is no more.
	if got, ret := c.DeviceGetComputeRunningProcesses_v3(1); ret != nvml.SUCCESS || len(got) != 0 {
		t.Errorf("a session that has ended runs: %+v, %v", got, ret)
	}
}

// A hello of a process that has exited meanwhile is not whoever has its number.
func TestTheBeginningOfAClientIsTheKernels(t *testing.T) {
	a := startAxond(t, nil)
	began := time.Now()
	o := a.mustOpen(t)
	s := must2(a.Session(o.answer.Session))
	if s.client() != processNow(os.Getpid()) || s.worker() != processNow(o.worker.PID) || s.Started.Before(began) {
		t.Errorf("a session is of %+v and %+v", s.client(), s.worker())
	}
}
