// SPDX-License-Identifier: Apache-2.0

package transient

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAProcessHasAGroupOrThereIsAReason(t *testing.T) {
	if g, err := GroupOf(os.Getpid()); err == nil && !strings.HasPrefix(g, "/") {
		t.Errorf("its group is %q", g)
	}
	if _, err := GroupOf(math.MaxInt32); err == nil {
		t.Error("a process that does not exist has a group")
	}
}

func TestAGroupsLimitIsANumberOrNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.max")
	for text, want := range map[string]uint64{"max\n": math.MaxUint64, "4096\n": 4096} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := readSize(file); err != nil || got != want {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
	if err := os.WriteFile(file, []byte("many"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readSize(file); err == nil {
		t.Error("nonsense is a limit")
	}
}
