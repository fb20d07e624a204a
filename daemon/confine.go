// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/daemon/installed"
)

// How workers are confined.
const (
	ConfineOff     = "off"     // they run as their clients, as a program without axon would
	ConfineOn      = "on"      // by everything that the kernel and axond's own rights give
	ConfineRequire = "require" // by everything, or axond does not start
)

// DefaultCacheDir is where workers that have an identity of their own keep
// compiled kernels, a folder a user.
const DefaultCacheDir = "/var/cache/axon"

const (
	// identityBase is added to a client's uid: the range is one that systemd's
	// list of uids (UIDS-GIDS.md) gives to nobody.
	identityBase = 0x70000000
	// identityEnd is the first client uid that has no place in it.
	identityEnd = 0x0f000000
)

// confineParts are what can be left out of it, for finding out which one a
// vendor's library does not bear. The worker knows the rest of the names.
var (
	ownParts    = []string{"identity", "namespaces"}
	workerParts = []string{"landlock", "scope", "seccomp", "connect", "fork", "dumpable"}
)

// Confinement is what workers are kept in. nil is none.
type Confinement struct {
	require  bool
	identity bool   // workers are users of their own
	cacheDir string // if so
	groups   []uint32
	without  []string // of the worker's parts
	rooms    *rooms   // nil: no namespaces

	// Missing is what workers are not kept from because the kernel or axond's
	// rights do not give it, a sentence each. It is to be logged.
	Missing []string
}

// ConfinementOptions are NewConfinement's.
type ConfinementOptions struct {
	Mode     string // one of the Confine constants
	Without  []string
	CacheDir string // "" for DefaultCacheDir
	Policy   Policy
	Worker   string // axon-worker
	Vendor   string // the folder of the vendor's library
}

// NewConfinement finds out what workers can be kept in here. It makes the cache
// folder. An error is a wrong option, or in ConfineRequire what is missing.
func NewConfinement(o ConfinementOptions) (*Confinement, error) {
	switch o.Mode {
	case ConfineOff:
		return nil, nil
	case ConfineOn, ConfineRequire:
	default:
		return nil, fmt.Errorf("confine %q is none of on, require, off", o.Mode)
	}
	c := &Confinement{require: o.Mode == ConfineRequire, cacheDir: o.CacheDir}
	if c.cacheDir == "" {
		c.cacheDir = DefaultCacheDir
	}
	for _, p := range o.Without {
		switch {
		case slices.Contains(workerParts, p):
			c.without = append(c.without, p)
		case !slices.Contains(ownParts, p):
			return nil, fmt.Errorf("there is no part %q of the confinement; there are %s", p, strings.Join(slices.Concat(ownParts, workerParts), ", "))
		}
		c.miss("workers are confined without %s, as AXON_CONFINE_WITHOUT asks", p)
	}
	if err := landlock(); err != nil {
		c.miss("workers may open whatever their user may: %v", err)
	}
	if !seccomp() {
		c.miss("workers may make every system call: this kernel has no seccomp filters (CONFIG_SECCOMP_FILTER)")
	}
	if !o.Policy.AxondRoot {
		c.miss("workers have axond's own user and share its network: only root can give them others; this axond keeps no users apart")
	} else if err := c.asRoot(o); err != nil {
		return nil, err
	}
	if c.require && len(c.Missing) > 0 {
		return nil, fmt.Errorf("confinement is required, and here %s", strings.Join(c.Missing, "; "))
	}
	return c, nil
}

func (c *Confinement) asRoot(o ConfinementOptions) error {
	if !slices.Contains(o.Without, "identity") {
		if err := reachable(o.Worker, filepath.Join(o.Vendor, installed.Library)); err != nil {
			c.miss("root's workers are root without capabilities, others' are their users: %v", err)
		} else {
			c.identity = true
			c.groups = deviceGroups(o.Policy)
			// Others may pass, each to a folder of its own.
			if err := errors.Join(makeDir(c.cacheDir, 0o711, 0), reachable(c.cacheDir)); err != nil {
				return fmt.Errorf("the folder for compiled kernels: %w; name another with --cache-dir", err)
			}
		}
	}
	if !slices.Contains(o.Without, "namespaces") {
		r := &rooms{}
		if err := r.try(); err != nil {
			c.miss("workers share the machine's network and /dev/shm: %v", err)
		} else {
			c.rooms = r
		}
	}
	return nil
}

func (c *Confinement) miss(format string, args ...any) {
	c.Missing = append(c.Missing, fmt.Sprintf(format, args...))
}

// landlock is what this kernel's Landlock lacks.
func landlock() error {
	const version = 1 // LANDLOCK_CREATE_RULESET_VERSION
	_, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	switch {
	case errno == unix.EOPNOTSUPP:
		return errors.New("Landlock is off; boot with lsm=landlock,...")
	case errno != 0:
		return fmt.Errorf("this kernel has no Landlock (%w); Linux 5.13 and newer have", errno)
	}
	return nil
}

// seccomp says whether this kernel has filters.
func seccomp() bool {
	// It is refused in any case: for its filter, which is nowhere, or as something that is not known.
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, 0, 0, 0) == unix.EFAULT
}

// deviceGroups are the groups that a worker needs for the device nodes.
func deviceGroups(p Policy) []uint32 {
	var groups []uint32
	for _, name := range []string{"video", "render"} {
		if g, err := user.LookupGroup(name); err == nil {
			if n, err := strconv.ParseUint(g.Gid, 10, 32); err == nil {
				groups = append(groups, uint32(n))
			}
		}
	}
	if p.HasGroup && !slices.Contains(groups, p.GID) {
		groups = append(groups, p.GID)
	}
	return groups
}

// reachable is nil if any user may read files and pass through folders: a
// worker with an identity of its own has no other right to them.
func reachable(paths ...string) error {
	for _, p := range paths {
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			return err
		}
		for ; ; real = filepath.Dir(real) {
			st, err := os.Stat(real)
			if err != nil {
				return err
			}
			need := os.FileMode(0o004)
			if st.IsDir() {
				need = 0o001
			}
			if st.Mode()&need == 0 {
				return fmt.Errorf("other users may not reach %s through %s; chmod o+rx %s, or install axon", p, real, real)
			}
			if real == "/" {
				break
			}
		}
	}
	return nil
}

// makeDir makes a folder with a mode and owner, or makes sure that it is one
// already. Its parent must be one that only root writes to.
func makeDir(path string, mode os.FileMode, owner int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	fd, err := unix.Open(path, unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	if err := f.Chown(owner, owner); err != nil {
		return err
	}
	return f.Chmod(mode)
}

// identityOf is the uid and gid of the workers of a client.
func identityOf(uid uint32) (uint32, error) {
	if uid >= identityEnd {
		return 0, fmt.Errorf("user %d may not use the GPU: workers have their user's number plus %d, which is defined up to user %d", uid, identityBase, identityEnd-1)
	}
	return identityBase + uid, nil
}

// credential is what a client's worker runs as, nil if as axond itself.
func (c *Confinement) credential(id *Identity, p Policy) *syscall.Credential {
	switch {
	case c == nil || !p.AxondRoot:
		return id.Credential(p)
	case c.identity:
		uid, err := identityOf(id.UID)
		if err != nil {
			uid = identityBase + identityEnd // not admitted: nobody gets here, and nobody has it
		}
		return &syscall.Credential{Uid: uid, Gid: uid, Groups: c.groups}
	case id.UID == 0:
		return nil
	}
	return id.Credential(p)
}

// apart says whether workers are users of their own.
func (c *Confinement) apart() bool { return c != nil && c.identity }

// admits is an error if a client cannot have a worker.
func (c *Confinement) admits(id *Identity) error {
	if !c.apart() {
		return nil
	}
	_, err := identityOf(id.UID)
	return err
}

// cache makes the folder that a worker may write and returns it, "" if workers
// have none of axond's.
func (c *Confinement) cache(id *Identity, cred *syscall.Credential) (string, error) {
	if !c.apart() {
		return "", nil
	}
	dir := filepath.Join(c.cacheDir, strconv.FormatUint(uint64(id.UID), 10))
	return dir, makeDir(dir, 0o700, int(cred.Uid))
}

// args are axon-worker's.
func (c *Confinement) args(cache string) []string {
	if c == nil {
		return nil
	}
	mode := ConfineOn
	if c.require {
		mode = ConfineRequire
	}
	args := []string{"--confine", mode}
	if cache != "" {
		args = append(args, "--cache", cache)
	}
	if c.identity {
		args = append(args, "--apart")
	}
	if len(c.without) > 0 {
		args = append(args, "--without", strings.Join(c.without, ","))
	}
	return args
}

// start starts a worker of a client's in it. left is called when the worker is
// dead.
func (c *Confinement) start(cmd *exec.Cmd, client uint32) (left func(), err error) {
	left = func() {}
	if c == nil {
		return left, cmd.Start()
	}
	var r *room
	if c.rooms != nil {
		if r, err = c.rooms.enter(client); err != nil {
			return left, fmt.Errorf("the worker's namespaces: %w", err)
		}
		left = func() { c.rooms.leave(client) }
	}
	err = onThreadOfItsOwn(func() error {
		if r != nil {
			if err := r.join(); err != nil {
				return err
			}
		}
		if err := giveUpPrivileges(); err != nil {
			return err
		}
		return cmd.Start()
	})
	if err != nil {
		left()
		return func() {}, err
	}
	return left, nil
}

// adopt counts a worker in that an axond before this one started, so that the
// next worker of its client joins it. It returns what start does, nil for none.
func (c *Confinement) adopt(client uint32, pid int, pidfd *os.File) (left func()) {
	if c == nil || c.rooms == nil || !c.rooms.adopt(client, pid, pidfd) {
		return nil
	}
	return func() { c.rooms.leave(client) }
}

// giveUpPrivileges empties the calling thread's bounding set, which only root
// has the right to, and keeps what it executes from getting anything anew.
func giveUpPrivileges() error {
	for capability := uintptr(0); capability < 64; capability++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break // past the kernel's last
		} else if err != nil && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("the bounding set: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	return nil
}
