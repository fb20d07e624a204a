// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// booted is a guest that has booted: its memory in a file, and the disk below it.
// cache is the folder of its image.
type booted struct{ cache, disk, state string }

// boot gives the state of a booted guest, and builds and boots it where there is
// none of this image, this emulator and this hardware.
func boot() (booted, error) {
	cache := os.Getenv("AXON_VM_CACHE")
	if cache == "" {
		cache = "/var/cache/axon-vm"
	}
	var said bytes.Buffer
	build := exec.Command("image/build", cache)
	build.Stderr = &said
	out, err := build.Output()
	b := booted{cache: strings.TrimSpace(string(out))}
	if err != nil {
		return b, fmt.Errorf("the guest's image: %w\n%s", err, &said)
	}
	lock, err := os.OpenFile(filepath.Join(b.cache, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return b, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return b, err
	}
	version, err := exec.Command("qemu-system-x86_64", "--version").Output()
	if err != nil {
		return b, fmt.Errorf("%w; scripts/deps vm installs it", err)
	}
	sum := sha256.Sum256([]byte(string(version) + strings.Join(machine, " ")))
	b.state = filepath.Join(b.cache, fmt.Sprintf("state-%x", sum[:6]))
	b.disk = filepath.Join(b.cache, fmt.Sprintf("delta-%x", sum[:6]))
	if _, err := os.Stat(b.state); err == nil {
		return b, nil
	}
	return b, b.save()
}

// save boots the guest for real and saves its state.
func (b *booted) save() error {
	if err := overlay(b.disk, "raw", filepath.Join(b.cache, "root.ext4")); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "axon-vm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	q, err := startQemu(b.cache, dir, b.disk, false, "")
	if err != nil {
		return err
	}
	defer q.stop()
	line, err := q.line(patience)
	if err != nil || line != "BOOTED" {
		return fmt.Errorf("the guest's boot: %q, %v\n%s", line, err, q.said())
	}
	return q.save(b.state)
}

// save saves the emulator's state into a file, and ends it. What its disk had
// belongs to the state.
func (q *qemu) save(state string) error {
	// A state that was saved while the processor ran has come back damaged.
	if err := q.qmp.do("stop", nil, nil); err != nil {
		return err
	}
	unfinished := state + ".unfinished"
	if err := q.qmp.do("migrate-set-parameters", map[string]any{"max-bandwidth": 10 << 30}, nil); err != nil {
		return err
	}
	if err := q.qmp.do("migrate", map[string]any{"uri": "exec:cat >'" + unfinished + "'"}, nil); err != nil {
		return err
	}
	if err := q.qmp.until("query-migrate", "completed", "setup", "active", "device", "pre-switchover"); err != nil {
		return err
	}
	if err := q.qmp.do("quit", nil, nil); err != nil {
		return err
	}
	<-q.exited // it writes the disk's last pieces
	return os.Rename(unfinished, state)
}

// overlay makes a disk that holds what differs from another one.
func overlay(disk, format, below string) error {
	os.Remove(disk)
	out, err := exec.Command("qemu-img", "create", "-q", "-f", "qcow2", "-F", format, "-b", below, disk).CombinedOutput()
	if err != nil {
		return fmt.Errorf("qemu-img: %w, %s", err, out)
	}
	return nil
}
