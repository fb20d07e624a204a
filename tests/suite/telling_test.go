// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"
)

// run runs a program that is expected to succeed, and returns what it printed.
func (in installation) run(t *testing.T, env []string, program string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := in.command(ctx, env, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", program, err, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// later is what tests/programs/mistakes.c says when its second mistake is told
// by the call after it, and atOnce when each is told by its own.
const (
	later  = "cuMemsetD32Async 0\ncuCtxSynchronize 1\ncuStreamSynchronize 400\ncuModuleGetFunction 500\ncuCtxSynchronize 0\n"
	atOnce = "cuMemsetD32Async 1\ncuCtxSynchronize 0\ncuStreamSynchronize 400\ncuModuleGetFunction 500\ncuCtxSynchronize 0\n"
)

// What a worker says about them, in this order.
var (
	own      = `cuStreamSynchronize gave 400, by the worker itself \(axg_get_CUstream, line [0-9]+\); there is no CUstream by the name 0x123450; argument hStream\n`
	vendors  = `cuMemsetD32Async gave 1, by the vendor's library\n`
	deferred = `cuCtxSynchronize gave 1, the error of a call before it that was not waited for\n`
	unknown  = `cuModuleGetFunction gave 500, by the vendor's library\n`
)

func expectLines(t *testing.T, where, text string, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !regexp.MustCompile(l).MatchString(text) {
			t.Errorf("%s has no line %s", where, l)
		}
	}
	if t.Failed() {
		t.Logf("%s:\n%s", where, text)
	}
}

// A program that asks for nothing gets nothing on its stderr; its errors come
// late, as docs/protocol.md says of calls that are posted.
func TestNobodyIsToldUnasked(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	out, errs := in.run(t, in.clientEnv(a.socket), "mistakes")
	if out != later {
		t.Errorf("the program said:\n%s", out)
	}
	if errs != "" {
		t.Errorf("stderr has:\n%s", errs)
	}
	if log := a.Log(); strings.Contains(log, "gave") {
		t.Errorf("axond's log has:\n%s", log)
	}
}

func TestDebugSaysWhereErrorsComeFrom(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	relayed := startRelay(t, a)
	for name, socket := range map[string]string{"here": a.socket, "behind a relay": relayed} {
		t.Run(name, func(t *testing.T) {
			out, errs := in.run(t, append(in.clientEnv(socket), "AXON_DEBUG=1"), "mistakes")
			if out != later {
				t.Errorf("the program said:\n%s", out)
			}
			expectLines(t, "stderr", errs,
				"(?m)^axon: worker: "+vendors, "(?m)^axon: worker: "+deferred, "(?m)^axon: worker: "+own, "(?m)^axon: worker: "+unknown,
				// The client's own lines.
				"(?m)^axon: cuCtxSynchronize gave 1\n", "(?m)^axon: cuStreamSynchronize gave 400\n")
			if log := a.Log(); strings.Contains(log, "gave") {
				t.Errorf("axond's log has what only the client asked for:\n%s", log)
			}
		})
	}
}

func TestVerboseAxondLogsWhereErrorsComeFrom(t *testing.T) {
	in := installation{build: buildDir(t), args: []string{"--verbose"}}
	a := startAxond(t, in)
	if _, errs := in.run(t, in.clientEnv(a.socket), "mistakes"); errs != "" {
		t.Errorf("stderr has:\n%s", errs)
	}
	waitFor(t, "the log has the last line", 10*time.Second, func() bool { return strings.Contains(a.Log(), "cuModuleGetFunction gave") })
	// The log writes quotes of its own.
	expectLines(t, "axond's log", a.Log(), "cuMemsetD32Async gave 1, by the vendor's library", "there is no CUstream by the name 0x123450; argument hStream")
}

func TestSyncTellsErrorsAtOnce(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	out, errs := in.run(t, append(in.clientEnv(a.socket), "AXON_SYNC=1"), "mistakes")
	if out != atOnce {
		t.Errorf("the program said:\n%s", out)
	}
	if errs != "" {
		t.Errorf("stderr has:\n%s", errs)
	}
}

// A row of the statistics: here, posted, waited, post us, wait us, name.
func row(here, posted, waited, name string) string {
	return `(?m)^ *` + here + ` +` + posted + ` +` + waited + ` +[0-9]+\.[0-9] +[0-9]+\.[0-9]  ` + name + `$`
}

func TestStatsCountsCalls(t *testing.T) {
	in := installation{build: buildDir(t)}
	a := startAxond(t, in)
	env := append(in.clientEnv(a.socket), "AXON_STATS=1")
	out, errs := in.run(t, env, "mistakes")
	if out != later {
		t.Errorf("the program said:\n%s", out)
	}
	expectLines(t, "stderr", errs, `(?m)^axon: calls of process [0-9]+$`, row("0", "1", "0", "cuMemsetD32Async"), row("0", "0", "3", "cuCtxSynchronize"),
		row("0", "0", "1", "cuStreamSynchronize"), row("1", "0", "0", "cuCtxSetCurrent"), row("[1-9][0-9]*", "[1-9][0-9]*", "[1-9][0-9]*", "all"))

	_, errs = in.run(t, append(env, "AXON_SYNC=1"), "mistakes")
	expectLines(t, "stderr with AXON_SYNC=1", errs, row("0", "0", "1", "cuMemsetD32Async"), row("[1-9][0-9]*", "0", "[1-9][0-9]*", "all"))
}
