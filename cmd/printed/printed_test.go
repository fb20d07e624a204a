// SPDX-License-Identifier: Apache-2.0

package printed

import (
	"fmt"
	"os"
	"testing"
)

func TestWhatIsNotWrittenIsKnown(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	in, nobody, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	defer nobody.Close()
	null, err := os.OpenFile("/dev/null", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		file *os.File
		why  string
		lost bool
	}{
		{full, "the standard output cannot be written: no space left on device", true},
		{nobody, "", true},
		{null, "", false},
	} {
		o := &Output{Writer: c.file}
		if why, lost := o.Lost(); why != "" || lost {
			t.Errorf("%s: %q, %v before anything was written", c.file.Name(), why, lost)
		}
		fmt.Fprint(o, "something")
		o.Writer = null // what comes after a gap is of no use
		if n, err := o.Write([]byte("more")); (err != nil) != c.lost || c.lost && n != 0 {
			t.Errorf("%s: after a gap %d bytes, %v", c.file.Name(), n, err)
		}
		if why, lost := o.Lost(); why != c.why || lost != c.lost {
			t.Errorf("%s: %q, %v", c.file.Name(), why, lost)
		}
	}
}
