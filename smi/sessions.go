// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

func init() {
	for _, t := range []*sessionTable{&encoderSessions, &captureSessions} {
		subcommand{name: t.name, bare: true, run: t.run, options: []option{{"-l", "--loop", optional, common}}}.register()
	}
}

var (
	encoderSessions = sessionTable{"encodersessions",
		"# GPU Session    Process   Codec       H       V Average     Average\n" +
			"# Idx      Id         Id    Type     Res     Res     FPS Latency(us)\n",
		[]int{8, 11, 8, 8, 8, 8, 12},
		func(s *source, g *GPU) (int, Return) {
			list, r := s.DeviceGetEncoderSessions(g.handle)
			return len(list), r
		}}
	captureSessions = sessionTable{"fbcsessions",
		"# GPU   Session   Process   Display   Session Diff. Map  Class. Map       Capture   Max H   Max V     H     V   Average       Average\n" +
			"# Idx        Id        Id   Ordinal      Type     State       State          Mode     Res     Res   Res   Res       FPS   Latency(us)\n",
		[]int{10, 10, 10, 10, 10, 12, 14, 8, 8, 6, 6, 10, 14},
		func(s *source, g *GPU) (int, Return) {
			list, r := s.DeviceGetFBCSessions(g.handle)
			return len(list), r
		}}
)

// sessionTable are sessions of a GPU's encoders or of captures of its pictures, listed for ever.
type sessionTable struct {
	name, head string
	widths     []int
	count      func(*source, *GPU) (int, Return)
}

// sessionsHeadEvery is after how many lists the head is printed anew.
const sessionsHeadEvery = 10

func (t *sessionTable) run(ctx context.Context, said *subWords, env Environment) int {
	every := time.Second
	if l, ok := said.given["--loop"]; ok {
		every = loopDefault
		if l.has {
			n, err := strconv.Atoi(l.value)
			if err != nil || n < 1 || n > 1e6 {
				fmt.Fprintf(env.Out, "%s\n", combination)
				return exitInvalid
			}
			every = time.Duration(n) * time.Second
		}
	}
	return t.loop(ctx, env, said.ids, every)
}

func (t *sessionTable) loop(ctx context.Context, env Environment, ids string, every time.Duration) int {
	s, status := connect(env)
	if s == nil {
		return status
	}
	defer s.Close()
	for n := 0; ; n++ {
		m, err := s.read(ids, &wants{}, env.Now)
		if err != nil {
			return sayFailed(env.Out, err)
		}
		var b bytes.Buffer
		if n%sessionsHeadEvery == 0 {
			b.WriteString(t.head)
		}
		for _, g := range m.GPUs {
			sessions, r := t.count(s, g)
			if r == Success && sessions > 0 {
				return unseen(env.Out, fmt.Sprintf("%s of GPU %d, which has %d of them,", t.name, g.Index, sessions), NotSupported)
			}
			t.none(&b, g)
		}
		if _, err := env.Out.Write(b.Bytes()); err != nil {
			return ExitOther
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(every):
		}
	}
}

// none is the line of a GPU without sessions.
func (t *sessionTable) none(b *bytes.Buffer, g *GPU) {
	fmt.Fprintf(b, "%5d", g.Index)
	for _, width := range t.widths {
		b.WriteString(strings.Repeat(" ", width-1) + "-")
	}
	b.WriteString("\n")
}
