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
	wait map[string][]chan answer
}

func key(call uint32, in []byte) string { return string(le.AppendUint32(nil, call)) + string(in) }

func (a *asked) add(k string, ch chan answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.wait == nil {
		a.wait = map[string][]chan answer{}
	}
	a.wait[k] = append(a.wait[k], ch)
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
	return list[0]
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
// nothing had happened, and waits once for the lot. Calls that measure the
// traffic to a GPU are sent when all others are answered, which are traffic too.
func (c *Client) Ahead(ask func(*Client)) {
	a := &ahead{unread: 1}
	ask(&Client{transport: c.transport, ahead: a, asked: c.asked})
	a.answered()
}

func (a *ahead) send(c *Client, call uint32, in []byte) {
	ch := make(chan answer, 1)
	c.asked.add(key(call, in), ch)
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
