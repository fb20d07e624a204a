// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheJournalGetsPriorities(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(newJournalHandler(&b, slog.LevelInfo)).With("session", 7)
	log.Debug("not this")
	log.Info("one")
	log.Warn("two")
	log.Error("three\nlines")
	want := "<6>msg=one session=7\n<4>msg=two session=7\n<3>msg=\"three\\nlines\" session=7\n"
	if b.String() != want {
		t.Errorf("the journal gets %q, not %q", b.String(), want)
	}
}

func TestARedirectedLogIsNotTheJournal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/log")
	must(t, err)
	defer f.Close()
	var st unix.Stat_t
	must(t, unix.Fstat(int(f.Fd()), &st))
	if !isJournal(f, fmt.Sprintf("%d:%d", st.Dev, st.Ino)) {
		t.Error("the journal was not recognised")
	}
	for _, s := range []string{"", "1", "x:y", fmt.Sprintf("%d:%d", st.Dev, st.Ino+1)} {
		if isJournal(f, s) {
			t.Errorf("JOURNAL_STREAM=%q was taken for this file", s)
		}
	}
}
