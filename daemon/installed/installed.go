// SPDX-License-Identifier: Apache-2.0

// Package installed knows where axon's own files are, in an installed system
// and in a build folder, and where the vendor's library is.
//
// Installed, below a prefix:
//
//	bin/axon
//	libexec/axon/axond, libexec/axon/axon-worker, libexec/axon/nvidia-smi
//	lib/axon/shim/libcuda.so.1
//	lib/axon/softgpu/libcuda.so.1
//
// Built:
//
//	bin/axon, bin/axond
//	libexec/axon-worker
//	smi/nvidia-smi
//	lib/libcuda.so.1 (the shim)
//	softgpu/libcuda.so.1
//
// Files are looked for beside the running binary first, so that a build folder
// and a second prefix use their own, and then below /usr.
package installed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Library is the name that programs load, and the only name that axon gives a
// file of its own: tools take a libcuda.so.X.Y for a driver's version. Beside
// the shim there is a link without a number, for programs that open that name
// first, as they do where NVIDIA's packages are.
const Library = "libcuda.so.1"

// NotFound says what is missing, where it was looked for and what to do.
type NotFound struct {
	What   string
	Looked []string
	Remedy string
}

func (e *NotFound) Error() string {
	s := "no " + e.What
	if len(e.Looked) > 0 {
		s += " in " + strings.Join(e.Looked, ", ")
	}
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// Self is the folder that the running binary is in, links resolved.
func Self() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("where this program is: %w", err)
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return "", fmt.Errorf("where this program is: %w", err)
	}
	return filepath.Dir(exe), nil
}

// candidates lists the places of a file: those relative to self, then the
// absolute ones, each once.
func candidates(self string, relative []string, absolute ...string) []string {
	var all []string
	seen := map[string]bool{}
	add := func(p string) {
		if p = filepath.Clean(p); !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	if self != "" {
		for _, r := range relative {
			add(filepath.Join(self, r))
		}
	}
	for _, a := range absolute {
		add(a)
	}
	return all
}

// Worker finds axon-worker for a program in the folder self.
func Worker(self string) (string, error) {
	all := candidates(self, []string{
		"axon-worker",                 // libexec/axon/axond
		"../libexec/axon-worker",      // the build folder
		"../libexec/axon/axon-worker", // bin/axon
	}, "/usr/libexec/axon/axon-worker")
	for _, p := range all {
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() {
			return p, nil
		}
	}
	return "", &NotFound{"axon-worker", all, "install axon's package whole, or name it with --worker PATH"}
}

// Shim finds the folder of axon's libcuda.so.1 for a program in the folder self.
func Shim(self string) (string, error) {
	all := candidates(self, []string{
		"../lib/axon/shim",    // bin/axon
		"../../lib/axon/shim", // libexec/axon/axond
		"../lib",              // the build folder
	}, "/usr/lib/axon/shim")
	for _, p := range all {
		// A plain lib folder may hold the vendor's libcuda: look inside.
		if IsShim(filepath.Join(p, Library)) {
			return p, nil
		}
	}
	return "", &NotFound{"folder with axon's " + Library, all, "install axon's package whole, or name the folder with --shim DIR"}
}

// SMI finds axon's nvidia-smi for a program in the folder self; "" where its
// package is not installed. A program of that name in /usr/bin may be NVIDIA's.
func SMI(self string) string {
	for _, p := range candidates(self, []string{
		"../libexec/axon/nvidia-smi", // bin/axon
		"../smi/nvidia-smi",          // the build folder
	}, "/usr/libexec/axon/nvidia-smi") {
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

// Softgpu finds the folder of the software GPU for a program in the folder self.
func Softgpu(self string) (string, error) {
	all := candidates(self, []string{
		"../lib/axon/softgpu",    // bin/axon
		"../../lib/axon/softgpu", // libexec/axon/axond
		"../softgpu",             // the build folder
	}, "/usr/lib/axon/softgpu")
	for _, p := range all {
		if st, err := os.Stat(filepath.Join(p, Library)); err == nil && st.Mode().IsRegular() {
			return p, nil
		}
	}
	return "", &NotFound{"folder with the software GPU's " + Library, all, "install axon's package whole"}
}
