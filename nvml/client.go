// SPDX-License-Identifier: Apache-2.0

package nvml

import "sync"

// A Transport makes calls somewhere.
type Transport interface {
	// Send makes a call and returns before it is answered. done is called once,
	// from any goroutine, with what came back; a call that could not be made
	// comes back as a Return that says so. in is the transport's from then on.
	Send(call uint32, in []byte, done func(ret Return, out []byte))
	Close() error
}

// Client makes calls over a transport. Its methods can be called from many
// goroutines at once; each waits for its own answer only.
type Client struct {
	transport Transport
	ahead     bool // calls are only sent
	asked     *asked
}

// New makes a client of a transport, which it closes with itself.
func New(t Transport) *Client { return &Client{transport: t, asked: &asked{}} }

// Transport is what the client makes its calls over.
func (c *Client) Transport() Transport { return c.transport }

// Close ends the connection; what NVML keeps for it (event sets, samples) ends too.
func (c *Client) Close() error { return c.transport.Close() }

// retries is how often a list is asked for again that has grown meanwhile.
const retries = 3

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

// Ahead sends many calls without waiting for any: every call that ask makes of
// the client it is given is sent, and comes back at once with
// ERROR_NOT_READY. The same calls made of c later take the answers, each once.
// So a program says first what it will want, then goes about its work as if
// nothing had happened, and waits once for the lot.
func (c *Client) Ahead(ask func(*Client)) {
	ask(&Client{transport: c.transport, ahead: true, asked: c.asked})
}

// Forget drops answers that were asked for ahead and never taken.
func (c *Client) Forget() {
	c.asked.mu.Lock()
	defer c.asked.mu.Unlock()
	c.asked.wait = nil
}

// call makes a call. Every method of Client does it with this.
func (c *Client) call(call uint32, in []byte) ([]byte, Return) {
	ch := (chan answer)(nil)
	if !c.ahead {
		ch = c.asked.take(key(call, in))
	}
	if ch == nil {
		ch = make(chan answer, 1)
		if c.ahead {
			c.asked.add(key(call, in), ch)
		}
		c.transport.Send(call, in, func(ret Return, out []byte) { ch <- answer{ret, out} })
	}
	if c.ahead {
		return nil, ERROR_NOT_READY
	}
	a := <-ch
	return a.out, a.ret
}

// Do makes a call whose frame the caller has put together.
func (c *Client) Do(call uint32, in []byte) (out []byte, ret Return) { return c.call(call, in) }
