// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"nervlinux.org/axon/wire"
)

// program starts one that says "ready" and goes on at a line from us.
type program struct {
	t    *testing.T
	in   *os.File
	out  *os.File
	proc *os.Process
}

func start(t *testing.T, socket string, argv ...string) *program {
	t.Helper()
	b := build(t)
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(b, "lib"), "AXON_SESSION="+socket)
	argv[0] = filepath.Join(b, "tests/nvml", argv[0])
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Env: env, Files: []*os.File{inR, outW, os.Stderr}})
	if err != nil {
		t.Fatal(err)
	}
	inR.Close()
	outW.Close()
	outR.SetDeadline(time.Now().Add(time.Minute))
	return &program{t, inW, outR, p}
}

// hear is the next line that it says.
func (p *program) hear(want string) {
	p.t.Helper()
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := p.out.Read(b)
		if n == 0 || err != nil {
			p.t.Fatalf("the program said %q and no %q: %v", line, want, err)
		}
		if b[0] == '\n' {
			break
		}
		line = append(line, b[0])
	}
	if string(line) != want {
		p.t.Fatalf("the program said %q, not %q", line, want)
	}
}

func (p *program) tell() {
	p.in.Write([]byte("\n"))
}

func (p *program) end() {
	p.t.Helper()
	p.in.Close()
	p.out.Close()
	st, err := p.proc.Wait()
	if err != nil || !st.Success() {
		p.t.Fatalf("the program ended with %v, %v", st, err)
	}
}

// A program that goes on reading a GPU does not notice that axond and the worker are others by now.
func TestAxondIsStartedAnew(t *testing.T) {
	first := startRelay(t, startWorker(t))
	p := start(t, first.path, "steps", "same")
	p.hear("ready")
	first.stop()
	first.worker.end()
	second := startRelay(t, startWorker(t))
	if err := os.Rename(second.path, first.path); err != nil {
		t.Fatal(err)
	}
	p.tell()
	p.hear("done")
	p.end()
}

// While it is away for good, calls fail, and the program lives.
func TestAxondIsGone(t *testing.T) {
	r := startRelay(t, startWorker(t))
	p := start(t, r.path, "steps", "fails")
	p.hear("ready")
	r.stop()
	os.Remove(r.path)
	p.tell()
	p.hear("done")
	p.end()
}

// Whatever comes as an answer, the program gets a result.
func TestAnswersThatAreNone(t *testing.T) {
	r := startRelay(t, startWorker(t))
	var n atomic.Uint32
	spoils := []func([]byte) []byte{
		func([]byte) []byte { return nil },
		func(b []byte) []byte { return b[:8] },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { return append(b, 0) },
		func(b []byte) []byte { binary.LittleEndian.PutUint32(b, 0xdeadbeef); return b },
		func(b []byte) []byte { binary.LittleEndian.PutUint32(b[12:], 0xffffffff); return b },
		func(b []byte) []byte { binary.LittleEndian.PutUint32(b[4:], 0x80000000); return b },
		func(b []byte) []byte {
			for i := 16; i < len(b); i++ {
				b[i] = byte(rand.Uint32())
			}
			return b
		},
		func(b []byte) []byte { return packet(binary.LittleEndian.Uint32(b), 0, 0, nil) },
		func(b []byte) []byte { return packet(binary.LittleEndian.Uint32(b), 0, 0, make([]byte, packetMax-16)) },
	}
	r.spoil = func(b []byte) []byte {
		i := n.Add(1)
		if i%3 != 0 {
			return b
		}
		return spoils[int(i/3)%len(spoils)](append([]byte{}, b...))
	}
	out := mustRun(t, r.path, "any")
	if n.Load() < 100 {
		t.Errorf("only %d calls: %s", n.Load(), out)
	}
}

// A client that writes what it likes ends its own connection at most; the worker never.
func TestPacketsThatAreNone(t *testing.T) {
	w := startWorker(t)
	random := rand.New(rand.NewPCG(1, 2))
	le := binary.LittleEndian
	answers := make(chan uint32, 1024)
	go func() {
		b := make([]byte, packetMax+1)
		for {
			n, err := w.conn.Read(b)
			if err != nil || n < 16 || int(le.Uint32(b[12:])) != n-16 {
				close(answers)
				return
			}
			answers <- le.Uint32(b)
		}
	}()
	calls, last := uint32(1), lastCall(t)
	seen := 0
	for id := uint32(1); id < 20000; id++ {
		call := 1 + random.Uint32N(last)
		frame := make([]byte, random.IntN(160))
		for i := range frame {
			switch random.IntN(4) {
			case 0:
				frame[i] = byte(random.Uint32())
			case 1:
				frame[i] = 1
			}
		}
		if random.IntN(2) == 0 && len(frame) >= 8 {
			le.PutUint64(frame, 1) // a GPU that there is
		}
		if _, err := w.conn.Write(packet(id, call, 1+id%7, frame)); err != nil {
			t.Fatalf("after %d packets: %v", id, err)
		}
		if random.IntN(50) == 0 {
			w.conn.Write(packet(0, forget, 1+id%7, nil))
		}
		calls++
		for drained := false; !drained; {
			select {
			case _, ok := <-answers:
				if !ok {
					t.Fatal("the worker ended")
				}
				seen++
			default:
				drained = true
			}
		}
	}
	for seen < int(calls)-1 {
		select {
		case _, ok := <-answers:
			if !ok {
				t.Fatal("the worker ended")
			}
			seen++
		case <-time.After(90 * time.Second):
			t.Fatalf("%d calls have no answer", int(calls)-1-seen)
		}
	}
}

// What is no packet can only come from a broken axond: the worker does not guess.
func TestAPacketThatIsNoneEndsTheWorker(t *testing.T) {
	for name, p := range map[string][]byte{
		"short":        {1, 2, 3},
		"length":       append(packet(1, 1, 1, nil), 0),
		"call":         packet(1, 0x7fffffff, 1, nil),
		"without call": packet(1, 0, 1, nil),
	} {
		t.Run(name, func(t *testing.T) {
			w := startWorker(t)
			if _, err := w.conn.Write(p); err != nil {
				t.Fatal(err)
			}
			if err := w.dead(); err == nil || !strings.Contains(err.Error(), "exit status 1") {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

func TestTheWorkerEndsWithAxond(t *testing.T) {
	w := startWorker(t)
	w.conn.Close()
	if err := w.dead(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// Sets of events are their connection's: another one does not find them, and they end with it.
func TestObjectsBelongToTheirConnection(t *testing.T) {
	w := startWorker(t)
	create, wait := call(t, "nvmlEventSetCreate"), call(t, "nvmlEventSetWait_v2")
	le := binary.LittleEndian
	ask := func(call, owner uint32, frame []byte) (uint32, []byte) {
		t.Helper()
		if _, err := w.conn.Write(packet(9, call, owner, frame)); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, packetMax)
		n, err := w.conn.Read(b)
		if err != nil || n < 16 {
			t.Fatalf("%d bytes, %v", n, err)
		}
		return le.Uint32(b[4:]), b[16:n]
	}
	const invalid, timeout = 2, 10
	r, set := ask(create, 1, nil)
	if r != 0 || len(set) != 8 {
		t.Fatalf("a set: %d, % x", r, set)
	}
	frame := append(append([]byte{}, set...), 5, 0, 0, 0, 0, 0, 0, 0) // 5 ms
	if r, _ := ask(wait, 1, frame); r != timeout {
		t.Errorf("its own set: %d", r)
	}
	if r, _ := ask(wait, 2, frame); r != invalid {
		t.Errorf("another's set: %d", r)
	}
	w.conn.Write(packet(0, forget, 1, nil))
	if r, _ := ask(wait, 1, frame); r != invalid {
		t.Errorf("a set of a connection that has ended: %d", r)
	}
	// softgpu has 4096 sets for all: without an end to them there would be none left.
	for owner := uint32(10); owner < 40; owner++ {
		for i := 0; i < 1024; i++ {
			if r, _ := ask(create, owner, nil); r != 0 {
				t.Fatalf("owner %d, set %d: %d", owner, i, r)
			}
		}
		if r, _ := ask(create, owner, nil); r != 23 {
			t.Fatalf("owner %d has more sets than it may have: %d", owner, r)
		}
		w.conn.Write(packet(0, forget, owner, nil))
	}
}

// A wait whose client is gone ends.
func TestAWaitOfNobodyEnds(t *testing.T) {
	w := startWorker(t)
	create, wait := call(t, "nvmlEventSetCreate"), call(t, "nvmlEventSetWait_v2")
	b := make([]byte, packetMax)
	w.conn.Write(packet(1, create, 1, nil))
	n, err := w.conn.Read(b)
	if err != nil || n != 24 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	frame := append(append([]byte{}, b[16:24]...), 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0)
	w.conn.Write(packet(2, wait, 1, frame))
	w.conn.Write(packet(0, forget, 1, nil))
	w.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err = w.conn.Read(b); err != nil || n < 16 || binary.LittleEndian.Uint32(b) != 2 {
		t.Fatalf("the wait goes on: %d bytes, %v", n, err)
	}
}

// Hundreds that wait for events hold up nobody else.
func TestWaitsDoNotCountAsCalls(t *testing.T) {
	w := startWorker(t)
	create, wait, count := call(t, "nvmlEventSetCreate"), call(t, "nvmlEventSetWait_v2"), call(t, "nvmlDeviceGetCount_v2")
	b := make([]byte, packetMax)
	w.conn.Write(packet(1, create, 1, nil))
	if n, err := w.conn.Read(b); err != nil || n != 24 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	frame := append(append([]byte{}, b[16:24]...), 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0)
	for id := uint32(2); id < 4098; id++ {
		w.conn.Write(packet(id, wait, 1, frame))
	}
	le := binary.LittleEndian
	for _, c := range []struct{ id, call, result uint32 }{{5000, count, 0}, {5001, wait, 23}, {5002, count, 0}} {
		w.conn.Write(packet(c.id, c.call, 1, frame))
		n, err := w.conn.Read(b)
		if err != nil || n < 16 || le.Uint32(b) != c.id || le.Uint32(b[4:]) != c.result {
			t.Fatalf("call %d: %d bytes, % x, %v", c.id, n, b[:min(n, 16)], err)
		}
	}
}

func TestASignalDoesNotEndACall(t *testing.T) {
	r := startRelay(t, startWorker(t))
	p := start(t, r.path, "steps", "signals")
	p.hear("ready")
	p.tell()
	for i := 0; i < 200; i++ {
		p.proc.Signal(syscall.SIGUSR1)
	}
	p.hear("done")
	p.end()
}

// The worker that changes the machine is one like the other, without its cage.
func TestTheWorkerForWhatChangesTheMachine(t *testing.T) {
	w, status, text := tryWorker(t, filepath.Join(build(t), "softgpu"), []string{"--telemetry=admin"})
	if status != 0 || w.init != 0 {
		t.Fatalf("status %d, nvmlInit %d, %s", status, w.init, text)
	}
	le := binary.LittleEndian
	b := make([]byte, packetMax)
	w.conn.Write(packet(3, call(t, "nvmlDeviceSetPersistenceMode"), 1, numbers(uint64(1), uint32(1), uint32(0))))
	if n, err := w.conn.Read(b); err != nil || n != 16 || le.Uint32(b) != 3 || le.Uint32(b[4:]) != 3 { // softgpu has no such mode
		t.Errorf("%d bytes, % x, %v", n, b[:min(n, 16)], err)
	}
}

// A worker that took axon's shim for the vendor's library would ask itself without end.
func TestTheWorkerDoesNotLoadTheShim(t *testing.T) {
	_, status, text := tryWorker(t, filepath.Join(build(t), "lib"), []string{"--telemetry", "--confine", "on"})
	if status != wire.StatusNoWorker || !strings.Contains(text, "axon's own shim") {
		t.Errorf("status %d, %s", status, text)
	}
	_, status, text = tryWorker(t, "/nonexistent", []string{"--telemetry", "--confine", "on"})
	if status != wire.StatusNoWorker || !strings.Contains(text, "libnvidia-ml.so.1") {
		t.Errorf("without a library: status %d, %s", status, text)
	}
}

// A connection that waits for events of a set, and does other things with it meanwhile, has others wait for neither.
func TestASetThatIsWaitedForHoldsNobodyUp(t *testing.T) {
	// A wait that kept its set would keep it for 50 ms, always. A machine that is busy elsewhere is late now and then.
	var took []time.Duration
	for range 5 {
		d := answeredBesideAWait(t)
		if d < 40*time.Millisecond {
			return
		}
		took = append(took, d)
	}
	t.Errorf("the other's answers came after %v", took)
}

// answeredBesideAWait is when another's call is answered while a connection waits for a set and does much with it.
func answeredBesideAWait(t *testing.T) (took time.Duration) {
	t.Helper()
	w := startWorker(t)
	create, wait, count := call(t, "nvmlEventSetCreate"), call(t, "nvmlEventSetWait_v2"), call(t, "nvmlDeviceGetCount_v2")
	register := call(t, "nvmlDeviceRegisterEvents")
	le := binary.LittleEndian
	b := make([]byte, packetMax)
	w.conn.Write(packet(1, create, 1, nil))
	if n, err := w.conn.Read(b); err != nil || n != 24 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	set := append([]byte{}, b[16:24]...)
	w.conn.Write(packet(2, wait, 1, append(append([]byte{}, set...), 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0)))
	frame := append(make([]byte, 16, 24), set...) // a device, kinds of events, the set
	le.PutUint64(frame, 1)
	const calls = 100
	for id := uint32(10); id < 10+calls; id++ {
		w.conn.Write(packet(id, register, 1, frame))
	}
	started := time.Now()
	w.conn.Write(packet(1000, count, 2, nil))
	w.conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	for left := calls + 1; left > 0; left-- {
		n, err := w.conn.Read(b)
		if err != nil || n < 16 {
			t.Fatalf("%d calls are not answered after %v: %d bytes, %v", left, time.Since(started), n, err)
		}
		if le.Uint32(b) == 1000 {
			took = time.Since(started)
		}
	}
	return took
}
