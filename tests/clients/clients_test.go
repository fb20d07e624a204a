// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// build is the folder of what make has built.
func build(t testing.TB) string {
	t.Helper()
	b := os.Getenv("AXON_BUILD")
	if b == "" {
		b = "../../build"
	}
	b, err := filepath.Abs(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"bin/axond", "lib/libnvidia-ml.so.1", "softgpu/libnvidia-ml.so.1", "tests/linger", "tests/nvml/torch"} {
		if _, err := os.Stat(filepath.Join(b, f)); err != nil {
			t.Skipf("%v; make builds it", err)
		}
	}
	return b
}

// fetched is the folder with other people's programs. They are brought once.
var fetched = sync.OnceValues(func() (string, error) {
	b := os.Getenv("AXON_BUILD")
	if b == "" {
		b = "../../build"
	}
	dir, err := filepath.Abs(filepath.Join(b, "clients"))
	if err != nil {
		return "", err
	}
	script, _ := filepath.Abs("fetch")
	text, err := os.ReadFile(script)
	if err != nil {
		return "", err
	}
	done := filepath.Join(dir, "done") // by this very script
	if by, err := os.ReadFile(done); err == nil && bytes.Equal(by, text) {
		return dir, nil
	}
	os.RemoveAll(dir)
	if out, err := exec.Command(script, dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("other people's programs cannot be had here: %w, %s", err, bytes.TrimSpace(out))
	}
	return dir, os.WriteFile(done, text, 0o644)
})

// client is one that is there, or the test is skipped.
func client(t *testing.T, path string) (dir, file string) {
	t.Helper()
	dir, err := fetched()
	if err != nil {
		t.Skip(err)
	}
	file = filepath.Join(dir, path)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("Debian's packages have no %s here", path)
	}
	return dir, file
}

// A machine is an axond with one software GPU, or as many as its environment says, and a program that has a session.
type machine struct {
	env []string // for programs
	pid int      // of the program with the session
}

func start(t *testing.T, env ...string) *machine {
	t.Helper()
	b := build(t)
	dir, err := os.MkdirTemp("", "axon-") // t.TempDir is named after the test: too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chmod(dir, 0o711)
	socket := filepath.Join(dir, "sock")
	axond := exec.Command(filepath.Join(b, "bin/axond"), "--socket", socket, "--softgpu", "--warm", "0")
	axond.Env = append(append(os.Environ(), "AXON_CACHE_DIR="+filepath.Join(dir, "cache")), env...)
	axond.Dir = "/"
	var log bytes.Buffer
	axond.Stdout, axond.Stderr = &log, &log
	if err := axond.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		axond.Process.Signal(os.Interrupt)
		axond.Wait()
		if t.Failed() {
			t.Logf("axond: %s", log.String())
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("axond makes no socket")
		}
	}
	m := &machine{env: append(os.Environ(), "AXON_SESSION="+socket, "LD_LIBRARY_PATH="+filepath.Join(b, "lib"))}
	user := exec.Command(filepath.Join(b, "tests/linger"))
	user.Env = m.env
	in, _ := user.StdinPipe()
	out, _ := user.StdoutPipe()
	if err := user.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); user.Wait() })
	fmt.Fprintln(in, "open")
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "open 0\n" {
		t.Fatalf("a session: %q, %v", line, err)
	}
	m.pid = user.Process.Pid
	return m
}

// run runs a program, and gives what it printed.
func (m *machine) run(t *testing.T, env []string, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(append([]string{}, m.env...), env...)
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(argv, " "), err, out.String(), errors.String())
	}
	return out.String()
}

func pythonPath(dir string) []string {
	return []string{"PYTHONPATH=" + filepath.Join(dir, "root/usr/lib/python3/dist-packages")}
}

// Debian's python3 is the one that Debian's modules are for.
const python = "/usr/bin/python3"

func needPython(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		t.Skip("there is no Debian's python3 here")
	}
}

func TestPynvml(t *testing.T) {
	needPython(t)
	dir, _ := client(t, "root/usr/lib/python3/dist-packages/pynvml.py")
	m := start(t, "SOFTGPU_DEVICES=2")
	m.run(t, pythonPath(dir), python, "python/pynvml_reads.py", "2", strconv.Itoa(m.pid))
}

func TestGpustat(t *testing.T) {
	needPython(t)
	dir, gpustat := client(t, "root/usr/bin/gpustat")
	m := start(t, "SOFTGPU_DEVICES=2")
	var said struct {
		DriverVersion string `json:"driver_version"`
		GPUs          []struct {
			Name        string
			UUID        string
			Temperature *int `json:"temperature.gpu"`
			Total       int  `json:"memory.total"`
			Processes   []struct{ PID int }
		}
	}
	out := m.run(t, pythonPath(dir), python, gpustat, "--json")
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(said.GPUs) != 2 || said.GPUs[1].Name != "axon softgpu" || said.GPUs[0].Total != 1024 || said.GPUs[0].Temperature != nil {
		t.Errorf("it says %s", out)
	}
	if p := said.GPUs[0].Processes; len(p) != 1 || p[0].PID != m.pid {
		t.Errorf("the program is %d, and it says %s", m.pid, out)
	}
}

// screen is what a program shows on a terminal, tmux's, of 120 columns and 40
// lines, when it has all of the texts. Its settings are the user's, so it has a
// home of its own.
func (m *machine) screen(t *testing.T, home string, texts []string, argv ...string) {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux here")
	}
	server := filepath.Join(t.TempDir(), "tmux")
	tmux := func(args ...string) string {
		cmd := exec.Command("tmux", append([]string{"-u", "-S", server, "-f", "/dev/null"}, args...)...)
		cmd.Env = append(append([]string{}, m.env...), "TERM=xterm-256color", "LANG=C.UTF-8")
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	t.Cleanup(func() { tmux("kill-server") })
	tmux(append([]string{"new-session", "-d", "-x", "120", "-y", "40", "env", "HOME=" + home}, argv...)...)
	var screen string
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		screen = tmux("capture-pane", "-p")
		if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(screen, s) }) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("there is no screen with %q, but:\n%s", texts, screen)
		}
	}
	tmux("send-keys", "q")
}

func TestNvtop(t *testing.T) {
	dir, nvtop := client(t, "root/usr/bin/nvtop")
	m := start(t)
	var libraries string
	for _, e := range m.env {
		if l, ok := strings.CutPrefix(e, "LD_LIBRARY_PATH="); ok {
			libraries = l
		}
	}
	for _, d := range []string{"usr/lib", "lib"} {
		found, _ := filepath.Glob(filepath.Join(dir, "root", d, "*-linux-gnu"))
		libraries += ":" + strings.Join(found, ":")
	}
	m.screen(t, t.TempDir(), []string{"axon softgpu", "1.000Gi", fmt.Sprintf(" %d ", m.pid)}, "LD_LIBRARY_PATH="+libraries, nvtop)
}

// btop's panel, of an H200 whose answers were recorded: nvidia-smi's, and what
// btop asks by older names.
func TestBtop(t *testing.T) {
	dir, btop := client(t, "later/usr/bin/btop")
	loader, _ := filepath.Glob(filepath.Join(dir, "later/usr/lib/*-linux-gnu/ld-linux-*"))
	if len(loader) != 1 {
		t.Fatalf("there is no loader of its own, but %q", loader)
	}
	recording, err := os.ReadFile("../../smi/testdata/h200-580.nvml")
	if err != nil {
		t.Fatal(err)
	}
	name := hex.EncodeToString([]byte("NVIDIA H200" + strings.Repeat("\x00", 64-len("NVIDIA H200"))))
	memory := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 140<<30), 103<<30), 37<<30)
	recording = fmt.Appendf(recording, `nvmlDeviceGetCount - -> 0 0100000000000000
nvmlDeviceGetHandleByIndex 0000000000000000 -> 0 0100000000000000
nvmlDeviceGetName 01000000000000004000000000000000 -> 0 %s
nvmlDeviceGetTemperatureThreshold 01000000000000000000000000000000 -> 0 5c00000000000000
nvmlDeviceGetPowerState 0100000000000000 -> 0 0000000000000000
nvmlDeviceGetMemoryInfo 0100000000000000 -> 0 %x
`, name, memory)
	home := t.TempDir()
	file := filepath.Join(home, "recording")
	// The worker that reads it has a user of its own.
	if err := errors.Join(os.WriteFile(file, recording, 0o644), os.Chmod(filepath.Dir(home), 0o755)); err != nil {
		t.Fatal(err)
	}
	m := start(t, "SOFTGPU_NVML="+file)
	settings := filepath.Join(home, ".config/btop/btop.conf")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("shown_boxes = \"gpu0\"\nupdate_ms = 200\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	libraries := filepath.Join(build(t), "lib") + ":" + filepath.Dir(loader[0])
	m.screen(t, home, []string{"H200", "345 Mhz", " 37°C", " 81W ", "P-state:  P0", "Total:              140 GiB", "37.0 GiB", "3201 Mhz", "959 KiB/s", "569 KiB/s"},
		"LANG=C.UTF-8", loader[0], "--library-path", libraries, btop, "--utf-force")
}

// What PyTorch asks NVML for: by name, out of a library that it opens itself.
func TestTorchsUse(t *testing.T) {
	m := start(t)
	m.run(t, nil, filepath.Join(build(t), "tests/nvml/torch"))
}

// What btop asks, where btop itself cannot be had.
func TestBtopsUse(t *testing.T) {
	m := start(t, "SOFTGPU_DEVICES=2")
	out := m.run(t, nil, filepath.Join(build(t), "tests/nvml/btop"), "2")
	for _, want := range []string{"library: " + filepath.Join(build(t), "lib/libnvidia-ml.so"), "GPUs: 2\n", "0 name: axon softgpu\n", "1 name: axon softgpu\n",
		"1 memory: 0 of 1073741824\n", "0 temperature: Not Supported\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("it shows no %q:\n%s", want, out)
		}
	}
	// The program's session has memory of the first GPU's.
	used := regexp.MustCompile(`(?m)^0 memory: (\d+) of 1073741824$`).FindAllStringSubmatch(out, -1)
	if len(used) != 2 || used[1][1] == "0" {
		t.Errorf("a program has 4 bytes, and it shows\n%s", out)
	}
}

var update = flag.Bool("update", false, "write testdata anew")

// What nvitop asks, of the software GPU and of an H200 whose answers were recorded.
func TestNvitopsCalls(t *testing.T) {
	needPython(t)
	dir, _ := client(t, "root/usr/lib/python3/dist-packages/pynvml.py")
	recording, err := filepath.Abs("../../smi/testdata/h200-580.nvml")
	if err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string][]string{"nvitop-softgpu.txt": nil, "nvitop-h200.txt": {"SOFTGPU_NVML=" + recording}} {
		m := start(t, env...)
		out := m.run(t, pythonPath(dir), python, "python/nvitop_calls.py")
		out = strings.ReplaceAll(out, fmt.Sprintf("Compute: %d=", m.pid), "Compute: PID=")
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if out != string(want) {
			t.Errorf("%s (go test ./tests/clients -update writes it) is\n%s", golden, out)
		}
	}
}

// nvitop is in no distribution.
func TestNvitop(t *testing.T) {
	m := start(t)
	dir := filepath.Join(build(t), "clients-pip")
	if _, err := os.Stat(filepath.Join(dir, "nvitop")); err != nil {
		cmd := exec.Command("python3", "-m", "pip", "install", "-q", "--retries", "0", "--timeout", "20", "--target", dir, "nvitop")
		if out, err := cmd.CombinedOutput(); err != nil {
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			t.Skipf("pip brings no nvitop here: %s", lines[len(lines)-1])
		}
	}
	out := m.run(t, []string{"PYTHONPATH=" + dir, "LANG=C.UTF-8"}, "python3", "-m", "nvitop", "--once", "--ascii")
	if !strings.Contains(out, "axon softgpu") || !strings.Contains(out, strconv.Itoa(m.pid)) {
		t.Errorf("the program is %d, and it says\n%s", m.pid, out)
	}
}
