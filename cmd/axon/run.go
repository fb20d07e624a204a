// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/wire"
)

// Exit statuses of axon run, as env(1) has them: what is below is the program's.
const (
	runFailed     = 125 // axon itself failed
	notExecutable = 126
	notFound      = 127
)

// runCommand is axon run.
type runCommand struct {
	Socket    string      `long:"socket" value-name:"PATH" description:"Where axond is (default: AXON_SESSION, else /run/axon/sock)"`
	Shim      string      `long:"shim" value-name:"DIR" env:"AXON_SHIM" description:"Folder of axon's libcuda.so.1 (default: the one installed with this axon)"`
	Memory    daemon.Size `long:"memory" value-name:"SIZE" description:"Limit the program's memory, and what it has of the GPU's, each to that: bytes, or a number with K, M, G or T"`
	GPUMemory daemon.Size `long:"gpu-memory" value-name:"SIZE" description:"Limit what the program has of the GPU's memory"`
	On        string      `long:"on" hidden:"true" value-name:"TARGETS" description:"Run on the GPUs of other machines; not there yet"`
}

func runDescription() command {
	return command{
		name:  "run",
		short: "run a program on axon's GPU",
		long: "Runs PROGRAM so that it loads axon's libcuda.so.1 in place of the vendor's. The program takes axon's place: it has its process number, gets its signals and gives its exit status.\n\n" +
			"Examples:\n" +
			"$ axon run python3 train.py --epochs 3\n" +
			"$ axon run --socket /tmp/test.sock ./deviceQuery\n" +
			"$ axon run --memory 8G -- ./risky\n\n" +
			"Exit status: the program's; 125 if axon failed, 126 if PROGRAM cannot be executed, 127 if there is none.",
		data:        &runCommand{},
		passAfter:   true,
		errorStatus: runFailed,
	}
}

// Usage is what follows the command's name in its help.
func (*runCommand) Usage() string { return "[OPTIONS] [--] PROGRAM [ARGS...]" }

// Execute becomes the program. It only returns with an error.
func (r *runCommand) Execute(args []string) error {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	switch {
	case r.On != "":
		return fail(runFailed, "run --on is not there yet: this axon uses this machine's GPU only; leave --on out")
	case len(args) == 0:
		return fail(runFailed, "run needs a program, for example: axon run python3 train.py")
	}
	shim, err := shimFolder(r.Shim)
	if err != nil {
		return fail(runFailed, "%v", err)
	}
	program, err := lookUp(args[0], os.Getenv("PATH"))
	if err != nil {
		return err
	}
	env := os.Environ()
	socket := r.Socket
	if socket != "" {
		if socket, err = filepath.Abs(socket); err != nil {
			return fail(runFailed, "%v", err)
		}
		env = setenv(env, "AXON_SESSION", socket)
	} else if socket = os.Getenv("AXON_SESSION"); socket == "" {
		socket = daemon.DefaultSocket
	}
	for name, size := range map[string]daemon.Size{daemon.EnvMemory: r.Memory, daemon.EnvGPUMemory: r.GPUMemory} {
		if size == 0 {
			continue
		}
		// One axon run in another: the smaller limit holds.
		if old, err := daemon.ParseSize(os.Getenv(name)); err == nil {
			size = min(size, old)
		}
		env = setenv(env, name, size.String())
	}
	// An axond that was started a moment ago is given the time to make its socket.
	patience := time.Now().Add(time.Second)
	if err := answers(socket, func() bool {
		time.Sleep(10 * time.Millisecond)
		return time.Now().Before(patience)
	}); err != nil {
		return err
	}
	env = setenv(env, "LD_LIBRARY_PATH", libraryPath(shim, os.Getenv("LD_LIBRARY_PATH")))
	if r.Memory != 0 && r.Memory != daemon.Infinity {
		if err := confine(program, r.Memory); err != nil {
			return err
		}
	}
	return become(program, args, env)
}

// shimFolder is the folder to put first on the library path.
func shimFolder(named string) (string, error) {
	if named == "" {
		self, err := installed.Self()
		if err != nil {
			return "", err
		}
		return installed.Shim(self)
	}
	dir, err := filepath.Abs(named)
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(dir, ":;") {
		return "", fail(runFailed, "--shim %s: the loader splits its path at colons and semicolons; move the folder", named)
	}
	if !installed.IsShim(filepath.Join(dir, installed.Library)) {
		return "", fail(runFailed, "--shim %s: there is no axon's %s in it; name the folder that has it, or leave --shim out", named, installed.Library)
	}
	return dir, nil
}

// libraryPath puts dir first. An empty path must stay out: to the loader an
// empty part means the current folder.
func libraryPath(dir, old string) string {
	if old == "" || old == dir || strings.HasPrefix(old, dir+":") {
		return dir + old[min(len(old), len(dir)):]
	}
	return dir + ":" + old
}

// setenv sets a variable once, for getenv finds the first of two.
func setenv(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			out = append(out, e)
		}
	}
	return append(out, name+"="+value)
}

// lookUp finds a program as execvp(3) does. Its errors are 126 and 127.
func lookUp(name, path string) (string, error) {
	if name == "" {
		return "", fail(notFound, "the program's name is empty")
	}
	if strings.Contains(name, "/") {
		switch err := executable(name); {
		case err == nil:
			return name, nil
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
			return "", fail(notFound, "there is no program %s", name)
		default:
			return "", fail(notExecutable, "%s cannot be executed: %v", name, err)
		}
	}
	var denied string
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "."
		}
		p := dir + "/" + name
		switch err := executable(p); {
		case err == nil:
			return p, nil
		case errors.Is(err, fs.ErrPermission):
			denied = p
		}
	}
	if denied != "" {
		return "", fail(notExecutable, "%s cannot be executed: permission denied", denied)
	}
	return "", fail(notFound, "there is no program %q in PATH; give its path, for example ./%s", name, name)
}

func executable(path string) error {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return pe.Err
		}
		return err
	case st.IsDir():
		return unix.EISDIR
	}
	return unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, unix.AT_EACCESS)
}

// answers says whether axond is at a socket, so that a program without its GPU
// fails here, with the reason, and not in its own words later. While nobody is
// there it looks again, for as long as again says so.
func answers(socket string, again func() bool) error {
	dial := func() (*net.UnixConn, error) {
		return net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: socket, Net: "unixpacket"})
	}
	c, err := dial()
	for (errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ECONNREFUSED)) && again() {
		c, err = dial()
	}
	switch {
	case err == nil:
		c.Close()
		return nil
	case errors.Is(err, unix.EAGAIN): // its queue is full, so it is there
		return nil
	}
	return fail(runFailed, "%v", wire.Unreachable(err, socket, "with --socket PATH"))
}

// become executes the program in this process.
func become(program string, args, env []string) error {
	err := syscall.Exec(program, args, env)
	if errors.Is(err, unix.ENOEXEC) {
		// A script without a first line that names its interpreter; execvp(3)
		// gives it to the shell.
		err = syscall.Exec("/bin/sh", append([]string{"sh", program}, args[1:]...), env)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fail(notFound, "%s is there, but its loader or interpreter is not: %v", program, err)
	}
	return fail(notExecutable, "%s cannot be executed: %v", program, err)
}
