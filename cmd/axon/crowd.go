// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// crowd is the connections of who scrapes. There is a bound, and who says nothing or
// does not take what it asked for must not keep others out: beyond the bound one
// of those goes, of whoever has most connections. So a newcomer never waits for
// a silent one's time to pass, and nobody displaces another by coming often.
type crowd struct {
	max int

	mu  sync.Mutex
	all []*visitor // oldest first
}

// visitor is a connection.
type visitor struct {
	conn net.Conn
	from string // whose it is
	busy bool   // it has asked, and waits for its figures; under crowd.mu
}

// enter adds a connection. It is nil if there are too many that all wait for
// their figures.
func (c *crowd) enter(conn net.Conn, from string) *visitor {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) >= c.max {
		victim := c.victim()
		if victim == nil {
			return nil
		}
		victim.conn.Close() // its own goroutine sees that and ends
		c.remove(victim)
	}
	s := &visitor{conn: conn, from: from}
	c.all = append(c.all, s)
	return s
}

// victim is the oldest that keeps others out, of whoever has most connections;
// nil if there is none. c.mu is held.
func (c *crowd) victim() *visitor {
	of := map[string]int{}
	for _, s := range c.all {
		of[s.from]++
	}
	var victim *visitor
	for _, s := range c.all {
		if !s.busy && (victim == nil || of[s.from] > of[victim.from]) {
			victim = s
		}
	}
	return victim
}

// busy says that a connection waits for its figures, or no longer.
func (c *crowd) busy(s *visitor, is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.busy = is
}

// leave ends a connection.
func (c *crowd) leave(s *visitor) {
	s.conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(s)
}

// remove takes it off the list; c.mu is held.
func (c *crowd) remove(s *visitor) {
	for i, x := range c.all {
		if x == s {
			c.all = append(c.all[:i], c.all[i+1:]...)
			return
		}
	}
}

// whose is who has made a connection: a user of this machine on a Unix socket,
// else a host. On a port of this machine its users cannot be told apart.
func whose(conn net.Conn) string {
	if u, ok := conn.(*net.UnixConn); ok {
		who := "a user"
		if raw, err := u.SyscallConn(); err == nil {
			raw.Control(func(fd uintptr) {
				if cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
					who = "user " + strconv.FormatUint(uint64(cred.Uid), 10)
				}
			})
		}
		return who
	}
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	return host
}
