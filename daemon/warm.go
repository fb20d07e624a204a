// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// A worker's start is mostly the vendor's cuInit, which needs no client. So
// workers are kept that have it behind them and sleep until they are handed a
// region. What they cannot be handed is a user or an environment: the vendor's
// library reads HOME, CUDA_CACHE_PATH and the like at cuInit and never again,
// and its kernel half notes then whose process it is. So a warm worker is
// started as the user and with the environment of an earlier session, and fits
// the sessions that have the same. It has no privilege that its user lacks.
//
// A kind is such a user and environment. Each has its slots, goroutines that
// keep one worker each: start it, wait until it is taken, start the next.

// MaxWarm bounds Config.Warm: there may be that many for each of several users.
const MaxWarm = 16

const (
	warmKinds    = 8                // kinds at once: the rest is forgotten
	warmLook     = 30 * time.Second // between two looks at what may have changed below a warm worker
	handOverTime = 10 * time.Second // for a warm worker to take a session on
	backoffMax   = 5 * time.Minute  // between two starts that fail
	provenTime   = time.Minute      // a worker that lived so long was no failed start
)

// pool is the warm workers.
type pool struct {
	s *Server

	mu    sync.Mutex
	ctx   context.Context // of Serve; nil before
	kinds map[string]*kind
}

// kind is a user and an environment that workers are kept warm for.
type kind struct {
	spec workerSpec
	stop context.CancelFunc

	// Under pool.mu.
	seen time.Time // of the last session
	idle []*warmWorker
}

// warmWorker is a worker that belongs to a slot, until it is taken.
type warmWorker struct {
	*worker
	files string        // what it was started from
	taken chan struct{} // closed, under pool.mu, when a session has it
	up    bool          // its first message was read, it is warm; under pool.mu, and constant once taken is closed
}

// key is what decides whether a worker fits.
func (spec *workerSpec) key() string {
	env := slices.Sorted(slices.Values(spec.env))
	user := fmt.Sprint(spec.client)
	if c := spec.cred; c != nil {
		user += fmt.Sprint(":", c.Uid, c.Gid, slices.Sorted(slices.Values(c.Groups)))
	}
	return fmt.Sprint(spec.library, user) + "\x00" + strings.Join(env, "\x00")
}

// files says which worker and which library of the vendor's are installed now.
func (p *pool) files() string {
	return filesNow(p.s.Worker.Path, filepath.Join(p.s.Vendor.Dir, installed.Library))
}

// filesNow tells files from what may be in their place another time.
func filesNow(paths ...string) string {
	s := ""
	for _, f := range paths {
		if st, err := os.Stat(f); err == nil {
			s += fmt.Sprint(st.ModTime().UnixNano(), st.Size(), st.Sys().(*syscall.Stat_t).Ino, ";")
		}
	}
	return s
}

// start has the pool begin; its workers are ended with ctx.
func (p *pool) start(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx = ctx
	if p.s.Warm > 0 && p.s.WarmOwn {
		if spec, err := p.s.ownSpec(); err == nil {
			p.see(spec)
		}
	}
}

// take gives a session a warm worker that fits, or nil if there is none. One
// that is still on its way up may be given too: waiting for it takes less than
// starting another. The session's kind is kept warm from now on.
func (p *pool) take(spec workerSpec) *warmWorker {
	if p.s.Warm <= 0 {
		return nil
	}
	files := p.files()
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.see(spec)
	for _, upOnly := range []bool{true, false} {
		for i, w := range k.idle {
			if upOnly && !w.up || w.files != files {
				continue // its slot replaces what is out of date
			}
			k.idle = slices.Delete(k.idle, i, i+1)
			close(w.taken)
			return w
		}
	}
	return nil
}

// see notes that a session of a kind is there, and has workers kept for the
// next; p.mu is held.
func (p *pool) see(spec workerSpec) *kind {
	key := spec.key()
	k := p.kinds[key]
	if k == nil {
		if len(p.kinds) >= warmKinds {
			p.forgetOne()
		}
		ctx, stop := context.WithCancel(p.ctx)
		spec.region, spec.account, spec.hold = nil, nil, p.s.Scopes.Holds()
		spec.session, spec.warm, spec.context, spec.log = 0, true, p.s.WarmContext, p.s.Log.With("uid", spec.client)
		k = &kind{spec: spec, stop: stop}
		p.kinds[key] = k
		for range p.s.Warm {
			p.s.wg.Go(func() { p.slot(ctx, key, k) })
		}
	}
	k.seen = time.Now()
	return k
}

// forgetOne makes room for a kind: of the user with the most of them, so that
// nobody takes all, the one that was not seen for longest. p.mu is held.
func (p *pool) forgetOne() {
	of := map[uint32]int{}
	for _, k := range p.kinds {
		of[k.spec.client]++
	}
	victim := ""
	for key, k := range p.kinds {
		v := p.kinds[victim]
		if v == nil || of[k.spec.client] > of[v.spec.client] || of[k.spec.client] == of[v.spec.client] && k.seen.Before(v.seen) {
			victim = key
		}
	}
	p.kinds[victim].stop()
	delete(p.kinds, victim)
}

// slot keeps one worker of a kind warm until the kind is forgotten.
func (p *pool) slot(ctx context.Context, key string, k *kind) {
	log := k.spec.log
	failures := 0
	// Not at once: a session of this kind is just starting, and what its
	// worker asks of the driver would have to wait for this one's cuInit.
	pause := p.s.WarmPause
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		began := time.Now()
		err := p.keepOne(ctx, key, k)
		if err == nil || time.Since(began) > provenTime {
			failures = 0
		}
		if err == nil {
			pause = p.s.WarmPause
			continue
		}
		failures++
		pause = min(time.Second<<min(failures-1, 10), backoffMax)
		level := slog.LevelInfo
		if failures > 1 {
			level = slog.LevelDebug
		}
		log.Log(ctx, level, "a warm worker was lost; sessions start without until there is another", "why", err, "again", pause)
	}
}

// keepOne starts a worker and keeps it until it is taken or of no use any more.
// An error means that it could not be had, or died.
func (p *pool) keepOne(ctx context.Context, key string, k *kind) error {
	w := &warmWorker{files: p.files(), taken: make(chan struct{})}
	var err error
	if w.worker, err = startWorker(k.spec); err != nil {
		return err
	}
	if err = p.s.Scopes.Wait(ctx, w.pid); err != nil {
		k.spec.log.Info("a warm worker's memory is counted as axond's", "why", err)
	}
	if err = w.release(); err != nil {
		w.end(workerPatience)
		return w.death()
	}
	p.mu.Lock()
	k.idle = append(k.idle, w)
	p.mu.Unlock()
	why, err := p.watch(ctx, key, k, w)
	if !p.takeBack(k, w) {
		return nil // a session has it: the end is its affair
	}
	if err == nil {
		k.spec.log.Debug("a warm worker ends", "worker", w.pid, "why", why)
	}
	if !w.end(workerPatience) {
		k.spec.log.Error("the worker does not die; the kernel holds it, and its memory stays taken", "worker", w.pid)
	}
	return err
}

// takeBack is false if a session has taken the worker.
func (p *pool) takeBack(k *kind, w *warmWorker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(k.idle, w)
	if i >= 0 {
		k.idle = slices.Delete(k.idle, i, i+1)
	}
	return i >= 0
}

// watch returns why a worker is no longer kept, or an error when that is its own fault.
func (p *pool) watch(ctx context.Context, key string, k *kind, w *warmWorker) (string, error) {
	late := time.NewTimer(p.s.ReadyTime)
	defer late.Stop()
	look := time.NewTicker(warmLook)
	defer look.Stop()
	for {
		select {
		case <-w.taken:
			return "taken", nil
		case <-ctx.Done():
			return "it is of no more use", nil
		case r := <-w.ready:
			if !p.cameUp(w, r) {
				return "taken", nil
			}
			late.Stop()
			if err := r.warm(); err != nil {
				return "", err
			}
			k.spec.log.Debug("a worker is warm", "worker", w.pid)
		case <-w.dead:
			return "", w.death()
		case <-late.C:
			return "", fmt.Errorf("it was not ready after %v", p.s.ReadyTime)
		case <-look.C:
			if p.files() != w.files {
				return "the worker or the vendor's library was replaced on disk", nil
			}
			if p.unseen(key, k) {
				return "no such session for a long time", nil
			}
		}
	}
}

// cameUp notes a worker's first message. It is false if a session has taken the
// worker meanwhile, which then reads the message again.
func (p *pool) cameUp(w *warmWorker, r Ready) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-w.taken:
		w.ready <- r // there is room: a worker says no more before it has a region
		return false
	default:
	}
	w.up = true
	return true
}

// unseen forgets a kind that no session was of for a long time: its worker
// keeps memory, and the GPU from sleeping.
func (p *pool) unseen(key string, k *kind) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(k.seen) < p.s.WarmFor {
		return false
	}
	if p.kinds[key] == k {
		delete(p.kinds, key)
	}
	k.stop()
	return true
}

// warm is nil if a worker's first message says that it can wait for a session.
// One whose cuInit failed cannot: what made it fail may be over by then.
func (r Ready) warm() error {
	switch {
	case r.Status != wire.StatusOK:
		return fmt.Errorf("%s (result %d)", r.Text, r.Result)
	case r.Result != 0:
		return fmt.Errorf("the library's initialisation gave %d", r.Result)
	}
	return nil
}

// ownSpec is a session that axond's own user would have, from the environment
// that axond has.
func (s *Server) ownSpec() (workerSpec, error) {
	var env []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if name == "HOME" || name == "TMPDIR" || driverReads(name) {
			env = append(env, e)
		}
	}
	if os.Getenv("HOME") == "" { // a service
		if u, err := user.LookupId(strconv.Itoa(os.Geteuid())); err == nil && u.HomeDir != "" {
			env = append(env, "HOME="+u.HomeDir)
		}
	}
	id := Identity{UID: uint32(os.Geteuid()), GID: uint32(os.Getegid())}
	if groups, err := os.Getgroups(); err == nil {
		for _, g := range groups {
			id.Groups = append(id.Groups, uint32(g))
		}
	}
	return s.spec(CUDA, env, &id)
}

// spec is what a client's worker is started with, but for the session's own.
func (s *Server) spec(library Library, env []string, id *Identity) (workerSpec, error) {
	cred := s.Confine.credential(id, s.Policy)
	cache, err := s.Confine.cache(id, cred)
	if err != nil {
		return workerSpec{}, fmt.Errorf("the worker's folder for compiled kernels: %w", err)
	}
	vars := workerEnv(env, s.Vendor.Dir, id.ownsHome(s.Policy), cache)
	if s.Log.Enabled(context.Background(), slog.LevelDebug) {
		vars = append(vars, "AXON_DEBUG=1") // it says where errors come from
	}
	return workerSpec{
		path:    s.Worker.Path,
		library: library,
		vendor:  s.Vendor.Dir,
		env:     vars,
		client:  id.UID,
		cred:    cred,
		cage:    s.Confine,
		cache:   cache,
	}, nil
}
