// SPDX-License-Identifier: Apache-2.0

package cdi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"go.yaml.in/yaml/v3"
	specs "tags.cncf.io/container-device-interface/specs-go"
)

// The formats of a specification.
const (
	JSON = "json"
	YAML = "yaml"
)

// FormatOf is the format of a file by its name. Engines read no other file than
// one whose name ends in .json or .yaml.
func FormatOf(name string) (string, error) {
	switch filepath.Ext(name) {
	case ".json":
		return JSON, nil
	case ".yaml":
		return YAML, nil
	}
	return "", fmt.Errorf("%s: container engines read only files whose names end in .json or .yaml", name)
}

// Encode is the text of a specification in a format.
func Encode(s *specs.Spec, format string) ([]byte, error) {
	if format == YAML {
		return yaml.Marshal(s)
	}
	b, err := json.MarshalIndent(s, "", "  ")
	return append(b, '\n'), err
}

// Write writes a file that everybody may read, whole or not at all: an engine
// may read it at any time. Its folder is made.
func Write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return renameio.WriteFile(name, text, 0o644, renameio.WithStaticPermissions(0o644))
}
