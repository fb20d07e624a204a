// SPDX-License-Identifier: Apache-2.0

package installed

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Version is axon's version. A release's build sets it with -ldflags -X.
var Version = "0.1.0-dev"

// Protocol is what both sides of a region must agree on. A Go program has no
// copy of the API descriptions; it asks axon-worker, which was generated from
// them: `axon-worker --fingerprint`.
type Protocol struct {
	Version     uint32 // of the region's layout
	Fingerprint [16]byte
}

func (p Protocol) String() string {
	return fmt.Sprintf("protocol %d, API %x", p.Version, p.Fingerprint[:6])
}

// ParseProtocol reads what axon-worker --fingerprint prints: the layout's
// version in decimal and the fingerprint as 32 hexadecimal digits.
func ParseProtocol(s string) (Protocol, error) {
	var p Protocol
	f := strings.Fields(s)
	if len(f) != 2 {
		return p, fmt.Errorf("a version and a fingerprint were expected, not %.80q", s)
	}
	v, err := strconv.ParseUint(f[0], 10, 32)
	if err != nil {
		return p, fmt.Errorf("the version %.20q is not a number", f[0])
	}
	b, err := hex.DecodeString(f[1])
	if err != nil || len(b) != len(p.Fingerprint) {
		return p, fmt.Errorf("the fingerprint %.80q is not 32 hexadecimal digits", f[1])
	}
	p.Version = uint32(v)
	copy(p.Fingerprint[:], b)
	return p, nil
}

// AskWorker runs the worker to learn its protocol of CUDA.
func AskWorker(worker string) (Protocol, error) { return ask(worker, "--fingerprint") }

func ask(worker string, args ...string) (Protocol, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, worker, args...)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return Protocol{}, fmt.Errorf("%s %s: %w; reinstall axon's package or name another worker with --worker PATH", worker, strings.Join(args, " "), err)
	}
	p, err := ParseProtocol(string(out))
	if err != nil {
		return Protocol{}, fmt.Errorf("%s %s: %w; reinstall axon's package or name another worker with --worker PATH", worker, strings.Join(args, " "), err)
	}
	return p, nil
}

// WorkerProtocol asks a worker, and again only when the file has changed: an
// upgrade replaces the worker below a running axond. Its methods may be called
// from several goroutines.
type WorkerProtocol struct {
	Path string

	mu    sync.Mutex
	mtime time.Time
	size  int64
	known map[string]Protocol // by library
}

// Get is CUDA's protocol of the worker as it is on disk now.
func (w *WorkerProtocol) Get() (Protocol, error) { return w.get("cuda", "--fingerprint") }

// NVML is NVML's. Its version is CUDA's.
func (w *WorkerProtocol) NVML() (Protocol, error) {
	return w.get("nvml", "--library", "nvml", "--fingerprint")
}

func (w *WorkerProtocol) get(library string, args ...string) (Protocol, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	st, err := os.Stat(w.Path)
	if err != nil {
		return Protocol{}, fmt.Errorf("axon-worker: %w; install axon's package whole, or name it with --worker PATH", err)
	}
	if w.known == nil || !st.ModTime().Equal(w.mtime) || st.Size() != w.size {
		w.known, w.mtime, w.size = map[string]Protocol{}, st.ModTime(), st.Size()
	}
	p, ok := w.known[library]
	if !ok {
		if p, err = ask(w.Path, args...); err != nil {
			return Protocol{}, err
		}
		w.known[library] = p
	}
	return p, nil
}
