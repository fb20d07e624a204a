// SPDX-License-Identifier: Apache-2.0

package show

import (
	"encoding/json"
	"io"
	"time"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/view"
)

// Schema is the version of the JSON document. It is raised when a key's meaning
// changes or a key goes away, not when one comes.
const Schema = 1

// Document is what JSON says. Units stand in the keys; null is unknown.
type Document struct {
	Schema   int               `json:"schema"`
	Time     time.Time         `json:"time"`
	Machines []MachineDocument `json:"machines"`
}

// MachineDocument is a machine in it.
type MachineDocument struct {
	Name    string   `json:"name"`
	Age     *float64 `json:"age_seconds"` // of the figures; null if there are none
	Error   *string  `json:"error"`       // why there is nothing newer; null if nothing is wrong
	Figures *Figures `json:"figures"`     // null before there are any
}

// Figures are view's with what takes two samples.
type Figures struct {
	view.Machine
	Sessions []SessionFigures `json:"sessions"` // instead of view's
}

// SessionFigures are a session's.
type SessionFigures struct {
	view.Session
	CallsPerSecond *float64 `json:"calls_per_second"`
}

// NewDocument is a document of machines.
func NewDocument(machines []*fleet.Machine, now time.Time) Document {
	d := Document{Schema: Schema, Time: now.UTC(), Machines: []MachineDocument{}}
	for _, m := range machines {
		one := MachineDocument{Name: m.Name}
		if m.Err != nil {
			text := m.Err.Error()
			one.Error = &text
		}
		if m.Last != nil {
			age := m.Age(now).Seconds()
			one.Age = &age
			one.Figures = &Figures{Machine: *m.Last, Sessions: []SessionFigures{}}
			// Where nothing is unknown a list is one, also if it is empty: jq's .[] fails on null.
			one.Figures.GPUs = append([]view.GPU{}, m.Last.GPUs...)
			for i := range one.Figures.GPUs {
				g := &one.Figures.GPUs[i]
				g.Links = append([]view.Link{}, g.Links...)
			}
			for _, s := range m.Last.Sessions {
				rate := m.CallsPerSecond(&s)
				s.GPUs = append([]string{}, s.GPUs...)
				one.Figures.Sessions = append(one.Figures.Sessions, SessionFigures{s, rate})
			}
		}
		d.Machines = append(d.Machines, one)
	}
	return d
}

// JSON writes a document: indented, or on one line.
func JSON(w io.Writer, machines []*fleet.Machine, now time.Time, indented bool) error {
	e := json.NewEncoder(w)
	if indented {
		e.SetIndent("", "  ")
	}
	return e.Encode(NewDocument(machines, now))
}
