// SPDX-License-Identifier: Apache-2.0

// Package daemon is axond: it admits programs, gives each a worker that holds
// the vendor's library, and ends the one when the other is gone.
//
// A session, and the file of each step:
//
//  1. listen.go: a connection is accepted from a SOCK_SEQPACKET socket, made
//     here or handed over by systemd.
//  2. identity.go: the kernel says who is there; the policy says who may come.
//  3. hello.go: one message with one file descriptor, the region's memfd. A
//     refusal is answered here, before any worker exists.
//  4. region.go: the memfd is sealed and laid out as it says, or it is refused.
//  5. warm.go: a worker that waits for such a session is handed the region. If
//     there is none, worker.go: axon-worker starts confined (confine.go, room.go), with
//     the region as fd 3 and a control socket as fd 4. Either says when it is ready.
//  6. session.go: the answer goes out. From then on the session waits for one
//     of three: the client is gone, the worker is gone, axond stops.
//  7. region.go: a region whose worker is gone is marked ended and its sleepers
//     are woken.
//
// server.go holds what sessions share: their numbers, how many there may be,
// and the connections that have said nothing yet.
//
// Locking: Server.mu guards the server's maps and counters and is held for no
// system call. A session's state belongs to its one goroutine; the goroutines
// that watch file descriptors for it only send on channels that it made.
//
// Nothing here follows a number out of a region or a message unchecked, and a
// goroutine or descriptor belongs to exactly one session: whatever a client
// does ends with its own session.
package daemon
