// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// fakeWorker is axond and a worker for one session: it serves lanes by the
// protocol, with the order rule, and its library has four calls.
type fakeWorker struct {
	t        *testing.T
	socket   string
	listener *net.UnixListener
	refuse   *Answer       // instead of a session
	hold     chan struct{} // if not nil, posts run when it is closed
	prepare  func(snapshot []byte)

	work    sync.WaitGroup
	started chan struct{} // closed when the session is open
	gone    chan struct{} // closed when the client's socket has hung up
	region  *Region
	file    *os.File
	hello   Hello
	conn    *net.UnixConn

	mu     sync.Mutex
	log    []uint64 // tickets of posts, in the order in which they ran
	untold int      // posts that the region's counters did not cover
	early  int      // waited-for frames that ran before a post that they must follow
	sum    uint32   // over every post's bytes, in order
	upTail uint32
	lanes  []fakeLane
}

type fakeLane struct {
	running bool
	head    atomic.Uint32
}

// Calls of the fake library.
const (
	callLog  = 1 // nothing; a post is logged
	callEcho = 2 // answers with its data, and fills bulk_out
	callUp   = 3 // asks the upcall in its fixed part and answers when that is done
	callEnd  = 4 // ends the worker with the reason in its fixed part
)

func newFakeWorker(t *testing.T, change func(*fakeWorker)) *fakeWorker {
	w := &fakeWorker{t: t, socket: filepath.Join(t.TempDir(), "axond"), started: make(chan struct{}), gone: make(chan struct{})}
	if change != nil {
		change(w)
	}
	var err error
	if w.listener, err = net.ListenUnix("unixpacket", &net.UnixAddr{Name: w.socket, Net: "unixpacket"}); err != nil {
		t.Fatal(err)
	}
	w.work.Go(w.serve)
	t.Cleanup(func() {
		w.listener.Close()
		w.work.Wait()
		if w.region != nil {
			w.region.Unmap()
			w.file.Close()
		}
	})
	return w
}

func (w *fakeWorker) dial(ctx context.Context) (*net.UnixConn, error) {
	return net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: w.socket, Net: "unixpacket"})
}

func (w *fakeWorker) serve() {
	conn, err := w.listener.AcceptUnix()
	if err != nil {
		return
	}
	hello, file, err := ReceiveHello(conn)
	if err != nil {
		conn.Close()
		return
	}
	if w.refuse != nil {
		SendAnswer(conn, w.refuse)
		conn.Close()
		file.Close()
		return
	}
	r, err := Map(int(file.Fd()))
	if err != nil {
		w.t.Error(err)
		conn.Close()
		return
	}
	w.region, w.file, w.hello, w.conn = r, file, hello, conn
	w.lanes = make([]fakeLane, r.Lanes)
	if w.prepare != nil {
		w.prepare(r.Snapshot())
	}
	atomic.StoreUint32(r.State(), StateReady)
	close(w.started)
	SendAnswer(conn, &Answer{Version: Version, Session: 7, Text: "welcome"})
	w.work.Go(w.door)
	var b [1]byte
	conn.Read(b[:])
	conn.Close()
	r.MarkEnded(EndedUnavailable)
	close(w.gone)
}

func (w *fakeWorker) ended() bool { return atomic.LoadUint32(w.region.State()) == StateEnded }

func (w *fakeWorker) door() {
	r := w.region
	for !w.ended() {
		bell := atomic.LoadUint32(r.Doorbell())
		w.mu.Lock()
		for i := range min(atomic.LoadUint32(r.LanesUsed()), r.Lanes) {
			lane, _ := r.Lane(i)
			if !w.lanes[i].running && atomic.LoadUint32(lane.State()) != LaneFree {
				w.lanes[i].running = true
				w.work.Go(func() { w.run(i, lane) })
			}
		}
		w.mu.Unlock()
		FutexWait(r.Doorbell(), bell, lookAgain)
	}
}

// ran says what has run: posts, in order; the sum over their bytes; how many
// frames were out of turn.
func (w *fakeWorker) ran() (log []uint64, sum uint32, wrong int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wrong = w.early + w.untold
	for i, ticket := range w.log {
		if ticket != uint64(i)+1 {
			wrong++
		}
	}
	return w.log, w.sum, wrong
}

// next is the ticket of the post that a lane must run next, or the highest number.
func (w *fakeWorker) next(i uint32) uint64 {
	lane, _ := w.region.Lane(i)
	for {
		head := w.lanes[i].head.Load()
		pending := atomic.LoadUint32(lane.Tail()) - head
		ticket := ^uint64(0)
		if pending > 0 {
			_, f, step, err := takeFrame(lane.Ring(), head, pending, nil)
			if err == nil && f.Kind == KindPad && pending > step {
				_, f, _, err = takeFrame(lane.Ring(), head+step, pending-step, nil)
			}
			if err == nil && f.Kind == KindPost {
				ticket = f.Ticket
			}
		}
		if w.lanes[i].head.Load() == head {
			return ticket
		}
	}
}

func (w *fakeWorker) run(i uint32, lane Lane) {
	l := &w.lanes[i]
	for {
		head := l.head.Load()
		closing := atomic.LoadUint32(lane.State()) != LaneOpen
		pending := atomic.LoadUint32(lane.Tail()) - head
		if pending == 0 {
			if w.ended() {
				return
			}
			if closing {
				break
			}
			atomic.StoreUint32(lane.WorkerAsleep(), 1)
			if atomic.LoadUint32(lane.Tail()) == head && atomic.LoadUint32(lane.State()) == LaneOpen {
				FutexWait(lane.Tail(), head, lookAgain)
			}
			atomic.StoreUint32(lane.WorkerAsleep(), 0)
			continue
		}
		inline, f, step, err := takeFrame(lane.Ring(), head, pending, nil)
		if err != nil {
			w.t.Errorf("the worker's lane %d: %v", i, err)
			w.conn.Close()
			return
		}
		w.frame(i, lane, f, inline)
		l.head.Store(head + step)
		atomic.StoreUint32(lane.Head(), head+step)
		if f.Kind == KindWait {
			atomic.StoreUint32(lane.Replied(), f.Seq)
		}
		if atomic.LoadUint32(lane.ClientAsleep()) != 0 {
			FutexWake(lane.Head())
			FutexWake(lane.Replied())
		}
	}
	for _, word := range []*uint32{lane.Tail(), lane.Head(), lane.Replied()} {
		atomic.StoreUint32(word, 0)
	}
	atomic.StoreUint64(lane.Posted(), 0)
	l.head.Store(0)
	w.mu.Lock()
	l.running = false
	atomic.StoreUint32(lane.State(), LaneFree)
	w.mu.Unlock()
}

func (w *fakeWorker) frame(i uint32, lane Lane, f Frame, inline []byte) {
	if f.Kind == KindPad {
		return
	}
	fixed, data := inline[:f.Fixed], inline[f.Fixed:]
	if f.BulkIn != 0 {
		data = lane.Bulk()[f.Bulk : f.Bulk+f.Data]
	}
	limit := f.Ticket
	if f.Kind == KindPost {
		if w.hold != nil {
			select {
			case <-w.hold:
			case <-w.gone:
			}
		}
		limit--
		if atomic.LoadUint64(lane.Posted()) < f.Ticket || atomic.LoadUint64(w.region.Ticket()) < f.Ticket {
			w.mu.Lock()
			w.untold++
			w.mu.Unlock()
		}
	}
	for o := range w.region.Lanes {
		for o != i && w.next(o) <= limit && !w.ended() {
			runtime.Gosched()
		}
	}
	w.mu.Lock()
	if f.Kind == KindPost {
		w.log = append(w.log, f.Ticket)
		w.sum = crc32.Update(crc32.Update(w.sum, crc32.IEEETable, fixed), crc32.IEEETable, data)
	} else if uint64(len(w.log)) < f.Ticket {
		w.early++
	}
	w.mu.Unlock()
	if f.Kind == KindPost {
		return
	}
	result, reply := uint32(0), []byte(nil)
	le := binary.LittleEndian
	switch f.Call {
	case callEcho:
		result = crc32.ChecksumIEEE(data)
		reply = append(reply, data[:min(len(data), ReplySize)]...) // before bulk_out takes its place
		fill(lane.Bulk()[f.Bulk:f.Bulk+f.BulkOut], result)
	case callUp:
		q := Question{le.Uint32(fixed), le.Uint64(fixed[8:]), le.Uint64(fixed[16:]), le.Uint64(fixed[24:]), le.Uint64(fixed[32:])}
		if q.Kind == UpPush {
			b := make([]byte, q.B)
			fill(b, uint32(q.A))
			w.heap(unix.Pwrite, b, q.A)
		}
		w.upcall(q)
		if q.Kind == UpFetch {
			b := make([]byte, q.B)
			w.heap(unix.Pread, b, q.A)
			result = crc32.ChecksumIEEE(b)
		}
	case callEnd:
		w.region.MarkEnded(le.Uint32(fixed))
		w.conn.Close()
	}
	atomic.StoreUint32(lane.Result(), result)
	atomic.StoreUint32(lane.Size(), uint32(len(reply)))
	copy(lane.Answer(uint32(len(reply))), reply)
}

func (w *fakeWorker) heap(op func(int, []byte, int64) (int, error), b []byte, address uint64) {
	at, err := w.region.HeapOffsetOf(address, uint64(len(b)))
	if err != nil {
		return // a range that a test made wrong on purpose
	}
	if n, err := op(int(w.file.Fd()), b, at); n != len(b) || err != nil {
		w.t.Errorf("pinned memory at %#x: %d, %v", address, n, err)
	}
}

func (w *fakeWorker) upcall(q Question) {
	r := w.region
	w.mu.Lock()
	u := r.Upcall(w.upTail)
	u.Put(q)
	atomic.StoreUint32(u.State(), UpcallAsked)
	w.upTail++
	atomic.StoreUint32(r.UpcallTail(), w.upTail)
	w.mu.Unlock()
	if atomic.LoadUint32(r.UpcallAsleep()) != 0 {
		FutexWake(r.UpcallTail())
	}
	for atomic.LoadUint32(u.State()) != UpcallDone && !w.ended() {
		FutexWait(u.State(), UpcallAsked, lookAgain)
	}
	atomic.StoreUint32(u.State(), UpcallFree)
}

// fill fills b with bytes that depend on seed and place.
func fill(b []byte, seed uint32) {
	x := seed | 1
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
}
