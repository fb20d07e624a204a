// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// The far end of a relay is a client of axond, as far as the worker can tell,
// with a region of its own that has the client's sizes and addresses:
//
//  1. the receiver: one goroutine that sorts what comes into the lanes'
//     queues, writes pinned memory that the worker fetched, and never sends
//  2. lanes: a goroutine for each that was ever opened. It puts frames into
//     its ring and bulk area, publishes them when it is their turn (order),
//     and sends answers
//  3. the service: one goroutine that takes the worker's upcalls and sends
//     them; the bytes of a PUSH are sent by the pusher, so that a call does
//     not wait behind a gigabyte
//  4. the watch: one goroutine that reads axond's socket, whose hang-up is the
//     worker's end
type far struct {
	session
	lanes []farLane
	order *order

	up      sync.Mutex
	upcalls map[uint32]*farUpcall // by ID, not done yet
	push    chan *farUpcall

	output farOutput
}

type farLane struct {
	mu       sync.Mutex
	more     *sync.Cond
	queue    []Message
	unpaid   int // bytes that came and were not given back as credit
	started  bool
	consumed int // bytes taken off the queue since the last credit; the lane's goroutine's

	// The lane's goroutine's own, since the lane was opened.
	lane     Lane
	open     bool
	tail     uint32 // published, plus what is being filled
	seq      uint32
	bulkUsed uint32
}

type farUpcall struct {
	id    uint32
	ask   Question
	entry Upcall
	came  uint64 // FETCH: bytes that have come, in order
}

// NewRegion makes a region of the sizes and addresses that h says, sealed and
// mapped. The caller closes the file after Unmap.
func NewRegion(h Header) (*Region, *os.File, error) {
	if err := Check(&h, h.Size); err != nil {
		return nil, nil, err
	}
	fd, err := unix.MemfdCreate("axon-region", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, nil, fmt.Errorf("wire: making a region: %w", err)
	}
	file := os.NewFile(uintptr(fd), "axon-region")
	var head [headerBytes]byte
	h.Put(head[:])
	if err = unix.Ftruncate(fd, int64(h.Size)); err == nil {
		if _, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err == nil {
			_, err = unix.Pwrite(fd, head[:], 0)
		}
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("wire: making a region of %d bytes: %w", h.Size, err)
	}
	r, err := Map(fd)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return r, file, nil
}

// Far carries the session that a Near at the other end of stream wants to the
// axond that dial connects to, until either side ends it or ctx is cancelled.
// It returns why, never nil, and closes stream.
func Far(ctx context.Context, stream io.ReadWriteCloser, dial func(context.Context) (*net.UnixConn, error)) error {
	return serveFar(ctx, stream, dial, newOrder())
}

func serveFar(ctx context.Context, stream io.ReadWriteCloser, dial func(context.Context) (*net.UnixConn, error), order *order) error {
	link := newLink(stream)
	stop := context.AfterFunc(ctx, link.close)
	defer stop()
	hello, region, file, err := awaitHello(link)
	if err != nil {
		link.send(&Message{Kind: MsgEnd, Result: EndedUnavailable, Data: []byte(clip(err.Error()))}, true)
		link.close()
		return err
	}
	defer file.Close()
	defer region.Unmap()
	f := &far{
		session: session{region: region, link: link, done: make(chan struct{})},
		lanes:   make([]farLane, region.Lanes),
		order:   order,
		upcalls: make(map[uint32]*farUpcall),
		push:    make(chan *farUpcall, Upcalls),
	}
	for i := range f.lanes {
		f.lanes[i].more = sync.NewCond(&f.lanes[i].mu)
	}
	stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.onEnd = func() {
		cancel() // a dial that is still under way
		f.order.end()
		for i := range f.lanes {
			l := &f.lanes[i]
			l.mu.Lock()
			l.more.Broadcast()
			l.mu.Unlock()
		}
	}
	context.AfterFunc(ctx, func() { f.end(context.Cause(ctx)) })
	f.work.Go(f.finish)
	// From now on somebody listens: an end that comes while axond still starts
	// a worker is an end at once.
	f.work.Go(func() {
		f.end(f.receive())
		f.link.drain()
	})

	conn, err := f.greet(ctx, hello, int(file.Fd()), dial)
	if err != nil {
		f.end(err)
	} else {
		f.work.Go(func() {
			<-f.done
			conn.Close() // which ends the worker's session
		})
		f.work.Go(func() { f.watch(conn) })
		f.work.Go(f.serveUpcalls)
		f.work.Go(f.servePush)
	}
	f.work.Wait()
	return f.err
}

// awaitHello reads the near end's hello and makes the region that it describes.
func awaitHello(link *link) (*Hello, *Region, *os.File, error) {
	m, err := link.receive()
	if err != nil {
		return nil, nil, nil, err
	}
	if m.Kind != MsgHello {
		return nil, nil, nil, fmt.Errorf("wire: a relay's stream begins with a hello, not with a message of kind %d", m.Kind)
	}
	hello := &Hello{Version: Version, Fingerprint: m.Header.Fingerprint, Library: m.Library, Env: append([]byte(nil), m.Data...)}
	m.Header.Flags = FlagMirrored | m.Header.Flags&FlagDebug
	region, file, err := NewRegion(m.Header)
	return hello, region, file, err
}

// greet opens the session with axond and sends its answer.
func (f *far) greet(ctx context.Context, hello *Hello, memfd int, dial func(context.Context) (*net.UnixConn, error)) (*net.UnixConn, error) {
	refuse := func(status uint32, text string) error {
		f.link.send(&Message{Kind: MsgAnswer, Status: status, Data: []byte(clip(text))}, true)
		return &EndedError{Text: text, peer: true}
	}
	conn, err := dial(ctx)
	if err != nil {
		return nil, refuse(StatusNoWorker, err.Error())
	}
	answered := make(chan struct{})
	defer close(answered)
	go func() {
		select {
		case <-f.done:
			conn.Close()
		case <-answered:
		}
	}()
	if err = SendHello(conn, hello, memfd); err != nil {
		conn.Close()
		return nil, refuse(StatusNoWorker, err.Error())
	}
	answer, err := ReceiveAnswer(conn)
	switch {
	case err != nil:
		conn.Close()
		return nil, refuse(StatusNoWorker, err.Error())
	case answer.Status != StatusOK:
		conn.Close()
		return nil, refuse(answer.Status, answer.Text)
	}
	for !f.over() && atomic.LoadUint32(f.region.State()) == StateStarting {
		FutexWait(f.region.State(), StateStarting, lookAgain)
	}
	snapshot := f.region.Snapshot()
	end := len(snapshot)
	for end > 0 && snapshot[end-1] == 0 {
		end--
	}
	for at := 0; at < end; at += ChunkMax {
		if err := f.link.send(&Message{Kind: MsgSnapshot, Offset: uint32(at), Data: snapshot[at:min(end, at+ChunkMax)]}, false); err != nil {
			conn.Close()
			return nil, err
		}
	}
	err = f.link.send(&Message{Kind: MsgAnswer, Status: StatusOK, Session: answer.Session, Data: []byte(clip(answer.Text))}, true)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// watch reads axond's socket, which says nothing any more: its hang-up is the end.
func (f *far) watch(conn *net.UnixConn) {
	var buf [1]byte
	for {
		if n, err := conn.Read(buf[:]); n == 0 || err != nil {
			f.end(f.workerEnded("axond has hung up"))
			return
		}
	}
}

// workerEnded is the error of a worker that has ended, with its own reason if it left one.
func (f *far) workerEnded(text string) error {
	reason := uint32(EndedUnavailable)
	if atomic.LoadUint32(f.region.State()) == StateEnded {
		if r := atomic.LoadUint32(f.region.EndReason()); r != 0 {
			reason = r
		}
	}
	return &EndedError{Reason: reason, Text: "the worker has ended: " + text}
}

// receive sorts what the near end sends until the session is over.
func (f *far) receive() error {
	for {
		m, err := f.link.receive()
		if err != nil {
			return err
		}
		switch m.Kind {
		case MsgOpen, MsgClose, MsgFrame, MsgBulk:
			err = f.enqueue(m)
		case MsgHeap:
			err = f.takeHeap(&m)
		case MsgDone:
			err = f.takeDone(&m)
		case MsgEnd:
			err = &EndedError{m.Result, string(m.Data), true}
		case MsgAck:
		default:
			err = fmt.Errorf("wire: the near end sent a message of kind %d", m.Kind)
		}
		if err != nil {
			return err
		}
	}
}

// enqueue puts a lane's message into its queue, which holds a window's worth.
func (f *far) enqueue(m Message) error {
	lane, err := f.region.Lane(uint32(m.Lane))
	if err != nil {
		return err
	}
	l := &f.lanes[m.Lane]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unpaid += m.cost(); l.unpaid > LaneWindow {
		return fmt.Errorf("wire: lane %d was sent %d bytes, its window has %d", m.Lane, l.unpaid, LaneWindow)
	}
	m.Data = append([]byte(nil), m.Data...)
	l.queue = append(l.queue, m)
	if !l.started {
		l.started = true
		l.lane = lane
		f.work.Go(func() { f.end(f.serveLane(l, m.Lane)) })
	}
	l.more.Signal()
	return nil
}

// errOver is what a lane returns when something else has ended the session.
var errOver = errors.New("wire: the session is over")

// dequeue takes the lane's next message and gives credit for those before it.
func (f *far) dequeue(l *farLane, number uint16) (Message, error) {
	l.mu.Lock()
	credit := 0
	// A quarter at a time: often enough that no window runs dry, seldom enough to cost little.
	if l.consumed >= LaneWindow/4 {
		credit = l.consumed
		l.consumed = 0
		l.unpaid -= credit
	}
	l.mu.Unlock()
	if credit > 0 {
		if err := f.link.send(&Message{Kind: MsgCredit, Lane: number, Credit: uint32(credit)}, true); err != nil {
			return Message{}, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 {
		if f.over() {
			return Message{}, errOver
		}
		l.more.Wait()
	}
	if f.over() {
		return Message{}, errOver
	}
	m := l.queue[0]
	l.queue[0] = Message{}
	if l.queue = l.queue[1:]; len(l.queue) == 0 {
		l.queue = nil
	}
	l.consumed += m.cost()
	return m, nil
}

// serveLane plays the client's thread of one lane, over all its openings, until
// an error.
func (f *far) serveLane(l *farLane, number uint16) error {
	for {
		m, err := f.dequeue(l, number)
		if err != nil {
			return err
		}
		switch {
		case m.Kind == MsgOpen && !l.open:
			err = f.openLane(l, number)
		case m.Kind == MsgClose && l.open:
			l.open = false
			atomic.StoreUint32(l.lane.State(), LaneClosing)
			FutexWake(l.lane.Tail())
		case m.Kind == MsgFrame && l.open:
			err = f.carry(l, number, &m)
		default:
			err = fmt.Errorf("wire: a message of kind %d for lane %d, open: %t", m.Kind, number, l.open)
		}
		if err != nil {
			return err
		}
	}
}

// openLane claims the lane of the same number, once the worker has freed it.
func (f *far) openLane(l *farLane, number uint16) error {
	for wait := time.Millisecond; !atomic.CompareAndSwapUint32(l.lane.State(), LaneFree, LaneOpen); wait = min(2*wait, lookAgain) {
		if err := f.check(); err != nil {
			return err
		}
		// Nobody is woken when a lane becomes free, and the worker may have
		// missed that this one closes: its sleep is on another word.
		FutexWake(l.lane.Tail())
		FutexWait(l.lane.State(), LaneClosing, wait)
	}
	l.open, l.tail, l.seq, l.bulkUsed = true, 0, 0, 0
	r := f.region
	for {
		used := atomic.LoadUint32(r.LanesUsed())
		if used > uint32(number) || atomic.CompareAndSwapUint32(r.LanesUsed(), used, uint32(number)+1) {
			break
		}
	}
	atomic.AddUint32(r.Doorbell(), 1)
	FutexWake(r.Doorbell())
	return nil
}

// check says whether the session or the worker has ended.
func (f *far) check() error {
	if f.over() {
		return errOver
	}
	if atomic.LoadUint32(f.region.State()) == StateEnded {
		return f.workerEnded("its region says so")
	}
	return nil
}

// changed waits until a word that the worker writes is no longer seen.
func (f *far) changed(l Lane, word *uint32, seen uint32) error {
	for look := 0; ; look++ {
		if atomic.LoadUint32(word) != seen {
			return nil
		}
		if err := f.check(); err != nil {
			return err
		}
		if look < spin {
			runtime.Gosched()
			continue
		}
		// Stored, then looked: pairs with the worker's store to word before its look at this one.
		atomic.StoreUint32(l.ClientAsleep(), 1)
		if atomic.LoadUint32(word) == seen && f.check() == nil {
			FutexWait(word, seen, lookAgain)
		}
		atomic.StoreUint32(l.ClientAsleep(), 0)
	}
}

// room returns where in the ring a frame of size bytes goes.
func (f *far) room(l *farLane, size uint32) (uint32, error) {
	at := l.tail % RingSize
	pad := uint32(0)
	if at+size > RingSize {
		pad = RingSize - at
	}
	for {
		head := atomic.LoadUint32(l.lane.Head())
		if used := l.tail - head; used > RingSize {
			return 0, fmt.Errorf("wire: the worker's head of a lane is %d bytes behind its tail", used)
		} else if RingSize-used >= size+pad {
			break
		}
		if err := f.changed(l.lane, l.lane.Head(), head); err != nil {
			return 0, err
		}
	}
	if pad > 0 {
		ring := l.lane.Ring()
		var header [FrameHeaderSize]byte
		(&Frame{Size: pad, Kind: KindPad}).Put(header[:])
		copy(ring[at:], header[:16]) // at the ring's end there may be no room for more
		l.tail += pad                // published with the frame behind it
		at = 0
	}
	return at, nil
}

// bulk hands out bulk space upwards, from the bottom again once the worker has
// finished with everything. Nothing may be in the ring that is not published.
func (f *far) bulk(l *farLane, size uint32) (uint32, error) {
	if size > BulkSize-l.bulkUsed {
		for {
			head := atomic.LoadUint32(l.lane.Head())
			if head == l.tail {
				break
			}
			if err := f.changed(l.lane, l.lane.Head(), head); err != nil {
				return 0, err
			}
		}
		l.bulkUsed = 0
	}
	at := l.bulkUsed
	l.bulkUsed = min((at+size+63)&^63, BulkSize)
	return at, nil
}

// carry publishes a frame in its turn, and sends the answer to one that is waited for.
func (f *far) carry(l *farLane, number uint16, m *Message) error {
	fr := m.Frame
	if fr.BulkIn != 0 || fr.BulkOut != 0 {
		at, err := f.bulk(l, max(fr.BulkIn, fr.BulkOut))
		if err != nil {
			return err
		}
		fr.Bulk = at
	}
	at, err := f.room(l, fr.Size)
	if err != nil {
		return err
	}
	place := l.lane.Ring()[at : at+fr.Size]
	fr.Put(place)
	copy(place[FrameHeaderSize:], m.Data)
	for came := uint32(0); came < fr.BulkIn; {
		b, err := f.dequeue(l, number)
		if err != nil {
			return err
		}
		if b.Kind != MsgBulk || uint32(len(b.Data)) > fr.BulkIn-came {
			return fmt.Errorf("wire: lane %d was sent a message of kind %d with %d bytes where %d of bulk were due", number, b.Kind, len(b.Data), fr.BulkIn-came)
		}
		copy(l.lane.Bulk()[fr.Bulk+came:], b.Data)
		came += uint32(len(b.Data))
	}
	l.tail += fr.Size
	if fr.Kind == KindPost {
		ok, err := f.order.post(fr.Ticket, func() {
			// In the order in which a client would: whoever sees the frame sees its ticket.
			atomic.StoreUint64(f.region.Ticket(), fr.Ticket)
			atomic.StoreUint64(l.lane.Posted(), fr.Ticket)
			publish(l.lane, l.tail)
		})
		if err == nil && !ok {
			err = errOver
		}
		return err
	}
	if fr.Seq != l.seq+1 {
		return fmt.Errorf("wire: waited-for frame %d of lane %d comes after %d", fr.Seq, number, l.seq)
	}
	l.seq = fr.Seq
	if !f.order.reached(fr.Ticket) {
		return errOver
	}
	publish(l.lane, l.tail)
	return f.answer(l, number, &fr)
}

func publish(l Lane, tail uint32) {
	atomic.StoreUint32(l.Tail(), tail)
	// Stored, then looked: pairs with the worker's store to this word before its look at tail.
	if atomic.LoadUint32(l.WorkerAsleep()) != 0 {
		FutexWake(l.Tail())
	}
}

// answer waits for the worker's answer and sends it.
func (f *far) answer(l *farLane, number uint16, fr *Frame) error {
	for {
		seen := atomic.LoadUint32(l.lane.Replied())
		if seen == fr.Seq {
			break
		}
		if err := f.changed(l.lane, l.lane.Replied(), seen); err != nil {
			return err
		}
	}
	// A worker that answers because the region has ended has nothing to say.
	if f.over() {
		return errOver
	}
	if err := f.output.send(&f.session); err != nil {
		return err
	}
	result := atomic.LoadUint32(l.lane.Result())
	size := atomic.LoadUint32(l.lane.Size())
	if size > ReplySize {
		return fmt.Errorf("wire: the worker's reply has %d bytes, its place has %d", size, ReplySize)
	}
	out := l.lane.Bulk()[fr.Bulk : fr.Bulk+fr.BulkOut]
	for at := 0; at < len(out); at += ChunkMax {
		if err := f.link.send(&Message{Kind: MsgBulkOut, Lane: number, Offset: uint32(at), Data: out[at:min(len(out), at+ChunkMax)]}, false); err != nil {
			return err
		}
	}
	reply := l.lane.Answer(size)
	at := 0
	for ; len(reply)-at > ChunkMax; at += ChunkMax {
		if err := f.link.send(&Message{Kind: MsgReplyData, Lane: number, Offset: uint32(at), Data: reply[at : at+ChunkMax]}, false); err != nil {
			return err
		}
	}
	return f.link.send(&Message{Kind: MsgReply, Lane: number, Seq: fr.Seq, Result: result, Size: size, Data: reply[at:]}, true)
}

// serveUpcalls takes the worker's upcalls and sends them.
func (f *far) serveUpcalls() {
	r := f.region
	var head uint32
	for !f.over() {
		tail := atomic.LoadUint32(r.UpcallTail())
		if tail == head {
			// Stored, then looked: pairs with the worker's store to the tail before its look at this word.
			atomic.StoreUint32(r.UpcallAsleep(), 1)
			if atomic.LoadUint32(r.UpcallTail()) == head && !f.over() {
				FutexWait(r.UpcallTail(), head, lookAgain)
			}
			atomic.StoreUint32(r.UpcallAsleep(), 0)
			continue
		}
		if tail-head > Upcalls {
			f.end(fmt.Errorf("wire: the worker says that %d upcalls are new, there is room for %d", tail-head, Upcalls))
			return
		}
		entry := r.Upcall(head)
		u := &farUpcall{id: head, ask: entry.Ask(), entry: entry}
		head++
		atomic.StoreUint32(r.UpcallHead(), head)
		if err := f.takeUpcall(u); err != nil {
			f.end(err)
			return
		}
	}
}

func (f *far) takeUpcall(u *farUpcall) error {
	switch u.ask.Kind {
	case UpFetch, UpPush:
		if _, err := f.region.HeapOffsetOf(u.ask.A, u.ask.B); err != nil {
			return err
		}
	case UpCall, UpStream:
	default:
		return fmt.Errorf("wire: the worker's upcall %d is of unknown kind %d", u.id, u.ask.Kind)
	}
	f.up.Lock()
	if len(f.upcalls) >= Upcalls {
		f.up.Unlock()
		return fmt.Errorf("wire: the worker has more than %d upcalls that are not done", Upcalls)
	}
	f.upcalls[u.id] = u
	f.up.Unlock()
	if err := f.link.send(&Message{Kind: MsgUpcall, ID: u.id, Ask: u.ask}, true); err != nil {
		return err
	}
	if u.ask.Kind == UpPush && u.ask.B > 0 {
		f.push <- u // has room for all that can be outstanding
	}
	return nil
}

func (f *far) servePush() {
	for {
		select {
		case u := <-f.push:
			if err := sendHeap(&f.session, u.id, u.ask); err != nil {
				f.end(err)
				return
			}
		case <-f.done:
			return
		}
	}
}

// takeHeap writes what a FETCH brings.
func (f *far) takeHeap(m *Message) error {
	f.up.Lock()
	u := f.upcalls[m.ID]
	f.up.Unlock()
	if u == nil || u.ask.Kind != UpFetch {
		return fmt.Errorf("wire: pinned memory for upcall %d, which asks for none", m.ID)
	}
	return writeHeap(f.region, &u.ask, &u.came, m)
}

func (f *far) takeDone(m *Message) error {
	f.up.Lock()
	u := f.upcalls[m.ID]
	delete(f.upcalls, m.ID)
	f.up.Unlock()
	switch {
	case u == nil:
		return fmt.Errorf("wire: upcall %d is done, but was not asked", m.ID)
	case u.ask.Kind == UpFetch && u.came != u.ask.B:
		return fmt.Errorf("wire: upcall %d is done with %d bytes of %d", m.ID, u.came, u.ask.B)
	}
	atomic.StoreUint32(u.entry.State(), UpcallDone)
	FutexWake(u.entry.State())
	return nil
}
