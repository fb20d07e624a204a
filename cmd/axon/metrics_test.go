// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/fleet/show"
)

// started runs a prepared axon metrics until the test ends, and waits until
// somebody answers at an address.
func started(t *testing.T, cmd *exec.Cmd, network, address string) {
	t.Helper()
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("axon metrics ended with %v, %s", err, errOut.String())
		}
	})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial(network, address); err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("axon metrics has ended: %v, %s", err, errOut.String())
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("nobody answers at %s", address)
		}
	}
}

// scrape reads a page as Prometheus does.
func scrape(t *testing.T, network, address, method, path string) (int, string, http.Header) {
	t.Helper()
	client := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		}}}
	r, err := http.NewRequest(method, "http://axon"+path, nil)
	must(t, err)
	answer, err := client.Do(r)
	must(t, err)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, string(b), answer.Header
}

// freePort is a port on which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

func TestScrapesAreAnsweredOnAPortAndASocketOfTheUsersChoice(t *testing.T) {
	axond := axondThatSays(t, &madeup.Machine{GPUs: 2, Sessions: 6}, nil)
	socket := filepath.Join(filepath.Dir(axond), "metrics")
	// One that nobody listens on any more is no hindrance.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	must(t, err)
	l.SetUnlinkOnClose(false)
	l.Close()
	port := freePort(t)
	for _, at := range [][2]string{{"unix", socket}, {"tcp", port}} {
		started(t, prepare(nil, "metrics", "--socket", axond, "--listen", at[1]), at[0], at[1])
		code, body, header := scrape(t, at[0], at[1], "GET", "/metrics?x=y")
		if code != 200 || header.Get("Content-Type") != show.ContentType || !strings.Contains(body, "\naxon_up 1\n") || !strings.Contains(body, `DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-`) {
			t.Errorf("status %d, %v, %s", code, header, body)
		}
		if code, body, _ := scrape(t, at[0], at[1], "HEAD", "/metrics"); code != 200 || body != "" {
			t.Errorf("HEAD: status %d, %q", code, body)
		}
		for path, want := range map[string]int{"/": 200, "/nothing": 404} {
			if code, _, _ := scrape(t, at[0], at[1], "GET", path); code != want {
				t.Errorf("%s: status %d", path, code)
			}
		}
		if code, _, header := scrape(t, at[0], at[1], "POST", "/metrics"); code != 405 || header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST: status %d, %v", code, header)
		}
		_, errOut, code := result(t, prepare(nil, "metrics", "--socket", axond, "--listen", at[1]))
		if code != 1 || !strings.Contains(errOut, "something listens there already") {
			t.Errorf("a second one: status %d, %q", code, errOut)
		}
	}
}

func TestManyScrapesAtOnceAreAllAnswered(t *testing.T) {
	axond := axondThatSays(t, &madeup.Machine{GPUs: 8, Sessions: 100}, nil)
	port := freePort(t)
	started(t, prepare(nil, "metrics", "--socket", axond, "--listen", port), "tcp", port)
	// Those that say nothing, or nothing sensible, take no turn for ever.
	for _, text := range []string{"", "GET", "\r\n\r\n", "\x16\x03\x01\x02", "GET /metrics HTTP/2\r\n\r\n", "GET /metrics HTTP/1.1\r\n" + strings.Repeat("a: b\r\n", 10000)} {
		conn, err := net.Dial("tcp", port)
		must(t, err)
		defer conn.Close()
		io.WriteString(conn, text)
	}
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if code, body, _ := scrape(t, "tcp", port, "GET", "/metrics"); code != 200 || strings.Count(body, "\naxon_session_calls_total{") != 100 {
				t.Errorf("status %d, %d bytes", code, len(body))
			}
		})
	}
	all.Wait()
}

func TestSystemdsSocketsAreTaken(t *testing.T) {
	axond := axondThatSays(t, &madeup.Machine{GPUs: 1}, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	file, err := l.(*net.TCPListener).File()
	must(t, err)
	defer file.Close()
	// The process number is only known to the process.
	cmd := prepare([]string{"LISTEN_FDS=1"}, "metrics", "--socket", axond)
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `LISTEN_PID=$$ exec "$0" "$@"`}, cmd.Args...)
	cmd.ExtraFiles = []*os.File{file}
	started(t, cmd, "tcp", l.Addr().String())
	l.Close()
	if code, body, _ := scrape(t, "tcp", l.Addr().String(), "GET", "/metrics"); code != 200 || !strings.Contains(body, "axon_up 1") {
		t.Errorf("status %d, %s", code, body)
	}
}

func TestWithoutAxondMetricsSayThatItIsDown(t *testing.T) {
	m := newMachine(t)
	none := filepath.Join(m.dir, "none")
	port := freePort(t)
	started(t, prepare(nil, "metrics", "--socket", none, "--listen", port), "tcp", port)
	if code, body, _ := scrape(t, "tcp", port, "GET", "/metrics"); code != 200 || !strings.HasSuffix(body, "\naxon_up 0\n") || strings.Count(body, "\n") != 3 {
		t.Errorf("status %d, %s", code, body)
	}
	out, errOut, code := result(t, prepare(nil, "metrics", "--once", "--socket", none))
	if code != 1 || !strings.HasSuffix(out, "\naxon_up 0\n") || !strings.Contains(errOut, "systemctl start axond") {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
}

func TestMetricsOnceAreTheSameFigures(t *testing.T) {
	source := &madeup.Machine{GPUs: 1, Sessions: 3, Still: true}
	out, errOut, code := result(t, prepare(nil, "metrics", "--once", "--socket", axondThatSays(t, source, nil)))
	f := fleet.New([]fleet.Member{{Source: source}}, time.Second)
	f.Ask(context.Background())
	var want bytes.Buffer
	must(t, show.Metrics(&want, f.Machines()[0]))
	if code != 0 || out != want.String() {
		t.Errorf("status %d, %q, %s\nnot\n%s", code, errOut, out, want.String())
	}
}

func TestMistakesOfMetricsNameTheNextStep(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, usageStatus, "--listen 127.0.0.1:9400"},
		{[]string{"--once", "--listen", ":1"}, usageStatus, "leave one out"},
		{[]string{"--listen", "nonsense"}, usageStatus, "address:port"},
		{[]string{"--listen", taken.Addr().String()}, 1, "another port"},
		{[]string{"--listen", "192.0.2.1:9400"}, 1, "no such address"}, // RFC 5737: nobody's
		{[]string{"--listen", "/nowhere/at/all"}, 1, "no folder /nowhere/at;"},
		{[]string{"--listen", "/dev/null"}, 1, "/dev/null: it is there, and no socket"},
		{[]string{"--listen", "/dev/null/socket"}, 1, "no folder /dev/null;"},
		{[]string{"--listen", "/" + strings.Repeat("x", 107)}, usageStatus, "107 bytes"},
		{[]string{"what"}, usageStatus, "no arguments"},
	} {
		var out, errOut bytes.Buffer
		if code := axon(append([]string{"metrics"}, c.args...), &out, &errOut); code != c.code || !strings.Contains(errOut.String(), c.says) || out.Len() > 0 {
			t.Errorf("axon metrics %q: status %d, %q, %q", c.args, code, errOut.String(), fmt.Sprint(out.Len()))
		}
	}
}
