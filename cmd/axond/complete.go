// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"

	"github.com/jessevdk/go-flags"

	"nervlinux.org/axon/cmd/complete"
	"nervlinux.org/axon/daemon"
)

// Types of options whose values a shell completes.
type (
	groupName   string
	confineMode string
	pageName    string
)

// Complete is flags.Completer's: the groups there are.
func (*groupName) Complete(match string) []flags.Completion {
	b, err := os.ReadFile("/etc/group")
	if err != nil {
		return nil
	}
	var names []string
	for line := range strings.Lines(string(b)) {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, name)
	}
	return complete.Among(match, names...)
}

// Complete is flags.Completer's.
func (*confineMode) Complete(match string) []flags.Completion {
	return complete.Among(match, daemon.ConfineOn, daemon.ConfineRequire, daemon.ConfineOff)
}

// Complete is flags.Completer's.
func (*pageName) Complete(match string) []flags.Completion {
	return complete.Among(match, "axond.8", "axond.toml.5", "axon-smi.1")
}
