// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/wire"
)

// The test binary is also the worker that axond starts and the programs that
// connect: one process each, over real sockets, as on a real machine.

var testFingerprint = [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

// self is a copy of the test binary that every user may run.
var self string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "--fingerprint":
			fmt.Printf("%d %x\n", wire.Version, testFingerprint)
			return
		case "--library":
			switch {
			case os.Args[2] == "nvml" && os.Args[3] == "--fingerprint":
				fmt.Printf("%d %x\n", wire.Version, nvml.Fingerprint)
				return
			case os.Args[2] == "nvml":
				fakeTelemetry()
			}
			fakeWorker()
			return
		case "client":
			fakeClient(os.Args[2], os.Args[3])
			return
		case "reader":
			fakeReader(os.Args[2])
			return
		case "nvml":
			fakeNVMLReader(os.Args[2])
			return
		case "sends":
			n, _ := strconv.Atoi(os.Args[4])
			sendFiles(os.Args[2], os.Args[3], n)
			return
		case "hostile":
			beHostile(os.Args[2])
			return
		case "activated":
			activatedServer()
			return
		}
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "axond-test")
	if err == nil {
		err = CloseInheritedOnExec()
	}
	if err == nil {
		defer os.RemoveAll(dir)
		err = os.Chmod(dir, 0o755)
	}
	exe, err2 := os.Executable()
	b, err3 := os.ReadFile(exe)
	self = filepath.Join(dir, "axon-worker")
	err4 := os.WriteFile(self, b, 0o755)
	for _, e := range []error{err, err2, err3, err4} {
		if e != nil {
			fmt.Fprintln(os.Stderr, e)
			return 1
		}
	}
	return m.Run()
}

// workerReport is what the fake worker leaves in the snapshot about itself.
type workerReport struct {
	PID    int
	UID    int
	GID    int
	Groups []int
	Args   []string
	Env    []string
	FDs    []string
	Dir    string
	PGID   int
}

func fakeWorker() {
	fds := openFDs()
	control := os.NewFile(4, "control")
	say := func(status uint32, text string) {
		b := make([]byte, 12)
		binary.LittleEndian.PutUint32(b, status)
		binary.LittleEndian.PutUint32(b[8:], uint32(len(text)))
		unix.Write(4, append(b, text...))
	}
	switch os.Getenv("SOFTGPU_FAKE") {
	case "crash":
		fmt.Fprintln(os.Stderr, "about to crash")
		unix.Kill(os.Getpid(), unix.SIGKILL)
		select {}
	case "refuse":
		say(4, "no GPU today\x1b[2J")
		select {}
	case "hang":
		unix.Read(4, make([]byte, 1))
		return
	case "garbage":
		unix.Write(4, []byte("garbage of some length, more than a header"))
		select {}
	case "loud":
		for range 5000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("noise\x1b", 2000))
		}
	}
	if slices.Contains(os.Args, "--warm") || slices.Contains(os.Args, "--warm-context") {
		say(0, "")
		fake := os.Getenv("SOFTGPU_FAKE")
		if !handedOver(control) || fake == "dies at hand-over" {
			return
		}
		if fake == "refuses at hand-over" {
			say(4, "not this one")
			select {}
		}
	}
	r, err := wire.Map(3)
	if err != nil {
		say(3, err.Error())
		return
	}
	groups, _ := os.Getgroups()
	dir, _ := os.Getwd()
	b, _ := json.Marshal(workerReport{os.Getpid(), os.Getuid(), os.Getgid(), groups, os.Args, os.Environ(), fds, dir, unix.Getpgrp()})
	if os.Getenv("SOFTGPU_FAKE") == "two devices" {
		b = make([]byte, wire.SnapshotBytes)
		b[8] = 2 // device_count
		for i := range b[8] {
			b[16+int(i)*(wire.SnapshotBytes-16)/32+256+15] = i + 1 // the last byte of its UUID
		}
	}
	copy(r.Snapshot(), append(b, 0))
	atomic.StoreUint32(r.State(), wire.StateReady)
	wire.FutexWake(r.State())
	say(0, "")
	control.Read(make([]byte, 1)) // the end of axond
}

// handedOver waits for a region and makes it fd 3. It is false at the end of axond.
func handedOver(control *os.File) bool {
	b, oob := make([]byte, 16), make([]byte, unix.CmsgSpace(2*4))
	n, oobn, _, _, err := unix.Recvmsg(int(control.Fd()), b, oob, unix.MSG_CMSG_CLOEXEC)
	if err != nil || n != 4 {
		return false
	}
	fds := received(oob[:oobn])
	return len(fds) == 2 && unix.Dup3(fds[0], 3, unix.O_CLOEXEC) == nil
}

// fakeClient opens a session, says so on stdout and stays until it is killed.
func fakeClient(socket, mode string) {
	fd, _, err := makeRegion(nil)
	var a wire.Answer
	var conn *net.UnixConn
	if err == nil {
		conn, err = dialPatiently(socket)
	}
	if err == nil {
		h := wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA}
		if mode == "two devices" {
			h.Env = []byte("SOFTGPU_FAKE=two devices\x00")
		}
		if err = wire.SendHello(conn, &h, fd); err == nil {
			a, err = wire.ReceiveAnswer(conn)
		}
	}
	out := clientReport{Answer: a}
	if err != nil {
		out.Err = err.Error()
	}
	if a.Status == wire.StatusOK && err == nil {
		r, _ := wire.Map(fd)
		b, _, _ := bytes.Cut(r.Snapshot(), []byte{0})
		json.Unmarshal(b, &out.Worker)
	}
	var child *exec.Cmd
	if mode == "fork" {
		// A child that keeps the socket, as fork without exec does.
		f, _ := conn.File()
		child = exec.Command("sleep", "60")
		child.ExtraFiles = []*os.File{f}
		child.Start()
		out.Child = child.Process.Pid
	}
	json.NewEncoder(os.Stdout).Encode(out)
	if mode == "see" {
		json.NewEncoder(os.Stdout).Encode(lookAround(socket))
	}
	if mode == "nvml" {
		os.Stdin.Read(make([]byte, 1)) // when it is told to
		json.NewEncoder(os.Stdout).Encode(readByNVML(socket))
	}
	os.Stdout.Close()
	os.Stdin.Read(make([]byte, 1))
	runtime.KeepAlive(conn)
}

type clientReport struct {
	Answer wire.Answer
	Err    string
	Worker workerReport
	Child  int
}

// startClient runs fakeClient as a user. It is killed when the test ends.
func startClient(t *testing.T, socket, mode string, cred *syscall.Credential) (*exec.Cmd, clientReport) {
	t.Helper()
	cmd := exec.Command(self, "client", socket, mode)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: cred}
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	var r clientReport
	must(t, json.NewDecoder(stdout).Decode(&r))
	return cmd, r
}

// makeRegion makes a sealed region of two lanes, changed by alter before it is sealed.
func makeRegion(alter func(h *wire.Header)) (int, wire.Header, error) {
	h := wire.Header{
		Magic: wire.Magic, Version: wire.Version, Fingerprint: testFingerprint, Lanes: 2,
		HeapSize: 0x10000, HeapBase: wire.HeapBase, DeviceBase: wire.DeviceBase, DeviceSize: wire.DeviceWide,
	}
	h.HeapOffset = h.LanesEnd()
	h.Size = h.HeapOffset + h.HeapSize
	size := h.Size
	if alter != nil {
		alter(&h)
	}
	fd, err := unix.MemfdCreate("axon-region", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return -1, h, err
	}
	b := make([]byte, 128)
	h.Put(b)
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return -1, h, err
	}
	if _, err := unix.Pwrite(fd, b, 0); err != nil {
		return -1, h, err
	}
	_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	return fd, h, err
}

// axond is a Server that serves a socket of its own until the test ends.
type axond struct {
	*Server
	socket string
	stop   func() error // stops it and waits
	log    *lockedBuffer
}

func startAxond(t *testing.T, change func(*Config)) *axond {
	t.Helper()
	p, err := NewPolicy("video", false)
	must(t, err)
	log := &lockedBuffer{}
	c := Config{
		Policy: p,
		Worker: &installed.WorkerProtocol{Path: self},
		Vendor: installed.Vendor{Dir: "/vendor"},
		Log:    newTestLog(log),
	}
	if change != nil {
		change(&c)
	}
	dir, err := os.MkdirTemp("", "axond")
	must(t, err)
	must(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { os.RemoveAll(dir) })
	a := &axond{Server: New(c), socket: filepath.Join(dir, "sock"), log: log}
	l, err := Listen(a.socket, p)
	must(t, err)
	a.stop = serveUntilStopped(t, a.Server, l)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("axond's log:\n" + log.String())
		}
	})
	return a
}

// dialPatiently connects as Go does, which does not wait while the socket's queue is full.
func dialPatiently(socket string) (*net.UnixConn, error) {
	for {
		c, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: socket, Net: "unixpacket"})
		if !errors.Is(err, unix.EAGAIN) {
			return c, err
		}
		time.Sleep(time.Millisecond)
	}
}

// dial connects to axond; the connection is closed when the test ends.
func (a *axond) dial(t *testing.T) *net.UnixConn {
	t.Helper()
	c, err := dialPatiently(a.socket)
	must(t, err)
	c.SetDeadline(time.Now().Add(20 * time.Second))
	t.Cleanup(func() { c.Close() })
	return c
}

// opened is a session that a test has.
type opened struct {
	conn   *net.UnixConn
	region *wire.Region
	answer wire.Answer
	worker workerReport
}

// open opens a session with an environment.
func (a *axond) open(t *testing.T, env ...string) *opened {
	t.Helper()
	fd, _, err := makeRegion(nil)
	must(t, err)
	r, err := wire.Map(fd)
	must(t, err)
	defer unix.Close(fd)
	t.Cleanup(func() { r.Unmap() })
	o := &opened{conn: a.dial(t), region: r}
	h := wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA}
	for _, e := range env {
		h.Env = append(h.Env, e+"\x00"...)
	}
	must(t, wire.SendHello(o.conn, &h, fd))
	o.answer, err = wire.ReceiveAnswer(o.conn)
	must(t, err)
	if o.answer.Status == wire.StatusOK {
		if b, _, _ := bytes.Cut(r.Snapshot(), []byte{0}); len(b) > 0 { // else it is a real snapshot's beginning
			must(t, json.Unmarshal(b, &o.worker))
		}
	}
	return o
}

// mustOpen opens a session that must succeed.
func (a *axond) mustOpen(t *testing.T, env ...string) *opened {
	t.Helper()
	o := a.open(t, env...)
	if o.answer.Status != wire.StatusOK {
		t.Fatalf("no session: status %d, %q", o.answer.Status, o.answer.Text)
	}
	return o
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until a condition holds. The limit is only for a test that fails.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it never came: %s", what)
}

// running says whether a process exists and is no zombie.
func running(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

// exists says whether a process exists, be it as a zombie.
func exists(pid int) bool { return unix.Kill(pid, 0) == nil }

// openFDs lists this process's descriptors, without the one that lists.
func openFDs() []string {
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	names = slices.DeleteFunc(names, func(n string) bool {
		to, err := os.Readlink("/proc/self/fd/" + n)
		// Go's runtime has descriptors of its own, for its poller and its cgroup.
		return err != nil || n == strconv.Itoa(int(d.Fd())) || strings.Contains(to, "eventpoll") || strings.Contains(to, "eventfd") ||
			strings.HasPrefix(to, "/sys/fs/cgroup/") || strings.HasPrefix(to, "/proc/")
	})
	slices.Sort(names)
	return names
}

// counts are the descriptors and goroutines of this process.
func counts() (fds, goroutines int) { return len(openFDs()), runtime.NumGoroutine() }

// nothingLeaks runs something and waits until descriptors and goroutines are
// as many as before.
func nothingLeaks(t *testing.T, f func()) {
	t.Helper()
	fds, goroutines := counts()
	f()
	var nowFDs, nowGoroutines int
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		nowFDs, nowGoroutines = counts()
		if nowFDs <= fds && nowGoroutines <= goroutines {
			return
		}
		if time.Now().After(end) {
			buf := make([]byte, 1<<16)
			t.Fatalf("left behind: %d descriptors, %d goroutines\n%s", nowFDs-fds, nowGoroutines-goroutines, buf[:runtime.Stack(buf, true)])
		}
	}
}

func rootOnly(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("this needs root, to be other users")
	}
}
