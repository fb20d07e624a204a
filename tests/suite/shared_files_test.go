// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// sharedFilesLeaveOut is what of tests/programs/shared_files.c cannot be had on this machine.
func sharedFilesLeaveOut() map[string]string {
	out := map[string]string{}
	meminfo, _ := os.ReadFile("/proc/meminfo")
	if m := regexp.MustCompile(`HugePages_Free: *(\d+)`).FindSubmatch(meminfo); m == nil || len(m[1]) == 1 && m[1][0] < '2' {
		out["huge_pages_are_registered"] = "this machine has no two huge pages left (vm.nr_hugepages)"
	}
	return out
}

// sharedFilesNotThroughAxon is the same, and what the shim cannot be had for by who runs the tests.
func sharedFilesNotThroughAxon() map[string]string {
	leaveOut := sharedFilesLeaveOut()
	if self, err := os.Open("/proc/self/map_files"); err != nil {
		leaveOut["anonymous_shared_memory_is_registered"] = "the kernel gives no descriptor of it here: " + err.Error()
	} else {
		names, _ := self.Readdirnames(1)
		self.Close()
		if f, err := os.Open("/proc/self/map_files/" + names[0]); err != nil {
			leaveOut["anonymous_shared_memory_is_registered"] = "the kernel gives no descriptor of it here: " + err.Error()
		} else {
			f.Close()
		}
	}
	return leaveOut
}

func TestMemoryThatIsSharedAlready(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	t.Run("softgpu", func(t *testing.T) {
		in.runCases(t, append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(in.build, "softgpu")), "shared_files", sharedFilesLeaveOut())
	})
	leaveOut := sharedFilesNotThroughAxon()
	t.Run("axon", func(t *testing.T) { in.runCases(t, in.clientEnv(a.socket), "shared_files", leaveOut) })
	t.Run("sync", func(t *testing.T) {
		in.runCases(t, append(in.clientEnv(a.socket), "AXON_SYNC=1"), "shared_files", leaveOut)
	})
	t.Run("relay", func(t *testing.T) {
		env := append(in.clientEnv(startRelay(t, a)), "AXON_DEBUG=1")
		for _, name := range []string{"a_copy_goes_by_the_shared_memory_itself"} {
			saysSo(t, in.command(t.Context(), env, "shared_files", name).CombinedOutput, "gave 801", "a relay carries no descriptors")
		}
	})
}

// saysSo is an error if what a program prints lacks any of the words.
func saysSo(t *testing.T, run func() ([]byte, error), words ...string) {
	t.Helper()
	out, _ := run()
	for _, w := range words {
		if !bytes.Contains(out, []byte(w)) {
			t.Errorf("the program does not say %q:\n%s", w, out)
		}
	}
}

// A user who is not root is given no descriptor of a mapping's file by the kernel; the shim finds those that have a name or a
// descriptor of the program's.
func TestAUsersSharedMemory(t *testing.T) {
	video := otherUsers(t)
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	folder, err := os.MkdirTemp("", "axon-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chown(folder, 12345, 12346); err != nil {
		t.Fatal(err)
	}
	os.Chmod(filepath.Dir(a.socket), 0o755)
	leaveOut := sharedFilesLeaveOut()
	env := append(in.clientEnv(a.socket), "HOME=/nonexistent", "AXON_DEBUG=1")
	for _, name := range in.cases(t, env, "shared_files") {
		t.Run(name, func(t *testing.T) {
			if why := leaveOut[name]; why != "" {
				t.Skip(why)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := in.command(ctx, env, "shared_files", name)
			cmd.Dir = folder
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 12345, Gid: 12346, Groups: []uint32{video}}
			out, err := cmd.CombinedOutput()
			switch {
			case os.IsPermission(err):
				t.Skipf("other users cannot read the build folder: %v", err)
			case name == "anonymous_shared_memory_is_registered":
				saysSo(t, func() ([]byte, error) { return out, err }, "gave 801", "map a memfd or a file in /dev/shm in place of anonymous")
			case err != nil || !bytes.Contains(out, []byte("ok "+name)):
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The file of memory that a program shares may be made shorter by anybody who has it. What the device reaches beyond its end ends that
// program's session, and no other.
func TestAFileThatIsMadeShorterEndsItsOwnSessionAlone(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	env := in.clientEnv(a.socket)
	other, c := startClient(t, in, env), startClient(t, in, env)
	for _, client := range []*client{other, c} {
		client.expect("open", "0")
		client.expect("share", "0")
	}
	c.expect("shorten", deviceUnavailable)
	c.expect("call", deviceUnavailable)
	other.expect("call", "0")
	other.expect("share", "0")
	waitFor(t, "axond says what of", 10*time.Second, func() bool { return regexp.MustCompile(`signal.*bus error|SIGBUS|bus error`).MatchString(a.Log()) })
	c.expect("leave!", "what") // it lives on
}
