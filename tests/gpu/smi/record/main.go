// SPDX-License-Identifier: Apache-2.0

// Record writes down what a machine's NVML answers, as nvml.Recording reads it:
// every call that changes nothing, for every GPU, with every argument that makes
// sense, and whatever else the command lines of a file would ask.
//
//	record [--modes FILE] --worker build/libexec/axon-worker --vendor DIR >FILE
//	record [--modes FILE] --socket /run/axon/sock >FILE
//	record --replay FILE [WORDS...]
//
// The first way asks the vendor's library through a telemetry worker of its
// own, so that processes are as the vendor lists them; the second asks axond.
// The third prints what nvidia-smi with these words prints of the recorded
// machine.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/smi"
)

func main() {
	worker := flag.String("worker", "", "axon-worker to start")
	vendor := flag.String("vendor", "", "folder of the vendor's libnvidia-ml.so.1")
	socket := flag.String("socket", "", "axond's socket, instead of a worker")
	modes := flag.String("modes", "", "file of nvidia-smi's command lines, one a line")
	replay := flag.String("replay", "", "recording to print of")
	flag.Parse()
	if *replay != "" {
		status, err := print(*replay, flag.Args())
		if err != nil {
			fmt.Fprintln(os.Stderr, "record:", err)
			status = 1
		}
		os.Exit(status)
	}
	if flag.NArg() > 0 || (*socket == "") == (*worker == "" || *vendor == "") {
		fmt.Fprintln(os.Stderr, "record: say --worker and --vendor, or --socket, or --replay")
		os.Exit(2)
	}
	w := bufio.NewWriter(os.Stdout)
	err := record(w, *worker, *vendor, *socket, *modes)
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(w io.Writer, worker, vendor, socket, modes string) error {
	var t nvml.Transport
	if socket != "" {
		c, err := nvml.Dial(socket)
		if err != nil {
			return err
		}
		t = c.Transport()
	} else {
		conn, end, err := start(worker, vendor)
		if err != nil {
			return err
		}
		defer end()
		t = nvml.Over(conn)
	}
	defer t.Close()
	r := &recorder{to: t, w: w, seen: map[string]bool{}}
	c := nvml.New(r)
	head(w, nvml.New(t))
	sweep(c)
	if modes != "" {
		lines, err := os.ReadFile(modes)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(lines), "\n") {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			words := strings.Fields(line)
			if line == `""` { // the table
				words = nil
			}
			if slices.Contains(words, "-f") {
				continue // it would write into the file that the recording is written to, and asks nothing that others do not
			}
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			smi.Run(ctx, words, smi.Environment{Out: io.Discard, Dial: func() (*nvml.Client, error) { return nvml.New(open{r}), nil }})
			cancel()
		}
	}
	processes(w, c)
	return r.err
}

// print prints what nvidia-smi would of a recorded machine, at the time of the recording.
func print(file string, words []string) (status int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	rec, err := nvml.ReadRecording(f)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	env := smi.Environment{
		Out:  os.Stdout,
		Dial: func() (*nvml.Client, error) { return nvml.New(rec), nil },
		Names: func(pid uint32) (string, bool) {
			name, ok := rec.Processes[pid]
			return name, ok
		},
	}
	if at, err := time.Parse(time.RFC3339, rec.Head["date"]); err == nil {
		env.Now = func() time.Time { return at.Local() }
	}
	return smi.Run(context.Background(), words, env), nil
}

// open keeps a command's end from ending the recording.
type open struct{ nvml.Transport }

func (open) Close() error { return nil }

// start starts a telemetry worker and waits until it is ready.
func start(worker, vendor string) (*net.UnixConn, func(), error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, nil, err
	}
	vendor, err = filepath.Abs(vendor)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(worker, "--library", "nvml", "--vendor", vendor, "--telemetry")
	cmd.Stderr = os.Stderr
	cmd.ExtraFiles = []*os.File{nil, theirs} // it has no 3
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	end := func() {
		conn.Close()
		cmd.Wait()
	}
	b := make([]byte, 4096)
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := conn.Read(b)
	conn.SetReadDeadline(time.Time{})
	le := binary.LittleEndian
	switch {
	case err != nil || n < 12:
		end()
		return nil, nil, fmt.Errorf("the worker does not say that it is ready: %d bytes, %v", n, err)
	case le.Uint32(b) != 0:
		end()
		return nil, nil, fmt.Errorf("the worker is not ready: %s", b[12:n])
	case le.Uint32(b[4:]) != 0:
		end()
		return nil, nil, fmt.Errorf("nvmlInit: %w", nvml.Return(le.Uint32(b[4:])))
	}
	return conn.(*net.UnixConn), end, nil
}

// recorder writes down each call, once.
type recorder struct {
	to   nvml.Transport
	w    io.Writer
	seen map[string]bool
	err  error
}

// Send makes a call and waits for it: what is read first is written first.
func (r *recorder) Send(call uint32, in []byte, done func(nvml.Return, []byte)) {
	type answer struct {
		ret nvml.Return
		out []byte
	}
	ch := make(chan answer, 1)
	r.to.Send(call, slices.Clone(in), func(ret nvml.Return, out []byte) { ch <- answer{ret, out} })
	a := <-ch
	if key := fmt.Sprint(call, " ", string(in)); !r.seen[key] {
		r.seen[key] = true
		if err := nvml.Write(r.w, call, in, a.ret, a.out); err != nil && r.err == nil {
			r.err = err
		}
	}
	done(a.ret, a.out)
}

// Close leaves the other end as it is.
func (r *recorder) Close() error { return nil }

func head(w io.Writer, c *nvml.Client) {
	driver, _ := c.SystemGetDriverVersion()
	fmt.Fprintf(w, "# driver %s\n", driver)
	if d, ret := c.DeviceGetHandleByIndex_v2(0); ret == nvml.SUCCESS {
		name, _ := c.DeviceGetName(d)
		fmt.Fprintf(w, "# gpu %s\n", name)
	}
	fmt.Fprintf(w, "# date %s\n", time.Now().UTC().Format(time.RFC3339))
}

// processes writes down the names of those who are on the GPUs.
func processes(w io.Writer, c *nvml.Client) {
	said := map[uint32]bool{}
	n, _ := c.DeviceGetCount_v2()
	for i := range n {
		d, _ := c.DeviceGetHandleByIndex_v2(i)
		for _, list := range []func(nvml.Device) ([]nvml.ProcessInfo, nvml.Return){
			c.DeviceGetComputeRunningProcesses_v3, c.DeviceGetGraphicsRunningProcesses_v3, c.DeviceGetMPSComputeRunningProcesses_v3,
		} {
			ps, _ := list(d)
			for _, p := range ps {
				b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.Pid))
				if err != nil || said[p.Pid] {
					continue
				}
				said[p.Pid] = true
				name, _, _ := strings.Cut(string(b), "\x00")
				fmt.Fprintf(w, "process %d %s\n", p.Pid, strings.ReplaceAll(name, "\n", " "))
			}
		}
	}
}
