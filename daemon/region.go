// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// checkRegion checks that a client's descriptor is a region that can be handed
// to a worker and written to later without harm: a memfd in ordinary memory,
// writable, of a size that nobody can change any more, laid out as it says. The
// header is read, not mapped. Errors are Refusals.
func checkRegion(f *os.File, fingerprint [16]byte) error {
	fd := int(f.Fd())
	bad := func(format string, args ...any) error {
		return refuse(wire.StatusBadRegion, "the region is unusable: "+format, args...)
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return bad("fstat: %v", err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return bad("its descriptor is not a memfd")
	}
	// A memfd of huge pages could raise SIGBUS at a first touch, whatever its seals.
	var fs unix.Statfs_t
	if err := unix.Fstatfs(fd, &fs); err != nil {
		return bad("fstatfs: %v", err)
	}
	if fs.Type != unix.TMPFS_MAGIC {
		return bad("its descriptor is not a memfd of ordinary pages (file system type %#x)", fs.Type)
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return bad("F_GETFL: %v", err)
	}
	if flags&unix.O_ACCMODE != unix.O_RDWR || flags&unix.O_PATH != 0 {
		return bad("its descriptor is not open for reading and writing")
	}
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil {
		return bad("its descriptor is not a memfd (F_GET_SEALS: %v)", err)
	}
	if want := unix.F_SEAL_SHRINK | unix.F_SEAL_GROW; seals&want != want {
		return bad("its size is not sealed (F_SEAL_SHRINK and F_SEAL_GROW)")
	}
	if seals&(unix.F_SEAL_WRITE|unix.F_SEAL_FUTURE_WRITE) != 0 {
		return bad("it is sealed against writing")
	}
	head := make([]byte, wire.HeaderSize)
	if n, err := unix.Pread(fd, head, 0); err != nil {
		return bad("reading its header: %v", err)
	} else if n < len(head) {
		return bad("its file has only %d bytes", st.Size)
	}
	h, err := wire.ParseHeader(head)
	if err != nil {
		return bad("%v", err)
	}
	if err := wire.Check(&h, uint64(st.Size)); err != nil {
		return bad("%v", err)
	}
	if h.Fingerprint != fingerprint {
		return refuse(wire.StatusMismatch, "the region and the hello are of different builds of axon; restart the program")
	}
	return nil
}

// endRegion tells the client of a region that its worker is gone: every call
// fails from now on, and nobody sleeps on. Nothing is read back from the
// region but how many lanes to wake, and that is bounded by the checked header.
func endRegion(f *os.File) (err error) {
	// Sealed and of ordinary pages, the region cannot raise SIGBUS, but for
	// memory that fails or cannot be swapped in. That must not end axond.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the region's memory: %v", r)
		}
	}()
	r, err := wire.Map(int(f.Fd()))
	if err != nil {
		return err
	}
	defer r.Unmap()
	r.MarkEnded(wire.EndedUnavailable)
	return nil
}
