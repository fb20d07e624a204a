// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestAUsersOtherNumbersAreItsOwn(t *testing.T) {
	rootOnly(t)
	if me := chargedFor(os.Getpid(), 77); me != 77 {
		t.Errorf("in axond's own namespace user 77 is %d", me)
	}
	dir, err := os.MkdirTemp("", "axond")
	must(t, err)
	defer os.RemoveAll(dir)
	must(t, os.Chmod(dir, 0o755))
	socket := filepath.Join(dir, "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: socket, Net: "unixpacket"})
	must(t, err)
	defer l.Close()
	must(t, l.SetDeadline(time.Now().Add(20*time.Second)))
	must(t, os.Chmod(socket, 0o666))
	for name, c := range map[string]struct {
		maker, uid, charged uint32
	}{
		"a user's":    {12345, 500003, 12345},
		"an engine's": {0, 500003, 500003},
	} {
		// It waits until it has its numbers, then is number 3 there and connects.
		cmd := exec.Command("unshare", "--user", "--keep-caps", "sh", "-c", `echo ready; read x; exec setpriv --reuid 3 "$0" sends "$1" /dev/null 1`, self, socket)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: c.maker, Gid: c.maker}, Pdeathsig: unix.SIGKILL}
		cmd.Stderr = os.Stderr
		in, out := must2(cmd.StdinPipe()), must2(cmd.StdoutPipe())
		must(t, cmd.Start())
		defer cmd.Wait()
		defer cmd.Process.Kill()
		if n, _ := out.Read(make([]byte, 6)); n == 0 {
			t.Skip("not shown: there are no user namespaces, or no unshare")
		}
		must(t, os.WriteFile(fmt.Sprintf("/proc/%d/uid_map", cmd.Process.Pid), []byte("0 500000 10\n"), 0))
		must2(in.Write([]byte{'\n'}))
		conn := must2(l.AcceptUnix())
		id := must2(Identify(conn))
		if id.UID != c.uid || id.Charged != c.charged {
			t.Errorf("%s: user %d is charged to %d, and %d to %d was expected", name, id.UID, id.Charged, c.uid, c.charged)
		}
		id.Close()
		conn.Close()
	}
}
