// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestASessionIsAScopeThatSystemctlKnows(t *testing.T) {
	g := installed(t, "linger")
	first, second := g.start("alice", "first"), g.start("bob", "second")
	says(t, "systemctl status axon.slice", g.run("systemctl status axon.slice"), "axon-session-1.scope", "axon-session-2.scope", "axon-worker")
	says(t, "systemd-cgls", g.run("systemd-cgls /axon.slice"), "axon-session-1.scope", "axon-worker")
	says(t, "systemctl show", g.run("systemctl show axon-session-1.scope"), "MemorySwapMax=0", "TasksMax=2048", "Slice=axon.slice",
		"linger (pid "+first.pid+") of alice")
	if out := g.run("systemctl show -P ControlGroup axond; cat /proc/" + first.pid + "/cgroup"); strings.Contains(out, "axon.slice") {
		t.Errorf("axond, or the program itself, is in the slice: %s", out)
	}

	g.run("systemctl set-property --runtime axon-session-1.scope MemoryMax=300M")
	if out := g.run("cat /sys/fs/cgroup/axon.slice/axon-session-1.scope/memory.max"); out != strconv.Itoa(300<<20) {
		t.Errorf("after systemctl set-property MemoryMax=300M the limit is %s", out)
	}
	first.expect("call", fine)
	g.run("systemctl kill axon-session-1.scope")
	first.expect("call", gone)
	second.expect("call", fine)
	g.sessions(1)
	g.run("systemctl stop axon-session-2.scope")
	second.expect("call", gone)
	second.leave()
	first.leave()
	g.sessions(0)
	says(t, "systemctl --failed", g.run("systemctl --failed"), "0 loaded units listed")
}

// What a worker has that waits for a session is not axond's, which would be ended
// for it when memory is short.
func TestWorkersThatWaitAreNotAxonds(t *testing.T) {
	g := installed(t, "linger")
	first := g.start("alice", "first")
	g.until("systemctl list-units --no-legend --plain 'axon-warm-*.scope' | grep -q running")
	says(t, "systemctl status axon.slice", g.run("systemctl status axon.slice"), "axon-session-1.scope", "axon-warm-")
	warm := g.run("cat /sys/fs/cgroup/axon.slice/axon-warm-*.scope/cgroup.procs")
	if out := g.run("cat /sys/fs/cgroup/system.slice/axond.service/cgroup.procs; systemctl show -P MainPID axond"); len(strings.Fields(out)) != 2 {
		t.Errorf("axond's own control group has not axond alone: %s", g.run("systemctl status axond"))
	}
	second := g.start("alice", "second")
	if out := g.run("cat /sys/fs/cgroup/axon.slice/axon-session-2.scope/cgroup.procs"); out != warm {
		t.Errorf("the worker that waited is %s, and the second session's %s", warm, out)
	}
	g.until("systemctl list-units --no-legend --plain 'axon-warm-*.scope' | grep -q running")
	// It is of no use to the next axond, and ends with its own.
	warm = g.run("cat /sys/fs/cgroup/axon.slice/axon-warm-*.scope/cgroup.procs")
	g.killAxond()
	g.until("[ ! -d /proc/" + warm + " ]")
	second.expect("call", fine)
	second.leave()
	first.leave()
	g.sessions(0)
	g.run("systemctl stop axond.socket axond")
	g.until("[ -z \"$(systemctl list-units --no-legend 'axon-*.scope')\" ]")
}

func TestSessionsOutliveAxond(t *testing.T) {
	g := installed(t, "linger")
	p := g.start("alice", "first")
	worker := g.run("systemctl show -P MainPID axond; cat /sys/fs/cgroup/axon.slice/axon-session-1.scope/cgroup.procs")
	for range 2 {
		g.run("systemctl restart axond")
		p.expect("call", fine)
		g.killAxond()
		p.expect("call", fine)
	}
	now := g.run("systemctl show -P MainPID axond; cat /sys/fs/cgroup/axon.slice/axon-session-1.scope/cgroup.procs")
	if a, b := strings.Fields(worker), strings.Fields(now); a[0] == b[0] || a[1] != b[1] {
		t.Errorf("axond and the worker were %v and are %v", a, b)
	}
	g.until("systemctl status axond | grep -q '1 of at most 256 sessions'")
	// A session that began under the first axond has its whole account at its end.
	p.leave()
	g.until("journalctl -u axond -o cat -q AXON_SESSION=1 | grep -q 'session ended'")
	end := g.run("journalctl -u axond -o cat -q AXON_SESSION=1 | grep 'session ended'")
	if strings.Count(end, "\n") != 0 {
		t.Errorf("the session has ended more than once:\n%s", end)
	}
	if m := regexp.MustCompile(`calls=(\d+)`).FindStringSubmatch(end); m == nil {
		t.Errorf("the last line has no calls: %s", end)
	} else if n, _ := strconv.Atoi(m[1]); n < 9 {
		t.Errorf("of a session with four rounds of calls only %d were counted: %s", n, end)
	}
	g.sessions(0)
	// The next session has a number of its own.
	q := g.start("alice", "next")
	g.run("systemctl is-active axon-session-2.scope")
	// Stopped is not restarted.
	g.run("systemctl stop axond.service axond.socket")
	q.expect("call", gone)
	g.sessions(0)
}

func TestASessionRunsOnWhileAxonIsUpgraded(t *testing.T) {
	later := next(t)
	g := installed(t, "linger")
	p := g.start("alice", "first")
	g.put(debs(t, later, packages...)...)
	g.run("apt-get install -y -q --no-install-recommends /host/*_9.9.9_*.deb")
	g.tells("-u axond -o cat", "axon 9.9.9")
	p.expect("call", fine)
	p.expect("hold", fine)
	q := g.start("bob", "second")
	q.expect("call", fine)
	p.expect("call", fine)
	p.leave()
	q.leave()
	g.sessions(0)
}

func TestTheJournalTellsOneSessionFromAnother(t *testing.T) {
	g := installed(t, "linger")
	p, q := g.start("alice", "first"), g.start("bob", "second")
	p.leave()
	q.leave()
	g.try(as("mallory", "driver_axpy"))
	g.until("[ $(journalctl -u axond -o cat -q | grep -c 'session ended') = 2 ]")
	log := g.run("journalctl -u axond AXON_SESSION=2 -o cat -q")
	if strings.Contains(log, "session=1") {
		t.Errorf("AXON_SESSION=2 shows others: %s", log)
	}
	if strings.Count(log, "session started") != 1 || strings.Count(log, "session ended") != 1 {
		t.Errorf("a session has not one line for its start and one for its end:\n%s", log)
	}
	says(t, "the session's end", log, "wall=", "gpu_memory_peak=", "calls=", "pid="+q.pid, "uid=1001")
	says(t, "the fields", g.run("journalctl -u axond AXON_UID=1000 -o verbose -q"), "AXON_SESSION=1", "AXON_PID="+p.pid, "AXON_CALLS=", "AXON_GPU_MEMORY_PEAK=")
	g.tells("-u axond AXON_UID=1002 -o cat", "mallory")
	refusals := g.run("journalctl -u axond AXON_UID=1002 -o cat -q")
	if strings.Count(refusals, "\n") != 0 {
		t.Errorf("a refusal is not one line:\n%s", refusals)
	}
	says(t, "the refusal", refusals, "mallory", "video")
}

func TestReloadTakesNewSettingsAndKeepsOldOnesFromABadFile(t *testing.T) {
	g := installed(t, "linger")
	p := g.start("alice", "first")
	g.run("echo 'max-sessions = 1' >> /etc/axon/axond.toml; systemctl reload axond")
	g.until("journalctl -u axond -o cat -q | grep -q 'were read again'")
	if r := g.try(as("bob", "AXON_DEBUG=1 driver_axpy")); r.status == 0 {
		t.Errorf("with max-sessions = 1 there are two: %s", r.out)
	} else {
		says(t, "the second session's refusal", r.out, "1 sessions")
	}
	g.run("echo 'max-sesions = 9' >> /etc/axon/axond.toml; systemctl reload axond")
	g.until("journalctl -u axond -o cat -q -p err | grep -q max-sesions")
	g.tells("-u axond -o cat -p err", "/etc/axon/axond.toml", "old ones stay in force")
	p.expect("call", fine)
}
