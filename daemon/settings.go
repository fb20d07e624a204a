// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// DefaultSettings is where axond's settings are.
const DefaultSettings = "/etc/axon/axond.toml"

// Settings are what axond.toml(5) says. What is nil, empty or 0 it does not say.
// The manual is made of the fields' tags: an example, what the key is, and whether
// it counts at axond's start only. A key that is an option of axond's too is
// described there.
type Settings struct {
	Group       string `toml:"group" example:"\"video\"" at:"start"`
	Vendor      string `toml:"vendor" example:"\"/path\"" at:"start"`
	MaxSessions int    `toml:"max-sessions" example:"256"`
	Warm        *int   `toml:"warm" example:"1" at:"start"`
	WarmContext bool   `toml:"warm-context" example:"false" at:"start"`
	Verbose     bool   `toml:"verbose" example:"false"`
	Confine     string `toml:"confine" example:"\"on\"" at:"start"`                                                                                                                                                                                               // one of the Confine constants
	MemoryFloor Size   `toml:"memory-floor" example:"\"1G\"" doc:"On a GPU that shares the machine's memory: how much of it (MemAvailable in /proc/meminfo) no session's allocations may take. Without this key a sixteenth of the machine's memory, at most 2G"` // of the machine's memory, left alone on a GPU that shares it

	Limits  Limits            `toml:"limits"`
	User    map[string]Limits `toml:"user"`    // by name or number
	Members map[string]Limits `toml:"members"` // of a group, by its name or number
}

// Limits hold one session. 0 is none.
type Limits struct {
	GPUMemory  Size   `toml:"gpu-memory" example:"\"16G\"" doc:"How much of a GPU's memory a session may have. Past it an allocation fails with CUDA_ERROR_OUT_OF_MEMORY, and cuMemGetInfo tells a program so before. axon run --gpu-memory and --memory can only make it less"` // of the GPU's
	MemoryMax  Size   `toml:"memory-max" example:"\"8G\"" doc:"MemoryMax of the scope of a session's worker, see systemd.resource-control(5): the ordinary memory of the vendor's library and what a program pins"`                                                              // of the worker's scope, as systemd has it
	MemoryHigh Size   `toml:"memory-high" example:"\"6G\"" doc:"MemoryHigh of that scope"`                                                                                                                                                                                       // likewise
	TasksMax   uint64 `toml:"tasks-max" example:"1024" doc:"TasksMax of that scope: its processes and threads. Without this key 2048"`                                                                                                                                           // likewise: processes and threads
}

// Size is a number of bytes. In text it has systemd's suffixes, K to T, that
// count by 1024, or is "infinity".
type Size uint64

// Infinity is no limit.
const Infinity Size = math.MaxUint64

// ParseSize reads a size of at least one byte.
func ParseSize(s string) (Size, error) {
	bad := fmt.Errorf("%q is no size; give bytes, or a number with K, M, G or T, or infinity", s)
	if s == "infinity" {
		return Infinity, nil
	}
	number, shift := s, 0
	if i := strings.IndexAny("KMGT", s[max(0, len(s)-1):]); i >= 0 && s != "" {
		number, shift = s[:len(s)-1], 10*(i+1)
	}
	if n, err := strconv.ParseUint(number, 10, 64); err == nil {
		if n == 0 || n > math.MaxInt64>>shift {
			return 0, bad
		}
		return Size(n << shift), nil
	}
	f, err := strconv.ParseFloat(number, 64)
	if f *= float64(uint64(1) << shift); err != nil || !(f >= 1 && f < math.MaxInt64) || strings.ContainsAny(number, "xXpPeE_iInN") {
		return 0, bad
	}
	return Size(f), nil
}

// UnmarshalText is ParseSize.
func (s *Size) UnmarshalText(b []byte) (err error) {
	*s, err = ParseSize(string(b))
	return err
}

// UnmarshalFlag is ParseSize.
func (s *Size) UnmarshalFlag(text string) (err error) {
	*s, err = ParseSize(text)
	return err
}

// String is the size with the largest suffix that keeps it whole.
func (s Size) String() string {
	if s == Infinity {
		return "infinity"
	}
	suffix := ""
	for _, c := range "KMGT" {
		if s == 0 || s%1024 != 0 {
			break
		}
		s, suffix = s/1024, string(c)
	}
	return strconv.FormatUint(uint64(s), 10) + suffix
}

// ReadSettings reads a file of settings. One that does not exist is empty unless
// it is required. Errors name the file, the line and the key.
func ReadSettings(path string, required bool) (*Settings, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return &Settings{}, nil
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file of settings %s; make it (axond.toml(5)), or name another with --settings", path)
	case err != nil:
		return nil, fmt.Errorf("the settings: %w", err)
	}
	s, err := ParseSettings(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// place is how toml's errors begin, if they know where they are.
var place = regexp.MustCompile(`^line (\d+) \(last key "(.*)"\): (?:toml: )?`)

// ParseSettings reads settings.
func ParseSettings(text string) (*Settings, error) {
	s := &Settings{}
	md, err := toml.Decode(text, s)
	if err != nil {
		return nil, errors.New(place.ReplaceAllString(strings.TrimPrefix(err.Error(), "toml: "), "line $1: $2: "))
	}
	if unknown := md.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s%s: there is no such key; see axond.toml(5)", lineOf(text, unknown[0]), unknown[0])
	}
	bad := func(format string, args ...any) (*Settings, error) {
		key, _, _ := strings.Cut(format, ":")
		return nil, fmt.Errorf("%s"+format, append([]any{lineOf(text, toml.Key{key})}, args...)...)
	}
	switch {
	case md.IsDefined("max-sessions") && s.MaxSessions < 1:
		return bad("max-sessions: %d admits nobody; give a number from 1 up", s.MaxSessions)
	case s.Warm != nil && (*s.Warm < 0 || *s.Warm > MaxWarm):
		return bad("warm: %d is out of range; give a number from 0 to %d", *s.Warm, MaxWarm)
	case s.Confine != "" && s.Confine != ConfineOn && s.Confine != ConfineRequire && s.Confine != ConfineOff:
		return bad("confine: %q is unknown; give \"on\", \"require\" or \"off\"", s.Confine)
	}
	return s, nil
}

// lineOf finds the line of a key, which toml does not tell of one that nobody
// asked for. It is "" if the key is written in a way that is not known here.
func lineOf(text string, key toml.Key) string {
	plain := func(s string) string { return strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(s) }
	want, table := plain(key.String()), ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		at := ""
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(name, "]")
			table = plain(strings.TrimPrefix(name, "[")) + "."
			at = strings.TrimSuffix(table, ".")
		} else if name, _, ok := strings.Cut(line, "="); ok {
			at = table + plain(name)
		}
		if at == want {
			return fmt.Sprintf("line %d: ", i+1)
		}
	}
	return ""
}

// For is what holds a client's sessions: what its user's table says, else the
// most that a table of one of its groups says, else [limits].
func (s *Settings) For(id *Identity) Limits {
	l := s.Limits
	var g Limits
	for name, of := range s.Members {
		if gid, ok := groupNumber(name); ok && id.inGroup(gid) {
			g = Limits{max(g.GPUMemory, of.GPUMemory), max(g.MemoryMax, of.MemoryMax), max(g.MemoryHigh, of.MemoryHigh), max(g.TasksMax, of.TasksMax)}
		}
	}
	l = g.over(l)
	for _, name := range []string{id.user(), strconv.FormatUint(uint64(id.UID), 10)} {
		if u, ok := s.User[name]; ok {
			return u.over(l)
		}
	}
	return l
}

// over is l, and where l says nothing, below.
func (l Limits) over(below Limits) Limits {
	if l.GPUMemory == 0 {
		l.GPUMemory = below.GPUMemory
	}
	if l.MemoryMax == 0 {
		l.MemoryMax = below.MemoryMax
	}
	if l.MemoryHigh == 0 {
		l.MemoryHigh = below.MemoryHigh
	}
	if l.TasksMax == 0 {
		l.TasksMax = below.TasksMax
	}
	return l
}
