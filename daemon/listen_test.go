// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

var testPolicy = Policy{Group: "video", AxondUID: uint32(os.Geteuid()), AxondRoot: os.Geteuid() == 0}

func TestASocketThatADeadAxondLeftIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run", "sock")
	must(t, os.Mkdir(filepath.Dir(path), 0o755))
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	must(t, err)
	l.SetUnlinkOnClose(false)
	l.Close()
	mine, err := Listen(path, testPolicy)
	must(t, err)
	defer mine.Close()
	st, err := os.Stat(path)
	must(t, err)
	if st.Mode().Perm() != 0o600 {
		t.Errorf("without a group the socket's mode is %o", st.Mode().Perm())
	}
}

func TestTheSocketIsOpenToTheGroup(t *testing.T) {
	rootOnly(t)
	path := filepath.Join(t.TempDir(), "sock")
	p := testPolicy
	p.HasGroup, p.GID = true, 4321
	l, err := Listen(path, p)
	must(t, err)
	defer l.Close()
	var st unix.Stat_t
	must(t, unix.Stat(path, &st))
	if st.Mode&0o777 != 0o660 || st.Gid != 4321 || st.Uid != 0 {
		t.Errorf("the socket is %d:%d with mode %o", st.Uid, st.Gid, st.Mode&0o777)
	}
}

// A program that waits for the socket's file connects at once.
func TestTheSocketIsOpenToTheGroupFromTheFirst(t *testing.T) {
	runtime.LockOSThread() // the group for files is a thread's
	defer runtime.UnlockOSThread()
	rootOnly(t)
	p := testPolicy
	p.HasGroup, p.GID = true, 4321
	for i := range 200 {
		path := filepath.Join(t.TempDir(), "sock")
		seen := make(chan unix.Stat_t)
		waits := make(chan struct{})
		go func() {
			var st unix.Stat_t
			close(waits)
			for unix.Stat(path, &st) != nil {
			}
			seen <- st
		}()
		<-waits
		l, err := Listen(path, p)
		must(t, err)
		st := <-seen
		l.Close()
		if st.Mode&0o777 != 0o660 || st.Gid != 4321 {
			t.Fatalf("at the %dth start the socket was of group %d with mode %o at first", i+1, st.Gid, st.Mode&0o777)
		}
	}
	if gid, err := unix.SetfsgidRetGid(-1); err != nil || gid != os.Getegid() {
		t.Errorf("files are made with group %d afterwards (%v)", gid, err)
	}
}

func TestALiveSocketIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	first, err := Listen(filepath.Join(dir, "axond"), testPolicy)
	must(t, err)
	defer first.Close()

	foreign := filepath.Join(dir, "foreign")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: foreign, Net: "unixpacket"})
	must(t, err)
	defer l.Close()

	stream := filepath.Join(dir, "stream")
	l2, err := net.Listen("unix", stream)
	must(t, err)
	defer l2.Close()

	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, []byte("precious"), 0o600))

	for path, want := range map[string]string{
		filepath.Join(dir, "axond"): "another axond serves",
		foreign:                     fmt.Sprintf("(pid %d)", os.Getpid()),
		stream:                      "another program's socket",
		file:                        "is no socket",
	} {
		l, err := Listen(path, testPolicy)
		if err == nil {
			l.Close()
			t.Errorf("%s was taken", path)
		} else if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--socket") {
			t.Errorf("%s: the error is %q", path, err)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s was removed: %v", path, err)
		}
	}
}

// activatedServer is axond as systemd starts it.
func activatedServer() {
	os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid()))
	l, _, err := Activated()
	if err != nil || l == nil {
		fmt.Println("not activated:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s := New(Config{Policy: testPolicy, Worker: &installed.WorkerProtocol{Path: os.Args[2]}})
	if err := s.Serve(ctx, l); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func TestSystemdsSocketIsUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	must(t, err)
	l.SetUnlinkOnClose(false)
	f, err := l.File()
	must(t, err)
	cmd := exec.Command(self, "activated", self)
	cmd.Env = append(os.Environ(), "LISTEN_FDS=1")
	cmd.ExtraFiles = []*os.File{f}
	out := &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	// A program may come before axond does: it waits in the socket's queue.
	c, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: path, Net: "unixpacket"})
	must(t, err)
	defer c.Close()
	must(t, cmd.Start())
	l.Close()
	f.Close()
	fd, _, err := makeRegion(nil)
	must(t, err)
	defer unix.Close(fd)
	must(t, wire.SendHello(c, &wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: wire.LibraryCUDA}, fd))
	a, err := wire.ReceiveAnswer(c)
	if err != nil || a.Status != wire.StatusOK {
		t.Errorf("no session: %+v, %v, %s", a, err, out)
	}
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, %s", err, out)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("systemd's socket was removed: %v", err)
	}
}

func TestASocketOfAnotherKindFromSystemdIsRefusedByName(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "sock"))
	must(t, err)
	defer l.Close()
	f, err := l.(*net.UnixListener).File()
	must(t, err)
	defer f.Close()
	cmd := exec.Command(self, "activated", self)
	cmd.Env = append(os.Environ(), "LISTEN_FDS=1")
	cmd.ExtraFiles = []*os.File{f}
	out, err := cmd.Output()
	if err == nil || !strings.Contains(string(out), "ListenSequentialPacket=") {
		t.Errorf("axond said %q, %v", out, err)
	}
}
