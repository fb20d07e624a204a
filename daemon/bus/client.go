// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// Client asks axond over the bus.
type Client struct{ conn *dbus.Conn }

// What a call's error may be; anything else is in its own words.
var (
	ErrNoAxond    = errors.New("axond is not on the system bus")
	ErrNoSession  = errors.New("there is no such session")
	ErrNotAllowed = errors.New("you are not allowed to do that")
)

// SessionInfo is what axond says about a session. Sizes are bytes.
type SessionInfo struct {
	ID, User, PID      uint32
	Program, Scope     string
	State              string // running or ending
	Remote             bool
	Since              time.Time
	GPU                []uint32 // indices
	MemoryUsed         uint64
	MemoryMax          uint64 // math.MaxUint64: none
	EffectiveMemoryMax uint64 // likewise
	AllocationsRefused uint64
	Calls              uint64
}

// GPUInfo is what axond says about a GPU.
type GPUInfo struct {
	Index        uint32
	Name, UUID   string
	MemoryTotal  uint64   // bytes
	SharesMemory bool     // with the machine
	Sessions     []uint32 // IDs
}

// Dial connects to a bus.
func Dial(ctx context.Context, address string) (*Client, error) {
	conn, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	return &Client{conn}, nil
}

// Close closes the connection.
func (c *Client) Close() { c.conn.Close() }

// call calls a method. The bus starts axond if need be, and polkit may ask for
// a password: godbus's own Call does not let that flag through.
func (c *Client) call(ctx context.Context, path dbus.ObjectPath, in, name string, args ...any) *dbus.Call {
	msg := &dbus.Message{Type: dbus.TypeMethodCall, Flags: dbus.FlagAllowInteractiveAuthorization, Body: args, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldDestination: dbus.MakeVariant(Name),
		dbus.FieldPath:        dbus.MakeVariant(path),
		dbus.FieldInterface:   dbus.MakeVariant(in),
		dbus.FieldMember:      dbus.MakeVariant(name),
	}}
	if len(args) > 0 {
		msg.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(args...))
	}
	call := <-c.conn.SendWithContext(ctx, msg, make(chan *dbus.Call, 1)).Done
	var e dbus.Error
	if errors.As(call.Err, &e) {
		switch e.Name {
		case Name + ".Error.NoSuchSession", "org.freedesktop.DBus.Error.UnknownObject":
			call.Err = ErrNoSession
		case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
			call.Err = ErrNotAllowed
		case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
			call.Err = ErrNoAxond
		}
	}
	return call
}

type objects = map[dbus.ObjectPath]map[string]map[string]dbus.Variant

func (c *Client) objects(ctx context.Context) (all objects, err error) {
	err = c.call(ctx, Root, objectManager.name, "GetManagedObjects").Store(&all)
	return all, err
}

// Sessions are those there are, by number.
func (c *Client) Sessions(ctx context.Context) ([]SessionInfo, error) {
	found, err := c.objects(ctx)
	if err != nil {
		return nil, err
	}
	all := []SessionInfo{}
	for _, ifaces := range found {
		p, ok := ifaces[sessionInterface]
		if !ok {
			continue
		}
		var s SessionInfo
		var gpus []dbus.ObjectPath
		var since uint64
		if err := read(p, map[string]any{"Id": &s.ID, "User": &s.User, "PID": &s.PID, "Program": &s.Program, "Scope": &s.Scope, "State": &s.State,
			"Remote": &s.Remote, "Since": &since, "GPU": &gpus, "MemoryUsed": &s.MemoryUsed, "MemoryMax": &s.MemoryMax,
			"EffectiveMemoryMax": &s.EffectiveMemoryMax, "AllocationsRefused": &s.AllocationsRefused, "Calls": &s.Calls}); err != nil {
			return nil, err
		}
		s.Since, s.GPU = time.UnixMicro(int64(since)), numbers(gpus)
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b SessionInfo) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// GPUs are the machine's, by index.
func (c *Client) GPUs(ctx context.Context) ([]GPUInfo, error) {
	// This waits for the GPU's library longer than GetManagedObjects does, and says what is wrong with it.
	if err := c.call(ctx, Root, managerInterface, "ListGPUs").Err; err != nil {
		return nil, err
	}
	found, err := c.objects(ctx)
	if err != nil {
		return nil, err
	}
	all := []GPUInfo{}
	for _, ifaces := range found {
		p, ok := ifaces[gpuInterface]
		if !ok {
			continue
		}
		var g GPUInfo
		var sessions []dbus.ObjectPath
		if err := read(p, map[string]any{"Index": &g.Index, "Name": &g.Name, "UUID": &g.UUID, "MemoryTotal": &g.MemoryTotal,
			"SharesMemory": &g.SharesMemory, "Sessions": &sessions}); err != nil {
			return nil, err
		}
		g.Sessions = numbers(sessions)
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b GPUInfo) int { return cmp.Compare(a.Index, b.Index) })
	return all, nil
}

// read reads properties. One that is missing is left as it is: axond may be older.
func read(from map[string]dbus.Variant, into map[string]any) error {
	for name, to := range into {
		if v, ok := from[name]; ok {
			if err := v.Store(to); err != nil {
				return errors.New("axond says something strange about " + name)
			}
		}
	}
	return nil
}

// numbers are the last parts of paths.
func numbers(paths []dbus.ObjectPath) []uint32 {
	all := []uint32{}
	for _, p := range paths {
		if n, ok := number(strings.TrimPrefix(string(p[strings.LastIndexByte(string(p), '/')+1:]), "_")); ok {
			all = append(all, n)
		}
	}
	return all
}

// Terminate ends a session, and returns when it has ended.
func (c *Client) Terminate(ctx context.Context, id uint32) error {
	heard := make(chan *dbus.Signal, 100)
	c.conn.Signal(heard)
	defer c.conn.RemoveSignal(heard)
	if err := c.conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(Name), dbus.WithMatchInterface(managerInterface), dbus.WithMatchMember("SessionRemoved")); err != nil {
		return err
	}
	if err := c.call(ctx, sessionPath(id), sessionInterface, "Terminate").Err; err != nil {
		return err
	}
	for {
		select {
		case s, ok := <-heard:
			if !ok {
				return ErrNoAxond
			}
			if s.Name == managerInterface+".SessionRemoved" && len(s.Body) > 0 && s.Body[0] == id {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// SetMemoryMax changes a session's limit of GPU memory, bytes.
func (c *Client) SetMemoryMax(ctx context.Context, id uint32, bytes uint64) error {
	return c.call(ctx, sessionPath(id), sessionInterface, "SetMemoryMax", bytes).Err
}
