// SPDX-License-Identifier: Apache-2.0

// Package bus is axond on the system bus: org.nervlinux.Axon1, with an object
// for each session and each GPU (manager.go, session.go, gpu.go say which).
//
// Anybody on the machine may send anything to a name on the bus, so a message
// goes through these, and each trusts the one before:
//
//  1. dbus-daemon's policy (org.nervlinux.Axon1.conf) lets the methods pass.
//  2. guard looks at every message before godbus does: what no method takes is
//     never decoded (guard.go).
//  3. door counts the calls, finds the object and the method and compares the
//     signature (call.go).
//  4. A method that changes something asks who the caller is: the bus for its
//     user, and polkit about everybody but the session's own (polkit.go).
//
// godbus's own handler and its package prop are not used: the handler walks its
// map of objects without a lock when it is asked to introspect, so that
// whoever does so while sessions come and go can end the process; and figures
// that change all the time are better read when they are asked for.
package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/wire"
)

// Name is axond's name on the bus, and the prefix of its interfaces.
const Name = "org.nervlinux.Axon1"

// Root is the path of the manager. Sessions and GPUs are below it.
const Root dbus.ObjectPath = "/org/nervlinux/Axon1"

// DefaultAddress is the system bus's where DBUS_SYSTEM_BUS_ADDRESS is not set.
const DefaultAddress = "unix:path=/run/dbus/system_bus_socket"

const (
	helloTime  = 10 * time.Second // for the bus to let axond in
	retryFirst = time.Second      // after the bus was lost; doubled up to
	retryMost  = time.Minute
)

// Server is what the bus tells about: daemon.Server.
type Server interface {
	Sessions() []daemon.SessionFigures
	Session(number uint32) (daemon.SessionFigures, error)
	Terminate(number uint32, why string) error
	SetLimit(number uint32, bytes uint64) error
	Allow(number uint32, bytes uint64) error
	Devices(context.Context) ([]wire.Device, error)
	Counts() daemon.Counts
}

// About is what the manager says of axond itself.
type About struct {
	Version string
	Vendor  string // folder of the vendor's library
}

// Bus is axond's place on the bus. It implements daemon.Bus.
type Bus struct {
	log     *slog.Logger
	address string
	about   About

	server Server // constant from Open on
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup
	said   voice
	inside atomic.Int32  // calls
	slots  chan struct{} // one for each call that reads figures now
	asking asking        // of polkit
	gpus   gpuList       // what was asked of the server

	mu     sync.Mutex
	ending map[uint32]bool // sessions that were told to end
}

// New makes a Bus for a message bus's address. What it does not say about
// sessions goes into log.
func New(address string, about About, log *slog.Logger) *Bus {
	ctx, cancel := context.WithCancel(context.Background())
	return &Bus{
		log: log, address: address, about: about, ctx: ctx, cancel: cancel,
		slots:  make(chan struct{}, readersMax),
		asking: asking{of: map[uint32]int{}},
		ending: map[uint32]bool{},
	}
}

// SystemAddress is the system bus's address.
func SystemAddress() string {
	if a := os.Getenv("DBUS_SYSTEM_BUS_ADDRESS"); a != "" {
		return a
	}
	return DefaultAddress
}

// Open is daemon.Bus's: axond takes its name as soon as the bus lets it.
func (b *Bus) Open(s *daemon.Server) { b.open(s) }

func (b *Bus) open(s Server) {
	b.server = s
	b.done.Go(b.stay)
}

// Close leaves the bus.
func (b *Bus) Close() {
	b.cancel()
	b.done.Wait()
}

// stay keeps axond on the bus. The bus is rarely restarted, but axond may be
// started before it.
func (b *Bus) stay() {
	pause, logged := retryFirst, false
	for b.ctx.Err() == nil {
		conn, err := b.connect()
		if err == nil {
			b.log.Info("axond is on the bus", "name", Name)
			pause, logged = retryFirst, false
			b.serve(conn)
			err = errors.New("the connection was closed")
		}
		if b.ctx.Err() != nil {
			return
		}
		if !logged {
			b.log.Info("axond is not on the system bus; axon sessions and busctl do not find it", "why", err)
			logged = true
		}
		select {
		case <-b.ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, retryMost)
	}
}

// connect connects to the bus and takes the name.
func (b *Bus) connect() (*dbus.Conn, error) {
	c, err := dial(b.ctx, b.address)
	if err != nil {
		return nil, err
	}
	c.SetDeadline(time.Now().Add(helloTime))
	conn, err := dbus.NewConn(newGuard(c), dbus.WithHandler(door{b}))
	if err != nil {
		c.Close()
		return nil, err
	}
	err = conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Geteuid()))})
	if err == nil {
		err = conn.Hello()
	}
	var reply dbus.RequestNameReply
	if err == nil {
		reply, err = conn.RequestName(Name, dbus.NameFlagDoNotQueue)
	}
	if err == nil && reply != dbus.RequestNameReplyPrimaryOwner {
		err = errors.New("another axond is there as " + Name)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	c.SetDeadline(time.Time{})
	return conn, nil
}

// dial connects to an address as the D-Bus specification has them, of the
// transport unix: the guard has to see the bytes.
func dial(ctx context.Context, addresses string) (net.Conn, error) {
	err := fmt.Errorf("no address in %q is one of a Unix socket", addresses)
	for address := range strings.SplitSeq(addresses, ";") {
		options, ok := strings.CutPrefix(address, "unix:")
		for option := range strings.SplitSeq(options, ",") {
			key, value, _ := strings.Cut(option, "=")
			path, bad := url.PathUnescape(value)
			if !ok || bad != nil || key != "path" && key != "abstract" {
				continue
			}
			if key == "abstract" {
				path = "@" + path
			}
			var c net.Conn
			if c, err = (&net.Dialer{Timeout: helloTime}).DialContext(ctx, "unix", path); err == nil {
				return c, nil
			}
		}
	}
	return nil, err
}
