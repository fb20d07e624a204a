// SPDX-License-Identifier: Apache-2.0

// Package nvml asks NVML, the vendor's management library, without loading it:
// calls go to axond as packets, and its telemetry worker makes them. Types,
// constants and the methods of Client are generated from shims/api/nvml; their
// names are NVML's without the prefix, and units are NVML's (milliwatts, MHz,
// degrees Celsius, bytes).
//
// A call that answers nothing says why in its Return. ERROR_NOT_SUPPORTED is
// how a figure is told apart from 0.
package nvml

import (
	"bytes"
	"encoding/binary"
	"math"
	"sync"
)

// Error gives NVML's own words, as nvmlErrorString does.
func (r Return) Error() string {
	if text, ok := textsReturn[r]; ok {
		return text
	}
	return textsReturn[ERROR_UNKNOWN]
}

// Info is what there is to know of a call.
type Info struct {
	Name    string // the function's
	Root    bool   // it changes the machine, and is for root only
	OnError bool   // its answer means something with an error, too

	// A frame is its fixed part, then its arrays, each padded to 8 bytes.
	InSize, OutSize int // bytes of the fixed parts
	In, Out         []Field
	InData, OutData []Array
}

// Field is a number in a fixed part.
type Field struct {
	Name         string
	Offset, Size int    // 4 or 8 bytes, little endian
	Handle       string // of a handle its type, nvmlDevice_t
}

// Array is an array behind a fixed part.
type Array struct {
	Name    string
	Element int    // bytes of an element
	Count   string // the field that says how many, a number, or 1; an answer's counts are its request's
}

// Call says what a call is; false for a number that no call has.
func Call(number uint32) (Info, bool) {
	if number == 0 || number >= uint32(len(calls)) {
		return Info{}, false
	}
	return calls[number], true
}

// CallCount is one more than the highest number of a call.
const CallCount = uint32(len(calls))

// Find gives the number of a function's call; 0 for none.
func Find(name string) uint32 { return byName()[name] }

// byName is made when it is first wanted: a program that ends in a millisecond need not wait for it.
var byName = sync.OnceValue(func() map[string]uint32 {
	m := make(map[string]uint32, len(calls))
	for i, c := range calls {
		m[c.Name] = uint32(i)
	}
	delete(m, "")
	return m
})

// Field finds a field of the request's fixed part.
func (i *Info) Field(name string) (Field, bool) {
	for _, f := range i.In {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// A Versioned is a struct whose first word says its size in bytes and which
// version of it this is. Where NVML has several versions of a struct, a call
// takes any; an older driver knows only older ones.
type Versioned interface {
	Sizeof() int
	Put(b []byte)
	Get(b []byte)
	version() *uint32
	versionWord() uint32
}

type raw interface {
	Sizeof() int
	Put(b []byte)
}

func appendRaw(b []byte, s raw) []byte {
	n := len(b)
	b = append(b, make([]byte, s.Sizeof())...)
	s.Put(b[n:])
	return b
}

func appendStruct(b []byte, s raw) []byte { return pad(appendRaw(b, s)) }

// appendVersioned fills the version in if nobody did.
func appendVersioned(b []byte, s Versioned) []byte {
	if v := s.version(); *v == 0 {
		*v = s.versionWord()
	}
	return appendStruct(b, s)
}

func appendBytes(b, bytes []byte) []byte { return pad(append(b, bytes...)) }

func pad(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// text is what is in a C string's bytes.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// putText makes a C string, cut where there is no more room.
func putText(b []byte, s string) {
	if len(s) > len(b)-1 {
		s = s[:len(b)-1]
	}
	clear(b[copy(b, s):])
}

// Uint64 is a value of one of the unsigned types.
func (v Value) Uint64() uint64 { return binary.LittleEndian.Uint64(v[:]) }

// Float64 is a value of VALUE_TYPE_DOUBLE.
func (v Value) Float64() float64 { return math.Float64frombits(v.Uint64()) }

// Of gives a value as a number, by its type; false for a type that this package does not know.
func (v Value) Of(t ValueType) (float64, bool) {
	switch t {
	case VALUE_TYPE_DOUBLE:
		return v.Float64(), true
	case VALUE_TYPE_UNSIGNED_INT:
		return float64(uint32(v.Uint64())), true
	case VALUE_TYPE_UNSIGNED_LONG, VALUE_TYPE_UNSIGNED_LONG_LONG:
		return float64(v.Uint64()), true
	case VALUE_TYPE_SIGNED_LONG_LONG:
		return float64(int64(v.Uint64())), true
	case VALUE_TYPE_SIGNED_INT:
		return float64(int32(v.Uint64())), true
	case VALUE_TYPE_UNSIGNED_SHORT:
		return float64(uint16(v.Uint64())), true
	}
	return 0, false
}
