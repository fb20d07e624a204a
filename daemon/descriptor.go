// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// passTime is how long a worker may take to make room for a descriptor. Its
// main thread does nothing else than take them.
const passTime = 10 * time.Second

// descriptor is what a client sends for its worker: axond looks at neither the
// descriptor nor its number.
type descriptor struct {
	file    *os.File
	message []byte
}

var (
	errHungUp = errors.New("the client hung up")
	errSpoke  = errors.New("the client said something after its hello, which the protocol has no room for")
)

// receiveDescriptor reads the next message after a client's hello, which is a
// descriptor and nothing else. The error is why the session ends.
func receiveDescriptor(conn *net.UnixConn) (descriptor, error) {
	b := make([]byte, wire.DescriptorSize+1)
	// Room for two, as for the hello: the second shows that there are too many.
	oob := make([]byte, unix.CmsgSpace(2*4))
	n, oobn, flags, _, err := conn.ReadMsgUnix(b, oob)
	fds := received(oob[:oobn])
	le := binary.LittleEndian
	switch {
	case err == nil && n == wire.DescriptorSize && len(fds) == 1 && flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) == 0 &&
		le.Uint32(b) == wire.Magic && le.Uint32(b[4:]) == 0:
		return descriptor{os.NewFile(uintptr(fds[0]), "descriptor"), b[:n]}, nil
	case err != nil || n == 0 && len(fds) == 0:
		err = errHungUp
	default:
		err = errSpoke
	}
	for _, fd := range fds {
		unix.Close(fd)
	}
	return descriptor{}, err
}

// pass hands a descriptor on to the worker, as it came.
func (w *worker) pass(d descriptor) error {
	w.control.SetWriteDeadline(time.Now().Add(passTime))
	_, _, err := w.control.WriteMsgUnix(d.message, unix.UnixRights(int(d.file.Fd())), nil)
	return err
}
