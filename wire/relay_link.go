// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// link is one end of a relay's stream: it numbers what it sends, checks the
// numbers of what it receives, and keeps nothing. Any goroutine may send; one
// receives.
//
// What keeps the two ends from waiting for each other: whoever receives never
// sends from the same goroutine nor waits for one that does, and so never
// stops receiving.
type link struct {
	stream   io.ReadWriteCloser
	received atomic.Uint64
	sent     atomic.Uint64 // counted under mu, before the message can be received

	in  *bufio.Reader
	buf []byte

	mu   sync.Mutex
	out  *bufio.Writer
	head []byte
	err  error
}

func newLink(stream io.ReadWriteCloser) *link {
	return &link{
		stream: stream,
		in:     bufio.NewReaderSize(stream, 1<<16),
		buf:    make([]byte, MessageMax),
		out:    bufio.NewWriterSize(stream, 1<<17),
	}
}

// send sends m, with its number filled in. Without now it may stay in the
// buffer until the next message that is sent now, or flush.
func (l *link) send(m *Message, now bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	m.Number = l.sent.Add(1)
	m.Received = l.received.Load()
	l.head = m.appendHead(l.head[:0])
	_, err := l.out.Write(l.head)
	if err == nil {
		_, err = l.out.Write(m.Data)
	}
	if err == nil && now {
		err = l.out.Flush()
	}
	return l.broken(err)
}

func (l *link) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	return l.broken(l.out.Flush())
}

func (l *link) broken(err error) error {
	if err != nil {
		l.err = fmt.Errorf("wire: the relay's stream broke: %w", err)
	}
	return l.err
}

// receive reads the next message. Its Data is valid until the next call.
func (l *link) receive() (Message, error) {
	head := l.buf[:MessageHeaderSize]
	if _, err := io.ReadFull(l.in, head); err != nil {
		return Message{}, fmt.Errorf("wire: the relay's stream broke: %w", err)
	}
	m, length, err := messageHead(head)
	if err != nil {
		return m, err
	}
	if _, err := io.ReadFull(l.in, l.buf[MessageHeaderSize:length]); err != nil {
		return m, fmt.Errorf("wire: the relay's stream broke: %w", err)
	}
	if err := m.body(l.buf[MessageHeaderSize:length]); err != nil {
		return m, err
	}
	if want := l.received.Load() + 1; m.Number != want {
		return m, fmt.Errorf("wire: message %d came where %d was due", m.Number, want)
	}
	// Not under mu: whoever holds that may wait for this goroutine to receive.
	if sent := l.sent.Load(); m.Received > sent {
		return m, fmt.Errorf("wire: the other end has received message %d of %d that were sent", m.Received, sent)
	}
	l.received.Store(m.Number)
	return m, nil
}

// drain reads and forgets until finish closes the stream, so that two ends
// that have something to say at the end do not wait for each other.
func (l *link) drain() { io.Copy(io.Discard, l.in) }

func (l *link) close() { l.stream.Close() }

// EndedError is the error of a session that the other end of the relay, or
// the worker behind it, has ended.
type EndedError struct {
	Reason uint32 // a result code of the library
	Text   string

	peer bool // the other end of the relay said so, and need not be told
}

func (e *EndedError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("wire: the session has ended (result %d)", e.Reason)
	}
	return fmt.Sprintf("wire: the session has ended (result %d): %s", e.Reason, e.Text)
}

// reasonOf is what a client's calls return after err ended its session.
func reasonOf(err error) uint32 {
	if ended, ok := errors.AsType[*EndedError](err); ok && ended.Reason != 0 {
		return ended.Reason
	}
	return EndedUnavailable
}

func clip(text string) string {
	if len(text) > textMax {
		return text[:textMax]
	}
	return text
}

// session is what both ends have in common: the first error ends everything.
type session struct {
	region *Region
	link   *link
	work   sync.WaitGroup
	done   chan struct{}
	once   sync.Once
	err    error  // valid after done is closed
	onEnd  func() // wakes goroutines that sleep on something else than the region
}

// end ends the session with its first error, and returns at once. finish does
// what takes time.
func (s *session) end(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.done)
		s.region.MarkEnded(reasonOf(err))
		if s.onEnd != nil {
			s.onEnd()
		}
	})
}

func (s *session) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// spin is how often a word is looked at before its reader goes to sleep. A
// look yields the processor, so that it costs nobody else anything.
const spin = 30

// lookAgain bounds a sleep on a word of the region; see MarkEnded.
const lookAgain = 250e6 // nanoseconds

// finish waits for the end, tells the other end why, and closes the stream.
func (s *session) finish() {
	<-s.done
	ended, ok := errors.AsType[*EndedError](s.err)
	if !ok || !ended.peer {
		text := s.err.Error()
		if ok {
			text = ended.Text
		}
		told := make(chan struct{})
		go func() {
			defer close(told)
			s.link.send(&Message{Kind: MsgEnd, Result: reasonOf(s.err), Data: []byte(clip(text))}, true)
		}()
		// Whoever does not read within this time does not get to know.
		select {
		case <-told:
		case <-time.After(time.Second):
		}
	}
	s.link.close()
}
