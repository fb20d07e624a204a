// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"strings"
	"testing"
)

// TestTheViewOfAMemberOfVideo: that is all the right it takes.
func TestTheViewOfAMemberOfVideo(t *testing.T) {
	g := installed(t, "linger")
	// Whoever asks first starts axond, by its socket.
	says(t, "axon", g.run(as("alice", "axon | cat")), "MACHINE", "axon softgpu")
	first, second := g.start("alice", "first"), g.start("bob", "second")
	first.expect("hold", fine)
	out := g.run(as("alice", "axon | cat"))
	says(t, "axon", out, " session ", " alice ", " bob ", " "+first.pid+" ", "linger", "64.0M")
	if strings.Contains(out, "\x1b") {
		t.Errorf("there are escapes in a pipe: %q", out)
	}
	says(t, "axon --json", g.run(as("bob", "axon --json")), `"schema": 1`, `"user": "alice"`, `"gpu_memory_bytes": 67108868`)
	says(t, "axon --format=csv", g.run(as("bob", "axon --format=csv")), "record,gpu,session", ",session,0,1,")
	says(t, "axon --format=tmux", g.run(as("bob", "axon --format=tmux")), "GPU ")

	// On a terminal it is drawn, until q.
	screen := g.run(as("alice", `{ sleep 3; printf q; } | TERM=xterm LC_ALL=C.UTF-8 script -qec "stty rows 24 cols 80; axon" /dev/null`))
	says(t, "axon on a terminal", screen, "axon softgpu", "SESSION", "linger", "q quit")

	// Who is no member is told what to do, and sees nothing.
	r := g.try(as("mallory", "axon | cat"))
	says(t, "axon by mallory", r.out, "video")
	if strings.Contains(r.out, "alice") || strings.Contains(r.out, "linger") {
		t.Errorf("mallory, who is no member of video, sees sessions: %s", r.out)
	}
	second.expect("call", fine)

	// The figures for Prometheus, on the port of the unit.
	scrape := `exec 3<>/dev/tcp/127.0.0.1/9400; printf 'GET /metrics HTTP/1.1\r\nHost: axon\r\n\r\n' >&3; cat <&3`
	g.run("systemctl start axon-metrics.socket")
	says(t, "axon metrics", g.run(scrape), "HTTP/1.1 200 OK", "\naxon_up 1\n", `axon_session_gpu_memory_bytes{session="1",`, `user="alice"`, "DCGM_FI_DEV_FB_TOTAL{")
	g.run("test -s /usr/share/axon/grafana/axon.json")

	// Without axond everybody says what to do.
	first.leave()
	second.leave()
	g.run("systemctl stop axond.socket axond")
	says(t, "axon without axond", g.try(as("alice", "axon | cat")).out, "systemctl start axond.socket")
	says(t, "axon metrics without axond", g.run(scrape), "\naxon_up 0")
	g.run("systemctl stop axon-metrics.socket axon-metrics.service")
}
