// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
)

// format is what --format= says.
type format struct{ noHeader, noUnits bool }

// csvHeader is the line of names with their units; nounits leaves them there.
func csvHeader(w *bytes.Buffer, fields []*field) {
	for i, f := range fields {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(f.names[0])
		if f.unit != "" {
			w.WriteString(" [" + f.unit + "]")
		}
	}
	w.WriteByte('\n')
}

func csvRow(w *bytes.Buffer, m *Machine, g *GPU, fields []*field, f format) {
	for i, x := range fields {
		if i > 0 {
			w.WriteString(", ")
		}
		unit := x.unit
		if f.noUnits {
			unit = ""
		}
		w.WriteString(x.get(m, g).print(unit))
	}
	w.WriteByte('\n')
}

// parseFields finds the properties; bad is the first that is none.
func parseFields(known []field, list string) (fields []*field, bad string) {
	fields = []*field{}
	for _, name := range names(list) {
		f := find(known, name)
		if f == nil {
			return nil, name
		}
		fields = append(fields, f)
	}
	return fields, ""
}
