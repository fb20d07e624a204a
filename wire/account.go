// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The account's constants; see account.h.
const (
	AccountVersion = 1
	AccountSize    = 0x11000

	accountCalls       = 4096
	accountCallsStride = 64

	offAccountVersion     = 0
	offAccountAnswered    = 4
	offAccountLimit       = 8
	offAccountPinnedLimit = 16
	offAccountDevice      = 128
	offAccountDevicePeak  = 136
	offAccountPinned      = 144
	offAccountPinnedPeak  = 152
	offAccountOutside     = 160
	offAccountRefused     = 168
	offAccountDevices     = 176
	offAccountShares      = 184

	askMagic = 0x4b534158
	askSize  = 16
)

// Account is axond's side of a session's account, the memory that it shares
// with the worker and with nobody else.
type Account struct {
	mem []byte
}

// Figures are what an account says. A worker that a client has taken over may
// have written anything.
type Figures struct {
	Device, DevicePeak uint64 // bytes of the GPUs' memory
	Pinned, PinnedPeak uint64 // bytes of host memory that they reach
	Outside            uint64 // bytes of these that no control group of the client's counts
	Limit, PinnedLimit uint64 // bytes
	Refused            uint64 // allocations, over the limit
	Devices            uint64 // bit n: it has had a context on device n
	Shares             bool   // its GPU shares the machine's memory
}

// NewAccount makes an account without limits. The descriptor is for the worker.
func NewAccount() (*Account, int, error) {
	fd, err := unix.MemfdCreate("axon-account", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err == nil {
		err = unix.Ftruncate(fd, AccountSize)
		if err == nil {
			_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
		}
		var a *Account
		if err == nil {
			a, err = mapAccount(fd)
		}
		if err == nil {
			atomic.StoreUint32(a.word32(offAccountVersion), AccountVersion)
			a.SetLimit(math.MaxUint64)
			a.SetPinnedLimit(math.MaxUint64)
			return a, fd, nil
		}
		unix.Close(fd)
	}
	return nil, -1, fmt.Errorf("wire: a session's account: %w", err)
}

// MapAccount maps an account that an earlier axond made.
func MapAccount(fd int) (*Account, error) {
	var st unix.Stat_t
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err == nil {
		err = unix.Fstat(fd, &st)
	}
	if err == nil && (seals&unix.F_SEAL_SHRINK == 0 || st.Size < AccountSize) {
		err = errors.New("it is not one")
	}
	var a *Account
	if err == nil {
		a, err = mapAccount(fd)
	}
	if err == nil && atomic.LoadUint32(a.word32(offAccountVersion)) < AccountVersion {
		err = errors.New("it is of a version that this axond does not know")
		a.Unmap()
	}
	if err != nil {
		return nil, fmt.Errorf("wire: a session's account: %w", err)
	}
	return a, nil
}

func mapAccount(fd int) (*Account, error) {
	mem, err := unix.Mmap(fd, 0, AccountSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return &Account{mem}, err
}

// Unmap gives the mapping back. Nobody may use the account afterwards.
func (a *Account) Unmap() {
	unix.Munmap(a.mem)
	a.mem = nil
}

func (a *Account) word32(off uint64) *uint32 {
	return (*uint32)(unsafe.Pointer(&a.mem[off : off+4 : off+4][0]))
}

func (a *Account) word64(off uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&a.mem[off : off+8 : off+8][0]))
}

// SetLimit sets how much of the GPUs' memory the session may have, bytes. What
// it has already it keeps.
func (a *Account) SetLimit(bytes uint64) { atomic.StoreUint64(a.word64(offAccountLimit), bytes) }

// SetPinnedLimit does so for pinned memory, where GPUs have memory of their own.
func (a *Account) SetPinnedLimit(bytes uint64) {
	atomic.StoreUint64(a.word64(offAccountPinnedLimit), bytes)
}

// Answer says that the limit is what ask number asked for.
func (a *Account) Answer(number uint32) {
	atomic.StoreUint32(a.word32(offAccountAnswered), number)
	FutexWake(a.word32(offAccountAnswered))
}

// Figures are the account's figures now.
func (a *Account) Figures() Figures {
	load := func(off uint64) uint64 { return atomic.LoadUint64(a.word64(off)) }
	return Figures{
		Device: load(offAccountDevice), DevicePeak: load(offAccountDevicePeak),
		Pinned: load(offAccountPinned), PinnedPeak: load(offAccountPinnedPeak),
		Outside: load(offAccountOutside), Limit: load(offAccountLimit), PinnedLimit: load(offAccountPinnedLimit),
		Refused: load(offAccountRefused), Devices: load(offAccountDevices),
		Shares: atomic.LoadUint32(a.word32(offAccountShares)) != 0,
	}
}

// Calls is how many calls the worker has made.
func (a *Account) Calls() uint64 {
	n := uint64(0)
	for off := uint64(accountCalls); off < AccountSize; off += accountCallsStride {
		n += atomic.LoadUint64(a.word64(off))
	}
	return n
}

// Ask is a worker's question for its limit.
type Ask struct {
	Number uint32
	Bytes  uint64 // of the account's, which the vendor was not yet asked for
}

// ParseAsk reads a worker's message; false if it is another.
func ParseAsk(b []byte) (Ask, bool) {
	if len(b) != askSize || binary.LittleEndian.Uint32(b) != askMagic {
		return Ask{}, false
	}
	return Ask{binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint64(b[8:])}, true
}
