// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"slices"
	"strings"
)

// completionCommand is axon completion.
type completionCommand struct {
	Args struct {
		Shell string `positional-arg-name:"SHELL" description:"bash, zsh or fish"`
	} `positional-args:"yes" required:"yes"`

	out io.Writer
}

func completionDescription(out io.Writer) command {
	return command{
		name:  "completion",
		short: "print completion for a shell",
		long: "Prints a script that completes axon's commands and options.\n\n" +
			"Examples:\n" +
			"$ source <(axon completion bash)\n" +
			"$ axon completion fish > ~/.config/fish/completions/axon.fish",
		data: &completionCommand{out: out},
	}
}

// scripts ask axon itself, which go-flags answers when the variable is set, and
// fall back to files where axon has nothing to say.
var scripts = map[string]string{
	"bash": `_axon_complete() {
	local IFS=$'\n'
	COMPREPLY=($(GO_FLAGS_COMPLETION=1 "${COMP_WORDS[0]}" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _axon_complete axon
`,
	"zsh": `#compdef axon
_axon() {
	local -a found
	found=("${(@f)$(GO_FLAGS_COMPLETION=1 "${words[1]}" "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if (( ${#found} )) && [[ -n "${found[1]}" ]]; then
		compadd -- "${found[@]}"
	else
		_files
	fi
}
if [[ "$funcstack[1]" == _axon ]]; then _axon "$@"; else compdef _axon axon; fi
`,
	"fish": `function __axon_complete
	set -l words (commandline -opc) (commandline -ct)
	GO_FLAGS_COMPLETION=1 $words[1] $words[2..-1] 2>/dev/null
end
complete -c axon -a '(__axon_complete)'
`,
}

// Execute prints the script.
func (c *completionCommand) Execute([]string) error {
	s, ok := scripts[c.Args.Shell]
	if !ok {
		var known []string
		for k := range scripts {
			known = append(known, k)
		}
		slices.Sort(known)
		return fail(usageStatus, "there is no completion for %q, only for %s", c.Args.Shell, strings.Join(known, ", "))
	}
	_, err := io.WriteString(c.out, s)
	return err
}
