// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// Both kinds of stream: one that holds nothing, and one with buffers.
func overBoth(t *testing.T, test func(t *testing.T, tcp bool)) {
	t.Run("pipe", func(t *testing.T) { test(t, false) })
	t.Run("tcp", func(t *testing.T) { test(t, true) })
}

func TestAProgramSeesTheSnapshotWithoutWhatARelayCannotDo(t *testing.T) {
	attribute := func(device, a int) int { return offDevices + device*deviceSize + offAttribute + 4*a }
	s := newRelayed(t, false, func(w *fakeWorker) {
		w.prepare = func(snapshot []byte) {
			for d := range snapshotDevices {
				for a := range snapshotAttributes {
					binary.LittleEndian.PutUint32(snapshot[attribute(d, a):], uint32(1000*d+a+1))
				}
			}
		}
	}).open()
	if state := atomic.LoadUint32(s.region.State()); state != StateReady {
		t.Errorf("the state is %d after the answer", state)
	}
	if flags := atomic.LoadUint32(s.region.SharedFlags()); flags&FlagMirrored == 0 {
		t.Error("the program is not told that pinned memory is a copy")
	}
	if s.worker.region.Flags&FlagMirrored == 0 {
		t.Error("the worker is not told that pinned memory is a copy")
	}
	for d := range snapshotDevices {
		for a := range snapshotAttributes {
			want := uint32(1000*d + a + 1)
			if a == 19 || a == 83 || a == 89 || a == 91 {
				want = 0
			}
			if got := binary.LittleEndian.Uint32(s.region.Snapshot()[attribute(d, a):]); got != want {
				t.Fatalf("device %d, attribute %d: %d instead of %d", d, a, got, want)
			}
		}
	}
	if h := s.worker.hello; h.Fingerprint != [16]byte{1, 2, 3} || string(h.Env) != "CUDA_CACHE_PATH=/nowhere\x00" || h.Library != LibraryCUDA {
		t.Errorf("axond was told %+v", h)
	}
	if r := s.worker.region; r.HeapBase != s.region.HeapBase || r.Size != s.region.Size {
		t.Errorf("the far region is %+v", r.Header)
	}
}

func TestCallsOfEverySizeArriveWhole(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		l := s.lane(0)
		check := func(c call) {
			t.Helper()
			fill(c.data, uint32(len(c.data))+7)
			sum := crc32.ChecksumIEEE(c.data)
			result, reply, bulk, err := l.wait(c)
			want := c.data[:min(len(c.data), ReplySize)]
			if err != nil || result != sum || !bytes.Equal(reply, want) {
				t.Fatalf("%d bytes, bulk %t: %#x instead of %#x, %d bytes back, %v", len(c.data), c.inBulk, result, sum, len(reply), err)
			}
			filled := make([]byte, c.bulkOut)
			fill(filled, sum)
			if !bytes.Equal(bulk, filled) {
				t.Fatalf("%d bytes of bulk out are wrong", c.bulkOut)
			}
		}
		for _, n := range []int{0, 1, 15, 16, 17, 4096, 0xffff, 0x10000, 0x10001, FrameMax - FrameHeaderSize - 8} {
			check(call{number: callEcho, fixed: make([]byte, 8), data: make([]byte, n)})
		}
		check(call{number: callEcho, data: make([]byte, FrameMax-FrameHeaderSize)})
		for _, n := range []int{1, AnswerInline, AnswerInline + 1, 63, 64, 65, ChunkMax - 1, ChunkMax, ChunkMax + 1, ReplySize - 1, ReplySize, BulkSize - 1, BulkSize, 3 << 20, 6 << 20} {
			check(call{number: callEcho, fixed: make([]byte, 8), data: make([]byte, n), inBulk: true})
			check(call{number: callEcho, fixed: make([]byte, 8), bulkOut: uint32(n)})
			check(call{number: callEcho, fixed: make([]byte, 8), data: make([]byte, n), inBulk: true, bulkOut: uint32(n)})
		}
	})
}

func TestPostsArriveWholeAndInOrderHoweverManyThereAre(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		l := s.lane(3)
		random := rand.New(rand.NewPCG(1, 2))
		sum := uint32(0)
		const posts = 3000
		for i := range posts {
			n := random.IntN(2000)
			if i%100 == 0 {
				n = random.IntN(1 << 20)
			}
			c := call{number: callLog, fixed: make([]byte, 8*random.IntN(9)), data: make([]byte, n), inBulk: n > 0x10000 || i%3 == 0 && n > 0}
			fill(c.fixed, uint32(i))
			fill(c.data, uint32(i)*3)
			sum = crc32.Update(crc32.Update(sum, crc32.IEEETable, c.fixed), crc32.IEEETable, c.data)
			if !l.post(c) {
				t.Fatal("the session ended")
			}
		}
		if _, _, _, err := l.wait(call{number: callEcho}); err != nil {
			t.Fatal(err)
		}
		if log, got, _ := s.worker.ran(); got != sum || len(log) != posts {
			t.Errorf("%d posts arrived with sum %#x, %d with %#x were made", len(log), got, posts, sum)
		}
	})
}

func TestThreadsSeeWhatOtherThreadsDidBefore(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		var threads sync.WaitGroup
		for i := range uint32(16) {
			threads.Go(func() {
				l := s.lane(i)
				random := rand.New(rand.NewPCG(uint64(i), 3))
				for j := range 150 {
					c := call{number: callLog, fixed: make([]byte, 8), data: make([]byte, random.IntN(3000))}
					if j%40 == 7 { // what takes long to carry is what the others overtake
						c.data = make([]byte, 300000)
						c.inBulk = true
					}
					if random.IntN(4) > 0 {
						if !l.post(c) {
							t.Error("the session ended")
							return
						}
					} else if _, _, _, err := l.wait(c); err != nil {
						t.Error(err)
						return
					}
				}
				if _, _, _, err := l.wait(call{number: callEcho}); err != nil {
					t.Error(err)
				}
			})
		}
		threads.Wait()
		log, _, wrong := s.worker.ran()
		if total := atomic.LoadUint64(s.region.Ticket()); uint64(len(log)) != total || wrong != 0 {
			t.Errorf("%d of %d posts ran, %d frames out of turn", len(log), total, wrong)
		}
	})
}

// nearByHand is a stream to a Far whose near end is the test.
type nearByHand struct {
	t    *testing.T
	link *link
}

func newNearByHand(t *testing.T, o *order, w *fakeWorker) (*nearByHand, chan error) {
	near, far := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serveFar(context.Background(), far, w.dial, o) }()
	h := &nearByHand{t, newLink(near)}
	t.Cleanup(func() {
		near.Close()
		<-ended
	})
	h.send(&Message{Kind: MsgHello, Link: LinkVersion, Library: LibraryCUDA, Header: testHeader(16, 1<<20)})
	h.until(MsgAnswer)
	return h, ended
}

func (h *nearByHand) send(m *Message) {
	h.t.Helper()
	if err := h.link.send(m, true); err != nil {
		h.t.Fatal(err)
	}
}

func (h *nearByHand) until(kind uint16) Message {
	h.t.Helper()
	for {
		m, err := h.link.receive()
		if err != nil {
			h.t.Fatal(err)
		}
		if m.Kind == kind {
			return m
		}
		if m.Kind == MsgEnd {
			h.t.Fatalf("ended: %s", m.Data)
		}
	}
}

func handFrame(lane uint16, kind uint16, ticket uint64, seq uint32) *Message {
	return &Message{Kind: MsgFrame, Lane: lane, Frame: Frame{Size: FrameHeaderSize, Kind: kind, Call: callLog, Ticket: ticket, Seq: seq}}
}

// disorder sends posts in an order that a network may bring them in, and says
// how many frames the worker, which keeps the order of what it sees, ran out
// of turn.
func disorder(t *testing.T, o *order) int {
	w := newFakeWorker(t, nil)
	h, _ := newNearByHand(t, o, w)
	for lane := range uint16(4) {
		h.send(&Message{Kind: MsgOpen, Lane: lane})
	}
	answer := func(lane uint16, seq uint32) {
		for {
			if m := h.until(MsgReply); m.Lane == lane && m.Seq == seq {
				return
			}
		}
	}
	const rounds = 50
	for i := range uint64(rounds) {
		h.send(handFrame(1, KindPost, 2*i+2, 0))
		h.send(handFrame(3, KindWait, 2*i+2, uint32(i+1)))
		// A whole round trip in which the early ones could run.
		h.send(handFrame(2, KindWait, 0, uint32(i+1)))
		answer(2, uint32(i+1))
		h.send(handFrame(0, KindPost, 2*i+1, 0))
	}
	h.send(handFrame(2, KindWait, 2*rounds, rounds+1))
	answer(2, rounds+1)
	_, _, wrong := w.ran()
	return wrong
}

func TestPostsOfTwoThreadsRunInTheOrderInWhichTheyWereMade(t *testing.T) {
	if wrong := disorder(t, newOrder()); wrong != 0 {
		t.Errorf("%d frames ran out of turn", wrong)
	}
	t.Run("and this notices when they do not", func(t *testing.T) {
		o := newOrder()
		o.without = true
		if wrong := disorder(t, o); wrong == 0 {
			t.Error("without its order the relay still keeps it: the test above shows nothing")
		}
	})
}

func TestHostFunctionsAndPinnedMemoryCross(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		// The client's service thread.
		type seen struct{ Question }
		questions := make(chan seen, 64)
		var service sync.WaitGroup
		defer service.Wait()
		defer s.hangUp(ErrClientGone)
		service.Go(func() {
			var head uint32
			for !s.over() {
				tail := atomic.LoadUint32(s.region.UpcallTail())
				if tail == head {
					atomic.StoreUint32(s.region.UpcallAsleep(), 1)
					if atomic.LoadUint32(s.region.UpcallTail()) == head {
						FutexWait(s.region.UpcallTail(), head, lookAgain)
					}
					atomic.StoreUint32(s.region.UpcallAsleep(), 0)
					continue
				}
				u := s.region.Upcall(head)
				head++
				questions <- seen{u.Ask()}
				atomic.StoreUint32(s.region.UpcallHead(), head)
				atomic.StoreUint32(u.State(), UpcallDone)
				FutexWake(u.State())
			}
		})
		l, base := s.lane(0), s.region.HeapBase
		for i := range uint64(20) {
			q := Question{UpCall, 0x1000 + i, i, 0, 0}
			if i%2 == 1 {
				q = Question{UpStream, 0x2000 + i, i, 0x300000000010, 700}
			}
			if _, err := l.ask(q); err != nil {
				t.Fatal(err)
			}
			if got := <-questions; got.Question != q {
				t.Fatalf("the program was asked %+v instead of %+v", got, q)
			}
		}
		for _, r := range [][2]uint64{{0, 1}, {5, 0}, {100, ChunkMax}, {4095, 3*ChunkMax + 7}, {0, s.region.HeapSize}, {s.region.HeapSize - 1, 1}, {s.region.HeapSize, 0}} {
			b := make([]byte, r[1])
			fill(b, uint32(r[0]))
			at, err := s.region.HeapOffsetOf(base+r[0], r[1])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := unix.Pwrite(int(s.file.Fd()), b, at); err != nil {
				t.Fatal(err)
			}
			sum, err := l.ask(Question{Kind: UpFetch, A: base + r[0], B: r[1]})
			if err != nil || sum != crc32.ChecksumIEEE(b) {
				t.Fatalf("the worker fetched %#x instead of %#x at %d with %d, %v", sum, crc32.ChecksumIEEE(b), r[0], r[1], err)
			}
			if _, err := l.ask(Question{Kind: UpPush, A: base + r[0], B: r[1]}); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, r[1])
			unix.Pread(int(s.file.Fd()), got, at)
			if fill(b, uint32(base+r[0])); !bytes.Equal(got, b) {
				t.Fatalf("the worker's bytes at %d with %d are not in the program's memory", r[0], r[1])
			}
		}
		// Out of bounds: the session's end, and no byte elsewhere.
		if _, err := l.ask(Question{Kind: UpFetch, A: base + s.region.HeapSize - 1, B: 2}); err == nil {
			t.Error("memory behind the heap was fetched")
		}
	})
}

func TestAHostFunctionCanWaitWhileOthersRun(t *testing.T) {
	s := newRelayed(t, false, nil).open()
	var threads sync.WaitGroup
	const calls = 8
	for i := range uint32(calls) {
		threads.Go(func() {
			if _, err := s.lane(i).ask(Question{Kind: UpCall, A: uint64(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	for atomic.LoadUint32(s.region.UpcallTail()) != calls {
		if s.over() {
			t.Fatal(s.why)
		}
		FutexWait(s.region.UpcallTail(), atomic.LoadUint32(s.region.UpcallTail()), 1e6)
	}
	for i := calls - 1; i >= 0; i-- { // the last one first
		u := s.region.Upcall(uint32(i))
		atomic.StoreUint32(u.State(), UpcallDone)
		FutexWake(u.State())
	}
	threads.Wait()
}

func TestThreadsComeAndGo(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		sum := uint32(0)
		for i := range 60 {
			l := s.lane(uint32(i % 2))
			if l.lane.Ring()[0] != 0 {
				t.Fatal("a lane's memory was not given back")
			}
			for j := range i % 5 {
				data := []byte{byte(i), byte(j)}
				sum = crc32.Update(sum, crc32.IEEETable, data)
				l.post(call{number: callLog, data: data})
			}
			if i%3 > 0 {
				if _, _, _, err := l.wait(call{number: callEcho}); err != nil {
					t.Fatal(err)
				}
			}
			l.close()
		}
		if _, _, _, err := s.lane(5).wait(call{number: callEcho}); err != nil {
			t.Fatal(err)
		}
		if _, got, wrong := s.worker.ran(); got != sum || wrong != 0 {
			t.Error("posts of threads that ended are missing")
		}
	})
}

func TestAProgramThatDiesEndsItsWorker(t *testing.T) {
	s := newRelayed(t, true, nil).open()
	<-s.worker.started
	s.hangUp(ErrClientGone)
	<-s.worker.gone
	if err := <-s.far; !strings.Contains(err.Error(), "client is gone") {
		t.Errorf("the far end says %v", err)
	}
	if <-s.ended; !errors.Is(s.why, ErrClientGone) {
		t.Errorf("the near end says %v", s.why)
	}
}

func TestAWorkersDeathReachesACallThatWaits(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		fixed := make([]byte, 8)
		binary.LittleEndian.PutUint32(fixed, 719)
		if _, _, _, err := s.lane(0).wait(call{number: callEnd, fixed: fixed}); err != nil {
			// Its answer may or may not have come before the end.
			if err.Error() != "ended with 719" {
				t.Error(err)
			}
		}
		<-s.ended
		ended, ok := errors.AsType[*EndedError](s.why)
		if !ok || ended.Reason != 719 || strings.Count(s.why.Error(), "719") != 1 || !s.over() || atomic.LoadUint32(s.region.EndReason()) != 719 {
			t.Errorf("the session ended with %v", s.why)
		}
	})
}

func TestABrokenStreamEndsBothSides(t *testing.T) {
	overBoth(t, func(t *testing.T, tcp bool) {
		s := newRelayed(t, tcp, nil).open()
		answered := make(chan error, 1)
		l := s.lane(0)
		go func() {
			_, err := l.ask(Question{Kind: UpCall}) // which nobody does
			answered <- err
		}()
		for atomic.LoadUint32(s.region.UpcallTail()) == 0 {
			FutexWait(s.region.UpcallTail(), 0, 1e6)
		}
		s.stream.Close()
		if err := <-answered; err == nil || err.Error() != "ended with 46" {
			t.Errorf("the waiting call says %v", err)
		}
		<-s.worker.gone
		if err := <-s.far; !strings.Contains(err.Error(), "stream broke") {
			t.Errorf("the far end says %v", err)
		}
	})
}

func TestARefusalReachesTheProgramInAxondsWords(t *testing.T) {
	s := newRelayed(t, false, func(w *fakeWorker) {
		w.refuse = &Answer{Version: Version, Status: StatusNotAdmitted, Text: "you are not in the group video"}
	})
	if a := <-s.answer; a.Status != StatusNotAdmitted || a.Text != "you are not in the group video" {
		t.Errorf("the program was told %+v", a)
	}
	<-s.ended
	<-s.far
}

func TestWithoutAxondTheProgramIsToldSo(t *testing.T) {
	near, far := net.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Far(context.Background(), far, func(context.Context) (*net.UnixConn, error) {
			return nil, errors.New("no axond here")
		})
	}()
	c := newFakeClient(t, near, LibraryCUDA)
	if a := <-c.answer; a.Status != StatusNoWorker || a.Text != "no axond here" {
		t.Errorf("the program was told %+v", a)
	}
	<-c.ended
	<-done
}

func TestAStalledWorkerStopsTheProgramAndNotTheMachine(t *testing.T) {
	hold := make(chan struct{})
	s := newRelayed(t, true, func(w *fakeWorker) { w.hold = hold }).open()
	l := s.lane(0)
	// The program posts much more than a region, a window and the far region hold.
	const posts, size = 60, 1 << 20
	var made atomic.Int64
	finished := make(chan bool, 1)
	go func() {
		ok := true
		for range posts {
			ok = ok && l.post(call{number: callLog, fixed: make([]byte, 8), data: make([]byte, size), inBulk: true})
			made.Add(1)
		}
		finished <- ok
	}()
	// Another thread that does not depend on those is not stopped. Its answers
	// also show that the relay has had time to carry what it can.
	other := s.lane(1)
	for range 20 {
		place, f, _ := other.put(call{number: callEcho})
		other.seq++
		f.Kind, f.Seq = KindWait, other.seq
		f.Put(place)
		other.tail += f.Size
		publish(other.lane, other.tail)
		for seen := atomic.LoadUint32(other.lane.Replied()); seen != f.Seq; seen = atomic.LoadUint32(other.lane.Replied()) {
			if !other.sleep(other.lane.Replied(), seen) {
				t.Fatal("the session ended")
			}
		}
	}
	if n := made.Load(); n*size > 2*BulkSize+2*LaneWindow+size {
		t.Errorf("%d MiB were taken from a program whose worker runs nothing", n)
	}
	close(hold)
	if !<-finished {
		t.Fatal("the session ended")
	}
	if _, _, _, err := l.wait(call{number: callEcho}); err != nil {
		t.Fatal(err)
	}
	if log, _, wrong := s.worker.ran(); len(log) != posts || wrong != 0 {
		t.Errorf("%d of %d posts ran, %d out of turn", len(log), posts, wrong)
	}
}

func TestANearEndThatIgnoresTheWindowIsCutOff(t *testing.T) {
	w := newFakeWorker(t, nil)
	h, ended := newNearByHand(t, newOrder(), w)
	h.send(&Message{Kind: MsgOpen})
	frame := handFrame(0, KindPost, 5, 0) // posts 1 to 4 never come
	go func() {
		for h.link.send(frame, true) == nil {
			frame = &Message{Kind: MsgFrame, Frame: Frame{Size: FrameHeaderSize + ChunkMax, Kind: KindPost, Call: 1, Ticket: 6, Data: ChunkMax}, Data: make([]byte, ChunkMax)}
		}
	}()
	for {
		m, err := h.link.receive()
		if err != nil {
			t.Fatal(err)
		}
		if m.Kind == MsgEnd {
			if !strings.Contains(string(m.Data), "window") {
				t.Errorf("cut off with %q", m.Data)
			}
			break
		}
	}
	if err := <-ended; !strings.Contains(err.Error(), "window") {
		t.Errorf("the far end says %v", err)
	}
	ended <- nil // for the cleanup
}

// wrongStreams are what a near end must not send, after an answer.
var wrongStreams = map[string][]*Message{
	"a second hello":               {{Kind: MsgHello, Link: LinkVersion, Header: testHeader(1, 0)}},
	"a lane that does not exist":   {{Kind: MsgOpen, Lane: 16}},
	"a lane opened twice":          {{Kind: MsgOpen}, {Kind: MsgOpen}},
	"a lane closed unopened":       {{Kind: MsgClose}},
	"a frame of a closed lane":     {handFrame(0, KindPost, 1, 0)},
	"bulk without a frame":         {{Kind: MsgOpen}, {Kind: MsgBulk, Data: []byte{1}}},
	"a ticket twice":               {{Kind: MsgOpen}, handFrame(0, KindPost, 1, 0), handFrame(0, KindPost, 1, 0)},
	"waits that do not count":      {{Kind: MsgOpen}, handFrame(0, KindWait, 0, 7)},
	"a frame where bulk is due":    {{Kind: MsgOpen}, {Kind: MsgFrame, Frame: Frame{Size: 48, Kind: KindPost, Ticket: 1, Data: 2, BulkIn: 2}}, handFrame(0, KindPost, 2, 0)},
	"more bulk than is due":        {{Kind: MsgOpen}, {Kind: MsgFrame, Frame: Frame{Size: 48, Kind: KindPost, Ticket: 1, Data: 2, BulkIn: 2}}, {Kind: MsgBulk, Data: make([]byte, 3)}},
	"memory that nobody asked for": {{Kind: MsgHeap, Address: HeapBase, Data: []byte{1}}},
	"an upcall that was not asked": {{Kind: MsgDone, ID: 3}},
	"an answer":                    {{Kind: MsgReply}},
}

func TestAFarEndEndsASessionThatMakesNoSense(t *testing.T) {
	for name, messages := range wrongStreams {
		t.Run(name, func(t *testing.T) {
			w := newFakeWorker(t, nil)
			h, ended := newNearByHand(t, newOrder(), w)
			go func() {
				for _, m := range messages {
					copied := *m
					if h.link.send(&copied, true) != nil {
						return
					}
				}
			}()
			for {
				m, err := h.link.receive()
				if err != nil {
					t.Fatal(err)
				}
				if m.Kind == MsgEnd {
					break
				}
			}
			err := <-ended
			if _, ok := errors.AsType[*EndedError](err); ok || err == nil {
				t.Errorf("it ended with %v, which does not say what was wrong", err)
			}
			<-w.gone
			ended <- nil
		})
	}
}

func TestANearEndEndsASessionThatMakesNoSense(t *testing.T) {
	wrong := map[string][]*Message{
		"no answer first":         {{Kind: MsgUpcall, Ask: Question{Kind: UpCall}}},
		"a second answer":         {{Kind: MsgAnswer}, {Kind: MsgAnswer}},
		"a reply for nobody":      {{Kind: MsgAnswer}, {Kind: MsgReply, Seq: 1}},
		"bulk for nobody":         {{Kind: MsgAnswer}, {Kind: MsgBulkOut, Data: []byte{1}}},
		"a lane too high":         {{Kind: MsgAnswer}, {Kind: MsgCredit, Lane: 1000, Credit: 1}},
		"too much credit":         {{Kind: MsgAnswer}, {Kind: MsgCredit, Credit: 1}},
		"memory outside the heap": {{Kind: MsgAnswer}, {Kind: MsgUpcall, Ask: Question{Kind: UpFetch, A: HeapBase - 1, B: 2}}},
		"memory of all bytes":     {{Kind: MsgAnswer}, {Kind: MsgUpcall, Ask: Question{Kind: UpPush, A: HeapBase, B: ^uint64(0)}}},
		"memory out of order":     {{Kind: MsgAnswer}, {Kind: MsgUpcall, Ask: Question{Kind: UpPush, A: HeapBase, B: 8}}, {Kind: MsgHeap, Address: HeapBase + 4, Data: []byte{1}}},
		"more memory than said":   {{Kind: MsgAnswer}, {Kind: MsgUpcall, Ask: Question{Kind: UpPush, A: HeapBase, B: 1}}, {Kind: MsgHeap, Address: HeapBase, Data: []byte{1, 2}}},
		"an upcall twice":         {{Kind: MsgAnswer}, {Kind: MsgUpcall, Ask: Question{Kind: UpCall}}, {Kind: MsgUpcall, Ask: Question{Kind: UpCall}}},
		"a frame":                 {{Kind: MsgAnswer}, handFrame(0, KindPost, 1, 0)},
	}
	for name, messages := range wrong {
		t.Run(name, func(t *testing.T) {
			near, far := net.Pipe()
			l := newLink(far)
			c := newFakeClient(t, near, LibraryCUDA)
			go func() {
				for _, m := range messages {
					if l.send(m, true) != nil {
						return
					}
				}
			}()
			for {
				if _, err := l.receive(); err != nil {
					break
				}
			}
			<-c.ended
			if _, ok := errors.AsType[*EndedError](c.why); ok || errors.Is(c.why, io.EOF) || !c.over() {
				t.Errorf("it ended with %v, which does not say what was wrong", c.why)
			}
		})
	}
}

func TestNoStreamOfBytesHurtsEitherEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 200 {
		// A stream that begins well and then does not.
		var b []byte
		number := uint64(0)
		add := func(m Message) {
			number++
			m.Number = number
			b = m.Append(b)
		}
		near := i%2 == 0
		if near {
			add(Message{Kind: MsgAnswer, Data: []byte("yes")})
		} else {
			add(Message{Kind: MsgHello, Link: LinkVersion, Library: LibraryCUDA, Header: testHeader(16, 1<<20)})
			add(Message{Kind: MsgOpen})
			add(*handFrame(0, KindPost, 1, 0))
			add(*handFrame(0, KindWait, 1, 1))
		}
		good := len(b)
		for range random.IntN(4) {
			junk := make([]byte, random.IntN(300))
			for j := range junk {
				junk[j] = byte(random.Uint32())
			}
			b = append(b, junk...)
		}
		for range random.IntN(4) {
			from := 0
			if random.IntN(2) == 0 {
				from = good / 2
			}
			if from < len(b) {
				b[from+random.IntN(len(b)-from)] = byte(random.Uint32())
			}
		}
		ours, theirs := net.Pipe()
		go io.Copy(io.Discard, ours)
		go func() {
			ours.Write(b)
			ours.Close()
		}()
		if near {
			c := newFakeClient(t, theirs, LibraryCUDA)
			<-c.ended
			if c.why == nil {
				t.Fatal("no reason")
			}
		} else {
			w := newFakeWorker(t, nil)
			if err := Far(context.Background(), theirs, w.dial); err == nil {
				t.Fatal("no reason")
			}
			w.listener.Close()
		}
	}
}

func TestAProgramThatScribblesOverItsRegionHurtsOnlyItself(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for i := range 25 {
		s := newRelayed(t, i%2 == 0, nil).open()
		stop := make(chan struct{})
		var threads sync.WaitGroup
		for n := range uint32(4) {
			l := s.lane(n)
			threads.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if _, _, _, err := l.wait(call{number: callEcho, fixed: make([]byte, 8), data: []byte("x"), bulkOut: 100}); err != nil {
						return
					}
				}
			})
		}
		for range 200 {
			lane, _ := s.region.Lane(uint32(random.IntN(16)))
			switch random.IntN(8) {
			case 0:
				lane.Ring()[random.IntN(4096)] = byte(random.Uint32())
			case 1:
				binary.LittleEndian.PutUint32(lane.Ring()[16*random.IntN(64):], random.Uint32()%1000)
			case 2:
				atomic.StoreUint32(lane.Tail(), random.Uint32())
			case 3:
				atomic.StoreUint32(lane.State(), random.Uint32()%4)
			case 4:
				atomic.StoreUint32(s.region.LanesUsed(), random.Uint32()%18)
				atomic.AddUint32(s.region.Doorbell(), 1)
				FutexWake(s.region.Doorbell())
			case 5:
				atomic.StoreUint32(s.region.UpcallTail(), random.Uint32())
			case 6:
				atomic.AddUint64(s.region.Ticket(), uint64(random.IntN(2)))
			case 7:
				atomic.StoreUint32(lane.Head(), random.Uint32())
			}
			runtime.Gosched()
		}
		// Whatever state it is in, hanging up ends it all.
		s.hangUp(ErrClientGone)
		<-s.ended
		<-s.far
		close(stop)
		threads.Wait()
	}
}

func ExampleEndedError() {
	fmt.Println(&EndedError{Reason: 46, Text: "axond has hung up"})
	// Output: wire: the session has ended (result 46): axond has hung up
}
