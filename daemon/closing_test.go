// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/wire"
)

// hangingFile makes a file system (FUSE) with one file, whose closing waits until
// the file system ends, and gives the file's path.
func hangingFile(t *testing.T) string {
	t.Helper()
	rootOnly(t)
	dir, err := os.MkdirTemp("", "axond-fuse")
	must(t, err)
	t.Cleanup(func() { os.Remove(dir) })
	must(t, os.Chmod(dir, 0o755))
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err == nil {
		err = unix.Mount("axon-test", dir, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd))
	}
	if err != nil {
		t.Skipf("there is no FUSE here: %v", err)
	}
	done := make(chan struct{})
	t.Cleanup(func() {
		must(t, unix.Unmount(dir, unix.MNT_FORCE|unix.MNT_DETACH)) // has whoever waits go on
		<-done
		unix.Close(fd)
	})
	go func() {
		defer close(done)
		serveHangingFile(fd)
	}()
	return filepath.Join(dir, "file")
}

// serveHangingFile answers the kernel (fuse(4)) until the file system ends.
func serveHangingFile(fd int) {
	le := binary.LittleEndian
	attributes := func(inode uint64, mode uint32) []byte {
		b := make([]byte, 88)
		le.PutUint64(b, inode)
		le.PutUint32(b[60:], mode)
		le.PutUint32(b[64:], 1)
		return b
	}
	b := make([]byte, 1<<20)
	for {
		n, err := unix.Read(fd, b)
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil || n < 40 {
			return
		}
		var out []byte
		status := int32(0)
		switch op := le.Uint32(b[4:]); op {
		case 26: // INIT: version 7.31
			out = make([]byte, 64)
			le.PutUint32(out, 7)
			le.PutUint32(out[4:], 31)
			le.PutUint32(out[8:], 65536)
			le.PutUint32(out[20:], 65536)
		case 1: // LOOKUP
			out = append(make([]byte, 40), attributes(2, unix.S_IFREG|0o666)...)
			le.PutUint64(out, 2)
		case 3: // GETATTR
			mode := uint32(unix.S_IFDIR | 0o777)
			if le.Uint64(b[16:]) == 2 {
				mode = unix.S_IFREG | 0o666
			}
			out = append(make([]byte, 16), attributes(le.Uint64(b[16:]), mode)...)
		case 14: // OPEN
			out = make([]byte, 16)
		case 25: // FLUSH, which close(2) waits for
			continue
		case 2, 36, 42: // FORGET, INTERRUPT, BATCH_FORGET have no answers
			continue
		case 18: // RELEASE
		default:
			status = -int32(unix.ENOSYS)
		}
		head := le.AppendUint32(le.AppendUint32(nil, uint32(16+len(out))), uint32(status))
		unix.Write(fd, append(append(head, b[8:16]...), out...))
	}
}

// threads are this process's.
func threads() int { return pprof.Lookup("threadcreate").Count() }

// sendFiles says hello with a file n times, and how often that was not answered.
func sendFiles(socket, file string, n int) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	hellos := [][]byte{
		goodHello(""), []byte("nonsense"),
		(&wire.Hello{Version: wire.Version, Fingerprint: nvml.Fingerprint, Library: wire.LibraryNVML}).Append(nil),
		(&wire.Hello{Version: wire.Version, Library: wire.LibraryView}).Append(nil),
	}
	refused := 0
	for i := range n {
		c, err := dialPatiently(socket)
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _, err = c.WriteMsgUnix(hellos[i%len(hellos)], unix.UnixRights(int(f.Fd())), nil)
		var answer wire.Answer
		if err == nil {
			answer, err = wire.ReceiveAnswer(c)
		}
		switch {
		case err != nil:
			refused++
		case answer.Status == wire.StatusOK:
			fmt.Printf("hello %d was admitted with such a file\n", i)
			return
		}
		c.Close()
	}
	fmt.Println(refused)
	os.Stdin.Read(make([]byte, 1)) // its own close never ends
}

// startSending has another user send files whose closing hangs: this process could start no other itself if it had one.
func (a *axond) startSending(t *testing.T, file string, n int) (line func() string) {
	t.Helper()
	if !a.Policy.HasGroup {
		t.Skip("there is no group video, so nobody else may connect")
	}
	cmd := exec.Command(self, "sends", a.socket, file, strconv.Itoa(n))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{a.Policy.GID}}, Pdeathsig: unix.SIGKILL}
	cmd.Stderr = os.Stderr
	stdin := must2(cmd.StdinPipe())
	stdout := must2(cmd.StdoutPipe())
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		stdin.Close()
		go cmd.Wait() // it has the file, so its end waits for the file system's
	})
	return func() string {
		text, _ := bufio.NewReader(stdout).ReadString('\n')
		return strings.TrimSpace(text)
	}
}

func TestFilesThatCannotBeClosedHoldUpTheirUserAlone(t *testing.T) {
	file := hangingFile(t)
	a := startAxond(t, nil)
	other := a.nvml(t)
	good[uint32](t)(other.DeviceGetCount_v2())
	before := threads()
	const many = 4 * closingsMax
	line := a.startSending(t, file, many)()
	refused, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("who sends them says %q", line)
	}
	share := shareOf(shares{max: closingsMax, root: closingsRoot}, 12345)
	if refused == 0 || refused > many-share {
		t.Errorf("of %d connections %d were refused", many, refused)
	}
	if now := threads(); now-before > share+100 {
		t.Errorf("there are %d threads more", now-before)
	}
	if !a.closings.full(12345) || a.closings.full(0) {
		t.Error("not who has sent them is refused")
	}
	a.mustOpen(t)
	good[uint32](t)(a.nvml(t).DeviceGetCount_v2())
	must(t, a.stop()) // axond waits for none of them
	if !strings.Contains(a.log.String(), "cannot be closed") {
		t.Error("the log does not say why")
	}
}

// A process that is started while there is such a file would never get to its exec.
func TestProcessesAreStartedWhileSuchFilesCome(t *testing.T) {
	file := hangingFile(t)
	a := startAxond(t, nil)
	line := a.startSending(t, file, 200)
	for range 30 {
		a.mustOpen(t).conn.Close()
	}
	if refused, err := strconv.Atoi(line()); err != nil || refused > 0 {
		t.Errorf("%d hellos were not answered, %v", refused, err)
	}
}

func TestMemoryIsClosedAtOnceAndTheRestInItsTime(t *testing.T) {
	c := closings{shares: shares{max: 4}}
	must2(placeholder()) // else it may have a number that becomes free here
	memory, _, err := makeRegion(nil)
	must(t, err)
	var pipe [2]int
	must(t, unix.Pipe2(pipe[:], unix.O_CLOEXEC))
	defer unix.Close(pipe[0])
	withoutForks(func() { c.close(7, []int{memory, pipe[1]}) })
	for _, fd := range []int{memory, pipe[1]} {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != unix.EBADF {
			t.Errorf("descriptor %d is still there: %v", fd, err)
		}
	}
	if n, err := unix.Read(pipe[0], make([]byte, 1)); n != 0 || err != nil {
		t.Errorf("a pipe's end is not closed: %d, %v", n, err)
	}
	eventually(t, "nothing to be closing", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.shares.all == 0
	})
}

// slowToClose is a descriptor whose closing waits (SO_LINGER, socket(7)) until
// the peer, which reads nothing, is gone; end has it go.
func slowToClose(t *testing.T) (fd int, end func()) {
	t.Helper()
	l := must2(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	fd = must2(unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0))
	must(t, unix.Connect(fd, &unix.SockaddrInet4{Port: l.Addr().(*net.TCPAddr).Port, Addr: [4]byte{127, 0, 0, 1}}))
	peer := must2(l.Accept())
	for err := error(nil); err != unix.EAGAIN; {
		_, err = unix.SendmsgN(fd, make([]byte, 1<<16), nil, nil, unix.MSG_DONTWAIT)
		if err != nil && err != unix.EAGAIN {
			t.Fatal(err)
		}
	}
	must(t, unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1, Linger: 600}))
	return fd, func() { peer.Close() }
}

// Without FUSE too: the number is free at once, and the user has a place less until it is closed.
func TestAClosingThatWaitsIsItsUsersPlace(t *testing.T) {
	c := closings{shares: shares{max: 2}}
	must2(placeholder())
	fd, end := slowToClose(t)
	defer end()
	withoutForks(func() { c.close(7, []int{fd}) })
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != unix.EBADF {
		t.Errorf("descriptor %d is still there: %v", fd, err)
	}
	if !c.full(7) || c.full(8) {
		t.Errorf("who has sent it may send more: %v, and another: %v", !c.full(7), !c.full(8))
	}
	end()
	eventually(t, "it is closed", func() bool { return !c.full(7) })
}
