// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// rarelyTime is how often a user's doings of one kind are written to the log, after
// the first rarelyFirst: a line for each, of what anybody can do a thousand times
// a second, would have journald leave out others'.
const (
	rarelyTime  = time.Second
	rarelyFirst = 20
)

// rarelyMax bounds what is remembered.
const rarelyMax = 1024

// rarely writes lines that users can provoke.
type rarely struct {
	mu   sync.Mutex
	last map[rarelyKey]*rarelyLine
}

type rarelyKey struct {
	uid  uint32
	text string
}

type rarelyLine struct {
	at      time.Time // of the last
	may     float64   // so many more may be written now
	leftOut int
}

// say writes a line about a user, unless there were many of the kind; then the
// next one says how many were left out.
func (r *rarely) say(log *slog.Logger, level slog.Level, uid uint32, text string, args ...any) {
	now := time.Now()
	key := rarelyKey{uid, text}
	r.mu.Lock()
	l := r.last[key]
	if l == nil {
		if len(r.last) >= rarelyMax || r.last == nil {
			r.last = map[rarelyKey]*rarelyLine{}
		}
		l = &rarelyLine{may: rarelyFirst}
		r.last[key] = l
	} else {
		l.may = min(rarelyFirst, l.may+now.Sub(l.at).Seconds()/rarelyTime.Seconds())
	}
	l.at = now
	if l.may < 1 {
		l.leftOut++
		r.mu.Unlock()
		return
	}
	l.may--
	if l.leftOut > 0 {
		args = append(args[:len(args):len(args)], "left_out", l.leftOut)
	}
	l.leftOut = 0
	r.mu.Unlock()
	log.Log(context.Background(), level, text, args...)
}
