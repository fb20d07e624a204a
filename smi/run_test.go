// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nervlinux.org/axon/nvml"
)

func TestWithoutADriverItFailsAsTheVendors(t *testing.T) {
	for _, c := range []struct {
		err    error
		want   string
		status int
	}{
		{&nvml.Refusal{Return: nvml.ERROR_DRIVER_NOT_LOADED}, noDriverWords, 9},
		{&nvml.Refusal{Return: nvml.ERROR_NO_PERMISSION}, "Failed to initialize NVML: Insufficient Permissions\n", 4},
		{&nvml.Refusal{Return: nvml.ERROR_LIB_RM_VERSION_MISMATCH}, "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.159\n", 18},
		{errors.New("else"), "Failed to initialize NVML: Unknown Error\n", 255},
	} {
		for _, line := range []string{"", "-L", "-q", "dmon", "topo -m", "-pm 1"} {
			var out bytes.Buffer
			status := Run(context.Background(), strings.Fields(line), Environment{Out: &out, Dial: func() (*nvml.Client, error) { return nil, c.err }})
			if out.String() != c.want || status != c.status {
				t.Errorf("nvidia-smi %s: %d %q, not %d %q", line, status, out.String(), c.status, c.want)
			}
		}
	}
}

func TestNoGPUsIsSaid(t *testing.T) {
	r := &recorder{t: t}
	r.call("nvmlSystemGetDriverVersion", args{"length": 80}, nil, nil, cString("580.159.04", 80))
	r.call("nvmlDeviceGetCount_v2", nil, nil, args{"deviceCount": 0})
	if got, status := r.run(time.Now()); got != "No devices were found\n" || status != exitNotFound {
		t.Errorf("%d %q", status, got)
	}
}

func TestOutputGoesToTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	got, status := quietH200(t).run(time.Now(), "--query-gpu=name", "-f", file)
	b, err := os.ReadFile(file)
	if err != nil || got != "" || status != 0 || string(b) != "name\nNVIDIA H200\n" {
		t.Errorf("%v %d %q, in the file %q", err, status, got, b)
	}
}

func TestAFileThatCannotBeWrittenIsSaid(t *testing.T) {
	for file, want := range map[string]string{
		"/dev/full":    "Unable to write to file /dev/full\n",
		"/nowhere/log": "Failed to create log file /nowhere/log\n\n",
	} {
		for _, line := range []string{"--query-gpu=name -f ", "dmon -c 1 -s p -f "} {
			got, status := quietH200(t).run(time.Now(), strings.Fields(line+file)...)
			if got != want || status == 0 {
				t.Errorf("nvidia-smi %s%s: %d %q", line, file, status, got)
			}
		}
	}
}

// stopping ends the loop at the third line.
type stopping struct {
	bytes.Buffer
	lines int
	stop  func()
}

func (s *stopping) Write(b []byte) (int, error) {
	if s.lines += bytes.Count(b, []byte("\n")); s.lines >= 4 {
		s.stop()
	}
	return s.Buffer.Write(b)
}

func TestALoopHasItsHeaderOnce(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	out := &stopping{stop: stop}
	env := quietH200(t).environment(&bytes.Buffer{}, time.Now())
	env.Out = out
	if status := Run(ctx, []string{"--query-gpu=index", "--format=csv", "-lms", "1"}, env); status != 0 {
		t.Errorf("status %d", status)
	}
	if got := out.String(); got != "index\n0\n0\n0\n" {
		t.Errorf("%q", got)
	}
}

// Every part of -q that has a name is in the whole, and nothing else is in it but what has none.
func TestSectionsAreParts(t *testing.T) {
	r := quietH200(t)
	now := time.Now()
	whole, _ := r.run(now, "-q")
	head := whole[:strings.Index(whole, "    Product Name")]
	for name, s := range sectionNames {
		got, status := r.run(now, "-q", "-d", name)
		if status != 0 || !strings.HasPrefix(got, head) {
			t.Fatalf("-d %s: %d %q", name, status, got)
		}
		part := strings.TrimSuffix(got[len(head):], "\n")
		if (part == "") != (s == secVoltage) { // 580 has none
			t.Errorf("-d %s shows %q", name, part)
		}
		switch s {
		case secVoltage, secTarget, secSupportedClocks, secUtilization, secPower, secClock, secAccounting: // has more, or is not in the whole
		default:
			for _, piece := range strings.SplitAfter(part, "\n") {
				if !strings.Contains(whole, piece) {
					t.Errorf("-d %s: %q is not in the whole", name, piece)
				}
			}
		}
	}
	got, _ := r.run(now, "-q", "-d", "POWER,COMPUTE")
	for _, want := range []string{"\n    Compute Mode ", "\n    Power Samples\n        Duration ", "\n    Module Power Readings\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("-d POWER,COMPUTE has no %q", want)
		}
	}
}

var quoted = regexp.MustCompile(`"([a-z_.A-Z0-9]+)"`)

// Whatever the help of a query names can be asked for.
func TestWhatTheHelpsOfQueriesNameCanBeAsked(t *testing.T) {
	r := quietH200(t)
	for long, q := range selectives {
		text, _ := r.run(time.Now(), "--help-query-"+strings.TrimPrefix(long, "--query-"))
		names := 0
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, `"`) {
				continue
			}
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				names++
				if fields, bad := q.choose(m[1]); fields == nil {
					t.Errorf("%s does not know %s", long, bad)
				}
			}
		}
		if names < 6 {
			t.Errorf("%s: its help names %d", long, names)
		}
	}
}

func TestTheDefinitionIsPrintedAndEmbedded(t *testing.T) {
	r := quietH200(t)
	for of, words := range map[string][]string{"device": nil, "unit": {"-u"}} {
		alone, status := r.run(time.Now(), append(words, "--dtd")...)
		if !strings.HasPrefix(alone, "<!-- nvsmi_"+of+"_v13.dtd -->\n") || status != 0 {
			t.Errorf("--dtd of a %s: %d %.60q", of, status, alone)
		}
		now := time.Now()
		named, _ := r.run(now, append(words, "-q", "-x")...)
		embedded, status := r.run(now, append(words, "-q", "-x", "--dtd")...)
		if want := strings.Replace(named, `SYSTEM "nvsmi_`+of+`_v13.dtd">`, "[\n"+alone+"]>", 1); embedded != want || status != 0 || embedded == named {
			t.Errorf("-q -x --dtd of a %s: %d %.200q", of, status, embedded)
		}
	}
	c := command{dtd: true}
	if err := c.undefined("570.124.06"); err == nil || !strings.Contains(err.Error(), "nvsmi_device_v12.dtd") {
		t.Errorf("--dtd of a driver whose definition was not seen: %v", err)
	}
}
