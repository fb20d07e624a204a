// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

// What GPUs there are only the vendor's library knows, and axond does not load
// it. So it has a worker of its own tell: one that starts as for a session of
// axond's user, writes its snapshot into a region that nobody else has, and is
// ended. That takes as long as the library's initialisation, so the answer is
// kept for as long as the library and the worker are the same on disk.
//
// NVML knows names and UUIDs sooner, and the view has them from there. But these
// are GPUs as sessions count them: in CUDA's order, which is NVML's only if
// CUDA_DEVICE_ORDER says so or all are alike; with CUDA's memory, which is less
// than NVML's total by what the driver keeps; of a GPU that MIG divides, what a
// program gets; without those that CUDA does not take. A list from two sources
// would be renumbered and would change its figures when the source changes.

// devicesAgain is how long an answer that names no GPU holds.
const devicesAgain = 10 * time.Second

// devices is what was last told.
type devices struct {
	asking chan struct{} // holds one: whoever asks a worker
	mu     sync.Mutex
	files  string // what it was told by
	known  []wire.Device
	err    error
	at     time.Time
}

// Devices are the machine's GPUs in the library's order, as a worker of axond's
// own user sees them. The first call takes a worker's start; the context is for
// the waiting of this call.
func (s *Server) Devices(ctx context.Context) ([]wire.Device, error) {
	if known, err, ok := s.knownDevices(); ok {
		return known, err
	}
	d := &s.devices
	select {
	case d.asking <- struct{}{}:
		defer func() { <-d.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if known, err, ok := s.knownDevices(); ok { // somebody else has asked meanwhile
		return known, err
	}
	files := s.pool.files()
	known, err := s.askDevices(ctx)
	if ctx.Err() == nil {
		d.mu.Lock()
		d.files, d.known, d.err, d.at = files, known, err, time.Now()
		d.mu.Unlock()
	}
	return known, err
}

// knownDevices are what was told already; false if a worker must be asked.
func (s *Server) knownDevices() ([]wire.Device, error, bool) {
	d := &s.devices
	files := s.pool.files()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at.IsZero() || d.files != files || len(d.known) == 0 && time.Since(d.at) > devicesAgain {
		return nil, nil, false
	}
	return d.known, d.err, true
}

// askDevices starts a worker for its snapshot.
func (s *Server) askDevices(ctx context.Context) ([]wire.Device, error) {
	ours, err := s.Worker.Get()
	if err != nil {
		return nil, err
	}
	h := wire.Header{
		Magic: wire.Magic, Version: wire.Version, Fingerprint: ours.Fingerprint, Lanes: 1,
		HeapSize: 0x10000, HeapBase: wire.HeapBase, DeviceBase: wire.DeviceBase, DeviceSize: wire.DeviceWide,
	}
	h.HeapOffset = h.LanesEnd()
	h.Size = h.HeapOffset + h.HeapSize
	region, file, err := wire.NewRegion(h)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	defer region.Unmap()
	account, fd, err := wire.NewAccount()
	if err != nil {
		return nil, err
	}
	defer account.Unmap()
	accountFile := os.NewFile(uintptr(fd), "account")
	defer accountFile.Close()
	spec, err := s.ownSpec()
	if err != nil {
		return nil, err
	}
	spec.region, spec.account, spec.log = file, accountFile, s.Log
	wk, err := startWorker(spec)
	if err != nil {
		return nil, fmt.Errorf("no worker to ask for the GPUs: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.ReadyTime)
	defer cancel()
	var ready Ready
	select {
	case ready = <-wk.ready:
	case <-wk.dead:
		var said bool
		if ready, said = wk.lastReady(); !said {
			err = wk.death()
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !wk.end(workerPatience) {
		s.Log.Error("the worker that was asked for the GPUs does not die; the kernel holds it", "worker", wk.pid)
		return nil, errors.New("the worker that was asked for the GPUs does not die")
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("the worker that was asked for the GPUs: %w", err)
	case ready.Status != wire.StatusOK:
		return nil, fmt.Errorf("the worker that was asked for the GPUs: %s", ready.Text)
	}
	return wire.Devices(region.Snapshot()), nil
}

// gpusOf are the UUIDs of the GPUs that a session's library has, by its numbers
// for them, which CUDA_VISIBLE_DEVICES may have changed. The client can write
// to the snapshot that says so: it can lie about its own session only.
func gpusOf(region *os.File) []string {
	b := make([]byte, wire.SnapshotBytes)
	if n, err := unix.Pread(int(region.Fd()), b, wire.SnapshotOffset); err != nil || n != len(b) {
		return nil
	}
	if int32(binary.LittleEndian.Uint32(b)) != 0 { // cuInit's result
		return nil
	}
	var all []string
	for _, d := range wire.Devices(b) {
		all = append(all, d.UUID)
	}
	return all
}
