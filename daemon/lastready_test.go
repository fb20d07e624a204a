// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"testing"
	"time"

	"nervlinux.org/axon/wire"
)

// A worker's end is known by its pidfd, its last words by its socket: whichever
// axond sees first, the words are what is told.
func TestADeadWorkersLastWordsAreWaitedFor(t *testing.T) {
	w := &telemetryWorker{worker: newWorker(nil, nil)}
	close(w.dead)
	waiting := make(chan struct{})
	go func() {
		<-waiting
		w.ready <- Ready{Status: wire.StatusNoWorker, Result: 12, Text: "no library"}
		close(w.heard)
	}()
	time.AfterFunc(20*time.Millisecond, func() { close(waiting) }) // whenever it comes, it is right
	r, err := w.firstWord(context.Background(), time.Minute)
	if err != nil || r.Result != 12 {
		t.Errorf("it said %+v, %v", r, err)
	}
}
