// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// sampleMessages is one good message of every kind.
func sampleMessages() []Message {
	h := testHeader(4, 1<<20)
	return []Message{
		{Kind: MsgHello, Link: LinkVersion, Library: LibraryCUDA, Header: h, Data: []byte("CUDA_VISIBLE_DEVICES=0\x00")},
		{Kind: MsgSnapshot, Offset: SnapshotSize - 3, Data: []byte{1, 2, 3}},
		{Kind: MsgAnswer, Status: StatusOK, Session: 12, Data: []byte("welcome")},
		{Kind: MsgOpen, Lane: 3},
		{Kind: MsgClose, Lane: 3},
		{Kind: MsgFrame, Lane: 3, Frame: Frame{Size: 64, Kind: KindPost, Call: 9, Ticket: 1, Context: 2, Fixed: 8, Data: 3}, Data: make([]byte, 11)},
		{Kind: MsgFrame, Lane: 3, Frame: Frame{Size: 64, Kind: KindWait, Call: 9, Seq: 4, Fixed: 8, Data: 70000, BulkIn: 70000, BulkOut: 5}, Data: make([]byte, 8)},
		{Kind: MsgBulk, Lane: 3, Data: []byte{1, 2, 3}},
		{Kind: MsgCredit, Lane: 3, Credit: LaneWindow},
		{Kind: MsgReplyData, Lane: 3, Offset: 65536, Data: []byte{1}},
		{Kind: MsgBulkOut, Lane: 3, Offset: BulkSize - 1, Data: []byte{1}},
		{Kind: MsgReply, Lane: 3, Seq: 4, Result: 700, Size: 70000, Data: []byte{1, 2}},
		{Kind: MsgUpcall, ID: 5, Ask: Question{UpStream, 1, 2, 3, 4}},
		{Kind: MsgHeap, ID: 5, Address: HeapBase, Data: []byte{1}},
		{Kind: MsgDone, ID: 5},
		{Kind: MsgEnd, Result: 46, Data: []byte("over")},
		{Kind: MsgAck},
		{Kind: MsgOutput, Output: 1, More: 1, Data: []byte("printed")},
	}
}

var writeSeeds = flag.Bool("seeds", false, "write the fuzz target's seeds")

// The committed seeds are what sampleMessages makes; go test ./wire -seeds writes them again.
func TestSeedsOfTheFuzzTargetAreTheFormatOfToday(t *testing.T) {
	for i, m := range sampleMessages() {
		m.Number, m.Received = uint64(i)+1, uint64(i)
		name := filepath.Join("testdata", "fuzz", "FuzzParseMessage", fmt.Sprintf("kind-%02d-%d", m.Kind, i))
		want := fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", m.Append(nil))
		if *writeSeeds {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what this format says (%v): raise LinkVersion if axons of two versions must tell, and run go test ./wire -seeds", name, err)
		}
	}
}

// A format that changes unnoticed makes two machines misread each other.
func FuzzParseMessage(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		m, n, err := ParseMessage(b)
		if err != nil || n == 0 {
			return
		}
		if again := m.Append(nil); !bytes.Equal(again, b[:n]) {
			t.Errorf("%x parses as %+v, which is %x", b[:n], m, again)
		}
	})
}

func TestEveryPartOfAMessageIsChecked(t *testing.T) {
	spoil := map[string]func(*Message){
		"an unknown kind":           func(m *Message) { m.Kind = 18 },
		"no kind":                   func(m *Message) { m.Kind = 0 },
		"a lane that none can have": func(m *Message) { m.Lane = LanesMax },
		"another link version":      func(m *Message) { m.Link++; m.Header.Lanes = 0; m.Credit = 0 },
	}
	for name, change := range spoil {
		for _, m := range sampleMessages() {
			if name == "another link version" && m.Kind != MsgHello {
				continue
			}
			b := m.Append(nil)
			change(&m)
			if fixedSize(m.Kind) >= 0 {
				b = m.Append(nil)
			} else {
				b[4], b[5] = byte(m.Kind), byte(m.Kind>>8)
			}
			if _, n, err := ParseMessage(b); err == nil {
				t.Errorf("%s: a message of %d bytes is taken", name, n)
			}
		}
	}
	wrong := []Message{
		{Kind: MsgOpen, Data: []byte{1}},
		{Kind: MsgUpcall, Lane: 1, Ask: Question{Kind: UpCall}},
		{Kind: MsgUpcall},
		{Kind: MsgUpcall, Ask: Question{Kind: UpPush + 1}},
		{Kind: MsgSnapshot, Offset: SnapshotSize, Data: []byte{1}},
		{Kind: MsgSnapshot},
		{Kind: MsgBulk},
		{Kind: MsgBulk, Data: make([]byte, ChunkMax+1)},
		{Kind: MsgBulkOut, Offset: BulkSize, Data: []byte{1}},
		{Kind: MsgBulkOut, Offset: ^uint32(0), Data: []byte{1}},
		{Kind: MsgReplyData, Offset: ReplySize, Data: []byte{1}},
		{Kind: MsgReply, Size: ReplySize + 1},
		{Kind: MsgReply, Size: 1, Data: []byte{1, 2}},
		{Kind: MsgCredit},
		{Kind: MsgCredit, Credit: LaneWindow + 1},
		{Kind: MsgHeap},
		{Kind: MsgOutput, Output: Outputs},
		{Kind: MsgOutput, More: 2},
		{Kind: MsgOutput, Data: make([]byte, ChunkMax+1)},
		{Kind: MsgAnswer, Data: make([]byte, textMax+1)},
		{Kind: MsgEnd, Data: make([]byte, textMax+1)},
		{Kind: MsgHello, Link: LinkVersion, Header: testHeader(4, 0), Data: []byte("A=b")},
		{Kind: MsgHello, Link: LinkVersion, Header: testHeader(4, 0), Data: make([]byte, EnvMax+1)},
	}
	for _, f := range []Frame{
		{Size: 48, Kind: KindPad, Ticket: 1},
		{Size: 48, Kind: KindPost},
		{Size: 48, Kind: 3, Ticket: 1},
		{Size: 64, Kind: KindPost, Ticket: 1},
		{Size: 48, Kind: KindPost, Ticket: 1, Bulk: 64},
		{Size: 48, Kind: KindPost, Ticket: 1, BulkIn: BulkSize + 1},
		{Size: 48, Kind: KindPost, Ticket: 1, BulkOut: BulkSize + 1},
		{Size: 48, Kind: KindPost, Ticket: 1, BulkIn: 1, Data: 2},
		{Size: 48, Kind: KindPost, Ticket: 1, Data: ^uint32(0)},
		{Size: 48, Kind: KindPost, Ticket: 1, Fixed: ^uint32(7)},
	} {
		wrong = append(wrong, Message{Kind: MsgFrame, Frame: f})
	}
	wrong = append(wrong,
		Message{Kind: MsgFrame, Frame: Frame{Size: 64, Kind: KindPost, Ticket: 1, Fixed: 4}, Data: make([]byte, 4)},
		Message{Kind: MsgFrame, Frame: Frame{Size: 64, Kind: KindPost, Ticket: 1, Fixed: 8}, Data: make([]byte, 9)},
		Message{Kind: MsgFrame, Frame: Frame{Size: 64, Kind: KindPost, Ticket: 1, Fixed: 8}, Data: make([]byte, 7)})
	for _, m := range wrong {
		if _, n, err := ParseMessage(m.Append(nil)); err == nil {
			t.Errorf("%+v is taken for a message of %d bytes", m, n)
		}
	}
	for _, m := range sampleMessages() {
		b := m.Append(nil)
		got, n, err := ParseMessage(b)
		if err != nil || n != len(b) || !bytes.Equal(got.Append(nil), b) {
			t.Errorf("%+v: %d, %v", m, n, err)
		}
		for short := range b {
			if _, n, err := ParseMessage(b[:short]); n != 0 || err != nil {
				t.Fatalf("%d bytes of %d: %d, %v", short, len(b), n, err)
			}
		}
	}
}
