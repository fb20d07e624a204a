// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// workerPatience is how long a killed worker may take to die before its session
// goes on without it. Only a process that hangs in the kernel takes that long.
const workerPatience = 10 * time.Second

// answerTextMax bounds an answer's sentence, bytes.
const answerTextMax = 4096

// serve is one connection from its first to its last moment.
func (s *Server) serve(ctx context.Context, w *waiting) {
	conn := w.conn
	defer conn.Close()
	id, err := Identify(conn)
	if err != nil {
		if s.waited(w) && !errors.Is(err, errGone) {
			s.Log.Warn("a connection cannot be identified", "err", err)
		}
		return
	}
	defer id.Close()
	log := s.Log.With("pid", id.PID, "uid", id.UID, "comm", id.Comm)
	if s.closings.full(id.Charged) {
		s.waited(w)
		s.rarely.say(log, slog.LevelWarn, id.Charged, "a connection is refused: "+errClosing.Error())
		return
	}
	notAdmitted := id.Admitted(s.Policy)
	if notAdmitted == nil {
		notAdmitted = s.Confine.admits(id)
	}
	if notAdmitted != nil {
		s.willRefuse(w)
	}

	// The hello is read even of those who are not admitted: a socket that is
	// closed with something unread gives its peer ECONNRESET and not the answer.
	conn.SetReadDeadline(time.Now().Add(s.HelloTime))
	msg, region, err := s.receiveHello(conn, id.Charged)
	inTime := s.waited(w)
	if region != nil {
		defer region.Close()
	}
	conn.SetReadDeadline(time.Time{})
	switch {
	case !inTime:
		s.rarely.say(log, slog.LevelWarn, id.Charged, "a connection that said nothing was dropped for newer ones")
		return
	case errors.Is(err, errSilent) && errors.Is(err, os.ErrDeadlineExceeded):
		s.rarely.say(log, slog.LevelWarn, id.Charged, "a connection said nothing and was dropped", "after", s.HelloTime)
		return
	case errors.Is(err, errSilent):
		log.Debug("a connection was closed before it said anything")
		return
	}
	if notAdmitted != nil {
		err = refuse(wire.StatusNotAdmitted, "%v", notAdmitted)
	}
	if err == nil {
		if libraryOf(msg).reads() {
			err = s.read(ctx, log, conn, id, msg, region)
		} else {
			err = s.session(ctx, log, conn, id, msg, region)
		}
	}
	switch {
	case err == nil:
	case libraryOf(msg).reads():
		s.refuseReader(log, id, conn, err)
	default:
		s.refuse(log, id, conn, err)
	}
}

// refuse answers a client that gets no session and says so in the log.
func (s *Server) refuse(log *slog.Logger, id *Identity, conn *net.UnixConn, err error) {
	var r *Refusal
	if !errors.As(err, &r) {
		r = refuse(wire.StatusNoWorker, "%v", err)
	}
	s.refused()
	s.rarely.say(log, slog.LevelWarn, id.Charged, "session refused", "status", r.Status, "why", r.Text)
	s.answer(conn, wire.Answer{Status: r.Status, Text: r.Text})
}

func (s *Server) answer(conn *net.UnixConn, a wire.Answer) error {
	a.Version = wire.Version
	if len(a.Text) > answerTextMax {
		a.Text = a.Text[:answerTextMax]
	}
	conn.SetWriteDeadline(time.Now().Add(s.HelloTime))
	_, err := conn.Write(a.Append(nil))
	return err
}

// session is an admitted client's session. An error is why there was none; it
// has not been answered yet.
func (s *Server) session(ctx context.Context, log *slog.Logger, conn *net.UnixConn, id *Identity, msg []byte, region *os.File) error {
	ours, err := s.Worker.Get()
	if err != nil {
		return err
	}
	if ours.Version != wire.Version {
		return refuse(wire.StatusNoWorker, "axond speaks protocol %d and %s protocol %d; restart axond (systemctl restart axond)", wire.Version, s.Worker.Path, ours.Version)
	}
	hello, err := ParseHello(msg, ours)
	if err != nil {
		return err
	}
	if hello.Library != CUDA {
		return refuse(wire.StatusNoWorker, "this axond has no worker for %v; update axon", hello.Library)
	}
	if region == nil {
		return refuse(wire.StatusBadRegion, "the hello came without a descriptor, one was expected: the region")
	}
	if err := checkRegion(region, ours.Fingerprint); err != nil {
		return err
	}
	number, err := s.claim(id.Charged)
	if err != nil {
		return err
	}
	defer s.unclaim(id.Charged)
	log = log.With("session", number)

	// Watched from here on, so that a client that dies early ends its worker early.
	client := watchClient(conn, id)
	defer client.end()

	spec, err := s.spec(hello.Library, hello.Env, id)
	if err != nil {
		return err
	}
	account, fd, err := wire.NewAccount()
	if err != nil {
		return err
	}
	l := &live{log: log, conn: conn, client: client, region: region, account: account, accountFile: os.NewFile(uintptr(fd), "account"), asked: make(chan string, 1), changed: make(chan struct{}, 1)}
	spec.session, spec.region, spec.account, spec.log = number, region, l.accountFile, log
	spec.hold, spec.limits = s.Scopes.Holds(), s.inForce.Load().For(id)
	l.info.Limit, err = spec.limits.of(hello.Env)
	if err != nil {
		s.delist(l)
		return err
	}
	l.limit.Store(l.info.Limit.GPUMemory)
	l.allowed.Store(spec.limits.gpuMemory())
	account.SetLimit(l.limit.Load())
	account.SetPinnedLimit(l.info.Limit.Pinned)
	spec.description = fmt.Sprintf("axon session %d: %s (pid %d) of %s", number, id.Comm, id.PID, id.user())
	wk, err := s.begin(ctx, log, client, spec)
	if err != nil {
		// Also when the client is gone: one that it forked may sleep on the region.
		s.endRegion(l)
		s.delist(l)
		var gone clientGone
		switch {
		case errors.As(err, &gone):
			log.Info("the client was gone before its worker was ready", "why", string(gone))
			return nil
		case s.leaving.Load():
			return nil // unanswered, the client says its hello again to the axond that comes next
		}
		return err
	}
	l.worker, l.result, l.warm, l.checkpoints = wk.worker, wk.result, wk.warm, true
	l.info = SessionInfo{Session: number, Library: hello.Library, PID: id.PID, Born: id.Born, UID: id.UID, Comm: id.Comm, WorkerPID: wk.pid, WorkerBorn: wk.born, Scope: wk.scope, Started: time.Now(), Limit: l.info.Limit, GPUs: gpusOf(region)}
	s.enlist(l)
	if err := s.keep(l); err != nil {
		log.Warn("this session will end with axond", "err", err)
	}
	s.see(ctx, l)
	return nil
}

// see sees a session through to its end, from its client's answer on. If axond
// leaves, the session stays as it is.
func (s *Server) see(ctx context.Context, l *live) {
	why := s.run(ctx, l)
	if why == "" {
		s.delist(l)
		return
	}
	had := s.accounting(l)
	s.letGo(l.log, l.worker, l.info.Session)
	s.endRegion(l)
	line := append([]any{"why", why}, had()...)
	if l.endAgain {
		line = append(line, "again", true) // for who adds up what sessions had
	}
	l.ending = true
	l.stateWriter()()
	l.ended = true
	s.former.add(l.info.WorkerPID, l.info.client())
	l.log.InfoContext(withAfter(l.stateWriter()), "session ended", line...)
	s.unkeep(l.info.Session)
	s.delist(l)
	s.Bus.SessionEnded(l.info, why, s.Counts())
}

func (s *Server) endRegion(l *live) {
	if err := endRegion(l.region); err != nil {
		l.log.Warn("the region cannot be marked as ended", "err", err)
	}
}

// clientGone is an error: there is nobody to answer any more, and why.
type clientGone string

func (c clientGone) Error() string { return string(c) }

// serving is a worker that has said that it serves the session.
type serving struct {
	*worker
	result uint32 // of the library
	scope  string // where it is
	warm   bool   // it was started before the session
}

// begin gets a session a worker that serves it: a warm one, or one that is
// started for it. An error is a Refusal or clientGone; no worker is left then.
func (s *Server) begin(ctx context.Context, log *slog.Logger, client *clientWatch, spec workerSpec) (*serving, error) {
	if w := s.pool.take(spec); w != nil {
		scope, ready, err := s.bringUp(ctx, client, w.worker, spec, w)
		if err == nil {
			return &serving{w.worker, ready.Result, scope, true}, nil
		}
		s.letGo(log, w.worker, spec.session)
		if errors.As(err, new(clientGone)) || ctx.Err() != nil {
			return nil, err
		}
		// Whatever it was, one that starts with the session does not have it, or says it again.
		log.Info("the warm worker cannot serve this session, another is started", "worker", w.pid, "why", err)
	}
	wk, err := startWorker(spec)
	if err != nil {
		return nil, refuse(wire.StatusNoWorker, "no worker: %v", err)
	}
	scope, ready, err := s.bringUp(ctx, client, wk, spec, nil)
	if err != nil {
		s.letGo(log, wk, spec.session)
		return nil, err
	}
	return &serving{wk, ready.Result, scope, false}, nil
}

// letGo ends a session's worker.
func (s *Server) letGo(log *slog.Logger, wk *worker, session uint32) {
	if !wk.end(workerPatience) {
		log.Error("the worker does not die; the kernel holds it, and its memory stays taken", "worker", wk.pid)
	}
	s.Scopes.Remove(session)
}

// bringUp has a worker serve a session: puts it in its place, hands the region
// over if it is a warm one, and waits until it is ready.
func (s *Server) bringUp(ctx context.Context, client *clientWatch, wk *worker, spec workerSpec, warm *warmWorker) (scope string, r Ready, err error) {
	scope, err = s.Scopes.Place(ctx, Placement{spec.session, wk.pid, spec.description, spec.limits})
	if err == nil {
		err = wk.release()
	}
	if err != nil {
		return "", r, refuse(wire.StatusNoWorker, "the worker cannot be limited: %v", err)
	}
	if warm == nil {
		r, err = s.message(ctx, client, wk, s.ReadyTime)
		return scope, r, err
	}
	if !warm.up { // else its slot has read that message
		first, err := s.message(ctx, client, wk, s.ReadyTime)
		if err == nil {
			err = first.warm()
		}
		if err != nil {
			return "", r, err
		}
	}
	if err := wk.handOver(&spec); err != nil {
		return "", r, err
	}
	r, err = s.message(ctx, client, wk, handOverTime)
	return scope, r, err
}

// message waits for a worker's next message and takes it for an error if it is one.
func (s *Server) message(ctx context.Context, client *clientWatch, wk *worker, patience time.Duration) (Ready, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	var ready Ready
	select {
	case ready = <-wk.ready:
	case <-wk.dead:
		// It may have said why before it died.
		var said bool
		if ready, said = wk.lastReady(); !said {
			return ready, refuse(wire.StatusNoWorker, "%v", wk.death())
		}
	case why := <-client.gone:
		return ready, clientGone(why)
	case <-late.C:
		return ready, refuse(wire.StatusNoWorker, "the worker was not ready after %v; look at axond's log (journalctl -u axond) and try again", patience)
	case <-ctx.Done():
		return ready, refuse(wire.StatusNoWorker, "axond is stopping; try again when it runs")
	}
	if ready.Status != wire.StatusOK {
		st := ready.Status
		if st > wire.StatusBusy {
			st = wire.StatusNoWorker
		}
		return ready, refuse(st, "the worker cannot serve: %s (result %d)", ready.Text, ready.Result)
	}
	return ready, nil
}

// run answers the client, unless it was, and waits for the session's end, which
// it describes; "" if axond leaves it. The worker may live or not when it returns.
func (s *Server) run(ctx context.Context, l *live) string {
	if !l.answered {
		l.answering = true
		l.stateWriter()()
		// An axond that was killed between these may have said the first already,
		// and the client may have come and gone since.
		err := s.answer(l.conn, wire.Answer{Status: wire.StatusOK, Session: l.info.Session})
		l.answered = true
		write := l.stateWriter()
		line := []any{"worker", l.worker.pid, "scope", l.info.Scope, "result", l.result, "warm", l.warm}
		if l.startAgain {
			line = append(line, "again", true) // as at the end
		}
		l.log.InfoContext(withAfter(write), "session started", line...)
		write() // a log that is not ours has not
		if err != nil && !l.startAgain {
			return fmt.Sprintf("the client did not take its answer: %v", err)
		}
		s.Bus.SessionStarted(l.info, s.Counts())
	}

	for {
		select {
		case <-l.client.spoke:
			if err := s.passOn(l.conn, l.client.charged, l.worker); err != nil {
				return err.Error()
			}
			l.client.heard <- struct{}{}
		case <-l.worker.asked:
			ask := *l.worker.lastAsk.Load()
			s.setLimit(l, ask.Bytes)
			l.account.Answer(ask.Number)
		case <-l.changed:
			l.stateWriter()()
		case why := <-l.asked:
			return why
		case why := <-l.client.gone:
			return why
		case <-l.worker.dead:
			// One that exits by itself because its client hung up is no failure, nor
			// one that an earlier axond has ended for that.
			if l.client.isGone() {
				return <-l.client.gone
			}
			why := "the worker died: " + l.worker.how()
			l.log.Error(why+"; its client's calls fail with CUDA_ERROR_DEVICE_UNAVAILABLE from now on", "worker", l.worker.pid)
			return why
		case <-ctx.Done():
			if s.leaving.Load() {
				return ""
			}
			return "axond stops"
		}
	}
}

// clientWatch sees when a client is gone.
type clientWatch struct {
	gone  chan string   // why, once or twice
	spoke chan struct{} // it has sent something for its worker
	heard chan struct{} // that was taken
	ended chan struct{} // closed by end

	charged uint32 // see Identity

	conn  *net.UnixConn
	pidfd *os.File  // nil if it is gone
	owned *Identity // to be closed in the end
	wg    sync.WaitGroup
}

// goneClient is one that is gone already.
func goneClient(conn *net.UnixConn, why string) *clientWatch {
	c := &clientWatch{gone: make(chan string, 2), ended: make(chan struct{}), conn: conn}
	c.gone <- why
	return c
}

// watchClient watches a client's socket and its process: a forked child may
// keep the socket open when the process that had the session is no more, and a
// process may close the socket and live on.
func watchClient(conn *net.UnixConn, id *Identity) *clientWatch {
	c := &clientWatch{gone: make(chan string, 2), spoke: make(chan struct{}), heard: make(chan struct{}, 1), ended: make(chan struct{}), charged: id.Charged, conn: conn, pidfd: id.pidfd}
	c.wg.Go(func() {
		for {
			if err := nextMessage(conn); err != nil {
				c.gone <- err.Error()
				return
			}
			select {
			case c.spoke <- struct{}{}:
			case <-c.ended:
				return
			}
			select {
			case <-c.heard:
			case <-c.ended:
				return
			}
		}
	})
	c.wg.Go(func() {
		if exited(id.pidfd) == nil {
			c.gone <- "the client exited"
		}
	})
	return c
}

// isGone asks the kernel, which knows before the goroutines do. If it is true,
// there is or will be something in gone.
func (c *clientWatch) isGone() bool {
	if c.pidfd == nil {
		return true
	}
	gone := false
	poll := func(events int16) func(fd int) error {
		return func(fd int) error {
			p := []unix.PollFd{{Fd: int32(fd), Events: events}}
			n, err := unix.Poll(p, 0)
			gone = gone || err == nil && n > 0 && p[0].Revents != 0
			return nil
		}
	}
	withFD(c.conn, poll(unix.POLLRDHUP))
	withFD(c.pidfd, poll(unix.POLLIN))
	return gone
}

// end stops watching.
func (c *clientWatch) end() {
	close(c.ended)
	c.conn.SetReadDeadline(time.Now())
	if c.pidfd != nil {
		c.pidfd.SetReadDeadline(time.Now())
	}
	c.wg.Wait()
	if c.owned != nil {
		c.owned.Close()
	}
}

// Describe is a line about what sessions will run with, for the log.
func (s *Server) Describe(p installed.Protocol) string {
	kind := "vendor's library"
	if s.Vendor.Software {
		kind = "software GPU"
	}
	return fmt.Sprintf("axon %s, %v, %s in %s", installed.Version, p, kind, s.Vendor.Dir)
}
