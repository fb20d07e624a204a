// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/cmd/complete"
)

// completionCommand is axon completion.
type completionCommand struct {
	Args struct {
		Shell   shellName   `positional-arg-name:"SHELL" description:"bash, zsh or fish" required:"yes"`
		Program programName `positional-arg-name:"PROGRAM" description:"What to complete: axon, as without it, or axond"`
	} `positional-args:"yes"`

	out io.Writer
}

func completionDescription(out io.Writer) command {
	return command{
		name:  "completion",
		short: "print completion for a shell",
		long: "Prints a script that completes axon's commands, options and sessions, and the program that axon run is to run, or axond's options. Packages of axon have them installed.\n\n" +
			"Examples:\n" +
			"$ source <(axon completion bash)\n" +
			"$ axon completion fish > ~/.config/fish/completions/axon.fish\n" +
			"$ axon completion zsh axond > /usr/local/share/zsh/site-functions/_axond",
		data: &completionCommand{out: out},
	}
}

// Types of arguments that a shell completes.
type (
	shellName   string
	programName string
	commandName string
	formatName  string
	viewFormat  string
)

// Complete is flags.Completer's.
func (*shellName) Complete(match string) []flags.Completion {
	return complete.Among(match, shells()...)
}

// Complete is flags.Completer's.
func (*programName) Complete(match string) []flags.Completion {
	return complete.Among(match, completed...)
}

// Complete is flags.Completer's: axon's commands.
func (*commandName) Complete(match string) []flags.Completion {
	var names []string
	for _, c := range commands(io.Discard, nil) {
		names = append(names, c.name)
	}
	return complete.Among(match, names...)
}

// Complete is flags.Completer's.
func (*formatName) Complete(match string) []flags.Completion {
	return complete.Among(match, "json", "yaml")
}

// Complete is flags.Completer's.
func (*viewFormat) Complete(match string) []flags.Completion {
	return complete.Among(match, "table", "csv", "json", "tmux")
}

// completed are the programs that there is completion for.
var completed = []string{"axon", "axond"}

func shells() []string { return slices.Sorted(maps.Keys(scripts)) }

// scripts ask PROGRAM itself, which go-flags answers when the variable is set, and
// fall back to files where it has nothing to say, and to programs after axon run.
var scripts = map[string]string{
	"bash": `_PROGRAM_complete() {
	local IFS=$'\n' words=() i
	# Bash takes --option=value for three words.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if ((${#words[@]})) && [[ ${words[-1]} == --* && (${COMP_WORDS[i]} == = || ${words[-1]} == *=) ]]; then
			words[-1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}")
		fi
	done
	local now=${words[-1]}
	COMPREPLY=($(GO_FLAGS_COMPLETION=1 "${COMP_WORDS[0]}" "${words[@]}" 2>/dev/null))
	if [[ $now == --*=* ]]; then
		COMPREPLY=("${COMPREPLY[@]#--*=}")
	elif ((!${#COMPREPLY[@]} && ${#words[@]} > 1)) && [[ PROGRAM == axon && ${words[0]} == run && $now != */* ]] &&
		[[ ${words[-2]} == run || ${words[-2]} == -- || ${words[-2]} == --*=* ]]; then
		COMPREPLY=($(compgen -c -- "$now"))
	fi
}
complete -o default -F _PROGRAM_complete PROGRAM
`,
	"zsh": `#compdef PROGRAM
_PROGRAM() {
	local -a found
	found=("${(@f)$(GO_FLAGS_COMPLETION=1 "${words[1]}" "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if (( ${#found} )) && [[ -n "${found[1]}" ]]; then
		compadd -- "${found[@]}"
	elif [[ PROGRAM == axon && "${words[2]}" == run && "${words[CURRENT]}" != */* && ("${words[CURRENT-1]}" == (run|--|--*=*)) ]]; then
		_command_names -e
	else
		compset -P '--*='
		_files
	fi
}
if [[ "$funcstack[1]" == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
`,
	"fish": `function __PROGRAM_complete
	set -l words (commandline -opc) (commandline -ct)
	set -lx GO_FLAGS_COMPLETION 1
	set -l found ($words[1] $words[2..-1] 2>/dev/null)
	set -l option (string match -r '^--[^=]*=' -- $words[-1])
	if set -q found[1]
		printf '%s\n' $found
	else if set -q option[1]
		string replace -r -- '^' $option (__fish_complete_path (string replace -- $option '' $words[-1]))
	else
		__fish_complete_path $words[-1]
	end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
`,
}

// programs completes what axon run is to run.
const programs = `complete -c axon -n '__fish_seen_subcommand_from run' -a '(__fish_complete_subcommand --fcs-skip=2)'
`

// Execute prints the script.
func (c *completionCommand) Execute(args []string) error {
	shell, program := string(c.Args.Shell), string(c.Args.Program)
	if program == "" {
		program = completed[0]
	}
	s, ok := scripts[shell]
	switch {
	case len(args) > 0:
		return fail(usageStatus, "completion takes a shell and a program, but %q was given too", args[0])
	case !ok:
		return fail(usageStatus, "there is no completion for %q, only for %s", shell, strings.Join(shells(), ", "))
	case !slices.Contains(completed, program):
		return fail(usageStatus, "axon completes %s, and not %q", strings.Join(completed, " and "), program)
	}
	s = strings.ReplaceAll(s, "PROGRAM", program)
	if shell == "fish" && program == "axon" {
		s += programs
	}
	_, err := io.WriteString(c.out, s)
	return err
}
