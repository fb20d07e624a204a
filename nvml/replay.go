// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Recording is what a machine's NVML answered: a text, a line for each call,
//
//	NAME IN -> RESULT OUT
//
// IN and OUT are the frames in hexadecimal, "-" for an empty one, RESULT is a
// number. Lines "process PID NAME" are what else a program looked up; "#"
// begins a comment, and those of the form "# KEY VALUE" before the first call
// say where the recording is from (driver, gpu, date).
type Recording struct {
	Head      map[string]string
	Processes map[uint32]string // by pid

	answers map[string]answer
	names   map[string]bool // of the functions that were called
}

// lineMax is the most bytes of a line: two frames in hexadecimal, and what stands around them.
const lineMax = 4*PacketMax + 1024

// ReadRecording reads a recording. Errors name the line.
func ReadRecording(r io.Reader) (*Recording, error) {
	rec := &Recording{Head: map[string]string{}, Processes: map[uint32]string{}, answers: map[string]answer{}, names: map[string]bool{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), lineMax)
	for n := 1; lines.Scan(); n++ {
		if err := rec.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("nvml: recording, line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("nvml: recording: %w", err)
	}
	return rec, nil
}

func (rec *Recording) line(line string) error {
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		if key, value, ok := strings.Cut(strings.TrimSpace(comment), " "); ok && len(rec.answers) == 0 {
			if _, said := rec.Head[key]; !said {
				rec.Head[key] = strings.TrimSpace(value)
			}
		}
		return nil
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case word == "process":
		pid, name, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseUint(pid, 10, 32)
		if err != nil {
			return fmt.Errorf("%q is no pid", pid)
		}
		rec.Processes[uint32(n)] = name
		return nil
	}
	f := strings.Fields(rest)
	if len(f) != 4 || f[1] != "->" {
		return fmt.Errorf("it should read NAME IN -> RESULT OUT")
	}
	in, err := unhex(f[0])
	if err != nil {
		return err
	}
	out, err := unhex(f[3])
	if err != nil {
		return err
	}
	ret, err := strconv.ParseUint(f[2], 10, 32)
	if err != nil {
		return fmt.Errorf("%q is no result", f[2])
	}
	rec.names[word] = true
	k := word + " " + string(in)
	if _, said := rec.answers[k]; !said { // the first of several: what was read together belongs together
		rec.answers[k] = answer{Return(ret), out}
	}
	return nil
}

func unhex(word string) ([]byte, error) {
	if word == "-" {
		return nil, nil
	}
	if len(word) > 2*PacketMax {
		return nil, fmt.Errorf("a frame of %d bytes", len(word)/2)
	}
	b, err := hex.DecodeString(word)
	if err != nil {
		return nil, fmt.Errorf("a frame that is not hexadecimal: %w", err)
	}
	return b, nil
}

// Send answers from the recording: ERROR_FUNCTION_NOT_FOUND if the function was
// never called, ERROR_NOT_SUPPORTED if it was not called like this.
func (rec *Recording) Send(call uint32, in []byte, done func(Return, []byte)) {
	info, ok := Call(call)
	if !ok {
		done(ERROR_FUNCTION_NOT_FOUND, nil)
		return
	}
	a, ok := rec.answers[info.Name+" "+string(in)]
	switch {
	case ok:
		done(a.ret, append([]byte(nil), a.out...))
	case rec.names[info.Name]:
		done(ERROR_NOT_SUPPORTED, nil)
	default:
		done(ERROR_FUNCTION_NOT_FOUND, nil)
	}
}

// Close does nothing.
func (rec *Recording) Close() error { return nil }

// Write writes a line of a recording.
func Write(w io.Writer, call uint32, in []byte, ret Return, out []byte) error {
	info, ok := Call(call)
	if !ok {
		return fmt.Errorf("nvml: there is no call %d", call)
	}
	_, err := fmt.Fprintf(w, "%s %s -> %d %s\n", info.Name, hexed(in), ret, hexed(out))
	return err
}

func hexed(b []byte) string {
	if len(b) == 0 {
		return "-"
	}
	return hex.EncodeToString(b)
}
