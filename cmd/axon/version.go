// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"nervlinux.org/axon/daemon/installed"
)

// versionCommand is axon version.
type versionCommand struct {
	JSON bool `long:"json" description:"As JSON"`

	out io.Writer
}

func versionDescription(out io.Writer) command {
	return command{
		name:  "version",
		short: "say what is installed",
		long:  "Says axon's version, the protocol and API that its worker speaks, and where the shim, the worker and the vendor's library are.",
		data:  &versionCommand{out: out},
	}
}

// versions is what axon version says. An empty string means that something is
// not there; Problems says what.
type versions struct {
	Axon        string   `json:"axon"`
	Protocol    uint32   `json:"protocol"`    // of the region's layout; 0 without a worker
	Fingerprint string   `json:"fingerprint"` // of the API, hexadecimal
	Worker      string   `json:"worker"`
	Shim        string   `json:"shim"`
	Vendor      string   `json:"vendor"`
	Softgpu     bool     `json:"softgpu"` // Vendor is the software GPU
	Problems    []string `json:"problems"`
}

func find() versions {
	v := versions{Axon: installed.Version, Problems: []string{}}
	problem := func(err error) {
		if err != nil {
			v.Problems = append(v.Problems, err.Error())
		}
	}
	self, err := installed.Self()
	problem(err)
	v.Worker, err = installed.Worker(self)
	problem(err)
	if err == nil {
		p, err := installed.AskWorker(v.Worker)
		problem(err)
		if err == nil {
			v.Protocol, v.Fingerprint = p.Version, hex.EncodeToString(p.Fingerprint[:])
		}
	}
	v.Shim, err = installed.Shim(self)
	problem(err)
	vendor, err := installed.FindVendor(self, installed.VendorDirs())
	problem(err)
	v.Vendor, v.Softgpu = vendor.Dir, vendor.Software
	return v
}

// Execute prints what is installed.
func (c *versionCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "version has no arguments, but %q was given", args[0])
	}
	v := find()
	if c.JSON {
		e := json.NewEncoder(c.out)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
	line := func(what, is string) {
		if is == "" {
			is = "none"
		}
		fmt.Fprintf(c.out, "%-9s %s\n", what, is)
	}
	line("axon", v.Axon)
	if v.Protocol != 0 {
		line("protocol", fmt.Sprintf("%d, API %s", v.Protocol, v.Fingerprint))
	}
	line("worker", v.Worker)
	line("shim", v.Shim)
	if v.Softgpu {
		line("vendor", v.Vendor+" (the software GPU)")
	} else {
		line("vendor", v.Vendor)
	}
	for _, p := range v.Problems {
		line("problem", p)
	}
	return nil
}
