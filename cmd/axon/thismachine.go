// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"

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
	return fleet.Member{Name: name, Local: true, Source: local{view.New(socket)}}
}

// local is axond of this machine.
type local struct{ *view.Client }

// End ends a session over the bus, where polkit can ask who does.
func (local) End(ctx context.Context, session uint32) error {
	return ended(session, asking(ctx, func(ctx context.Context, client *bus.Client) error { return client.Terminate(ctx, session) }))
}

// ended says what to do about a session that could not be ended.
func ended(session uint32, err error) error {
	return aboutSession(err, session, fmt.Sprintf("sudo axon session terminate %d", session))
}
