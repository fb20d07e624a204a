// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"nervlinux.org/axon/daemon/bus"
	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/view"
)

// thisMachine is the machine that axon runs on.
func thisMachine(socket string) fleet.Member {
	name, err := os.Hostname()
	if err != nil {
		name = ""
	}
	return fleet.Member{Name: name, Local: true, Source: &local{socket: socket}}
}

// local is axond of this machine.
type local struct {
	socket string

	mu     sync.Mutex
	client *view.Client
}

// Machine asks axond, which may have been started meanwhile.
func (l *local) Machine(ctx context.Context) (*view.Machine, error) {
	l.mu.Lock()
	client := l.client
	l.mu.Unlock()
	if client == nil {
		c, err := view.Dial(l.socket)
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		l.client, client = c, c
		l.mu.Unlock()
	}
	return client.Machine(ctx)
}

// End ends a session over the bus, where polkit can ask who does.
func (l *local) End(ctx context.Context, session uint32) error {
	return ended(session, asking(ctx, func(ctx context.Context, client *bus.Client) error { return client.Terminate(ctx, session) }))
}

// ended says what to do about a session that could not be ended.
func ended(session uint32, err error) error {
	return aboutSession(err, session, fmt.Sprintf("sudo axon session terminate %d", session))
}

// Close hangs up.
func (l *local) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil {
		return nil
	}
	return l.client.Close()
}
