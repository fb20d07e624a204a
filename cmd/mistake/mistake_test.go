// SPDX-License-Identifier: Apache-2.0

package mistake

import (
	"errors"
	"strings"
	"testing"

	"github.com/jessevdk/go-flags"
)

// limited is a type that says itself what is wrong.
type limited int

func (*limited) UnmarshalFlag(value string) error {
	return errors.New(`"` + value + `" (of all things) is too much; take less`)
}

func TestNoTypeOfGosIsNamed(t *testing.T) {
	for _, c := range [][2]string{
		{"--number=x", `--number: "x" is no whole number; `},
		{"--number=-1.5", `--number: "-1.5" is no whole number; `},
		{"--number=99999999999999999999", `--number: "99999999999999999999" is out of its range; `},
		{`--number=a"b`, `--number: "a\"b" is no whole number; `},
		{"--small=1000", `-s, --small: "1000" is out of its range; `},
		{"--limited=7", `--limited: "7" (of all things) is too much; take less; `},
		{"--nothing", "unknown flag `nothing'; "},
	} {
		var o struct {
			Number  *int    `long:"number"`
			Small   uint8   `long:"small" short:"s"`
			Limited limited `long:"limited"`
		}
		_, err := flags.NewParser(&o, flags.None).ParseArgs(strings.Split(c[0], " "))
		if err == nil {
			t.Errorf("%s is taken", c[0])
		} else if got := Text(err) + "; "; got != c[1] {
			t.Errorf("%s: %q, not %q", c[0], got, c[1])
		}
	}
}
