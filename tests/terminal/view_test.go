// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write what is on the screens as what is wanted")

// program is the view of made-up machines.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "madeup")
	if err == nil {
		program = filepath.Join(dir, "madeup")
		cmd := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./madeup")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		err = cmd.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var sizes = [][2]int{{80, 24}, {120, 40}, {300, 80}}

// show starts the view and waits for its first whole screen.
func show(t *testing.T, size [2]int, args ...string) *Terminal {
	t.Helper()
	x := Start(t, size[0], size[1], nil, program, args...)
	x.Has("axon", "? help")
	return x
}

// fits checks a screen: no line is wider than the terminal, and the title and
// the last line are where they belong.
func fits(t *testing.T, screen string, size [2]int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	if len(lines) != size[1] {
		t.Fatalf("%d lines, not %d:\n%s", len(lines), size[1], screen)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > size[0] {
			t.Errorf("a line of %d columns: %q", w, l)
		}
	}
	if !strings.HasPrefix(lines[0], "axon") || !strings.Contains(lines[size[1]-1], "q quit") {
		t.Errorf("the title or the last line is not where it belongs:\n%s", screen)
	}
}

func TestTheScreensAreAsTheyWere(t *testing.T) {
	for _, size := range sizes {
		for _, fleet := range []struct {
			name string
			args []string
		}{
			{"1", []string{"-machines=1", "-gpus=2", "-sessions=6", "-before=200"}},
			{"8", []string{"-machines=8", "-gpus=2", "-sessions=40", "-before=50"}},
			{"64", []string{"-machines=64", "-gpus=8", "-sessions=500", "-before=5"}},
		} {
			t.Run(fmt.Sprintf("%sx%dx%d", fleet.name, size[0], size[1]), func(t *testing.T) {
				x := show(t, size, fleet.args...)
				screen := x.Screen()
				fits(t, screen, size)
				file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d", fleet.name, size[0], size[1]))
				if *update {
					if err := os.WriteFile(file, []byte(screen), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if screen != string(want) {
					t.Errorf("%s (go test ./tests/terminal -update writes it) is\n%s\nnot\n%s", file, screen, want)
				}
				x.Type("q")
				if code := x.Ended(); code != 0 {
					t.Errorf("it ended with status %d", code)
				}
			})
		}
	}
}

// marked is the line that the cursor is on.
func marked(screen string) string {
	for _, l := range strings.Split(screen, "\n") {
		if strings.HasPrefix(l, "> ") {
			return strings.TrimSpace(l[2:])
		}
	}
	return ""
}

// on waits until the cursor is on a line with a text.
func on(x *Terminal, text string) string {
	x.t.Helper()
	return x.Until("the cursor on "+text, func(s string) bool { return strings.Contains(marked(s), text) })
}

func TestKeysMove(t *testing.T) {
	for _, size := range sizes {
		x := show(t, size, "-sessions=40")
		on(x, "node01")
		for _, step := range []struct{ key, to string }{
			{"j", "GPU 0"}, {"Down", "GPU 1"}, {"+", "14.8G"}, {"-", "GPU 1"}, {"Up", "GPU 0"}, {"C-n", "GPU 1"}, {"C-p", "GPU 0"}, {"K", "node01"}, {"K", "node01"},
			{"G", "1.0G"}, {"g", "node01"}, {"End", "1.0G"}, {"Home", "node01"}, {"}", "node01"}, {"j", "GPU 0"}, {"{", "node01"},
		} {
			x.Type(step.key)
			screen := on(x, step.to)
			fits(t, screen, size)
		}
		// A screen down and up again, half a screen, and places on the screen.
		x.Type("C-f", "C-f", "C-b", "C-d", "C-u", "PageDown", "PageUp", "M", "L", "H")
		fits(t, x.Has("q quit"), size)
		x.Type("g")
		on(x, "node01")
	}
}

func TestAMachineFoldsAndTabGoesToTheNext(t *testing.T) {
	x := show(t, sizes[1], "-machines=8", "-sessions=40")
	on(x, "node01")
	x.Lacks("SESSION")
	x.Type("Tab", "Tab")
	on(x, "node03")
	x.Type("Enter")
	x.Has("SESSION", "GPU 1")
	x.Type("j", "j", "h")
	x.Lacks("SESSION")
	on(x, "node03")
	x.Type("l", "Tab")
	x.Has("SESSION")
	on(x, "node04")
	x.Type("BTab", "BTab")
	on(x, "node02")
}

func TestAFilterShowsOnlyWhatItNames(t *testing.T) {
	for _, size := range sizes {
		x := show(t, size, "-machines=64", "-gpus=8", "-sessions=500")
		x.Type("/")
		x.Write("node07 dana")
		screen := x.Has("/node07 dana_", "SESSION")
		if strings.Contains(screen, "alice") || strings.Contains(screen, "node08") || !strings.Contains(screen, "dana") {
			t.Errorf("the filter shows too much:\n%s", screen)
		}
		x.Type("Enter")
		fits(t, x.Has("filter: node07 dana", "q quit"), size)
		x.Type("/")
		x.Type("C-u")
		x.Write("nothing like that")
		x.Has("Nothing matches")
		x.Type("Escape")
		fits(t, x.Has("node08", "q quit"), size)
	}
}

func TestSortingGoesThroughTheFigures(t *testing.T) {
	x := show(t, sizes[1], "-sessions=6", "-before=20")
	first := func(screen string) string {
		m := regexp.MustCompile(`PROGRAM *\n *(\d+)`).FindStringSubmatch(screen)
		if m == nil {
			return ""
		}
		return m[1]
	}
	for _, c := range []struct{ key, title, first string }{
		{"", "sorted by memory", "6"}, {"s", "sorted by busy", ""}, {"s", "sorted by calls", "6"}, {"S", "sorted by calls, reversed", "1"},
		{"s", "sorted by newest", "1"}, {"s", "sorted by user", ""}, {"s", "sorted by program", "6"}, {"s", "sorted by session", "1"}, {"s", "sorted by memory", "6"},
	} {
		if c.key != "" {
			x.Type(c.key)
		}
		screen := x.Has(c.title + "\n")
		if c.first != "" && first(screen) != c.first {
			t.Errorf("%s: session %s is the first, not %s:\n%s", c.title, first(screen), c.first, screen)
		}
	}
}

func TestDetailsHaveEverythingOfASession(t *testing.T) {
	for _, size := range sizes {
		x := show(t, size, "-sessions=6")
		x.Type("G", "Enter")
		screen := x.Has("command", "python3 train.py --model llama-8b", "'/srv/data/corpus tokens'", "limit", "24.0G", "Esc or q back")
		for _, want := range []string{"alice, uid 1000", "4000", "GPU-00000001-0000-4000-8000-000000000000", "axon-session-1.scope", "a second"} {
			if !strings.Contains(screen, want) {
				t.Errorf("there is no %q:\n%s", want, screen)
			}
		}
		x.Type("q")
		x.Has("q quit")
		x.Type("g", "j", "i") // a GPU's
		x.Has("UUID", "00000000:18:00.0", "NVLink 4")
		x.Type("Escape")
		x.Has("q quit")
		x.Type("g", "Space")
		x.Has("processors", "64")
	}
}

func TestHelpExplainsEveryKey(t *testing.T) {
	x := show(t, sizes[0])
	x.Type("?")
	screen := x.Has("a row down", "Esc or q back")
	x.Type("G")
	x.Has("is unknown: the GPU does not tell")
	x.Type("g")
	x.Has("a row down")
	for range 60 {
		x.Type("j")
		screen += x.Screen()
	}
	for _, key := range []string{"Ctrl-D", "Home  g", "H  M  L", "Tab", "Enter", "k ", "/ ", "s  S", "Esc", "Ctrl-L", "Ctrl-Z", "? ", "q ", "CALLS/S"} {
		if !strings.Contains(screen, " "+key) {
			t.Errorf("help says nothing of %q", key)
		}
	}
	x.Type("q")
	x.Has("q quit")
}

func TestASessionEndsOnlyWhenTheAnswerIsYes(t *testing.T) {
	for _, size := range sizes {
		x := show(t, size, "-sessions=6", "-moving")
		x.Type("k")
		x.Has("k ends a session; put the cursor on one")
		x.Type("g", "G") // session 1
		on(x, "alice")
		x.Type("k")
		x.Has("End session 1 (python3 of alice, pid 4000)?")
		x.Type("k") // as vi's fingers do
		x.Has("Session 1 goes on.")
		x.Type("k")
		x.Has("End session 1")
		x.Type("Enter")
		x.Has("Session 1 goes on.")
		x.Type("k")
		x.Has("End session 1")
		x.Type("y")
		x.Has("Session 1 has ended.")
		x.Has("5 sessions")
		// Somebody else's.
		x.Type("g", "j", "j", "j")
		on(x, "12.5G")
		x.Type("k")
		x.Has("End session 6")
		x.Type("y")
		x.Has("you may not end session 6; try: sudo axon session terminate 6")
		x.Has("5 sessions")
	}
}

func TestReturnOnAGPUOpensAShellForIt(t *testing.T) {
	x := show(t, sizes[0], "-machines=2")
	x.Type("j", "j")
	on(x, "GPU 1")
	x.Type("Enter")
	x.Has("Programs in this shell use GPU 1, NVIDIA H200.", "shell>")
	x.Write("echo it is $CUDA_VISIBLE_DEVICES; stty -a | grep -o '[- ]icanon'")
	x.Type("Enter")
	x.Has("it is GPU-00000001-0000-4000-8000-000000000001\n", "\n icanon\n")
	x.Write("false; exit")
	x.Type("Enter")
	fits(t, x.Has("q quit"), sizes[0])
	x.Lacks("shell>")
	// A shell that is killed leaves the terminal to nobody.
	x.Type("Enter")
	x.Has("shell>")
	x.Write("kill -9 $$")
	x.Type("Enter")
	x.Has("q quit")
	x.Type("Up")
	on(x, "GPU 0")
	// Another machine's GPU cannot be had here.
	x.Type("Tab", "j")
	on(x, "GPU 0")
	x.Type("Enter")
	x.Has("its own machine")
}

func TestASizeThatChangesIsFollowed(t *testing.T) {
	x := show(t, sizes[0], "-machines=8", "-sessions=100")
	for _, size := range [][2]int{{300, 80}, {40, 10}, {20, 5}, {120, 40}, {80, 24}} {
		x.Resize(size[0], size[1])
		x.Until(fmt.Sprint(size), func(s string) bool {
			lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
			return len(lines) == size[1] && strings.HasPrefix(lines[0], "axon") && strings.HasPrefix(lines[size[1]-1], "? help")
		})
	}
	fits(t, x.Screen(), sizes[0])
	x.Resize(3, 2)
	x.Resize(1, 1)
	x.Resize(80, 24)
	x.Until("the whole view again", func(s string) bool { return strings.Contains(s, "q quit") && strings.Contains(s, "node08") })
}

func TestHostileNamesDoNothingToTheTerminal(t *testing.T) {
	for _, size := range sizes {
		x := show(t, size, "-sessions=14", "-strange")
		screen := x.Has("SESSION", `$'\x9b31m`)
		fits(t, screen, size)
		x.Type("G")
		for range 14 {
			x.Type("Enter")
			x.Has("Esc or q back")
			for _, l := range strings.Split(x.Screen(), "\n") {
				if w := ansi.StringWidth(l); w > size[0] {
					t.Errorf("a line of %d columns: %q", w, l)
				}
			}
			x.Type("Escape")
			x.Has("q quit")
			x.Type("Up")
		}
		if title := strings.TrimSpace(x.tmux("display-message", "-p", "#{pane_title}")); strings.Contains(title, "owned") {
			t.Errorf("the terminal's title is %q", title)
		}
		fits(t, x.Screen(), size)
	}
}

func TestWithoutColoursAndLettersAllIsSaid(t *testing.T) {
	x := Start(t, 80, 24, []string{"NO_COLOR=1", "LC_ALL=C"}, program, "-machines=9", "-sessions=20", "-before=20")
	screen := x.Has("1 silent", "no answer: connection refused", "> + node01")
	if i := strings.IndexFunc(screen, func(r rune) bool { return r > 126 }); i >= 0 {
		t.Errorf("the C locale does not have %q:\n%s", screen[i:min(i+10, len(screen))], screen)
	}
	x.Type("l", "j")
	on(x, "GPU 0")
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*?\b(3[0-7]|4[0-7]|38|48|9[0-7]|10[0-7])\b[0-9;]*m`).FindString(x.Escapes()); colour != "" {
		t.Errorf("NO_COLOR has the colour %q", colour)
	}
	y := show(t, sizes[0])
	if !regexp.MustCompile(`\x1b\[3[0-9]m`).MatchString(y.Escapes()) {
		t.Errorf("without NO_COLOR there are no colours: %q", y.Escapes())
	}
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	for _, size := range sizes {
		x := show(t, size, "-machines=64", "-gpus=8", "-sessions=500", "-before=5", "-every=1h")
		x.Has("7 silent")
		x.Record()
		// The cursor's old line and its new one, ten times.
		for i := range 10 {
			x.Type("j")
			on(x, fmt.Sprintf("node%02d", i+2))
		}
		// The bar is as wide as the screen; the rest of the screen stays.
		if n, most := x.Written(), int64(10*(2*size[0]*2+200)); n == 0 || n > most {
			t.Errorf("%dx%d: %d bytes were written for ten steps, more than %d", size[0], size[1], n, most)
		} else {
			t.Logf("%dx%d: %d bytes a step, the screen has %d letters", size[0], size[1], n/10, size[0]*size[1])
		}
	}
}

func TestALongFleetScrollsWithItsCursor(t *testing.T) {
	x := show(t, sizes[0], "-machines=64", "-gpus=8", "-sessions=500", "-moving")
	x.Has("64 machines", "7 silent")
	for _, step := range [][2]string{{"G", "node64"}, {"g", "node01"}, {"C-f", "node23"}, {"L", "node23"}, {"H", "node02"}} {
		x.Type(step[0])
		fits(t, on(x, step[1]), sizes[0])
	}
	x.Type("G", "l", "G")
	fits(t, x.Until("the last session", func(s string) bool { return marked(s) != "" && !strings.Contains(marked(s), "node") }), sizes[0])
}
