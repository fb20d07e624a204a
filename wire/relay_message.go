// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
)

// The stream between the two ends of a relay is a row of messages; the table
// is in docs/protocol.md. A message is a header of 24 bytes, a fixed part that
// its kind decides, and bytes.

// LinkVersion is the version of the stream's format.
const LinkVersion = 1

// Kinds of message. Near is the end at the client, far the end at the worker.
const (
	MsgHello     = 1  // near: a session is wanted
	MsgSnapshot  = 2  // far: a piece of the snapshot
	MsgAnswer    = 3  // far: axond's answer; all of the snapshot came before it
	MsgOpen      = 4  // near: a lane was opened
	MsgClose     = 5  // near: a lane was closed
	MsgFrame     = 6  // near: a frame, without what it has in bulk
	MsgBulk      = 7  // near: the next bytes of the frame's bulk_in
	MsgCredit    = 8  // far: the lane may send that many bytes more
	MsgReplyData = 9  // far: a piece of the reply
	MsgBulkOut   = 10 // far: a piece of the frame's bulk_out
	MsgReply     = 11 // far: the reply is complete
	MsgUpcall    = 12 // far: the worker asks
	MsgHeap      = 13 // both: bytes of pinned memory that an upcall asked for or brings
	MsgDone      = 14 // near: an upcall was done
	MsgEnd       = 15 // both: the session ends
	MsgAck       = 16 // both: nothing but what every header says
	MsgOutput    = 17 // far: what the worker's library has printed
)

const (
	// MessageHeaderSize is the size of every message's header.
	MessageHeaderSize = 24
	// ChunkMax is the most bytes that a piece of something longer has.
	ChunkMax = 0x10000
	// MessageMax is the most bytes of a message, header included.
	MessageMax = MessageHeaderSize + FrameHeaderSize + FrameMax
	// LaneWindow is how many bytes of messages of one lane may be on their way:
	// what the far end has to keep for a lane that has to wait.
	LaneWindow = 1 << 20

	textMax = 4096
)

// Message is one message. Which fields mean something depends on Kind.
type Message struct {
	Kind     uint16
	Lane     uint16
	Number   uint64 // counts this direction's messages, from 1
	Received uint64 // the highest number that the sender had received

	Link    uint32   // Hello: LinkVersion
	Library uint32   // Hello
	Header  Header   // Hello: of the client's region
	Offset  uint32   // Snapshot, ReplyData, BulkOut: where Data belongs
	Status  uint32   // Answer
	Session uint32   // Answer
	Frame   Frame    // Frame: Size is what its bytes need, Bulk is 0
	Credit  uint32   // Credit: bytes
	Seq     uint32   // Reply
	Result  uint32   // Reply; End: reason
	Size    uint32   // Reply: bytes of the reply, Data are the last of them
	ID      uint32   // Upcall, Heap, Done
	Ask     Question // Upcall
	Address uint64   // Heap: of the first byte
	Output  uint32   // Output: which of the Outputs
	More    uint32   // Output: 1 if the worker holds more

	Data []byte
}

// fixedSize is the size of each kind's fixed part; -1: no such kind.
func fixedSize(kind uint16) int {
	switch kind {
	case MsgHello:
		return 8 + headerBytes
	case MsgSnapshot, MsgReplyData, MsgBulkOut, MsgCredit, MsgDone, MsgEnd:
		return 4
	case MsgAnswer, MsgOutput:
		return 8
	case MsgFrame:
		return FrameHeaderSize
	case MsgOpen, MsgClose, MsgBulk, MsgAck:
		return 0
	case MsgReply:
		return 12
	case MsgUpcall:
		return 40
	case MsgHeap:
		return 12
	}
	return -1
}

// ofLane says whether a kind's messages belong to a lane.
func ofLane(kind uint16) bool {
	switch kind {
	case MsgOpen, MsgClose, MsgFrame, MsgBulk, MsgCredit, MsgReplyData, MsgBulkOut, MsgReply:
		return true
	}
	return false
}

func round16(n uint32) uint32 { return (n + 15) &^ 15 }

// messageHead reads a header: the whole message's length, which is checked
// against the kind's fixed part and MessageMax.
func messageHead(b []byte) (m Message, length int, err error) {
	le := binary.LittleEndian
	size := le.Uint32(b)
	m.Kind = le.Uint16(b[4:])
	m.Lane = le.Uint16(b[6:])
	m.Number = le.Uint64(b[8:])
	m.Received = le.Uint64(b[16:])
	fixed := fixedSize(m.Kind)
	switch {
	case fixed < 0:
		return m, 0, fmt.Errorf("wire: a message of unknown kind %d", m.Kind)
	case size > MessageMax || size < uint32(MessageHeaderSize+fixed):
		return m, 0, fmt.Errorf("wire: a message of kind %d with %d bytes, allowed are %d to %d", m.Kind, size, MessageHeaderSize+fixed, MessageMax)
	case !ofLane(m.Kind) && m.Lane != 0 || m.Lane >= LanesMax:
		return m, 0, fmt.Errorf("wire: a message of kind %d for lane %d", m.Kind, m.Lane)
	}
	return m, int(size), nil
}

// body reads what follows the header. Data is a part of b.
func (m *Message) body(b []byte) error {
	le := binary.LittleEndian
	fixed := fixedSize(m.Kind)
	b, m.Data = b[:fixed], b[fixed:]
	most, least := 0, 0 // bytes of Data
	switch m.Kind {
	case MsgHello:
		m.Link = le.Uint32(b)
		m.Library = le.Uint32(b[4:])
		m.Header, _ = ParseHeader(b[8:])
		most = EnvMax
		if m.Link != LinkVersion {
			return fmt.Errorf("wire: the other end speaks version %d of the relay's stream, this one %d; install the same axon on both", m.Link, LinkVersion)
		}
		if err := Check(&m.Header, m.Header.Size); err != nil {
			return err
		}
		if n := len(m.Data); n > 0 && m.Data[n-1] != 0 {
			return fmt.Errorf("wire: an environment that does not end with NUL")
		}
	case MsgSnapshot, MsgReplyData, MsgBulkOut:
		m.Offset = le.Uint32(b)
		most, least = ChunkMax, 1
		end, limit := uint64(m.Offset)+uint64(len(m.Data)), uint64(SnapshotSize)
		switch m.Kind {
		case MsgReplyData:
			limit = ReplySize
		case MsgBulkOut:
			limit = BulkSize
		}
		if end > limit {
			return fmt.Errorf("wire: a message of kind %d for bytes up to %d of %d", m.Kind, end, limit)
		}
	case MsgAnswer:
		m.Status = le.Uint32(b)
		m.Session = le.Uint32(b[4:])
		most = textMax
	case MsgFrame:
		m.Frame = ParseFrame(b)
		if err := m.Frame.Check(); err != nil {
			return err
		}
		most = int(m.Frame.Inline())
		least = most
		if m.Frame.Bulk != 0 || m.Frame.Size != round16(FrameHeaderSize+m.Frame.Inline()) {
			return fmt.Errorf("wire: a frame on a stream with bulk at %d and %d bytes for %d", m.Frame.Bulk, m.Frame.Size, m.Frame.Inline())
		}
	case MsgBulk:
		most, least = ChunkMax, 1
	case MsgCredit:
		m.Credit = le.Uint32(b)
		if m.Credit == 0 || m.Credit > LaneWindow {
			return fmt.Errorf("wire: a credit of %d bytes, a lane's window has %d", m.Credit, LaneWindow)
		}
	case MsgReply:
		m.Seq = le.Uint32(b)
		m.Result = le.Uint32(b[4:])
		m.Size = le.Uint32(b[8:])
		if m.Size > ReplySize {
			return fmt.Errorf("wire: a reply of %d bytes, its place has %d", m.Size, ReplySize)
		}
		most = min(ChunkMax, int(m.Size))
	case MsgUpcall:
		m.ID = le.Uint32(b)
		m.Ask = Question{le.Uint32(b[4:]), le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint64(b[32:])}
		if m.Ask.Kind < UpCall || m.Ask.Kind > UpPush {
			return fmt.Errorf("wire: an upcall of unknown kind %d", m.Ask.Kind)
		}
	case MsgHeap:
		m.ID = le.Uint32(b)
		m.Address = le.Uint64(b[4:])
		most, least = ChunkMax, 1
	case MsgDone:
		m.ID = le.Uint32(b)
	case MsgOutput:
		m.Output = le.Uint32(b)
		m.More = le.Uint32(b[4:])
		most = ChunkMax
		if m.Output >= Outputs || m.More > 1 {
			return fmt.Errorf("wire: output for stream %d with flag %d", m.Output, m.More)
		}
	case MsgEnd:
		m.Result = le.Uint32(b)
		most = textMax
	}
	if len(m.Data) < least || len(m.Data) > most {
		return fmt.Errorf("wire: a message of kind %d with %d bytes behind its fixed part, allowed are %d to %d", m.Kind, len(m.Data), least, most)
	}
	return nil
}

// ParseMessage takes the message at the start of b apart and returns how many
// bytes it has. 0 bytes and no error: b holds only a part of it. Data is a
// part of b.
func ParseMessage(b []byte) (m Message, length int, err error) {
	if len(b) < MessageHeaderSize {
		return m, 0, nil
	}
	m, length, err = messageHead(b)
	if err != nil {
		return m, 0, err
	}
	if len(b) < length {
		return m, 0, nil
	}
	if err := m.body(b[MessageHeaderSize:length]); err != nil {
		return m, 0, err
	}
	return m, length, nil
}

// appendHead appends everything but Data.
func (m *Message) appendHead(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(m.cost()))
	b = le.AppendUint16(b, m.Kind)
	b = le.AppendUint16(b, m.Lane)
	b = le.AppendUint64(b, m.Number)
	b = le.AppendUint64(b, m.Received)
	switch m.Kind {
	case MsgHello:
		b = le.AppendUint32(b, m.Link)
		b = le.AppendUint32(b, m.Library)
		n := len(b)
		b = append(b, make([]byte, headerBytes)...)
		m.Header.Put(b[n:])
	case MsgSnapshot, MsgReplyData, MsgBulkOut:
		b = le.AppendUint32(b, m.Offset)
	case MsgAnswer:
		b = le.AppendUint32(b, m.Status)
		b = le.AppendUint32(b, m.Session)
	case MsgFrame:
		n := len(b)
		b = append(b, make([]byte, FrameHeaderSize)...)
		m.Frame.Put(b[n:])
	case MsgCredit:
		b = le.AppendUint32(b, m.Credit)
	case MsgReply:
		b = le.AppendUint32(b, m.Seq)
		b = le.AppendUint32(b, m.Result)
		b = le.AppendUint32(b, m.Size)
	case MsgUpcall:
		b = le.AppendUint32(b, m.ID)
		b = le.AppendUint32(b, m.Ask.Kind)
		b = le.AppendUint64(b, m.Ask.A)
		b = le.AppendUint64(b, m.Ask.B)
		b = le.AppendUint64(b, m.Ask.C)
		b = le.AppendUint64(b, m.Ask.D)
	case MsgHeap:
		b = le.AppendUint32(b, m.ID)
		b = le.AppendUint64(b, m.Address)
	case MsgDone:
		b = le.AppendUint32(b, m.ID)
	case MsgOutput:
		b = le.AppendUint32(b, m.Output)
		b = le.AppendUint32(b, m.More)
	case MsgEnd:
		b = le.AppendUint32(b, m.Result)
	}
	return b
}

// Append appends the message's bytes.
func (m *Message) Append(b []byte) []byte { return append(m.appendHead(b), m.Data...) }

// cost is the message's length, which is what it takes of a lane's window.
func (m *Message) cost() int { return MessageHeaderSize + fixedSize(m.Kind) + len(m.Data) }
