// SPDX-License-Identifier: Apache-2.0

package man

import (
	"strings"
	"testing"

	"github.com/jessevdk/go-flags"
)

func TestProseIsSet(t *testing.T) {
	for text, want := range map[string]string{
		"See axond.toml(5).":               "See \\fBaxond.toml\\fR(5).\n",
		"A folder /run/axon, or PATH.":     "A folder \\fI/run/axon\\fR, or \\fIPATH\\fR.\n",
		"and/or with -x, set-user-ID":      "and/or with -x, set-user-ID\n",
		"Give --gpu-memory SIZE.":          "Give \\fB\\-\\-gpu\\-memory\\fR \\fISIZE\\fR.\n",
		"The GPU, as JSON":                 "The GPU, as JSON\n",
		"Type `a 'b' \\n`, please":         "Type \\fBa \\(aqb\\(aq \\en\\fR, please\n",
		".profile is no request\n'nor me'": "\\&.profile is no request \\(aqnor me\\(aq\n",
		"One. Two, i.e. so. /x too.":       "One.\nTwo, i.e. so.\n\\fI/x\\fR too.\n",
		"Say:\n$ a -b\n$ .c":               "Say:\n.RS 4\n.nf\n$ a \\-b\n$ .c\n.fi\n.RE\n",
		"\ta = 1\n\n\t.b = 2":              ".RS 4\n.nf\na = 1\n\n\\&.b = 2\n.fi\n.RE\n",
		"First.\n\nSecond.":                "First.\n.PP\nSecond.\n",
		"125:: It failed.\n\nPATH:: x":     ".TP\n125\nIt failed.\n.TP\n\\fIPATH\\fR\nx\n",
		strings.Repeat("a ", 39) + "xx '":  strings.Repeat("a ", 38) + "a\nxx \\(aq\n",
	} {
		w := writer{values: map[string]bool{"PATH": true, "SIZE": true, "ID": true}}
		w.prose(text)
		if w.String() != want {
			t.Errorf("%q is set as %q, not %q", text, w.String(), want)
		}
	}
}

// TestANewCommandDescribesItself: nobody has to write in two places.
func TestANewCommandDescribesItself(t *testing.T) {
	var fresh struct {
		Fast bool   `long:"fast" short:"f" description:"Do it fast"`
		Kind string `long:"kind" choice:"a" choice:"b" default:"a" description:"What kind"`
		Old  bool   `long:"old" hidden:"true" description:"Nobody is told"`
		Args struct {
			Place string `positional-arg-name:"PLACE" description:"Where"`
		} `positional-args:"yes"`
	}
	p := flags.NewNamedParser("axon", flags.HelpFlag)
	for _, name := range []string{"top", "metrics", "run", "sessions", "gpus", "cdi", "version", "help"} { // what axon.txt is about
		var o struct {
			A bool `long:"socket"`
			B bool `long:"memory"`
			C bool `long:"gpu-memory"`
			D bool `long:"json"`
			E bool `long:"output"`
			F bool `long:"format"`
			G bool `long:"watch"`
		}
		if _, err := p.AddCommand(name, name, "Is there.", &o); err != nil {
			t.Fatal(err)
		}
	}
	session, err := p.AddCommand("session", "session", "Is there.", &struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"terminate", "limit"} {
		var o struct {
			A bool `long:"json"`
		}
		if _, err := session.AddCommand(name, name, "Is there.", &o); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	page := Page{Name: "axon", Section: 1, Short: "x", Parser: p}
	if _, err := p.AddCommand("fresh", "be new", "Is new.", &fresh); err != nil {
		t.Fatal(err)
	}
	if err := page.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\\fBaxon fresh\\fR [\\fB\\-\\-fast\\fR] [\\fB\\-\\-kind\\fR \\fBa|b\\fR] [\\fIPLACE\\fR]\n",
		".SS axon fresh\nIs new.\n.TP\n\\fB\\-f\\fR, \\fB\\-\\-fast\\fR\nDo it fast.\n.TP\n\\fB\\-\\-kind\\fR \\fBa|b\\fR\nWhat kind (default: a).\n.TP\n\\fIPLACE\\fR\nWhere.\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page does not have %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), `\-old`) {
		t.Error("a hidden option is shown")
	}
}

func TestAPartAboutNothingIsAnError(t *testing.T) {
	p := flags.NewNamedParser("axon", flags.None)
	var out strings.Builder
	if err := (Page{Name: "axon", Section: 1, Parser: p}).Write(&out); err == nil || !strings.Contains(err.Error(), "which is not there") {
		t.Errorf("the page of a program without commands: %v", err)
	}
}
