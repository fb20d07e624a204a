// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/wire"
)

// The telemetry worker holds the vendor's management library, NVML, for all who
// read it: it is started when somebody asks, answers everybody's calls, and is
// ended when nobody has asked for a while, so that it keeps no GPU awake. It
// sees copies of packets and shares no memory with anybody. Another, for calls
// that change the machine, is root and unconfined, and there for a moment only.
//
// When one dies, its calls that only read are made once more by the next one. The
// others, and those at the second time, are answered ERROR_UNKNOWN, "an internal
// driver error occurred", after which programs try again. Not ERROR_GPU_IS_LOST,
// which has whoever manages a cluster take the machine out of it: a worker's
// death says nothing about the GPU.
//
// Nothing of this outlives axond.

const (
	nvmlLibrary = "libnvidia-ml.so.1" // in the vendor's folder

	// Calls that the worker has not answered, without waits for events. It has a
	// thread for each, so none waits for others', and some are root's and axond's.
	telemetryCalls     = 32
	telemetryCallsRoot = 2
	// Sets of events and samples that it has for all.
	telemetryObjects     = 4096
	telemetryObjectsRoot = 256

	telemetryIdle  = 30 * time.Second // without a call until it ends; the default
	telemetryStuck = time.Minute      // for a call: then the worker hangs in the driver, and is ended

	telemetryAgain    = 3 * time.Second // until a library that could not be used is tried again
	telemetryAgainMax = time.Minute     // until a worker is started again that always dies
)

// telemetryCall is a call on its way.
type telemetryCall struct {
	uid   uint32 // whose turn it takes
	owner uint32 // whose it is in the worker's books, 0 for nobody's
	call  *nvmlCall
	in    []byte
	done  func(nvml.Return, []byte) // called once, in any goroutine; must not block

	entered   bool      // it has its turn
	again     bool      // it was made before, and its worker died
	at        time.Time // when it was made
	forgotten bool      // its owner is no more
}

// telemetry has calls made by a worker.
type telemetry struct {
	s     *Server
	admin bool // it changes the machine
	idle  time.Duration
	stuck time.Duration
	turns *turns // of calls that the worker has not answered

	mu       sync.Mutex
	worker   *telemetryWorker // nil: there is none
	starting chan struct{}    // closed when it has started or not; nil if none starts
	deaths   int              // in a row, of workers that did not live for long
	refusing nvml.Return      // what calls are answered
	until    time.Time        // until then
	blamed   blamed           // users whose calls workers die of
	said     string           // why there was no worker, last
}

func newTelemetry(s *Server, admin bool) *telemetry {
	t := &telemetry{s: s, admin: admin, idle: s.TelemetryIdle, stuck: telemetryStuck, turns: newTurns(telemetryCalls, telemetryCallsRoot)}
	if admin {
		t.idle = min(t.idle, time.Second)
	}
	return t
}

func (t *telemetry) log() *slog.Logger { return t.s.Log.With("telemetry", t.name()) }

func (t *telemetry) name() string {
	if t.admin {
		return "changing"
	}
	return "reading"
}

// call has a call made, by a worker that is started if there is none. It blocks
// while that starts and until it is its user's turn.
func (t *telemetry) call(ctx context.Context, c telemetryCall) {
	if !c.call.waits {
		if !c.entered && !t.turns.enter(ctx, c.uid) {
			c.done(nvml.ERROR_UNKNOWN, nil)
			return
		}
		done, uid := c.done, c.uid
		c.done = func(ret nvml.Return, out []byte) {
			t.turns.leave(uid)
			done(ret, out)
		}
	}
	t.make(ctx, c)
}

// make makes a call whose turn has come.
func (t *telemetry) make(ctx context.Context, c telemetryCall) {
	for {
		t.mu.Lock()
		if w := t.worker; w != nil && !t.blamed.refuses(c.uid) {
			id, ok := w.add(c)
			t.mu.Unlock()
			if !ok {
				t.s.rarely.say(t.log(), slog.LevelInfo, c.uid, "a user has as many sets of events and samples in NVML as are left for others; it gets no more", "uid", c.uid)
				c.done(nvml.ERROR_INSUFFICIENT_RESOURCES, nil)
				return
			}
			w.send(id, c.call.number, c.owner, c.in)
			return
		}
		if ret := t.refusing; time.Now().Before(t.until) {
			t.mu.Unlock()
			c.done(ret, nil)
			return
		}
		if t.blamed.refuses(c.uid) {
			t.mu.Unlock()
			c.done(nvml.ERROR_UNKNOWN, nil)
			return
		}
		if ctx.Err() != nil {
			t.mu.Unlock()
			c.done(nvml.ERROR_UNKNOWN, nil)
			return
		}
		started := t.starting
		if started == nil {
			started = make(chan struct{})
			t.starting = started
			t.s.wg.Go(func() { t.run(ctx) })
		}
		t.mu.Unlock()
		<-started
	}
}

// forget has the worker let go of everything of an owner's, who is a user.
func (t *telemetry) forget(owner, uid uint32) {
	t.mu.Lock()
	w := t.worker
	if w != nil {
		w.drop(owner, uid)
	}
	t.mu.Unlock()
	if w != nil {
		w.send(0, telemetryForget, owner, nil)
	}
}

// run starts a worker and sees it through to its end.
func (t *telemetry) run(ctx context.Context) {
	log := t.log()
	began := time.Now()
	w, ret, err := t.start(ctx, log)
	t.mu.Lock()
	t.worker = w
	close(t.starting)
	t.starting = nil
	if err != nil {
		t.refusing, t.until = ret, time.Now().Add(telemetryAgain)
		level := slog.LevelWarn
		if text := err.Error(); ctx.Err() != nil || text == t.said {
			level = slog.LevelDebug // it is tried as often as somebody asks
		} else {
			t.said = text
		}
		t.mu.Unlock()
		log.Log(ctx, level, "NVML cannot be read", "why", err, "result", uint32(ret), "again", telemetryAgain)
		return
	}
	t.said = ""
	t.mu.Unlock()
	log.Debug("telemetry starts", "worker", w.pid, "after", time.Since(began).Round(time.Millisecond))
	why, failed := t.watch(ctx, w)
	t.mu.Lock()
	if t.worker == w { // else it was idle, and there may be another by now
		t.worker = nil // from here on nobody adds calls
	}
	again, lost := w.takeAll()
	pause := time.Duration(0)
	switch {
	case !failed:
		t.deaths = 0
	case len(again) > 0 || len(lost) > 0:
		pause = t.blamed.blame(lost)
	case time.Since(began) > provenTime:
		t.deaths = 1
	default:
		t.deaths++
	}
	if t.deaths > 1 { // the first is replaced at once
		pause = pauseAfter(t.deaths)
		t.refusing, t.until = nvml.ERROR_UNKNOWN, time.Now().Add(pause)
	}
	t.mu.Unlock()
	if !w.end(workerPatience) {
		log.Error("the telemetry worker does not die; the kernel holds it", "worker", w.pid)
	}
	for _, c := range lost {
		c.done(nvml.ERROR_UNKNOWN, nil)
	}
	t.s.tidyReaders() // nobody has asked for a while, or it may be another library
	for _, c := range again {
		c.again = true
		t.s.wg.Go(func() { t.make(ctx, c) })
	}
	if failed {
		log.Warn("the telemetry worker was lost; the next call starts another", "worker", w.pid, "why", why, "calls_failed", len(lost), "calls_repeated", len(again), "not_before", pause)
	} else {
		log.Debug("telemetry ends", "worker", w.pid, "why", why)
	}
}

// watch returns why the worker is to end or has ended, and whether that is its
// own fault.
func (t *telemetry) watch(ctx context.Context, w *telemetryWorker) (string, bool) {
	look := time.NewTicker(max(t.idle/4, time.Millisecond))
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return "axond stops", false
		case <-w.dead:
			return w.lastWords(), true
		case why := <-w.bad:
			// A dead one takes no calls either, and its death says more.
			select {
			case <-w.dead:
				why = w.lastWords()
			case <-time.After(100 * time.Millisecond):
			}
			return why, true
		case <-look.C:
			t.mu.Lock()
			oldest := w.oldest()
			idle := len(w.pending) == 0 && len(w.keeps) == 0 && time.Since(w.used) >= t.idle
			// The library and the driver's kernel half have to be of one version.
			replaced := oldest.done == nil && t.files() != w.files
			if idle || replaced {
				t.worker = nil
			}
			t.mu.Unlock()
			switch {
			case replaced:
				return "the worker or the vendor's library was replaced on disk", false
			case idle:
				return fmt.Sprintf("nobody asked for %v", t.idle), false
			case oldest.done != nil && time.Since(oldest.at) > t.stuck:
				return fmt.Sprintf("%s was not answered within %v", oldest.call.Name, t.stuck), true
			}
		}
	}
}

// files says which worker and which NVML are installed now.
func (t *telemetry) files() string {
	return filesNow(t.s.Worker.Path, filepath.Join(t.s.Vendor.Dir, nvmlLibrary))
}

// start starts a worker and waits until it is ready. The Return is what calls
// are answered when there is an error.
func (t *telemetry) start(ctx context.Context, log *slog.Logger) (*telemetryWorker, nvml.Return, error) {
	ours, err := t.s.Worker.NVML()
	if err != nil {
		return nil, nvml.ERROR_UNKNOWN, err
	}
	if ours.Fingerprint != nvml.Fingerprint {
		return nil, nvml.ERROR_LIB_RM_VERSION_MISMATCH, fmt.Errorf("axond knows NVML as API %x and %s as API %x; restart axond (systemctl restart axond)",
			nvml.Fingerprint[:6], t.s.Worker.Path, ours.Fingerprint[:6])
	}
	w, err := t.startWorker(log)
	if err != nil {
		return nil, nvml.ERROR_UNKNOWN, err
	}
	ready, err := w.firstWord(ctx, t.s.ReadyTime)
	ret := nvml.ERROR_UNKNOWN
	switch {
	case err != nil:
	case ready.Status != wire.StatusOK:
		ret, err = nvml.ERROR_LIBRARY_NOT_FOUND, fmt.Errorf("the worker cannot serve: %s", ready.Text)
	case ready.Result != 0:
		ret = nvml.Return(ready.Result)
		err = fmt.Errorf("nvmlInit: %w", ret)
	default:
		return w, 0, nil
	}
	if !w.end(workerPatience) {
		log.Error("the telemetry worker does not die; the kernel holds it", "worker", w.pid)
	}
	return nil, ret, err
}
