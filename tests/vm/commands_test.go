// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"strings"
	"testing"
)

func TestTheCommandsAboutSessions(t *testing.T) {
	g := installed(t, "linger")
	// The bus starts axond for whoever asks first.
	if out := g.try("systemctl is-active axond").out; out != "inactive" {
		t.Errorf("before anybody asks axond is %s", out)
	}
	says(t, "busctl tree", g.run(as("mallory", "busctl --no-pager tree org.nervlinux.Axon1")), "/org/nervlinux/Axon1/gpu/0", "/org/nervlinux/Axon1/session")
	says(t, "systemctl is-active axond", g.run("systemctl is-active axond"), "active")
	says(t, "axon gpus", g.run(as("mallory", "axon gpus")), "axon softgpu", "GPU-")
	says(t, "axon sessions", g.run(as("mallory", "axon sessions")), "There are no sessions.")

	first, second := g.start("alice", "first"), g.start("bob", "second")
	says(t, "busctl tree", g.run(as("mallory", "busctl --no-pager tree org.nervlinux.Axon1")), "/session/_1", "/session/_2", "/gpu/0")
	out := g.run(as("mallory", "busctl --no-pager introspect org.nervlinux.Axon1 /org/nervlinux/Axon1/session/_1"))
	for _, line := range []string{".Terminate method - - -", ".SetMemoryMax method t - -", ".MemoryMax property t 18446744073709551615 emits-change",
		".PID property u " + first.pid + " const", `.Program property s "linger" const`, `.Scope property s "axon-session-1.scope" const`,
		`.State property s "running" emits-change`, `.GPU property ao 1 "/org/nervlinux/Axon1/gpu/0" -`} {
		says(t, "busctl introspect", strings.Join(strings.Fields(out), " "), line)
	}
	out = g.run(as("mallory", "busctl --no-pager introspect org.nervlinux.Axon1 /org/nervlinux/Axon1"))
	for _, line := range []string{".ListSessions method - a(uuuso) -", ".GetSessionByPID method u o -", ".SessionNew signal uo - -", "org.freedesktop.DBus.ObjectManager interface"} {
		says(t, "busctl introspect", strings.Join(strings.Fields(out), " "), line)
	}
	says(t, "axon sessions", g.run(as("mallory", "axon sessions")), "alice", "bob", first.pid, "linger")
	says(t, "axon sessions --json", g.run(as("mallory", "axon sessions --json")), `"user": "alice"`, `"scope": "axon-session-2.scope"`)

	// What is one's own, and what is not.
	for _, user := range []string{"mallory", "bob"} {
		r := g.try(as(user, "axon session terminate 1"))
		says(t, "axon session terminate by "+user, r.out, "another user's", "sudo axon session terminate 1")
		if r.status != 1 {
			t.Errorf("%s ends alice's session: status %d", user, r.status)
		}
	}
	says(t, "axon session limit --json", g.run(as("alice", "axon session limit --json 1 4G")), `"memory_max_bytes": 4294967296`)
	says(t, "axon session limit", g.run(as("alice", "axon session limit 1 65M")), "Session 1 may have 65M")
	first.expect("hold", fine)
	first.expect("hold", "2") // CUDA_ERROR_OUT_OF_MEMORY
	// Another axond has the same sessions and limits.
	maximum := as("mallory", "busctl get-property org.nervlinux.Axon1 /org/nervlinux/Axon1/session/_1 org.nervlinux.Axon1.Session MemoryMax")
	g.killAxond()
	g.until(`[ "$(` + maximum + ` 2>/dev/null)" = "t 68157440" ]`)
	first.expect("hold", "2")
	second.expect("call", fine)

	// polkit's rules are the administrator's.
	g.run(`mkdir -p /etc/polkit-1/rules.d; cat >/etc/polkit-1/rules.d/10-axon.rules <<'X'
polkit.addRule(function(action, subject) {
	if (action.id == "org.nervlinux.axon1.terminate-session" && subject.user == "bob") return polkit.Result.YES;
});
X
systemctl restart polkit`)
	says(t, "axon session terminate by bob, whom polkit lets", g.run(as("bob", "axon session terminate 1")), "Session 1 has ended.")
	first.expect("call", gone)
	g.tells("-u axond -o cat AXON_SESSION=1", "asked for it over the bus")
	says(t, "axon session terminate by root", g.run("axon session terminate --json 2"), `"terminated": true`)
	second.expect("call", gone)
	says(t, "axon session terminate of none", g.try("axon session terminate 2").out, "there is no session 2")
	g.sessions(0)
	g.quiet("axond.service: Main process exited", "axond.service: Failed with result") // killAxond

	// With axond stopped for good the commands say what to do.
	g.run("systemctl stop axond.socket axond; systemctl mask --runtime axond.service")
	says(t, "axon sessions without axond", g.try(as("alice", "axon sessions")).out, "axond.service is masked", "systemctl status axond")
}
