// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"
)

func TestAClientReadsWhatAxondSays(t *testing.T) {
	m := newMachine(t)
	m.server.begin(12, owner)
	m.server.begin(7, owner)
	c := &Client{m.connect(another)}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	sessions, err := c.Sessions(ctx)
	must(t, err)
	want := SessionInfo{ID: 7, User: owner, PID: 1007, Program: "train?", Scope: "axon-session-7.scope", State: "running", Since: time.UnixMicro(1700000000000000),
		GPU: []uint32{1}, MemoryUsed: 100, MemoryMax: 8192, EffectiveMemoryMax: 4096, AllocationsRefused: 3, Calls: 99}
	if len(sessions) != 2 || !reflect.DeepEqual(sessions[0], want) || sessions[1].ID != 12 {
		t.Errorf("%+v", sessions)
	}
	gpus, err := c.GPUs(ctx)
	must(t, err)
	if want := []GPUInfo{{0, "first", "GPU-a", 1 << 30, false, []uint32{}}, {1, "second", "GPU-b", 2 << 30, true, []uint32{7, 12}}}; !reflect.DeepEqual(gpus, want) {
		t.Errorf("%+v", gpus)
	}
	for _, err := range []error{c.Terminate(ctx, 8), c.SetMemoryMax(ctx, 8, 1)} {
		if !errors.Is(err, ErrNoSession) {
			t.Errorf("session 8: %v", err)
		}
	}
	for _, err := range []error{c.Terminate(ctx, 7), c.SetMemoryMax(ctx, 7, 1)} {
		if !errors.Is(err, ErrNotAllowed) {
			t.Errorf("session 7: %v", err)
		}
	}
	own := &Client{m.connect(owner)}
	must(t, own.SetMemoryMax(ctx, 7, 77))
	must(t, own.Terminate(ctx, 7))
	if sessions, err = c.Sessions(ctx); err != nil || len(sessions) != 1 {
		t.Errorf("afterwards: %+v, %v", sessions, err)
	}
	m.bus.Close()
	if _, err := c.Sessions(ctx); !errors.Is(err, ErrNoAxond) {
		t.Errorf("without axond: %v", err)
	}
}
