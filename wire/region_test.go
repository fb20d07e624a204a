// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// regionFile is a memfd with a good header and the given seals.
func regionFile(t *testing.T, flags, seals int) int {
	t.Helper()
	fd, err := unix.MemfdCreate("region", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|flags)
	if err != nil {
		t.Skipf("skipped: no memfd with flags %#x: %v", flags, err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	h := testHeader(2, 1<<20)
	if flags&unix.MFD_HUGETLB != 0 {
		h = testHeader(2, 2<<20)
	}
	if err := unix.Ftruncate(fd, int64(h.Size)); err != nil {
		t.Fatal(err)
	}
	var b [headerBytes]byte
	h.Put(b[:])
	if flags&unix.MFD_HUGETLB == 0 {
		if _, err := unix.Pwrite(fd, b[:], 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		t.Fatal(err)
	}
	return fd
}

// Whoever maps a file that its owner can shrink, or that has no pages to give,
// dies when it touches it.
func TestAFileThatCouldKillItsReaderIsRefused(t *testing.T) {
	refused := func(t *testing.T, fd int) {
		t.Helper()
		if r, err := Map(fd); err == nil {
			r.Unmap()
			t.Error("it was mapped")
		} else if !errors.Is(err, ErrRegion) {
			t.Errorf("the error is %v, which does not blame the file", err)
		}
	}
	t.Run("without a seal", func(t *testing.T) { refused(t, regionFile(t, 0, unix.F_SEAL_GROW)) })
	t.Run("of huge pages", func(t *testing.T) { refused(t, regionFile(t, unix.MFD_HUGETLB, unix.F_SEAL_SHRINK)) })
	t.Run("a pipe", func(t *testing.T) {
		var p [2]int
		if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		defer unix.Close(p[0])
		defer unix.Close(p[1])
		refused(t, p[0])
	})
	t.Run("an empty one", func(t *testing.T) {
		fd, err := unix.MemfdCreate("region", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK); err != nil {
			t.Fatal(err)
		}
		refused(t, fd)
	})
	t.Run("and a good one is not", func(t *testing.T) {
		r, err := Map(regionFile(t, 0, unix.F_SEAL_SHRINK))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Unmap(); err != nil {
			t.Error(err)
		}
	})
}

// A call that waits when its worker is killed has to return.
func TestTheEndWakesWhoeverSleeps(t *testing.T) {
	r, err := Map(regionFile(t, 0, unix.F_SEAL_SHRINK))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Unmap()
	lane, err := r.Lane(1)
	if err != nil {
		t.Fatal(err)
	}
	atomic.StoreUint32(r.LanesUsed(), 1<<31) // a lie that must not lead anywhere
	atomic.StoreUint32(r.Upcall(5).State(), UpcallAsked)
	words := map[string]*uint32{
		"state": r.State(), "doorbell": r.Doorbell(), "upcall_tail": r.UpcallTail(), "an upcall": r.Upcall(5).State(),
		"tail": lane.Tail(), "head": lane.Head(), "replied": lane.Replied(),
	}
	type woken struct {
		name string
		err  error
	}
	done := make(chan woken)
	for name, word := range words {
		go func() { done <- woken{name, FutexWait(word, atomic.LoadUint32(word), time.Minute)} }()
	}
	// Whether a goroutine is asleep yet cannot be seen, so waking is repeated until all have been.
	for left := len(words); left > 0; {
		select {
		case w := <-done:
			left--
			if w.err != nil {
				t.Errorf("%s: %v", w.name, w.err)
			}
		default:
			r.MarkEnded(719)
		}
	}
	r.MarkEnded(46)
	if reason := atomic.LoadUint32(r.EndReason()); reason != 719 {
		t.Errorf("the reason is %d, the first one was 719", reason)
	}
}

func TestPinnedMemoryIsOnlyTheHeap(t *testing.T) {
	h := testHeader(1, 1<<20)
	end := h.HeapBase + h.HeapSize
	for _, c := range []struct {
		address, length uint64
		ok              bool
	}{
		{h.HeapBase, 0, true}, {h.HeapBase, h.HeapSize, true}, {end, 0, true}, {end - 1, 1, true},
		{h.HeapBase - 1, 1, false}, {h.HeapBase, h.HeapSize + 1, false}, {end - 1, 2, false}, {end + 1, 0, false},
		{h.HeapBase + 1, ^uint64(0), false}, {^uint64(0), 1, false}, {0, 0, false},
	} {
		at, err := h.HeapOffsetOf(c.address, c.length)
		if (err == nil) != c.ok || c.ok && uint64(at) != h.HeapOffset+c.address-h.HeapBase {
			t.Errorf("%#x with %#x bytes: %#x, %v", c.address, c.length, at, err)
		}
	}
}
