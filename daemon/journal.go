// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coreos/go-systemd/v22/journal"
	"golang.org/x/sys/unix"
)

// NewLog is a logger to stderr. When stderr is the journal, what a line says in
// key=value is there as fields as well: journalctl -u axond AXON_SESSION=7.
func NewLog(stderr *os.File, level slog.Leveler) *slog.Logger {
	pipe := newLogPipe(stderr)
	if !isJournal(stderr, os.Getenv("JOURNAL_STREAM")) {
		buffer := &bytes.Buffer{}
		return slog.New(textHandler{slog.NewTextHandler(buffer, &slog.HandlerOptions{Level: level}), pipe, buffer, &sync.Mutex{}})
	}
	return slog.New(&journalHandler{level: level, send: func(ctx context.Context, text string, p journal.Priority, fields map[string]string) {
		pipe.do(func() {
			defer after(ctx)
			if journal.Send(text, p, fields) != nil {
				// By the stream, with its priority as sd-daemon(3) has it.
				fmt.Fprintf(stderr, "<%d>%s\n", p, strings.ReplaceAll(text, "\n", " "))
			}
		})
	}})
}

type afterLine struct{}

// withAfter has f called as soon as a line that is logged with the context is
// written, by whoever writes it: what f notes is then as old as the line, but
// for the moment between two system calls.
func withAfter(f func()) context.Context {
	return context.WithValue(context.Background(), afterLine{}, f)
}

func after(ctx context.Context) {
	if f, ok := ctx.Value(afterLine{}).(func()); ok {
		f()
	}
}

// textHandler sends each record as a line of text.
type textHandler struct {
	slog.Handler // writes into buffer
	pipe         *logPipe
	buffer       *bytes.Buffer
	mu           *sync.Mutex
}

// Handle writes a record.
func (h textHandler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	h.buffer.Reset()
	err := h.Handler.Handle(ctx, r)
	line := bytes.Clone(h.buffer.Bytes())
	h.mu.Unlock()
	h.pipe.do(func() {
		h.pipe.out.Write(line) // an error has nobody to be told to
		after(ctx)
	})
	return err
}

// WithAttrs is slog.Handler's.
func (h textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.Handler = h.Handler.WithAttrs(attrs)
	return h
}

// WithGroup is slog.Handler's.
func (h textHandler) WithGroup(name string) slog.Handler {
	h.Handler = h.Handler.WithGroup(name)
	return h
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

// journalHandler sends each record as an entry of the journal. Its text is the
// record's message followed by its attributes, without the time, which the
// journal adds; the attribute session is also the field AXON_SESSION, and so on.
type journalHandler struct {
	level  slog.Leveler
	send   func(ctx context.Context, text string, p journal.Priority, fields map[string]string)
	attrs  []slog.Attr
	prefix string // of the attributes' keys: the groups, each with a dot
}

// Enabled is slog.Handler's.
func (h *journalHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

// Handle sends a record; the priorities are syslog(3)'s.
func (h *journalHandler) Handle(ctx context.Context, r slog.Record) error {
	p := journal.PriDebug
	switch {
	case r.Level >= slog.LevelError:
		p = journal.PriErr
	case r.Level >= slog.LevelWarn:
		p = journal.PriWarning
	case r.Level >= slog.LevelInfo:
		p = journal.PriInfo
	}
	var text strings.Builder
	text.WriteString(r.Message)
	fields := map[string]string{}
	add := func(a slog.Attr) {
		v := a.Value.Resolve().String()
		fields[fieldName(a.Key)] = v
		if strings.ContainsFunc(v, func(c rune) bool { return c <= ' ' || c == '"' || c == '=' }) || v == "" {
			v = strconv.Quote(v)
		}
		text.WriteString(" " + a.Key + "=" + v)
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(func(a slog.Attr) bool {
		a.Key = h.prefix + a.Key
		add(a)
		return true
	})
	h.send(ctx, text.String(), p, fields)
	return nil
}

// fieldName is the journal's name for an attribute: capitals, digits and _.
func fieldName(key string) string {
	return "AXON_" + strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(key))
}

// WithAttrs is slog.Handler's.
func (h *journalHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *h
	c.attrs = slices.Clone(h.attrs)
	for _, a := range attrs {
		a.Key = h.prefix + a.Key
		c.attrs = append(c.attrs, a)
	}
	return &c
}

// WithGroup is slog.Handler's.
func (h *journalHandler) WithGroup(name string) slog.Handler {
	c := *h
	c.prefix += name + "."
	return &c
}
