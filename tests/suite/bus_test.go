// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startBus starts a system bus of the test's own with axond's policy, and gives
// its address.
func startBus(t *testing.T) string {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("skipped: there is no dbus-daemon for a bus of the test's own")
	}
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root's axond may have its name on a system bus")
	}
	dir, err := os.MkdirTemp("", "axon-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chmod(dir, 0o755)
	policy, err := filepath.Abs("../../units/org.nervlinux.Axon1.conf")
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, []byte(`<busconfig><type>system</type><listen>unix:path=`+dir+`/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow send_requested_reply="true" send_type="method_return"/><allow send_requested_reply="true" send_type="error"/>
<allow send_type="signal"/><allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
<allow send_destination="org.freedesktop.DBus"/></policy><include>`+policy+`</include></busconfig>`), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(daemon, "--config-file="+config, "--nofork", "--nopidfile", "--print-address")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return "unix:path=" + dir + "/bus"
}

// copied is a program where every user may run it.
func copied(t *testing.T, program string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-")
	if err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		err = os.Chmod(dir, 0o755)
	}
	b, err2 := os.ReadFile(program)
	to := filepath.Join(dir, filepath.Base(program))
	if err := errors.Join(err, err2, os.WriteFile(to, b, 0o755)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestSessionsAreSeenAndChangedOverTheBus: the whole way, from the command to
// the worker, on one GPU of two.
func TestSessionsAreSeenAndChangedOverTheBus(t *testing.T) {
	address := startBus(t)
	in := installation{build: buildDir(t), env: []string{"DBUS_SYSTEM_BUS_ADDRESS=" + address, "SOFTGPU_DEVICES=2"}, args: []string{"--bus"}}
	a := startAxond(t, in)
	waitFor(t, "axond is on the bus", 20*time.Second, func() bool { return strings.Contains(a.Log(), "axond is on the bus") })
	axon := func(args ...string) (string, int) {
		cmd := exec.Command(filepath.Join(in.build, "bin", "axon"), args...)
		cmd.Env = append(os.Environ(), in.env...)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	expect := func(code int, say string, args ...string) {
		t.Helper()
		if out, got := axon(args...); got != code || !strings.Contains(out, say) {
			t.Errorf("axon %s: status %d, %q; not %d and %q", strings.Join(args, " "), got, out, code, say)
		}
	}
	parsed := func(args ...string) map[string]any {
		t.Helper()
		out, code := axon(append(args, "--json")...)
		var v map[string]any
		if err := json.Unmarshal([]byte(out), &v); err != nil || code != 0 {
			t.Fatalf("axon %v --json: status %d, %v, %q", args, code, err, out)
		}
		return v
	}

	expect(0, "There are no sessions.", "sessions")
	if got := parsed("sessions"); !reflect.DeepEqual(got, map[string]any{"sessions": []any{}}) {
		t.Errorf("without sessions: %v", got)
	}
	c := startClient(t, in, append(in.clientEnv(a.socket), "CUDA_VISIBLE_DEVICES=1"))
	c.expect("open", "0")
	c.expect("hold", "0")
	all, ok := parsed("sessions")["sessions"].([]any)
	if !ok || len(all) != 1 {
		t.Fatalf("sessions: %v", all)
	}
	s := all[0].(map[string]any)
	if s["id"] != 1.0 || s["pid"] != float64(c.cmd.Process.Pid) || s["program"] != "linger" || s["uid"] != 0.0 || s["state"] != "running" ||
		s["memory_max_bytes"] != nil || s["memory_used_bytes"].(float64) < 64<<20 || !reflect.DeepEqual(s["gpus"], []any{1.0}) {
		t.Errorf("the session is %v", s)
	}
	expect(0, "linger", "sessions")
	gpus, ok := parsed("gpus")["gpus"].([]any)
	if !ok || len(gpus) != 2 {
		t.Fatalf("gpus: %v", gpus)
	}
	for i, want := range [][]any{{}, {1.0}} {
		g := gpus[i].(map[string]any)
		if g["index"] != float64(i) || !reflect.DeepEqual(g["sessions"], want) || !strings.HasPrefix(g["uuid"].(string), "GPU-") || g["memory_total_bytes"].(float64) < 1<<20 {
			t.Errorf("GPU %d is %v", i, g)
		}
	}
	expect(0, "GPU", "gpus")

	// The limit is the worker's from then on; what the session has it keeps.
	expect(0, "Session 1 may have 65M", "session", "limit", "1", "65M")
	c.expect("hold", "2") // CUDA_ERROR_OUT_OF_MEMORY
	c.expect("call", "0")
	if got := parsed("session", "limit", "1", "1G"); got["memory_max_bytes"] != float64(1<<30) {
		t.Errorf("axon session limit --json: %v", got)
	}
	c.expect("hold", "0")
	expect(0, "no limit", "session", "limit", "1", "infinity")

	for _, x := range [][]string{{"terminate", "9"}, {"limit", "9", "1G"}} {
		expect(1, "there is no session 9; axon sessions lists", append([]string{"session"}, x...)...)
	}
	expect(2, "is no size", "session", "limit", "1", "big")
	expect(2, "ID", "session", "terminate")
	// Another user's is not everybody's; there is no polkit on this bus.
	other := exec.Command(copied(t, filepath.Join(in.build, "bin", "axon")), "session", "terminate", "1")
	other.Env = append(os.Environ(), in.env...)
	other.Dir, other.SysProcAttr = "/", &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, _ := other.CombinedOutput(); other.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "sudo axon session terminate 1") {
		t.Errorf("nobody ends root's session: status %d, %q", other.ProcessState.ExitCode(), out)
	}
	expect(0, "Session 1 has ended.", "session", "terminate", "1")
	c.expect("call", "46") // CUDA_ERROR_DEVICE_UNAVAILABLE
	expect(0, "There are no sessions.", "sessions")
	if want := "user 0 asked for it over the bus"; !strings.Contains(a.Log(), want) {
		t.Errorf("the log does not say %q:\n%s", want, a.Log())
	}
	a.cmd.Process.Kill()
	waitFor(t, "axon says that axond is gone", 20*time.Second, func() bool {
		out, code := axon("sessions")
		return code == 1 && strings.Contains(out, "systemctl start axond")
	})
}
