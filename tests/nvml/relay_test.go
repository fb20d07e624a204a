// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

const (
	packetMax = 128 << 10
	forget    = 0xffffffff
)

// build is the folder of what make has built.
func build(t testing.TB) string {
	b := os.Getenv("AXON_BUILD")
	if b == "" {
		b = "../../build"
	}
	b, err := filepath.Abs(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"libexec/axon-worker", "lib/libnvidia-ml.so.1", "softgpu/libnvidia-ml.so.1"} {
		if _, err := os.Stat(filepath.Join(b, f)); err != nil {
			t.Skipf("%v; make builds it", err)
		}
	}
	return b
}

// A worker is a telemetry worker.
type worker struct {
	t    testing.TB
	conn *net.UnixConn
	cmd  *exec.Cmd
	init uint32 // what the vendor's nvmlInit said
}

// startWorker starts one on softgpu with these variables in its environment.
func startWorker(t testing.TB, env ...string) *worker {
	t.Helper()
	w, status, text := tryWorker(t, filepath.Join(build(t), "softgpu"), []string{"--telemetry", "--confine", "on"}, env...)
	if status != wire.StatusOK {
		t.Fatalf("the worker is not ready: status %d, %s", status, text)
	}
	return w
}

// tryWorker starts one with these arguments, and gives what it says of itself.
func tryWorker(t testing.TB, vendor string, args []string, env ...string) (w *worker, status uint32, text string) {
	t.Helper()
	b := build(t)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "control")
	defer theirs.Close()
	defer ours.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"--library", "nvml", "--vendor", vendor}, args...)
	w = &worker{t: t, conn: conn.(*net.UnixConn), cmd: exec.Command(filepath.Join(b, "libexec/axon-worker"), args...)}
	w.cmd.Env = append(os.Environ(), env...)
	w.cmd.Stderr = os.Stderr
	w.cmd.ExtraFiles = []*os.File{nil, theirs}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.end)
	w.conn.SetDeadline(time.Now().Add(time.Minute))
	m := make([]byte, 4096)
	n, err := w.conn.Read(m)
	if err != nil || n < 12 {
		t.Fatalf("the worker does not say that it is ready: %d bytes, %v", n, err)
	}
	w.init = binary.LittleEndian.Uint32(m[4:])
	return w, binary.LittleEndian.Uint32(m), string(m[12:n])
}

func (w *worker) end() {
	w.conn.Close()
	w.cmd.Wait()
}

// dead says how it ended, which it must within a moment.
func (w *worker) dead() error {
	w.t.Helper()
	done := make(chan error, 1)
	go func() { done <- w.cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(30 * time.Second):
		w.t.Fatal("the worker goes on")
		return nil
	}
}

// packet is a request or an answer.
func packet(id, call, owner uint32, frame []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, id)
	b = le.AppendUint32(b, call)
	b = le.AppendUint32(b, owner)
	b = le.AppendUint32(b, uint32(len(frame)))
	return append(b, frame...)
}

// A relay is in the place of axond: it admits everybody and hands packets to and fro.
type relay struct {
	t      *testing.T
	path   string
	listen *net.UnixListener
	worker *worker

	answer func(hello wire.Hello) wire.Answer // nil: all are admitted
	spoil  func(answer []byte) []byte         // nil: answers go on as they are; what it returns nil for is a hang-up

	mu      sync.Mutex
	next    uint32
	clients map[uint32]*net.UnixConn
	ids     map[uint32]uint32 // the worker's to the client's
}

// startRelay listens in a folder of its own.
func startRelay(t *testing.T, w *worker) *relay {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon-nvml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &relay{t: t, path: filepath.Join(dir, "sock"), worker: w, clients: map[uint32]*net.UnixConn{}, ids: map[uint32]uint32{}}
	r.start()
	t.Cleanup(r.stop)
	go r.answers()
	return r
}

func (r *relay) start() {
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: r.path, Net: "unixpacket"})
	if err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	r.listen = l
	r.mu.Unlock()
	go func() {
		for {
			c, err := l.AcceptUnix()
			if err != nil {
				return
			}
			go r.serve(c)
		}
	}()
}

// stop hangs up on everybody, as an axond that ends does.
func (r *relay) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listen.Close()
	for _, c := range r.clients {
		c.Close()
	}
}

func (r *relay) serve(c *net.UnixConn) {
	defer c.Close()
	b := make([]byte, packetMax+1)
	n, err := c.Read(b)
	if err != nil {
		return
	}
	h, err := wire.ParseHello(b[:n])
	if err != nil || h.Library != wire.LibraryNVML {
		r.t.Errorf("the hello: library %d, %v", h.Library, err)
		return
	}
	a := wire.Answer{Version: wire.Version}
	if r.answer != nil {
		a = r.answer(h)
	}
	if wire.SendAnswer(c, &a) != nil || a.Status != wire.StatusOK {
		return
	}
	r.mu.Lock()
	r.next++
	owner := r.next
	r.clients[owner] = c
	r.mu.Unlock()
	le := binary.LittleEndian
	for {
		n, err := c.Read(b)
		if err != nil || n == 0 {
			break
		}
		if n < 16 || int(le.Uint32(b[12:])) != n-16 || le.Uint32(b[8:]) != 0 {
			r.t.Errorf("a request of %d bytes: % x", n, b[:min(n, 16)])
			break
		}
		r.mu.Lock()
		r.next++
		id := r.next
		r.ids[id] = le.Uint32(b)
		r.mu.Unlock()
		if _, err := r.worker.conn.Write(packet(id, le.Uint32(b[4:]), owner, b[16:n])); err != nil {
			break
		}
	}
	r.mu.Lock()
	delete(r.clients, owner)
	r.mu.Unlock()
	r.worker.conn.Write(packet(0, forget, owner, nil))
}

func (r *relay) answers() {
	b := make([]byte, packetMax+1)
	le := binary.LittleEndian
	for {
		n, err := r.worker.conn.Read(b)
		if err != nil || n < 16 {
			if err != io.EOF && n != 0 {
				r.t.Logf("the worker's end: %d bytes, %v", n, err)
			}
			return
		}
		r.mu.Lock()
		c := r.clients[le.Uint32(b[8:])]
		id := r.ids[le.Uint32(b)]
		delete(r.ids, le.Uint32(b))
		r.mu.Unlock()
		if c == nil {
			continue
		}
		le.PutUint32(b, id)
		le.PutUint32(b[8:], 0)
		out := b[:n]
		if r.spoil != nil {
			out = r.spoil(out)
		}
		if out == nil {
			c.Close()
			continue
		}
		c.Write(out)
	}
}
