// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"

	"github.com/coreos/go-systemd/v22/journal"
	"golang.org/x/sys/unix"
)

func TestTheJournalGetsPrioritiesAndFields(t *testing.T) {
	var got []string
	log := slog.New(&journalHandler{level: slog.LevelInfo, send: func(_ context.Context, text string, p journal.Priority, fields map[string]string) {
		got = append(got, fmt.Sprintf("<%d>%s %v", p, text, fields))
	}}).With("session", 7)
	log.Debug("not this")
	log.Info("one", "why", "it's over")
	log.Warn("two")
	log.WithGroup("g").Error("three\nlines", "a-b", "x\ny")
	want := []string{
		"<6>one session=7 why=\"it's over\" map[AXON_SESSION:7 AXON_WHY:it's over]",
		"<4>two session=7 map[AXON_SESSION:7]",
		"<3>three\nlines session=7 g.a-b=\"x\\ny\" map[AXON_G_A_B:x\ny AXON_SESSION:7]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the journal gets\n%q, not\n%q", got, want)
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
