// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// storeTime is how long systemd may take to take a descriptor.
const storeTime = 5 * time.Second

// Store keeps descriptors for the axond that comes after this one.
type Store interface {
	// Put keeps what is open in f, under a name.
	Put(name string, f syscall.Conn) error
	// Remove closes what has the name, if anything has.
	Remove(name string) error
}

// systemdStore is systemd's (FileDescriptorStoreMax= in systemd.service(5)). It
// gives everything back by sd_listen_fds when axond starts again after a
// restart or a crash.
type systemdStore struct {
	path string // of the socket; a first @ means an abstract one, here and to x/sys
}

// SystemdStore is systemd's store, or nil if systemd did not start axond.
func SystemdStore() Store {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return nil
	}
	return systemdStore{path}
}

func (s systemdStore) Put(name string, f syscall.Conn) error {
	return withFD(f, func(fd int) error {
		// FDPOLL=0: a client that hangs up while axond is away is to be told
		// apart from one that never was.
		return s.send("FDSTORE=1\nFDPOLL=0\nFDNAME="+name, unix.UnixRights(fd))
	})
}

func (s systemdStore) Remove(name string) error {
	return s.send("FDSTOREREMOVE=1\nFDNAME="+name, nil)
}

func (s systemdStore) send(message string, rights []byte) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	wait := unix.NsecToTimeval(storeTime.Nanoseconds())
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &wait); err != nil {
		return err
	}
	for {
		err := unix.Sendmsg(fd, []byte(message), rights, &unix.SockaddrUnix{Name: s.path}, unix.MSG_NOSIGNAL)
		if err != unix.EINTR { // Go's runtime interrupts its threads
			return err
		}
	}
}

// noStore keeps nothing.
type noStore struct{}

func (noStore) Put(string, syscall.Conn) error { return nil }
func (noStore) Remove(string) error            { return nil }

// totals are Counts and the last session's number, in memory that outlives
// axond: a number is never given twice, so that a journal's AXON_SESSION is one
// session.
type totals struct {
	file *os.File
}

// totalsName is their name in the store.
const totalsName = "totals"

const totalsBytes = 24

func newTotals(store Store) (*totals, error) {
	f, err := memoryFile("axon-totals", make([]byte, totalsBytes))
	if err != nil {
		return nil, err
	}
	return &totals{f}, store.Put(totalsName, f)
}

// read returns zeros if there is nothing to be read.
func (t *totals) read() (number uint32, started, refused uint64) {
	var b [totalsBytes]byte
	if n, err := unix.Pread(int(t.file.Fd()), b[:], 0); err != nil || n != len(b) {
		return 0, 0, 0
	}
	le := binary.LittleEndian
	return uint32(le.Uint64(b[:])), le.Uint64(b[8:]), le.Uint64(b[16:])
}

func (t *totals) write(number uint32, started, refused uint64) {
	var b [totalsBytes]byte
	le := binary.LittleEndian
	le.PutUint64(b[:], uint64(number))
	le.PutUint64(b[8:], started)
	le.PutUint64(b[16:], refused)
	unix.Pwrite(int(t.file.Fd()), b[:], 0)
}

// memoryFile makes a file of memory.
func memoryFile(name string, b []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if _, err := f.WriteAt(b, 0); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}
