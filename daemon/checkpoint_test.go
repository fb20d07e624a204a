// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"log/slog"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// orders is the worker's end of a control socket.
type orders struct {
	t  *testing.T
	fd int
}

func (o orders) next() wire.CheckpointOrder {
	o.t.Helper()
	b := make([]byte, 64)
	n, err := unix.Read(o.fd, b)
	must(o.t, err)
	order, ok := wire.ParseCheckpointOrder(b[:n])
	if !ok {
		o.t.Fatalf("the worker gets %x", b[:n])
	}
	return order
}

func (o orders) say(m wire.CheckpointOrder) { must2(unix.Write(o.fd, m.Append(nil))) }

func checkpointWorker(t *testing.T) (*worker, orders) {
	control, fd := pair(t)
	w := newWorker(control, slog.New(slog.DiscardHandler))
	go w.readControl(0)
	t.Cleanup(func() { unix.Close(fd) })
	return w, orders{t, fd}
}

type checkpointResult struct {
	result, value uint32
	err           error
}

func ask(w *worker, left <-chan struct{}, what, value uint32) <-chan checkpointResult {
	c := make(chan checkpointResult, 1)
	go func() {
		result, value, err := w.checkpoint(left, what, value)
		c <- checkpointResult{result, value, err}
	}()
	return c
}

func gets(t *testing.T, c <-chan checkpointResult, want checkpointResult) {
	t.Helper()
	select {
	case got := <-c:
		if got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("no answer")
	}
}

// A worker may be anything: what it says that nobody asked for is nobody's.
func TestAnAnswerReachesWhoAskedForIt(t *testing.T) {
	w, o := checkpointWorker(t)
	act := ask(w, nil, wire.CheckpointLock, 0)
	lock := o.next()
	state := ask(w, nil, wire.CheckpointState, 0)
	question := o.next()
	if lock.What != wire.CheckpointLock || question.What != wire.CheckpointState || lock.Number == question.Number {
		t.Fatalf("%+v and %+v", lock, question)
	}
	o.say(wire.CheckpointOrder{Number: lock.Number + 1000, What: 7, Value: 7})
	must2(unix.Write(o.fd, []byte("nonsense")))
	o.say(wire.CheckpointOrder{Number: question.Number, What: 0, Value: 2})
	gets(t, state, checkpointResult{0, 2, nil})
	o.say(wire.CheckpointOrder{Number: question.Number, What: 0, Value: 3}) // once more
	o.say(wire.CheckpointOrder{Number: lock.Number, What: 401, Value: 0})
	gets(t, act, checkpointResult{401, 0, nil})
}

// One act is on its way at a time, also when who asked for it has left.
func TestAnActKeepsItsPlaceUntilItIsDone(t *testing.T) {
	w, o := checkpointWorker(t)
	left := make(chan struct{})
	first := ask(w, left, wire.CheckpointLock, 0)
	lock := o.next()
	close(left)
	gets(t, first, checkpointResult{0, 0, errCheckpointLeft})
	gets(t, ask(w, left, wire.CheckpointUnlock, 0), checkpointResult{0, 0, errCheckpointLeft}) // before its turn
	gets(t, ask(w, nil, wire.CheckpointLock, 20), checkpointResult{checkpointNotReady, 0, nil})
	second := ask(w, nil, wire.CheckpointLock, 60000)
	o.say(wire.CheckpointOrder{Number: lock.Number})
	next := o.next()
	if next.What != wire.CheckpointLock || next.Value == 0 || next.Value > 60000 {
		t.Errorf("the next order is %+v", next)
	}
	o.say(wire.CheckpointOrder{Number: next.Number})
	gets(t, second, checkpointResult{0, 0, nil})
	if len(w.checkpoints.acts) != 0 || len(w.checkpoints.pending) != 0 {
		t.Errorf("%d places are taken, %d answers are awaited", len(w.checkpoints.acts), len(w.checkpoints.pending))
	}
}

func TestAWorkerThatDiesAnswersEverybody(t *testing.T) {
	w, o := checkpointWorker(t)
	first := ask(w, nil, wire.CheckpointLock, 0)
	o.next()
	second, third := ask(w, nil, wire.CheckpointUnlock, 0), ask(w, nil, wire.CheckpointLock, 60000)
	close(w.dead)
	for _, c := range []<-chan checkpointResult{first, second, third} {
		gets(t, c, checkpointResult{checkpointFailed, 0, nil})
	}
}

func TestHostileCheckpointsEndAlone(t *testing.T) {
	a := startAxond(t, nil)
	good := (&wire.CheckpointAsk{What: wire.CheckpointState, PID: 1}).Append(nil)
	fds, goroutines := counts()
	for name, say := range map[string][]byte{
		"nothing known":     (&wire.CheckpointAsk{What: 7, PID: 1}).Append(nil),
		"nothing at all":    (&wire.CheckpointAsk{PID: 1}).Append(nil),
		"half a question":   good[:8],
		"too much":          append(good[:16:16], 0),
		"a lot":             make([]byte, 60000),
		"what must be zero": changed(good, 12, 1),
		"an empty message":  {},
	} {
		c := a.dial(t)
		must2(c.Write(readerHello(wire.LibraryCheckpoint)))
		if answer, err := wire.ReceiveAnswer(c); err != nil || answer.Status != wire.StatusOK {
			t.Fatalf("%s: %+v, %v", name, answer, err)
		}
		must2(c.Write(say))
		if n, err := c.Read(make([]byte, 100)); n != 0 || err == nil {
			t.Errorf("%s: it was answered with %d bytes, %v", name, n, err)
		}
	}
	for _, pid := range []int{1, -1, 0, 1 << 30, -1 << 31} {
		c := a.dial(t)
		must2(c.Write(readerHello(wire.LibraryCheckpoint)))
		must2(wire.ReceiveAnswer(c))
		must2(c.Write((&wire.CheckpointAsk{What: wire.CheckpointLock, PID: pid}).Append(nil)))
		b := make([]byte, 100)
		n, err := c.Read(b)
		must(t, err)
		if result, value, ok := wire.ParseCheckpointAnswer(b[:n]); !ok || result != checkpointNoSuch || value != 0 {
			t.Errorf("process %d: %d, %d, %v", pid, result, value, ok)
		}
	}
	eventually(t, "nothing is left of them", func() bool {
		nowFDs, nowGoroutines := counts()
		return nowFDs <= fds+12 && nowGoroutines <= goroutines // the test's own ends are open
	})
}
