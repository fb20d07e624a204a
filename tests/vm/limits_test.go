// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"strings"
	"testing"
)

const (
	// train has 64 MiB of the GPU's memory, wants as much again, and computes. The
	// software GPU has its memory in the machine's, as a GB10 has.
	train = `printf 'open\nhold\nhold\ncall\nleave\n' | `

	// What it says within a limit of 100 MiB, and without.
	limited   = "open 0\nhold 0\nhold 2\ncall 0"
	unlimited = "open 0\nhold 0\nhold 0\ncall 0"
)

func shares(command string) string { return "export SOFTGPU_UNIFIED=1; " + command }

func TestMemoryMaxHoldsWhatAProgramHasOfAGPUThatSharesTheMachinesMemory(t *testing.T) {
	g := installed(t, "linger")
	expect := func(what, want, command string) {
		t.Helper()
		if got := g.run(command); got != want {
			t.Errorf("%s: the program says\n%s\nnot\n%s", what, got, want)
		}
	}
	expect("no limit", unlimited, as("alice", shares(train+"linger")))
	expect("axon run --gpu-memory", limited, as("alice", shares(train+"axon run --gpu-memory 100M -- linger")))
	expect("systemd-run", limited, shares(train+"systemd-run -q --scope -p MemoryMax=100M linger"))
	g.run("systemctl set-property --runtime outer.slice MemoryMax=100M")
	expect("nested scopes", limited, shares(train+"systemd-run -q --scope --slice=outer-inner.slice linger"))
}

// A user's own systemd limits as well, and is all that axon run --memory needs.
func TestAUserLimitsAProgramWithoutRoot(t *testing.T) {
	g := installed(t, "linger")
	g.run("loginctl enable-linger alice")
	g.until("[ -S /run/user/1000/systemd/private ]")
	user := func(command string) string {
		return as("alice", "export XDG_RUNTIME_DIR=/run/user/1000; "+shares(command))
	}
	if out := g.run(user(train + "axon run --memory 100M -- linger")); out != limited {
		t.Errorf("axon run --memory 100M: the program says\n%s", out)
	}
	says(t, "the program's scope", g.run(user(`axon run --memory 100M -- sh -c 'cat /proc/self/cgroup; cat /sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/memory.max'`)),
		"user@1000.service", "axon-run-", "104857600")
	// As the manual has it: nothing but MemoryMax.
	g.run("cat >/usr/local/bin/train <<'E'\n#!/bin/sh\n" + shares(train+"linger >/tmp/train.out 2>&1") + "\nE\nchmod +x /usr/local/bin/train")
	g.run(as("alice", "export XDG_RUNTIME_DIR=/run/user/1000; systemd-run -q --user -p MemoryMax=100M train"))
	g.until("grep -q call /tmp/train.out")
	if out := g.run("cat /tmp/train.out"); out != limited {
		t.Errorf("systemd-run --user -p MemoryMax=100M train: the program says\n%s", out)
	}
	g.sessions(0)
	g.tells("-u axond AXON_UID=1000 -o cat", "allocations_refused=1")
}

// A limit counts at the moment of an allocation, not of the program's start.
func TestALimitIsChangedWhileTheProgramRuns(t *testing.T) {
	g := installed(t, "linger")
	g.run("mkfifo /run/in; : >/run/out; setsid sleep infinity >/run/in 2>/dev/null </dev/null &")
	g.run("SOFTGPU_UNIFIED=1 setsid systemd-run -q --scope --unit=outer --slice=train.slice -p MemoryMax=100M linger </run/in >/run/out 2>&1 & :")
	tell := func(command, want string) {
		t.Helper()
		g.run("n=$(wc -l </run/out); echo " + command + " >/run/in; until [ $(wc -l </run/out) -gt $n ]; do sleep .05; done")
		if got := g.run("tail -n 1 /run/out"); got != command+" "+want {
			t.Errorf("%s gives %s and not %s", command, got, want)
		}
	}
	tell("open", fine)
	tell("hold", fine)
	tell("hold", "2")
	g.run("systemctl set-property --runtime outer.scope MemoryMax=300M")
	tell("hold", fine)
	// One above it counts, too.
	g.run("systemctl set-property --runtime train.slice MemoryMax=150M")
	tell("hold", "2")
	tell("call", fine)
	g.run("echo leave >/run/in")
	g.sessions(0)
}

// A setting limits without a word of the user's, and a worker that takes too much
// ordinary memory ends in its scope, alone.
func TestAWorkerThatTakesTooMuchEndsInItsScope(t *testing.T) {
	g := installed(t, "linger")
	g.run("printf '[user.alice]\ngpu-memory = \"100M\"\n[user.bob]\nmemory-max = \"40M\"\ntasks-max = 64\n' >>/etc/axon/axond.toml; systemctl start axond; systemctl reload axond")
	g.until("journalctl -u axond -o cat -q | grep -q 'were read again'")
	if out := g.run(as("alice", train+"linger")); out != limited {
		t.Errorf("with gpu-memory = 100M the program says\n%s", out)
	}
	p, q := g.start("alice", "first"), g.start("bob", "second")
	says(t, "bob's scope", g.run("systemctl show axon-session-3.scope"), "MemoryMax=41943040", "TasksMax=64")
	// The software GPU's memory is the worker's own: what is written to it is there.
	q.expect("fill", gone)
	q.expect("call", gone)
	p.expect("call", fine)
	g.tells("-u axond AXON_SESSION=3 -o cat", "the worker died: killed by SIGKILL")
	p.leave()
	q.leave()
	g.sessions(0)
}

// What a worker starts, or what gets into it and starts more, ends in its scope.
func TestAForkBombEndsInItsScope(t *testing.T) {
	g := installed(t, "linger")
	g.run("printf '[user.alice]\ntasks-max = 40\nmemory-high = \"900M\"\n' >>/etc/axon/axond.toml; systemctl start axond")
	p, q := g.start("alice", "first"), g.start("bob", "second")
	says(t, "alice's scope", g.run("systemctl show axon-session-1.scope"), "TasksMax=40", "MemoryHigh=943718400", "MemorySwapMax=0")
	// A worker cannot fork: seccomp is in its way. So something else does, in its control group.
	const group = "/sys/fs/cgroup/axon.slice/axon-session-1.scope"
	g.run("cat >/usr/local/bin/bomb <<'E'\n#!/bin/sh\necho 0 >" + group + "/cgroup.procs\ni=0; while [ $i -lt 400 ]; do sleep 600 & i=$((i + 1)); done\nE\nchmod +x /usr/local/bin/bomb")
	g.try("setsid bomb </dev/null >/dev/null 2>&1")
	if out := g.run("cat " + group + "/pids.events"); out == "max 0" {
		t.Errorf("400 processes met no limit: %s tasks", g.run("cat "+group+"/pids.current"))
	}
	q.expect("call", fine)
	// With the session all that ends.
	g.run("axon session terminate 1")
	g.until("! pgrep -x sleep -f 'sleep 600' >/dev/null")
	p.expect("call", gone)
	q.expect("call", fine)
	q.leave()
	g.sessions(0)
}

// Groups have limits, the machine has a floor, and each is said in the settings alone.
func TestAGroupsLimitAndTheMachinesFloor(t *testing.T) {
	g := installed(t, "linger")
	g.run("groupadd students; usermod -aG students bob; printf '[members.students]\ngpu-memory = \"100M\"\n' >>/etc/axon/axond.toml")
	if out := g.run(as("bob", train+"linger")); out != limited {
		t.Errorf("a student's program says\n%s", out)
	}
	if out := g.run(as("alice", train+"linger")); out != unlimited {
		t.Errorf("another's program says\n%s", out)
	}
	// 200 MiB above the floor there is room for 64, and not for six times that.
	g.run(`printf 'memory-floor = "%dM"\n' $(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1024 - 200)) >/tmp/floor
cat /etc/axon/axond.toml >>/tmp/floor; cp /tmp/floor /etc/axon/axond.toml; systemctl restart axond`)
	out := g.run(as("alice", shares(`printf 'open\nfill\nfill\nfill\nfill\nfill\nfill\ncall\nleave\n' | linger`)))
	if !strings.HasPrefix(out, "open 0\nfill 0\n") || !strings.HasSuffix(out, "\nfill 2\ncall 0") {
		t.Errorf("at the machine's floor the program says\n%s\n%s", out, g.run("cat /etc/axon/axond.toml; grep MemAvailable /proc/meminfo; journalctl -u axond -o cat -q | tail -n 3"))
	}
}
