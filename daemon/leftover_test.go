// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/view"
)

// heap is what axond has, with this test's own, bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools had is gone with the second
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// reads connects, does what readers do, well or badly, and goes.
func reads(socket string, n int) error {
	c, err := nvml.Dial(socket)
	if err != nil {
		return err
	}
	defer c.Close()
	switch n % 5 {
	case 0: // a set, a wait and somebody who leaves in the middle of it
		set, ret := c.EventSetCreate()
		if ret != nvml.SUCCESS {
			return ret
		}
		go c.EventSetWait_v2(set, 3600_000)
	case 1: // answers that nobody takes
		call := nvmlCalls.named("nvmlDeviceGetName")
		for i := range 50 {
			in := nvmlFrame{call.In, make([]byte, call.InSize)}
			in.put("device", uint64(n*50+i)) // another question each time
			c.Transport().Send(call.number, in.b, func(nvml.Return, []byte) {})
		}
	case 2: // no packet at all
		c.Transport().Send(0xffffffff, make([]byte, nvml.PacketMax), func(nvml.Return, []byte) {})
	case 3:
		v, err := view.Dial(socket)
		if err != nil {
			return err
		}
		defer v.Close()
		if _, err := v.Machine(context.Background()); err != nil {
			return err
		}
	}
	_, ret := c.DeviceGetCount_v2()
	if ret != nvml.SUCCESS && n%5 != 2 {
		return ret
	}
	return nil
}

func TestAThousandReadersLeaveNothing(t *testing.T) {
	a := startAxond(t, func(c *Config) {
		c.TelemetryIdle = 100 * time.Millisecond
		c.Log = slog.New(slog.DiscardHandler)
	})
	round := func(n int) {
		var all sync.WaitGroup
		turns := make(chan struct{}, 50)
		for i := range n {
			turns <- struct{}{}
			all.Go(func() {
				defer func() { <-turns }()
				if err := reads(a.socket, i); err != nil {
					t.Errorf("reader %d: %v", i, err)
				}
			})
		}
		all.Wait()
	}
	atRest := func() bool {
		a.telemetry.mu.Lock()
		defer a.telemetry.mu.Unlock()
		return a.telemetry.worker == nil
	}
	round(100) // what is made once
	eventually(t, "the end of telemetry", atRest)
	before := heap()
	nothingLeaks(t, func() {
		round(1000)
		eventually(t, "the end of telemetry", atRest)
	})
	a.tidyReaders() // after its last worker's end it may still have been about to
	eventually(t, "as much memory as before, but for 256 KiB", func() bool { return heap() < before+256<<10 })
	a.Server.mu.Lock()
	defer a.Server.mu.Unlock()
	if r := &a.readers; r.there.all+len(r.there.of)+r.waits.all+len(r.waits.of)+len(r.users)+len(r.owners)+len(a.waiting) != 0 {
		t.Errorf("there are still %+v, and %d that have said nothing", r, len(a.waiting))
	}
	if n := len(a.nvmlCache.known); n != 0 {
		t.Errorf("%d answers are kept", n)
	}
	if turns := a.telemetry.turns; turns.shares.all != 0 || len(turns.queues) != 0 {
		t.Errorf("there are still turns: %+v", turns.shares)
	}
}

// What a program is called with is read from its memory, which may take as long as the program likes.
func TestAProgramThatCannotBeLookedAtHoldsUpNoView(t *testing.T) {
	proc := t.TempDir()
	for _, name := range []string{"stat", "meminfo", "self"} {
		must(t, os.Symlink("/proc/"+name, filepath.Join(proc, name)))
	}
	a := startAxond(t, nil)
	a.Server.machine.proc = proc
	o := a.mustOpen(t)
	dir := filepath.Join(proc, fmt.Sprint(os.Getpid()))
	must(t, os.Mkdir(dir, 0o755))
	must(t, unix.Mkfifo(filepath.Join(dir, "cmdline"), 0o600)) // an open of it waits
	began := time.Now()
	for range 3 {
		if s := sessionOf(t, a.see(t), o.answer.Session); s.PID == nil || s.Args != nil {
			t.Errorf("the session is %+v", s)
		}
	}
	if took := time.Since(began); took > 10*argsPatience+5*time.Second {
		t.Errorf("three looks took %v", took)
	}
	w, err := os.OpenFile(filepath.Join(dir, "cmdline"), os.O_WRONLY, 0)
	must(t, err)
	must2(w.WriteString("late\x00arguments\x00"))
	must(t, w.Close())
	eventually(t, "the arguments", func() bool {
		return fmt.Sprint(sessionOf(t, a.see(t), o.answer.Session).Args) == "[late arguments]"
	})
}

func TestAUserCanSayOnlySoMuchInTheLog(t *testing.T) {
	var r rarely
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	for range 1000 {
		r.say(log, slog.LevelInfo, 1, "one")
		r.say(log, slog.LevelInfo, 2, "one")
	}
	r.say(log, slog.LevelInfo, 1, "two")
	if n := strings.Count(out.String(), "msg=one"); n < 2*rarelyFirst || n > 2*rarelyFirst+20 {
		t.Errorf("2000 lines became %d", n)
	}
	if strings.Count(out.String(), "msg=two") != 1 {
		t.Error("a line of another kind is left out")
	}
	r.mu.Lock()
	r.last[rarelyKey{1, "one"}].at = time.Now().Add(-2 * rarelyTime)
	r.mu.Unlock()
	r.say(log, slog.LevelInfo, 1, "one")
	if !strings.Contains(out.String(), "left_out=9") {
		t.Errorf("how many were left out is not said: %s", out.String()[max(0, out.Len()-200):])
	}
	for uid := range uint32(3 * rarelyMax) {
		r.say(log, slog.LevelInfo, uid, "one")
	}
	if len(r.last) > rarelyMax {
		t.Errorf("%d users are remembered", len(r.last))
	}
}

// Whoever sees a sample in many namespaces keeps others from none.
func TestOnesEyesAreNotOthers(t *testing.T) {
	p := &sample{encoded: map[eyes][]byte{}, sessions: []sampledSession{{processNow(os.Getpid()), nil}}}
	p.machine.Sessions = []view.Session{{UID: 1}}
	hostile, other := &readerUser{}, &readerUser{}
	hostile.looking.Lock() // it looks, for long
	seen := make(chan error, 2)
	go func() {
		_, err := p.seenBy(eyes{}, hostile)
		seen <- err
	}()
	b, err := p.seenBy(eyes{space: pidSpace{known: true, own: true}}, other)
	if err != nil || !bytes.Contains(b, fmt.Appendf(nil, `"pid":%d`, os.Getpid())) {
		t.Errorf("another sees %s, %v", b, err)
	}
	hostile.looking.Unlock()
	must(t, <-seen)
	for n := range uint64(4 * eyesMax) {
		must2(p.seenBy(eyes{space: pidSpace{known: true, ino: n}}, hostile))
	}
	if len(p.encoded) > eyesMax {
		t.Errorf("%d ways of seeing are kept", len(p.encoded))
	}
}
