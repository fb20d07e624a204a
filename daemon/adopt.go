// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// Sessions outlive axond, by what systemd keeps for it (store.go): a worker
// stays in its scope, and neither it nor the client sees a hang-up, because
// their sockets' other ends are open still. The axond that comes next takes
// each session back. One that was not wholly in the store had not begun: its
// client is hung up on, and says its hello again. One that has ended meanwhile
// is taken back to be ended properly.

// takeBack takes back the sessions that systemd kept. Each runs in a goroutine
// of its own from then on.
func (s *Server) takeBack(ctx context.Context) {
	sessions := map[uint32]map[string]*os.File{}
	for name, f := range s.Kept {
		number, what, ok := parseStoredName(name)
		switch {
		case name == totalsName:
			s.totals = &totals{f}
		case !ok:
			s.Log.Warn("systemd kept something that this axond does not know; it is dropped", "name", name)
			s.store.Remove(name)
			f.Close()
		default:
			if sessions[number] == nil {
				sessions[number] = map[string]*os.File{}
			}
			sessions[number][what] = f
		}
	}
	s.Kept = nil
	if s.totals == nil && s.Store != nil {
		var err error
		if s.totals, err = newTotals(s.store); err != nil {
			s.Log.Warn("numbers of sessions may come again after a restart", "err", err)
		}
	}
	s.mu.Lock() // systemd is told the counts meanwhile
	if s.totals != nil {
		s.number, s.counts.Started, s.counts.Refused = s.totals.read()
	}
	s.mu.Unlock()
	for _, number := range slices.Sorted(maps.Keys(sessions)) {
		s.mu.Lock()
		s.number = max(s.number, number)
		s.mu.Unlock()
		l, err := s.restore(number, sessions[number])
		if err != nil {
			s.Log.Info("a session that had not begun when axond ended is dropped", "session", number, "why", err)
			s.drop(number, sessions[number])
			continue
		}
		charged := chargedFor(l.info.PID, l.info.UID)
		s.mu.Lock()
		s.began(charged)
		s.mu.Unlock()
		s.enlist(l)
		s.wg.Go(func() {
			defer s.unclaim(charged)
			defer l.conn.Close()
			defer l.region.Close()
			defer l.client.end()
			if l.answered {
				l.log.Info("session taken back", "worker", l.worker.pid)
			}
			s.see(ctx, l)
		})
	}
	s.Scopes.Strays(ctx, func(session uint32) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.lives[session] != nil
	})
}

// parseStoredName is the opposite of storedName.
func parseStoredName(name string) (session uint32, what string, ok bool) {
	rest, ok := strings.CutPrefix(name, "session-")
	number, what, ok2 := strings.Cut(rest, "-")
	n, err := strconv.ParseUint(number, 10, 32)
	return uint32(n), what, ok && ok2 && err == nil && n > 0
}

// restore makes a session of its descriptors. After an error they are as before.
func (s *Server) restore(number uint32, files map[string]*os.File) (*live, error) {
	for _, what := range []string{storedClient, storedWorker, storedRegion, storedControl, storedOutput, storedAccount, storedState} {
		if files[what] == nil {
			return nil, fmt.Errorf("its %s is missing", what)
		}
	}
	b := make([]byte, stateBytes)
	var st sessionState
	if _, err := files[storedState].ReadAt(b, 0); err != nil {
		return nil, fmt.Errorf("its state: %w", err)
	}
	if err := json.Unmarshal(b, &st); err != nil {
		return nil, fmt.Errorf("its state: %w", err)
	}
	if st.Info.Session != number || st.Ended {
		return nil, errors.New("it has ended")
	}
	account, err := wire.MapAccount(int(files[storedAccount].Fd()))
	if err != nil {
		return nil, err
	}
	conn, err := unixConn(files[storedClient])
	if err != nil {
		account.Unmap()
		return nil, err
	}
	control, err := unixConn(files[storedControl])
	if err != nil {
		account.Unmap()
		conn.Close()
		return nil, err
	}
	files[storedClient].Close()
	files[storedControl].Close()
	l := &live{
		info: st.Info, result: st.Result, warm: st.Warm, checkpoints: st.Checkpoints, answering: st.Answering, answered: st.Answered,
		startAgain: st.Answering, endAgain: st.Ending,
		log:  s.Log.With("pid", st.Info.PID, "uid", st.Info.UID, "comm", st.Info.Comm, "session", number),
		conn: conn, region: files[storedRegion], account: account, accountFile: files[storedAccount], stateFile: files[storedState],
		asked: make(chan string, 1), changed: make(chan struct{}, 1),
	}
	l.limit.Store(st.Limit)
	l.allowed.Store(st.Allowed)
	l.worker = newWorker(control, l.log)
	l.worker.pid, l.worker.pidfd, l.worker.output = st.Info.WorkerPID, polled(files[storedWorker]), polled(files[storedOutput])
	l.worker.left = s.Confine.adopt(st.Info.UID, st.Info.WorkerPID, l.worker.pidfd)
	if b := born(l.worker.pid); l.info.WorkerBorn == 0 && alive(l.worker.pidfd) {
		l.info.WorkerBorn = b
	}
	l.worker.listen(0)
	if id, err := Identify(conn); err == nil {
		if l.info.Born == 0 { // of an axond that did not keep it
			l.info.Born = id.Born
		}
		l.client = watchClient(conn, id)
		l.client.owned = id
	} else {
		l.client = goneClient(conn, "the client exited while axond was away")
	}
	return l, nil
}

// drop ends what is left of a session that cannot be taken back. Its client
// sees a hang-up, and so does its worker.
func (s *Server) drop(number uint32, files map[string]*os.File) {
	if f := files[storedWorker]; f != nil {
		unix.PidfdSendSignal(int(f.Fd()), unix.SIGKILL, nil, 0)
	}
	if f := files[storedRegion]; f != nil {
		endRegion(f)
	}
	s.unkeep(number)
	for _, f := range files {
		f.Close()
	}
}

func unixConn(f *os.File) (*net.UnixConn, error) {
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, errors.New("it is no socket of a session's")
	}
	return u, nil
}

// polled is a file from another process as Go's poller watches it.
func polled(f *os.File) *os.File {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return f
	}
	p, err := pollable(fd, f.Name())
	if err != nil {
		return f
	}
	f.Close()
	return p
}
