// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/daemon"
)

// The test binary is also axond: signals and exit statuses need a process.
func TestMain(m *testing.M) {
	if os.Getenv("AXOND_TEST_AS_AXOND") != "" {
		os.Unsetenv("AXOND_TEST_AS_AXOND")
		os.Exit(run())
	}
	os.Exit(m.Run())
}

// axond prepares a run of axond in a folder with a worker that says which
// protocol it speaks, and a vendor's folder.
func axond(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "AXOND_TEST_AS_AXOND=1",
		"AXON_WORKER="+filepath.Join(dir, "worker"), "AXON_VENDOR="+filepath.Join(dir, "vendor"))
	return cmd
}

func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "axond") // t.TempDir is too long for a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Mkdir(filepath.Join(dir, "vendor"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "vendor", "libcuda.so.1"), []byte("the vendor's"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "worker"), []byte("#!/bin/sh\necho 1 000102030405060708090a0b0c0d0e0f\n"), 0o755))
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// systemd is the far end of NOTIFY_SOCKET.
type systemd struct {
	t      *testing.T
	conn   *net.UnixConn
	status string // the newest
}

func listenAsSystemd(t *testing.T, dir string) *systemd {
	t.Helper()
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"})
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	return &systemd{t: t, conn: conn}
}

// hear waits for a message that begins as it should. Those that may come at any
// time are left out, unless they are what is waited for; the newest status is
// known also where it came before another message.
func (s *systemd) hear(want string) string {
	s.t.Helper()
	if strings.HasPrefix(s.status, want) {
		return s.status
	}
	s.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	for {
		b := make([]byte, 4096)
		n, err := s.conn.Read(b)
		got := string(b[:n])
		if strings.HasPrefix(got, "STATUS=") {
			s.status = got
		}
		switch {
		case err == nil && strings.HasPrefix(got, want):
			return got
		case err == nil && (strings.HasPrefix(got, "STATUS=") || strings.HasPrefix(got, "WATCHDOG=") || strings.HasPrefix(got, "FDSTORE=")):
		default:
			s.t.Fatalf("systemd heard %q, %v; not %q", got, err, want)
		}
	}
}

func TestSystemdHearsHowAxondIs(t *testing.T) {
	dir := folder(t)
	sd := listenAsSystemd(t, dir)
	socket, settings := filepath.Join(dir, "sock"), filepath.Join(dir, "axond.toml")
	must(t, os.WriteFile(settings, []byte("max-sessions = 3\n"), 0o644))
	cmd := axond(t, dir, "--socket", socket, "--settings", settings)
	cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+filepath.Join(dir, "notify"), "WATCHDOG_USEC=300000")
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	must(t, cmd.Start())
	defer cmd.Process.Kill()
	sd.hear("READY=1")
	sd.hear("STATUS=0 of at most 3 sessions")
	c, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: socket, Net: "unixpacket"})
	must(t, err)
	c.Close()
	sd.hear("WATCHDOG=1")

	must(t, os.WriteFile(settings, []byte("max-sessions = 4\n"), 0o644))
	must(t, cmd.Process.Signal(syscall.SIGHUP))
	if got := sd.hear("RELOADING=1"); !strings.Contains(got, "\nMONOTONIC_USEC=") {
		t.Errorf("a reload begins with %q", got)
	}
	sd.hear("READY=1")
	sd.hear("STATUS=0 of at most 4 sessions")
	must(t, os.WriteFile(settings, []byte("max-sessions = 5\nwram = 1\n"), 0o644))
	must(t, cmd.Process.Signal(syscall.SIGHUP))
	sd.hear("RELOADING=1")
	sd.hear("READY=1")

	must(t, cmd.Process.Signal(syscall.SIGTERM))
	sd.hear("STOPPING=1")
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, %s", err, &errOut)
	}
	if _, err := os.Lstat(socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
	for _, says := range []string{
		"protocol 1, API 000102030405, vendor's library in " + filepath.Join(dir, "vendor"),
		"the old ones stay in force",
		"axond.toml: line 2: wram: there is no such key",
	} {
		if !strings.Contains(errOut.String(), says) {
			t.Errorf("the log does not say %q: %s", says, &errOut)
		}
	}
}

func TestWhatIsMissingIsSaidAtTheStart(t *testing.T) {
	for name, c := range map[string]struct {
		args  []string
		spoil func(dir string) error
		says  string
	}{
		"no worker": {nil, func(d string) error { return os.Remove(d + "/worker") }, "--worker PATH"},
		"another protocol": {nil, func(d string) error {
			return os.WriteFile(d+"/worker", []byte("#!/bin/sh\necho 9 000102030405060708090a0b0c0d0e0f\n"), 0o755)
		}, "install both from the same package"},
		"a worker of stone": {nil, func(d string) error { return os.WriteFile(d+"/worker", []byte("#!/bin/sh\necho hello\n"), 0o755) }, "reinstall axon's package"},
		"a failing worker": {nil, func(d string) error {
			return os.WriteFile(d+"/worker", []byte("#!/bin/sh\necho no libm >&2; exit 1\n"), 0o755)
		}, "no libm"},
		"no vendor": {nil, func(d string) error { return os.Remove(d + "/vendor/libcuda.so.1") }, "--vendor DIR"},
		"its own shim": {nil, func(d string) error {
			return os.WriteFile(d+"/vendor/libcuda.so.1", []byte("\x00AXON_SESSION\x00"), 0o644)
		}, "is axon's shim"},
		"no group":           {[]string{"--group", "no-such-group"}, nil, "groupadd"},
		"an argument":        {[]string{"start"}, nil, "no arguments"},
		"no number":          {[]string{"--warm", "some"}, nil, "--warm: \"some\" is no whole number; see axond --help"},
		"an unknown option":  {[]string{"--sokcet=x"}, nil, "axond --help"},
		"nobody admitted":    {[]string{"--max-sessions", "0"}, nil, "from 1 up"},
		"no settings":        {[]string{"--settings", "/nowhere/axond.toml"}, nil, "no file of settings /nowhere/axond.toml; make it"},
		"two vendors":        {[]string{"--softgpu"}, nil, "contradict"},
		"a socket in a file": {[]string{"--socket", "/dev/null/sock"}, nil, "the socket's folder"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			if c.spoil != nil {
				must(t, c.spoil(dir))
			}
			cmd := axond(t, dir, append([]string{"--socket", filepath.Join(dir, "sock")}, c.args...)...)
			b, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(string(b), "axond: ") || !strings.Contains(string(b), c.says) {
				t.Errorf("%v, %q; it should say %q", err, b, c.says)
			}
		})
	}
}

func TestWhatCannotBePrintedIsNoSuccess(t *testing.T) {
	dir := folder(t)
	for _, args := range [][]string{{"--help"}, {"--version"}, {"--manual", "axond.8"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		must(t, err)
		cmd := axond(t, dir, args...)
		var errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &errOut
		err = cmd.Run()
		full.Close()
		if code := cmd.ProcessState.ExitCode(); code != 1 || errOut.String() != "axond: the standard output cannot be written: no space left on device\n" {
			t.Errorf("axond %q: %v, %q", args, err, errOut.String())
		}
	}
}

func TestEveryOptionIsInTheManualAndHasAVariable(t *testing.T) {
	var page strings.Builder
	must(t, manual(&page, "axond.8"))
	text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fI`, "").Replace(page.String())
	p := flags.NewParser(&options{}, flags.None)
	n := 0
	for _, g := range p.Groups() {
		for _, o := range g.Options() {
			n++
			if !strings.Contains(text, "--"+o.LongName) {
				t.Errorf("axond(8) says nothing about --%s", o.LongName)
			}
			want := "AXON_" + strings.ToUpper(strings.ReplaceAll(o.LongName, "-", "_"))
			if o.LongName != "version" && o.LongName != "manual" && (o.EnvDefaultKey != want || !strings.Contains(text, want)) {
				t.Errorf("--%s has the variable %q, not %s, or the manual lacks it", o.LongName, o.EnvDefaultKey, want)
			}
		}
	}
	if n < 8 {
		t.Errorf("only %d options were found", n)
	}
}

func TestEveryKeyOfTheSettingsIsInTheManual(t *testing.T) {
	var page strings.Builder
	must(t, manual(&page, "axond.toml.5"))
	text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fI`, "", `\(aq`, "'").Replace(page.String())
	for _, table := range []reflect.Type{reflect.TypeFor[daemon.Settings](), reflect.TypeFor[daemon.Limits]()} {
		for i := range table.NumField() {
			key := table.Field(i).Tag.Get("toml")
			if !strings.Contains(text, "\n"+key+" = ") && !strings.Contains(text, "["+key) {
				t.Errorf("axond.toml(5) says nothing about %s", key)
			}
		}
	}
	// What the manual gives as examples axond reads.
	for _, m := range regexp.MustCompile(`(?m)^[a-z-]+ = .*$`).FindAllString(text, -1) {
		if _, err := daemon.ParseSettings(m); err != nil {
			if _, err := daemon.ParseSettings("[limits]\n" + m); err != nil {
				t.Errorf("axond.toml(5) has %s: %v", m, err)
			}
		}
	}
	if p, err := daemon.ParseSettings(text[strings.Index(text, "max-sessions = 64"):strings.LastIndex(text, ".fi")]); err != nil || p.MaxSessions != 64 || p.User["alice"].GPUMemory != daemon.Infinity {
		t.Errorf("the example of axond.toml(5) is read as %+v, %v", p, err)
	}
}

func TestShellsCompleteValues(t *testing.T) {
	for typed, want := range map[string]string{
		"--confi":            "--confine",
		"--confine o":        "off on",
		"--confine=r":        "--confine=require",
		"--group roo":        "root",
		"--manual axond.t":   "axond.toml.5",
		"--softgpu --verbos": "--verbose",
	} {
		cmd := exec.Command(os.Args[0], strings.Split(typed, " ")...)
		cmd.Env = append(os.Environ(), "AXOND_TEST_AS_AXOND=1", "GO_FLAGS_COMPLETION=1")
		out, err := cmd.CombinedOutput()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != want {
			t.Errorf("axond %s is completed to %q, %v; not %q", typed, got, err, want)
		}
	}
}
