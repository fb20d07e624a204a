// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"sync"
	"time"

	"nervlinux.org/axon/nvml"
)

// Readers of NVML ask the same things: a hundred tools that refresh once a
// second would have the worker make each call a hundred times. So an answer is
// good for the same question for nvmlFresh, counted from when the call was made;
// who asks while it is being made waits for it. What is asked comes from
// clients, so what is kept is bounded.

const (
	nvmlFresh      = 20 * time.Millisecond
	nvmlCacheKey   = 4096    // bytes of a question that is kept
	nvmlCacheOut   = 32768   // bytes of an answer
	nvmlCacheSize  = 1024    // answers
	nvmlCacheBytes = 4 << 20 // of questions and answers together
)

type nvmlCache struct {
	mu    sync.Mutex
	known map[string]*nvmlAnswer
	bytes int
}

// nvmlAnswer is an answer, or one on its way.
type nvmlAnswer struct {
	at      time.Time // when the call was made
	done    bool
	ret     nvml.Return
	out     []byte
	waiting []func(nvml.Return, []byte)
}

// nvmlKey is what a question is known by; "" if it is too long to be kept.
func nvmlKey(call *nvmlCall, in []byte) string {
	if len(in) > nvmlCacheKey {
		return ""
	}
	return string(binary.LittleEndian.AppendUint32(nil, call.number)) + string(in)
}

// answer answers if the answer is known. Else it returns false.
func (c *nvmlCache) answer(call *nvmlCall, in []byte, done func(nvml.Return, []byte)) bool {
	key := nvmlKey(call, in)
	c.mu.Lock()
	a := c.known[key]
	if a == nil || !a.done || time.Since(a.at) >= nvmlFresh {
		c.mu.Unlock()
		return false
	}
	ret, out := a.ret, a.out
	c.mu.Unlock()
	done(ret, out)
	return true
}

// ask answers at once if it can, or when somebody else's call is answered.
// Else it returns what is to be called with the answer.
func (c *nvmlCache) ask(call *nvmlCall, in []byte, done func(nvml.Return, []byte)) func(nvml.Return, []byte) {
	key := nvmlKey(call, in)
	if key == "" {
		return done
	}
	now := time.Now()
	c.mu.Lock()
	a := c.known[key]
	switch {
	case a == nil || now.Sub(a.at) >= nvmlFresh:
	case a.done:
		c.mu.Unlock()
		done(a.ret, a.out)
		return nil
	default:
		a.waiting = append(a.waiting, done)
		c.mu.Unlock()
		return nil
	}
	c.drop(key)
	if len(c.known) >= nvmlCacheSize || c.bytes >= nvmlCacheBytes {
		c.expire(now)
	}
	a = &nvmlAnswer{at: now, waiting: []func(nvml.Return, []byte){done}}
	if c.known == nil {
		c.known = map[string]*nvmlAnswer{}
	}
	c.known[key] = a
	c.bytes += len(key)
	c.mu.Unlock()
	return func(ret nvml.Return, out []byte) { c.answered(key, a, ret, out) }
}

func (c *nvmlCache) answered(key string, a *nvmlAnswer, ret nvml.Return, out []byte) {
	c.mu.Lock()
	waiting := a.waiting
	a.done, a.ret, a.out, a.waiting = true, ret, out, nil
	if c.known[key] == a { // else it was dropped
		c.bytes += len(out)
		if len(out) > nvmlCacheOut || ret == nvml.ERROR_UNKNOWN { // a worker's death; the next one may know
			c.drop(key)
		}
	}
	c.mu.Unlock()
	for _, done := range waiting {
		done(ret, out)
	}
}

// drop is under c.mu.
func (c *nvmlCache) drop(key string) {
	if a := c.known[key]; a != nil {
		c.bytes -= len(key) + len(a.out)
		delete(c.known, key)
	}
}

// expire drops what is old, and everything if that is not enough; under c.mu.
func (c *nvmlCache) expire(now time.Time) {
	for key, a := range c.known {
		if now.Sub(a.at) >= nvmlFresh {
			c.drop(key)
		}
	}
	if len(c.known) >= nvmlCacheSize || c.bytes >= nvmlCacheBytes {
		c.known, c.bytes = nil, 0 // who waits is told all the same
	}
}

// clear forgets all answers.
func (c *nvmlCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known, c.bytes = nil, 0
}
