// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/fleet/show"
	"nervlinux.org/axon/view"
	"nervlinux.org/axon/wire"
)

// axondThatSays listens as axond does and tells of a source's machine, or
// refuses with an answer.
func axondThatSays(t *testing.T, source fleet.Source, refusal *wire.Answer) (socket string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "axon")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket = filepath.Join(dir, "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: socket, Net: "unixpacket"})
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.AcceptUnix()
			if err != nil {
				return
			}
			go tell(conn, source, refusal)
		}
	}()
	return socket
}

func tell(conn *net.UnixConn, source fleet.Source, refusal *wire.Answer) {
	defer conn.Close()
	buf := make([]byte, 65536)
	n, err := conn.Read(buf)
	if err != nil {
		return
	}
	if h, err := wire.ParseHello(buf[:n]); err != nil || h.Library != wire.LibraryView {
		return
	}
	if refusal != nil {
		conn.Write(refusal.Append(nil))
		return
	}
	conn.Write((&wire.Answer{Version: wire.Version}).Append(nil))
	for {
		n, err := conn.Read(buf)
		if err != nil || n != view.RequestBytes {
			return
		}
		m, err := source.Machine(context.Background())
		if err != nil {
			return
		}
		b, err := json.Marshal(m)
		if err != nil {
			return
		}
		for first := true; first || len(b) > 0; first = false {
			part := b[:min(len(b), view.PacketMax-view.AnswerHead)]
			b = b[len(part):]
			packet := binary.LittleEndian.AppendUint32(append([]byte(nil), buf[:4]...), uint32(len(b)))
			conn.Write(append(packet, part...))
		}
	}
}

func TestIntoAPipeItIsATableWhateverTheTerminalSays(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 2, Sessions: 300, Still: true}, nil)
	var before string
	for _, env := range [][]string{{"COLUMNS=20", "TERM=xterm"}, {"COLUMNS=500", "TERM=dumb"}, {"NO_COLOR=1", "TERM="}} {
		for _, args := range [][]string{{"--socket", socket}, {"top", "--socket", socket}, {"top", "--once", "--format=table", "--socket", socket}} {
			out, errOut, code := result(t, prepare(env, args...))
			if code != 0 || errOut != "" {
				t.Fatalf("status %d, %q", code, errOut)
			}
			if lines := strings.Count(out, "\n"); lines != 304 || strings.Contains(out, "\x1b") {
				t.Errorf("%d lines: %q", lines, out[:min(len(out), 500)])
			}
			if before != "" && out != before {
				t.Errorf("%q %q: it differs", env, args)
			}
			before = out
		}
	}
}

func TestTheSocketInTheEnvironmentIsTaken(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1}, nil)
	out, errOut, code := result(t, prepare([]string{"AXON_SESSION=" + socket}))
	if code != 0 || !strings.Contains(out, "NVIDIA H200") {
		t.Errorf("status %d, %q, %q", code, out, errOut)
	}
}

func TestProgramsReadEveryFormat(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1, Sessions: 14, Strange: true}, nil)
	for _, args := range [][]string{{"--format=json"}, {"--json"}, {"top", "--json", "--once"}} {
		out, errOut, code := result(t, prepare(nil, append(args, "--socket", socket)...))
		var d show.Document
		if err := json.Unmarshal([]byte(out), &d); err != nil || code != 0 {
			t.Fatalf("%v, status %d, %q", err, code, errOut)
		}
		if d.Schema != show.Schema || len(d.Machines) != 1 || len(d.Machines[0].Figures.Sessions) != 14 || d.Machines[0].Figures.Sessions[0].CallsPerSecond == nil {
			t.Errorf("%q: %+v", args, d)
		}
	}
	out, _, _ := result(t, prepare(nil, "--format=csv", "--socket", socket))
	if rows, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil || len(rows) != 1+1+1+14 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if out, _, _ = result(t, prepare(nil, "--format=tmux", "--socket", socket)); !strings.HasPrefix(out, "GPU ") || strings.Count(out, "\n") != 1 || len(out) > 40 {
		t.Errorf("%q", out)
	}
}

func TestWatchingPrintsAgainUntilItIsTold(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 1, Sessions: 2}, nil)
	for format, lines := range map[string]int{"json": 1, "csv": 4, "tmux": 1, "table": 6} {
		cmd := prepare(nil, "--format="+format, "--watch", "0.1", "--socket", socket)
		pipe, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		in := bufio.NewReader(pipe)
		var header string
		if format == "csv" {
			header, err = in.ReadString('\n')
			must(t, err)
		}
		for range 3 * lines {
			line, err := in.ReadString('\n')
			must(t, err)
			var d show.Document
			if format == "json" && json.Unmarshal([]byte(line), &d) != nil {
				t.Errorf("a line of JSON is %q", line)
			}
			if format == "csv" && line == header {
				t.Error("the header of CSV came twice")
			}
		}
		must(t, cmd.Process.Signal(syscall.SIGTERM))
		for { // to its end, or it would wait for us
			if _, err := in.ReadString('\n'); err != nil {
				break
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("--format=%s ended with %v", format, err)
		}
	}
}

// TestWithoutAHeaderLinesCanBeAppended is a line of cron's.
func TestWithoutAHeaderLinesCanBeAppended(t *testing.T) {
	socket := axondThatSays(t, &madeup.Machine{GPUs: 2, Sessions: 3, Still: true}, nil)
	for _, format := range []string{"csv", "table"} {
		with, _, _ := result(t, prepare(nil, "--socket", socket, "--format", format))
		without, errOut, code := result(t, prepare(nil, "--socket", socket, "--format", format, "--no-header"))
		header, rest, _ := strings.Cut(with, "\n")
		first, _, _ := strings.Cut(header, map[string]string{"csv": ",", "table": " "}[format])
		if code != 0 || strings.Count(without, "\n") != 6 || strings.Count(rest, "\n") != 6 || strings.Contains(without, first) {
			t.Errorf("%s: status %d, %q\n%s\nwhere with a header there is\n%s", format, code, errOut, without, with)
		}
	}
}

func TestWithoutAxondItSaysWhatToDo(t *testing.T) {
	m := newMachine(t)
	none := filepath.Join(m.dir, "none")
	refusing := axondThatSays(t, nil, &wire.Answer{Version: wire.Version, Status: wire.StatusNotAdmitted, Text: "you are not in video; as root: usermod -aG video you"})
	for _, c := range []struct {
		args   []string
		says   string
		prints string
	}{
		{[]string{"--socket", none}, "systemctl start axond", ""},
		{[]string{"top", "--socket", none, "--format=tmux"}, "systemctl start axond", "GPU ?\n"},
		{[]string{"--socket", refusing}, "usermod -aG video", ""},
	} {
		out, errOut, code := result(t, prepare(nil, c.args...))
		if code != 1 || !strings.Contains(errOut, c.says) || out != c.prints || strings.Count(errOut, "\n") != 1 {
			t.Errorf("axon %q: status %d, %q, %q", c.args, code, out, errOut)
		}
	}
	out, _, code := result(t, prepare(nil, "--socket", none, "--json"))
	var d show.Document
	must(t, json.Unmarshal([]byte(out), &d))
	if code != 1 || d.Machines[0].Figures != nil || d.Machines[0].Error == nil {
		t.Errorf("status %d, %s", code, out)
	}
}

// TestASignalEndsTheWaitForAnAxondThatHangs: Ctrl-C is heard while nobody answers.
func TestASignalEndsTheWaitForAnAxondThatHangs(t *testing.T) {
	m := newMachine(t) // it listens, and says nothing
	for _, args := range [][]string{{"--json"}, {"--watch=1"}, {"metrics", "--once"}} {
		var out, errOut bytes.Buffer
		cmd := prepare(nil, append(args, "--socket", m.socket)...)
		cmd.Stdout, cmd.Stderr = &out, &errOut
		must(t, cmd.Start())
		asked(t, cmd.Process.Pid)
		began := time.Now()
		must(t, cmd.Process.Signal(syscall.SIGINT))
		err := cmd.Wait()
		if took := time.Since(began); took > 5*time.Second || out.Len() > 0 {
			t.Errorf("axon %q ended %v after the signal with %v, %q", args, took, err, out.String())
		}
		if watch := args[0] == "--watch=1"; watch != (err == nil) || !watch && errOut.String() != "axon: interrupted before axond had answered\n" {
			t.Errorf("axon %q: %v, %q", args, err, errOut.String())
		}
	}
}

// asked waits until a process has connected to a socket: a link of its
// descriptors is one.
func asked(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		all, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, fd := range all {
			if to, _ := os.Readlink(fd); strings.HasPrefix(to, "socket:") {
				return
			}
		}
	}
	t.Fatal("it has not connected in 20 s")
}

func TestMistakesOfTopNameTheNextStep(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--frobnicate"}, "axon top --help"},
		{[]string{"--format=xml"}, "csv"},
		{[]string{"--json", "--format=csv"}, "leave one out"},
		{[]string{"--once", "--watch=2"}, "leave one out"},
		{[]string{"--no-header", "--json"}, "json has none"},
		{[]string{"--no-header", "--format=tmux"}, "tmux has none"},
		{[]string{"--watch=0"}, "0.1"},
		{[]string{"--watch=2x"}, "axon: --watch: \"2x\" is not a number of seconds from 0.1"},
		{[]string{"--watch=NaN"}, "0.1"},
		{[]string{"--once", "run"}, "axon --help"},
		{[]string{"top", "what"}, "no arguments"},
	} {
		var out, errOut bytes.Buffer
		if code := axon(c.args, &out, &errOut); code != usageStatus || !strings.Contains(errOut.String(), c.says) || out.Len() > 0 {
			t.Errorf("axon %q: status %d, %q, %q", c.args, code, errOut.String(), out.String())
		}
	}
}

// keys are the members of a JSON value's objects, by where they stand.
func keys(of reflect.Type, at string, into map[string]reflect.Type) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() {
		return
	}
	for i := range of.NumField() {
		f := of.Field(i)
		name := f.Tag.Get("json")
		switch {
		case f.Anonymous:
			keys(f.Type, at, into)
			continue
		case name == "":
			name = "(" + f.Name + " has no name in JSON)"
		}
		into[at+"."+name] = f.Type
		keys(f.Type, at+"."+name, into)
	}
}

// TestTheManualDescribesEveryMemberAndColumn keeps axon(1) what programs that
// read axon's output can be written by.
func TestTheManualDescribesEveryMemberAndColumn(t *testing.T) {
	var manual, errOut bytes.Buffer
	if code := axon([]string{"help", "--manual"}, &manual, &errOut); code != 0 {
		t.Fatal(errOut.String())
	}
	text := manual.String()
	i, j, k := strings.Index(text, ".SH JSON"), strings.Index(text, ".SH CSV"), strings.Index(text, ".SH ENVIRONMENT")
	if i < 0 || j < i || k < j {
		t.Fatal("axon(1) has no sections JSON and CSV before ENVIRONMENT")
	}
	described := func(name, text string) bool { return strings.Contains(text, `\fB`+name+`\fR`) }
	all := map[string]reflect.Type{}
	keys(reflect.TypeFor[show.Document](), "", all)
	if len(all) < 50 {
		t.Fatalf("only %d members are found", len(all))
	}
	for path, kind := range all {
		name := path[strings.LastIndex(path, ".")+1:]
		if !described(name, text[i:j]) {
			t.Errorf("axon(1) says nothing about %s", path)
		}
		for kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		// A number that is a measure says in what.
		if kind.Kind() == reflect.Float64 && !regexp.MustCompile(`_(ratio|seconds|celsius|watts|joules|per_second)$`).MatchString(name) {
			t.Errorf("%s is a number without a unit", path)
		}
	}
	var header bytes.Buffer
	must(t, show.CSV(&header, nil, time.Now(), true))
	columns, err := csv.NewReader(&header).Read()
	must(t, err)
	for _, c := range columns {
		if !described(c, text[i:k]) {
			t.Errorf("axon(1) says nothing about the column %s", c)
		}
	}
}
