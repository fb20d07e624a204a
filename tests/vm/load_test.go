// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// workers counts the workers. Their threads have names of their own.
const workers = "pgrep -f -c ^/usr/libexec/axon/axon-worker"

// state is what many sessions must leave as it was: axond's descriptors and
// those that systemd keeps for it, scopes, workers and their folders.
const state = `pid=$(systemctl show -P MainPID axond)
echo "descriptors of axond: $(ls /proc/$pid/fd | wc -l)"
echo "kept by systemd: $(systemctl show -P NFileDescriptorStore axond)"
echo "control groups: $(ls -d /sys/fs/cgroup/axon.slice/*/ 2>/dev/null | wc -l)"
echo "units: $(systemctl list-units --all --no-legend 'axon-session*' | wc -l)"
echo "workers: $(` + workers + `)"
echo "caches: $(ls /var/cache/axon | wc -l)"`

// descriptors are axond's, and what each is.
const descriptors = `ls -l /proc/$(systemctl show -P MainPID axond)/fd | sed 's/.* \([0-9]* ->\)/\1/'`

// settled waits until there is no session, and so many warm workers: one for each
// user who had a session since axond started.
func (g *guest) settled(warm string) {
	g.t.Helper()
	g.sessions(0)
	g.until(fmt.Sprintf(`[ $(%s) %s ]`, workers, warm))
}

// short is a program that has a session and computes hardly anything in it.
const short = `[ "$(printf "open\ncall\nleave\n" | linger | tr "\n" " ")" = "open 0 call 0 " ]`

func TestManySessionsLeaveNothing(t *testing.T) {
	g := installed(t, "linger")
	g.run(as("alice", short))
	g.run(as("bob", short))
	// What a session has used is told on the bus by its GPU, and which there are a
	// worker of root's tells, with a folder of root's: once, and maybe in the midst.
	g.run("busctl call " + busName + " " + busRoot + " " + busName + ".Manager ListGPUs")
	g.settled("= 2")
	before, open := g.run(state), g.run(descriptors)
	memory := "grep VmRSS /proc/$(systemctl show -P MainPID axond)/status | tr -dc 0-9"
	rss := g.run(memory)
	// In pieces, each within a script's time.
	for range 10 {
		g.run(as("alice", "for i in $(seq 20); do "+short+" || exit 1; done"))
	}
	g.run(as("bob", `for i in $(seq 32); do (
	said=$(printf "open\ncall\nleave\n" | linger 2>&1 | tr "\n" " ")
	[ "$said" = "open 0 call 0 " ] || echo "$i: $said" >>/tmp/failed
) & done; wait; ! cat /tmp/failed 2>/dev/null`))
	g.settled("= 2")
	// What axond waits for by itself (a bus, a reader) ends by itself, too; what is left does not.
	if r := g.try(fmt.Sprintf("end=$((SECONDS + 60)); until [ \"$(%s)\" = '%s' ]; do [ $SECONDS -lt $end ] || exit 1; sleep .5; done", state, before)); r.status != 0 {
		t.Errorf("before the sessions:\n%s\n%s\nafter them:\n%s\n%s", before, open, g.run(state), g.run(descriptors))
	}
	// Go gives memory back when it likes to, and a session's share of 32 MiB would be 140 KiB.
	now := g.run(memory)
	t.Logf("axond's memory was %s kB, and is %s kB", rss, now)
	began, _ := strconv.Atoi(rss)
	if after, err := strconv.Atoi(now); err != nil || after > began+32<<10 {
		t.Errorf("after 234 sessions axond has %s kB of memory and not %s", now, rss)
	}
	g.until("[ $(journalctl -u axond -o cat -q | grep -c 'session ended') -ge 234 ]")
	starts := g.run("journalctl -u axond -o cat -q | grep -c 'session started'")
	ends := g.run("journalctl -u axond -o cat -q | grep -c 'session ended'")
	if starts != "234" || ends != "234" {
		t.Errorf("of 234 sessions the journal has %s starts and %s ends", starts, ends)
	}
	// With 32 at once on a slow machine systemd takes longer for a job, and a program for its hello, than axond waits; both try again.
	g.quiet("it is made again", "said nothing and was dropped")
}

// TestAxondIsKilledTwentyTimes: at moments that no test has chosen, while programs
// come and go and one stays.
func TestAxondIsKilledTwentyTimes(t *testing.T) {
	g := installed(t, "linger")
	p := g.start("alice", "stays")
	g.run(`mkdir -m 777 /run/results; touch /run/go; for n in 1 2; do
	setsid runuser -l bob -c 'while [ -e /run/go ]; do printf "open\ncall\nleave\n" | linger >>/run/results/'$n' 2>&1; done' </dev/null >/dev/null 2>&1 &
done`)
	// In pieces, each within a script's time.
	for i := range 5 {
		g.run(fmt.Sprintf(`for n in 1 2 3 4; do
	sleep 0.$(((%d + n) * 37 %% 97))
	old=$(systemctl show -P MainPID axond); kill -9 $old
	# A client says its hello again for seconds, so not before the next one serves.
	until systemctl is-active -q axond && [ $(systemctl show -P MainPID axond) != $old ]; do sleep .05; done
done`, i*4))
	}
	p.expect("call", fine)
	g.run("rm /run/go; while pgrep -u bob -x linger >/dev/null; do sleep .1; done")
	p.expect("call", fine)
	out := g.run("sort /run/results/* | uniq -c")
	t.Logf("the programs said:\n%s", out)
	for _, l := range strings.Split(out, "\n") {
		if f := strings.Fields(l); len(f) == 3 && (f[1] == "open" || f[1] == "call") && f[2] == fine {
			continue
		}
		t.Errorf("a program failed while axond was killed: %s", l)
	}
	p.leave()
	g.settled("-le 2")
	// Every session has begun once and ended once. The line of the end comes after the end.
	g.until("[ $(journalctl -u axond -o cat -q | grep 'session ended' | grep -o ' session=[0-9]*' | sort -u | wc -l) -ge $(journalctl -u axond -o cat -q | grep 'session started' | grep -o ' session=[0-9]*' | sort -u | wc -l) ]")
	doubled := g.run(`for what in started ended; do
	journalctl -u axond -o cat -q | grep "session $what" | grep -v again=true | grep -o ' session=[0-9]*' | sort | uniq -d | sed "s/^/$what twice:/"; done
journalctl -u axond -o cat -q | grep 'session started' | grep -o ' session=[0-9]*' | sort -u >/tmp/started
journalctl -u axond -o cat -q | grep 'session ended' | grep -o ' session=[0-9]*' | sort -u >/tmp/ended
comm -23 /tmp/started /tmp/ended | sed 's/^/started and not ended:/'`)
	if doubled != "" {
		t.Errorf("%s", doubled)
	}
	g.until("systemctl status axond | grep -q '0 of at most 256 sessions'")
}
