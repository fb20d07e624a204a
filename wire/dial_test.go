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
	for mode, want := range map[fs.FileMode]string{
		0o660: "usermod -aG " + mine.Name + " " + me.Username + ")",
		0o600: "it is " + me.Username + "'s own",
	} {
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
