// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestALogThatNobodyReadsStopsNobody(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := newLogPipe(w)
	line := []byte(strings.Repeat("x", 1000) + "\n")
	written := make(chan bool)
	go func() {
		for range 3000 { // more than the pipe and the queue hold
			p.Write(line)
		}
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(time.Minute):
		t.Fatal("writing to a log that nobody reads hangs")
	}
	// When somebody reads again, it says what is missing.
	lines := bufio.NewReader(r)
	for {
		s, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s, "left out") {
			var n int
			if _, err := fmt.Sscanf(s, "axond: %d lines", &n); err != nil || n < 1000 || n >= 3000 {
				t.Errorf("%q", s)
			}
			return
		}
	}
}

func TestALogLineIsWrittenWhenItsCallReturns(t *testing.T) {
	var out bytes.Buffer
	p := newLogPipe(&out)
	for i := range 100 {
		p.Write([]byte("line\n"))
		if got := strings.Count(out.String(), "line"); got != i+1 {
			t.Fatalf("%d of %d lines are there", got, i+1)
		}
	}
}
