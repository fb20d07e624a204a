// SPDX-License-Identifier: Apache-2.0

package show

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/view"
)

var update = flag.Bool("update", false, "write what came out as what is wanted")

// TestMain: times of day are printed as they are where axon runs.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// now is a moment after the second sample of made-up machines came.
var now = madeup.Start.Add(1500 * time.Millisecond)

// watched are machines after two samples.
func watched(t *testing.T, members ...fleet.Member) []*fleet.Machine {
	t.Helper()
	f := fleet.New(members, time.Second)
	f.Ask(context.Background())
	f.Ask(context.Background())
	all := f.Machines()
	for _, m := range all {
		if m.Last != nil {
			m.Seen = m.Last.Time
		}
	}
	return all
}

func ordinary() []fleet.Member {
	return []fleet.Member{
		{Name: "node01", Source: &madeup.Machine{GPUs: 2, Sessions: 4}},
		{Name: "node04", Source: &madeup.Machine{Number: 3, GPUs: 1, Sessions: 1}},
		{Name: "cpu only", Source: &madeup.Machine{Number: 5}},
		{Name: "node09", Source: &madeup.Machine{Number: 8, Dead: errors.New("connection refused; is it on?")}},
	}
}

func hostile() []fleet.Member {
	return []fleet.Member{
		{Name: "\x1b[2Jevil \u202ename", Source: &madeup.Machine{GPUs: 1, Sessions: 14, Strange: true}},
		{Name: "", Source: &madeup.Machine{Dead: errors.New("no\x1b[5m way\nhere")}},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (go test ./fleet/show -update writes it):\n%s\nnot\n%s", file, got, want)
	}
}

func TestTheTableIsAsItWas(t *testing.T) {
	var b bytes.Buffer
	if err := Table(&b, watched(t, ordinary()...), now, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "table", b.Bytes())
}

func TestEveryRowOfTheTableHasTheColumnsThatAwkFinds(t *testing.T) {
	for _, members := range [][]fleet.Member{ordinary(), hostile()} {
		var b bytes.Buffer
		if err := Table(&b, watched(t, members...), now, true); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		kinds := map[string]int{}
		for _, line := range lines {
			if i := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u200b' }); i >= 0 {
				t.Errorf("a character that a terminal obeys in %q", line)
			}
			f := strings.Fields(line)
			if len(f) < len(columns) {
				t.Fatalf("%d columns in %q", len(f), line)
			}
			kinds[f[2]]++
		}
		want := 0
		for _, m := range members {
			want += m.Source.(*madeup.Machine).Sessions
		}
		if kinds["machine"] != len(members) || kinds["session"] != want || kinds["WHAT"] != 1 {
			t.Errorf("rows of %v", kinds)
		}
	}
}

func TestCSVIsAsItWasAndReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := CSV(&b, watched(t, ordinary()...), now, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "csv", b.Bytes())
	for _, members := range [][]fleet.Member{ordinary(), hostile()} {
		b.Reset()
		if err := CSV(&b, watched(t, members...), now, true); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) < 5 {
			t.Errorf("only %d rows", len(rows))
		}
		for _, r := range rows[1:] {
			for i, cell := range r {
				name := rows[0][i]
				_, err := strconv.ParseFloat(cell, 64)
				number := regexp.MustCompile(`_(ratio|bytes|celsius|watts|joules|hertz|total|second|seconds)$|^(gpu|session|cpus|uid|pid)$`).MatchString(name)
				if number && cell != "" && err != nil {
					t.Errorf("%s is %q, no number", name, cell)
				}
				if strings.ContainsFunc(cell, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Errorf("%s has a control character: %q", name, cell)
				}
			}
		}
	}
}

func TestJSONIsAsItWasAndReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, watched(t, ordinary()...), now, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "json", b.Bytes())
	for _, members := range [][]fleet.Member{ordinary(), hostile()} {
		b.Reset()
		machines := watched(t, members...)
		if err := JSON(&b, machines, now, false); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b.Bytes(), []byte("\n")); n != 1 {
			t.Errorf("%d lines, a document a line is one", n)
		}
		var d Document
		decoder := json.NewDecoder(bytes.NewReader(b.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&d); err != nil {
			t.Fatal(err)
		}
		if d.Schema != Schema || len(d.Machines) != len(members) {
			t.Errorf("schema %d, %d machines", d.Schema, len(d.Machines))
		}
		for i, m := range d.Machines {
			last := machines[i].Last
			if (m.Figures == nil) != (last == nil) || (m.Error == nil) != (machines[i].Err == nil) || (m.Age == nil) != (last == nil) {
				t.Fatalf("machine %q: %+v", m.Name, m)
			}
			if last == nil {
				continue
			}
			if len(m.Figures.Sessions) != len(last.Sessions) || len(m.Figures.GPUs) != len(last.GPUs) {
				t.Errorf("%d sessions and %d GPUs of %d and %d", len(m.Figures.Sessions), len(m.Figures.GPUs), len(last.Sessions), len(last.GPUs))
			}
			for j, s := range m.Figures.Sessions {
				if s.CallsPerSecond == nil || s.Calls != last.Sessions[j].Calls || len(s.Args) != len(last.Sessions[j].Args) {
					t.Errorf("session %+v of %+v", s, last.Sessions[j])
				}
			}
		}
		everyValue(t, b.Bytes())
	}
}

// everyValue looks at each value by its key: what has a unit is a number or null.
func everyValue(t *testing.T, document []byte) {
	t.Helper()
	var any0 any
	if err := json.Unmarshal(document, &any0); err != nil {
		t.Fatal(err)
	}
	unit := regexp.MustCompile(`_(ratio|bytes|celsius|watts|joules|hertz|total|second|seconds)$`)
	n := 0
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(k, x)
			}
		case []any:
			for _, x := range v {
				walk(key, x)
			}
		case string:
			if unit.MatchString(key) {
				t.Errorf("%s is the text %q", key, v)
			}
		case float64:
			if unit.MatchString(key) {
				n++
			}
		}
	}
	walk("", any0)
	if n < 20 {
		t.Errorf("only %d figures were found", n)
	}
}

func TestUnknownIsNullAndNotZero(t *testing.T) {
	zero := 0.0
	m := &view.Machine{Schema: view.Schema, Host: "x", GPUs: []view.GPU{{Name: "known", UUID: "a", Busy: &zero}, {Name: "unknown", UUID: "b"}}}
	var b bytes.Buffer
	if err := JSON(&b, watched(t, fleet.Member{Name: "x", Source: fixed{m}}), now, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"known","uuid":"a","bus_id":null,"busy_ratio":0,`, `"name":"unknown","uuid":"b","bus_id":null,"busy_ratio":null,`, `"sessions":[]`, `"cpu_busy_ratio":null`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
	b.Reset()
	if err := Table(&b, watched(t, fleet.Member{Name: "x", Source: fixed{m}}), now, true); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`gpu +0 +0% .* known\n`).MatchString(b.String()) || !regexp.MustCompile(`gpu +0 +- .* unknown\n`).MatchString(b.String()) {
		t.Errorf("%s", b.String())
	}
}

// fixed is a source that says one thing.
type fixed struct{ m *view.Machine }

func (f fixed) Machine(context.Context) (*view.Machine, error) { return f.m, nil }
func (fixed) End(context.Context, uint32) error                { return nil }
func (fixed) Close() error                                     { return nil }

func TestTheStatusLineIsShortAndHasNoNames(t *testing.T) {
	dead := fleet.Member{Name: "d", Source: &madeup.Machine{Dead: errors.New("no")}}
	one := func() fleet.Member {
		return fleet.Member{Name: "a", Source: &madeup.Machine{GPUs: 1, Sessions: 14, Strange: true}}
	}
	shared := fleet.Member{Name: "s", Source: &madeup.Machine{Number: 3, GPUs: 2}}
	for _, c := range []struct {
		members []fleet.Member
		want    string
	}{
		{[]fleet.Member{one()}, "GPU 58% 88.1G/140G 55C 421W\n"},
		{[]fleet.Member{one(), one(), dead}, "2 GPUs 58% 176G/281G 55C 841W 1 silent\n"},
		{[]fleet.Member{shared}, "2 GPUs 34% 94.0G/512G 57C 556W\n"},
		{[]fleet.Member{dead}, "GPU ?\n"},
		{[]fleet.Member{{Source: &madeup.Machine{}}}, "0 GPUs\n"},
	} {
		var b bytes.Buffer
		if err := Tmux(&b, watched(t, c.members...)); err != nil || b.String() != c.want {
			t.Errorf("%q, %v; not %q", b.String(), err, c.want)
		}
	}
}

func TestCommandsAreWhatAShellWouldTake(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "python3"},
		{[]string{"a", "b c", "", "it's"}, `a 'b c' '' 'it'\''s'`},
		{[]string{"\x1b[31m'"}, `$'\x1b[31m\''`},
		{[]string{`say "hi"` + "\n"}, `$'say \"hi\"\n'`},
		{[]string{"ends\n\""}, `$'ends\n\"'`},
		{[]string{"\u202eabc"}, `$'\u202eabc'`},
		{[]string{"\xff"}, `$'\xff'`},
		{[]string{"日本語"}, "日本語"},
		{[]string{"$HOME"}, "'$HOME'"},
	} {
		if got := Command(&view.Session{Program: "python3", Args: c.args}); got != c.want {
			t.Errorf("%q becomes %s, not %s", c.args, got, c.want)
		}
	}
	if got := Command(&view.Session{Program: "\x1b[2J"}); got != "?[2J" {
		t.Errorf("%q", got)
	}
}

func TestNumbersForPeople(t *testing.T) {
	p := func(f float64) *float64 { return &f }
	u := func(n uint64) *uint64 { return &n }
	for _, c := range [][2]string{
		{Bytes(0), "0"}, {Bytes(999), "999"}, {Bytes(1000), "1.0K"}, {Bytes(1024), "1.0K"}, {Bytes(1536), "1.5K"}, {Bytes(1023 << 20), "1.0G"},
		{Bytes(143771 << 20), "140G"}, {Bytes(102348 << 10), "99.9M"}, {Bytes(102399 << 10), "100M"}, {Bytes(math.MaxUint64), "16.0E"}, {BytesOf(nil), "-"},
		{Percent(p(0.344)), "34%"}, {Percent(p(0)), "0%"}, {Percent(nil), "-"}, {Percent(p(math.NaN())), "-"}, {Percent(p(1)), "100%"}, {Percent(p(1e308)), "?%"}, {Whole(p(-1e300), "C"), "?C"},
		{Count(p(0.4)), "0"}, {Count(p(999.6)), "1.0k"}, {Count(p(123456)), "123k"}, {Count(p(4100000)), "4.1M"}, {Count(nil), "-"},
		{MHz(u(1980000000), "MHz"), "1980MHz"}, {MHz(nil, "MHz"), "-"}, {Whole(p(63.6), "C"), "64C"}, {Whole(nil, "C"), "-"},
		{Age(-1), "-"}, {Age(900 * time.Millisecond), "0s"}, {Age(99 * time.Second), "99s"}, {Age(100 * time.Second), "1m"}, {Age(3 * time.Hour), "3h"}, {Age(100 * time.Hour), "4d"},
		{Links(nil), "-"}, {Word(""), "-"}, {Word("a b\x07"), "a_b?"}, {Text("a\u202eb\xff"), "a?b?"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, not %q", c[0], c[1])
		}
	}
}

// bare is a source whose machine has everything, and nothing is known of it.
type bare struct{}

func (bare) Machine(context.Context) (*view.Machine, error) {
	return &view.Machine{Schema: view.Schema, Time: madeup.Start, GPUs: make([]view.GPU, 1), Sessions: make([]view.Session, 1)}, nil
}
func (bare) End(context.Context, uint32) error { return nil }
func (bare) Close() error                      { return nil }

// TestWhatNothingIsKnownOfIsShown is a session that has used no GPU yet, and a
// GPU that tells nothing.
func TestWhatNothingIsKnownOfIsShown(t *testing.T) {
	machines := watched(t, fleet.Member{Source: bare{}})
	var table, line, document, metrics bytes.Buffer
	for _, err := range []error{Table(&table, machines, now, true), CSV(&line, machines, now, true), JSON(&document, machines, now, false), Metrics(&metrics, machines[0])} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(table.String(), "\n"); n != 4 {
		t.Errorf("%d rows of\n%s", n, table.String())
	}
	rows, err := csv.NewReader(&line).ReadAll()
	if err != nil || len(rows) != 4 || rows[3][4] != "session" || rows[3][5] != "" {
		t.Errorf("%q, %v", rows, err)
	}
	for _, list := range []string{`"links":[]`, `"args":null`} {
		if !strings.Contains(document.String(), list) {
			t.Errorf("no %s in %s", list, document.String())
		}
	}
	if n := strings.Count(document.String(), `"gpus":[`); n != 2 {
		t.Errorf("%d lists of GPUs in %s", n, document.String())
	}
	if !strings.Contains(metrics.String(), `axon_session_calls_total{session="0",uid="0",user="0",program="",gpus="",Hostname=""} 0`) {
		t.Errorf("%s", metrics.String())
	}
}
