// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"nervlinux.org/axon/view"
)

// saw is what axon shows a user, as package view has it.
func (g *guest) saw(how string) *view.Machine {
	g.t.Helper()
	out := g.run(how)
	var shown struct {
		Machines []struct {
			Error   *string       `json:"error"`
			Figures *view.Machine `json:"figures"`
		} `json:"machines"`
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil || len(shown.Machines) != 1 || shown.Machines[0].Figures == nil {
		g.t.Fatalf("%s: %v\n%s", how, err, out)
	}
	return shown.Machines[0].Figures
}

const show = "axon top --format=json --once"

// telemetry is how a shell finds the telemetry worker.
const telemetry = "pgrep -f -- '^/usr/libexec/axon/axon-worker .*--telemetry'"

// TestAMemberOfVideoSeesWhatRuns: with no other right, with the unit's
// hardening in force, and by the first look, which starts axond.
func TestAMemberOfVideoSeesWhatRuns(t *testing.T) {
	g := installed(t, "linger")
	m := g.saw(as("alice", show))
	if len(m.Sessions) != 0 || len(m.GPUs) != 1 || m.GPUs[0].Name != "axon softgpu" || m.GPUsError != nil || m.Driver == nil {
		t.Errorf("before anything runs alice sees %+v", m)
	}
	bob := g.start("bob", "second")
	bob.expect("hold", fine)
	g.until(as("alice", show+" | grep -q linger")) // a look is good for a quarter of a second
	m = g.saw(as("alice", show))
	if len(m.Sessions) != 1 {
		t.Fatalf("alice sees %d sessions", len(m.Sessions))
	}
	s := m.Sessions[0]
	if s.User == nil || *s.User != "bob" || s.PID == nil || strconv.Itoa(*s.PID) != bob.pid || s.Program != "linger" || len(s.Args) == 0 ||
		s.GPUMemory < 64<<20 || s.HostMemory == nil || *s.HostMemory == 0 || s.Scope == nil || *s.Scope != "axon-session-1.scope" {
		t.Errorf("bob's program is %+v", s)
	}
	says(t, "nvidia-smi -L", g.run(as("alice", "nvidia-smi -L")), "GPU 0: axon softgpu (UUID: "+m.GPUs[0].UUID+")")
	says(t, "nvidia-smi", g.run(as("alice", "nvidia-smi")), bob.pid, "linger")
	for _, program := range []string{show, "nvidia-smi -L"} {
		r := g.try(as("mallory", program))
		if strings.Contains(r.out, m.GPUs[0].UUID) {
			t.Errorf("mallory, who is not in video, sees by %s: %s", program, r.out)
		}
	}
	says(t, "axon by mallory", g.try(as("mallory", show)).out, "usermod -aG video mallory")
	// Another axond is another connection, and nothing is kept for it.
	g.run("systemctl restart axond")
	if m := g.saw(as("alice", show)); len(m.Sessions) != 1 {
		t.Errorf("after a restart alice sees %d sessions", len(m.Sessions))
	}
	bob.expect("call", fine)
	g.quiet("mallory")
}

// TestTheTelemetryWorkerIsNobodyAndNotForEver: it is where what clients say
// meets the vendor's library.
func TestTheTelemetryWorkerIsNobodyAndNotForEver(t *testing.T) {
	g := installed(t)
	g.run(as("alice", "nvidia-smi -L"))
	pid := g.run(telemetry)
	status := g.run("cat /proc/" + pid + "/status")
	for _, line := range []string{"Uid: 2130706433 2130706433", "CapEff: 0000000000000000", "CapBnd: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2"} {
		says(t, "the worker's status", strings.Join(strings.Fields(status), " "), line)
	}
	for _, ns := range []string{"net", "ipc", "mnt"} {
		if own, axonds := g.run("readlink /proc/"+pid+"/ns/"+ns), g.run("readlink /proc/$(pidof axond)/ns/"+ns); own == axonds {
			t.Errorf("it is in axond's %s namespace, %s", ns, own)
		}
	}
	// Who changes something is root, by a worker that is.
	r := g.try(as("alice", "nvidia-smi -pm 1"))
	if r.status == 0 {
		t.Errorf("alice has changed something: %s", r.out)
	}
	g.try("nvidia-smi -pm 1") // whether the software GPU can is another matter
	g.until("[ $(" + telemetry + " | wc -l) = 1 ]")
	if out := g.try("kill -9 " + pid + "; " + as("alice", "nvidia-smi -L")); !strings.Contains(out.out, "GPU 0") {
		// The call may have met the worker's death; the next one does not.
		says(t, "nvidia-smi after its worker's death", g.run(as("alice", "nvidia-smi -L")), "GPU 0")
	}
	g.until("! " + telemetry)
	g.quiet("the telemetry worker was lost")
}

// TestAContainerSeesItsOwnNumbers: axond's unit may look into other pid
// namespaces.
func TestAContainerSeesItsOwnNumbers(t *testing.T) {
	g := installed(t, "linger")
	outside := g.start("alice", "first")
	m := g.saw(`unshare --pid --fork --mount-proc sh -c 'cd /run; mkfifo ns.in; : >ns.json; linger <ns.in >ns.out & echo $! >ns.pid; exec 3>ns.in
echo open >&3; until [ "$(grep -c linger ns.json)" -ge 2 ]; do ` + show + ` >ns.json; done; nvidia-smi >ns.smi; echo leave >&3; wait; cat ns.json'`)
	inside := g.run("cat /run/ns.pid")
	if len(m.Sessions) != 2 {
		t.Fatalf("there are %d sessions", len(m.Sessions))
	}
	if s := m.Sessions[0]; s.PID != nil {
		t.Errorf("alice's program, process %s outside, is process %d in a namespace that it is not in", outside.pid, *s.PID)
	}
	if s := m.Sessions[1]; s.PID == nil || strconv.Itoa(*s.PID) != inside {
		t.Errorf("process %s of a namespace is not so there: %+v", inside, s)
	}
	smi := g.run("cat /run/ns.smi")
	if !strings.Contains(smi, "linger") || strings.Contains(smi, outside.pid) {
		t.Errorf("nvidia-smi in the namespace: %s", smi)
	}
	g.quiet()
}
