// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"fmt"
	"strings"
	"testing"
)

// terminal is a terminal in a guest, tmux's, at which a user sits.
type terminal struct {
	g    *guest
	user string
}

// prompt is what the user's shell says when it waits.
const prompt = "ready> "

// terminal has a user sit down at a terminal of so many columns and lines, the
// last of which is tmux's own.
func (g *guest) terminal(user string, columns, lines int) *terminal {
	g.t.Helper()
	x := &terminal{g, user}
	x.tmux(fmt.Sprintf("-u new-session -d -x %d -y %d -e LC_ALL=C.UTF-8 -e PS1=%s -- bash --norc", columns, lines, quoted(prompt)))
	x.has(prompt)
	return x
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (x *terminal) tmux(command string) {
	x.g.t.Helper()
	x.g.run(as(x.user, "tmux -f /dev/null "+command))
}

// press presses keys, by tmux's names.
func (x *terminal) press(keys ...string) {
	x.g.t.Helper()
	x.tmux("send-keys -- " + strings.Join(keys, " "))
}

// enter types a line.
func (x *terminal) enter(line string) {
	x.g.t.Helper()
	x.tmux("send-keys -l -- " + quoted(line))
	x.press("Enter")
}

// until waits for a screen, $1, of which a condition holds, and gives it. In $2
// it is one line, so that a text may go on in the next.
func (x *terminal) until(what, condition string) string {
	x.g.t.Helper()
	r := x.g.try(as(x.user, `holds() { `+condition+`; }
end=$((SECONDS + 120)); while :; do
	screen=$(tmux capture-pane -p)
	if holds "$screen" "$(echo "$screen" | tr -s " \n" " ")"; then echo "$screen"; exit; fi
	if [ $SECONDS -gt $end ]; then echo "$screen"; exit 1; fi
	sleep .1
done`))
	if r.status != 0 {
		x.g.t.Fatalf("on %s's terminal there is no screen with %s, but:\n%s", x.user, what, r.out)
	}
	return r.out
}

// has waits for texts that are on the screen at the same time.
func (x *terminal) has(texts ...string) string {
	x.g.t.Helper()
	condition := "true"
	for _, t := range texts {
		condition += ` && [[ "$1$2" = *` + quoted(t) + `* ]]`
	}
	return x.until(fmt.Sprintf("%q", texts), condition)
}

// on waits until the view's cursor is on a row with a text.
func (x *terminal) on(text string) {
	x.g.t.Helper()
	x.until("the cursor on "+text, `grep -q -e `+quoted("^> .*"+text)+` <<<"$1"`)
}

// find moves the view's cursor to the session of a process.
func (x *terminal) find(pid string) {
	x.g.t.Helper()
	x.press("/")
	x.enter(pid)
	x.press("G")
	x.on(pid)
}

// TestASessionIsEndedInTheView: by its user, who is asked before, and by nobody
// else of whom the administrator does not say so.
func TestASessionIsEndedInTheView(t *testing.T) {
	g := installed(t, "linger")
	own, others := g.start("alice", "first"), g.start("bob", "second")
	x := g.terminal("alice", 80, 25)
	x.enter("axon")
	x.has("axon softgpu", "2 sessions", "q quit")
	x.find(own.pid)
	x.press("k")
	x.has("End session 1 (linger of alice, pid " + own.pid + ")? y ends it, any other key does not.")
	x.press("n")
	x.has("Session 1 goes on.")
	own.expect("call", fine)
	x.press("k")
	x.has("End session 1")
	x.press("y")
	x.has("Session 1 has ended.", "1 session ")
	own.expect("call", gone)
	g.tells("-u axond -o cat AXON_SESSION=1", "user 1000 asked for it over the bus")

	x.press("Escape")
	x.find(others.pid)
	x.press("k")
	x.has("End session 2 (linger of bob, pid " + others.pid + ")?")
	x.press("y")
	x.has("you may not do that to session 2: it is another user's", "sudo axon session terminate 2")
	others.expect("call", fine)
	x.press("q")
	x.has(prompt)
	g.sessions(1)
	g.quiet()
}

// TestReturnOnAGPUOpensAShellThatUsesIt: what is typed there has its session on
// that GPU and on no other.
func TestReturnOnAGPUOpensAShellThatUsesIt(t *testing.T) {
	g := installed(t, "linger")
	g.run("mkdir -p /run/systemd/system/axond.service.d; printf '[Service]\\nEnvironment=SOFTGPU_DEVICES=2\\n' >/run/systemd/system/axond.service.d/two.conf; systemctl daemon-reload")
	x := g.terminal("alice", 80, 25)
	x.enter("export SOFTGPU_DEVICES=2") // for her own programs' workers
	x.enter("axon")
	x.has("GPU 0", "GPU 1", "q quit")
	x.press("g", "j", "j")
	x.on("GPU 1")
	x.press("Enter")
	x.has("Programs in this shell use GPU 1, axon softgpu. Its end leads back to axon.")
	x.enter("driver_axpy | grep elements")
	x.has("65536 elements correct")
	x.enter("linger")
	x.enter("open")
	x.has("open 0")
	m := g.saw(as("bob", show))
	if len(m.GPUs) != 2 || len(m.Sessions) != 1 || len(m.Sessions[0].GPUs) != 1 || m.Sessions[0].GPUs[0] != m.GPUs[1].UUID {
		t.Errorf("there are %+v, and the program in the shell for GPU 1 has %+v", m.GPUs, m.Sessions)
	}
	x.enter("leave")
	x.enter("exit")
	x.has("0 sessions", "q quit")
	x.press("q")
	x.has(prompt)
	g.quiet()
}
