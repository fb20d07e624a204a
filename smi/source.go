// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"os"
	"strconv"
	"strings"
	"unicode"

	"nervlinux.org/axon/nvml"
)

// source is where readings come from: axond, or a recording.
type source struct {
	*nvml.Client
	names func(pid uint32) Val[string] // of processes
}

// processName is what a process calls itself, as nvmlSystemGetProcessName tells it.
func processName(pid uint32) Val[string] {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(int(pid)) + "/cmdline")
	if err != nil {
		if os.IsPermission(err) {
			return none[string](NoPermission)
		}
		return none[string](nvml.ERROR_NOT_FOUND)
	}
	name, _, _ := strings.Cut(string(b), "\x00")
	if name == "" { // a zombie, or a thread of the kernel's
		comm, _ := os.ReadFile("/proc/" + strconv.Itoa(int(pid)) + "/comm")
		name = strings.TrimSpace(string(comm))
	}
	return of(printable(name))
}

// printable is a program's name for a terminal and for lines of CSV: a process
// may call itself anything, and one of somebody else's could write to root's
// terminal by it. What letters are made of stays as the vendor's prints it.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return '?'
		}
		return r
	}, name)
}

// val makes what a method of the client gave back a value.
func val[T any](v T, r Return) Val[T] { return Val[T]{v, r} }

// flagVal is for NVML's nvmlEnableState_t and other numbers that are 0 or not.
func flagVal[T ~uint32 | ~int32](v T, r Return) Val[bool] { return Val[bool]{v != 0, r} }
