// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nervlinux.org/axon/nvml"
)

func init() { subcommands["topo"] = topo }

var peerKinds = map[string]nvml.GpuP2PCapsIndex{"r": 0, "w": 1, "n": 2, "a": 3, "p": 4}

// topoTogether are the questions that may be asked in one line, and are answered in this order.
var topoTogether = [][]string{{"-m", "-mp"}, {"-C", "-M"}}

func topo(_ context.Context, args []string, env Environment) int {
	rest, values, err := pull(args, subFlag{"-p2p", "--p2pstatus"}, subFlag{"-c", "--cpu"}, subFlag{"-n", "--nearest_gpus"})
	if err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return exitInvalid
	}
	for short := range values {
		rest = append(rest, short)
	}
	known := []subFlag{{"-m", "--matrix"}, {"-mp", "--matrix_pci"}, {"-p2p", "--p2pstatus"}, {"-c", "--cpu"}}
	for _, q := range topoOfDevices {
		known = append(known, q.subFlag)
	}
	asked, ids, status, done := subOptions("topo", rest, env, known...)
	if done {
		return status
	}
	questions := inTurn(asked)
	if questions == nil {
		fmt.Fprintf(env.Out, "nvidia-smi topo %s %s\n", strings.Join(args, " "), notAxons)
		return exitInvalid
	}
	for _, q := range topoOfDevices {
		if slices.Contains(questions, q.short) {
			if list := strings.Split(ids, ","); ids == "" || len(list) != q.devices || len(list) == 2 && list[0] == list[1] {
				fmt.Fprintf(env.Out, "%s\n\n", q.without)
				return exitInvalid
			}
		}
	}
	var shows []func(*source, *bytes.Buffer, []*GPU) int
	for _, q := range questions {
		show, words := topoQuestion(q, values, ids != "", env)
		if show == nil {
			fmt.Fprintf(env.Out, "%s\n", words)
			return exitInvalid
		}
		shows = append(shows, show)
	}
	if failed := withGPUs(env, ids, &wants{rPCI: true}, func(s *source, b *bytes.Buffer, gpus []*GPU) {
		for _, show := range shows {
			if status = show(s, b, gpus); status != 0 {
				return
			}
		}
	}); failed != 0 {
		return failed
	}
	return status
}

// inTurn are the questions in the order of their answers; nil where they cannot be asked together.
func inTurn(asked map[string]bool) (questions []string) {
	for q := range asked {
		questions = append(questions, q)
	}
	if len(questions) < 2 {
		return questions
	}
	for _, together := range topoTogether {
		if !slices.ContainsFunc(questions, func(q string) bool { return !slices.Contains(together, q) }) {
			return together
		}
	}
	return nil
}

// topoQuestion is how a question is answered; nil, with what is said, where it cannot be.
func topoQuestion(question string, values map[string]string, chosen bool, env Environment) (show func(*source, *bytes.Buffer, []*GPU) int, words string) {
	for _, q := range topoOfDevices {
		if q.short == question {
			if show = q.answer(values[question]); show == nil {
				return nil, strings.TrimSpace("nvidia-smi topo "+question+" "+values[question]) + " " + notAxons
			}
			return show, ""
		}
	}
	ofAll := func(answer func(*source, *bytes.Buffer, []*GPU) int) func(*source, *bytes.Buffer, []*GPU) int {
		return func(s *source, b *bytes.Buffer, gpus []*GPU) int {
			if chosen {
				b.WriteString("The -i command line argument must be used in conjunction with -n or -p.\n\n")
				return ExitOther
			}
			return answer(s, b, gpus)
		}
	}
	switch question {
	case "-m", "-mp":
		return ofAll(func(s *source, b *bytes.Buffer, gpus []*GPU) int {
			s.matrix(b, gpus, env, question == "-m")
			return 0
		}), ""
	case "-p2p":
		kind, ok := peerKinds[values["-p2p"]]
		if !ok {
			return nil, "Invalid p2p capability index specified at the command-line"
		}
		return ofAll(func(s *source, b *bytes.Buffer, gpus []*GPU) int {
			s.peers(b, gpus, kind)
			return 0
		}), ""
	}
	cpu, err := strconv.ParseUint(values["-c"], 10, 32)
	if err != nil {
		return nil, string(combination)
	}
	return ofAll(func(s *source, b *bytes.Buffer, gpus []*GPU) int { return s.near(b, gpus, uint32(cpu)) }), ""
}

// near is what topo -c prints.
func (s *source) near(b *bytes.Buffer, gpus []*GPU, cpu uint32) int {
	devices, r := s.SystemGetTopologyGpuSet(cpu)
	if r != Success && !absent(r) {
		return unseen(b, fmt.Sprintf("topo -c %d, of which NVML says %q,", cpu, words(r)), r)
	}
	var indices []string
	for _, g := range gpus {
		for _, d := range devices {
			if d == g.handle {
				indices = append(indices, strconv.Itoa(int(g.Index)))
			}
		}
	}
	if indices == nil {
		fmt.Fprintf(b, "No GPUs were found to have an affinity with CPU %d.\n\n", cpu)
		return 0
	}
	fmt.Fprintf(b, "The GPUs that have an affinity with CPU %d are:\n%s\n\n", cpu, strings.Join(indices, ", "))
	return 0
}
