// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// pair is a connection and its other end.
func pair(t *testing.T) (*net.UnixConn, int) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	file := os.NewFile(uintptr(fds[0]), "ours")
	conn, err := net.FileConn(file)
	must(t, err)
	file.Close()
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.UnixConn), fds[1]
}

func descriptorMessage(magic, zero uint32, number uint64) []byte {
	le := binary.LittleEndian
	return le.AppendUint64(le.AppendUint32(le.AppendUint32(nil, magic), zero), number)
}

// What a client sends after its hello must be a descriptor, or its session
// ends; whatever came with it is closed, or axond runs out of descriptors.
func TestOddDescriptorsEndTheSessionAndLeaveNothing(t *testing.T) {
	good := descriptorMessage(wire.Magic, 0, 7)
	s := New(Config{})
	for name, m := range map[string]struct {
		bytes []byte
		fds   int
	}{
		"none":          {good, 0},
		"two":           {good, 2},
		"many":          {good, 200},
		"short":         {good[:8], 1},
		"long":          {append(good[:16:16], 0), 1},
		"another magic": {descriptorMessage(1, 0, 7), 1},
		"another kind":  {descriptorMessage(wire.Magic, 1, 7), 1},
	} {
		t.Run(name, func(t *testing.T) {
			conn, theirs := pair(t)
			fds := make([]int, m.fds)
			for i := range fds {
				fds[i] = 2
			}
			var rights []byte
			if m.fds > 0 {
				rights = unix.UnixRights(fds...)
			}
			must(t, unix.Sendmsg(theirs, m.bytes, rights, nil, 0))
			control, _ := pair(t)
			w := &worker{control: control}
			must(t, nextMessage(conn))
			before := len(openFDs())
			if err := s.passOn(conn, 7, w); !errors.Is(err, errSpoke) {
				t.Errorf("%v", err)
			}
			if now := len(openFDs()); now != before {
				t.Errorf("%d descriptors are open, %d were", now, before)
			}
			unix.Close(theirs)
			if err := nextMessage(conn); !errors.Is(err, errHungUp) {
				t.Errorf("after the hang-up: %v", err)
			}
		})
	}
}

func TestADescriptorIsHandedOnAsItCame(t *testing.T) {
	conn, theirs := pair(t)
	control, other := pair(t)
	defer unix.Close(theirs)
	defer unix.Close(other)
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	must(t, unix.Sendmsg(theirs, descriptorMessage(wire.Magic, 0, 9), unix.UnixRights(int(w.Fd())), nil, 0))
	w.Close()
	must(t, nextMessage(conn))
	must(t, New(Config{}).passOn(conn, 7, &worker{control: control}))

	b, oob := make([]byte, 64), make([]byte, unix.CmsgSpace(8))
	n, oobn, _, _, err := unix.Recvmsg(other, b, oob, unix.MSG_CMSG_CLOEXEC)
	must(t, err)
	fds := received(oob[:oobn])
	if string(b[:n]) != string(descriptorMessage(wire.Magic, 0, 9)) || len(fds) != 1 {
		t.Fatalf("the worker gets %x with %d descriptors", b[:n], len(fds))
	}
	unix.Write(fds[0], []byte("through"))
	unix.Close(fds[0])
	if n, _ := r.Read(b); string(b[:n]) != "through" {
		t.Errorf("the worker's descriptor is another: %q", b[:n])
	}
}
