// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// machine is the guest's hardware, which a saved state depends on.
var machine = []string{
	"-M", "q35,usb=off,vmport=off", "-accel", "tcg,thread=multi,tb-size=256", "-cpu", "max,la57=off", "-smp", "2", "-m", "1024",
	"-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-rtc", "clock=vm",
	"-append", "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check",
}

// qemu is a running emulator. Its folder has console (the guest's kernel and
// systemd), log (qemu's own), port (the agent's console), qmp, and share, which
// is the guest's /host.
type qemu struct {
	dir    string
	cmd    *exec.Cmd
	exited chan struct{}
	qmp    *qmp
	agent  *bufio.Reader
	port   net.Conn
}

// startQemu starts an emulator on a disk. With incoming, it waits for that
// state to be let go on. The folder is made.
func startQemu(cache, dir, disk string, throwAway bool, incoming string) (*qemu, error) {
	if err := os.MkdirAll(filepath.Join(dir, "share"), 0o755); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	snapshot := "off"
	if throwAway {
		snapshot = "on"
	}
	args := append([]string{}, machine...)
	args = append(args,
		"-kernel", filepath.Join(cache, "vmlinuz"), "-initrd", filepath.Join(cache, "initrd.img"),
		"-serial", "file:"+filepath.Join(dir, "console"),
		"-qmp", "unix:"+filepath.Join(dir, "qmp")+",server=on,wait=off",
		"-drive", "id=disk,if=none,file="+disk+",format=qcow2,snapshot="+snapshot+",cache=unsafe",
		"-device", "virtio-blk-pci,drive=disk",
		"-fsdev", "local,id=share,security_model=none,path="+filepath.Join(dir, "share"),
		"-device", "virtio-9p-pci,fsdev=share,mount_tag=host",
		"-device", "virtio-rng-pci",
		"-device", "virtio-serial-pci",
		"-chardev", "socket,id=agent,server=on,wait=off,path="+filepath.Join(dir, "port"),
		"-device", "virtconsole,chardev=agent")
	if incoming != "" {
		args = append(args, "-incoming", "exec:cat '"+incoming+"'")
	}
	q := &qemu{dir: dir, cmd: exec.Command("qemu-system-x86_64", args...), exited: make(chan struct{})}
	q.cmd.Stdout, q.cmd.Stderr = log, log
	// A test that is killed leaves no emulator behind.
	q.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := q.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; scripts/deps vm installs it", err)
	}
	go func() {
		q.cmd.Wait()
		close(q.exited)
	}()
	if err := q.connect(); err != nil {
		q.stop()
		return nil, fmt.Errorf("%w\n%s", err, q.said())
	}
	return q, nil
}

func (q *qemu) connect() error {
	monitor, err := q.dial("qmp")
	if err != nil {
		return err
	}
	if q.qmp, err = newQMP(monitor); err != nil {
		return err
	}
	if q.port, err = q.dial("port"); err != nil {
		return err
	}
	q.agent = bufio.NewReader(q.port)
	return nil
}

// dial connects to one of the emulator's sockets, which appear as it starts.
func (q *qemu) dial(name string) (net.Conn, error) {
	path := filepath.Join(q.dir, name)
	for end := time.Now().Add(patience); ; {
		c, err := net.Dial("unix", path)
		if err == nil {
			return c, nil
		}
		select {
		case <-q.exited:
			return nil, errors.New("qemu ended at its start")
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(end) {
			return nil, err
		}
	}
}

// stop ends the emulator.
func (q *qemu) stop() {
	q.cmd.Process.Kill()
	<-q.exited
}

// said is the end of what the guest's console and qemu printed.
func (q *qemu) said() string {
	var all []byte
	for _, name := range []string{"console", "log"} {
		b, _ := os.ReadFile(filepath.Join(q.dir, name))
		all = append(append(all, b[max(0, len(b)-3000):]...), '\n')
	}
	return string(bytes.TrimSpace(all))
}

// line is the next line of the guest's agent.
func (q *qemu) line(patience time.Duration) (string, error) {
	q.port.SetReadDeadline(time.Now().Add(patience))
	s, err := q.agent.ReadString('\n')
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "", fmt.Errorf("the guest said nothing for %v", patience)
	}
	if err != nil {
		return "", fmt.Errorf("the guest is gone: %w", err)
	}
	return string(bytes.TrimSpace([]byte(s))), nil
}

// qmp is qemu's machine protocol (QEMU's docs/interop/qmp-spec.rst).
type qmp struct {
	conn net.Conn
	r    *bufio.Reader
}

func newQMP(c net.Conn) (*qmp, error) {
	m := &qmp{c, bufio.NewReader(c)}
	if _, err := m.r.ReadBytes('\n'); err != nil { // its greeting
		return nil, fmt.Errorf("qemu's monitor: %w", err)
	}
	return m, m.do("qmp_capabilities", nil, nil)
}

// do executes a command and reads its answer; events in between are not looked at.
func (m *qmp) do(command string, arguments, answer any) error {
	request := map[string]any{"execute": command}
	if arguments != nil {
		request["arguments"] = arguments
	}
	b, err := json.Marshal(request)
	if err != nil {
		return err
	}
	m.conn.SetDeadline(time.Now().Add(patience))
	if _, err := m.conn.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("qemu, %s: %w", command, err)
	}
	for {
		line, err := m.r.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("qemu, %s: %w", command, err)
		}
		var got struct {
			Return json.RawMessage
			Error  *struct{ Desc string }
		}
		if err := json.Unmarshal(line, &got); err != nil {
			return fmt.Errorf("qemu, %s: %w", command, err)
		}
		switch {
		case got.Error != nil:
			return fmt.Errorf("qemu, %s: %s", command, got.Error.Desc)
		case got.Return != nil && answer != nil:
			return json.Unmarshal(got.Return, answer)
		case got.Return != nil:
			return nil
		}
	}
}

// until asks until the status that a query tells is the wanted one. Every other
// one but those in passing is an error.
func (m *qmp) until(query, wanted string, passing ...string) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var s struct{ Status string }
		if err := m.do(query, nil, &s); err != nil {
			return err
		}
		if s.Status == wanted {
			return nil
		}
		known := false
		for _, p := range passing {
			known = known || s.Status == p
		}
		if !known {
			return fmt.Errorf("qemu, %s: %q where %q was expected", query, s.Status, wanted)
		}
	}
	return fmt.Errorf("qemu, %s: not %q after %v", query, wanted, patience)
}
