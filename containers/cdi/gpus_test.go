// SPDX-License-Identifier: Apache-2.0

package cdi

import (
	"os"
	"path/filepath"
	"testing"
)

// information is what the kernel module says of a GPU with a UUID.
func information(uuid string) string {
	return "Model: \t\t NVIDIA H200\nIRQ:   \t\t 300\nGPU UUID: \t " + uuid + "\nVideo BIOS: \t 96.00\nBus Type: \t PCIe\n"
}

func TestGPUsComeInTheOrderOfTheirAddresses(t *testing.T) {
	const a, b = "GPU-11111111-1111-1111-1111-111111111111", "GPU-22222222-2222-2222-2222-222222222222"
	for _, c := range []struct {
		what string
		have map[string]string // address to UUID
		want []GPU
	}{
		{"two", map[string]string{"0000:8a:00.0": b, "0000:17:00.0": a}, []GPU{{a}, {b}}},
		{"none", nil, nil},
		{"one that nobody has used yet", map[string]string{"0000:17:00.0": "GPU-????????-????-????-????-????????????", "0000:8a:00.0": b}, nil},
		{"a name that is no UUID", map[string]string{"0000:17:00.0": "GPU-1\nAXON_SESSION=/tmp"}, nil},
	} {
		dir := t.TempDir()
		for address, uuid := range c.have {
			must(t, os.Mkdir(filepath.Join(dir, address), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, address, "information"), []byte(information(uuid)), 0o444))
		}
		got, err := GPUs(dir)
		must(t, err)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", c.what, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v", c.what, got)
			}
		}
	}
	if got, err := GPUs(filepath.Join(t.TempDir(), "no")); got != nil || err != nil {
		t.Errorf("without NVIDIA's kernel module: %v, %v", got, err)
	}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "0000:17:00.0"), 0o755))
	if _, err := GPUs(dir); err == nil {
		t.Error("a GPU of which nothing can be read is no error")
	}
}
