// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"os"
	"strconv"
)

// A process's number is another's as soon as it was reaped, and a session's
// client, and its worker, may be gone for a moment before the session is. What
// names a process for longer is its number and when it began.

// process is a process that was there. It is comparable.
type process struct {
	PID  int
	Born uint64 // in clock ticks since the machine's start; 0 if that is not known
}

// processNow is the process that has a number now; Born is 0 if none has it.
func processNow(pid int) process { return process{pid, born(pid)} }

// is says whether a process has its number still, be it as a zombie.
func (p process) is() bool { return p.Born != 0 && born(p.PID) == p.Born }

// born is when the process with a number began (starttime in proc_pid_stat(5)),
// 0 if there is none.
func born(pid int) uint64 {
	if pid <= 0 {
		return 0
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	return startTime(b)
}

// startTime finds it: field 22, and the second may have spaces and brackets.
func startTime(stat []byte) uint64 {
	w := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(w) < 20 {
		return 0
	}
	n, err := strconv.ParseUint(string(w[19]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (i *SessionInfo) client() process { return process{i.PID, i.Born} }
func (i *SessionInfo) worker() process { return process{i.WorkerPID, i.WorkerBorn} }
