// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// fakeClient is a program: a region of its own and a Near that serves it.
type fakeClient struct {
	t      *testing.T
	region *Region
	file   *os.File
	hangUp context.CancelCauseFunc
	answer chan Answer
	ended  chan struct{} // closed when Near has returned
	why    error
}

// newFakeClient makes a client whose session goes over stream.
func newFakeClient(t *testing.T, stream io.ReadWriteCloser, library uint32) *fakeClient {
	const heap = 4 << 20
	r, file, err := NewRegion(testHeader(16, heap))
	if err != nil {
		t.Fatal(err)
	}
	served, err := Map(int(file.Fd())) // Near's own mapping, as in another process
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &fakeClient{t: t, region: r, file: file, hangUp: cancel, answer: make(chan Answer, 1), ended: make(chan struct{})}
	go func() {
		defer close(c.ended)
		hello := Hello{Version: Version, Fingerprint: [16]byte{1, 2, 3}, Library: library, Env: []byte("CUDA_CACHE_PATH=/nowhere\x00")}
		c.why = Near(ctx, served, stream, hello, func(a Answer) error {
			c.answer <- a
			return nil
		})
		served.Unmap()
	}()
	t.Cleanup(func() {
		cancel(ErrClientGone)
		<-c.ended
		r.Unmap()
		file.Close()
	})
	return c
}

// session is a client and a worker with a relay between them.
type relayed struct {
	*fakeClient
	worker *fakeWorker
	far    chan error // what Far returned
	stream net.Conn   // the near end
}

func newRelayed(t *testing.T, tcp bool, change func(*fakeWorker)) *relayed {
	t.Helper()
	near, far := net.Pipe()
	if tcp {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
			t.Fatal(err)
		}
		if far, err = l.Accept(); err != nil {
			t.Fatal(err)
		}
	}
	s := &relayed{worker: newFakeWorker(t, change), far: make(chan error, 1), stream: near}
	done := make(chan struct{})
	t.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		s.far <- Far(context.Background(), far, s.worker.dial)
	}()
	s.fakeClient = newFakeClient(t, near, LibraryCUDA)
	return s
}

// open waits for the session to be open.
func (s *relayed) open() *relayed {
	s.t.Helper()
	if a := <-s.answer; a.Status != StatusOK {
		s.t.Fatalf("refused: %+v", a)
	}
	return s
}

// clientLane is one thread of the client.
type clientLane struct {
	c        *fakeClient
	lane     Lane
	number   uint32
	tail     uint32
	seq      uint32
	bulkUsed uint32
}

func (c *fakeClient) lane(i uint32) *clientLane {
	c.t.Helper()
	lane, err := c.region.Lane(i)
	if err != nil {
		c.t.Fatal(err)
	}
	for !atomic.CompareAndSwapUint32(lane.State(), LaneFree, LaneOpen) {
		if c.over() {
			c.t.Fatalf("lane %d does not become free, and the session has ended: %v", i, c.why)
		}
		FutexWait(lane.State(), LaneClosing, 1e6)
	}
	for {
		used := atomic.LoadUint32(c.region.LanesUsed())
		if used > i || atomic.CompareAndSwapUint32(c.region.LanesUsed(), used, i+1) {
			break
		}
	}
	atomic.AddUint32(c.region.Doorbell(), 1)
	FutexWake(c.region.Doorbell())
	return &clientLane{c: c, lane: lane, number: i}
}

func (c *fakeClient) over() bool { return atomic.LoadUint32(c.region.State()) == StateEnded }

func (l *clientLane) close() {
	atomic.StoreUint32(l.lane.State(), LaneClosing)
	FutexWake(l.lane.Tail())
}

// sleep waits until word is not seen; false when the session has ended.
func (l *clientLane) sleep(word *uint32, seen uint32) bool {
	for atomic.LoadUint32(word) == seen {
		atomic.StoreUint32(l.lane.ClientAsleep(), 1)
		if atomic.LoadUint32(word) == seen && !l.c.over() {
			FutexWait(word, seen, lookAgain)
		}
		atomic.StoreUint32(l.lane.ClientAsleep(), 0)
		if l.c.over() && atomic.LoadUint32(word) == seen {
			return false
		}
	}
	return true
}

type call struct {
	number  uint16
	fixed   []byte // a multiple of 8
	data    []byte
	inBulk  bool
	bulkOut uint32
}

// put writes a frame, not published yet; false when the session has ended.
func (l *clientLane) put(c call) (place []byte, f Frame, ok bool) {
	f = Frame{Call: c.number, Fixed: uint32(len(c.fixed)), Data: uint32(len(c.data)), BulkOut: c.bulkOut, Context: 99}
	if c.inBulk {
		f.BulkIn = f.Data
	}
	f.Size = round16(FrameHeaderSize + f.Inline())
	if need := max(f.BulkIn, f.BulkOut); need > 0 {
		if need > BulkSize-l.bulkUsed {
			for head := atomic.LoadUint32(l.lane.Head()); head != l.tail; head = atomic.LoadUint32(l.lane.Head()) {
				if !l.sleep(l.lane.Head(), head) {
					return nil, f, false
				}
			}
			l.bulkUsed = 0
		}
		f.Bulk = l.bulkUsed
		l.bulkUsed = min((l.bulkUsed+need+63)&^63, BulkSize)
	}
	pad := uint32(0)
	if at := l.tail % RingSize; at+f.Size > RingSize {
		pad = RingSize - at
	}
	for head := atomic.LoadUint32(l.lane.Head()); RingSize-(l.tail-head) < f.Size+pad; head = atomic.LoadUint32(l.lane.Head()) {
		if !l.sleep(l.lane.Head(), head) {
			return nil, f, false
		}
	}
	if pad > 0 {
		at := l.tail % RingSize
		binary.LittleEndian.PutUint64(l.lane.Ring()[at:], uint64(pad)) // size, and kind and call of 0
		l.tail += pad
	}
	at := l.tail % RingSize
	place = l.lane.Ring()[at : at+f.Size]
	copy(place[FrameHeaderSize:], c.fixed)
	if c.inBulk {
		copy(l.lane.Bulk()[f.Bulk:], c.data)
	} else {
		copy(place[FrameHeaderSize+len(c.fixed):], c.data)
	}
	return place, f, true
}

func (l *clientLane) post(c call) bool {
	place, f, ok := l.put(c)
	if !ok {
		return false
	}
	f.Kind = KindPost
	f.Ticket = atomic.AddUint64(l.c.region.Ticket(), 1)
	f.Put(place)
	atomic.StoreUint64(l.lane.Posted(), f.Ticket)
	l.tail += f.Size
	publish(l.lane, l.tail)
	return true
}

// wait makes a call and returns its answer.
func (l *clientLane) wait(c call) (result uint32, reply, bulk []byte, err error) {
	place, f, ok := l.put(c)
	if ok {
		l.seq++
		f.Kind, f.Seq = KindWait, l.seq
		f.Ticket = atomic.LoadUint64(l.c.region.Ticket())
		f.Put(place)
		l.tail += f.Size
		publish(l.lane, l.tail)
		for seen := atomic.LoadUint32(l.lane.Replied()); ok && seen != f.Seq; seen = atomic.LoadUint32(l.lane.Replied()) {
			ok = l.sleep(l.lane.Replied(), seen)
		}
	}
	if !ok {
		return 0, nil, nil, fmt.Errorf("ended with %d", atomic.LoadUint32(l.c.region.EndReason()))
	}
	size := min(atomic.LoadUint32(l.lane.Size()), ReplySize) // of a lane that a test scribbles over
	return atomic.LoadUint32(l.lane.Result()), l.lane.Answer(size), l.lane.Bulk()[f.Bulk : f.Bulk+f.BulkOut], nil
}

// ask makes the worker ask an upcall.
func (l *clientLane) ask(q Question) (uint32, error) {
	le := binary.LittleEndian
	fixed := make([]byte, 40)
	le.PutUint32(fixed, q.Kind)
	le.PutUint64(fixed[8:], q.A)
	le.PutUint64(fixed[16:], q.B)
	le.PutUint64(fixed[24:], q.C)
	le.PutUint64(fixed[32:], q.D)
	result, _, _, err := l.wait(call{number: callUp, fixed: fixed})
	return result, err
}
