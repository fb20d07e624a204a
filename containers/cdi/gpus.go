// SPDX-License-Identifier: Apache-2.0

package cdi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Nvidia is where NVIDIA's kernel module tells of its GPUs, to everybody.
const Nvidia = "/proc/driver/nvidia/gpus"

// GPU is what tells one GPU from another.
type GPU struct {
	UUID string // as CUDA_VISIBLE_DEVICES has it, GPU- and 36 characters
}

var uuid = regexp.MustCompile(`(?m)^GPU UUID:\s+(GPU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$`)

// GPUs reads the folder that is usually Nvidia. They come in the order of their
// PCI addresses, as nvidia-smi numbers them; CUDA, unless CUDA_DEVICE_ORDER says
// so, puts the fastest first. None without such a folder.
func GPUs(folder string) ([]GPU, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("which GPUs there are: %w", err)
	}
	var all []GPU
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(folder, e.Name(), "information"))
		if err != nil {
			return nil, fmt.Errorf("which GPUs there are: %w", err)
		}
		// Before its first use a GPU may show question marks: it has no device
		// of its own then, and the others keep their numbers only if none does.
		m := uuid.FindSubmatch(b)
		if m == nil {
			return nil, nil
		}
		all = append(all, GPU{string(m[1])})
	}
	return all, nil
}
