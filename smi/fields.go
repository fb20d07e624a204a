// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"strconv"
	"strings"
)

// out is one value of a selective query.
type out struct {
	s    string
	r    Return // why there is no s
	bare bool   // printed as N/A, not [N/A]
}

func (o out) print(unit string) string {
	switch {
	case o.r == Success && unit != "":
		return o.s + " " + unit
	case o.r == Success:
		return o.s
	case o.bare:
		return na(o.r)
	}
	return "[" + na(o.r) + "]"
}

func outOf[T any](v Val[T], f func(T) string) out {
	if !v.OK() {
		return out{r: v.R}
	}
	return out{s: f(v.V)}
}

func outStr(v Val[string]) out                          { return outOf(v, func(s string) string { return s }) }
func outNum[T ~uint32 | ~uint64 | ~int32](v Val[T]) out { return out{s: number(v, ""), r: v.R} }
func outEnabled(v Val[bool]) out                        { return out{s: enabled(v), r: v.R} }
func outYes(v Val[bool]) out                            { return out{s: yes(v), r: v.R} }
func outMiB(v Val[Mem], f func(Mem) uint64) out {
	return outOf(v, func(m Mem) string { return strconv.FormatUint(mib(f(m)), 10) })
}
func outWatts(v Val[uint32]) out { return outOf(v, watts) }
func (o out) plain() out         { o.bare = true; return o }

// watts are of single precision, as the vendor's are: 76285 mW is 76.29.
func watts(mw uint32) string { return fmt.Sprintf("%.2f", float32(mw)/1000) }

// missing are properties that are told by no function of NVML's.
func missing(*Machine, *GPU) out { return out{r: NotSupported} }

// field is a property that can be asked for.
type field struct {
	names []string // the first is printed
	unit  string
	get   func(*Machine, *GPU) out
	needs []reading
}

func prop(names, unit string, needs reading, get func(*Machine, *GPU) out) field {
	return field{strings.Split(names, "|"), unit, get, []reading{needs}}
}

// gpuFields is what --query-gpu knows, in the order of its help.
var gpuFields = concat(identityFields, linkFields, stateFields, eccFields, memoryFaultFields, powerFields, clockFields, fabricFields)

func concat(lists ...[]field) []field {
	var all []field
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// find is the field of that name.
func find(fields []field, name string) *field {
	for i := range fields {
		for _, n := range fields[i].names {
			if n == name {
				return &fields[i]
			}
		}
	}
	return nil
}

var timestampField = prop("timestamp", "", rNothing, func(m *Machine, _ *GPU) out {
	return out{s: m.Time.Format("2006/01/02 15:04:05.000")}
})
