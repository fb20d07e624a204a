// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/fleet"
	"nervlinux.org/axon/fleet/show"
)

// As much of HTTP (RFC 9112) as a scrape needs: one GET a connection. net/http
// would make every start of axon, axon run's too, a millisecond longer.
const (
	headMax  = 16 << 10 // bytes of a request
	headTime = 5 * time.Second
	bodyTime = 30 * time.Second
	atOnce   = 512 // connections
)

// scrapes answers them.
type scrapes struct {
	fleet *fleet.Fleet
	crowd crowd

	one  sync.Mutex // axond is asked once at a time; what follows is whoever's asks
	page page
}

// page is what a scrape is answered. All who wait while one is made get the next,
// so that many scrapes do not queue up.
type page struct {
	began time.Time // when axond was asked
	text  string
	err   error
}

// serve takes scrapes until the listener is closed.
func (s *scrapes) serve(ctx context.Context, l net.Listener) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			// Others have taken the descriptors or the memory: it passes.
			if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOBUFS) || errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.ECONNABORTED) {
				pause(ctx, 100*time.Millisecond)
				continue
			}
			return err
		}
		one := s.crowd.enter(conn, whose(conn))
		if one == nil {
			conn.SetWriteDeadline(time.Now().Add(time.Second)) // there is room for this in the socket
			io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			conn.Close()
			continue
		}
		go func() {
			defer s.crowd.leave(one)
			s.answer(ctx, one)
		}()
	}
}

// figures are those of now: axond was asked after the call.
func (s *scrapes) figures(ctx context.Context) (string, error) {
	called := time.Now()
	s.one.Lock()
	defer s.one.Unlock()
	if s.page.began.Before(called) {
		var b bytes.Buffer
		p := page{began: time.Now()}
		s.fleet.Ask(ctx)
		p.err = show.Metrics(&b, s.fleet.Machines()[0])
		p.text = b.String()
		s.page = p
	}
	return s.page.text, s.page.err
}

// answer answers one request.
func (s *scrapes) answer(ctx context.Context, one *visitor) {
	conn := one.conn
	conn.SetReadDeadline(time.Now().Add(headTime))
	method, path, err := readHead(bufio.NewReader(io.LimitReader(conn, headMax)))
	if err != nil && path == "" && method == "" {
		return // nobody said anything
	}
	status, kind, body := "200 OK", "text/plain; charset=utf-8", ""
	switch {
	case err != nil:
		status, body = "400 Bad Request", err.Error()+"\n"
	case method != "GET" && method != "HEAD":
		status, body = "405 Method Not Allowed", "the figures can only be read\n"
	case path == "/":
		body = "axon's figures for Prometheus are at /metrics\n"
	case path != "/metrics":
		status, body = "404 Not Found", "the figures are at /metrics\n"
	default:
		s.crowd.busy(one, true)
		body, err = s.figures(ctx)
		s.crowd.busy(one, false)
		kind = show.ContentType
		if err != nil {
			status, body = "500 Internal Server Error", err.Error()+"\n"
		}
	}
	allow := ""
	if strings.HasPrefix(status, "405") {
		allow = "Allow: GET, HEAD\r\n"
	}
	head := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n", status, kind, len(body), allow)
	if method == "HEAD" {
		body = ""
	}
	conn.SetWriteDeadline(time.Now().Add(bodyTime))
	io.WriteString(conn, head+body)
}

// readHead reads a request up to the empty line. What its fields say does not
// matter; a body would not either.
func readHead(r *bufio.Reader) (method, path string, err error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", "", err
	}
	words := strings.Fields(line)
	if len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return "", "?", errors.New("this is no request of HTTP/1")
	}
	method, path = words[0], words[1]
	if rest, ok := strings.CutPrefix(path, "http://"); ok { // as proxies have it
		_, path, _ = strings.Cut(rest, "/")
		path = "/" + path
	}
	path, _, _ = strings.Cut(path, "?")
	for {
		switch line, err = r.ReadString('\n'); {
		case err != nil:
			return method, path, errors.New("the request has no end, or is too long")
		case strings.TrimRight(line, "\r\n") == "":
			return method, path, nil
		}
	}
}
