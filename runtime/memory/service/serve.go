package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// limits are the times a connection may take.
type limits struct {
	header, request, reply, idle, grace time.Duration
	headerBytes                         int
}

// defaultLimits leave a client a few seconds to say what it wants, and the
// longest retrieval, with one more for what has to be written down.
func defaultLimits(retrieval time.Duration) limits {
	const request = 20 * time.Second
	return limits{
		header: 5 * time.Second, request: request, reply: request + 2*retrieval, idle: time.Minute, grace: 10 * time.Second,
		headerBytes: 16 << 10,
	}
}

// Serve answers what comes in at a listener until the context ends; requests
// that have begun are then given ten seconds. It closes the listener, and
// fails when there is an address that CheckListen refuses.
func (s *Service) Serve(ctx context.Context, listener net.Listener) error {
	if err := CheckListen(listener.Addr().String(), s.opts.Tokens); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := s.server()
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("memory service: %w", err)
	case <-ctx.Done():
	}
	return s.stop(server)
}

// stop waits for requests that have begun, and ends those that take too long.
func (s *Service) stop(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.limits.grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		s.end()
		return errors.Join(fmt.Errorf("memory service: requests were cut off: %w", err), server.Close())
	}
	return nil
}

func (s *Service) server() *http.Server {
	return &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: s.limits.header,
		ReadTimeout:       s.limits.request,
		WriteTimeout:      s.limits.reply,
		IdleTimeout:       s.limits.idle,
		MaxHeaderBytes:    s.limits.headerBytes,
		ErrorLog:          log.New(io.Discard, "", 0), // it would quote what clients send
	}
}
