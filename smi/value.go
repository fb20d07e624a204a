// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"strconv"

	"nervlinux.org/axon/nvml"
)

// Return is an nvmlReturn_t: 0 is success.
type Return = nvml.Return

const (
	Success      = nvml.SUCCESS
	NotSupported = nvml.ERROR_NOT_SUPPORTED
	NoPermission = nvml.ERROR_NO_PERMISSION
	GPUIsLost    = nvml.ERROR_GPU_IS_LOST
	Deprecated   = nvml.ERROR_DEPRECATED
	UnknownError = nvml.ERROR_UNKNOWN
)

// words are nvmlErrorString's.
func words(r Return) string { return r.Error() }

// na is what is printed for a value that there is none of.
func na(r Return) string {
	switch r {
	case NotSupported, nvml.ERROR_FUNCTION_NOT_FOUND, nvml.ERROR_ARGUMENT_VERSION_MISMATCH:
		return "N/A"
	}
	return words(r)
}

// Val is what a call told: a value, or why there is none.
type Val[T any] struct {
	V T
	R Return
}

// OK says whether there is a value.
func (v Val[T]) OK() bool { return v.R == Success }

func of[T any](v T) Val[T]        { return Val[T]{V: v} }
func none[T any](r Return) Val[T] { return Val[T]{R: r} }

// text is the value in the words of f, or why there is none.
func text[T any](v Val[T], f func(T) string) string {
	if !v.OK() {
		return na(v.R)
	}
	return f(v.V)
}

func str(v Val[string]) string { return text(v, func(s string) string { return s }) }

// number is a whole number with an optional unit (" MiB").
func number[T ~uint32 | ~uint64 | ~int32 | ~int64](v Val[T], unit string) string {
	return text(v, func(n T) string {
		if n < 0 {
			return strconv.FormatInt(int64(n), 10) + unit
		}
		return strconv.FormatUint(uint64(n), 10) + unit
	})
}

// mib is bytes in MiB, rounded up: what the vendor prints for total, reserved, used and
// free of one GPU adds up to a little more than the whole.
func mib(bytes uint64) uint64 {
	const m = 1 << 20
	if bytes%m != 0 {
		return bytes/m + 1
	}
	return bytes / m
}

func onOff(v Val[bool], on, off string) string {
	return text(v, func(b bool) string {
		if b {
			return on
		}
		return off
	})
}

func enabled(v Val[bool]) string { return onOff(v, "Enabled", "Disabled") }
func yes(v Val[bool]) string     { return onOff(v, "Yes", "No") }

// pick is one field of a value that several come in.
func pick[T, U any](v Val[T], f func(T) U) Val[U] {
	if !v.OK() {
		return none[U](v.R)
	}
	return of(f(v.V))
}
