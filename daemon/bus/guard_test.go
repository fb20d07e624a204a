// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

// pass gives what a guard lets through of bytes from the bus.
func pass(b []byte) []byte {
	here, there := net.Pipe()
	go func() {
		there.Write(b)
		there.Close()
	}()
	g := newGuard(here)
	g.begun = true
	out, _ := io.ReadAll(g)
	g.Close()
	return out
}

// message is one as godbus writes it.
func message(kind dbus.Type, order binary.ByteOrder, body ...any) []byte {
	m := &dbus.Message{Type: kind, Body: body, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldPath: dbus.MakeVariant(Root), dbus.FieldInterface: dbus.MakeVariant("a.b"), dbus.FieldMember: dbus.MakeVariant("C"),
		dbus.FieldSender: dbus.MakeVariant(":1.7"), dbus.FieldDestination: dbus.MakeVariant(Name), dbus.FieldReplySerial: dbus.MakeVariant(uint32(3)),
		dbus.FieldErrorName: dbus.MakeVariant("a.b.c")}}
	if len(body) > 0 {
		m.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(body...))
	}
	var b bytes.Buffer
	if err := m.EncodeTo(&b, order); err != nil {
		panic(err)
	}
	// godbus gives a message its serial when it sends it; 0 is not allowed.
	order.PutUint32(b.Bytes()[8:], 42)
	return b.Bytes()
}

func TestTheGuardLetsThroughWhatMethodsTake(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, body := range [][]any{{}, {"a"}, {"a", "b"}, {uint32(1)}, {uint64(1)}, {"a", "b", dbus.MakeVariant(1)}} {
			b := message(dbus.TypeMethodCall, order, body...)
			if got := pass(append(b, b...)); !bytes.Equal(got, append(b, b...)) {
				t.Errorf("%v %v is changed", order, body)
			}
		}
	}
	for _, kind := range []dbus.Type{dbus.TypeMethodReply, dbus.TypeError} {
		b := message(kind, binary.LittleEndian, []string{"anything"})
		if !bytes.Equal(pass(b), b) {
			t.Errorf("messages of the type %v do not get through", kind)
		}
	}
}

func TestTheGuardReplacesWhatNoMethodTakes(t *testing.T) {
	last := message(dbus.TypeMethodCall, binary.LittleEndian, "a")
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, body := range [][]any{{int32(1)}, {[]dbus.UnixFDIndex{0, 1}}, {make([]byte, 1<<20)}, {strings.Repeat("x", callMost+1)}, {dbus.MakeVariant(1)}, {"a", "b", "c"}} {
			got := pass(append(message(dbus.TypeMethodCall, order, body...), last...))
			if !bytes.HasSuffix(got, last) {
				t.Fatalf("what comes after %.20v is lost", body)
			}
			m, err := dbus.DecodeMessage(bytes.NewReader(got[:len(got)-len(last)]))
			if err != nil {
				t.Fatalf("%.20v: %v", body, err)
			}
			if m.Headers[dbus.FieldSignature].Value().(dbus.Signature).String() != refusedSignature || len(m.Body) != 1 || m.Body[0] != byte(0) ||
				m.Headers[dbus.FieldSender].Value() != ":1.7" || m.Headers[dbus.FieldMember].Value() != "C" || m.Headers[dbus.FieldPath].Value() != Root {
				t.Errorf("%.20v became %+v", body, m)
			}
		}
	}
	for name, b := range map[string][]byte{
		"a signal":         message(dbus.TypeSignal, binary.LittleEndian, []string{"a"}),
		"a huge reply":     message(dbus.TypeMethodReply, binary.LittleEndian, make([]byte, replyMost)),
		"an endless field": endless(),
	} {
		if got := pass(append(b, last...)); !bytes.Equal(got, last) {
			t.Errorf("%s gets through, or what comes after is lost: %d bytes", name, len(got))
		}
	}
}

func TestOfAMessageThatBreaksOffNothingGetsThrough(t *testing.T) {
	b := message(dbus.TypeMethodCall, binary.LittleEndian, "a", "b")
	for n := range b {
		if got := pass(b[:n]); len(got) > 0 {
			t.Fatalf("of %d of %d bytes %d get through", n, len(b), len(got))
		}
	}
}

// endless is a call with a header that is longer than any that makes sense.
func endless() []byte {
	m := &dbus.Message{Type: dbus.TypeMethodCall, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldPath: dbus.MakeVariant(dbus.ObjectPath("/" + string(bytes.Repeat([]byte{'a'}, headerMost)))), dbus.FieldMember: dbus.MakeVariant("C")}}
	var b bytes.Buffer
	if err := m.EncodeTo(&b, binary.LittleEndian); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// FuzzGuard: whatever comes, the guard does not fail, and godbus reads what it
// lets through.
func FuzzGuard(f *testing.F) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		f.Add(message(dbus.TypeMethodCall, order, "a", "b"))
		f.Add(message(dbus.TypeMethodCall, order, []int32{1}))
		f.Add(message(dbus.TypeSignal, order, "a"))
		f.Add(message(dbus.TypeMethodReply, order, map[string]dbus.Variant{"a": dbus.MakeVariant(1)}))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		rest := bytes.NewReader(pass(b))
		for rest.Len() > 0 {
			at := rest.Len()
			if m, err := dbus.DecodeMessage(rest); err == nil && m.Type == dbus.TypeMethodCall {
				sig, _ := m.Headers[dbus.FieldSignature].Value().(dbus.Signature)
				if s := sig.String(); s != refusedSignature && !slices.Contains(taken, s) {
					t.Errorf("a call with %q gets through", s)
				}
			}
			if rest.Len() == at {
				break
			}
		}
	})
}
