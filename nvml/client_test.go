// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"testing"

	"nervlinux.org/axon/wire"
)

// request is what a client sent.
type request struct {
	id, call uint32
	in       []byte
}

// fakeAxond answers one client at a socket as serve says.
func fakeAxond(t *testing.T, status uint32, serve func(*net.UnixConn)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	go func() {
		defer close(done)
		conn, err := l.AcceptUnix()
		if err != nil {
			return
		}
		defer conn.Close()
		buf := make([]byte, PacketMax)
		n, err := conn.Read(buf)
		if err != nil {
			t.Errorf("the hello: %v", err)
			return
		}
		h, err := wire.ParseHello(buf[:n])
		if err != nil || h.Library != wire.LibraryNVML || h.Fingerprint != Fingerprint {
			t.Errorf("the hello: %+v, %v", h, err)
		}
		a := wire.Answer{Version: wire.Version, Status: status, Text: "why"}
		conn.Write(a.Append(nil))
		if status == wire.StatusOK {
			serve(conn)
		}
	}()
	return path
}

func receive(conn *net.UnixConn) (request, error) {
	buf := make([]byte, PacketMax)
	n, err := conn.Read(buf)
	if err != nil {
		return request{}, err
	}
	if n < HeaderSize || le.Uint32(buf[8:]) != 0 || int(le.Uint32(buf[12:])) != n-HeaderSize {
		return request{}, fmt.Errorf("a request of %d bytes: % x", n, buf[:min(n, HeaderSize)])
	}
	return request{le.Uint32(buf), le.Uint32(buf[4:]), buf[HeaderSize:n]}, nil
}

func reply(conn *net.UnixConn, id uint32, ret Return, out []byte) {
	b := make([]byte, HeaderSize)
	le.PutUint32(b, id)
	le.PutUint32(b[4:], uint32(ret))
	le.PutUint32(b[12:], uint32(len(out)))
	conn.Write(append(b, out...))
}

func dial(t *testing.T, socket string) *Client {
	t.Helper()
	c, err := Dial(socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCallsCarryTheirArgumentsAndAnswers(t *testing.T) {
	c := dial(t, fakeAxond(t, wire.StatusOK, func(conn *net.UnixConn) {
		for {
			r, err := receive(conn)
			if err != nil {
				return
			}
			switch r.call {
			case CallDeviceGetName:
				out := make([]byte, 96)
				copy(out, fmt.Sprintf("GPU %d", le.Uint64(r.in)))
				reply(conn, r.id, SUCCESS, out)
			case CallDeviceGetMemoryInfo_v2:
				m := Memory_v2{}
				m.Get(r.in[16:])
				m.Total, m.Reserved, m.Free, m.Used = uint64(m.Version), 1, 2, 3
				out := make([]byte, m.Sizeof())
				m.Put(out)
				reply(conn, r.id, SUCCESS, out)
			case CallDeviceGetFieldValues:
				reply(conn, r.id, SUCCESS, r.in[16:])
			case CallDeviceGetComputeRunningProcesses_v3:
				out := make([]byte, 8+24*le.Uint32(r.in[8:]))
				le.PutUint32(out, 100)
				if le.Uint32(r.in[8:]) < 100 {
					reply(conn, r.id, ERROR_INSUFFICIENT_SIZE, out)
					continue
				}
				for i := range 100 {
					p := ProcessInfo{Pid: uint32(1000 + i), UsedGpuMemory: uint64(i) << 30, GpuInstanceId: 0xffffffff}
					p.Put(out[8+24*i:])
				}
				reply(conn, r.id, SUCCESS, out)
			default:
				reply(conn, r.id, ERROR_NOT_SUPPORTED, nil)
			}
		}
	}))
	if name, ret := c.DeviceGetName(3); name != "GPU 3" || ret != SUCCESS {
		t.Errorf("the name: %q, %v", name, ret)
	}
	m := Memory_v2{}
	if ret := c.DeviceGetMemoryInfo_v2(1, &m); ret != SUCCESS || m.Total != 2<<24|40 || m.Used != 3 {
		t.Errorf("memory: %+v, %v", m, ret)
	}
	values := []FieldValue{{FieldId: 83, ScopeId: 1}, {FieldId: 160}}
	if ret := c.DeviceGetFieldValues(1, values); ret != SUCCESS || values[0].FieldId != 83 || values[1].FieldId != 160 || values[0].ScopeId != 1 {
		t.Errorf("field values: %+v, %v", values, ret)
	}
	p, ret := c.DeviceGetComputeRunningProcesses_v3(1)
	if ret != SUCCESS || len(p) != 100 || p[99].Pid != 1099 || p[99].UsedGpuMemory != 99<<30 {
		t.Errorf("%d processes, %v", len(p), ret)
	}
	if _, ret := c.DeviceGetFanSpeed(1); ret != ERROR_NOT_SUPPORTED {
		t.Errorf("a fan: %v", ret)
	}
}

// The other end answers nothing before it has the whole lot, and then from the last to the first.
func TestCallsThatAreSentAheadAreWaitedForOnce(t *testing.T) {
	const n = 300
	c := dial(t, fakeAxond(t, wire.StatusOK, func(conn *net.UnixConn) {
		var all []request
		for len(all) < n {
			r, err := receive(conn)
			if err != nil {
				t.Errorf("after %d requests: %v", len(all), err)
				return
			}
			all = append(all, r)
		}
		for i := range all {
			r := all[n-1-i]
			out := make([]byte, 8)
			le.PutUint32(out, uint32(le.Uint64(r.in))*1000)
			reply(conn, r.id, SUCCESS, out)
		}
	}))
	c.Ahead(func(a *Client) {
		for d := range n {
			if _, ret := a.DeviceGetPowerUsage(Device(d)); ret != ERROR_NOT_READY {
				t.Errorf("a call ahead answers %v", ret)
			}
		}
	})
	for d := range n {
		if mw, ret := c.DeviceGetPowerUsage(Device(d)); ret != SUCCESS || mw != uint32(d)*1000 {
			t.Errorf("device %d: %d mW, %v", d, mw, ret)
		}
	}
}

// What measures the traffic to the GPU comes when all other answers are there, wherever it was asked for.
func TestTrafficIsMeasuredWhenNothingElseIsAsked(t *testing.T) {
	const others = 40
	c := dial(t, fakeAxond(t, wire.StatusOK, func(conn *net.UnixConn) {
		var all []request
		for range others + 2 {
			r, err := receive(conn)
			if err != nil {
				t.Errorf("after %d requests: %v", len(all), err)
				return
			}
			if measures := r.call == CallDeviceGetPcieThroughput; measures != (len(all) >= others) {
				t.Errorf("request %d: call %d", len(all), r.call)
			}
			all = append(all, r)
			if len(all) == others {
				for _, r := range all {
					reply(conn, r.id, SUCCESS, make([]byte, 8))
				}
			}
		}
		for i, r := range all[others:] {
			out := make([]byte, 8)
			le.PutUint32(out, uint32(i+1))
			reply(conn, r.id, SUCCESS, out)
		}
	}))
	ask := func(c *Client) (kbs uint32) {
		for d := range others {
			c.DeviceGetPowerUsage(Device(d))
			if d < 2 {
				n, _ := c.DeviceGetPcieThroughput(1, PcieUtilCounter(d))
				kbs += n
			}
		}
		return kbs
	}
	c.Ahead(func(c *Client) { ask(c) })
	if kbs := ask(c); kbs != 3 {
		t.Errorf("%d KB/s", kbs)
	}
}

// An answer that an earlier Ahead asked for is not asked for again; one that was taken, or is wanted twice, is.
func TestWhatIsOnItsWayIsNotSentAgain(t *testing.T) {
	c := dial(t, fakeAxond(t, wire.StatusOK, func(conn *net.UnixConn) {
		for n := uint32(1); ; n++ {
			r, err := receive(conn)
			if err != nil {
				return
			}
			out := make([]byte, 8)
			le.PutUint32(out, n)
			reply(conn, r.id, SUCCESS, out)
		}
	}))
	count := func(c *Client) uint32 {
		n, _ := c.DeviceGetCount_v2()
		return n
	}
	once := func(c *Client) { count(c) }
	c.Ahead(once)
	c.Ahead(once)
	if n := count(c); n != 1 {
		t.Errorf("answer %d", n)
	}
	if n := count(c); n != 2 {
		t.Errorf("once more: answer %d", n)
	}
	c.Ahead(once)
	c.Ahead(func(c *Client) { count(c); count(c) })
	if a, b := count(c), count(c); a != 3 || b != 4 {
		t.Errorf("twice: answers %d and %d", a, b)
	}
	if n := count(c); n != 5 {
		t.Errorf("afterwards: answer %d", n)
	}
}

func TestAnEndOfTheConnectionEndsEveryCall(t *testing.T) {
	for _, last := range [][]byte{nil, {1}, make([]byte, HeaderSize), {9: 1, 15: 0}} {
		c := dial(t, fakeAxond(t, wire.StatusOK, func(conn *net.UnixConn) {
			receive(conn)
			if last != nil { // a packet that is none, or answers nothing
				conn.Write(last)
				receive(conn)
			}
		}))
		if _, ret := c.DeviceGetName(1); ret != ERROR_UNKNOWN {
			t.Errorf("% x: %v", last, ret)
		}
		if _, ret := c.DeviceGetName(1); ret != ERROR_UNINITIALIZED {
			t.Errorf("% x, afterwards: %v", last, ret)
		}
	}
}

func TestARefusalSaysWhatNVMLWouldAnswer(t *testing.T) {
	for status, want := range map[uint32]Return{
		wire.StatusNotAdmitted: ERROR_NO_PERMISSION,
		wire.StatusMismatch:    ERROR_LIB_RM_VERSION_MISMATCH,
		wire.StatusNoWorker:    ERROR_DRIVER_NOT_LOADED,
		wire.StatusBusy:        ERROR_UNKNOWN,
	} {
		_, err := Dial(fakeAxond(t, status, nil))
		var ret Return
		if !errors.As(err, &ret) || ret != want || err.Error() != "why" {
			t.Errorf("status %d: %v, %v", status, ret, err)
		}
	}
	_, err := Dial(filepath.Join(t.TempDir(), "nobody"))
	var ret Return
	if !errors.As(err, &ret) || ret != ERROR_DRIVER_NOT_LOADED {
		t.Errorf("without axond: %v", err)
	}
}
