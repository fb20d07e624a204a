// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestEveryPropertyIsPrintedAsTheVendors(t *testing.T) {
	m := aH200()
	var fields []*field
	for i := range gpuFields {
		fields = append(fields, &gpuFields[i])
	}
	var b bytes.Buffer
	csvHeader(&b, fields)
	csvRow(&b, m, m.GPUs[0], fields, format{})
	want := golden(t, "h200-580-query-gpu.csv")
	for line := range 2 {
		got, want := strings.Split(strings.Split(b.String(), "\n")[line], ", "), strings.Split(strings.Split(want, "\n")[line], ", ")
		if len(got) != len(want) {
			t.Fatalf("%d properties, the vendor's has %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s is %q, the vendor's %q", fields[i].names[0], got[i], want[i])
			}
		}
	}
	same(t, b.String(), want)
}

// The fields of driver 580.159.04, as its own help named them.
func TestEveryNameAndAliasIsKnown(t *testing.T) {
	b, err := os.ReadFile("testdata/query-gpu-fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		first := strings.Fields(line)[0]
		for _, name := range strings.Split(line, " or ") {
			n++
			f := find(gpuFields, name)
			if f == nil {
				t.Errorf("%s is not known", name)
			} else if f.names[0] != first {
				t.Errorf("%s is printed as %s", name, f.names[0])
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d names were looked at", n)
	}
}
