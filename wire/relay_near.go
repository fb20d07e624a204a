// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// The near end of a relay is the worker of the client's region, as far as the
// client can tell:
//
//  1. the door: a goroutine that sleeps on the doorbell and gives every opened
//     lane a goroutine
//  2. lanes: each takes frames off its ring and sends them, within its window.
//     A post's head moves as soon as it was sent; after a waited-for frame the
//     lane stops until it was answered
//  3. the receiver: one goroutine that writes answers and what they brought
//     into the region and wakes the client; it never sends
//  4. the heap: one goroutine that sends what FETCH asks for and says when a
//     PUSH is complete
//  5. upcalls: one goroutine that puts them into the client's ring, and one for
//     each that the client has not done yet
//
// Whatever goes wrong ends the session through end, which wakes all of them.
type near struct {
	session
	lanes []nearLane

	door    sync.Mutex // guards serving of every lane, together with its state becoming free
	serving []bool

	up      sync.Mutex
	upcalls map[uint32]*nearUpcall // by ID, not done yet
	heap    chan *nearUpcall       // both have room for every upcall that can be outstanding:
	calls   chan *nearUpcall       // the receiver never waits for them

	output nearOutput // the receiver's
}

type nearLane struct {
	mu     sync.Mutex
	wake   *sync.Cond // credit has come
	credit int

	// The waited-for frame that has no answer yet.
	waiting bool
	frame   Frame
	head    uint32 // where the ring's head goes with the answer

	answered chan struct{}
}

type nearUpcall struct {
	id   uint32
	ask  Question
	came uint64 // PUSH: bytes that have come, in order
}

// ErrClientGone is the end of a session whose client has hung up.
var ErrClientGone = errors.New("wire: the client is gone")

// Near serves the client of region r over stream: it says hello, calls ready
// once with the answer (after the snapshot and the state are in place, if it
// is StatusOK), and carries the session until ctx is cancelled (the client is
// gone), the other end ends it or the stream breaks. It returns why, never
// nil, after its last use of r, which it leaves ended. It closes stream.
func Near(ctx context.Context, r *Region, stream io.ReadWriteCloser, hello Hello, ready func(Answer) error) error {
	n := &near{
		session: session{region: r, link: newLink(stream), done: make(chan struct{})},
		lanes:   make([]nearLane, r.Lanes),
		serving: make([]bool, r.Lanes),
		upcalls: make(map[uint32]*nearUpcall),
		heap:    make(chan *nearUpcall, Upcalls),
		calls:   make(chan *nearUpcall, Upcalls),
	}
	for i := range n.lanes {
		l := &n.lanes[i]
		l.wake = sync.NewCond(&l.mu)
		l.credit = LaneWindow
		l.answered = make(chan struct{}, 1)
	}
	n.onEnd = func() {
		for i := range n.lanes {
			l := &n.lanes[i]
			l.mu.Lock()
			l.wake.Broadcast()
			l.mu.Unlock()
		}
	}
	stop := context.AfterFunc(ctx, func() { n.end(ErrClientGone) })
	defer stop()
	n.work.Go(n.finish)

	answer, err := n.greet(hello)
	if err != nil {
		n.end(err)
		answer = Answer{Version: Version, Status: StatusNoWorker, Text: clip(err.Error())}
	}
	rerr := ready(answer)
	switch {
	case err != nil:
	case rerr != nil:
		n.end(fmt.Errorf("%w: %w", ErrClientGone, rerr))
	case answer.Status != StatusOK:
		n.end(&EndedError{Text: answer.Text, peer: true})
	default:
		n.work.Go(n.watchDoor)
		n.work.Go(n.serveHeap)
		n.work.Go(n.serveCalls)
		n.end(n.receive())
	}
	n.link.drain()
	n.work.Wait()
	return n.err
}

// greet says hello and takes in the snapshot and the answer.
func (n *near) greet(hello Hello) (Answer, error) {
	h := n.region.Header
	h.Fingerprint = hello.Fingerprint
	h.Flags |= FlagMirrored
	if err := n.link.send(&Message{Kind: MsgHello, Link: LinkVersion, Library: hello.Library, Header: h, Data: hello.Env}, true); err != nil {
		return Answer{}, err
	}
	snapshot := make([]byte, SnapshotSize)
	for {
		m, err := n.link.receive()
		if err != nil {
			return Answer{}, err
		}
		switch m.Kind {
		case MsgSnapshot:
			copy(snapshot[m.Offset:], m.Data)
		case MsgAnswer:
			if m.Status == StatusOK {
				if hello.Library == LibraryCUDA {
					maskSnapshot(snapshot)
				}
				copy(n.region.Snapshot(), snapshot)
				// Before the state, so that a client that sees the one sees the other.
				atomic.OrUint32(n.region.SharedFlags(), FlagMirrored)
				atomic.CompareAndSwapUint32(n.region.State(), StateStarting, StateReady)
				FutexWake(n.region.State())
			}
			return Answer{Version: Version, Status: m.Status, Session: m.Session, Text: string(m.Data)}, nil
		case MsgEnd:
			return Answer{}, &EndedError{m.Result, string(m.Data), true}
		case MsgAck:
		default:
			return Answer{}, fmt.Errorf("wire: a message of kind %d before the answer", m.Kind)
		}
	}
}

// watchDoor gives every lane that was opened a goroutine.
func (n *near) watchDoor() {
	r := n.region
	for !n.over() {
		seen := atomic.LoadUint32(r.Doorbell())
		used := atomic.LoadUint32(r.LanesUsed())
		if used > r.Lanes {
			n.end(badRegion("its client says that it uses %d of %d lanes", used, r.Lanes))
			return
		}
		n.door.Lock()
		for i := range used {
			lane, _ := r.Lane(i)
			if !n.serving[i] && atomic.LoadUint32(lane.State()) != LaneFree {
				n.serving[i] = true
				n.work.Go(func() { n.serveLane(i, lane) })
			}
		}
		n.door.Unlock()
		FutexWait(r.Doorbell(), seen, lookAgain)
	}
}

// serveLane carries a lane from its opening to its closing.
func (n *near) serveLane(i uint32, lane Lane) {
	buf := make([]byte, 0, 4096)
	var head, seq uint32
	err := n.sendLane(i, &Message{Kind: MsgOpen, Lane: uint16(i)}, true)
	for err == nil {
		pending := n.pending(lane, head)
		if pending == 0 {
			break
		}
		var f Frame
		var step uint32
		if buf, f, step, err = takeFrame(lane.Ring(), head, pending, buf); err != nil {
			err = fmt.Errorf("lane %d: %w", i, err)
			break
		}
		next := head + step
		switch f.Kind {
		case KindPad:
			n.moveHead(lane, next)
		case KindPost:
			// Whatever follows in the ring goes out in the same breath.
			if err = n.sendFrame(i, lane, f, buf, pending == step); err == nil {
				n.moveHead(lane, next)
			}
		case KindWait:
			if f.Seq != seq+1 {
				err = fmt.Errorf("lane %d: waited-for frame %d comes after %d", i, f.Seq, seq)
				break
			}
			seq = f.Seq
			l := &n.lanes[i]
			l.mu.Lock()
			l.waiting, l.frame, l.head = true, f, next
			l.mu.Unlock()
			if err = n.sendFrame(i, lane, f, buf, true); err != nil {
				break
			}
			select {
			case <-l.answered:
			case <-n.done:
				err = n.err
			}
		}
		head = next
	}
	if err == nil && !n.over() {
		err = n.sendLane(i, &Message{Kind: MsgClose, Lane: uint16(i)}, true)
	}
	if err != nil {
		n.end(err)
		return
	}
	n.freeLane(i, lane)
}

// pending waits for a frame and says how many bytes are published; 0: the lane
// is closing and drained, or the session is over.
func (n *near) pending(lane Lane, head uint32) uint32 {
	for look := 0; !n.over(); look++ {
		// The state first: a closing client's last frame was published before.
		open := atomic.LoadUint32(lane.State()) == LaneOpen
		if pending := atomic.LoadUint32(lane.Tail()) - head; pending != 0 {
			return pending
		}
		if !open {
			return 0
		}
		if look < spin {
			runtime.Gosched()
			continue
		}
		// Stored, then looked: pairs with the client's store to tail before its look at this word.
		atomic.StoreUint32(lane.WorkerAsleep(), 1)
		if atomic.LoadUint32(lane.Tail()) == head && atomic.LoadUint32(lane.State()) == LaneOpen && !n.over() {
			FutexWait(lane.Tail(), head, lookAgain)
		}
		atomic.StoreUint32(lane.WorkerAsleep(), 0)
	}
	return 0
}

// takeFrame copies the frame at head out of a ring that its client may be
// writing to, and checks the copy. It returns the frame's inline bytes in buf,
// and by how much the head moves.
func takeFrame(ring []byte, head, pending uint32, buf []byte) ([]byte, Frame, uint32, error) {
	at := head % RingSize
	room := RingSize - at
	if pending > RingSize || pending%16 != 0 || head%16 != 0 {
		return buf, Frame{}, 0, fmt.Errorf("wire: a ring with its head at %d and its tail %d bytes on", head, pending)
	}
	var header [FrameHeaderSize]byte
	copy(header[:], ring[at:]) // a pad at the ring's end has only its first 16 bytes
	f := ParseFrame(header[:])
	if f.Kind == KindPad {
		if pending < room {
			return buf, f, 0, errors.New("wire: padding that does not reach the ring's end")
		}
		return buf, f, room, nil
	}
	if room < FrameHeaderSize || f.Size > room || f.Size > pending {
		return buf, f, 0, fmt.Errorf("wire: a frame of %d bytes where %d are published and %d are left in the ring", f.Size, pending, room)
	}
	if err := f.Check(); err != nil {
		return buf, f, 0, err
	}
	buf = append(buf[:0], ring[at+FrameHeaderSize:at+FrameHeaderSize+f.Inline()]...)
	return buf, f, f.Size, nil
}

// sendFrame sends a frame and the bytes that it has in bulk.
func (n *near) sendFrame(i uint32, lane Lane, f Frame, inline []byte, now bool) error {
	bulk := lane.Bulk()[f.Bulk : f.Bulk+f.BulkIn]
	f.Bulk = 0
	f.Size = round16(FrameHeaderSize + f.Inline())
	if err := n.sendLane(i, &Message{Kind: MsgFrame, Lane: uint16(i), Frame: f, Data: inline}, now && len(bulk) == 0); err != nil {
		return err
	}
	for len(bulk) > 0 {
		piece := bulk[:min(len(bulk), ChunkMax)]
		bulk = bulk[len(piece):]
		if err := n.sendLane(i, &Message{Kind: MsgBulk, Lane: uint16(i), Data: piece}, now && len(bulk) == 0); err != nil {
			return err
		}
	}
	return nil
}

// sendLane sends a message of a lane once the lane's window has room for it.
//
// Windows are the lanes' own: with a shared one, a wait could take the room
// that the post it must follow needs.
func (n *near) sendLane(i uint32, m *Message, now bool) error {
	l := &n.lanes[i]
	cost := m.cost()
	l.mu.Lock()
	for l.credit < cost {
		l.mu.Unlock()
		// Nothing comes back for what is still in the buffer.
		if err := n.link.flush(); err != nil {
			return err
		}
		l.mu.Lock()
		if n.over() {
			l.mu.Unlock()
			return n.err
		}
		if l.credit < cost {
			l.wake.Wait()
		}
	}
	l.credit -= cost
	l.mu.Unlock()
	return n.link.send(m, now)
}

func (n *near) moveHead(lane Lane, head uint32) {
	atomic.StoreUint32(lane.Head(), head)
	if atomic.LoadUint32(lane.ClientAsleep()) != 0 {
		FutexWake(lane.Head())
	}
}

// freeLane gives the lane's memory back to the machine and the lane to the client.
func (n *near) freeLane(i uint32, lane Lane) {
	unix.Madvise(lane.b[RingOffset:], unix.MADV_REMOVE) // best effort: without it the memory stays until the session ends
	atomic.StoreUint32(lane.Head(), 0)
	atomic.StoreUint32(lane.Tail(), 0)
	atomic.StoreUint32(lane.Replied(), 0)
	atomic.StoreUint32(lane.RequestEnd(), 1)
	atomic.StoreUint64(lane.Posted(), 0)
	atomic.StoreUint32(lane.ClientAsleep(), 0)
	n.door.Lock()
	n.serving[i] = false
	atomic.StoreUint32(lane.State(), LaneFree)
	n.door.Unlock()
}

// receive takes in what the far end sends until the session is over.
func (n *near) receive() error {
	for {
		m, err := n.link.receive()
		if err != nil {
			return err
		}
		switch m.Kind {
		case MsgCredit:
			err = n.takeCredit(&m)
		case MsgReplyData, MsgBulkOut, MsgReply:
			err = n.takeReply(&m)
		case MsgUpcall:
			err = n.takeUpcall(&m)
		case MsgHeap:
			err = n.takeHeap(&m)
		case MsgEnd:
			err = &EndedError{m.Result, string(m.Data), true}
		case MsgOutput:
			err = n.output.take(n.region, &m)
		case MsgAck:
		default:
			err = fmt.Errorf("wire: the far end sent a message of kind %d", m.Kind)
		}
		if err != nil {
			return err
		}
	}
}

func (n *near) laneOf(m *Message) (*nearLane, Lane, error) {
	lane, err := n.region.Lane(uint32(m.Lane))
	if err != nil {
		return nil, lane, err
	}
	return &n.lanes[m.Lane], lane, nil
}

func (n *near) takeCredit(m *Message) error {
	l, _, err := n.laneOf(m)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.credit += int(m.Credit); l.credit > LaneWindow {
		return fmt.Errorf("wire: lane %d was given more credit than its window of %d bytes", m.Lane, LaneWindow)
	}
	l.wake.Broadcast()
	return nil
}

func (n *near) takeReply(m *Message) error {
	l, lane, err := n.laneOf(m)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.waiting {
		return fmt.Errorf("wire: an answer for lane %d, which waits for none", m.Lane)
	}
	switch m.Kind {
	case MsgReplyData:
		copy(lane.ReplyArea()[m.Offset:], m.Data)
		return nil
	case MsgBulkOut:
		if m.Offset > l.frame.BulkOut || uint32(len(m.Data)) > l.frame.BulkOut-m.Offset {
			return fmt.Errorf("wire: lane %d was sent bulk up to byte %d of %d", m.Lane, m.Offset+uint32(len(m.Data)), l.frame.BulkOut)
		}
		copy(lane.Bulk()[l.frame.Bulk+m.Offset:], m.Data)
		return nil
	}
	if m.Seq != l.frame.Seq {
		return fmt.Errorf("wire: lane %d was sent answer %d and waits for %d", m.Lane, m.Seq, l.frame.Seq)
	}
	copy(lane.Answer(m.Size)[m.Size-uint32(len(m.Data)):], m.Data)
	atomic.StoreUint32(lane.Result(), m.Result)
	atomic.StoreUint32(lane.Size(), m.Size)
	l.waiting = false
	n.output.deliver(n.region)
	n.moveHead(lane, l.head)
	atomic.StoreUint32(lane.Replied(), m.Seq)
	// Stored, then looked: pairs with the client's store to this word before its look at replied.
	if atomic.LoadUint32(lane.ClientAsleep()) != 0 {
		FutexWake(lane.Replied())
	}
	l.answered <- struct{}{} // has room: one answer for each time that waiting became true
	return nil
}

func (n *near) takeUpcall(m *Message) error {
	u := &nearUpcall{id: m.ID, ask: m.Ask}
	n.up.Lock()
	if len(n.upcalls) >= Upcalls || n.upcalls[m.ID] != nil {
		n.up.Unlock()
		return fmt.Errorf("wire: upcall %d came while %d are not done", m.ID, len(n.upcalls))
	}
	n.upcalls[m.ID] = u
	n.up.Unlock()
	switch m.Ask.Kind {
	case UpFetch, UpPush:
		if _, err := n.region.HeapOffsetOf(m.Ask.A, m.Ask.B); err != nil {
			return err
		}
		if m.Ask.Kind == UpFetch || m.Ask.B == 0 {
			n.heap <- u
		}
	default:
		n.calls <- u
	}
	return nil
}

// takeHeap writes what a PUSH brings.
func (n *near) takeHeap(m *Message) error {
	n.up.Lock()
	u := n.upcalls[m.ID]
	n.up.Unlock()
	if u == nil || u.ask.Kind != UpPush {
		return fmt.Errorf("wire: pinned memory for upcall %d, which brings none", m.ID)
	}
	if err := writeHeap(n.region, &u.ask, &u.came, m); err != nil {
		return err
	}
	if u.came == u.ask.B {
		n.heap <- u
	}
	return nil
}

// serveHeap sends what FETCH asks for, and the completion of both kinds.
func (n *near) serveHeap() {
	for {
		select {
		case u := <-n.heap:
			var err error
			if u.ask.Kind == UpFetch {
				err = sendHeap(&n.session, u.id, u.ask)
			}
			if err == nil {
				err = n.upcallDone(u)
			}
			if err != nil {
				n.end(err)
				return
			}
		case <-n.done:
			return
		}
	}
}

func (n *near) upcallDone(u *nearUpcall) error {
	n.up.Lock()
	delete(n.upcalls, u.id)
	n.up.Unlock()
	return n.link.send(&Message{Kind: MsgDone, ID: u.id}, true)
}

// serveCalls puts calls into the client's ring of upcalls, in the order in which they came.
func (n *near) serveCalls() {
	r := n.region
	var tail uint32
	for {
		select {
		case u := <-n.calls:
			entry := r.Upcall(tail)
			// The ring is as long as there can be upcalls, but they need not be done in order.
			if !n.await(entry.State(), UpcallFree) {
				return
			}
			entry.Put(u.ask)
			atomic.StoreUint32(entry.State(), UpcallAsked)
			tail++
			atomic.StoreUint32(r.UpcallTail(), tail)
			if atomic.LoadUint32(r.UpcallAsleep()) != 0 {
				FutexWake(r.UpcallTail())
			}
			n.work.Go(func() {
				if !n.await(entry.State(), UpcallDone) {
					return
				}
				atomic.StoreUint32(entry.State(), UpcallFree)
				FutexWake(entry.State())
				if err := n.upcallDone(u); err != nil {
					n.end(err)
				}
			})
		case <-n.done:
			return
		}
	}
}

// await sleeps until a word is want; false when the session is over.
func (n *near) await(word *uint32, want uint32) bool {
	for !n.over() {
		now := atomic.LoadUint32(word)
		if now == want {
			return true
		}
		FutexWait(word, now, lookAgain)
	}
	return false
}
