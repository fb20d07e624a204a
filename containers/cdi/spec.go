// SPDX-License-Identifier: Apache-2.0

// Package cdi describes axon to container engines: it makes a specification of
// the Container Device Interface (CDI), by which `--device nervlinux.org/gpu=all`
// gives a container what its programs need.
//
// What is in it, and why it is so little:
//
//   - The folder of axond's socket, not the socket: when axond.socket is
//     restarted there is another socket of that name, and a container that
//     began before sees it. Read-only, which connect(2) does not mind: the root
//     of a container may be the machine's, and must not put a socket of its own
//     in that place.
//   - The folder of the shims, read-only, in the place that a package has it.
//   - Each shim, in the folders that glibc's loader looks into without being
//     told. LD_LIBRARY_PATH would take the place of the image's own.
//   - nvidia-smi, where scripts look for it, if it is installed. It is one static
//     file: it runs in images without a C library, and with another one.
//   - No hook. An entry in ld.so.conf.d would need one, that runs ldconfig in a
//     root that the image has made, as the machine's root: this has been a way
//     out of containers (CVE-2024-0132, CVE-2025-23266), and does not work in
//     every rootless container or image.
//   - No device node: those are the worker's, which is in no container.
package cdi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	specs "tags.cncf.io/container-device-interface/specs-go"
)

// Kind is what people write before the = of --device.
const Kind = "nervlinux.org/gpu"

// Where things are in a container.
const (
	socketFolder = "/run/axon"
	shimFolder   = "/usr/lib/axon/shim"
	smiInside    = "/usr/bin/nvidia-smi"
)

// libraryFolders are those that glibc's loader looks into by default: Debian's,
// and that of everybody else.
var libraryFolders = map[string][]string{
	"amd64": {"/usr/lib/x86_64-linux-gnu", "/usr/lib64"},
	"arm64": {"/usr/lib/aarch64-linux-gnu", "/usr/lib64"},
}

// Options are what a specification is made for.
type Options struct {
	Socket string // axond's, an absolute path on the host; it need not be there
	Shim   string // the folder of the shims on the host, absolute; it must be there
	SMI    string // axon's nvidia-smi on the host, absolute; "" for none
	GPUs   []GPU  // in the order of their numbers
}

// Make makes the specification: the device "all", and for each GPU one named by
// its number and one by its UUID. It demands no newer CDI than it needs, so that
// Podman 4 can read it.
func Make(o Options) (*specs.Spec, error) {
	libraries, err := libraries(o.Shim)
	if err != nil {
		return nil, err
	}
	if err := fit(o.Socket); err != nil {
		return nil, err
	}
	folders, ok := libraryFolders[runtime.GOARCH]
	if !ok {
		return nil, fmt.Errorf("where programs for %s look for libraries is not known", runtime.GOARCH)
	}
	s := &specs.Spec{Kind: Kind}
	s.ContainerEdits.Mounts = []*specs.Mount{
		readOnly(filepath.Dir(o.Socket), socketFolder, "noexec"),
		readOnly(o.Shim, shimFolder),
	}
	for _, l := range libraries {
		for _, f := range folders {
			s.ContainerEdits.Mounts = append(s.ContainerEdits.Mounts, readOnly(filepath.Join(o.Shim, l), path.Join(f, l)))
		}
	}
	if o.SMI != "" {
		s.ContainerEdits.Mounts = append(s.ContainerEdits.Mounts, readOnly(o.SMI, smiInside))
	}
	session := "AXON_SESSION=" + path.Join(socketFolder, filepath.Base(o.Socket))
	device := func(name string, env ...string) {
		// A device must have something of its own: the variable is here, and not above.
		s.Devices = append(s.Devices, specs.Device{Name: name, ContainerEdits: specs.ContainerEdits{Env: append([]string{session}, env...)}})
	}
	device("all")
	for i, g := range o.GPUs {
		visible := "CUDA_VISIBLE_DEVICES=" + g.UUID
		device(fmt.Sprint(i), visible)
		device(g.UUID, visible)
	}
	s.Version, err = specs.MinimumRequiredVersion(s)
	return s, err
}

func readOnly(host, container string, more ...string) *specs.Mount {
	return &specs.Mount{HostPath: host, ContainerPath: container, Options: append([]string{"bind", "ro", "nosuid", "nodev"}, more...)}
}

// shared is a library as programs name it. Some leave the number out.
var shared = regexp.MustCompile(`^lib[^/]+\.so(\.[0-9]+)?$`)

func libraries(shim string) ([]string, error) {
	entries, err := os.ReadDir(shim)
	if err != nil {
		return nil, fmt.Errorf("the folder of axon's libraries: %w", err)
	}
	var all []string
	for _, e := range entries {
		if !shared.MatchString(e.Name()) {
			continue
		}
		if st, err := os.Stat(filepath.Join(shim, e.Name())); err == nil && st.Mode().IsRegular() { // through links
			all = append(all, e.Name())
		}
	}
	if all == nil {
		return nil, fmt.Errorf("there is no library of axon's in %s; install axon-libs", shim)
	}
	return all, nil
}

// fit says whether containers may have the folder of a socket. It must be the
// socket's alone: they see all that is in it.
func fit(socket string) error {
	if !filepath.IsAbs(socket) {
		return fmt.Errorf("the socket's path %s is not absolute", socket)
	}
	dir := filepath.Dir(socket)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // before axond's first start
	}
	if err != nil {
		return fmt.Errorf("the socket's folder: %w", err)
	}
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), filepath.Base(socket)) })
	if i >= 0 && dir != socketFolder { // which is axon's, whatever is in it
		return fmt.Errorf("a container would see all of %s, and not the socket alone (for example %s); start axond with its socket in a folder of its own", dir, entries[i].Name())
	}
	return nil
}
