// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"strings"
)

// tree writes what -q tells, as text or as XML: both have the same values in the
// same order under two names each. An empty name is left out of that form.
type tree struct {
	w     *bytes.Buffer
	xml   bool
	depth int
	width int     // of the names in text, with what they are indented by
	r     release // whose -q it is; query_release.go says what differs
}

// leaf is one value.
func (t *tree) leaf(label, tag, value string) {
	switch {
	case t.xml && tag != "":
		fmt.Fprintf(t.w, "%s<%s>%s</%s>\n", strings.Repeat("\t", t.depth), tag, escape(value), tag)
	case !t.xml && label != "":
		fmt.Fprintf(t.w, "%-*s: %s\n", t.width, strings.Repeat("    ", t.depth-1)+label, value)
	}
}

// group is a heading with values under it.
func (t *tree) group(label, tag string, inside func()) {
	switch {
	case t.xml && tag == "", !t.xml && label == "":
		inside()
		return
	case t.xml:
		fmt.Fprintf(t.w, "%s<%s>\n", strings.Repeat("\t", t.depth), tag)
	default:
		fmt.Fprintf(t.w, "%s%s\n", strings.Repeat("    ", t.depth-1), label)
	}
	t.depth++
	inside()
	t.depth--
	if t.xml {
		fmt.Fprintf(t.w, "%s</%s>\n", strings.Repeat("\t", t.depth), tag)
	}
}

// onlyText and onlyXML are for parts that one form has and the other has not.
func (t *tree) onlyText(f func()) {
	if !t.xml {
		f()
	}
}

func (t *tree) onlyXML(f func()) {
	if t.xml {
		f()
	}
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escape(s string) string { return escapes.Replace(s) }

func (t *tree) modes(label, tag, end string, v Val[Modes[bool]]) {
	t.group(label, tag, func() {
		t.leaf("Current", "current_"+end, enabled(pick(v, func(m Modes[bool]) bool { return m.Current })))
		t.leaf("Pending", "pending_"+end, enabled(pick(v, func(m Modes[bool]) bool { return m.Pending })))
	})
}

func (t *tree) memory(label, tag string, v Val[Mem], reserved bool) {
	size := func(f func(Mem) uint64) string {
		return text(v, func(m Mem) string { return fmt.Sprintf("%d MiB", mib(f(m))) })
	}
	t.group(label, tag, func() {
		t.leaf("Total", "total", size(func(m Mem) uint64 { return m.Total }))
		if reserved {
			t.leaf("Reserved", "reserved", size(func(m Mem) uint64 { return m.Reserved }))
		}
		t.leaf("Used", "used", size(func(m Mem) uint64 { return m.Used }))
		t.leaf("Free", "free", size(func(m Mem) uint64 { return m.Free }))
	})
}

func (t *tree) stats(label, tag string, v Val[Stats]) {
	t.group(label, tag, func() {
		t.leaf("Active Sessions", "session_count", number(pick(v, func(s Stats) uint32 { return s.Sessions }), ""))
		t.leaf("Average FPS", "average_fps", number(pick(v, func(s Stats) uint32 { return s.FPS }), ""))
		t.leaf("Average Latency", "average_latency", number(pick(v, func(s Stats) uint32 { return s.Latency }), ""))
	})
}

func (t *tree) watts(label, tag string, v Val[uint32]) {
	t.leaf(label, tag, text(v, func(n uint32) string { return watts(n) + " W" }))
}
