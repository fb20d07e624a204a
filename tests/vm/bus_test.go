// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"strings"
	"testing"
)

const (
	busName = "org.nervlinux.Axon1"
	busRoot = "/org/nervlinux/Axon1"
)

func TestBusctlShowsSessionsAndGPUs(t *testing.T) {
	g := installed(t, "linger")
	// Asking starts axond.
	if out := g.try("systemctl is-active axond.service").out; out != "inactive" {
		t.Errorf("before anybody asks axond.service is %s", out)
	}
	says(t, "busctl call ListSessions", g.run(as("mallory", "busctl call "+busName+" "+busRoot+" "+busName+".Manager ListSessions")), "a(uuuso) 0")
	p := g.start("alice", "first")
	says(t, "busctl tree", g.run("busctl tree "+busName), busRoot, busRoot+"/session/_1", busRoot+"/gpu/0")
	says(t, "busctl introspect", g.run(as("mallory", "busctl introspect "+busName+" "+busRoot+"/session/_1")),
		".Terminate", ".SetMemoryMax", `"axon-session-1.scope"`, `"linger"`, p.pid)
	says(t, "busctl introspect of the GPU", g.run("busctl introspect "+busName+" "+busRoot+"/gpu/0"), "axon softgpu")
	says(t, "GetSessionByPID", g.run("busctl call "+busName+" "+busRoot+" "+busName+".Manager GetSessionByPID u "+p.pid), busRoot+"/session/_1")
	g.run("systemctl restart axond")
	says(t, "busctl tree after a restart", g.run("busctl tree "+busName), busRoot+"/session/_1")
	p.leave()
	g.until("! busctl tree " + busName + " | grep -q session/_1")
}

func TestOnlyItsUserEndsASession(t *testing.T) {
	g := installed(t, "linger")
	p, q := g.start("alice", "first"), g.start("alice", "second")
	terminate := func(n string) string {
		return "busctl call " + busName + " " + busRoot + "/session/_" + n + " " + busName + ".Session Terminate"
	}
	for _, user := range []string{"bob", "mallory"} {
		if r := g.try(as(user, terminate("1"))); r.status == 0 {
			t.Errorf("%s may end alice's session: %s", user, r.out)
		}
	}
	p.expect("call", fine)
	g.run(as("alice", terminate("1")))
	p.expect("call", gone)
	q.expect("call", fine)
	g.run(terminate("2"))
	q.expect("call", gone)
	g.sessions(0)
}

// TestNoCallerEndsAxond: arguments of every type to every method, as a user who
// may have no session.
func TestNoCallerEndsAxond(t *testing.T) {
	g := installed(t)
	g.run("systemctl start axond")
	before := g.run("systemctl show -P MainPID axond")
	var calls strings.Builder
	for _, method := range []string{"Manager ListSessions", "Manager GetSession", "Manager GetSessionByPID", "Manager ListGPUs", "Manager NoSuchMethod"} {
		for _, arguments := range []string{"", "ah 0", "ay 3 1 2 3", "'a{sv}' 1 x s y", "'(ii)' 1 2", "v u 1", "as 0", "uuuu 1 2 3 4", "d 0.5", "g ah", "o /"} {
			calls.WriteString("busctl call " + busName + " " + busRoot + " " + busName + "." + method + " " + arguments + " >/dev/null 2>&1\n")
		}
	}
	g.run(as("mallory", calls.String()+"true"))
	if after := g.run("systemctl show -P MainPID axond"); after != before {
		t.Errorf("axond was process %s and is %s:\n%s", before, after, g.run("journalctl -u axond -o cat -q | tail -n 20"))
	}
	says(t, "driver_axpy", g.run(as("alice", "driver_axpy")), "65536 elements correct")
}
