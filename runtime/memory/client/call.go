package client

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/wire"
)

const (
	// maxReply is how many bytes of a reply are read: three records are some
	// kilobytes, and a service may send its candidates along.
	maxReply = 4 << 20
	// maxRefusal is how much of an error's body is looked at.
	maxRefusal = 4 << 10
	// maxHeader bounds what stands before a body, in bytes.
	maxHeader = 64 << 10
)

// call makes one call and gives the reply's bytes.
func (c *Client) call(ctx context.Context, call, path string, limit time.Duration, body any) ([]byte, error) {
	data, err := journal.PlainJSON(body)
	if err != nil {
		return nil, c.fault(call, CauseRejected, "the request can't be written as JSON")
	}
	if len(data) > wire.MaxBody {
		return nil, c.fault(call, CauseTooLarge, "the request is larger than the contract allows, and was not sent")
	}
	if limit = c.within(limit); limit <= 0 {
		return nil, c.fault(call, CauseSlow, "the time for all calls was over, and nothing was sent")
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := c.request(ctx, path, data)
	if err != nil {
		return nil, c.fault(call, CauseConfig, "the address can't be called")
	}
	return c.exchange(ctx, call, req)
}

// within is a time-out that ends before the bound for all calls does.
func (c *Client) within(limit time.Duration) time.Duration {
	if c.ends.IsZero() {
		return limit
	}
	return min(limit, c.ends.Sub(c.cfg.Now()))
}

func (c *Client) request(ctx context.Context, path string, data []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "kitsoki")
	if !c.cfg.Token.IsZero() {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Token.Reveal())
	}
	return req, nil
}

func (c *Client) exchange(ctx context.Context, call string, req *http.Request) ([]byte, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.lost(ctx, call, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // the status says enough
		return nil, c.refused(call, resp.StatusCode, body)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case len(body) > maxReply:
		return nil, c.fault(call, CauseTooLarge, "the reply is larger than 4 MiB")
	case err != nil:
		return nil, c.lost(ctx, call, err)
	}
	return body, nil
}
