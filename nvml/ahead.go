// SPDX-License-Identifier: Apache-2.0

package nvml

import "sync"

type answer struct {
	ret Return
	out []byte
}

// asked are calls that were sent ahead: answers on their way, by what was asked.
type asked struct {
	mu   sync.Mutex
	wait map[string][]*pending
}

// pending is a call that was sent ahead; of is the last Ahead that wanted it.
type pending struct {
	answer chan answer
	of     *ahead
}

func key(call uint32, in []byte) string { return string(le.AppendUint32(nil, call)) + string(in) }

// add notes a call; nil if its answer is on its way already, from an earlier Ahead.
func (a *asked) add(k string, of *ahead) chan answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.wait[k] {
		if p.of != of {
			p.of = of
			return nil
		}
	}
	if a.wait == nil {
		a.wait = map[string][]*pending{}
	}
	p := &pending{make(chan answer, 1), of}
	a.wait[k] = append(a.wait[k], p)
	return p.answer
}

// take takes an answer that is on its way; nil for none.
func (a *asked) take(k string) chan answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.wait[k]
	if len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		delete(a.wait, k)
	} else {
		a.wait[k] = list[1:]
	}
	return list[0].answer
}

// ahead is one Ahead's calls on their way.
type ahead struct {
	mu     sync.Mutex
	unread int      // calls that were sent and not answered, and one while more may come
	last   []func() // send those that are made when no other is on its way
}

// disturbed says whether other calls show in what a call measures: they are
// traffic to the GPU, which NVML counts for 20 ms.
func disturbed(call uint32) bool { return call == CallDeviceGetPcieThroughput }

// Ahead sends many calls without waiting for any: every call that ask makes of
// the client it is given is sent, and comes back at once with
// ERROR_NOT_READY. The same calls made of c later take the answers, each once.
// So a program says first what it will want, then goes about its work as if
// nothing had happened, and waits once for the lot. What an earlier Ahead sent and
// nobody has taken is not sent again. Calls that measure the
// traffic to a GPU are sent when all others are answered, which are traffic too.
func (c *Client) Ahead(ask func(*Client)) {
	a := &ahead{unread: 1}
	ask(&Client{transport: c.transport, ahead: a, asked: c.asked})
	a.answered()
}

func (a *ahead) send(c *Client, call uint32, in []byte) {
	ch := c.asked.add(key(call, in), a)
	if ch == nil {
		return
	}
	if disturbed(call) {
		a.last = append(a.last, func() {
			c.transport.Send(call, in, func(ret Return, out []byte) { ch <- answer{ret, out} })
		})
		return
	}
	a.mu.Lock()
	a.unread++
	a.mu.Unlock()
	c.transport.Send(call, in, func(ret Return, out []byte) {
		ch <- answer{ret, out}
		a.answered()
	})
}

// answered counts an answer, and behind the last one sends the rest: in a
// goroutine of its own, as who reads answers is not to wait for who takes calls.
func (a *ahead) answered() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unread--; a.unread == 0 && len(a.last) > 0 {
		go func() {
			for _, send := range a.last {
				send()
			}
		}()
	}
}

// Forget drops answers that were asked for ahead and never taken.
func (c *Client) Forget() {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	c.asked.wait = nil
}
