// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"nervlinux.org/axon/daemon/bus"
	"nervlinux.org/axon/fleet/show"
)

// gpusCommand is axon gpus.
type gpusCommand struct {
	JSON bool `long:"json" description:"As JSON"`

	out io.Writer
}

func gpusDescription(out io.Writer) command {
	return command{
		name:  "gpus",
		short: "list the machine's GPUs",
		long:  "Lists the GPUs that programs with a session can use, and how many sessions each has. MEMORY is the GPU's own, or the machine's if it shares that.",
		data:  &gpusCommand{out: out},
	}
}

// gpuJSON is a GPU in axon gpus --json.
type gpuJSON struct {
	Index        uint32   `json:"index"`
	Name         string   `json:"name"`
	UUID         string   `json:"uuid"`
	MemoryTotal  uint64   `json:"memory_total_bytes"`
	SharesMemory bool     `json:"shares_memory"`
	Sessions     []uint32 `json:"sessions"`
}

// Execute prints the GPUs.
func (c *gpusCommand) Execute(args []string) error {
	if len(args) > 0 {
		return fail(usageStatus, "gpus has no arguments, but %q was given", args[0])
	}
	var found []bus.GPUInfo
	if err := asking(context.Background(), func(ctx context.Context, client *bus.Client) (err error) {
		found, err = client.GPUs(ctx)
		return err
	}); err != nil {
		return err
	}
	if c.JSON {
		all := []gpuJSON{}
		for _, g := range found {
			all = append(all, gpuJSON(g))
		}
		return printJSON(c.out, map[string]any{"gpus": all})
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(c.out, "There are no GPUs.")
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "GPU\tNAME\tMEMORY\tSESSIONS\tUUID")
	for _, g := range found {
		memory := show.Bytes(g.MemoryTotal)
		if g.SharesMemory {
			memory += " (shared)"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%s\n", g.Index, show.Text(g.Name), memory, len(g.Sessions), show.Text(g.UUID))
	}
	return w.Flush()
}
