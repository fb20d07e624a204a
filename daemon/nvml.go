// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
)

// NVML's calls come as packets (docs/protocol.md), from programs that link the
// shim and from tools that speak it themselves. axond looks at who asks and at
// what is asked, and has the telemetry worker make the call (telemetry.go). What
// it answers goes out as it came, but for lists of processes (nvmlprocess.go).
//
//	client ──► serve ──► ask ──► cache ──► telemetry.call ──► worker
//	client ◄── write ◄── answer ◄────────── done ◄─────────── worker
//
// A connection has a goroutine that reads and one that writes. What it may have
// on its way is bounded, so that it waits for itself and nobody for it.

const (
	nvmlCallsOfOne = 64       // calls of a connection that are not answered; then it is not read
	nvmlCallsOf    = 128      // of one user's connections, but for waits for events
	nvmlOwnOfOne   = 4        // of a connection's about its own sets and samples, which wait for each other in the worker's threads
	nvmlWaitsOfOne = 4        // of them that wait for an event
	nvmlUnread     = 1 << 20  // bytes of answers that a connection has not taken; who leaves more is hung up on
	nvmlUnreadOf   = 32 << 20 // of one user's connections
	nvmlWaits      = 64       // calls of all that wait for an event, shared out: the worker looks at each in turn
	nvmlWaitsRoot  = 4        // of them root's alone
)

// nvmlClient is a connection.
type nvmlClient struct {
	s     *Server
	log   *slog.Logger
	conn  *net.UnixConn
	id    *Identity
	space pidSpace
	user  *readerUser
	owner uint32 // its number in the worker's books

	slots  chan struct{} // one for each call on its way
	own    chan struct{} // one for each of them about what it has in the worker's books
	waits  atomic.Int32
	owns   atomic.Bool // it may have something in a worker's books
	news   chan struct{}
	closed chan struct{} // nobody takes answers any more

	mu     sync.Mutex
	queue  [][]byte // answers to be written
	unread int      // their bytes
	gone   bool
}

// serveNVML serves a reader of NVML until one of both sides hangs up.
func (s *Server) serveNVML(ctx context.Context, log *slog.Logger, conn *net.UnixConn, id *Identity, user *readerUser) {
	owner := s.claimOwner()
	defer s.unclaimOwner(owner)
	c := &nvmlClient{
		s: s, log: log, conn: conn, id: id, space: readerSpace(id), user: user, owner: owner,
		slots: make(chan struct{}, nvmlCallsOfOne), own: make(chan struct{}, nvmlOwnOfOne), news: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	var writer sync.WaitGroup
	writer.Go(c.write)
	why := c.read(ctx)
	if why != nil && ctx.Err() == nil {
		s.rarely.say(log, slog.LevelInfo, id.Charged, "a reader of NVML was hung up on", "why", why)
	}
	conn.Close()
	close(c.closed)
	writer.Wait()
	c.drop()
	if c.owns.Load() {
		s.telemetry.forget(c.owner, id.Charged)
		s.telemetryAdmin.forget(c.owner, id.Charged)
	}
}

// packets are buffers for one packet and a byte more, which shows that one is
// too long. A connection has one only while it reads.
var packets = sync.Pool{New: func() any { return new([nvml.PacketMax + 1]byte) }}

var errLongPacket = errors.New("a packet is too long")

// receivePacket reads a packet; nil at the connection's end.
func receivePacket(conn *net.UnixConn) ([]byte, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	var packet []byte
	var inner error
	err = raw.Read(func(fd uintptr) bool {
		b := packets.Get().(*[nvml.PacketMax + 1]byte)
		defer packets.Put(b)
		for {
			// What descriptors a client sends along the kernel closes.
			n, _, err := unix.Recvfrom(int(fd), b[:], unix.MSG_DONTWAIT)
			switch {
			case err == unix.EINTR:
				continue
			case err == unix.EAGAIN:
				return false
			case err != nil:
				inner = err
			case n > nvml.PacketMax:
				inner = errLongPacket
			case n > 0:
				packet = append(packet, b[:n]...)
			}
			return true
		}
	})
	return packet, errors.Join(err, inner)
}

// nvmlRequest is a client's packet.
type nvmlRequest struct {
	id, call uint32
	in       []byte
}

var errBadRequest = errors.New("a packet is not as docs/protocol.md has it")

// parseNVMLRequest takes a packet apart. in is a part of b.
func parseNVMLRequest(b []byte) (nvmlRequest, error) {
	le := binary.LittleEndian
	if len(b) < nvml.HeaderSize || len(b) > nvml.PacketMax || le.Uint32(b[8:]) != 0 || uint64(le.Uint32(b[12:])) != uint64(len(b)-nvml.HeaderSize) {
		return nvmlRequest{}, errBadRequest
	}
	return nvmlRequest{le.Uint32(b), le.Uint32(b[4:]), b[nvml.HeaderSize:]}, nil
}

// read takes requests until the connection's end, nil, or until it is to end.
func (c *nvmlClient) read(ctx context.Context) error {
	for {
		b, err := receivePacket(c.conn)
		if errors.Is(err, errLongPacket) {
			return err
		}
		if err != nil || b == nil {
			return nil
		}
		r, err := parseNVMLRequest(b)
		if err != nil {
			return err
		}
		if !enter(ctx, c.slots) {
			return nil
		}
		c.ask(ctx, r)
	}
}

// ask has a request answered. It may block while the worker is busy or starts,
// and while the user has too much on the way.
func (c *nvmlClient) ask(ctx context.Context, r nvmlRequest) {
	id := r.id // all that an answer keeps of the request
	answer := func(ret nvml.Return, out []byte) { c.answer(id, ret, out) }
	call := nvmlCalls.of(r.call)
	switch {
	case call == nil:
		answer(nvml.ERROR_FUNCTION_NOT_FOUND, nil)
		return
	case len(r.in) < call.InSize, len(r.in) > call.InSize && len(call.InData) == 0:
		answer(nvml.ERROR_INVALID_ARGUMENT, nil)
		return
	case call.Root && !c.id.mayChange():
		answer(nvml.ERROR_NO_PERMISSION, nil)
		return
	case call.waits:
		c.wait(ctx, call, r.in, answer)
		return
	}
	if !enter(ctx, c.user.calls) {
		answer(nvml.ERROR_UNKNOWN, nil)
		return
	}
	made := func(ret nvml.Return, out []byte) {
		<-c.user.calls
		answer(ret, out)
	}
	switch {
	case call.Root, call.secret && c.id.mayChange():
		c.owns.Store(true)
		c.s.telemetryAdmin.call(ctx, telemetryCall{uid: c.id.Charged, owner: c.owner, call: call, in: r.in, done: func(ret nvml.Return, out []byte) {
			if call.Root {
				c.s.nvmlCache.clear() // what it has changed is to be seen
			}
			made(ret, out)
		}})
	case call.list != nil, call.account:
		c.aboutProcesses(ctx, call, r.in, made)
	case call.shared:
		c.s.readNVML(ctx, c.id.Charged, call, r.in, made)
	default:
		if !enter(ctx, c.own) {
			made(nvml.ERROR_UNKNOWN, nil)
			return
		}
		c.owns.Store(true)
		c.s.telemetry.call(ctx, telemetryCall{uid: c.id.Charged, owner: c.owner, call: call, in: r.in, done: func(ret nvml.Return, out []byte) {
			<-c.own
			made(ret, out)
		}})
	}
}

// enter takes a place; false if axond stops.
func enter(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// wait has a call answered that waits for an event. There is room for a number
// of these, or the rest would wait for them.
func (c *nvmlClient) wait(ctx context.Context, call *nvmlCall, in []byte, answer func(nvml.Return, []byte)) {
	if c.waits.Load() >= nvmlWaitsOfOne || !c.s.claimWait(c.id.Charged) {
		c.s.rarely.say(c.log, slog.LevelInfo, c.id.Charged, "a call that waits for an event was refused: the user has as many as are left for others, or the connection has its most", "of_connection", nvmlWaitsOfOne)
		answer(nvml.ERROR_INSUFFICIENT_RESOURCES, nil)
		return
	}
	c.waits.Add(1)
	c.owns.Store(true)
	c.s.telemetry.call(ctx, telemetryCall{uid: c.id.Charged, owner: c.owner, call: call, in: in, done: func(ret nvml.Return, out []byte) {
		c.waits.Add(-1)
		c.s.unclaimWait(c.id.Charged)
		answer(ret, out)
	}})
}

func (s *Server) claimWait(uid uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readers.waits.take(uid)
}

func (s *Server) unclaimWait(uid uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers.waits.give(uid, 1)
}

// readNVML makes a call that anybody's may be: the worker is asked, or it was a
// moment ago. done may run in any goroutine and must not block. It is a user's
// turn that is waited for, before others can wait for this call's answer: what
// holds up one user's questions is not to hold up who asks the same.
func (s *Server) readNVML(ctx context.Context, uid uint32, call *nvmlCall, in []byte, done func(nvml.Return, []byte)) {
	if call.memory != nil && s.softwareNVML() {
		done = s.withSessionsMemory(ctx, uid, call, in, done)
	}
	if s.nvmlCache.answer(call, in, done) {
		return
	}
	if !s.telemetry.turns.enter(ctx, uid) {
		done(nvml.ERROR_UNKNOWN, nil)
		return
	}
	if done = s.nvmlCache.ask(call, in, done); done == nil {
		s.telemetry.turns.leave(uid)
		return
	}
	s.telemetry.call(ctx, telemetryCall{uid: uid, call: call, in: in, done: done, entered: true})
}

// answer queues an answer. It does not block. A reader that leaves its answers
// lying is hung up on.
func (c *nvmlClient) answer(id uint32, ret nvml.Return, out []byte) {
	le := binary.LittleEndian
	b := make([]byte, 0, nvml.HeaderSize+len(out))
	b = le.AppendUint32(le.AppendUint32(b, id), uint32(ret))
	b = append(le.AppendUint32(le.AppendUint32(b, 0), uint32(len(out))), out...)
	<-c.slots
	c.mu.Lock()
	if c.gone {
		c.mu.Unlock()
		return
	}
	if c.unread == 0 && c.sendNow(b) {
		c.mu.Unlock()
		return
	}
	c.queue = append(c.queue, b)
	c.unread += len(b)
	of := c.user.unread.Add(int64(len(b)))
	c.gone = c.unread > nvmlUnread || of > nvmlUnreadOf
	late := c.gone
	c.mu.Unlock()
	if late {
		c.s.rarely.say(c.log, slog.LevelInfo, c.id.Charged, "a reader of NVML did not take its answers; it was hung up on", "bytes", nvmlUnread, "of_user", of)
		c.conn.Close()
	}
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// sendNow sends an answer if there is room for it, which spares waking write.
// It is for when no other waits to be sent, under mu.
func (c *nvmlClient) sendNow(b []byte) bool {
	raw, err := c.conn.SyscallConn()
	if err != nil {
		return false
	}
	sent := false
	err = raw.Control(func(fd uintptr) {
		sent = unix.Send(int(fd), b, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL) == nil
	})
	return err == nil && sent // what else went wrong write finds out
}

// drop forgets what nobody takes any more.
func (c *nvmlClient) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	c.user.unread.Add(-int64(c.unread))
	c.queue, c.unread = nil, 0
}

// write writes answers until the connection is closed.
func (c *nvmlClient) write() {
	for {
		select {
		case <-c.news:
		case <-c.closed:
			return
		}
		for {
			c.mu.Lock()
			todo := c.queue
			c.queue = nil
			c.mu.Unlock()
			if len(todo) == 0 {
				break
			}
			for _, b := range todo {
				c.conn.SetWriteDeadline(time.Now().Add(readerTime))
				if _, err := c.conn.Write(b); err != nil {
					if errors.Is(err, os.ErrDeadlineExceeded) {
						c.s.rarely.say(c.log, slog.LevelInfo, c.id.Charged, "a reader of NVML did not take its answers; it was hung up on", "after", readerTime)
					}
					c.conn.Close() // wakes read
					return
				}
				c.mu.Lock()
				c.unread -= len(b)
				c.mu.Unlock()
				c.user.unread.Add(-int64(len(b)))
			}
		}
	}
}
