// SPDX-License-Identifier: Apache-2.0

package smi

import "fmt"

// change does what a command line asks to change, on every GPU it names.
func (s *source) change(c *command, env Environment) int {
	m, err := s.read(c.ids, &wants{rPCI: true, rPersistence: true}, env.Now)
	if err != nil {
		return sayFailed(env.Out, err)
	}
	ch := c.changes[0]
	set, ok := setters[ch.long]
	if !ok {
		fmt.Fprintf(env.Out, "%s %s\n", ch.long, notAxons)
		return int(NotSupported)
	}
	for _, g := range m.GPUs {
		said, r := set(s, g, ch, c)
		fmt.Fprint(env.Out, said)
		if r != Success {
			fmt.Fprintf(env.Out, "Terminating early due to previous errors.\n")
			return int(min(r, exitOther))
		}
	}
	fmt.Fprintf(env.Out, "All done.\n")
	return 0
}

func (g *GPU) bus() string { return text(g.PCI, func(p PCI) string { return p.BusID }) }

// setters change one GPU: what they say, and whether it went well.
var setters = map[string]func(s *source, g *GPU, ch given, c *command) (string, Return){}
