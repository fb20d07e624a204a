// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhoMayNotUseASocketHearsWhoMay(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	mine, err := user.LookupGroupId(me.Gid)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "sock")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: socket}); err != nil {
		t.Fatal(err)
	}
	join, own := "usermod -aG "+mine.Name+" "+me.Username+")", "it is "+me.Username+"'s own"
	if me.Gid == "0" {
		if err := Unreachable(unix.EACCES, socket, "elsewhere"); !strings.Contains(err.Error(), own) {
			t.Errorf("somebody is to join root's group: %v", err)
		}
		if err := os.Chown(socket, -1, 12347); err != nil {
			t.Fatal(err)
		}
		join = "usermod -aG 12347 " + me.Username + ")"
	}
	for mode, want := range map[fs.FileMode]string{0o660: join, 0o600: own} {
		if err := os.Chmod(socket, mode); err != nil {
			t.Fatal(err)
		}
		if err := Unreachable(unix.EACCES, socket, "elsewhere"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", mode, err)
		}
	}
	if err := Unreachable(unix.EACCES, "/nowhere/sock", "elsewhere"); !strings.Contains(err.Error(), "usermod -aG video "+me.Username+")") {
		t.Errorf("a socket that cannot be seen: %v", err)
	}
}
