package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/runtime/memory"
	"kitsoki/runtime/memory/client"
	"kitsoki/runtime/memory/service"
	"kitsoki/runtime/memory/wire"
)

func (a *app) serveVerb() *cobra.Command {
	var on bool
	var addr, tokens string
	var hosts []string
	c := &cobra.Command{
		Use:   "serve --memory",
		Short: "Serve this repository's memory over HTTP, for clients of the memory contract",
		Long: `Serve this repository's notes and turns by the memory service's contract (XKB), so
that its clients work unchanged: sessions/open, turns/start, turns/ID/complete.
It listens on this machine alone, unless a token is set: in the environment,
` + client.EnvToken + `, or in a file with a line "NAMESPACE TOKEN" for each.`,
		Example: "  kitsoki serve --memory\n  kitsoki serve --memory --addr 127.0.0.1:0 --tokens ~/.config/kitsoki/tokens",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !on {
				return errors.New("say what is to be served: --memory")
			}
			list, err := a.serviceTokens(tokens)
			if err != nil {
				return err
			}
			return a.serveMemory(c.Context(), addr, hosts, list)
		},
	}
	c.Flags().BoolVar(&on, "memory", false, "serve memory")
	c.Flags().StringVar(&addr, "addr", service.DefaultAddr, "where to listen, HOST:PORT; port 0 for any")
	c.Flags().StringVar(&tokens, "tokens", "", "a file with a line NAMESPACE TOKEN for each token")
	c.Flags().StringSliceVar(&hosts, "host", nil, "a name that it is asked by, besides this machine's own")
	return c
}

// serviceTokens are those of the environment and of a file.
func (a *app) serviceTokens(file string) (out []service.Token, err error) {
	if token := a.env(client.EnvToken); token != "" {
		out = append(out, service.Token{Secret: wire.NewSecret(token), Namespace: service.DefaultNamespace})
	}
	if file == "" {
		return out, nil
	}
	path, err := a.abs(file)
	if err != nil {
		return nil, err
	}
	data, err := readRegular(path)
	if err != nil {
		return nil, fmt.Errorf("--tokens: %w", err)
	}
	n := 0
	for lines := bufio.NewScanner(strings.NewReader(string(data))); lines.Scan(); {
		n++
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
		case len(fields) != 2: // the line may be a secret: it is not shown
			return nil, fmt.Errorf("%s:%d: expected NAMESPACE TOKEN", path, n)
		default:
			out = append(out, service.Token{Secret: wire.NewSecret(fields[1]), Namespace: fields[0]})
		}
	}
	return out, nil
}

func (a *app) serveMemory(ctx context.Context, addr string, hosts []string, tokens []service.Token) error {
	if err := service.CheckTokens(tokens); err != nil {
		return err
	}
	if err := service.CheckListen(addr, tokens); err != nil {
		return err
	}
	m, _, err := a.memoryHere(ctx)
	if err != nil {
		return err
	}
	s, err := service.New(service.Options{
		Backend: memory.Backend{M: m}, Dir: filepath.Join(m.Store.Dir, "service"), Tokens: tokens, Hosts: hosts, Now: a.now, Rand: a.rand,
		Report: func(err error) { fmt.Fprintf(a.err, "kitsoki: %s\n", plain(err.Error())) },
	})
	if err != nil {
		return &exitError{exitFindings, err}
	}
	defer func() { _ = s.Close() }()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return &exitError{exitFindings, fmt.Errorf("listening at %s: %w", addr, err)}
	}
	a.printf("Serving the memory of %s at http://%s; Ctrl-C ends it.\n", m.Repo.Top(), listener.Addr())
	return s.Serve(ctx, listener)
}
