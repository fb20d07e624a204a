// SPDX-License-Identifier: Apache-2.0

// Nvidia-smi prints what NVIDIA's program of that name prints, of the GPUs that
// axond manages. The work is in package smi.
package main

import (
	"context"
	"fmt"
	"os"

	"nervlinux.org/axon/cmd/printed"
	"nervlinux.org/axon/nvml"
	"nervlinux.org/axon/smi"
)

func main() {
	out := &printed.Output{Writer: os.Stdout}
	status := smi.Run(context.Background(), os.Args[1:], smi.Environment{Out: out, Dial: dial})
	if why, lost := out.Lost(); lost {
		status = smi.ExitOther
		if why != "" {
			fmt.Fprintln(os.Stderr, "nvidia-smi:", why)
		}
	}
	os.Exit(status)
}

// dial connects to axond. What is printed of a failure is the vendor's words;
// axon's own, which say what to do, are for who asks.
func dial() (*nvml.Client, error) {
	c, err := nvml.Dial("")
	if err != nil && os.Getenv("AXON_DEBUG") == "1" {
		fmt.Fprintln(os.Stderr, "nvidia-smi:", err)
	}
	if err == nil {
		c.Ahead(first)
	}
	return c, err
}

// first is what smi asks for first, each to know what to ask for next: one round trip, and none of three.
func first(c *nvml.Client) {
	c.SystemGetDriverVersion()
	c.DeviceGetCount_v2()
	c.DeviceGetHandleByIndex_v2(0)
}
