// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// NewLog is a logger of text lines to stderr. When stderr is the journal, lines
// carry their priority as sd-daemon(3) has it and no time, which the journal adds.
func NewLog(stderr *os.File, level slog.Level) *slog.Logger {
	if !isJournal(stderr, os.Getenv("JOURNAL_STREAM")) {
		return slog.New(slog.NewTextHandler(newLogPipe(stderr), &slog.HandlerOptions{Level: level}))
	}
	return slog.New(newJournalHandler(newLogPipe(stderr), level))
}

// isJournal says whether f is the stream that JOURNAL_STREAM names
// (systemd.exec(5)): the variable outlives a redirection.
func isJournal(f *os.File, stream string) bool {
	dev, ino, ok := strings.Cut(stream, ":")
	if !ok {
		return false
	}
	d, err1 := strconv.ParseUint(dev, 10, 64)
	i, err2 := strconv.ParseUint(ino, 10, 64)
	var st unix.Stat_t
	if err1 != nil || err2 != nil || unix.Fstat(int(f.Fd()), &st) != nil {
		return false
	}
	return uint64(st.Dev) == d && st.Ino == i
}

// journalHandler is a text handler whose lines start with <priority>.
type journalHandler struct {
	slog.Handler
	out *priorityWriter
}

// priorityWriter writes one line's priority before it. slog's text handler
// writes a whole line in one call.
type priorityWriter struct {
	mu       sync.Mutex
	w        io.Writer
	priority int
}

func (p *priorityWriter) Write(b []byte) (int, error) {
	if _, err := fmt.Fprintf(p.w, "<%d>%s", p.priority, b); err != nil {
		return 0, err
	}
	return len(b), nil
}

func newJournalHandler(w io.Writer, level slog.Level) slog.Handler {
	out := &priorityWriter{w: w}
	return journalHandler{slog.NewTextHandler(out, &slog.HandlerOptions{
		Level: level,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
				return slog.Attr{}
			}
			return a
		},
	}), out}
}

// Handle writes a record; the priorities are syslog(3)'s.
func (h journalHandler) Handle(ctx context.Context, r slog.Record) error {
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	switch {
	case r.Level >= slog.LevelError:
		h.out.priority = 3
	case r.Level >= slog.LevelWarn:
		h.out.priority = 4
	case r.Level >= slog.LevelInfo:
		h.out.priority = 6
	default:
		h.out.priority = 7
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the priorities.
func (h journalHandler) WithAttrs(a []slog.Attr) slog.Handler {
	return journalHandler{h.Handler.WithAttrs(a), h.out}
}

// WithGroup keeps the priorities.
func (h journalHandler) WithGroup(name string) slog.Handler {
	return journalHandler{h.Handler.WithGroup(name), h.out}
}
