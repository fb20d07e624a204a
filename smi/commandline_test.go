// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"strings"
	"testing"
	"time"
)

func TestLoopsAreAsOftenAsTheyCanBeRead(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"-l":             loopDefault,
		"-l abc":         loopDefault,
		"-lms abc":       loopDefault,
		"-l -1":          loopDefault,
		"-l nan":         loopDefault,
		"-l 1 -lms 1500": 1500 * time.Millisecond,
	} {
		words, err := parse(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		c, err := understand(words)
		if err != nil || c.every != want {
			t.Errorf("%s: %v, %v", line, c, err)
		}
	}
	if _, err := interval(&given{option: lookup("-l"), value: "0.5", has: true}); err == nil {
		t.Error("half a second would be no pause at all")
	}
}

// TestAChangeIsOfAllGPUsThatAreNamed: one that is not there keeps the others as they are.
func TestAChangeIsOfAllGPUsThatAreNamed(t *testing.T) {
	got, status := quietH200(t).run(time.Now(), "-pm", "1", "-i", "0,99")
	if got != "No devices were found\n" || status != exitNotFound {
		t.Errorf("%d %q", status, got)
	}
}
