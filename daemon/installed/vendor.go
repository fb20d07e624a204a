// SPDX-License-Identifier: Apache-2.0

package installed

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Strings that axon's shim and its software GPU need to have (variables that
// they read) and that no vendor's library has.
var (
	shimMark    = []byte("AXON_SESSION\x00")
	softgpuMark = []byte("SOFTGPU_MEMORY\x00")
)

// markMax bounds what is read for them, bytes. The vendor's libcuda is some
// 90 MB, axon's libraries a hundredth of that.
const markMax = 32 << 20

// IsShim says whether the file is axon's shim. A file that cannot be read is not.
func IsShim(path string) bool { return has(path, shimMark) }

// IsSoftgpu says whether a folder's libcuda.so.1 is axon's software GPU.
func IsSoftgpu(dir string) bool { return has(filepath.Join(dir, Library), softgpuMark) }

func has(path string, mark []byte) bool {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > markMax {
		return false
	}
	b, err := os.ReadFile(path)
	return err == nil && bytes.Contains(b, mark)
}

// VendorDirs are the folders in which a vendor's libcuda.so.1 is looked for,
// in this order.
func VendorDirs() []string {
	multiarch := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	return []string{
		"/usr/lib/axon/vendor",                      // an administrator's choice
		"/run/opengl-driver/lib",                    // NixOS
		"/usr/lib/" + multiarch + "/nvidia/current", // Debian's driver packages
		"/usr/lib/" + multiarch,                     // Ubuntu, and Debian with the vendor's packages
		"/usr/lib64",                                // Fedora, RHEL, openSUSE
		"/usr/lib64/nvidia",
		"/usr/lib",                // Arch
		"/usr/local/nvidia/lib64", // containers
		"/usr/lib/wsl/lib",        // WSL
	}
}

// Vendor is a folder with a libcuda.so.1 that workers load.
type Vendor struct {
	Dir      string
	Software bool // it is axon's software GPU
}

// CheckVendor checks a folder that somebody named: it must hold a libcuda.so.1
// and that must not be axon's own shim, which would call itself through a
// worker without end.
func CheckVendor(dir string) error {
	file := filepath.Join(dir, Library)
	st, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("the vendor's library: %w; name the folder that holds %s with --vendor DIR", err, Library)
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("the vendor's library: %s is not a file; name the folder that holds %s with --vendor DIR", file, Library)
	}
	if IsShim(file) {
		return fmt.Errorf("the vendor's library: %s is axon's shim; name the folder of the vendor's own %s with --vendor DIR", file, Library)
	}
	return nil
}

// FindVendor is the first of dirs that holds a libcuda.so.1 which is not axon's
// shim, else the software GPU of a program in the folder self.
func FindVendor(self string, dirs []string) (Vendor, error) {
	for _, d := range dirs {
		if CheckVendor(d) == nil {
			return Vendor{Dir: d}, nil
		}
	}
	soft, err := Softgpu(self)
	if err != nil {
		return Vendor{}, &NotFound{"vendor's " + Library, dirs, "install the GPU's driver or name its folder with --vendor DIR (the software GPU is not there either: " + err.Error() + ")"}
	}
	return Vendor{Dir: soft, Software: true}, nil
}
