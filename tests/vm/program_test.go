// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"fmt"
	"strings"
	"testing"
)

// program is tests/programs/linger in a guest: it has a session for as long as
// it is told to.
type program struct {
	g    *guest
	name string
	pid  string
}

// Results of linger's commands (CUresult).
const (
	fine = "0"
	gone = "46" // CUDA_ERROR_DEVICE_UNAVAILABLE
)

// start starts a lingering program of a user's and opens its session.
func (g *guest) start(user, name string) *program {
	g.t.Helper()
	p := &program{g: g, name: name}
	g.run(fmt.Sprintf(`cd /run; mkfifo %[1]s.in; : >%[1]s.out; chown %[2]s %[1]s.in %[1]s.out
setsid sleep infinity >%[1]s.in 2>/dev/null </dev/null &
setsid runuser -l %[2]s -c 'echo $$ >/tmp/%[1]s.pid; exec linger </run/%[1]s.in >/run/%[1]s.out 2>&1' </dev/null >/dev/null 2>&1 &
until [ -s /tmp/%[1]s.pid ]; do sleep .05; done`, name, user))
	p.pid = g.run("cat /tmp/" + name + ".pid")
	p.expect("open", fine)
	return p
}

// ask gives the program a command, and its answer without the command's name.
func (p *program) ask(command string) string {
	p.g.t.Helper()
	out := p.g.run(fmt.Sprintf(`cd /run; n=$(wc -l <%[1]s.out); echo %[2]s >%[1]s.in
end=$((SECONDS + 300)); while [ $SECONDS -lt $end ]; do if [ $(wc -l <%[1]s.out) -gt $n ]; then tail -n 1 %[1]s.out; exit; fi; sleep .05; done
echo "no answer after five minutes:"; cat %[1]s.out; exit 1`, p.name, command))
	return strings.TrimPrefix(out, command+" ")
}

func (p *program) expect(command, want string) {
	p.g.t.Helper()
	if got := p.ask(command); got != want {
		p.g.t.Errorf("%s: %s gives %s and not %s", p.name, command, got, want)
	}
}

// leave ends the program, and waits until axond has ended its session.
func (p *program) leave() {
	p.g.t.Helper()
	p.g.run(fmt.Sprintf(`echo leave >/run/%s.in; while [ -d /proc/%s ]; do sleep .05; done`, p.name, p.pid))
}

// sessions waits until there are as many scopes of sessions.
func (g *guest) sessions(n int) {
	g.t.Helper()
	g.until(fmt.Sprintf(`[ "$(systemctl list-units --no-legend --plain 'axon-session-*.scope' | wc -l)" = %d ]`, n))
}

// until waits for a condition, a shell command that ends well, for five minutes.
func (g *guest) until(condition string) {
	g.t.Helper()
	r := g.try(fmt.Sprintf(`end=$((SECONDS + 300)); until %s; do
	if [ $SECONDS -gt $end ]; then systemctl status --no-pager 'axon*'; journalctl -u axond -o cat -q | tail -n 20; exit 1; fi; sleep .2; done`, condition))
	if r.status != 0 {
		g.t.Fatalf("after five minutes it is not so that %s:\n%s", condition, r.out)
	}
}

// tells waits until the journal has every one of the pieces: a line may come after what it is about.
// what is journalctl's arguments.
func (g *guest) tells(what string, pieces ...string) {
	g.t.Helper()
	for _, p := range pieces {
		g.until("journalctl -q " + what + " | grep -q -F -e '" + strings.ReplaceAll(p, "'", `'\''`) + "'")
	}
}

// killAxond kills axond, and waits for the next one.
func (g *guest) killAxond() {
	g.t.Helper()
	before := g.run("systemctl show -P MainPID axond")
	g.run("kill -9 " + before)
	g.until(fmt.Sprintf(`[ "$(systemctl show -P MainPID axond)" != %s ] && systemctl is-active -q axond`, before))
}

// quiet fails the test if axond has written warnings.
func (g *guest) quiet(allowed ...string) {
	g.t.Helper()
	for _, l := range strings.Split(g.run("journalctl -u axond -p warning -o cat -q"), "\n") {
		known := l == "" || strings.HasPrefix(l, "-- ")
		for _, a := range allowed {
			known = known || strings.Contains(l, a)
		}
		if !known {
			g.t.Errorf("the journal has a warning: %s", l)
		}
	}
}

// TestAProgramThatLingers is that start and ask do what the tests below rely on.
func TestAProgramThatLingers(t *testing.T) {
	g := installed(t, "linger")
	p := g.start("alice", "first")
	p.expect("call", fine)
	p.leave()
	g.sessions(0)
	g.quiet()
}
