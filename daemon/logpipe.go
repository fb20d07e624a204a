// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// logPatience is how long a line may take to be written before axond goes on
// without it. Only a reader that hangs takes that long.
const logPatience = time.Second

// logWaiting is how many lines wait for such a reader; what comes then is left out.
const logWaiting = 1000

// logPipe writes lines to a log that may be a pipe whose reader hangs or is
// gone. Neither may stop a session from ending, which says so in the log.
type logPipe struct {
	out   io.Writer
	lines chan logLine
	stuck atomic.Bool
	lost  atomic.Int64
}

type logLine struct {
	write   func()
	written chan struct{} // closed when it is
}

func newLogPipe(out io.Writer) *logPipe {
	// A write to a broken pipe on descriptor 2 ends a Go program that has not
	// asked for this signal. Being asked for, and not ignored, it is as usual
	// in workers again.
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE)
	p := &logPipe{out: out, lines: make(chan logLine, logWaiting)}
	go p.run()
	return p
}

func (p *logPipe) run() {
	for l := range p.lines {
		l.write()
		close(l.written)
		p.stuck.Store(false)
		if n := p.lost.Swap(0); n > 0 {
			fmt.Fprintf(p.out, "axond: %d lines of the log were left out, because nobody took them\n", n)
		}
	}
}

// Write takes a line and returns when it is written, so that the last one is
// before axond exits; not if the reader hangs.
func (p *logPipe) Write(b []byte) (int, error) {
	b = bytes.Clone(b)
	p.do(func() { p.out.Write(b) }) // an error has nobody to be told to
	return len(b), nil
}

// do is Write for a line that goes elsewhere.
func (p *logPipe) do(write func()) {
	l := logLine{write, make(chan struct{})}
	select {
	case p.lines <- l:
	default:
		p.lost.Add(1)
		return
	}
	if p.stuck.Load() {
		return
	}
	t := time.NewTimer(logPatience)
	defer t.Stop()
	select {
	case <-l.written:
	case <-t.C:
		p.stuck.Store(true)
	}
}
