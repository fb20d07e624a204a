// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"nervlinux.org/axon/nvml"
)

// telemetryForget is a call that has a worker let go of an owner's things.
const telemetryForget = 0xffffffff

// telemetryWorker is a running worker. But for what is said otherwise its
// fields are under telemetry.mu.
type telemetryWorker struct {
	*worker
	t       *telemetry
	bad     chan string // what it has done that a worker does not do; not under mu
	pending map[uint32]telemetryCall
	next    uint32
	keeps   map[uint32]int // what owners have in its books: sets of events, samples
	objects shares         // of these, by user, with those that are being made
	used    time.Time      // when it was last asked or answered
	files   string         // what it was started from; constant

	writing sync.Mutex // one packet at a time; a full socket holds up who asks next
}

// spec is what a worker is started with. It has an identity and namespaces that
// no session's worker has.
func (t *telemetry) spec(log *slog.Logger) workerSpec {
	s := t.s
	spec := workerSpec{
		path: s.Worker.Path, library: NVML, vendor: s.Vendor.Dir, telemetry: "--telemetry",
		client: telemetryClient, cage: s.Confine, log: log,
	}
	spec.env = telemetryEnv(os.Environ(), s.Vendor.Dir, s.Log.Enabled(context.Background(), slog.LevelDebug))
	switch {
	case t.admin:
		spec.telemetry, spec.cage = "--telemetry=admin", nil
	case s.Confine.apart():
		const uid = identityBase + telemetryClient
		spec.cred = &syscall.Credential{Uid: uid, Gid: uid, Groups: s.Confine.groups}
	}
	return spec
}

// telemetryClient stands for a client's uid where workers are told apart by
// that; no client has it (Confinement.admits).
const telemetryClient = identityEnd + 1

// telemetryEnv is a telemetry worker's environment. No client has a part in it.
func telemetryEnv(own []string, vendor string, debug bool) []string {
	env := []string{"LD_LIBRARY_PATH=" + vendor, "PATH=/usr/local/bin:/usr/bin:/bin"}
	if debug {
		env = append(env, "AXON_DEBUG=1")
	}
	for _, e := range own {
		if strings.HasPrefix(e, "SOFTGPU_") {
			env = append(env, e)
		}
	}
	return env
}

func (t *telemetry) startWorker(log *slog.Logger) (*telemetryWorker, error) {
	w := &telemetryWorker{t: t, bad: make(chan string, 1), pending: map[uint32]telemetryCall{}, keeps: map[uint32]int{}, used: time.Now(), files: t.files()}
	w.objects = shares{max: telemetryObjects, root: telemetryObjectsRoot}
	spec := t.spec(log)
	spec.packets, spec.packetMax = w.answered, nvml.PacketMax
	var err error
	w.worker, err = startWorker(spec)
	return w, err
}

// firstWord is what the worker says first.
func (w *telemetryWorker) firstWord(ctx context.Context, patience time.Duration) (Ready, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case r := <-w.ready:
		return r, nil
	case <-w.dead:
		if r, ok := w.lastReady(); ok { // it may have said why before it died
			return r, nil
		}
		return Ready{}, w.death()
	case <-late.C:
		return Ready{}, fmt.Errorf("the telemetry worker was not ready after %v", patience)
	case <-ctx.Done():
		return Ready{}, ctx.Err()
	}
}

// lastWords are how a dead worker ended.
func (w *telemetryWorker) lastWords() string {
	<-w.logEnd
	if line := w.lastLine(); line != "" {
		return w.how() + ": " + line
	}
	return w.how()
}

// add notes a call; telemetry.mu is held. It is false if the call would make
// something of which its user has enough.
func (w *telemetryWorker) add(c telemetryCall) (uint32, bool) {
	if c.call.makes && !w.objects.take(c.uid) {
		return 0, false
	}
	for w.next++; w.pending[w.next].done != nil; w.next++ {
	}
	c.at = time.Now()
	w.used = c.at
	w.pending[w.next] = c
	return w.next, true
}

// send sends a packet. What becomes of it, its call's done is told.
func (w *telemetryWorker) send(id, call, owner uint32, in []byte) {
	le := binary.LittleEndian
	b := make([]byte, 0, nvml.HeaderSize+len(in))
	b = le.AppendUint32(le.AppendUint32(b, id), call)
	b = append(le.AppendUint32(le.AppendUint32(b, owner), uint32(len(in))), in...)
	w.writing.Lock()
	w.control.SetWriteDeadline(time.Now().Add(passTime))
	_, err := w.control.Write(b)
	w.writing.Unlock()
	if err != nil {
		w.wrong(fmt.Sprintf("it takes no calls: %v", err))
	}
}

// wrong has the worker ended.
func (w *telemetryWorker) wrong(why string) {
	select {
	case w.bad <- why:
	default:
	}
}

// answered takes a packet of the worker's. It is false if the worker is to be
// listened to no more.
func (w *telemetryWorker) answered(b []byte) bool {
	le := binary.LittleEndian
	if len(b) < nvml.HeaderSize || len(b) > nvml.PacketMax || uint64(le.Uint32(b[12:])) != uint64(len(b)-nvml.HeaderSize) {
		w.wrong(fmt.Sprintf("it sent a packet of %d bytes that is no answer", len(b)))
		return false
	}
	id, ret, owner := le.Uint32(b), nvml.Return(le.Uint32(b[4:])), le.Uint32(b[8:])
	t := w.t
	t.mu.Lock()
	c, ok := w.pending[id]
	if ok && c.owner == owner {
		delete(w.pending, id)
		w.used = time.Now()
		w.note(c, ret == nvml.SUCCESS)
	}
	t.mu.Unlock()
	if !ok || c.owner != owner {
		w.wrong("it answered what nobody had asked")
		return false
	}
	c.done(ret, append([]byte(nil), b[nvml.HeaderSize:]...))
	return true
}

// note keeps count of what a user has, at a call's answer; telemetry.mu is held.
func (w *telemetryWorker) note(c telemetryCall, success bool) {
	switch {
	case c.call.makes && success && !c.forgotten:
		w.keeps[c.owner]++
	case c.call.makes:
		w.objects.give(c.uid, 1)
	case c.call.frees && success && w.keeps[c.owner] > 0:
		w.objects.give(c.uid, 1)
		if w.keeps[c.owner]--; w.keeps[c.owner] == 0 {
			delete(w.keeps, c.owner)
		}
	}
}

// drop forgets what an owner has, who is gone; telemetry.mu is held.
func (w *telemetryWorker) drop(owner, uid uint32) {
	w.objects.give(uid, w.keeps[owner])
	delete(w.keeps, owner)
	for id, c := range w.pending { // what they make the worker frees at once
		if c.owner == owner {
			c.forgotten = true
			w.pending[id] = c
		}
	}
}

// takeAll takes the calls that are not answered; telemetry.mu is held. Those that
// only read can be made once more, unless the worker has ended for not
// answering them.
func (w *telemetryWorker) takeAll() (again, lost []telemetryCall) {
	for _, c := range w.pending {
		if c.call.shared && !c.again && time.Since(c.at) < w.t.stuck {
			again = append(again, c)
		} else {
			lost = append(lost, c)
		}
	}
	w.pending = nil // an answer that comes now is nobody's
	return again, lost
}

// oldest is the call that waits for longest, but for those that wait for an
// event; telemetry.mu is held.
func (w *telemetryWorker) oldest() telemetryCall {
	var oldest telemetryCall
	for _, c := range w.pending {
		if !c.call.waits && (oldest.done == nil || c.at.Before(oldest.at)) {
			oldest = c
		}
	}
	return oldest
}
