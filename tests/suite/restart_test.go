// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// service is axond as systemd runs it, with the test for systemd: it holds the
// socket and the descriptors that axond stores, and starts axond again.
type service struct {
	t        *testing.T
	in       installation
	socket   string
	listener *os.File
	notify   *net.UnixConn
	ready    chan struct{}

	mu    sync.Mutex
	store map[string]*os.File
	log   bytes.Buffer
	cmd   *exec.Cmd
	ended chan struct{}
}

func startService(t *testing.T, in installation) *service {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &service{t: t, in: in, socket: filepath.Join(dir, "sock"), ready: make(chan struct{}, 100), store: map[string]*os.File{}}
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: s.socket, Net: "unixpacket"})
	if err != nil {
		t.Fatal(err)
	}
	if s.listener, err = l.File(); err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if s.notify, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"}); err != nil {
		t.Fatal(err)
	}
	go s.hear()
	t.Cleanup(func() {
		s.end(syscall.SIGTERM)
		defer s.listener.Close()
		defer s.notify.Close()
		if t.Failed() {
			t.Logf("stored: %v", s.stored())
			t.Logf("axond said:\n%s", s.Log())
		}
	})
	s.start()
	return s
}

// hear is systemd's side of sd_notify.
func (s *service) hear() {
	b, oob := make([]byte, 4096), make([]byte, unix.CmsgSpace(4*16))
	for {
		n, oobn, _, _, err := s.notify.ReadMsgUnix(b, oob)
		if err != nil {
			return
		}
		message := map[string]string{}
		for _, line := range strings.Split(string(b[:n]), "\n") {
			name, value, _ := strings.Cut(line, "=")
			message[name] = value
		}
		var fds []int
		if cs, err := unix.ParseSocketControlMessage(oob[:oobn]); err == nil {
			for _, c := range cs {
				got, _ := unix.ParseUnixRights(&c)
				fds = append(fds, got...)
			}
		}
		s.mu.Lock()
		name := message["FDNAME"]
		switch {
		case message["FDSTORE"] == "1" && len(fds) == 1 && message["FDPOLL"] == "0":
			unix.CloseOnExec(fds[0])
			s.store[name] = os.NewFile(uintptr(fds[0]), name)
		case message["FDSTOREREMOVE"] == "1" && s.store[name] != nil:
			s.store[name].Close()
			delete(s.store, name)
		case message["READY"] == "1":
			s.ready <- struct{}{}
		}
		s.mu.Unlock()
	}
}

func (s *service) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

// Log is what every axond so far has printed.
func (s *service) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// stored are the names of what is in the store.
func (s *service) stored() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.store))
}

func (s *service) start() {
	s.t.Helper()
	s.mu.Lock()
	names, files := []string{"axond.socket"}, []*os.File{s.listener}
	for name, f := range s.store {
		names, files = append(names, name), append(files, f)
	}
	// LISTEN_PID is the number of the process that the shell becomes.
	s.cmd = exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$@"`, "sh", filepath.Join(buildDir(s.t), "bin", "axond"),
		"--vendor", filepath.Join(s.in.build, "softgpu"), "--worker", filepath.Join(s.in.build, "libexec", "axon-worker"), "--warm", "1")
	s.cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+s.notify.LocalAddr().String(), fmt.Sprintf("LISTEN_FDS=%d", len(files)), "LISTEN_FDNAMES="+strings.Join(names, ":"))
	s.cmd.ExtraFiles, s.cmd.Stderr = files, s
	err := s.cmd.Start()
	s.mu.Unlock()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd, ended := s.cmd, make(chan struct{})
	s.ended = ended
	go func() { cmd.Wait(); close(ended) }()
	select {
	case <-s.ready:
	case <-ended:
		s.t.Fatalf("axond ended at once:\n%s", s.Log())
	case <-time.After(60 * time.Second):
		s.t.Fatal("axond is not ready")
	}
}

// end ends axond, but not what it is to leave.
func (s *service) end(by syscall.Signal) {
	s.cmd.Process.Signal(by)
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.t.Error("axond does not end")
		s.cmd.Process.Kill()
		<-s.ended
	}
}

// lines counts the log's lines of a kind by the session that they are about.
func (s *service) lines(kind string) map[string]int {
	n := map[string]int{}
	for _, m := range regexp.MustCompile(`msg="`+kind+`".* session=(\d+).*`).FindAllStringSubmatch(s.Log(), -1) {
		n[m[1]]++
	}
	return n
}

// endsAgain counts those of the ends that say that they may have been told before.
func (s *service) endsAgain() map[string]int {
	n := map[string]int{}
	for _, m := range regexp.MustCompile(`msg="session ended".* session=(\d+).* again=true`).FindAllStringSubmatch(s.Log(), -1) {
		n[m[1]]++
	}
	return n
}

// A program that has a session goes on with it when axond is killed and started
// again, and its end is accounted for as if nothing had been.
func TestASessionOutlivesItsAxond(t *testing.T) {
	in := installation{build: buildDir(t)}
	s := startService(t, in)
	one, two, three := startClient(t, in, in.clientEnv(s.socket)), startClient(t, in, in.clientEnv(s.socket)), startClient(t, in, in.clientEnv(s.socket))
	for _, c := range []*client{one, two, three} {
		c.expect("open", "0")
		c.expect("call", "0")
	}
	s.end(syscall.SIGKILL)
	for _, c := range []*client{one, two, three} {
		c.expect("call", "0") // nobody needs axond
	}
	three.cmd.Process.Kill() // while nobody looks
	three.cmd.Wait()
	s.start()
	waitFor(t, "the one that ended meanwhile is ended", 20*time.Second, func() bool { return s.lines("session ended")["3"] == 1 })
	for _, c := range []*client{one, two} {
		c.expect("call", "0")
	}
	four := startClient(t, in, in.clientEnv(s.socket))
	four.expect("open", "0")
	waitFor(t, "the log has four starts", 20*time.Second, func() bool { return len(s.lines("session started")) == 4 })
	if got := s.lines("session taken back"); len(got) != 3 {
		t.Errorf("taken back were %v", got)
	}
	for _, c := range []*client{one, two, four} {
		fmt.Fprintln(c.in, "leave")
	}
	waitFor(t, "every session has ended", 20*time.Second, func() bool { return len(s.lines("session ended")) == 4 })
	for session, n := range s.lines("session ended") {
		if n != 1 {
			t.Errorf("session %s has ended %d times", session, n)
		}
	}
	if !regexp.MustCompile(`msg="session ended".*session=1 .*calls=([5-9]|\d\d)`).MatchString(s.Log()) {
		t.Error("the calls of before are forgotten")
	}
	waitFor(t, "the store is empty", 20*time.Second, func() bool { return slices.Equal(s.stored(), []string{"totals"}) })
}

// Whenever axond is killed, no session is lost, none is there twice, and no
// program that starts meanwhile notices.
func TestAnAxondThatIsKilledAtAnyMomentLosesNothing(t *testing.T) {
	in := installation{build: buildDir(t)}
	s := startService(t, in)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	stop := make(chan struct{})
	var opened atomic.Int64
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				cmd := in.command(ctx, append(in.clientEnv(s.socket), "AXON_DEBUG=1"), "linger")
				cmd.Stdin = strings.NewReader("open\ncall\nhold\ncall\n")
				out, err := cmd.CombinedOutput()
				cancel()
				if err != nil || strings.Count(string(out), " 0\n") < 4 {
					t.Errorf("a program failed: %v\n%s", err, out)
					return
				}
				opened.Add(1)
			}
		})
	}
	for range 20 {
		time.Sleep(time.Duration(random.IntN(200_000)) * time.Microsecond) // this is the moment, not a wait for one
		s.end(syscall.SIGKILL)
		s.start()
	}
	close(stop)
	wg.Wait()
	waitFor(t, "every session has ended", 30*time.Second, func() bool { return slices.Equal(s.stored(), []string{"totals"}) })
	started, ended := s.lines("session started"), s.lines("session ended")
	if int64(len(started)) != opened.Load() || len(ended) != len(started) {
		t.Errorf("%d programs had sessions; the log has %d starts and %d ends", opened.Load(), len(started), len(ended))
	}
	// A line that may be there twice says so.
	again := s.endsAgain()
	for session, n := range ended {
		if n-again[session] > 1 || started[session] == 0 {
			t.Errorf("session %s has started %d times and ended %d times, %d of them again", session, started[session], n, again[session])
		}
	}
	if strings.Contains(s.Log(), "the worker died") {
		t.Error("a worker did not outlive its axond")
	}
	t.Logf("%d sessions, of which %d were taken back", len(started), len(s.lines("session taken back")))
}
