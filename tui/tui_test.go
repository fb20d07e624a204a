// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
)

// shown is a model of machines after some samples.
func shown(t *testing.T, samples, width, height int, members ...fleet.Member) *model {
	t.Helper()
	f := fleet.New(members, time.Second)
	for range samples {
		f.Ask(context.Background())
	}
	m := newModel(context.Background(), f, Options{Now: func() time.Time { return madeup.Start.Add(time.Minute) }})
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

// screen is what the model draws. It fits, whatever the size.
func screen(t *testing.T, m *model) []string {
	t.Helper()
	v := m.View()
	lines := strings.Split(ansi.Strip(v.Content), "\n")
	if len(lines) > m.height {
		t.Fatalf("%d lines at %dx%d:\n%s", len(lines), m.width, m.height, v.Content)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > m.width {
			t.Fatalf("a line of %d columns at %dx%d: %q", w, m.width, m.height, l)
		}
		if i := strings.IndexFunc(l, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u200b' }); i >= 0 {
			t.Fatalf("a character that a terminal obeys: %q", l)
		}
	}
	return lines
}

func press(m *model, keys ...string) tea.Cmd {
	var cmd tea.Cmd
	for _, k := range keys {
		code := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "tab": tea.KeyTab,
			"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "space": tea.KeySpace}[k]
		key := tea.Key{Code: code}
		switch {
		case strings.HasPrefix(k, "ctrl+"):
			key = tea.Key{Code: rune(k[5]), Mod: tea.ModCtrl}
		case code == 0:
			r := []rune(k)[0]
			key = tea.Key{Code: r, Text: k}
		}
		_, cmd = m.Update(tea.KeyPressMsg(key))
	}
	return cmd
}

// hostileFleet has everything that a machine may do.
func hostileFleet() []fleet.Member {
	return []fleet.Member{
		{Name: "node01", Local: true, Source: &madeup.Machine{GPUs: 8, Sessions: 40}},
		{Name: "\x1b[2J\u202eevil name that is far too long for any column of any table there is", Source: &madeup.Machine{Number: 1, GPUs: 1, Sessions: 30, Strange: true}},
		{Name: "日本語日本語日本語日本語日本語日本語", Source: &madeup.Machine{Number: 3, GPUs: 2, Sessions: 3}},
		{Name: "dead", Source: &madeup.Machine{Dead: errors.New("no\x1b[5m way\nhere, " + strings.Repeat("long ", 100))}},
		{Name: "", Source: &madeup.Machine{Dead: errors.New("")}},
		{Name: "cpu", Source: &madeup.Machine{Number: 5}},
	}
}

// TestNoKeysAtNoSizeBreakTheScreen walks at random through keys, sizes and
// samples; what fails says its seed.
func TestNoKeysAtNoSizeBreakTheScreen(t *testing.T) {
	keys := []string{"enter", "esc", "up", "down", "left", "right", "tab", "pgup", "pgdown", "home", "end", "backspace", "space",
		"j", "K", "k", "y", "n", "g", "G", "H", "M", "L", "/", "s", "S", "i", "?", "h", "l", "a", "é", "日", "{", "}", "ctrl+d", "ctrl+u", "ctrl+f", "ctrl+b", "ctrl+w"}
	for seed := range uint64(15) {
		random := rand.New(rand.NewPCG(seed, 1))
		members := hostileFleet()
		members = members[:1+random.IntN(len(members))]
		m := shown(t, random.IntN(3), 80, 24, members...)
		for range 200 {
			switch random.IntN(20) {
			case 0:
				m.Update(tea.WindowSizeMsg{Width: random.IntN(310), Height: random.IntN(90)})
			case 1:
				m.fleet.Ask(context.Background())
				m.Update(newer{})
			case 2:
				m.Update(tea.PasteMsg{Content: "\x1b[31mpasted\n"})
			case 3: // a session ends by itself
				members[0].Source.End(context.Background(), uint32(1+random.IntN(40)))
			default:
				if cmd := press(m, keys[random.IntN(len(keys))]); cmd != nil && m.mode == moving && strings.HasPrefix(m.said, "Ending") {
					m.Update(cmd())
				}
			}
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Fatalf("seed %d: %v", seed, p)
					}
				}()
				screen(t, m)
			}()
			if len(m.rows) > 0 && m.mode != reading {
				if r := m.selected(); r == nil || !r.stops() {
					t.Fatalf("seed %d: the cursor is on nothing", seed)
				}
				if m.width > 10 && m.height > 4 && !strings.Contains(strings.Join(screen(t, m), "\n"), "\n> ") {
					t.Fatalf("seed %d: the cursor is not seen:\n%s", seed, strings.Join(screen(t, m), "\n"))
				}
			}
		}
	}
}

func TestTheCursorStaysOnItsSessionWhenOthersComeAndGo(t *testing.T) {
	source := &madeup.Machine{GPUs: 1, Sessions: 9}
	m := shown(t, 2, 100, 30, fleet.Member{Name: "a", Source: source})
	press(m, "G", "up", "up")
	was := m.cursor
	for _, n := range []uint32{1, 7, 3} {
		if was.session.Session == n {
			continue
		}
		if err := source.End(context.Background(), n); err != nil {
			t.Fatal(err)
		}
	}
	m.fleet.Ask(context.Background())
	m.Update(newer{})
	if m.cursor != was {
		t.Errorf("the cursor went from %v to %v", was, m.cursor)
	}
	press(m, "s")
	if m.cursor != was {
		t.Error("sorting moved the cursor to another session")
	}
}

func TestASessionThatEndedMeanwhileIsNotEndedAgain(t *testing.T) {
	source := &madeup.Machine{GPUs: 1, Sessions: 2}
	m := shown(t, 2, 100, 30, fleet.Member{Name: "a", Source: source})
	press(m, "G", "k")
	if m.mode != asking {
		t.Fatal("nothing is asked")
	}
	if err := source.End(context.Background(), m.ends.key.Session); err != nil {
		t.Fatal(err)
	}
	m.fleet.Ask(context.Background())
	m.Update(newer{})
	if !strings.Contains(strings.Join(screen(t, m), "\n"), "has ended by itself") {
		t.Error("the question does not say that the session has ended")
	}
	if cmd := press(m, "y"); cmd != nil || !strings.Contains(m.said, "by itself") {
		t.Errorf("%q, and a command", m.said)
	}
}

func TestPastedTextPressesNoKeys(t *testing.T) {
	m := shown(t, 2, 100, 30, fleet.Member{Name: "a", Source: &madeup.Machine{GPUs: 1, Sessions: 2}})
	press(m, "G", "k")
	if _, cmd := m.Update(tea.PasteMsg{Content: "y"}); cmd != nil || m.mode != asking {
		t.Error("a pasted y is an answer")
	}
}

func TestWhySilenceIsSaidInFull(t *testing.T) {
	err := errors.New("axond is not running: there is no socket /run/axon/sock; start it (as root: systemctl start axond.socket, or just axond), or name its socket in AXON_SESSION")
	m := shown(t, 1, 80, 24, fleet.Member{Name: "a", Source: &madeup.Machine{Dead: err}})
	if text := strings.Join(strings.Fields(strings.Join(screen(t, m), " ")), " "); !strings.Contains(text, err.Error()) {
		t.Errorf("%s", text)
	}
}

func TestWhatCouldNotBeDoneIsSaidInFull(t *testing.T) {
	m := shown(t, 2, 80, 24, fleet.Member{Name: "a", Source: &madeup.Machine{GPUs: 1, Sessions: 2}})
	text := "the system bus cannot be reached (dial unix /run/dbus/system_bus_socket: connect: no such file); start D-Bus (systemctl start dbus), or use a machine that has one"
	m.Update(endedSession{"Session 1", errors.New(text)})
	if got := strings.Join(strings.Fields(strings.Join(screen(t, m), " ")), " "); !strings.HasSuffix(got, text) {
		t.Errorf("%s", got)
	}
	press(m, "j")
	if got := screen(t, m); !strings.Contains(got[23], "q quit") {
		t.Errorf("a key does not take it away: %q", got)
	}
}

func TestGraphsShowUnknownAsNothingAndNothingAsALittle(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values        []float64
		width, height int
		ascii         bool
		want          string
	}{
		{[]float64{0, 0.5, 1}, 5, 1, false, "  ▁▄█"},
		{[]float64{0, nan, 1}, 3, 1, true, ". @"},
		{[]float64{0, 0.25, 0.5, 0.75, 1}, 5, 2, false, "   ▄█|▁▄███"},
		{[]float64{-5, 7, math.Inf(1)}, 3, 1, false, "▁██"},
		{[]float64{1, 0, 0}, 2, 1, false, "▁▁"},
		{nil, 3, 2, false, "   |   "},
	} {
		if got := strings.Join(graph(c.values, c.width, c.height, c.ascii), "|"); got != c.want {
			t.Errorf("%v: %q, not %q", c.values, got, c.want)
		}
	}
}

func TestALineLeavesOutTheLeastFirst(t *testing.T) {
	parts := func() []part { return []part{{"name", 9}, {"less", 1}, {"", 0}, {"more", 5}} }
	for width, want := range map[int]string{20: "name  less  more", 16: "name  less  more", 15: "name  more", 9: "name", 3: "na~", 0: ""} {
		if got := line(width, parts()...); got != want {
			t.Errorf("%d columns: %q, not %q", width, got, want)
		}
	}
}

func TestTheLocaleDecidesAboutLetters(t *testing.T) {
	for _, c := range []struct {
		env   map[string]string
		ascii bool
	}{
		{nil, true}, {map[string]string{"LANG": "C"}, true}, {map[string]string{"LANG": "de_DE.UTF-8"}, false}, {map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, true}, {map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "C"}, false}, {map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
	} {
		if got := ASCII(func(name string) string { return c.env[name] }); got != c.ascii {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}

func TestNoTwoKeysMeanTheSame(t *testing.T) {
	seen := map[string]string{}
	for _, b := range bindings {
		for _, k := range b.keys {
			if was, ok := seen[k]; ok {
				t.Errorf("%s means %q and %q", k, was, b.does)
			}
			seen[k] = b.does
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d keys", len(seen))
	}
}

func TestDetailsOfAMachineThatNeverAnsweredSayWhy(t *testing.T) {
	m := shown(t, 1, 80, 24, fleet.Member{Name: "a", Source: &madeup.Machine{Dead: errors.New("no way there")}})
	press(m, "i")
	text := strings.Join(screen(t, m), "\n")
	if !strings.Contains(text, "no answer") || !strings.Contains(text, "no way there") || strings.Contains(text, "seen") {
		t.Errorf("%s", text)
	}
}
