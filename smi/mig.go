// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["mig"] = mig }

// migCommand is what a command line after "mig" asks for.
type migCommand struct {
	do             string // the long name of what is to be done
	unseen         string // the words of which only the vendor's program knows what they ask of a divided GPU
	ids            string
	gis, cis       []uint32 // empty: all
	specs          []migSpec
	defaultCompute bool // -C
}

// migSpec is a profile to make an instance of.
type migSpec struct {
	profile string // its name or number
	start   int    // where it is to lie; negative: anywhere
}

// migActions are by both names; what takes no value has an empty argument.
var migActions = []struct {
	short, long string
	arg         argument
	run         func(*source, *bytes.Buffer, *migCommand, []*GPU) int
}{
	{"-lgip", "--list-gpu-instance-profiles", flag, listGPUInstanceProfiles},
	{"-lgipp", "--list-gpu-instance-possible-placements", flag, listGPUInstancePlacements},
	{"-lgi", "--list-gpu-instances", flag, listGPUInstances},
	{"-cgi", "--create-gpu-instance", required, createGPUInstances},
	{"-dgi", "--destroy-gpu-instance", flag, destroyGPUInstances},
	{"-lcip", "--list-compute-instance-profiles", flag, listComputeInstanceProfiles},
	{"-lcipp", "--list-compute-instance-possible-placements", flag, listComputeInstancePlacements},
	{"-lci", "--list-compute-instances", flag, listComputeInstances},
	{"-cci", "--create-compute-instance", optional, createComputeInstances},
	{"-dci", "--destroy-compute-instance", flag, destroyComputeInstances},
}

func mig(_ context.Context, args []string, env Environment) int {
	c, run, err := parseMIG(args)
	if len(args) == 0 || err == nil && run == nil && c.unseen == "" {
		io.WriteString(env.Out, help("mig.txt", env))
		return 0
	}
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	return withMachine(env, c.ids, &wants{rMIG: true}, func(s *source, m *Machine) int {
		gpus := migCapable(m.GPUs)
		if c.profilesOfGPUs() {
			if len(gpus) == 0 {
				fmt.Fprintf(env.Out, "No MIG-supported devices found.\n")
				return exitNotFound
			}
		} else if gpus = migEnabled(gpus); len(gpus) == 0 {
			fmt.Fprintf(env.Out, "No MIG-enabled devices found.\n")
			if c.lists() || c.do == "" {
				return 0
			}
			return exitNotFound
		}
		if c.unseen != "" {
			return unseen(env.Out, "mig "+c.unseen, nvml.ERROR_INVALID_ARGUMENT)
		}
		if !c.lists() && !s.allThere(m.GPUs, c.ids) {
			return sayFailed(env.Out, errNoDevices)
		}
		var b bytes.Buffer
		status := run(s, &b, c, gpus)
		env.Out.Write(b.Bytes())
		return status
	})
}

func parseMIG(args []string) (*migCommand, func(*source, *bytes.Buffer, *migCommand, []*GPU) int, error) {
	c := &migCommand{}
	var run func(*source, *bytes.Buffer, *migCommand, []*GPU) int
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		next := func() bool {
			if !has && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				i++
				value, has = args[i], true
			}
			return has
		}
		ok := true
		switch name {
		case "-h", "--help":
			return &migCommand{}, nil, nil
		case "-i", "--id", "-gi", "--gpu-instance-id", "-ci", "--compute-instance-id":
			if !next() {
				return nil, nil, withoutValue(name)
			}
			switch name {
			case "-i", "--id":
				c.ids = value
			case "-gi", "--gpu-instance-id":
				c.gis = numbers(value)
				ok = c.gis != nil
			default:
				c.cis = numbers(value)
				ok = c.cis != nil
			}
		case "-C", "--default-compute-instance":
			ok = !has
			c.defaultCompute = true
		default:
			found := false
			for _, a := range migActions {
				if name != a.short && name != a.long {
					continue
				}
				found = true
				switch {
				case has && a.arg == flag:
					return nil, nil, unrecognized(value)
				case a.arg == required && !next():
					return nil, nil, withoutValue(name)
				case run != nil:
					second := &migCommand{do: a.long}
					if !c.lists() || !second.lists() || c.profilesOfGPUs() != second.profilesOfGPUs() {
						return nil, nil, combination
					}
					c.unseen = strings.Join(args, " ")
				}
				if a.arg != flag && next() {
					c.specs = specs(value)
				}
				c.do, run = a.long, a.run
			}
			if !found {
				return nil, nil, unknown("mig", args[i])
			}
		}
		if !ok {
			return nil, nil, combination
		}
	}
	if c.defaultCompute && c.do != "--create-gpu-instance" {
		return nil, nil, combination
	}
	if run == nil {
		c.unseen = strings.Join(args, " ")
	}
	return c, run, nil
}

// numbers are those of a list with commas between; nil if one is none.
func numbers(list string) (all []uint32) {
	for _, word := range strings.Split(list, ",") {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return nil
		}
		all = append(all, uint32(n))
	}
	return all
}

// specs are profiles, each with a place after a colon or none.
func specs(list string) (all []migSpec) {
	for _, word := range strings.Split(list, ",") {
		s := migSpec{word, -1}
		if profile, start, ok := strings.Cut(word, ":"); ok {
			if n, err := strconv.ParseUint(start, 10, 31); err == nil {
				s = migSpec{profile, int(n)}
			}
		}
		all = append(all, s)
	}
	return all
}

// profilesOfGPUs says whether what is asked needs a GPU that could be divided, not one that is in that mode.
func (c *migCommand) profilesOfGPUs() bool {
	return c.do == "--list-gpu-instance-profiles" || c.do == "--list-gpu-instance-possible-placements"
}

// lists says whether what is asked changes nothing.
func (c *migCommand) lists() bool { return strings.HasPrefix(c.do, "--list-") }

func migCapable(gpus []*GPU) (some []*GPU) {
	for _, g := range gpus {
		if g.MIG.OK() {
			some = append(some, g)
		}
	}
	return some
}

func migEnabled(gpus []*GPU) (some []*GPU) {
	for _, g := range gpus {
		if g.MIG.V.Current {
			some = append(some, g)
		}
	}
	return some
}

// wanted says whether -gi or -ci, a list, names a number.
func wanted(list []uint32, n uint32) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return len(list) == 0
}

// migProfile is a profile of GPU instances or, in one of these, of compute instances.
type migProfile struct {
	id, slices, instances, sms, copy, decoders, encoders, jpeg, ofa uint32
	memory                                                          uint64 // MiB
	p2p                                                             bool
	name                                                            string // MIG 1g.5gb
}

func withMIG(name string) string {
	if strings.HasPrefix(name, "MIG ") {
		return name
	}
	return "MIG " + name
}

// named says whether a word on the command line means the profile.
func (p *migProfile) named(word string) bool {
	return word == strconv.Itoa(int(p.id)) || strings.EqualFold(withMIG(word), p.name)
}

// exitOf is a result as an exit status.
func exitOf(r Return) int { return int(min(r, ExitOther)) }

// noneThere is what there is no instance to list or to do something with.
func noneThere(b *bytes.Buffer, what string, r Return) int {
	if r == Success {
		r = nvml.ERROR_NOT_FOUND
	}
	fmt.Fprintf(b, "No %s instances found: %s\n", what, words(r))
	return exitOf(r)
}
