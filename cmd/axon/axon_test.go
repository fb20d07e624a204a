// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/fleet/madeup"
)

// The test binary is also axon: only a process of its own can be replaced.
func TestMain(m *testing.M) {
	if os.Getenv("AXON_TEST_AS_AXON") != "" {
		os.Unsetenv("AXON_TEST_AS_AXON")
		os.Exit(axon(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// machine is a place with a shim and a socket that somebody listens on.
type machine struct{ dir, shim, socket string }

func newMachine(t *testing.T) machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon") // t.TempDir is too long for a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	m := machine{dir, filepath.Join(dir, "shim"), filepath.Join(dir, "sock")}
	must(t, os.Mkdir(m.shim, 0o755))
	must(t, os.WriteFile(filepath.Join(m.shim, "libcuda.so.1"), []byte("\x00AXON_SESSION\x00"), 0o644))
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: m.socket, Net: "unixpacket"})
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return m
}

// file makes an executable file.
func (m machine) file(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	p := filepath.Join(m.dir, name)
	must(t, os.WriteFile(p, []byte(text), mode))
	return p
}

// prepare prepares a run of axon; env goes over the test's own environment.
func prepare(env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "AXON_TEST_AS_AXON=1", "LD_LIBRARY_PATH=", "AXON_SESSION=")
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// result runs a prepared axon.
func result(t *testing.T, cmd *exec.Cmd) (out, errOut string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheProgramTakesAxonsPlace(t *testing.T) {
	m := newMachine(t)
	cmd := prepare([]string{"LD_LIBRARY_PATH=/theirs"}, "run", "--socket", m.socket, "--shim", m.shim,
		"sh", "-c", `echo $$ $LD_LIBRARY_PATH $AXON_SESSION "$@"; exit 37`, "sh", "--socket", "a b", "--")
	out, errOut, code := result(t, cmd)
	want := fmt.Sprintf("%d %s:/theirs %s --socket a b --\n", cmd.Process.Pid, m.shim, m.socket)
	if out != want || code != 37 || errOut != "" {
		t.Errorf("status %d, %q and %q on stderr; not %q", code, out, errOut, want)
	}
}

func TestASignalReachesTheProgramAndItsDeathIsSeen(t *testing.T) {
	m := newMachine(t)
	cmd := prepare(nil, "run", "--socket", m.socket, "--shim", m.shim, "--", "sh", "-c", "echo up; exec sleep 60")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, 3))
	must(t, err)
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	cmd.Wait()
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signal() != syscall.SIGTERM {
		t.Errorf("the program ended with %v", cmd.ProcessState)
	}
}

func TestTheSessionInTheEnvironmentIsUsed(t *testing.T) {
	m := newMachine(t)
	out, errOut, code := result(t, prepare([]string{"AXON_SESSION=" + m.socket}, "run", "--shim", m.shim, "sh", "-c", "echo $AXON_SESSION $LD_LIBRARY_PATH"))
	if out != m.socket+" "+m.shim+"\n" || code != 0 {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
}

func TestWithoutAxondNoProgramStarts(t *testing.T) {
	m := newMachine(t)
	stale := filepath.Join(m.dir, "stale")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: stale, Net: "unixpacket"})
	must(t, err)
	l.SetUnlinkOnClose(false)
	l.Close()
	stream := filepath.Join(m.dir, "stream")
	l2, err := net.Listen("unix", stream)
	must(t, err)
	defer l2.Close()
	for socket, want := range map[string]string{
		filepath.Join(m.dir, "none"):          "systemctl start axond.socket",
		stale:                                 "nobody answers",
		stream:                                "another program's",
		m.dir:                                 "is no socket; name axond's with --socket",
		filepath.Join(m.shim, "libcuda.so.1"): "is no socket; name axond's with --socket",
		filepath.Join(m.shim, "libcuda.so.1/sock"):     "there is no socket",
		filepath.Join(m.dir, strings.Repeat("x", 200)): "107 bytes",
	} {
		mark := filepath.Join(m.dir, "mark")
		_, errOut, code := result(t, prepare(nil, "run", "--socket", socket, "--shim", m.shim, "touch", mark))
		if code != 125 || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q", socket, code, errOut)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s: the program was started", socket)
		}
	}
}

func TestAProgramStartedRightAfterAxondFindsIt(t *testing.T) {
	m := newMachine(t)
	late := filepath.Join(m.dir, "late")
	looked := 0
	err := answers(late, func() bool {
		if looked++; looked == 2 {
			l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: late, Net: "unixpacket"})
			must(t, err)
			t.Cleanup(func() { l.Close() })
		}
		return looked < 10
	})
	if err != nil || looked != 2 {
		t.Errorf("after %d looks: %v", looked, err)
	}
}

func TestProgramsThatCannotRun(t *testing.T) {
	m := newMachine(t)
	must(t, os.MkdirAll(filepath.Join(m.dir, "path"), 0o755))
	plain := m.file(t, "plain", "data", 0o644)
	m.file(t, "path/denied", "data", 0o644)
	missing := m.file(t, "missing", "#!/no/such/interpreter\n", 0o755)
	for _, c := range []struct {
		program string
		code    int
		says    string
	}{
		{"no-such-program", 127, "no program \"no-such-program\" in PATH"},
		{"./no/such/file", 127, "there is no program"},
		{plain + "/below", 127, "there is no program"},
		{missing, 127, "interpreter is not"},
		{plain, 126, "permission denied"},
		{"denied", 126, "permission denied"},
		{m.dir, 126, "is a directory"},
		{"", 127, "empty"},
	} {
		_, errOut, code := result(t, prepare([]string{"PATH=" + m.dir + "/path:/usr/bin:/bin"}, "run", "--socket", m.socket, "--shim", m.shim, c.program))
		if code != c.code || !strings.Contains(errOut, c.says) {
			t.Errorf("%q: status %d, %q", c.program, code, errOut)
		}
	}
}

func TestAScriptWithoutAnInterpreterIsTheShells(t *testing.T) {
	m := newMachine(t)
	script := m.file(t, "script", "echo $1; exit 3\n", 0o755)
	out, errOut, code := result(t, prepare(nil, "run", "--socket", m.socket, "--shim", m.shim, script, "an argument"))
	if out != "an argument\n" || code != 3 {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
}

func TestMistakesNameTheNextStep(t *testing.T) {
	m := newMachine(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"rnu", "x"}, 2, "did you mean axon run?"},
		{[]string{"versoin"}, 2, "did you mean axon version?"},
		{[]string{"frobnicate"}, 2, "there is no command \"frobnicate\"; see axon --help"},
		{[]string{"run"}, 125, "for example: axon run"},
		{[]string{"run", "--scoket", "x", "true"}, 125, "see axon run --help"},
		{[]string{"run", "--on", "a,b", "true"}, 125, "not there yet"},
		{[]string{"run", "--shim", m.dir, "true"}, 125, "--shim"},
		{[]string{"run", "--shim", "/a:b", "true"}, 125, "colons"},
		{[]string{"help", "frobnicate"}, 2, "see axon help"},
		{[]string{"help", "session", "frobnicate"}, 2, "see axon help"},
		{[]string{"session", "terminate"}, 2, "`ID` was not provided; see axon session terminate --help"},
		{[]string{"session", "terminate", "x"}, 2, "axon: \"x\" is no session's number; axon sessions lists"},
		{[]string{"session", "limit", "4294967296", "4G"}, 2, "axon: \"4294967296\" is no session's number; axon sessions lists"},
		{[]string{"session", "limit", "1", "much"}, 2, "axon: \"much\" is no size; give bytes"},
		{[]string{"run", "--memory", "much", "true"}, 125, "axon: --memory: \"much\" is no size; give bytes"},
		{[]string{"completion", "tcsh"}, 2, "bash, fish, zsh"},
		{[]string{"version", "what"}, 2, "no arguments"},
	} {
		var out, errOut bytes.Buffer
		code := axon(c.args, &out, &errOut)
		if code != c.code || !strings.Contains(errOut.String(), c.says) || out.Len() > 0 {
			t.Errorf("axon %q: status %d, %q on stderr, %q on stdout", c.args, code, errOut.String(), out.String())
		}
	}
}

func TestEveryCommandHasHelpAndAManual(t *testing.T) {
	var manual, errOut bytes.Buffer
	if code := axon([]string{"help", "--manual"}, &manual, &errOut); code != 0 {
		t.Fatalf("axon help --manual: status %d, %q", code, errOut.String())
	}
	text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fI`, "", `\(aq`, "'", "\n", " ").Replace(manual.String())
	if !strings.Contains(text, ".SH SYNOPSIS axon [top] [--format ") {
		t.Error("axon(1) does not begin with what axon does without a command")
	}
	for _, c := range commands(io.Discard, nil) {
		var long, short, errOut bytes.Buffer
		if code := axon([]string{c.name, "--help"}, &long, &errOut); code != 0 || !strings.Contains(long.String(), "Usage:") {
			t.Errorf("axon %s --help: status %d, %q", c.name, code, errOut.String())
		}
		if axon([]string{"help", c.name}, &short, &errOut); short.String() != long.String() {
			t.Errorf("axon help %s differs from axon %s --help", c.name, c.name)
		}
		if !strings.Contains(text, ".SS axon "+c.name+" ") {
			t.Errorf("axon(1) has nothing about axon %s", c.name)
		}
		// The same words: there is one text.
		if first, _, _ := strings.Cut(c.long, ". "); !strings.Contains(text, strings.Split(first, "\n")[0]) {
			t.Errorf("axon(1) does not say about axon %s what its help says: %q", c.name, first)
		}
		p := flags.NewParser(c.data, flags.None)
		for _, g := range p.Groups() {
			for _, o := range g.Options() {
				if !o.Hidden && !strings.Contains(text, "--"+o.LongName) {
					t.Errorf("axon(1) says nothing about axon %s --%s", c.name, o.LongName)
				}
			}
		}
	}
}

func TestHelpKnowsCommandsOfTwoWords(t *testing.T) {
	for _, c := range []string{"limit", "terminate"} {
		var long, short, errOut bytes.Buffer
		axon([]string{"session", c, "--help"}, &long, &errOut)
		if code := axon([]string{"help", "session", c}, &short, &errOut); code != 0 || short.String() != long.String() || !strings.Contains(long.String(), "session "+c+" [OPTIONS] ID") {
			t.Errorf("axon help session %s: status %d, %q, not %q", c, code, short.String(), long.String())
		}
	}
}

// TestWhatCannotBePrintedIsNoSuccess is what a script sees when the disk is full.
func TestWhatCannotBePrintedIsNoSuccess(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1}, nil)
	for _, args := range [][]string{
		{"--help"}, {"help"}, {"help", "run"}, {"help", "--manual"}, {"run", "--help"}, {"version"}, {"version", "--json"}, {"cdi", "--shim", newMachine(t).shim}, {"completion", "fish"},
		{"--socket", socket}, {"--socket", socket, "--json"}, {"--socket", socket, "--format=csv"}, {"--socket", socket, "--format=tmux"},
		{"--socket", socket, "--watch=0.1", "--json"}, {"metrics", "--once", "--socket", socket},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		must(t, err)
		cmd := prepare(nil, args...)
		var errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &errOut
		err = cmd.Run()
		full.Close()
		if code := cmd.ProcessState.ExitCode(); code != 1 || errOut.String() != "axon: the standard output cannot be written: no space left on device\n" {
			t.Errorf("axon %q: %v, status %d, %q", args, err, code, errOut.String())
		}
	}
}

// TestNobodyReadingIsNoMessage is axon | head, also where SIGPIPE is ignored, as
// services of systemd have it.
func TestNobodyReadingIsNoMessage(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1}, nil)
	for _, how := range []string{"", "trap '' PIPE; "} {
		in, out, err := os.Pipe()
		must(t, err)
		in.Close()
		cmd := prepare(nil, "--socket", socket, "--json")
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", how + `exec "$0" "$@"`}, cmd.Args...)
		var errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = out, &errOut
		err = cmd.Run()
		out.Close()
		if err == nil || errOut.Len() > 0 {
			t.Errorf("%s: %v, %q", how, err, errOut.String())
		}
	}
}

func TestTheLibraryPathHasNoCurrentFolder(t *testing.T) {
	for _, c := range [][2]string{{"", "/shim"}, {"/shim", "/shim"}, {"/shim:/x", "/shim:/x"}, {"/x", "/shim:/x"}, {"/shimmer", "/shim:/shimmer"}} {
		if got := libraryPath("/shim", c[0]); got != c[1] {
			t.Errorf("before %q it becomes %q", c[0], got)
		}
	}
}

func TestVersionIsReadByPrograms(t *testing.T) {
	var out, errOut bytes.Buffer
	if code := axon([]string{"version", "--json"}, &out, &errOut); code != 0 {
		t.Fatalf("status %d, %q", code, errOut.String())
	}
	var v map[string]any
	must(t, json.Unmarshal(out.Bytes(), &v))
	for _, name := range []string{"axon", "protocol", "fingerprint", "worker", "shim", "vendor", "softgpu", "problems"} {
		if _, ok := v[name]; !ok {
			t.Errorf("there is no %q", name)
		}
	}
}

func TestVersionIsAlsoAnOption(t *testing.T) {
	var command, option, errOut bytes.Buffer
	axon([]string{"version"}, &command, &errOut)
	if code := axon([]string{"--version"}, &option, &errOut); code != 0 || option.String() != command.String() || option.Len() == 0 {
		t.Errorf("status %d, %q, %q", code, option.String(), errOut.String())
	}
}

func TestCompletionKnowsCommandsAndIsGoodShell(t *testing.T) {
	out, _, _ := result(t, prepare([]string{"GO_FLAGS_COMPLETION=1"}, "ver"))
	if got := strings.Fields(out); !slices.Equal(got, []string{"version"}) {
		t.Errorf("axon ver is completed to %q", got)
	}
	for shell := range scripts {
		for _, program := range completed {
			var script, errOut bytes.Buffer
			if code := axon([]string{"completion", shell, program}, &script, &errOut); code != 0 {
				t.Fatalf("%s, %s: status %d, %s", shell, program, code, errOut.String())
			}
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Logf("%s is not here to check its script", shell)
				continue
			}
			cmd := exec.Command(path, "-n")
			cmd.Stdin = &script
			if b, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not like its script for %s: %v, %s", shell, program, err, b)
			}
		}
	}
}

// TestBashCompletes is what happens at a press of the tabulator: bash takes an
// option and its value for three words.
func TestBashCompletes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not here")
	}
	m := newMachine(t)
	m.file(t, "a-program-of-ours", "", 0o755)
	var script, errOut bytes.Buffer
	if code := axon([]string{"completion", "bash"}, &script, &errOut); code != 0 {
		t.Fatal(errOut.String())
	}
	for typed, want := range map[string]string{
		"versi":                             "version",
		"completion ":                       "bash fish zsh",
		"completion bash axo":               "axon axond",
		"help run":                          "run",
		"session t":                         "terminate",
		"--form":                            "--format",
		"--":                                "--format --help --json --no-header --once --socket --watch",
		"--format = ":                       "csv json table tmux",
		"top --format t":                    "table tmux",
		"cdi --out":                         "--output",
		"cdi --format ":                     "json yaml",
		"cdi --format = y":                  "yaml",
		"run a-program-of":                  "a-program-of-ours",
		"run -- a-program-of":               "a-program-of-ours",
		"run --memory = 8G a-program-of":    "a-program-of-ours",
		"run a-program-of-ours a-program-o": "", // a file, which is bash's to complete
	} {
		words := append([]string{"-c", script.String() + `
COMP_WORDS=("$0" "$@"); COMP_CWORD=$#; _axon_complete; echo "${COMPREPLY[*]}"`, os.Args[0]}, strings.Split(typed, " ")...)
		cmd := exec.Command("bash", words...)
		cmd.Env = append(os.Environ(), "AXON_TEST_AS_AXON=1", "PATH="+m.dir+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("axon %s is completed to %q, %v; not %q", typed, got, err, want)
		}
	}
}

// TestFishCompletes is the same in fish, which shows files beside what it is
// given unless it is told not to.
func TestFishCompletes(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("fish is not here")
	}
	m := newMachine(t)
	must(t, os.Symlink(os.Args[0], filepath.Join(m.dir, "axon")))
	m.file(t, "a-program-of-ours", "", 0o755)
	m.file(t, "csv-file", "", 0o644)
	var script, errOut bytes.Buffer
	if code := axon([]string{"completion", "fish"}, &script, &errOut); code != 0 {
		t.Fatal(errOut.String())
	}
	for typed, want := range map[string]string{
		"versi":                    "version",
		"session ":                 "limit terminate",
		"help session ":            "cdi completion gpus help metrics run session sessions top version",
		"completion ":              "bash fish zsh",
		"--form":                   "--format",
		"--format=c":               "--format=csv",
		"--format c":               "csv",
		"--socket csv-":            "csv-file",
		"--socket=csv-":            "--socket=csv-file",
		"run a-program-of":         "a-program-of-ours",
		"run --memory 8G a-progra": "a-program-of-ours",
	} {
		cmd := exec.Command(fish, "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", m.file(t, "script", script.String(), 0o644), "axon "+typed)
		cmd.Dir = m.dir
		cmd.Env = append(os.Environ(), "AXON_TEST_AS_AXON=1", "HOME="+m.dir, "PATH="+m.dir+":"+os.Getenv("PATH"))
		out, err := cmd.Output()
		var got []string
		for l := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSpace(l), "\t") // what follows describes it
			got = append(got, word)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("axon %s is completed to %q, %v; not %q", typed, got, err, want)
		}
	}
}
