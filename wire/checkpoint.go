// SPDX-License-Identifier: Apache-2.0

package wire

import "encoding/binary"

// What is said of checkpoints of processes; see shims/region/checkpoint_order.h.
const (
	CheckpointState      = 1
	CheckpointLock       = 2
	CheckpointCheckpoint = 3
	CheckpointRestore    = 4
	CheckpointUnlock     = 5
	CheckpointThread     = 6

	// CheckpointAskSize is sizeof(struct axon_checkpoint_ask).
	CheckpointAskSize = 16

	checkpointMagic      = 0x54504843
	checkpointAnswerSize = 8
	checkpointOrderSize  = 16
)

// CheckpointAsk is what a program asks for.
type CheckpointAsk struct {
	What  uint32 // one of the Checkpoint constants
	PID   int    // in the program's own pid namespace
	Value uint32 // of a lock: how long it may take, ms; 0 for as long as it does
}

// ParseCheckpointAsk reads a program's packet; false if it is none.
func ParseCheckpointAsk(b []byte) (CheckpointAsk, bool) {
	le := binary.LittleEndian
	if len(b) != CheckpointAskSize || le.Uint32(b[12:]) != 0 {
		return CheckpointAsk{}, false
	}
	a := CheckpointAsk{What: le.Uint32(b), PID: int(int32(le.Uint32(b[4:]))), Value: le.Uint32(b[8:])}
	return a, a.What >= CheckpointState && a.What <= CheckpointThread
}

// Append appends the question's bytes to b.
func (a *CheckpointAsk) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, a.What)
	b = le.AppendUint32(b, uint32(int32(a.PID)))
	b = le.AppendUint32(b, a.Value)
	return le.AppendUint32(b, 0)
}

// AppendCheckpointAnswer appends axond's answer to b.
func AppendCheckpointAnswer(b []byte, result, value uint32) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, result), value)
}

// ParseCheckpointAnswer reads it; false if it is none.
func ParseCheckpointAnswer(b []byte) (result, value uint32, ok bool) {
	if len(b) != checkpointAnswerSize {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), true
}

// CheckpointOrder is what axond has a worker do, and the worker's answer.
type CheckpointOrder struct {
	Number uint32
	What   uint32 // one of the Checkpoint constants; in the answer the result
	Value  uint32
}

// Append appends the order's bytes to b.
func (o *CheckpointOrder) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, checkpointMagic)
	b = le.AppendUint32(b, o.Number)
	b = le.AppendUint32(b, o.What)
	return le.AppendUint32(b, o.Value)
}

// ParseCheckpointOrder reads a worker's message; false if it is another.
func ParseCheckpointOrder(b []byte) (CheckpointOrder, bool) {
	le := binary.LittleEndian
	if len(b) != checkpointOrderSize || le.Uint32(b) != checkpointMagic {
		return CheckpointOrder{}, false
	}
	return CheckpointOrder{le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])}, true
}
