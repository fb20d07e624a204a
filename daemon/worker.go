// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// readyBytes is the fixed part of a worker's first control message: status,
// result of the library's initialisation, bytes of text that follow.
const readyBytes = 12

// readyTextMax bounds that text, bytes.
const readyTextMax = 4096

// workerLines is how many lines of one worker reach the log: what a worker
// prints, a client can provoke.
const workerLines = 1000

// Ready is a worker's first control message.
type Ready struct {
	Status uint32 // one of wire's Status constants
	Result uint32 // of the library
	Text   string
}

// ParseReady reads a worker's first control message. A worker that has served
// a hostile client is no more to be trusted than that.
func ParseReady(b []byte) (Ready, error) {
	var r Ready
	if len(b) < readyBytes {
		return r, fmt.Errorf("the worker's first message has %d bytes, at least %d were expected", len(b), readyBytes)
	}
	le := binary.LittleEndian
	r.Status, r.Result = le.Uint32(b), le.Uint32(b[4:])
	if n := le.Uint32(b[8:]); n > readyTextMax || int(n) != len(b)-readyBytes {
		return r, fmt.Errorf("the worker's first message announces %d bytes of text and carries %d", n, len(b)-readyBytes)
	}
	r.Text = printable(string(b[readyBytes:]), readyTextMax)
	return r, nil
}

// workerEnv is a worker's environment: where the vendor's library is, and of
// the client's variables those that the vendor's library reads. Where the
// client keeps its files is of use only to a worker that runs as the client; a
// worker that has a folder of axond's has that for everything.
func workerEnv(client []string, vendor string, ownsHome bool, cache string) []string {
	env := []string{"LD_LIBRARY_PATH=" + vendor}
	path := "PATH=/usr/local/bin:/usr/bin:/bin"
	seen := map[string]bool{}
	if cache != "" {
		ownsHome = false
		env = append(env, "HOME="+cache, "TMPDIR="+cache, "CUDA_CACHE_PATH="+cache)
	}
	for _, e := range client {
		name, value, ok := strings.Cut(e, "=")
		if !ok || seen[name] {
			continue // getenv finds the first of two
		}
		seen[name] = true
		switch {
		case name == "PATH" && ownsHome:
			path = "PATH=" + value
		case name == "HOME", name == "TMPDIR", name == "CUDA_CACHE_PATH":
			if ownsHome {
				env = append(env, e)
			}
		case driverReads(name):
			env = append(env, e)
		}
	}
	return append(env, path)
}

// driverReads says whether a variable is one for the vendor's library. Those
// that make it load other people's code into the worker (CUDA_INJECTION64_PATH,
// NVIDIA's tools) are not: that code belongs in the client.
func driverReads(name string) bool {
	if strings.Contains(name, "INJECTION") {
		return false
	}
	for _, prefix := range []string{"CUDA_", "NVIDIA_", "SOFTGPU_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// CloseInheritedOnExec keeps what axond inherited from whoever started it from
// its workers, which run as other users. What Go opens is closed on exec anyway.
func CloseInheritedOnExec() error {
	err := unix.CloseRange(3, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil || !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	// Before Linux 5.11.
	fds, err := os.ReadDir("/proc/self/fd")
	for _, e := range fds {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return err
}

// workerSpec is what a worker is started with.
type workerSpec struct {
	path        string
	library     Library
	vendor      string
	session     uint32
	env         []string
	client      uint32              // its uid
	cred        *syscall.Credential // nil: as axond
	cage        *Confinement
	cache       string   // folder that it may write, "" for none of axond's
	region      *os.File // nil if warm
	account     *os.File // likewise
	limits      Limits
	description string
	hold        bool         // it waits for release before it does anything
	log         *slog.Logger // its output goes there

	telemetry string              // the option that makes it a telemetry worker, "" if it is a session's
	packets   func(b []byte) bool // then: takes what it says after it is ready; false ends that
	packetMax int                 // the most bytes of these

	warm    bool // it gets its session later, from handOver
	context bool // and has a context by then
}

func (spec *workerSpec) args() []string {
	args := append([]string{spec.path, "--library", spec.library.String(), "--vendor", spec.vendor}, spec.cage.args(spec.cache)...)
	switch {
	case spec.telemetry != "":
		return append(args, spec.telemetry)
	case spec.context:
		args = append(args, "--warm-context")
	case spec.warm:
		args = append(args, "--warm")
	default:
		args = append(args, "--session", strconv.FormatUint(uint64(spec.session), 10), "--account")
	}
	if spec.hold {
		args = append(args, "--hold")
	}
	return args
}

// worker is a running axon-worker. It must be ended with end.
type worker struct {
	pid         int
	born        uint64 // see process
	control     *net.UnixConn
	ready       chan Ready    // its message, or what went wrong instead; a warm one's second follows handOver
	dead        chan struct{} // closed when it has exited and was reaped
	heard       chan struct{} // closed when all it said was read
	asked       chan struct{} // it wants its limit (lastAsk); one may stand for several
	checkpoints *checkpoints

	cmd     *exec.Cmd // nil if an earlier axond started it
	pidfd   *os.File
	output  *os.File
	left    func()        // it is dead: gives up what it was started in; nil if that is none of this axond's
	hold    *os.File      // the pipe that it waits at, nil if it does not
	logEnd  chan struct{} // closed when its output has ended
	lastAsk atomic.Pointer[wire.Ask]

	packets   func(b []byte) bool // of a telemetry worker's, after its first message
	packetMax int

	mu   sync.Mutex
	last string       // line that it printed
	log  *slog.Logger // of its session
}

// startWorker starts axon-worker and the goroutines that listen to it.
func startWorker(spec workerSpec) (*worker, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("the control socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "control")
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	ours.Close()
	if err != nil {
		return nil, fmt.Errorf("the control socket: %w", err)
	}
	w := newWorker(conn.(*net.UnixConn), spec.log)
	out, outTheirs, err := os.Pipe()
	if err != nil {
		w.control.Close()
		return nil, fmt.Errorf("the worker's output: %w", err)
	}
	defer outTheirs.Close()
	w.output = out
	var holdTheirs *os.File
	if spec.hold {
		if holdTheirs, w.hold, err = os.Pipe(); err != nil {
			w.control.Close()
			out.Close()
			return nil, fmt.Errorf("the pipe that the worker waits at: %w", err)
		}
		defer holdTheirs.Close()
	}

	pidfd := -1
	w.cmd = &exec.Cmd{
		Path:       spec.path,
		Args:       spec.args(),
		Env:        spec.env,
		Dir:        "/",
		Stdout:     outTheirs,
		Stderr:     outTheirs,
		ExtraFiles: []*os.File{spec.region, theirs, spec.account, holdTheirs}, // 3 to 6; nil is closed
		SysProcAttr: &syscall.SysProcAttr{
			Setpgid:    true, // a terminal's Ctrl-C is axond's, not its workers'
			Credential: spec.cred,
			PidFD:      &pidfd,
		},
	}
	if w.left, err = spec.cage.start(w.cmd, spec.client); err != nil {
		w.closeAll()
		return nil, fmt.Errorf("starting %s: %w", spec.path, err)
	}
	w.pid = w.cmd.Process.Pid
	w.born = born(w.pid) // it is not reaped yet
	if pidfd < 0 {
		err = errors.New("the kernel gives no pidfds; axond needs Linux 5.3 or newer")
	} else {
		w.pidfd, err = pollable(pidfd, "pidfd of the worker")
	}
	if err != nil {
		w.kill()
		w.cmd.Wait()
		w.left()
		w.closeAll()
		return nil, err
	}
	messages := 1
	if spec.warm {
		messages = 2
	}
	w.packets, w.packetMax = spec.packets, spec.packetMax
	w.listen(messages)
	return w, nil
}

func newWorker(control *net.UnixConn, log *slog.Logger) *worker {
	return &worker{control: control, ready: make(chan Ready, 2), dead: make(chan struct{}), asked: make(chan struct{}, 1),
		heard: make(chan struct{}), logEnd: make(chan struct{}), log: log, checkpoints: newCheckpoints()}
}

// closeAll is for one that never ran.
func (w *worker) closeAll() {
	w.control.Close()
	w.output.Close()
	if w.hold != nil {
		w.hold.Close()
	}
}

// listen starts the goroutines that listen to a worker, which has yet to say
// so many times that it is ready.
func (w *worker) listen(messages int) {
	go w.readOutput(w.output)
	go w.readControl(messages)
	go w.reap()
}

// lastReady is what a worker that is dead had said last of whether it is ready,
// if that has not been taken yet.
func (w *worker) lastReady() (Ready, bool) {
	late := time.NewTimer(workerPatience)
	defer late.Stop()
	select {
	case <-w.heard: // its death may be known before its last words are
	case <-late.C:
	}
	select {
	case r := <-w.ready:
		return r, true
	default:
		return Ready{}, false
	}
}

// release has a worker that waits begin.
func (w *worker) release() error {
	if w.hold == nil {
		return nil
	}
	_, err := w.hold.Write([]byte{1})
	w.hold.Close()
	w.hold = nil
	return err
}

// readControl reads what the worker says: first so many times that it is ready,
// then that it wants its limit, or what came of a checkpoint, or a telemetry worker's packets. It ends with
// the worker or the control socket.
func (w *worker) readControl(messages int) {
	defer close(w.heard)
	b := make([]byte, max(readyBytes+readyTextMax, w.packetMax+1))
	for {
		n, err := w.control.Read(b)
		if err != nil || n == 0 {
			return // the worker's death says more
		}
		if messages > 0 {
			messages--
			r, err := ParseReady(b[:n])
			if err != nil {
				r = Ready{Status: wire.StatusNoWorker, Text: err.Error()}
			}
			w.ready <- r
			continue
		}
		if w.packets != nil {
			if !w.packets(b[:n]) {
				return
			}
			continue
		}
		if o, ok := wire.ParseCheckpointOrder(b[:n]); ok {
			w.checkpoints.answered(o)
		} else if ask, ok := wire.ParseAsk(b[:n]); ok {
			w.lastAsk.Store(&ask)
			select {
			case w.asked <- struct{}{}:
			default:
			}
		}
	}
}

// handOver gives a warm worker its session. Its next message says how that went.
func (w *worker) handOver(spec *workerSpec) error {
	w.mu.Lock()
	w.log = spec.log
	w.mu.Unlock()
	w.control.SetWriteDeadline(time.Now().Add(handOverTime))
	_, _, err := w.control.WriteMsgUnix(binary.LittleEndian.AppendUint32(nil, spec.session),
		unix.UnixRights(int(spec.region.Fd()), int(spec.account.Fd())), nil)
	return err
}

// readOutput puts what the worker prints into the log, line by line.
func (w *worker) readOutput(out *os.File) {
	defer close(w.logEnd)
	defer out.Close()
	// A process that the worker started may hold the other end for ever.
	go func() {
		<-w.dead
		out.SetReadDeadline(time.Now().Add(time.Second))
	}()
	r := bufio.NewReaderSize(out, 4096)
	for i := 0; ; i++ {
		b, err := r.ReadSlice('\n')
		if line := printable(strings.TrimRight(string(b), "\r\n"), 4096); line != "" {
			w.mu.Lock()
			w.last = line
			w.mu.Unlock()
			w.logger().Info("worker: " + line)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
		if i == workerLines {
			w.logger().Warn("worker: it has printed too much, the rest is left out", "lines", workerLines)
			io.Copy(io.Discard, r)
			return
		}
	}
}

// reap waits for the worker's exit without reaping it, so that its process
// group still has its number when what is left of the group is killed.
func (w *worker) reap() {
	err := exited(w.pidfd)
	if w.cmd != nil {
		if err == nil {
			unix.Kill(-w.pid, unix.SIGKILL)
		}
		w.cmd.Wait()
		w.left()
	} // else init reaps it
	w.pidfd.Close()
	close(w.dead)
}

// kill sends SIGKILL to the worker and its process group. Only while it is not reaped.
func (w *worker) kill() {
	w.cmd.Process.Kill()
	unix.Kill(-w.pid, unix.SIGKILL)
}

// end kills the worker if it lives, reaps it and lets go of everything. It is
// false if the worker is not dead after the patience: a process that hangs in
// the kernel, which a goroutine then goes on waiting for.
func (w *worker) end(patience time.Duration) bool {
	select {
	case <-w.dead:
	default:
		withFD(w.pidfd, func(fd int) error { return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) })
	}
	if w.hold != nil {
		w.hold.Close()
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-w.dead:
	case <-t.C:
		w.control.Close()
		return false
	}
	w.control.Close()
	<-w.logEnd
	return true
}

// processState is nil if it is not known.
func (w *worker) processState() *os.ProcessState {
	if w.cmd == nil {
		return nil
	}
	return w.cmd.ProcessState
}

// how is how a dead worker ended, for people.
func (w *worker) how() string {
	if w.cmd == nil {
		return "an earlier axond started it, so how is not known"
	}
	ws, ok := w.cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case !ok:
		return w.cmd.ProcessState.String()
	case ws.Signaled():
		return "killed by " + unix.SignalName(ws.Signal())
	}
	return "exit status " + strconv.Itoa(ws.ExitStatus())
}

// death is how a dead worker ended that served nobody, with the last that it printed.
func (w *worker) death() error {
	<-w.logEnd
	text := "the worker ended before it was ready (" + w.how() + ")"
	if line := w.lastLine(); line != "" {
		text += ": " + line
	}
	return errors.New(text)
}

// logger is the log of whoever has the worker.
func (w *worker) logger() *slog.Logger {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log
}

// lastLine is the last line that the worker printed, "" if none.
func (w *worker) lastLine() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}
