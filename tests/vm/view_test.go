// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// scrape asks as Prometheus does.
const scrape = `exec 3<>/dev/tcp/127.0.0.1/9400; printf 'GET /metrics HTTP/1.1\r\nHost: axon\r\n\r\n' >&3; cat <&3`

// TestPrometheusScrapesForEver: once an administrator has said so, and by a
// service that is a member of video and nothing else.
func TestPrometheusScrapesForEver(t *testing.T) {
	g := installed(t)
	if out := g.try("systemctl is-enabled axon-metrics.socket; systemctl is-active axon-metrics.socket axon-metrics.service").out; out != "disabled\ninactive\ninactive" {
		t.Errorf("before anybody said so: %s", out)
	}
	g.run("systemctl enable --now axon-metrics.socket")
	// Whoever asks first starts it, and axond.
	says(t, "the first scrape", g.run(as("mallory", scrape)), "HTTP/1.1 200 OK", "\naxon_up 1\n", "DCGM_FI_DEV_FB_TOTAL{")
	pid := g.run("systemctl show -P MainPID axon-metrics.service")
	status := strings.Join(strings.Fields(g.run("cat /proc/"+pid+"/status")), " ")
	says(t, "its process", status, "CapEff: 0000000000000000", "CapBnd: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2", "Groups: "+g.run("getent group video | cut -d: -f3")+" ")
	says(t, "its unit", g.run("systemctl show axon-metrics.service"), "DynamicUser=yes", "SupplementaryGroups=video")
	if uid := g.run("stat -c %u /proc/" + pid); uid == "0" {
		t.Error("it is root")
	}
	out := g.run("systemd-analyze security --no-pager axon-metrics.service | tail -n 1")
	if m := regexp.MustCompile(`: ([0-9.]+) `).FindStringSubmatch(out); m == nil {
		t.Errorf("systemd-analyze security says %q", out)
	} else if score, _ := strconv.ParseFloat(m[1], 64); score > 2 {
		t.Errorf("systemd-analyze security axon-metrics: %s", out)
	}
	// It outlives axond, and comes back by itself.
	g.run("systemctl restart axond")
	g.until(scrape + " | grep -qx 'axon_up 1'")
	g.run("kill -9 " + pid)
	g.until("systemctl show -P MainPID axon-metrics.service | grep -qvx -e 0 -e " + pid)
	says(t, "the scrape after its death", g.run(scrape), "\naxon_up 1\n")
	// As at a boot.
	g.run("systemctl stop axon-metrics.service axon-metrics.socket axond.service; systemctl start sockets.target")
	says(t, "after the next boot", g.run(scrape), "\naxon_up 1\n")
	g.quiet()
}

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
