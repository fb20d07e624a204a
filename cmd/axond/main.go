// SPDX-License-Identifier: Apache-2.0

// Axond gives every program that uses the GPU a session: a worker of its own
// that holds the vendor's library. See axond(8); the work is in package daemon.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jessevdk/go-flags"
	"golang.org/x/sys/unix"

	"nervlinux.org/axon/cmd/mistake"
	"nervlinux.org/axon/cmd/printed"
	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/daemon/bus"
	"nervlinux.org/axon/daemon/installed"
	"nervlinux.org/axon/daemon/scope"
	"nervlinux.org/axon/wire"
)

// options are axond's flags; those that axond.toml knows go before it. Each has an environment variable, for a unit's
// Environment= lines.
type options struct {
	Socket      string      `long:"socket" value-name:"PATH" env:"AXON_SOCKET" description:"Make the socket here; without it, use the one that systemd hands over, else /run/axon/sock"`
	Group       groupName   `long:"group" value-name:"NAME" env:"AXON_GROUP" description:"The group whose members may use the GPU, by name or number (default: video)"`
	Vendor      string      `long:"vendor" value-name:"DIR" env:"AXON_VENDOR" description:"The folder of the vendor's libcuda.so.1; without it, the first known folder that has one, else the software GPU"`
	Softgpu     bool        `long:"softgpu" env:"AXON_SOFTGPU" description:"Use the software GPU, whatever is installed"`
	Worker      string      `long:"worker" value-name:"PATH" env:"AXON_WORKER" description:"Program to run for each session; without it, the axon-worker that was installed with this axond"`
	MaxSessions *int        `long:"max-sessions" value-name:"N" env:"AXON_MAX_SESSIONS" description:"Sessions at once, for all users together (default: 256). One user, but for root, has at most seven times as many as are left"`
	Warm        *int        `long:"warm" value-name:"N" env:"AXON_WARM" description:"Workers to keep started, for each user and environment that had a session lately: 0, for none, to 16 (default: 1)"`
	WarmContext bool        `long:"warm-context" env:"AXON_WARM_CONTEXT" description:"Have those make the first GPU's primary context too, which keeps some of the GPU's memory for each"`
	Settings    string      `long:"settings" value-name:"FILE" env:"AXON_SETTINGS" description:"The file of settings, axond.toml(5) (default: /etc/axon/axond.toml); what is given here or in the environment goes before it"`
	Confine     confineMode `long:"confine" value-name:"on|require|off" env:"AXON_CONFINE" description:"How workers are confined: on, by what the kernel has and axond may, and the log says what is missing; require, by everything, or axond does not start; off, not at all, so that they may do what their programs' users may (default: on)"`
	CacheDir    string      `long:"cache-dir" value-name:"DIR" env:"AXON_CACHE_DIR" default:"/var/cache/axon" description:"Where confined workers of a root axond keep compiled kernels, a folder a user"`
	Bus         bool        `long:"bus" env:"AXON_BUS" description:"Be on the system bus, also with a socket of one's own (--socket)"`
	Verbose     bool        `long:"verbose" short:"v" env:"AXON_VERBOSE" description:"Log more, for example connections that say nothing and calls that fail"`
	Version     bool        `long:"version" description:"Say which version this is"`
	Manual      pageName    `long:"manual" value-name:"PAGE" choice:"axond.8" choice:"axond.toml.5" choice:"axon-smi.1" description:"Print a page of the manual, for man -l -"`
}

func main() { os.Exit(run()) }

// parser reads a command line into options.
func parser(o *options) *flags.Parser {
	p := flags.NewParser(o, flags.HelpFlag|flags.PassDoubleDash)
	p.Name = "axond"
	p.Usage = "[OPTIONS]"
	p.ShortDescription = "give programs sessions on the GPU"
	p.LongDescription = "axond waits at a socket for programs that use the GPU. It asks the kernel who they are, and gives each one that is admitted (root, axond's own user, members of a group) a worker process that holds the vendor's library for that program alone. Programs come by axon's libcuda.so.1; axon run PROGRAM starts one with it."
	return p
}

func run() int {
	var o options
	p := parser(&o)
	rest, err := p.Parse()
	var fe *flags.Error
	switch {
	case errors.As(err, &fe) && fe.Type == flags.ErrHelp:
		return say(func(out io.Writer) error { _, err := fmt.Fprint(out, fe.Message); return err })
	case err != nil:
		return fail("%s; see axond --help", mistake.Text(err))
	case len(rest) > 0:
		return fail("there are no arguments besides options, but %q was given; see axond --help", rest[0])
	case o.Version:
		return say(func(out io.Writer) error { _, err := fmt.Fprintln(out, "axond", installed.Version); return err })
	case o.Manual != "":
		return say(func(out io.Writer) error { return manual(out, string(o.Manual)) })
	case o.MaxSessions != nil && *o.MaxSessions < 1:
		return fail("--max-sessions %d admits nobody; give a number from 1 up", *o.MaxSessions)
	case o.Warm != nil && (*o.Warm < 0 || *o.Warm > daemon.MaxWarm):
		return fail("--warm %d is out of range; give a number from 0 to %d", *o.Warm, daemon.MaxWarm)
	case o.Softgpu && o.Vendor != "":
		return fail("--softgpu and --vendor contradict each other; give one of them")
	}

	if err := daemon.CloseInheritedOnExec(); err != nil {
		return fail("inherited descriptors: %v", err)
	}
	settings, err := o.settings()
	if err != nil {
		return fail("%v", err)
	}
	level := &slog.LevelVar{}
	level.Set(levelOf(settings))
	log := daemon.NewLog(os.Stderr, level)
	server, protocol, err := prepare(&o, settings, log)
	if err != nil {
		return fail("%v", err)
	}
	l, kept, err := daemon.Activated()
	if err != nil {
		return fail("%v", err)
	}
	server.Kept = kept
	// systemd starts axond for a program that waits already.
	server.WarmOwn = l == nil
	onBus := o.Bus || os.Geteuid() == 0 && (o.Socket == "" || o.Socket == daemon.DefaultSocket)
	switch {
	case l != nil && o.Socket != "":
		l.Close()
		return fail("systemd hands over a socket and --socket (AXON_SOCKET) names another; leave one of them out")
	case l == nil:
		if o.Socket == "" {
			o.Socket = daemon.DefaultSocket
		}
		if l, err = daemon.Listen(o.Socket, server.Policy); errors.Is(err, fs.ErrPermission) {
			return fail("%v; run axond as root, or choose a path that you may write with --socket", err)
		} else if err != nil {
			return fail("%v", err)
		}
	}

	var scopes *scope.Systemd
	if server.Store == nil {
		// One that root starts by hand must not take the unit's for its own.
		err = errors.New("systemd has not started axond")
	} else {
		scopes, err = scope.New(log)
	}
	if err != nil {
		log.Info("sessions have no scopes: workers stay in axond's control group and end with axond", "why", err)
	} else {
		defer scopes.Close()
		server.Scopes = scopes
	}
	if onBus {
		b := bus.New(bus.SystemAddress(), bus.About{Version: installed.Version, Vendor: server.Vendor.Dir}, log)
		defer b.Close()
		server.Bus = b
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			if s == syscall.SIGHUP && !terminal(os.Stderr) { // else that was closed
				reload(&o, server, level, log)
				continue
			}
			if scopes != nil && restarting(scopes, log) {
				server.Leave()
			}
			daemon.NotifyStopping() // before anything stops, or systemd restarts what exits
			stop()
			return
		}
	}()
	log.Info(server.Describe(protocol), "socket", l.Addr().String(), "warm", server.Warm)
	if server.Confine == nil {
		log.Warn("workers are not confined", "remedy", "--confine on")
	} else {
		for _, m := range server.Confine.Missing {
			log.Warn(m)
		}
	}
	if err := daemon.NotifyReady(); err != nil {
		log.Warn("systemd cannot be told that axond is ready", "err", err)
	}
	go server.Notify(ctx)
	if err := server.Serve(ctx, l); err != nil {
		return fail("the socket: %v", err)
	}
	log.Info("axond has stopped")
	return 0
}

func terminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// restarting says whether axond will be started again, so that sessions need
// not end with it.
func restarting(scopes *scope.Systemd, log *slog.Logger) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	yes, err := scopes.Restarting(ctx)
	if err != nil {
		log.Warn("systemd does not say why axond stops; sessions end", "err", err)
	}
	return yes
}

// settings are those of the file under those of the command line.
func (o *options) settings() (*daemon.Settings, error) {
	path, required := o.Settings, true
	if path == "" {
		path, required = daemon.DefaultSettings, false
	}
	s, err := daemon.ReadSettings(path, required)
	if err != nil {
		return nil, err
	}
	if o.Group != "" {
		s.Group = string(o.Group)
	}
	if o.Vendor != "" || o.Softgpu {
		s.Vendor = o.Vendor
	}
	if o.MaxSessions != nil {
		s.MaxSessions = *o.MaxSessions
	}
	if s.MaxSessions == 0 {
		s.MaxSessions = 256
	}
	if o.Confine != "" {
		s.Confine = string(o.Confine)
	}
	if s.Confine == "" {
		s.Confine = daemon.ConfineOn
	}
	if o.Warm != nil {
		s.Warm = o.Warm
	}
	if s.Warm == nil {
		one := 1
		s.Warm = &one
	}
	s.WarmContext = s.WarmContext || o.WarmContext
	s.Verbose = s.Verbose || o.Verbose
	return s, nil
}

func levelOf(s *daemon.Settings) slog.Level {
	if s.Verbose {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// reload reads the settings again. Bad ones leave the old ones in force.
func reload(o *options, server *daemon.Server, level *slog.LevelVar, log *slog.Logger) {
	daemon.NotifyReloading()
	defer daemon.NotifyReady()
	s, err := o.settings()
	if err != nil {
		log.Error("the settings cannot be read, the old ones stay in force", "err", err)
		return
	}
	level.Set(levelOf(s))
	server.Reload(s)
	log.Info("the settings were read again")
}

// prepare finds what sessions need, so that what is missing is said at the
// start and not to the first program.
func prepare(o *options, settings *daemon.Settings, log *slog.Logger) (*daemon.Server, installed.Protocol, error) {
	var none installed.Protocol
	group, required := settings.Group, settings.Group != ""
	if !required {
		group = "video"
	}
	policy, err := daemon.NewPolicy(group, required)
	if err != nil {
		return nil, none, err
	}
	if !policy.HasGroup && policy.AxondRoot {
		log.Warn("only root is admitted: there is no group "+group+" on this machine", "remedy", "groupadd -r "+group+", or --group NAME")
	}
	self, err := installed.Self()
	if err != nil {
		return nil, none, err
	}
	worker := o.Worker
	if worker == "" {
		if worker, err = installed.Worker(self); err != nil {
			return nil, none, err
		}
	}
	// Workers start in /.
	if worker, err = filepath.Abs(worker); err != nil {
		return nil, none, err
	}
	wp := &installed.WorkerProtocol{Path: worker}
	protocol, err := wp.Get()
	if err != nil {
		return nil, none, err
	}
	if protocol.Version != wire.Version {
		return nil, none, fmt.Errorf("this axond speaks protocol %d and %s protocol %d; install both from the same package", wire.Version, worker, protocol.Version)
	}
	vendor, err := vendor(o, settings.Vendor, self)
	if err != nil {
		return nil, none, err
	}
	confine, err := daemon.NewConfinement(daemon.ConfinementOptions{
		Mode:     settings.Confine,
		Without:  strings.FieldsFunc(os.Getenv("AXON_CONFINE_WITHOUT"), func(r rune) bool { return r == ',' }),
		CacheDir: o.CacheDir,
		Policy:   policy,
		Worker:   worker,
		Vendor:   vendor.Dir,
	})
	if err != nil {
		return nil, none, err
	}
	return daemon.New(daemon.Config{
		Policy:      policy,
		Worker:      wp,
		Vendor:      vendor,
		Confine:     confine,
		MaxSessions: settings.MaxSessions,
		Warm:        *settings.Warm,
		WarmContext: settings.WarmContext,
		Settings:    settings,
		Store:       daemon.SystemdStore(),
		Log:         log,
	}), protocol, nil
}

func vendor(o *options, folder, self string) (installed.Vendor, error) {
	switch {
	case o.Softgpu:
		dir, err := installed.Softgpu(self)
		return installed.Vendor{Dir: dir, Software: true}, err
	case folder != "":
		dir, err := filepath.Abs(folder)
		if err != nil {
			return installed.Vendor{}, err
		}
		return installed.Vendor{Dir: dir, Software: installed.IsSoftgpu(dir)}, installed.CheckVendor(dir)
	}
	return installed.FindVendor(self, installed.VendorDirs())
}

// say prints what was asked for and returns the exit status.
func say(write func(io.Writer) error) int {
	out := &printed.Output{Writer: os.Stdout}
	err := write(out)
	why, lost := out.Lost()
	switch {
	case lost && why == "":
		return 1
	case lost:
		return fail("%s", why)
	case err != nil:
		return fail("%v", err)
	}
	return 0
}

func fail(format string, args ...any) int {
	fmt.Fprintf(os.Stderr, "axond: "+format+"\n", args...)
	return 1
}
