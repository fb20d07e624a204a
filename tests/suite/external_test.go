// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// Memory and semaphores that come as descriptors: on the software GPU, which
// makes them of any file, and through axon, where they cross beside the calls.
func TestExternalMemoryAndSemaphores(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	for name, env := range in.ways(a) {
		t.Run(name, func(t *testing.T) { in.runCases(t, env, "external", nil) })
	}
	// Another machine's device cannot reach this one's memory. The program hears that, and goes on.
	t.Run("relay", func(t *testing.T) {
		env := append(in.clientEnv(startRelay(t, a)), "AXON_DEBUG=1")
		for _, name := range []string{"a_buffer_of_external_memory_is_the_same_memory", "a_binary_semaphore_is_taken_once"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			out, _ := in.command(ctx, env, "external", name).CombinedOutput()
			if !bytes.Contains(out, []byte("skipped "+name)) || !bytes.Contains(out, []byte("beyond a relay")) {
				t.Errorf("%s through a relay does not say that it cannot be had:\n%s", name, out)
			}
		}
	})
}
