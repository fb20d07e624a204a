// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"os"
)

// file keeps what went wrong when it was written.
type file struct {
	*os.File
	err error
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	if f.err == nil {
		f.err = err
	}
	return n, err
}

// into has print write into a file (-f), or where it is empty to Out, and
// returns its exit status.
func (e *Environment) into(name, cannot string, print func(Environment) int) int {
	if name == "" {
		return print(*e)
	}
	created, err := os.Create(name)
	if err != nil {
		fmt.Fprintf(e.Out, "%s %s\n\n", cannot, name)
		return ExitOther
	}
	f, to := &file{File: created}, *e
	to.Out = f
	status := print(to)
	if err := f.Close(); f.err == nil { // some file systems tell only then that they are full
		f.err = err
	}
	if f.err != nil {
		fmt.Fprintf(e.Out, "Unable to write to file %s\n", name)
		return ExitOther
	}
	return status
}
