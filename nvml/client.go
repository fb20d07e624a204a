// SPDX-License-Identifier: Apache-2.0

package nvml

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
	ahead     *ahead // calls are only sent
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

// call makes a call. Every method of Client does it with this.
func (c *Client) call(call uint32, in []byte) ([]byte, Return) {
	if c.ahead != nil {
		c.ahead.send(c, call, in)
		return nil, ERROR_NOT_READY
	}
	ch := c.asked.take(key(call, in))
	if ch == nil {
		ch = make(chan answer, 1)
		c.transport.Send(call, in, func(ret Return, out []byte) { ch <- answer{ret, out} })
	}
	a := <-ch
	return a.out, a.ret
}

// Do makes a call whose frame the caller has put together.
func (c *Client) Do(call uint32, in []byte) (out []byte, ret Return) { return c.call(call, in) }
