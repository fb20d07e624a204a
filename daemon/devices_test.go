// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"strings"
	"sync"
	"testing"
)

func TestAWorkerTellsWhatGPUsThereAre(t *testing.T) {
	a := startAxond(t, nil)
	t.Setenv("SOFTGPU_FAKE", "two devices") // of axond's own environment the worker gets that
	nothingLeaks(t, func() {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if got, err := a.Devices(context.Background()); err != nil || len(got) != 2 {
					t.Errorf("%v, %v", got, err)
				}
			})
		}
		all.Wait()
	})
	// What is known is not asked for again: the worker would crash now.
	t.Setenv("SOFTGPU_FAKE", "crash")
	if got, err := a.Devices(context.Background()); err != nil || len(got) != 2 {
		t.Errorf("the second time: %v, %v", got, err)
	}
	if c := a.Counts(); c.Started != 0 {
		t.Errorf("asking counts as %d sessions", c.Started)
	}
}

func TestAWorkerThatDoesNotTellIsNotAskedAgainAtOnce(t *testing.T) {
	a := startAxond(t, nil)
	for fake, want := range map[string]string{"crash": "about to crash", "refuse": "no GPU today"} {
		t.Setenv("SOFTGPU_FAKE", fake)
		a.devices.at = a.devices.at.Add(-devicesAgain)
		for range 2 {
			if got, err := a.Devices(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, %v", fake, got, err)
			}
			t.Setenv("SOFTGPU_FAKE", "two devices")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a.devices.at = a.devices.at.Add(-devicesAgain)
	if got, err := a.Devices(ctx); err == nil {
		t.Errorf("nobody waits, and is told %v", got)
	}
	if got, err := a.Devices(context.Background()); err != nil || len(got) != 2 {
		t.Errorf("after that: %v, %v", got, err)
	}
}
