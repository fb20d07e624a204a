// SPDX-License-Identifier: Apache-2.0

// Relay stands between a program and axond and carries every session over a
// byte stream, as `axon run --on` does, without another machine: the C test
// suite runs through it.
//
//	relay --listen PATH --to PATH [--tcp] [--ready FILE]
//
// Programs find it with AXON_SESSION=PATH.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"nervlinux.org/axon/wire"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("relay: ")
	listen := flag.String("listen", "", "the `socket` that programs connect to")
	to := flag.String("to", "/run/axon/sock", "axond's `socket`")
	tcp := flag.Bool("tcp", false, "carry sessions over a TCP connection on the loopback interface")
	ready := flag.String("ready", "", "`file` to write when programs can connect")
	flag.Parse()
	if *listen == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGINT, unix.SIGTERM)
	defer stop()
	if err := serve(ctx, *listen, *to, *tcp, *ready); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, listen, to string, tcp bool, ready string) error {
	os.Remove(listen) // a socket that an earlier run left behind
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: listen, Net: "unixpacket"})
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { l.Close() })
	if ready != "" {
		if err := os.WriteFile(ready, nil, 0o644); err != nil {
			return err
		}
	}
	dial := func(ctx context.Context) (*net.UnixConn, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "unixpacket", to)
		if err != nil {
			return nil, err
		}
		return conn.(*net.UnixConn), nil
	}
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		conn, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		sessions.Go(func() {
			defer conn.Close()
			log.Print(session(ctx, conn, tcp, dial))
		})
	}
}

// session carries one program's session and returns why it ended.
func session(ctx context.Context, conn *net.UnixConn, tcp bool, dial func(context.Context) (*net.UnixConn, error)) error {
	refuse := func(status uint32, err error) error {
		wire.SendAnswer(conn, &wire.Answer{Version: wire.Version, Status: status, Text: err.Error()})
		return err
	}
	hello, file, err := wire.ReceiveHello(conn)
	if err != nil {
		return err
	}
	defer file.Close()
	if hello.Version != wire.Version {
		return refuse(wire.StatusMismatch, fmt.Errorf("the program speaks version %d, this relay %d", hello.Version, wire.Version))
	}
	region, err := wire.Map(int(file.Fd()))
	if err != nil {
		return refuse(wire.StatusBadRegion, err)
	}
	defer region.Unmap()
	near, far, err := streams(tcp)
	if err != nil {
		return refuse(wire.StatusNoWorker, err)
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var ends sync.WaitGroup
	defer ends.Wait()
	// ctx is the near end's: the far one learns of the end from the stream.
	ends.Go(func() {
		if err := wire.Far(context.WithoutCancel(ctx), far, dial); err != nil {
			log.Printf("the far end: %v", err)
		}
	})
	var answered atomic.Bool
	ends.Go(func() {
		// The socket says nothing any more; its hang-up is the program's end.
		var b [1]byte
		for {
			if n, err := conn.Read(b[:]); n == 0 || err != nil {
				cancel(wire.ErrClientGone)
				return
			}
		}
	})
	err = wire.Near(ctx, region, near, hello, func(a wire.Answer) error {
		answered.Store(true)
		return wire.SendAnswer(conn, &a)
	})
	conn.Close()
	if !answered.Load() {
		return fmt.Errorf("before the answer: %w", err)
	}
	return err
}

// streams makes the two ends of a stream.
func streams(tcp bool) (near, far io.ReadWriteCloser, err error) {
	if !tcp {
		n, f := net.Pipe()
		return n, f, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	n, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, nil, err
	}
	f, err := l.Accept()
	if err != nil {
		n.Close()
		return nil, nil, err
	}
	// Someone else on this machine may have been quicker.
	if f.RemoteAddr().String() != n.LocalAddr().String() {
		n.Close()
		f.Close()
		return nil, nil, errors.New("a stranger connected to the relay's stream")
	}
	return n, f, nil
}
