// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

// What tests/gpu/smi.sh left of a machine is kept in testdata as NAME.nvml.gz,
// its recording, and NAME.modes.gz, what the vendor's program printed: "$ WORDS",
// then its lines, the last being its exit status, each behind a mark. A line
// behind = is printed of the recording as it stands; one behind ~ has figures that
// changed between the recording and the run, and its words and layout are
// compared. Behind "! WORDS" is what is known not to be the same yet.
//
// AXON_STATES=FOLDER AXON_KEEP=h200-580 go test ./smi -run EveryMode keeps the
// states in FOLDER (idle and process) under that name, without what tells the
// machine from another. AXON_UPDATE=1 marks the lines that are kept anew.
var keptStates = []string{"idle", "process"}

type kept struct {
	name      string
	recording []byte
	modes     []keptMode
}

type keptMode struct {
	words   string
	lines   []string // with their marks
	differs bool
}

// printed are the lines that a command prints of the recording, and its exit status.
func (k *kept) printed(t *testing.T, words string) []string {
	t.Helper()
	rec, err := nvml.ReadRecording(bytes.NewReader(k.recording))
	if err != nil {
		t.Fatal(err)
	}
	when, err := time.Parse(time.RFC3339, rec.Head["date"])
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	env := Environment{
		Out:   &out,
		Dial:  func() (*nvml.Client, error) { return nvml.New(rec), nil },
		Names: func(pid uint32) (string, bool) { n, ok := rec.Processes[pid]; return n, ok },
		Now:   func() time.Time { return when },
		Sysfs: t.TempDir(), // not this machine's
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	status := Run(ctx, strings.Fields(words), env)
	return strings.Split(fmt.Sprintf("%sstatus %d\n", out.String(), status), "\n")
}

var (
	moments    = regexp.MustCompile(`[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}|\d{8} +\d\d:\d\d:\d\d`)
	fraction   = regexp.MustCompile(`\d+(?:\.(\d+))?`)
	rightmost  = regexp.MustCompile(` *\d+(?:\.(\d+))?`)
	activeness = regexp.MustCompile(`\b(?:Not Active|Active)\b`)
)

// shapes are a line without its figures: with what fills them up, and without.
func shapes(line string) (padded, bare string) {
	if strings.HasPrefix(line, "status ") {
		return line, line
	}
	line = moments.ReplaceAllLiteralString(line, "TIME")
	line = activeness.ReplaceAllLiteralString(line, "Active")
	decimals := func(m string) int { _, after, _ := strings.Cut(m, "."); return len(after) }
	return rightmost.ReplaceAllStringFunc(line, func(m string) string { return fmt.Sprintf("#%d.%d", len(m), decimals(m)) }),
		fraction.ReplaceAllStringFunc(line, func(m string) string { return fmt.Sprintf("#.%d", decimals(m)) })
}

func alike(a, b string) bool {
	pa, ba := shapes(a)
	pb, bb := shapes(b)
	return pa == pb || ba == bb
}

// TestShapesHideFiguresAndNothingElse: what alike calls the same, a test of a changed figure accepts.
func TestShapesHideFiguresAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"| N/A   35C    P0             81W /  700W |       4MiB / 143771MiB |", "| N/A   36C    P2            120W /  700W |    1552MiB / 143771MiB |", true},
		{"| N/A   35C    P0             81W /  700W |", "| N/A   36C    P2           120W /  700W |", false},
		{"    Used     : 4 MiB", "    Used     : 1552 MiB", true},
		{"    Used     : 4 MiB", "    Used     : N/A", false},
		{"    Used     : 4 MiB", "    Used      : 4 MiB", false},
		{"    Power    : 76.29 W", "    Power    : 76.3 W", false},
		{"    Idle     : Active", "    Idle     : Not Active", true},
		{"status 0", "status 2", false},
		{"Timestamp : Tue Dec  1 01:31:22 2026", "Timestamp : Mon Nov 30 01:31:22 2026", true},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func TestEveryModeIsTheVendorsOfEveryMode(t *testing.T) {
	if from := os.Getenv("AXON_STATES"); from != "" {
		keep(t, from, cmp.Or(os.Getenv("AXON_KEEP"), "h200-580"))
	}
	files, _ := filepath.Glob("testdata/*.modes.gz")
	for _, file := range files {
		if os.Getenv("AXON_UPDATE") == "1" {
			readKept(t, file).write(t)
		}
	}
	if len(files) < len(keptStates) {
		t.Fatalf("there are only %v", files)
	}
	for _, file := range files {
		k := readKept(t, file)
		t.Run(k.name, func(t *testing.T) {
			exact, compared := 0, 0
			for _, m := range k.modes {
				if m.differs {
					continue
				}
				got := k.printed(t, m.words)
				compared++
				if len(got) != len(m.lines) {
					t.Errorf("%q prints %d lines, not %d", m.words, len(got), len(m.lines))
					continue
				}
				for i, line := range m.lines {
					switch want := line[1:]; {
					case got[i] == want:
						exact++
					case line[0] == '=' || !alike(got[i], want):
						t.Errorf("%q, line %d:\n got %q\nwant %q", m.words, i+1, got[i], want)
					}
				}
			}
			if compared < 15 || exact < 300 {
				t.Errorf("only %d modes and %d lines were compared", compared, exact)
			}
		})
	}
}

func unzipped(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readKept(t *testing.T, file string) *kept {
	t.Helper()
	base := strings.TrimSuffix(file, ".modes.gz")
	k := &kept{name: filepath.Base(base), recording: unzipped(t, base+".nvml.gz")}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(unzipped(t, file)), "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "$ "), strings.HasPrefix(line, "! "):
			k.modes = append(k.modes, keptMode{words: line[2:], differs: line[0] == '!'})
		case line == "" || line[0] != '=' && line[0] != '~' || len(k.modes) == 0:
			t.Fatalf("%s: what is %q?", file, line)
		default:
			m := &k.modes[len(k.modes)-1]
			m.lines = append(m.lines, line)
		}
	}
	return k
}

// dropped are calls whose answers are another's each time, or tell the machine from any other.
var dropped = regexp.MustCompile(`^(axGpm|nvmlGpm(Sample|Mig|Metrics)|nvmlDeviceGetConfComputeGpu(Attestation|Certificate))`)

// keep makes the files of what tests/gpu/smi.sh left.
func keep(t *testing.T, from, name string) {
	t.Helper()
	seen := map[string]bool{} // what another state has as well
	for _, state := range keptStates {
		recording, err := os.ReadFile(filepath.Join(from, state, "before.nvml"))
		if err != nil {
			t.Fatal(err)
		}
		hide := hidden(t, recording)
		k := &kept{name: name + "-" + state}
		for line := range strings.Lines(string(hide(recording))) {
			if !dropped.MatchString(line) {
				k.recording = append(k.recording, line...)
			}
		}
		for n := 1; ; n++ {
			file := filepath.Join(from, state, fmt.Sprint(n))
			words, err := os.ReadFile(file + ".mode")
			if err != nil {
				break
			}
			if strings.Contains(string(words), "/dev/") {
				continue // the test's own
			}
			theirs, err := os.ReadFile(file + ".vendor1")
			if err != nil {
				break
			}
			m := keptMode{words: strings.TrimSpace(string(words))}
			theirs = hide(theirs)
			if key := m.words + moments.ReplaceAllString(string(theirs), ""); !seen[key] {
				seen[key] = true
				for line := range strings.SplitSeq(string(theirs), "\n") {
					m.lines = append(m.lines, "="+line)
				}
				k.modes = append(k.modes, m)
			}
		}
		k.write(t)
	}
}

// write marks the lines and writes the files.
func (k *kept) write(t *testing.T) {
	t.Helper()
	var b bytes.Buffer
	for _, m := range k.modes {
		got := k.printed(t, m.words)
		mark, same := "$", slices.EqualFunc(got, m.lines, func(g, line string) bool { return alike(g, line[1:]) })
		if !same {
			mark = "!"
			t.Logf("%s: %q differs", k.name, m.words)
		}
		fmt.Fprintf(&b, "%s %s\n", mark, m.words)
		for i, line := range m.lines {
			mark := "="
			if same && got[i] != line[1:] {
				mark = "~"
			}
			fmt.Fprintf(&b, "%s%s\n", mark, line[1:])
		}
	}
	zip(t, "testdata/"+k.name+".modes.gz", b.Bytes())
	zip(t, "testdata/"+k.name+".nvml.gz", k.recording)
}

func zip(t *testing.T, file string, text []byte) {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// hidden is how the first GPU's UUID, serial number and PDI are written as no GPU's.
func hidden(t *testing.T, recording []byte) func([]byte) []byte {
	t.Helper()
	rec, err := nvml.ReadRecording(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	s := &source{nvml.New(rec), processName}
	m, err := s.read("", &wants{rUUID: true, rSerial: true, rPDI: true}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	add := func(old, shown string) {
		if len(old) != len(shown) {
			t.Fatalf("%q is not as long as %q", old, shown)
		}
		pairs = append(pairs, old, shown, fmt.Sprintf("%x", old), fmt.Sprintf("%x", shown))
	}
	for _, g := range m.GPUs {
		const uuid = "00000000-1111-2222-3333-444444444444"
		is := strings.TrimPrefix(g.UUID.V, "GPU-")
		add(is, uuid)
		add(strings.ReplaceAll(is, "-", ""), strings.ReplaceAll(uuid, "-", ""))
		if g.Serial.OK() {
			add(g.Serial.V, "1650000000000"[:len(g.Serial.V)])
		}
		if g.PDI.OK() {
			const pdi = 0x0123456789abcdef
			add(fmt.Sprintf("%016x", g.PDI.V), fmt.Sprintf("%016x", uint64(pdi)))
			le := func(n uint64) string {
				var b strings.Builder
				for range 8 {
					fmt.Fprintf(&b, "%02x", byte(n))
					n >>= 8
				}
				return b.String()
			}
			add(le(g.PDI.V), le(pdi))
		}
	}
	r := strings.NewReplacer(pairs...)
	return func(b []byte) []byte { return []byte(r.Replace(string(b))) }
}
