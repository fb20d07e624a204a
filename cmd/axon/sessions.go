// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/user"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/cmd/complete"
	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/bus"
	"nervlinux.org/axon/fleet/show"
)

// askTime is how long axond may take to answer, its start and a person's
// password included.
const askTime = 3 * time.Minute

// completeTime is how long a shell waits for the sessions there are.
const completeTime = 2 * time.Second

// sessionsCommand is axon sessions.
type sessionsCommand struct {
	JSON bool `long:"json" description:"As JSON"`

	out io.Writer
}

func sessionsDescription(out io.Writer) command {
	return command{
		name:  "sessions",
		short: "list the sessions on the GPU",
		long: "Lists the programs that have a session on the GPU, of all users. USED is the GPU's memory that a session has, LIMIT what it may have.\n\n" +
			"Examples:\n" +
			"$ axon sessions\n" +
			"$ axon sessions --json | jq '.sessions[] | select(.program == \"python3\") | .id'",
		data: &sessionsCommand{out: out},
	}
}

// sessionJSON is a session in axon sessions --json. null is no limit.
type sessionJSON struct {
	ID                 uint32    `json:"id"`
	UID                uint32    `json:"uid"`
	User               string    `json:"user"` // its number if it has no name
	PID                uint32    `json:"pid"`
	Program            string    `json:"program"`
	Scope              string    `json:"scope"` // "" without systemd
	State              string    `json:"state"` // running or ending
	Remote             bool      `json:"remote"`
	Since              time.Time `json:"since"`
	GPUs               []uint32  `json:"gpus"`
	MemoryUsed         uint64    `json:"memory_used_bytes"`
	MemoryMax          *uint64   `json:"memory_max_bytes"`
	EffectiveMemoryMax *uint64   `json:"effective_memory_max_bytes"`
	AllocationsRefused uint64    `json:"allocations_refused"`
	Calls              uint64    `json:"calls"`
}

// Execute prints the sessions.
func (c *sessionsCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "sessions has no arguments, but %q was given; for one session: axon session --help", args[0])
	}
	var found []bus.SessionInfo
	if err := asking(context.Background(), func(ctx context.Context, client *bus.Client) (err error) {
		found, err = client.Sessions(ctx)
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		all := []sessionJSON{}
		for _, s := range found {
			all = append(all, sessionJSON{s.ID, s.User, userName(s.User), s.PID, s.Program, s.Scope, s.State, s.Remote, s.Since.UTC(), s.GPU,
				s.MemoryUsed, limited(s.MemoryMax), limited(s.EffectiveMemoryMax), s.AllocationsRefused, s.Calls})
		}
		return printJSON(c.out, map[string]any{"sessions": all})
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(c.out, "There are no sessions.")
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tUSER\tPID\tPROGRAM\tGPU\tUSED\tLIMIT\tSINCE")
	for _, s := range found {
		since := s.Since.Format("15:04:05")
		if time.Since(s.Since) > 20*time.Hour {
			since = s.Since.Format("2006-01-02 15:04")
		}
		if s.State == "ending" {
			since += " (ending)"
		}
		gpus := []string{}
		for _, g := range s.GPU {
			gpus = append(gpus, strconv.FormatUint(uint64(g), 10))
		}
		if len(gpus) == 0 {
			gpus = []string{"-"}
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", s.ID, userName(s.User), s.PID, show.Word(s.Program), strings.Join(gpus, ","),
			size(s.MemoryUsed), size(min(s.MemoryMax, s.EffectiveMemoryMax)), since)
	}
	return w.Flush()
}

// sessionCommand is axon session.
type sessionCommand struct {
	Terminate terminateCommand `command:"terminate" description:"end a session" long-description:"Ends a session, and waits until it has ended. The program's calls fail with CUDA_ERROR_DEVICE_UNAVAILABLE from then on."`
	Limit     limitCommand     `command:"limit" description:"set how much of the GPU's memory a session may have" long-description:"Sets how much of the GPU's memory a session may have. What it has already it keeps."`
}

func sessionDescription(out io.Writer) command {
	return command{
		name:  "session",
		short: "end or limit a session",
		long: "Ends a session or changes its limit; axon sessions lists them. Your own sessions are yours to end and, up to what the administrator allows, to limit; others need root, or a password if polkit says so.\n\n" +
			"Examples:\n" +
			"$ axon session terminate 7\n" +
			"$ axon session limit 7 4G",
		data: &sessionCommand{Terminate: terminateCommand{out: out}, Limit: limitCommand{out: out}},
	}
}

// Execute is not called: a subcommand has to be named.
func (*sessionCommand) Execute([]string) error { return nil }

// sessionID is a session's number, which a shell completes.
type sessionID uint32

// Complete is flags.Completer's: the sessions' numbers.
func (*sessionID) Complete(match string) []flags.Completion {
	var all []flags.Completion
	ctx, cancel := context.WithTimeout(context.Background(), completeTime)
	defer cancel()
	client, err := bus.Dial(ctx, bus.SystemAddress())
	if err != nil {
		return nil
	}
	defer client.Close()
	found, _ := client.Sessions(ctx)
	for _, s := range found {
		all = append(all, complete.Among(match, strconv.FormatUint(uint64(s.ID), 10))...)
	}
	return all
}

// UnmarshalFlag is flags.Unmarshaler's: a number.
func (id *sessionID) UnmarshalFlag(value string) error {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		return fmt.Errorf("%q is no session's number; axon sessions lists those that there are", value)
	}
	*id = sessionID(n)
	return nil
}

// terminateCommand is axon session terminate.
type terminateCommand struct {
	JSON bool `long:"json" description:"Say what was done as JSON"`
	Args struct {
		ID sessionID `positional-arg-name:"ID" description:"Number of the session"`
	} `positional-args:"yes" required:"yes"`

	out io.Writer
}

// Usage is what follows the command's name in its help.
func (*terminateCommand) Usage() string { return "[OPTIONS]" }

// Execute ends a session and waits for its end.
func (c *terminateCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "session terminate ends one session, but %q was given too", args[0])
	}
	id := uint32(c.Args.ID)
	err := asking(context.Background(), func(ctx context.Context, client *bus.Client) error { return client.Terminate(ctx, id) })
	switch {
	case err != nil:
		return ended(id, err)
	case c.JSON:
		return printJSON(c.out, map[string]any{"id": id, "terminated": true})
	}
	_, err = fmt.Fprintf(c.out, "Session %d has ended.\n", id)
	return err
}

// limitCommand is axon session limit.
type limitCommand struct {
	JSON bool `long:"json" description:"Say what was done as JSON"`
	Args struct {
		ID   sessionID   `positional-arg-name:"ID" description:"Number of the session"`
		Size daemon.Size `positional-arg-name:"SIZE" description:"Bytes, or a number with K, M, G or T, or infinity"`
	} `positional-args:"yes" required:"yes"`

	out io.Writer
}

// Usage is what follows the command's name in its help.
func (*limitCommand) Usage() string { return "[OPTIONS]" }

// Execute sets a session's limit.
func (c *limitCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "session limit takes a session and a size, but %q was given too", args[0])
	}
	id, bytes := uint32(c.Args.ID), uint64(c.Args.Size)
	err := asking(context.Background(), func(ctx context.Context, client *bus.Client) error { return client.SetMemoryMax(ctx, id, bytes) })
	switch {
	case err != nil:
		return aboutSession(err, id, fmt.Sprintf("sudo axon session limit %d %s", id, c.Args.Size))
	case c.JSON:
		return printJSON(c.out, map[string]any{"id": id, "memory_max_bytes": limited(bytes)})
	}
	if bytes == math.MaxUint64 {
		_, err = fmt.Fprintf(c.out, "Session %d has no limit of its own any more.\n", id)
	} else {
		_, err = fmt.Fprintf(c.out, "Session %d may have %s of the GPU's memory; what it has already it keeps.\n", id, c.Args.Size)
	}
	return err
}

// asking asks axond over the bus.
func asking(ctx context.Context, question func(context.Context, *bus.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	client, err := bus.Dial(ctx, bus.SystemAddress())
	if err != nil {
		return fail(1, "the system bus cannot be reached (%v); start D-Bus (systemctl start dbus), or use a machine that has one; axon --once lists GPUs and sessions without it", err)
	}
	defer client.Close()
	err = question(ctx, client)
	switch {
	case errors.Is(err, bus.ErrNoAxond):
		return fail(1, "axond is not running, or not on the system bus; start it with: systemctl start axond.socket axond.service (if it runs: journalctl -u axond)")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(1, "axond has not answered in %v; see what it does with: journalctl -u axond", askTime)
	case err == nil, errors.Is(err, bus.ErrNoSession), errors.Is(err, bus.ErrNotAllowed):
		return err
	}
	return fail(1, "axond cannot do that now: %v (systemctl status axond and journalctl -u axond say more)", err)
}

// aboutSession says what to do about an error.
func aboutSession(err error, id uint32, asRoot string) error {
	switch {
	case errors.Is(err, bus.ErrNoSession):
		return fail(1, "there is no session %d; axon sessions lists those that there are", id)
	case errors.Is(err, bus.ErrNotAllowed):
		return fail(1, "you may not do that to session %d: it is another user's, or the administrator allows less; try: %s", id, asRoot)
	}
	return err
}

// limited is a limit for JSON: null is none.
func limited(bytes uint64) *uint64 {
	if bytes == math.MaxUint64 {
		return nil
	}
	return &bytes
}

// size is a limit for people.
func size(bytes uint64) string {
	if bytes == math.MaxUint64 {
		return "none"
	}
	return show.Bytes(bytes)
}

// userName is a user's name, or number.
func userName(uid uint32) string {
	n := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(n); err == nil {
		return u.Username
	}
	return n
}

func printJSON(out io.Writer, what any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(what)
}
