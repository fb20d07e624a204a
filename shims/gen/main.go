// SPDX-License-Identifier: Apache-2.0

// Command gen writes the C of both halves of axon's shims from the descriptions under shims/api.
//
//	go run ./shims/gen -o build/gen
//
// writes LIBRARY_api.h (types and prototypes), LIBRARY_calls.h (call numbers and frames), LIBRARY_client.c and
// LIBRARY_worker.c, with -go . the Go packages of the libraries that have one, and with -coverage FILE the table of what
// works.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
	"nervlinux.org/axon/shims/gen/emit"
)

func main() {
	out := flag.String("o", "", "folder to write the C to; it is made if missing")
	from := flag.String("api", "shims/api", "folder that holds a folder of .api files for each library")
	goDir := flag.String("go", "", "folder that holds a folder for each Go package to write, nvml")
	coverage := flag.String("coverage", "", "file to write the table of what works to")
	flag.Parse()
	if *out == "" && *coverage == "" && *goDir == "" {
		fmt.Fprintln(os.Stderr, "gen: nothing to do: say where to write with -o build/gen, -go . or -coverage docs/coverage.md")
		os.Exit(2)
	}
	if err := run(*from, *out, *coverage, *goDir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// An output is a file that is written for a library, by what follows the library's name.
type output struct {
	name string
	emit func(*describe.API) (string, error)
}

var outputs = map[string][]output{
	"cuda": {
		{"_api.h", emit.Header},
		{"_calls.h", emit.Calls},
		{"_client.h", emit.ClientHeader},
		{"_client.c", emit.Client},
		{"_worker.h", emit.WorkerHeader},
		{"_worker.c", emit.Worker},
	},
	"nvml": {
		{"_api.h", emit.Header},
		{"_calls.h", emit.Calls},
		{"_client.h", emit.ClientHeader},
		{"_client.c", emit.Client},
		{"_exports.map", emit.Exports},
		{"_rooms.h", emit.Rooms},
		{"_worker.h", emit.WorkerHeader},
		{"_worker.c", emit.Worker},
	},
}

// goOutputs are the files of a library's Go package. They are checked in, because a Go program is built without a
// generator; a test says when they are out of date.
var goOutputs = map[string][]output{
	"nvml": {
		{"api_types.go", emit.GoTypes},
		{"api_table.go", emit.GoTable},
		{"api_calls.go", emit.GoCalls},
	},
}

func run(from, out, coverage, goDir string) error {
	for _, library := range []string{"cuda", "nvml"} {
		api, err := describe.Load(os.DirFS(filepath.Join(from, library)), library)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(from, library), err)
		}
		if out != "" {
			if err := os.MkdirAll(out, 0o755); err != nil {
				return err
			}
			for _, file := range outputs[library] {
				text, err := file.emit(api)
				if err != nil {
					return err
				}
				if err := write(filepath.Join(out, library+file.name), text); err != nil {
					return err
				}
			}
		}
		if goDir != "" {
			for _, file := range goOutputs[library] {
				text, err := file.emit(api)
				if err != nil {
					return err
				}
				if err := write(filepath.Join(goDir, library, file.name), text); err != nil {
					return err
				}
			}
		}
		if coverage != "" {
			text, err := emit.Coverage(api)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(coverage), 0o755); err != nil {
				return err
			}
			if err := write(coveragePath(coverage, library), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// coveragePath is where a library's table goes: cuda's to the file that was named, another's beside it.
func coveragePath(file, library string) string {
	if library == "cuda" {
		return file
	}
	return strings.TrimSuffix(file, ".md") + "-" + library + ".md"
}

// write leaves an unchanged file alone, so that a build that depends on it does not start over.
func write(path, text string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
