// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// What device code prints is in the worker's region before the answer to the
// call that brought it. It goes on before that answer, and is in the client's
// region before it too.

// outputKept bounds what the near end keeps for a client that does not take its output, bytes.
const outputKept = 16 << 20

// farOutput sends what the worker puts into its region's outputs.
type farOutput struct {
	mu   sync.Mutex
	seen uint32 // of the region's OutputNews
}

// send sends what is new. When it returns, all that was there before it was
// called has been sent, by it or by another lane.
func (o *farOutput) send(s *session) error {
	r := s.region
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		news := atomic.LoadUint32(r.OutputNews())
		if news == o.seen {
			return nil
		}
		more := min(atomic.LoadUint32(r.OutputMore()), 1)
		for i := range uint32(Outputs) {
			head, tail := atomic.LoadUint32(r.OutputHead(i)), atomic.LoadUint32(r.OutputTail(i))
			if tail-head > OutputSize {
				return fmt.Errorf("wire: the worker's output %d holds %d bytes of %d", i, tail-head, OutputSize)
			}
			// A message without bytes too: it says whether there is more.
			for first := true; first || head != tail; first = false {
				at := head % OutputSize
				n := min(tail-head, OutputSize-at, ChunkMax)
				if err := s.link.send(&Message{Kind: MsgOutput, Output: i, More: more, Data: r.Output(i)[at : at+n]}, false); err != nil {
					return err
				}
				head += n
			}
			atomic.StoreUint32(r.OutputHead(i), head)
		}
		o.seen = news
	}
}

// nearOutput puts output into the client's region, and keeps what has no room there.
type nearOutput struct {
	kept [Outputs][]byte
	more uint32 // the far end's
	said uint32 // what the region's OutputMore says
}

func (o *nearOutput) take(r *Region, m *Message) error {
	kept := &o.kept[m.Output]
	if len(*kept)+len(m.Data) > outputKept {
		return fmt.Errorf("wire: the client does not take what its device code prints: %d bytes wait", len(*kept))
	}
	*kept = append(*kept, m.Data...)
	o.more = m.More
	o.deliver(r)
	return nil
}

func (o *nearOutput) deliver(r *Region) {
	news := false
	more := o.more
	for i := range uint32(Outputs) {
		head, tail := atomic.LoadUint32(r.OutputHead(i)), atomic.LoadUint32(r.OutputTail(i))
		for len(o.kept[i]) > 0 && tail-head < OutputSize {
			at := tail % OutputSize
			n := copy(r.Output(i)[at:at+min(OutputSize-(tail-head), OutputSize-at)], o.kept[i])
			o.kept[i] = o.kept[i][n:]
			tail += uint32(n)
			news = true
		}
		atomic.StoreUint32(r.OutputTail(i), tail)
		if len(o.kept[i]) > 0 {
			more = 1
		}
	}
	if news || more != o.said {
		o.said = more
		atomic.StoreUint32(r.OutputMore(), more)
		atomic.AddUint32(r.OutputNews(), 1)
	}
}
