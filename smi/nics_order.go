// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// The kernel numbers devices that can RDMA as they come, and tells the numbers
// by netlink only: rdma(8), include/uapi/rdma/rdma_netlink.h.
const (
	rdmaGetDevices = 5<<10 | 1 // RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET
	rdmaIndex      = 1         // RDMA_NLDEV_ATTR_DEV_INDEX
	rdmaName       = 2         // RDMA_NLDEV_ATTR_DEV_NAME
)

// rdmaNumbers are by the devices' names; none where the kernel does not tell.
func rdmaNumbers() map[string]uint32 {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_RDMA)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	request := make([]byte, unix.NLMSG_HDRLEN)
	binary.NativeEndian.PutUint32(request, unix.NLMSG_HDRLEN)
	binary.NativeEndian.PutUint16(request[4:], rdmaGetDevices)
	binary.NativeEndian.PutUint16(request[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil
	}
	numbers := map[string]uint32{}
	b := make([]byte, 64<<10)
	for {
		n, _, err := unix.Recvfrom(fd, b, 0)
		if err != nil {
			return nil
		}
		more, ok := rdmaDevices(b[:n], numbers)
		if !ok {
			return nil
		}
		if !more {
			return numbers
		}
	}
}

// rdmaDevices adds what a datagram tells; more is false at the end, ok for what is none.
func rdmaDevices(b []byte, numbers map[string]uint32) (more, ok bool) {
	if len(b) == 0 {
		return false, false
	}
	for len(b) > 0 {
		message, rest, ok := cutNetlink(b, unix.NLMSG_HDRLEN, func(b []byte) int { return int(binary.NativeEndian.Uint32(b)) })
		if !ok {
			return false, false
		}
		b = rest
		switch binary.NativeEndian.Uint16(message[4:]) {
		case unix.NLMSG_DONE:
			return false, true
		case unix.NLMSG_ERROR:
			return false, false
		case rdmaGetDevices:
		default:
			continue
		}
		name, index := "", uint32(0)
		for attributes := message[unix.NLMSG_HDRLEN:]; len(attributes) > 0; {
			a, rest, ok := cutNetlink(attributes, unix.SizeofNlAttr, func(b []byte) int { return int(binary.NativeEndian.Uint16(b)) })
			if !ok {
				return false, false
			}
			attributes = rest
			value := a[unix.SizeofNlAttr:]
			switch binary.NativeEndian.Uint16(a[2:]) {
			case rdmaIndex:
				if len(value) == 4 {
					index = binary.NativeEndian.Uint32(value)
				}
			case rdmaName:
				name = string(bytes.TrimRight(value, "\x00"))
			}
		}
		if name != "" {
			numbers[name] = index
		}
	}
	return true, true
}

// cutNetlink takes off the first of what has its length in front and is padded to 4 bytes.
func cutNetlink(b []byte, head int, length func([]byte) int) (first, rest []byte, ok bool) {
	if len(b) < head {
		return nil, nil, false
	}
	n := length(b)
	if n < head || n > len(b) {
		return nil, nil, false
	}
	return b[:n], b[min((n+3)&^3, len(b)):], true
}
