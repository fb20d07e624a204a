// SPDX-License-Identifier: Apache-2.0

// Madeup shows the view of machines that do not exist, for tests of the view
// and for its pictures.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/madeup"
	"nervlinux.org/axon/tui"
	"nervlinux.org/axon/view"
)

func main() {
	machines := flag.Int("machines", 1, "how many machines")
	gpus := flag.Int("gpus", 2, "how many GPUs each has")
	sessions := flag.Int("sessions", 6, "how many sessions they have together")
	before := flag.Int("before", 1, "how many samples there were before the first frame")
	moving := flag.Bool("moving", false, "figures change each second; without it the clock stands")
	every := flag.Duration("every", time.Second, "time between two samples, of which each is a column more in the graphs")
	strange := flag.Bool("strange", false, "names are what an enemy would choose")
	flag.Parse()

	members := madeup.Fleet(*machines, *gpus, *sessions, false)
	for _, m := range members {
		m.Source.(*madeup.Machine).Strange = *strange
	}
	f := fleet.New(members, *every)
	for range *before {
		f.Ask(context.Background())
	}
	o := tui.Options{ASCII: tui.ASCII(os.Getenv), Shell: func(g *view.GPU) (*exec.Cmd, error) {
		cmd := exec.Command("/bin/sh")
		cmd.Env = append(os.Environ(), "CUDA_VISIBLE_DEVICES="+g.UUID, "PS1=shell> ")
		return cmd, nil
	}}
	if !*moving {
		for _, m := range members {
			m.Source.(*madeup.Machine).Still = true
		}
		o.Now = func() time.Time { return madeup.Start.Add(time.Duration(*before) * time.Second) }
	}
	if err := tui.Run(context.Background(), f, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
