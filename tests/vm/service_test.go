// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"regexp"
	"strconv"
	"testing"
)

func TestAFreshInstallationServesTheFirstProgram(t *testing.T) {
	g := installed(t)
	says(t, "systemctl status axond.socket", g.run("systemctl status axond.socket"),
		"Active: active (listening)", "/run/axon/sock (SequentialPacket)", "enabled")
	if r := g.try("systemctl is-active axond.service"); r.out != "inactive" {
		t.Errorf("before the first program axond.service is %q", r.out)
	}
	// The program was never told about axon: it finds the shim as any other library.
	says(t, "driver_axpy", g.run(as("alice", "driver_axpy")), "axon softgpu", "65536 elements correct")
	says(t, "systemctl status axond", g.run("systemctl status axond"), "Active: active (running)", "axond.socket", "man:axond(8)")
	says(t, "axon version", g.run("axon version"), "/usr/libexec/axon/axon-worker", "/usr/lib/axon/shim", "/usr/lib/axon/softgpu")
	says(t, "systemctl --failed", g.run("systemctl --failed"), "0 loaded units listed")
	for page, has := range map[string]string{"man1/axon.1": "axon session limit", "man8/axond.8": "Warm workers", "man5/axond.toml.5": "memory"} {
		says(t, page, g.run("zcat /usr/share/man/"+page+".gz"), has)
	}
	// A press of the tabulator.
	complete := func(program, typed string) string {
		return g.run(`. /usr/share/bash-completion/completions/` + program + `; set -- ` + program + " " + typed + `; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _` + program + `_complete; echo "${COMPREPLY[*]}"`)
	}
	if got := complete("axon", "sess"); got != "session\nsessions" && got != "session sessions" {
		t.Errorf("axon sess is completed to %q", got)
	}
	if got := complete("axond", "--confine re"); got != "require" {
		t.Errorf("axond --confine re is completed to %q", got)
	}
	g.run("ls /usr/share/zsh/vendor-completions/_axon /usr/share/zsh/vendor-completions/_axond /usr/share/fish/vendor_completions.d/axon.fish /usr/share/fish/vendor_completions.d/axond.fish")
}

// An axond that hangs is ended by systemd, and its sessions do not notice.
func TestAnAxondThatHangsIsReplaced(t *testing.T) {
	g := installed(t, "linger")
	g.run("mkdir -p /run/systemd/system/axond.service.d; printf '[Service]\nWatchdogSec=20s\nTimeoutAbortSec=1s\n' >/run/systemd/system/axond.service.d/short.conf; systemctl daemon-reload")
	p := g.start("alice", "first")
	before := g.run("systemctl show -P MainPID axond")
	g.run("kill -STOP " + before)
	p.expect("call", fine)
	g.until(`[ "$(systemctl show -P MainPID axond)" != ` + before + ` ] && systemctl is-active -q axond`)
	p.expect("call", fine)
	p.leave()
	g.sessions(0)
	g.tells("-u axond", "watchdog")
}

func TestWhoIsNotInVideoIsToldSo(t *testing.T) {
	g := installed(t)
	r := g.try(as("mallory", "AXON_DEBUG=1 driver_axpy"))
	if r.status == 0 {
		t.Errorf("mallory, who is not in video, had a session: %s", r.out)
	}
	says(t, "the program", r.out, `user mallory is not in the group "video"`, "usermod -aG video mallory", "CUDA_ERROR_NO_DEVICE")
	g.tells("-u axond -o cat", `mallory is not in the group`)
	// What the message says helps.
	g.run("usermod -aG video mallory")
	says(t, "driver_axpy", g.run(as("mallory", "driver_axpy")), "65536 elements correct")
}

func TestSystemctlDoesWhatPeopleExpect(t *testing.T) {
	g := installed(t)
	g.run("systemctl start axond")
	before := g.run("systemctl show -P MainPID axond")
	g.run("systemctl restart axond")
	after := g.run("systemctl show -P MainPID axond")
	if before == after || after == "0" {
		t.Errorf("systemctl restart axond: process %s became %s", before, after)
	}
	g.run(as("alice", "driver_axpy"))
	g.run("systemctl stop axond.service axond.socket")
	says(t, "axon run without axond", g.try(as("alice", "axon run driver_axpy")).out, "axond is not running", "systemctl start axond.socket")
	if out := g.run("ls /run/axon"); out != "" {
		t.Errorf("after systemctl stop there is still %s in /run/axon", out)
	}
	g.run("systemctl start axond.socket")
	g.run(as("alice", "axon run driver_axpy"))
	g.run("systemctl disable --now axond.socket")
	if out := g.try("systemctl is-enabled axond.socket").out; out != "disabled" {
		t.Errorf("after systemctl disable the socket is %s", out)
	}
	g.run("systemctl preset axond.socket")
	if out := g.run("systemctl is-enabled axond.socket"); out != "enabled" {
		t.Errorf("by its preset the socket is %s", out)
	}
	g.tells("-u axond -o short", "axond has stopped", "software GPU", "Sessions on the GPU")
	g.quiet()
}

// TestTheUnitsAreGood: systemd-analyze finds no mistake in them.
func TestTheUnitsAreGood(t *testing.T) {
	g := installed(t)
	if out := g.run("systemd-analyze verify --man=no axond.socket axond.service axon.slice 2>&1"); out != "" {
		t.Errorf("systemd-analyze verify: %s", out)
	}
	g.run("systemctl start axond")
	// The units' comments say what stays open.
	out := g.run("systemd-analyze security --no-pager axond | tail -n 1")
	m := regexp.MustCompile(`: ([0-9.]+) `).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("systemd-analyze security says %q", out)
	}
	if score, _ := strconv.ParseFloat(m[1], 64); score > 4.5 {
		t.Errorf("systemd-analyze security axond: %s", out)
	}
}
