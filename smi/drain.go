// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["drain"] = drain }

// drain says whether a GPU is kept from new work before it is taken out. It takes none out.
func drain(_ context.Context, args []string, env Environment) int {
	args, values, err := pull(args, subFlag{"-p", "--pciid"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	id, given := values["-p"]
	query := len(args) > 0 || !given
	if query {
		_, _, status, done := subOptions("drain", args, env, subFlag{"-q", "--query"})
		switch {
		case done:
			return status
		case !given:
			fmt.Fprintf(env.Out, "Must specify -p with this option.\n")
			return exitInvalid
		}
	}
	at, name, ok := pciAddress(id)
	if !ok {
		fmt.Fprintf(env.Out, "Failed to parse device specified at the command-line\n")
		return exitInvalid
	}
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	if !query { // a GPU that is named, and nothing asked of it
		return 0
	}
	state, r := s.DeviceQueryDrainState(at)
	if r != Success {
		fmt.Fprintf(env.Out, "Failed to query the GPU drain state.\n")
		return ExitOther
	}
	word := "not draining"
	if state != 0 {
		word = "draining"
	}
	fmt.Fprintf(env.Out, "The current drain state of GPU %s is: %s.\n", name, word)
	return 0
}

// pciAddress reads XXXX:YY:Z.a: domain, bus, device and function; name is it in full.
func pciAddress(s string) (at nvml.PciInfo, name string, ok bool) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ':' || r == '.' })
	if len(parts) != 4 {
		return at, "", false
	}
	var n [4]uint32
	for i, bits := range []int{32, 8, 8, 8} {
		v, err := strconv.ParseUint(parts[i], 16, bits)
		if err != nil {
			return at, "", false
		}
		n[i] = uint32(v)
	}
	at.Domain, at.Bus, at.Device = n[0], n[1], n[2]
	return at, fmt.Sprintf("%08X:%02X:%02X.%X", n[0], n[1], n[2], n[3]), true
}
