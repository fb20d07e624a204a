// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// attack is a first message that must not lead to a session.
type attack struct {
	name   string
	hello  []byte
	fds    func(t *testing.T) []int // closed after sending
	status uint32
	says   string
}

func goodHello(env string) []byte {
	h := wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA, Env: []byte(env)}
	return h.Append(nil)
}

func changed(b []byte, at int, to byte) []byte {
	b[at] = to
	return b
}

// region makes a region's descriptor, its header changed by alter.
func region(alter func(h *wire.Header)) func(t *testing.T) []int {
	return func(t *testing.T) []int {
		fd, _, err := makeRegion(alter)
		must(t, err)
		return []int{fd}
	}
}

// memfd makes a memfd of a size with flags and seals.
func memfd(size int64, flags, seals int) func(t *testing.T) []int {
	return func(t *testing.T) []int {
		fd, err := unix.MemfdCreate("x", unix.MFD_CLOEXEC|flags)
		must(t, err)
		must(t, unix.Ftruncate(fd, size))
		if seals != 0 {
			_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
			must(t, err)
		}
		return []int{fd}
	}
}

func attacks() []attack {
	const sealed = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW
	good := region(nil)
	random := make([]byte, 3000)
	rand.NewChaCha8([32]byte{}).Read(random)
	return []attack{
		{"half a hello", goodHello("")[:17], good, wire.StatusMismatch, "17 bytes"},
		{"another magic", changed(goodHello(""), 0, 0), good, wire.StatusMismatch, "not axon's"},
		{"another version", changed(goodHello(""), 4, 77), good, wire.StatusMismatch, "protocol 77"},
		{"another fingerprint", changed(goodHello(""), 8, 0xff), good, wire.StatusMismatch, "restart the program, or update axon on both sides"},
		{"another library", changed(goodHello(""), 24, 99), good, wire.StatusNoWorker, "library 99"},
		{"more environment than announced", append(goodHello("A=b\x00"), "C=d\x00"...), good, wire.StatusMismatch, "announces 4 bytes"},
		{"less environment than announced", changed(goodHello("A=b\x00"), 31, 0x80), good, wire.StatusMismatch, "announces"},
		{"an environment without an end", goodHello("A=b"), good, wire.StatusMismatch, "does not end with NUL"},
		{"a variable without a name", goodHello("=b\x00"), good, wire.StatusMismatch, "without a name"},
		{"an empty variable", goodHello("\x00\x00"), good, wire.StatusMismatch, "without a name"},
		{"random bytes", random, good, wire.StatusMismatch, "not axon's"},
		{"a hello that is too long", append(goodHello(""), make([]byte, wire.HelloMax)...), good, wire.StatusMismatch, "longer than"},
		{"no descriptor", goodHello(""), func(*testing.T) []int { return nil }, wire.StatusBadRegion, "one was expected"},
		{"two descriptors", goodHello(""), func(t *testing.T) []int { return append(good(t), good(t)...) }, wire.StatusBadRegion, "one was expected"},
		{"two hundred descriptors", goodHello(""), func(t *testing.T) []int {
			var all []int
			for range 200 {
				fd, err := unix.Dup(0)
				must(t, err)
				all = append(all, fd)
			}
			return all
		}, wire.StatusBadRegion, "one was expected"},
		{"a pipe", goodHello(""), func(t *testing.T) []int {
			p := make([]int, 2)
			must(t, unix.Pipe2(p, unix.O_CLOEXEC))
			unix.Close(p[1])
			return p[:1]
		}, wire.StatusBadRegion, "not a memfd"},
		{"a file", goodHello(""), func(t *testing.T) []int {
			fd, err := unix.Open(filepath.Join(t.TempDir(), "file"), unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC, 0o600)
			must(t, err)
			return []int{fd}
		}, wire.StatusBadRegion, "not"},
		{"a device", goodHello(""), func(t *testing.T) []int {
			fd, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
			must(t, err)
			return []int{fd}
		}, wire.StatusBadRegion, "not a memfd"},
		{"its own socket's folder", goodHello(""), func(t *testing.T) []int {
			fd, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
			must(t, err)
			return []int{fd}
		}, wire.StatusBadRegion, "not a memfd"},
		{"an empty memfd", goodHello(""), memfd(0, unix.MFD_ALLOW_SEALING, sealed), wire.StatusBadRegion, "only 0 bytes"},
		{"a memfd of zeros", goodHello(""), memfd(1<<30, unix.MFD_ALLOW_SEALING, sealed), wire.StatusBadRegion, "magic"},
		{"a memfd that may shrink", goodHello(""), memfd(1<<30, unix.MFD_ALLOW_SEALING, unix.F_SEAL_GROW), wire.StatusBadRegion, "not sealed"},
		{"a memfd that may grow", goodHello(""), memfd(1<<30, unix.MFD_ALLOW_SEALING, unix.F_SEAL_SHRINK), wire.StatusBadRegion, "not sealed"},
		{"a memfd without seals", goodHello(""), memfd(1<<30, 0, 0), wire.StatusBadRegion, "not sealed"},
		{"a memfd that nobody can write", goodHello(""), memfd(1<<30, unix.MFD_ALLOW_SEALING, sealed|unix.F_SEAL_WRITE), wire.StatusBadRegion, "against writing"},
		{"a memfd of huge pages", goodHello(""), memfd(0, unix.MFD_ALLOW_SEALING|unix.MFD_HUGETLB, sealed), wire.StatusBadRegion, "ordinary pages"},
		{"a descriptor to read only", goodHello(""), func(t *testing.T) []int {
			fd := good(t)[0]
			defer unix.Close(fd)
			ro, err := unix.Open("/proc/self/fd/"+itoa(fd), unix.O_RDONLY|unix.O_CLOEXEC, 0)
			must(t, err)
			return []int{ro}
		}, wire.StatusBadRegion, "reading and writing"},
		{"a region that says it is larger", goodHello(""), region(func(h *wire.Header) { h.Size *= 2 }), wire.StatusBadRegion, "its file has"},
		{"a region without lanes", goodHello(""), region(func(h *wire.Header) { h.Lanes = 0 }), wire.StatusBadRegion, "0 lanes"},
		{"a region with lanes beyond its file", goodHello(""), region(func(h *wire.Header) { h.Lanes = 1000 }), wire.StatusBadRegion, "heap"},
		{"a heap whose size overflows", goodHello(""), region(func(h *wire.Header) { h.HeapSize = ^uint64(0xffff) }), wire.StatusBadRegion, "heap"},
		{"a heap in the kernel's half", goodHello(""), region(func(h *wire.Header) { h.HeapBase = 1 << 63 }), wire.StatusBadRegion, "heap"},
		{"a region of another build", goodHello(""), region(func(h *wire.Header) { h.Fingerprint[3] ^= 1 }), wire.StatusMismatch, "different builds"},
	}
}

// TestAHostileHelloIsAnsweredAndLeavesNothing sends each attack many times.
func TestAHostileHelloIsAnsweredAndLeavesNothing(t *testing.T) {
	a := startAxond(t, nil)
	bystander := a.mustOpen(t)
	for _, x := range attacks() {
		t.Run(x.name, func(t *testing.T) {
			nothingLeaks(t, func() {
				for range 4 {
					c := a.dial(t)
					fds := x.fds(t)
					var oob []byte
					if len(fds) > 0 {
						oob = unix.UnixRights(fds...)
					}
					_, _, err := c.WriteMsgUnix(x.hello, oob, nil)
					for _, fd := range fds {
						unix.Close(fd)
					}
					must(t, err)
					r, err := wire.ReceiveAnswer(c)
					must(t, err)
					if r.Status != x.status || r.Version != wire.Version || r.Session != 0 || !strings.Contains(r.Text, x.says) {
						t.Errorf("the answer is %+v, status %d and %q were expected", r, x.status, x.says)
					}
					// After its answer nothing is left of it.
					if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil {
						t.Errorf("the connection still gives %d bytes, %v", n, err)
					}
					c.Close()
				}
			})
		})
	}
	if n := a.Counts(); n.Started != 1 || n.Sessions != 1 {
		t.Errorf("the attacks started sessions: %+v", n)
	}
	if !running(bystander.worker.PID) {
		t.Error("a bystander's worker is gone")
	}
}

func TestAnEmptyMessageIsNoHello(t *testing.T) {
	a := startAxond(t, nil)
	nothingLeaks(t, func() {
		c := a.dial(t)
		raw, err := c.SyscallConn()
		must(t, err)
		raw.Write(func(fd uintptr) bool { unix.Sendto(int(fd), nil, 0, nil); return true })
		if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("it was answered with %d bytes, %v", n, err)
		}
		c.Close()
	})
}

func TestARegionWhoseMemoryIsTakenAwayEndsNothingElse(t *testing.T) {
	a := startAxond(t, nil)
	o := a.mustOpen(t)
	// Sealed against shrinking, but holes can be punched at any time.
	fd, h, err := makeRegion(nil)
	must(t, err)
	defer unix.Close(fd)
	f := os.NewFile(uintptr(must2(unix.Dup(fd))), "region")
	defer f.Close()
	must(t, unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, int64(h.Size)))
	if err := endRegion(f); err == nil {
		t.Error("a region of zeros was marked")
	}
	o.conn.Close()
}
