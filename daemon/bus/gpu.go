// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/wire"
)

// gpu is the interface of a GPU. Sizes are bytes.
var gpu = &iface{
	name: gpuInterface,
	properties: []property{
		{"Index", "u", fixed, func(o *object) any { return o.number }},
		{"Name", "s", fixed, func(o *object) any { return o.device().Name }},
		{"UUID", "s", fixed, func(o *object) any { return o.device().UUID }},
		{"MemoryTotal", "t", fixed, func(o *object) any { return o.device().Memory }},
		{"SharesMemory", "b", fixed, func(o *object) any { return o.device().Shares }},
		{"Sessions", "ao", silent, func(o *object) any {
			all := []dbus.ObjectPath{}
			for i := range o.known.sessions {
				if s := &o.known.sessions[i]; slices.Contains(o.b.gpusOf(s), gpuPath(int(o.number))) {
					all = append(all, sessionPath(s.Session))
				}
			}
			return all
		}},
	},
}

const gpuInterface = Name + ".GPU"

func gpuPath(index int) dbus.ObjectPath {
	return dbus.ObjectPath(fmt.Sprintf("%s/gpu/%d", Root, index))
}

// device is the GPU that the object is.
func (o *object) device() *wire.Device { return &o.known.devices[o.number] }

// view is what objects say at one moment.
type view struct {
	sessions []daemon.SessionFigures
	devices  []wire.Device
}

func (b *Bus) look() view {
	defer b.reading()()
	return view{sessions: b.server.Sessions()}
}

// gpusOf are the GPUs that a session has used.
func (b *Bus) gpusOf(s *daemon.SessionFigures) []dbus.ObjectPath {
	all := []dbus.ObjectPath{}
	if s.Devices == 0 {
		return all
	}
	devices, _ := b.gpus.ask(b, gpuTime)
	for i, d := range devices {
		if n := slices.Index(s.GPUs, d.UUID); n >= 0 && n < 64 && s.Devices>>n&1 != 0 {
			all = append(all, gpuPath(i))
		}
	}
	return all
}

// How long a call waits for the machine's GPUs, whose library may take long to
// start: one that is about them, and one that can do without.
const (
	listTime = 20 * time.Second
	gpuTime  = 2 * time.Second
)

// gpuFresh is how long an answer is taken without a look whether it still holds.
const gpuFresh = time.Second

var errSlow = errors.New("the GPU's library takes long to start; try again later")

// gpuList is what the server says about GPUs, asked one question at a time.
type gpuList struct {
	mu     sync.Mutex
	asked  *question // under way
	known  []wire.Device
	err    error
	knewAt time.Time
}

type question struct {
	since time.Time
	done  chan struct{}
}

// ask gives the GPUs, or an error if they are not known in time.
func (g *gpuList) ask(b *Bus, patience time.Duration) ([]wire.Device, error) {
	g.mu.Lock()
	if g.asked == nil && time.Since(g.knewAt) < gpuFresh {
		defer g.mu.Unlock()
		return g.known, g.err
	}
	q := g.asked
	if q == nil {
		q = &question{since: time.Now(), done: make(chan struct{})}
		g.asked = q
		b.done.Go(func() {
			known, err := b.server.Devices(b.ctx)
			g.mu.Lock()
			defer g.mu.Unlock()
			g.known, g.err, g.knewAt, g.asked = known, err, time.Now(), nil
			close(q.done)
		})
	}
	g.mu.Unlock()
	// From when it was asked: who comes later does not wait as long again.
	late := time.NewTimer(time.Until(q.since.Add(patience)))
	defer late.Stop()
	select {
	case <-q.done:
	case <-late.C:
		return nil, errSlow
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.known, g.err
}
