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
	atOnce   = 64 // scrapes; more wait
)

// scrapes answers them.
type scrapes struct {
	fleet *fleet.Fleet
	turns chan struct{}
	one   sync.Mutex // axond is asked once at a time
}

// serve takes scrapes until the listener is closed.
func (s *scrapes) serve(ctx context.Context, l net.Listener) error {
	for {
		s.turns <- struct{}{}
		conn, err := l.Accept()
		if err != nil {
			<-s.turns
			// Others have taken the descriptors or the memory: it passes.
			if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOBUFS) || errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.ECONNABORTED) {
				pause(ctx, 100*time.Millisecond)
				continue
			}
			return err
		}
		go func() {
			defer func() { <-s.turns }()
			defer conn.Close()
			s.answer(ctx, conn)
		}()
	}
}

// answer answers one request.
func (s *scrapes) answer(ctx context.Context, conn net.Conn) {
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
		var b bytes.Buffer
		s.one.Lock()
		s.fleet.Ask(ctx)
		err = show.Metrics(&b, s.fleet.Machines()[0])
		s.one.Unlock()
		kind, body = show.ContentType, b.String()
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
