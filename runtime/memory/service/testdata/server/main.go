// Command server serves the memory service's contract over a store in memory,
// for testdata/client.py to talk to:
//
//	XKB_SERVICE_TOKEN=0123456789abcdef go run ./runtime/memory/service/testdata/server FOLDER
//
// It prints its URL and serves until it is interrupted.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/signal"
	"time"

	"kitsoki/runtime/memory/service"
	"kitsoki/runtime/memory/wire"
)

type store struct{}

func (store) Retrieve(_ context.Context, q service.Query) (service.Retrieval, error) {
	return service.Retrieval{Records: []service.Record{{Kind: "document", Title: "About " + q.Text, Body: "A note.", Source: "docs/note.md:1"}}}, nil
}

func (store) Store(context.Context, service.Turn) error { return nil }

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := service.Options{Backend: store{}, Dir: os.Args[1], Now: time.Now, Rand: rand.Reader}
	if token := os.Getenv("XKB_SERVICE_TOKEN"); token != "" {
		o.Tokens = []service.Token{{Secret: wire.NewSecret(token), Namespace: "mine"}}
	}
	s, err := service.New(o)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	return s.Serve(ctx, listener)
}
