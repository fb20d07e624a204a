// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

func must2[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var testProtocol = installed.Protocol{Version: wire.Version, Fingerprint: testFingerprint}

func FuzzParseHello(f *testing.F) {
	f.Add(goodHello(""))
	f.Add(goodHello("CUDA_VISIBLE_DEVICES=0\x00HOME=/root\x00"))
	for _, a := range attacks() {
		f.Add(a.hello)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParseHello(b, testProtocol)
		if err != nil {
			if r, ok := err.(*Refusal); !ok || r.Status == wire.StatusOK || r.Text == "" {
				t.Fatalf("%#v is no answer to a client", err)
			}
			return
		}
		// What was accepted says again what it said.
		var env []byte
		for _, e := range h.Env {
			if strings.IndexByte(e, '=') < 1 || strings.IndexByte(e, 0) >= 0 {
				t.Fatalf("%q is no variable", e)
			}
			env = append(env, e+"\x00"...)
		}
		again := wire.Hello{Version: wire.Version, Fingerprint: testFingerprint, Library: uint32(h.Library), Env: env}
		if !bytes.Equal(again.Append(nil), b) {
			t.Fatalf("%q was read as %+v", b, h)
		}
		for _, e := range workerEnv(h.Env, "/vendor", true, "") {
			if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "LD_") && e != "LD_LIBRARY_PATH=/vendor" || strings.Contains(name, "INJECTION") {
				t.Fatalf("the worker would get %q", e)
			}
		}
	})
}

func ready(status, result, n uint32, text string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, status)
	b = binary.LittleEndian.AppendUint32(b, result)
	return append(binary.LittleEndian.AppendUint32(b, n), text...)
}

func FuzzParseReady(f *testing.F) {
	f.Add(ready(0, 0, 0, ""))
	f.Add(ready(4, 100, 2, "no"))
	f.Add(ready(4, 100, 0xffffffff, "no"))
	f.Add(ready(4, 100, 5, "\x1b[2J\n"))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ParseReady(b)
		if err != nil {
			return
		}
		if len(b) < readyBytes || len(b) > readyBytes+readyTextMax || r.Status != binary.LittleEndian.Uint32(b) {
			t.Fatalf("%q was read as %+v", b, r)
		}
		if strings.ContainsFunc(r.Text, unicode.IsControl) {
			t.Fatalf("%q would reach a terminal", r.Text)
		}
	})
}

func FuzzReceived(f *testing.F) {
	f.Add(unix.UnixRights(3))
	f.Add(append(unix.UnixRights(3), unix.UnixRights(4, 5)...))
	f.Add(unix.UnixRights(3)[:17])
	f.Add(make([]byte, 40))
	f.Add(bytes.Repeat([]byte{0xff}, 40))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := len(received(b)); n*4 > len(b) {
			t.Fatalf("%d descriptors in %d bytes", n, len(b))
		}
	})
}

func TestEveryDescriptorInAControlMessageIsFound(t *testing.T) {
	oob := append(unix.UnixRights(7, 8), unix.UnixRights(9)...)
	if got := received(oob); !slices.Equal(got, []int{7, 8, 9}) {
		t.Errorf("found %v", got)
	}
}

func TestAWorkerWithOtherCredentialsDoesNotGetTheClientsHome(t *testing.T) {
	env := workerEnv([]string{"HOME=/home/x", "PATH=/home/x/bin", "TMPDIR=/home/x/tmp", "CUDA_CACHE_DISABLE=1"}, "/v", false, "")
	want := []string{"LD_LIBRARY_PATH=/v", "CUDA_CACHE_DISABLE=1", "PATH=/usr/local/bin:/usr/bin:/bin"}
	if !slices.Equal(env, want) {
		t.Errorf("the environment is %q", env)
	}
}
