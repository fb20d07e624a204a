// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/view"
	"nervlinux.org/axon/wire"
)

// hostileReader is a member of the group who wants others to notice.
type hostileReader struct {
	socket string
	end    time.Time
	rand   *rand.Rand
	conns  []*net.UnixConn
}

// hostileTime is how long one goes on.
const hostileTime = time.Second

// beHostile does everything at once.
func beHostile(socket string) {
	var all sync.WaitGroup
	for i, way := range []func(h *hostileReader){
		(*hostileReader).asksAnything, (*hostileReader).saysNonsense, (*hostileReader).asksAndDoesNotRead, (*hostileReader).connects,
		(*hostileReader).makesSets, (*hostileReader).waits, (*hostileReader).sendsDescriptors, (*hostileReader).looksAndDoesNotRead,
	} {
		for n := range uint64(2) {
			h := &hostileReader{socket: socket, end: time.Now().Add(hostileTime), rand: rand.New(rand.NewPCG(uint64(i), n))}
			all.Go(func() {
				for time.Now().Before(h.end) {
					way(h)
				}
			})
		}
	}
	all.Wait()
	fmt.Println("done")
}

// reader connects; nil if it may not now.
func (h *hostileReader) reader(library uint32) *net.UnixConn {
	c, err := dialPatiently(h.socket)
	if err != nil {
		return nil
	}
	c.SetDeadline(h.end)
	hello := wire.Hello{Version: wire.Version, Library: library}
	if library == wire.LibraryNVML {
		hello.Fingerprint = nvml.Fingerprint
	}
	c.Write(hello.Append(nil))
	if a, err := wire.ReceiveAnswer(c); err != nil || a.Status != wire.StatusOK {
		c.Close()
		return nil
	}
	return c
}

// keep keeps a connection open, and not too many.
func (h *hostileReader) keep(c *net.UnixConn) {
	if h.conns = append(h.conns, c); len(h.conns) > 200 {
		h.conns[0].Close()
		h.conns = h.conns[1:]
	}
}

func (h *hostileReader) frame() []byte {
	b := make([]byte, h.rand.IntN([]int{1, 9, 25, 4000, nvml.PacketMax - nvml.HeaderSize}[h.rand.IntN(5)]))
	for i := range b {
		if h.rand.IntN(4) == 0 {
			b[i] = byte(h.rand.Uint32())
		}
	}
	return b
}

func (h *hostileReader) asksAnything() {
	c := h.reader(wire.LibraryNVML)
	if c == nil {
		return
	}
	defer c.Close()
	b := make([]byte, nvml.PacketMax)
	for range 100 {
		call := nvmlCalls[1+h.rand.IntN(len(nvmlCalls)-1)]
		in := h.frame()
		if h.rand.IntN(2) == 0 {
			in = append(in, make([]byte, call.InSize)...)[:call.InSize]
		}
		if call.Name == "nvmlDeviceGetTemperature" { // the fake library dies of some
			continue
		}
		c.Write(request(7, call.number, 0, uint32(len(in)), in)) // the same id each time
		if h.rand.IntN(3) > 0 {
			c.SetReadDeadline(time.Now().Add(time.Millisecond))
			c.Read(b)
		}
	}
}

func (h *hostileReader) saysNonsense() {
	c := h.reader(wire.LibraryNVML)
	if c == nil {
		return
	}
	defer c.Close()
	for _, b := range hostileRequests() {
		if h.rand.IntN(3) == 0 {
			c.Write(b)
		}
	}
	if h.rand.IntN(2) == 0 {
		c.CloseWrite()
	} else {
		c.CloseRead()
	}
}

func (h *hostileReader) asksAndDoesNotRead() {
	c := h.reader(wire.LibraryNVML)
	if c == nil {
		return
	}
	h.keep(c)
	c.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	call := nvmlCalls.named("nvmlDeviceGetUUID")
	for err := error(nil); err == nil; {
		in := nvmlFrame{call.In, make([]byte, call.InSize)}
		in.put("device", uint64(h.rand.Uint32()))
		in.put("length", 96)
		_, err = c.Write(request(h.rand.Uint32(), call.number, 0, uint32(len(in.b)), in.b))
	}
}

func (h *hostileReader) connects() {
	if c, err := dialPatiently(h.socket); err == nil {
		h.keep(c)
	}
}

func (h *hostileReader) makesSets() {
	c := h.reader(wire.LibraryNVML)
	if c == nil {
		return
	}
	h.keep(c)
	c.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	for range 50 {
		c.Write(request(1, nvml.CallEventSetCreate, 0, 0, nil))
	}
}

func (h *hostileReader) waits() {
	c := h.reader(wire.LibraryNVML)
	if c == nil {
		return
	}
	h.keep(c)
	call := nvmlCalls.of(nvml.CallEventSetWait_v2)
	in := nvmlFrame{call.In, make([]byte, call.InSize)}
	in.put("timeoutms", 1<<32-1)
	for range 2 * nvmlWaitsOfOne {
		c.Write(request(1, call.number, 0, uint32(len(in.b)), in.b))
	}
}

func (h *hostileReader) sendsDescriptors() {
	fds := make([]int, h.rand.IntN(200)) // all this process's input
	c, err := dialPatiently(h.socket)
	if err != nil {
		return
	}
	defer c.Close()
	hello := wire.Hello{Version: wire.Version, Library: h.rand.Uint32N(6), Fingerprint: nvml.Fingerprint}
	c.WriteMsgUnix(hello.Append(nil), unix.UnixRights(fds...), nil)
	c.WriteMsgUnix(request(1, nvml.CallDeviceGetCount_v2, 0, 0, nil), unix.UnixRights(fds...), nil)
}

func (h *hostileReader) looksAndDoesNotRead() {
	c := h.reader(wire.LibraryView)
	if c == nil {
		return
	}
	h.keep(c)
	c.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	for range 1000 {
		if _, err := c.Write([]byte{1, 0, 0, 0, view.WhatMachine, 0, 0, 0}); err != nil {
			break
		}
	}
}

func TestNobodyNoticesAHostileReader(t *testing.T) {
	rootOnly(t)
	a := startAxond(t, nil)
	if !a.Policy.HasGroup {
		t.Skip("there is no group video, so nobody else may read")
	}
	session := a.mustOpen(t)
	other := a.nvml(t)
	looks := a.view(t)
	pid := workerPID(t, other)
	look := func() {
		t.Helper()
		began := time.Now()
		fresh, err := nvml.Dial(a.socket)
		must(t, err)
		defer fresh.Close()
		for _, c := range []*nvml.Client{other, fresh} {
			if n := good[uint32](t)(c.DeviceGetCount_v2()); n != 2 {
				t.Errorf("there are %d GPUs", n)
			}
		}
		if m, err := looks.Machine(t.Context()); err != nil || len(m.Sessions) != 1 {
			t.Errorf("the view: %+v, %v", m, err)
		}
		set, ret := fresh.EventSetCreate()
		if ret != nvml.SUCCESS {
			t.Errorf("there is no set of events for another: %v", ret)
		} else if _, ret := fresh.EventSetWait_v2(set, 1); ret != nvml.ERROR_TIMEOUT {
			t.Errorf("another waits for no event: %v", ret)
		}
		if took := time.Since(began); took > readerTime {
			t.Errorf("a look took %v", took)
		}
	}
	nothingLeaks(t, func() {
		look()
		var users []*exec.Cmd
		done := make(chan error, 2)
		for uid := range uint32(2) {
			cmd := exec.Command(self, "hostile", a.socket)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345 + uid, Gid: 12346, Groups: []uint32{a.Policy.GID}}, Pdeathsig: unix.SIGKILL}
			cmd.Stderr = os.Stderr
			must(t, cmd.Start())
			go func() { done <- cmd.Wait() }()
			users = append(users, cmd)
		}
		for range users {
			for over := false; !over; {
				select {
				case err := <-done:
					must(t, err)
					over = true
				default:
					look()
				}
			}
		}
		look()
	})
	for _, says := range []string{"uid=12345", "uid=12346", "a reader of NVML was hung up on", "a call that waits for an event was refused", "reader refused", "session refused"} {
		if a.logged(says) == 0 {
			t.Errorf("nothing is shown: the log has no %q", says)
		}
	}
	if now := workerPID(t, other); now != pid || !running(session.worker.PID) || a.logged("was lost") != 0 {
		t.Errorf("the telemetry worker %d is %d, and the session's lives: %v", pid, now, running(session.worker.PID))
	}
}
