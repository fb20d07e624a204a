// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// aUser is a user whom nobody is.
const aUser = 12345

// A vendor's library that tries to get out (tests/escape). Every attempt is made
// twice: from a worker that is not confined, which has to succeed, so that it is
// the confinement that refuses it the second time. What fails both times proves
// nothing here and is said.
func TestNobodyGetsOutOfAWorker(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: workers get users and namespaces of their own from root's axond alone, and an axond of another user cannot be started")
	}
	if _, err := user.LookupGroup("video"); err != nil {
		t.Skip("there is no group video on this machine")
	}
	for _, s := range []struct {
		name                  string
		axond, client, victim uint32
		without               string            // a part of the confinement that is missing
		least                 int               // attempts that a worker without confinement makes with success
		keeps                 map[string]string // attempts that a confined one may make too, and why
	}{
		{"root's worker from root's", 0, 0, 0, "", 60, nil},
		{"a user's worker from root's", 0, 0, aUser, "", 60, nil},
		{"a user's worker from the same user's", 0, aUser, aUser, "", 30, nil},
		{"a kernel before 6.12, without Landlock's scopes", 0, aUser, aUser, "scope", 30, nil},
		{"a user's axond", aUser, aUser, aUser, "", 30, map[string]string{
			"reads-the-machines-dev-shm":          "without root there is no other /dev/shm, and the vendor's library keeps its IPC there",
			"starts-more-threads-than-a-user-has": "without an identity of its own it shares its user's limit",
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, s.client)
			free := w.escape(t, s.axond, s.client, s.victim, "off", "")
			caged := w.escape(t, s.axond, s.client, s.victim, "on", s.without)
			proven := 0
			for _, name := range free.order {
				with, without := caged.got[name], free.got[name]
				switch why, kept := s.keeps[name]; {
				case with == "":
					t.Errorf("%s: not tried by a confined worker", name)
				case without != "got in":
					t.Logf("%s: cannot be shown here, without confinement it says %q as well", name, without)
					if with == "got in" {
						t.Errorf("%s: a confined worker got in", name)
					}
				case kept:
					t.Logf("%s: left open: %s", name, why)
				case with == "got in":
					t.Errorf("%s: a confined worker got in", name)
				default:
					proven++
				}
			}
			if proven < s.least {
				t.Errorf("only %d attempts are shown to be refused by the confinement, at least %d should be", proven, s.least)
			}
			for fd, to := range caged.open {
				if n, err := strconv.Atoi(fd); err == nil && n > 4 && !regexp.MustCompile(`^/proc/\d+(/task)?$`).MatchString(to) {
					t.Errorf("a confined worker has descriptor %s open: %s", fd, to)
				}
			}
			t.Logf("%d of %d attempts are refused by the confinement alone", proven, len(free.order))
		})
	}
}

// world is what a worker would like to get at.
type world struct {
	folder string
	port   int
}

func newWorld(t *testing.T, client uint32) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-escape-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w := &world{folder: dir}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Chmod(dir, 0o777))
	for _, d := range []string{"home", "vendor", "mountpoint"} {
		check(os.Mkdir(filepath.Join(dir, d), 0o777))
		check(os.Chmod(filepath.Join(dir, d), 0o777))
	}
	library, err := os.ReadFile(filepath.Join(buildDir(t), "escape", "libcuda.so.1"))
	if err != nil {
		t.Fatalf("%v: run make first", err)
	}
	shm := filepath.Join("/dev/shm", filepath.Base(dir))
	t.Cleanup(func() { os.Remove(shm) })
	for path, b := range map[string][]byte{
		filepath.Join(dir, "vendor", "libcuda.so.1"): library, filepath.Join(dir, "home", "secret"): []byte("secret"),
		filepath.Join(dir, "readable"): []byte("r"), filepath.Join(dir, "writable"): []byte("w"), shm: []byte("shared"),
	} {
		check(os.WriteFile(path, b, 0o666))
		check(os.Chmod(path, 0o666))
	}
	for _, private := range []string{"home/secret", "home"} {
		check(os.Chown(filepath.Join(dir, private), int(client), int(client)))
	}
	check(os.Chmod(filepath.Join(dir, "home", "secret"), 0o600))

	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	w.port = tcp.Addr().(*net.TCPAddr).Port
	abstract, err := net.Listen("unix", "@"+filepath.Base(dir))
	check(err)
	path, err := net.Listen("unix", filepath.Join(dir, "socket"))
	check(err)
	datagrams, err := net.ListenPacket("unixgram", filepath.Join(dir, "datagrams"))
	check(err)
	for _, s := range []string{"socket", "datagrams"} {
		check(os.Chmod(filepath.Join(dir, s), 0o777))
	}
	t.Cleanup(func() {
		for _, c := range []interface{ Close() error }{tcp, abstract, path, datagrams} {
			c.Close()
		}
	})
	return w
}

// attempts are how they went.
type attempts struct {
	order []string
	got   map[string]string
	open  map[string]string // descriptors
}

var attemptLine = regexp.MustCompile(`"worker: (escape|open) (\S+) ?([^"\n]*)"`)

// escape has a client's worker try everything on a victim's, which stays out of it.
func (w *world) escape(t *testing.T, asUser, client, victim uint32, confine, without string) attempts {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.folder, "removable"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	in := installation{build: buildDir(t), user: asUser, env: []string{"AXON_CONFINE_WITHOUT=" + without}, args: []string{"--vendor", filepath.Join(w.folder, "vendor"), "--confine", confine}}
	a := startAxond(t, in)
	started := regexp.MustCompile(`"session started" .*worker=(\d+)`)
	linger := func(uid uint32, env ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(in.build, "tests", "linger"))
		cmd.Dir = "/"
		cmd.Env = append(append(in.clientEnv(a.socket), "HOME=/nonexistent"), env...)
		if uid != 0 {
			group, _ := user.LookupGroup("video")
			gid, _ := strconv.Atoi(group.Gid)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid, Groups: []uint32{uint32(gid)}}}
		}
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			if os.IsPermission(err) {
				t.Skipf("other users cannot read the build folder: %v", err)
			}
			t.Fatal(err)
		}
		t.Cleanup(func() { stdin.Close(); cmd.Process.Kill(); cmd.Wait() })
		fmt.Fprintln(stdin, "open")
		return cmd
	}
	linger(victim)
	waitFor(t, "the victim has its session", 60*time.Second, func() bool { return started.MatchString(a.Log()) })
	pid := started.FindStringSubmatch(a.Log())[1]
	linger(client, fmt.Sprintf("CUDA_ESCAPE=%s %s %d", w.folder, pid, w.port))
	waitFor(t, "everything was tried", 120*time.Second, func() bool { return strings.Contains(a.Log(), "worker: escape exec") })

	r := attempts{got: map[string]string{}, open: map[string]string{}}
	for _, m := range attemptLine.FindAllStringSubmatch(a.Log(), -1) {
		switch {
		case m[1] == "open":
			r.open[m[2]] = m[3]
		case m[2] != "done":
			r.order = append(r.order, m[2])
			r.got[m[2]] = m[3]
		}
	}
	if _, err := os.Stat("/proc/" + pid); err != nil && confine != "off" {
		t.Errorf("the victim's worker is gone: %v", err)
	}
	return r
}
