// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOldSystemsLoadTheShims: a container brings its own glibc. What the loader
// asks of it are the versions of the names that a library uses.
func TestOldSystemsLoadTheShims(t *testing.T) {
	const newest = 17 // 2.17, of 2012
	folders := []string{"lib", "clang/lib", "arm64/lib", "arm64-clang/lib"}
	looked := 0
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(buildDir(t), folder, "lib*.so.1"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			f, err := elf.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			symbols, err := f.ImportedSymbols()
			if err != nil {
				t.Fatal(err)
			}
			looked++
			threads := false
			for _, s := range symbols {
				_, version, ok := strings.Cut(s.Version, "GLIBC_2.")
				if !ok {
					continue
				}
				threads = threads || strings.HasPrefix(s.Name, "pthread_")
				minor, _, _ := strings.Cut(version, ".")
				if n, err := strconv.Atoi(minor); err != nil || n > newest {
					t.Errorf("%s uses %s of %s; what is newer than 2.%d has an older name in shims/region/glibc.h, or another way", file, s.Name, s.Version, newest)
				}
			}
			// There, before 2.34, are threads.
			libraries, err := f.ImportedLibraries()
			if err != nil || threads && !slices.Contains(libraries, "libpthread.so.0") {
				t.Errorf("%s uses threads and does not load libpthread.so.0, but %v, %v", file, libraries, err)
			}
		}
	}
	if looked < 2 {
		t.Errorf("only %d libraries were found", looked)
	}
}
