// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Pinned memory exists on both sides of a relay. Its bytes cross when the
// worker asks: FETCH brings the client's, PUSH takes the worker's back.

// sendHeap sends this side's bytes of a FETCH's or PUSH's range, in order.
func sendHeap(s *session, id uint32, ask Question) error {
	at, err := s.region.HeapOffsetOf(ask.A, ask.B)
	if err != nil {
		return err
	}
	buf := make([]byte, min(ask.B, ChunkMax))
	for sent := uint64(0); sent < ask.B; {
		if s.over() {
			return s.err
		}
		piece := buf[:min(ask.B-sent, ChunkMax)]
		for got := 0; got < len(piece); {
			n, err := unix.Pread(s.region.fd, piece[got:], at+int64(sent)+int64(got))
			if err == unix.EINTR {
				continue
			}
			if err != nil || n == 0 {
				return fmt.Errorf("wire: reading pinned memory at %#x: %d bytes, %w", ask.A+sent, n, err)
			}
			got += n
		}
		if err := s.link.send(&Message{Kind: MsgHeap, ID: id, Address: ask.A + sent, Data: piece}, false); err != nil {
			return err
		}
		sent += uint64(len(piece))
	}
	return s.link.flush()
}

// writeHeap writes the next bytes of a range that was asked for or announced.
func writeHeap(r *Region, ask *Question, came *uint64, m *Message) error {
	if m.Address != ask.A+*came || uint64(len(m.Data)) > ask.B-*came {
		return fmt.Errorf("wire: %d bytes of pinned memory at %#x came where %d at %#x were due", len(m.Data), m.Address, ask.B-*came, ask.A+*came)
	}
	at, err := r.HeapOffsetOf(m.Address, uint64(len(m.Data)))
	if err != nil {
		return err
	}
	for done := 0; done < len(m.Data); {
		n, err := unix.Pwrite(r.fd, m.Data[done:], at+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("wire: writing pinned memory at %#x: %w", m.Address, err)
		}
		done += n
	}
	*came += uint64(len(m.Data))
	return nil
}
