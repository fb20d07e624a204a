// SPDX-License-Identifier: Apache-2.0

// Package wire is the region in Go, and the link that carries a region's
// frames to another machine.
//
// The layout's authority is shims/region/region.h; region_layout_test.go
// compiles that header and compares every number. docs/protocol.md says in
// words what the words mean.
//
// Rules that hold for every file here:
//   - A region is shared with a process that may write anything into it at any
//     moment. A word is read once, checked, and the copy is used; no length,
//     offset or index read from a region reaches a slice expression unchecked.
//   - Every word that both sides look at is reached by sync/atomic only. Go's
//     atomics are sequentially consistent, so an atomic store followed by an
//     atomic load is the StoreLoad fence that sleeping and waking need.
//   - The heap (pinned memory) is reached by pread and pwrite on the memfd and
//     never mapped: an address space is finite, a page that cannot be had is an
//     error there rather than a SIGBUS, and the race detector need not know.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The region's constants; see region.h.
const (
	Magic   = 0x4e4f5841
	Version = 1

	SnapshotOffset = 0x10000
	SnapshotSize   = 0xf0000
	UpcallOffset   = 0x100000
	Upcalls        = 1024
	UpcallSize     = 128
	OutputOffset   = 0x140000
	OutputSize     = 0x40000
	Outputs        = 2
	LanesOffset    = 0x200000
	LanesMax       = 1024

	LaneSize    = 0x1000000
	RingOffset  = 0x10000
	RingSize    = 0x80000
	ReplyOffset = 0x100000
	ReplySize   = 0x100000
	BulkOffset  = 0x800000
	BulkSize    = 0x800000
	FrameMax    = 0x20000

	// AnswerInline is how many bytes of an answer are in the lane's head.
	AnswerInline = 48

	DeviceBase = 0x400000000000
	DeviceWide = 0x100000000000
	HeapBase   = 0x500000000000
	HeapWide   = 0x010000000000
)

// States of a session (axr_state).
const (
	StateStarting = 0
	StateReady    = 1
	StateEnded    = 2
)

// FlagMirrored says that pinned memory is a copy on this side of a relay.
const FlagMirrored = 1

// FlagDebug says that the client wants to be told where errors come from.
const FlagDebug = 2

// States of a lane (axr_lane_state).
const (
	LaneFree    = 0
	LaneOpen    = 1
	LaneClosing = 2
)

// Kinds of frame (axr_kind).
const (
	KindPad  = 0
	KindPost = 1
	KindWait = 2
)

// Kinds of upcall (axr_upcall_kind).
const (
	UpNone   = 0
	UpCall   = 1
	UpStream = 2
	UpFetch  = 3
	UpPush   = 4
)

// States of an upcall's entry.
const (
	UpcallFree  = 0
	UpcallAsked = 1
	UpcallDone  = 2
)

// EndedUnavailable is CUDA_ERROR_DEVICE_UNAVAILABLE, the reason of a session
// whose worker or link was lost.
const EndedUnavailable = 46

// Offsets in struct axr_header.
const (
	offMagic       = 0
	offVersion     = 4
	offFingerprint = 8
	offLanes       = 24
	offFlags       = 28
	offSize        = 32
	offHeapOffset  = 40
	offHeapSize    = 48
	offHeapBase    = 56
	offDeviceBase  = 64
	offDeviceSize  = 72

	offTicket       = 256
	offDoorbell     = 384
	offLanesUsed    = 388
	offState        = 512
	offEndReason    = 516
	offDeferred     = 640
	offUpcallTail   = 768
	offUpcallHead   = 896
	offUpcallAsleep = 900
	offOutputNews   = 1024
	offOutputMore   = 1028
	offOutputTail   = 1032
	offOutputHead   = 1152

	// HeaderSize is sizeof(struct axr_header).
	HeaderSize = 1280
)

// Offsets in struct axr_lane.
const (
	offLaneTail         = 0
	offLaneClientAsleep = 4
	offLaneRequestEnd   = 8
	offLanePosted       = 128
	offLaneState        = 256
	offLaneHead         = 384
	offLaneReplied      = 512
	offLaneResult       = 516
	offLaneSize         = 520
	offLaneAnswer       = 528
	offLaneWorkerAsleep = 640

	// LaneHeaderSize is sizeof(struct axr_lane).
	LaneHeaderSize = 768
)

// Offsets in struct axr_frame and axr_upcall.
const (
	offFrameSize    = 0
	offFrameKind    = 4
	offFrameCall    = 6
	offFrameTicket  = 8
	offFrameContext = 16
	offFrameSeq     = 24
	offFrameFixed   = 28
	offFrameData    = 32
	offFrameBulk    = 36
	offFrameBulkIn  = 40
	offFrameBulkOut = 44

	// FrameHeaderSize is sizeof(struct axr_frame).
	FrameHeaderSize = 48

	offUpcallState = 0
	offUpcallKind  = 4
	offUpcallA     = 8
	offUpcallB     = 16
	offUpcallC     = 24
	offUpcallD     = 32
)

// Header is a copy of the constant part of struct axr_header.
type Header struct {
	Magic       uint32
	Version     uint32
	Fingerprint [16]byte
	Lanes       uint32
	Flags       uint32
	Size        uint64 // of the whole file, bytes
	HeapOffset  uint64 // in the file
	HeapSize    uint64
	HeapBase    uint64 // address of the heap in both processes
	DeviceBase  uint64
	DeviceSize  uint64
}

// headerBytes is how much of the header Header covers.
const headerBytes = 80

// ParseHeader copies the constant part of a header out of b, which must hold
// at least 80 bytes. It checks nothing else: that is Check.
func ParseHeader(b []byte) (Header, error) {
	var h Header
	if len(b) < headerBytes {
		return h, fmt.Errorf("wire: a region's header has %d bytes, these are %d", headerBytes, len(b))
	}
	le := binary.LittleEndian
	h.Magic = le.Uint32(b[offMagic:])
	h.Version = le.Uint32(b[offVersion:])
	copy(h.Fingerprint[:], b[offFingerprint:])
	h.Lanes = le.Uint32(b[offLanes:])
	h.Flags = le.Uint32(b[offFlags:])
	h.Size = le.Uint64(b[offSize:])
	h.HeapOffset = le.Uint64(b[offHeapOffset:])
	h.HeapSize = le.Uint64(b[offHeapSize:])
	h.HeapBase = le.Uint64(b[offHeapBase:])
	h.DeviceBase = le.Uint64(b[offDeviceBase:])
	h.DeviceSize = le.Uint64(b[offDeviceSize:])
	return h, nil
}

// Put writes the header's bytes to b, which must hold at least 80.
func (h *Header) Put(b []byte) {
	le := binary.LittleEndian
	_ = b[headerBytes-1]
	le.PutUint32(b[offMagic:], h.Magic)
	le.PutUint32(b[offVersion:], h.Version)
	copy(b[offFingerprint:offFingerprint+16], h.Fingerprint[:])
	le.PutUint32(b[offLanes:], h.Lanes)
	le.PutUint32(b[offFlags:], h.Flags)
	le.PutUint64(b[offSize:], h.Size)
	le.PutUint64(b[offHeapOffset:], h.HeapOffset)
	le.PutUint64(b[offHeapSize:], h.HeapSize)
	le.PutUint64(b[offHeapBase:], h.HeapBase)
	le.PutUint64(b[offDeviceBase:], h.DeviceBase)
	le.PutUint64(b[offDeviceSize:], h.DeviceSize)
}

// ErrRegion is wrapped by every error about a region that somebody else laid
// out wrongly.
var ErrRegion = errors.New("wire: not a region of this version")

func badRegion(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRegion, fmt.Sprintf(format, args...))
}

// page is the largest page size among axon's machines: what two processes map
// at the same address starts and ends on it.
const page = 0x10000

// addressEnd is where a program's address space ends (47 bits).
const addressEnd = 1 << 47

// Check checks a region's header against the size of its file, by the rules of
// axr_check in C: sizes that add up and bounds that cannot overflow. Its errors
// wrap ErrRegion.
func Check(h *Header, fileSize uint64) error {
	switch {
	case h.Magic != Magic:
		return badRegion("its magic is %#x and not %#x", h.Magic, Magic)
	case h.Version != Version:
		return badRegion("its version is %d, this side speaks %d", h.Version, Version)
	case h.Lanes == 0 || h.Lanes > LanesMax:
		return badRegion("it has %d lanes, allowed are 1 to %d", h.Lanes, LanesMax)
	case h.Size != fileSize:
		return badRegion("it says that it has %d bytes, its file has %d", h.Size, fileSize)
	case h.HeapOffset != h.LanesEnd():
		return badRegion("its heap at %#x does not follow its lanes, which end at %#x", h.HeapOffset, h.LanesEnd())
	case h.HeapSize > fileSize || h.HeapOffset != fileSize-h.HeapSize:
		return badRegion("its heap of %d bytes at %#x does not end with its file of %d", h.HeapSize, h.HeapOffset, fileSize)
	case h.HeapBase%page != 0 || h.HeapSize%page != 0 || h.HeapBase < page || h.HeapBase > addressEnd || h.HeapSize > addressEnd-h.HeapBase:
		return badRegion("its heap at address %#x with %#x bytes is not where a program can have one", h.HeapBase, h.HeapSize)
	case h.DeviceBase > addressEnd || h.DeviceSize > addressEnd-h.DeviceBase:
		return badRegion("its device window at %#x with %#x bytes is not in a program's address space", h.DeviceBase, h.DeviceSize)
	}
	return nil
}

// Region is a region whose header was checked, mapped up to its heap. Methods
// may be called from any goroutine until Unmap.
type Region struct {
	Header // the checked copy; what the shared memory says now is of no interest

	mem []byte // the file, at least up to the heap
	fd  int    // of the memfd, -1 if there is none; not owned
}

// Map checks the region in the memfd fd and maps it up to its heap. The file
// must be sealed against shrinking, or a client could kill whoever maps it.
// The Region uses fd for the heap until Unmap but does not close it. Errors
// wrap ErrRegion if the file is at fault, else they are the system call's.
func Map(fd int) (*Region, error) {
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil {
		return nil, badRegion("it is not a memfd (%v)", err)
	}
	if seals&unix.F_SEAL_SHRINK == 0 {
		return nil, badRegion("its memfd is not sealed with F_SEAL_SHRINK")
	}
	// A memfd of huge pages is sealed as well, but touching it is SIGBUS when
	// the machine has none left.
	var fs unix.Statfs_t
	if err := unix.Fstatfs(fd, &fs); err != nil {
		return nil, fmt.Errorf("wire: the region's file system: %w", err)
	} else if fs.Type != unix.TMPFS_MAGIC {
		return nil, badRegion("its memfd is not made of plain pages (file system %#x)", fs.Type)
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("wire: the region's size: %w", err)
	}
	var head [headerBytes]byte
	if n, err := unix.Pread(fd, head[:], 0); err != nil {
		return nil, fmt.Errorf("wire: reading the region's header: %w", err)
	} else if n != len(head) {
		return nil, badRegion("its file has %d bytes", st.Size)
	}
	h, _ := ParseHeader(head[:])
	if err := Check(&h, uint64(st.Size)); err != nil {
		return nil, err
	}
	mem, err := unix.Mmap(fd, 0, int(h.LanesEnd()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("wire: mapping the region: %w", err)
	}
	return &Region{Header: h, mem: mem, fd: fd}, nil
}

// Unmap gives the mapping back. Nobody may use the region or a Lane of it afterwards.
func (r *Region) Unmap() error {
	if r.mem == nil {
		return nil
	}
	mem := r.mem
	r.mem = nil
	return unix.Munmap(mem)
}

// LanesEnd is the offset after the last lane.
func (h *Header) LanesEnd() uint64 { return LanesOffset + uint64(h.Lanes)*LaneSize }

// word32 and word64 are only called with offsets that this package computed
// from checked numbers; the slice's bounds check is the second look.
func (r *Region) word32(off uint64) *uint32 {
	return (*uint32)(unsafe.Pointer(&r.mem[off : off+4 : off+4][0]))
}

func (r *Region) word64(off uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&r.mem[off : off+8 : off+8][0]))
}

// Ticket counts the frames posted in this session (client).
func (r *Region) Ticket() *uint64 { return r.word64(offTicket) }

// Doorbell counts lanes opened (client); the worker's main thread sleeps on it.
func (r *Region) Doorbell() *uint32 { return r.word32(offDoorbell) }

// LanesUsed is the word that holds the highest lane ever opened, plus one (client).
func (r *Region) LanesUsed() *uint32 { return r.word32(offLanesUsed) }

// State is one of the State constants.
func (r *Region) State() *uint32 { return r.word32(offState) }

// EndReason is a result code of the library, meant with StateEnded.
func (r *Region) EndReason() *uint32 { return r.word32(offEndReason) }

// SharedFlags is the header's flags word as it is now.
func (r *Region) SharedFlags() *uint32 { return r.word32(offFlags) }

// UpcallTail counts upcalls asked (worker).
func (r *Region) UpcallTail() *uint32 { return r.word32(offUpcallTail) }

// UpcallHead counts upcalls taken (client).
func (r *Region) UpcallHead() *uint32 { return r.word32(offUpcallHead) }

// UpcallAsleep is 1 while the client's service thread is in futex on UpcallTail.
func (r *Region) UpcallAsleep() *uint32 { return r.word32(offUpcallAsleep) }

// OutputNews counts changes of OutputMore and of the OutputTails (worker).
func (r *Region) OutputNews() *uint32 { return r.word32(offOutputNews) }

// OutputMore is 1 while the worker holds output that had no room.
func (r *Region) OutputMore() *uint32 { return r.word32(offOutputMore) }

// OutputTail counts the bytes ever written to output i, which must be below Outputs (worker).
func (r *Region) OutputTail(i uint32) *uint32 { return r.word32(offOutputTail + 4*uint64(i)) }

// OutputHead counts the bytes ever taken from output i, which must be below Outputs (client).
func (r *Region) OutputHead(i uint32) *uint32 { return r.word32(offOutputHead + 4*uint64(i)) }

// Output is the ring of output i, which must be below Outputs.
func (r *Region) Output(i uint32) []byte {
	off := uint64(OutputOffset) + uint64(i)*OutputSize
	return r.mem[off : off+OutputSize : off+OutputSize]
}

// Snapshot is the snapshot's place. It may change while it is read until the
// state is StateReady.
func (r *Region) Snapshot() []byte {
	return r.mem[SnapshotOffset : SnapshotOffset+SnapshotSize : SnapshotOffset+SnapshotSize]
}

// Upcall is entry i modulo Upcalls.
func (r *Region) Upcall(i uint32) Upcall {
	off := UpcallOffset + uint64(i%Upcalls)*UpcallSize
	return Upcall{r.mem[off : off+UpcallSize : off+UpcallSize]}
}

// Upcall is one entry of the worker's questions to the client.
type Upcall struct{ b []byte }

// State is one of the Upcall constants; the asker sleeps on it.
func (u Upcall) State() *uint32 { return (*uint32)(unsafe.Pointer(&u.b[offUpcallState])) }

// Question is what an upcall asks: one of the Up constants and its arguments.
type Question struct {
	Kind       uint32
	A, B, C, D uint64
}

// Ask reads the entry's question, once.
func (u Upcall) Ask() Question {
	return Question{
		Kind: atomic.LoadUint32((*uint32)(unsafe.Pointer(&u.b[offUpcallKind]))),
		A:    atomic.LoadUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallA]))),
		B:    atomic.LoadUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallB]))),
		C:    atomic.LoadUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallC]))),
		D:    atomic.LoadUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallD]))),
	}
}

// Put writes the entry's question; its state is stored by the caller, after.
func (u Upcall) Put(q Question) {
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&u.b[offUpcallKind])), q.Kind)
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallA])), q.A)
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallB])), q.B)
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallC])), q.C)
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&u.b[offUpcallD])), q.D)
}

// Lane is lane i, which must be below Lanes.
func (r *Region) Lane(i uint32) (Lane, error) {
	if i >= r.Lanes {
		return Lane{}, badRegion("it has no lane %d, only %d", i, r.Lanes)
	}
	off := LanesOffset + uint64(i)*LaneSize
	return Lane{r.mem[off : off+LaneSize : off+LaneSize], r}, nil
}

// Lane is one client thread's part of a region.
type Lane struct {
	b []byte
	r *Region
}

func (l Lane) word(off int) *uint32 { return (*uint32)(unsafe.Pointer(&l.b[off])) }

// Tail counts bytes ever published in the ring, modulo 2^32 (client); the worker sleeps on it.
func (l Lane) Tail() *uint32 { return l.word(offLaneTail) }

// ClientAsleep is 1 while the client is in futex on Replied or Head.
func (l Lane) ClientAsleep() *uint32 { return l.word(offLaneClientAsleep) }

// RequestEnd is the tail that published the request beside it (client): a
// short frame once more, which this package neither writes nor reads.
func (l Lane) RequestEnd() *uint32 { return l.word(offLaneRequestEnd) }

// Posted is the ticket of the last frame posted in this lane (client).
func (l Lane) Posted() *uint64 { return (*uint64)(unsafe.Pointer(&l.b[offLanePosted])) }

// State is one of the Lane constants.
func (l Lane) State() *uint32 { return l.word(offLaneState) }

// Head counts bytes ever finished with, modulo 2^32 (worker).
func (l Lane) Head() *uint32 { return l.word(offLaneHead) }

// WorkerAsleep is 1 while the worker is in futex on Tail.
func (l Lane) WorkerAsleep() *uint32 { return l.word(offLaneWorkerAsleep) }

// Replied is the seq of the last waited-for frame that was answered (worker).
func (l Lane) Replied() *uint32 { return l.word(offLaneReplied) }

// Ring is the lane's submission ring.
func (l Lane) Ring() []byte { return l.b[RingOffset : RingOffset+RingSize : RingOffset+RingSize] }

// Result is the library's, of the last waited-for frame that was answered.
func (l Lane) Result() *uint32 { return l.word(offLaneResult) }

// Size is how many bytes of an answer there are, at Answer.
func (l Lane) Size() *uint32 { return l.word(offLaneSize) }

// Answer is the place of an answer of that many bytes, at most ReplySize.
func (l Lane) Answer(size uint32) []byte {
	if size <= AnswerInline {
		return l.b[offLaneAnswer : offLaneAnswer+size : offLaneAnswer+size]
	}
	return l.ReplyArea()[:size:size]
}

// ReplyArea is where longer answers than AnswerInline are.
func (l Lane) ReplyArea() []byte {
	return l.b[ReplyOffset : ReplyOffset+ReplySize : ReplyOffset+ReplySize]
}

// Bulk is the lane's bulk area.
func (l Lane) Bulk() []byte { return l.b[BulkOffset : BulkOffset+BulkSize : BulkOffset+BulkSize] }

// Frame is a copy of struct axr_frame.
type Frame struct {
	Size    uint32 // header, fixed part and inline data, rounded up to 16
	Kind    uint16
	Call    uint16
	Ticket  uint64
	Context uint64
	Seq     uint32
	Fixed   uint32
	Data    uint32
	Bulk    uint32
	BulkIn  uint32
	BulkOut uint32
}

// ParseFrame copies a frame's header out of b, which must hold FrameHeaderSize bytes.
func ParseFrame(b []byte) Frame {
	le := binary.LittleEndian
	_ = b[FrameHeaderSize-1]
	return Frame{
		Size:    le.Uint32(b[offFrameSize:]),
		Kind:    le.Uint16(b[offFrameKind:]),
		Call:    le.Uint16(b[offFrameCall:]),
		Ticket:  le.Uint64(b[offFrameTicket:]),
		Context: le.Uint64(b[offFrameContext:]),
		Seq:     le.Uint32(b[offFrameSeq:]),
		Fixed:   le.Uint32(b[offFrameFixed:]),
		Data:    le.Uint32(b[offFrameData:]),
		Bulk:    le.Uint32(b[offFrameBulk:]),
		BulkIn:  le.Uint32(b[offFrameBulkIn:]),
		BulkOut: le.Uint32(b[offFrameBulkOut:]),
	}
}

// Put writes the frame's header to b, which must hold FrameHeaderSize bytes.
func (f *Frame) Put(b []byte) {
	le := binary.LittleEndian
	_ = b[FrameHeaderSize-1]
	le.PutUint32(b[offFrameSize:], f.Size)
	le.PutUint16(b[offFrameKind:], f.Kind)
	le.PutUint16(b[offFrameCall:], f.Call)
	le.PutUint64(b[offFrameTicket:], f.Ticket)
	le.PutUint64(b[offFrameContext:], f.Context)
	le.PutUint32(b[offFrameSeq:], f.Seq)
	le.PutUint32(b[offFrameFixed:], f.Fixed)
	le.PutUint32(b[offFrameData:], f.Data)
	le.PutUint32(b[offFrameBulk:], f.Bulk)
	le.PutUint32(b[offFrameBulkIn:], f.BulkIn)
	le.PutUint32(b[offFrameBulkOut:], f.BulkOut)
}

// Inline is how many bytes follow the header in the ring, without the padding.
func (f *Frame) Inline() uint32 {
	if f.BulkIn != 0 {
		return f.Fixed
	}
	return f.Fixed + f.Data
}

// Check checks the frame's header by itself: a post or a wait whose parts fit
// its size, its ring and its bulk area. After a nil nothing in it can overflow.
func (f *Frame) Check() error {
	switch {
	case f.Kind != KindPost && f.Kind != KindWait:
		return fmt.Errorf("wire: a frame of unknown kind %d", f.Kind)
	case f.Size < FrameHeaderSize || f.Size > FrameMax || f.Size%16 != 0:
		return fmt.Errorf("wire: a frame of %d bytes, allowed are multiples of 16 from %d to %d", f.Size, FrameHeaderSize, FrameMax)
	case f.Fixed > FrameMax || f.Fixed%8 != 0 || f.Data > BulkSize || FrameHeaderSize+f.Inline() > f.Size:
		return fmt.Errorf("wire: a frame of %d bytes with a fixed part of %d and %d of data", f.Size, f.Fixed, f.Data)
	case f.Bulk > BulkSize || f.BulkIn > BulkSize-f.Bulk || f.BulkOut > BulkSize-f.Bulk:
		return fmt.Errorf("wire: a frame with bulk at %#x, %d in and %d out, the area has %d", f.Bulk, f.BulkIn, f.BulkOut, BulkSize)
	case f.BulkIn != 0 && f.Data > f.BulkIn:
		return fmt.Errorf("wire: a frame with %d bytes of data in %d of bulk", f.Data, f.BulkIn)
	case f.Kind == KindPost && f.Ticket == 0:
		return errors.New("wire: a posted frame without a ticket")
	}
	return nil
}

// HeapOffsetOf is the file offset of the heap's bytes [address, address+length), or
// an error if they are not wholly in the heap.
func (h *Header) HeapOffsetOf(address, length uint64) (int64, error) {
	if address < h.HeapBase || address-h.HeapBase > h.HeapSize || length > h.HeapSize-(address-h.HeapBase) {
		return 0, fmt.Errorf("wire: the bytes at %#x, %d of them, are not in the heap at %#x with %d", address, length, h.HeapBase, h.HeapSize)
	}
	return int64(h.HeapOffset + (address - h.HeapBase)), nil
}

// FutexWait sleeps while *word is seen, at most for timeout (0: for ever). It
// returns nil when woken, or when the word was different, or by a signal; it
// returns unix.ETIMEDOUT when the time is up.
func FutexWait(word *uint32, seen uint32, timeout time.Duration) error {
	const futexWait = 0 // FUTEX_WAIT, not private: the word is shared between processes
	var ts *unix.Timespec
	if timeout > 0 {
		t := unix.NsecToTimespec(int64(timeout))
		ts = &t
	}
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(seen), uintptr(unsafe.Pointer(ts)), 0, 0)
	switch errno {
	case 0, unix.EAGAIN, unix.EINTR:
		return nil
	}
	return errno
}

// FutexWake wakes everybody who sleeps on word.
func FutexWake(word *uint32) {
	const futexWake = 1
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, math.MaxInt32, 0, 0, 0)
}

// MarkEnded ends the session: every call of the client fails with reason (a
// result code of the library) from now on. The first reason stays. It wakes
// every word that either side may sleep on. A sleeper who looked at the state
// just before, and goes to sleep just after, is not woken: that is why
// sleepers sleep for a bounded time and look again (docs/protocol.md).
func (r *Region) MarkEnded(reason uint32) {
	if atomic.LoadUint32(r.State()) != StateEnded {
		atomic.StoreUint32(r.EndReason(), reason)
		atomic.StoreUint32(r.State(), StateEnded)
	}
	r.WakeAll()
}

// WakeAll wakes every word of the region that somebody may sleep on. Only
// lanes that were ever used are touched, because touching costs memory.
func (r *Region) WakeAll() {
	FutexWake(r.State())
	FutexWake(r.Doorbell())
	FutexWake(r.UpcallTail())
	for i := range uint32(Upcalls) {
		if u := r.Upcall(i); atomic.LoadUint32(u.State()) == UpcallAsked {
			FutexWake(u.State())
		}
	}
	used := min(atomic.LoadUint32(r.LanesUsed()), r.Lanes)
	for i := range used {
		l, err := r.Lane(i)
		if err != nil {
			return
		}
		FutexWake(l.Tail())
		FutexWake(l.Head())
		FutexWake(l.Replied())
	}
}
