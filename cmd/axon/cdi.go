// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"path/filepath"

	"nervlinux.org/axon/containers/cdi"
	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/installed"
)

// cdiFailed is the exit status of axon cdi when it made no specification.
const cdiFailed = 1

// cdiCommand is axon cdi.
type cdiCommand struct {
	Output string     `long:"output" value-name:"FILE" description:"Write it there, at once and readable for all, instead of to the standard output; the folder is made"`
	Format formatName `long:"format" choice:"json" choice:"yaml" description:"Write it as JSON or YAML (default: as the name of the output says, else json)"`
	Socket string     `long:"socket" value-name:"PATH" description:"Where axond is (default: AXON_SESSION, else /run/axon/sock)"`
	Shim   string     `long:"shim" value-name:"DIR" env:"AXON_SHIM" description:"Folder of axon's libcuda.so.1 (default: the one installed with this axon)"`

	out io.Writer
}

func cdiDescription(out io.Writer) command {
	return command{
		name:  "cdi",
		short: "describe axon's GPU to container engines",
		long: "Writes a specification of the Container Device Interface. With it, podman, docker and Kubernetes give containers axon's GPU as the device " + cdi.Kind + "=all. An installed axon writes /run/cdi/nervlinux.org-gpu.json by itself.\n\n" +
			"Examples:\n" +
			"$ axon cdi --output /etc/cdi/nervlinux.org-gpu.json\n" +
			"$ podman run --device " + cdi.Kind + "=all IMAGE PROGRAM\n\n" +
			"Exit status: 0, or 1 if there is no specification.",
		data: &cdiCommand{out: out},
	}
}

// Execute writes the specification.
func (c *cdiCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "cdi takes no argument: %q; a file is named by --output", args[0])
	}
	output, format := c.Output, string(c.Format)
	if output != "" {
		named, err := cdi.FormatOf(output)
		if err != nil {
			return fail(usageStatus, "--output %v", err)
		}
		if format != "" && format != named {
			return fail(usageStatus, "--output %s is no name for %s; leave --format out", output, format)
		}
		format = named
	}
	text, err := c.text(format)
	if err == nil && output != "" {
		err = cdi.Write(output, text)
	} else if err == nil {
		_, err = c.out.Write(text)
	}
	if err != nil {
		return fail(cdiFailed, "%v", err)
	}
	return nil
}

func (c *cdiCommand) text(format string) ([]byte, error) {
	shim, err := shimFolder(c.Shim)
	if err != nil {
		return nil, err
	}
	self, err := installed.Self()
	if err != nil {
		return nil, err
	}
	socket := c.Socket
	if socket == "" {
		socket = os.Getenv("AXON_SESSION")
	}
	if socket == "" {
		socket = daemon.DefaultSocket
	}
	if socket, err = filepath.Abs(socket); err != nil {
		return nil, err
	}
	gpus, err := cdi.GPUs(cdi.Nvidia)
	if err != nil {
		return nil, err
	}
	spec, err := cdi.Make(cdi.Options{Socket: socket, Shim: shim, SMI: installed.SMI(self), GPUs: gpus})
	if err != nil {
		return nil, err
	}
	return cdi.Encode(spec, format)
}
