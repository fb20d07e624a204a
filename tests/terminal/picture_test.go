// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestThePicturesShowTheViewAsItIs: README's pictures are rendered from the
// screen here, by go test ./tests/terminal -run Pictures -update.
func TestThePicturesShowTheViewAsItIs(t *testing.T) {
	for _, p := range []struct {
		file           string
		columns, lines int
		args           []string
		keys           []string
		has            string
	}{
		{"view.svg", 120, 26, []string{"-gpus=2", "-sessions=11", "-before=120"}, []string{"j", "j", "j"}, "> "},
		{"fleet.svg", 120, 20, []string{"-machines=16", "-gpus=2", "-sessions=90", "-before=60"}, []string{"Tab", "Tab"}, "node16"},
	} {
		x := Start(t, p.columns, p.lines, nil, program, p.args...)
		x.Has("? help")
		x.Type(p.keys...)
		x.Until("the cursor away from the first row", func(s string) bool { return marked(s) != "" && !strings.Contains(marked(s), "node01") })
		x.Has(p.has)
		got := SVG(x.Escapes(), p.columns)
		d := xml.NewDecoder(strings.NewReader(got))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", p.file, err)
			}
		}
		file := filepath.Join("..", "..", "docs", "pictures", p.file)
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("docs/pictures/%s is not the view as it is; go test ./tests/terminal -run Pictures -update draws it", p.file)
		}
	}
}
