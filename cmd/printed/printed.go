// SPDX-License-Identifier: Apache-2.0

// Package printed keeps account of what a command prints: a table that is cut
// off by a full disk is no success, also where nobody looked at what Write said.
package printed

import (
	"errors"
	"io"
	"io/fs"

	"golang.org/x/sys/unix"
)

// Output is a command's standard output. After a write that failed no more is
// written.
type Output struct {
	io.Writer
	err error
}

// Write is io.Writer's.
func (o *Output) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(b)
	o.err = err
	return n, err
}

// Lost says whether something was not written, and why, for a person; that is
// empty where who read has seen enough (EPIPE), as head(1).
func (o *Output) Lost() (why string, lost bool) {
	if o.err == nil || errors.Is(o.err, unix.EPIPE) {
		return "", o.err != nil
	}
	err := o.err
	if pe := new(fs.PathError); errors.As(err, &pe) { // the path is Go's name for it
		err = pe.Err
	}
	return "the standard output cannot be written: " + err.Error(), true
}
