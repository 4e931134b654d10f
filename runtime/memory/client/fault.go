package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"kitsoki/runtime/memory/wire"
)

// Cause is why a call came to nothing.
type Cause string

// The causes.
const (
	CauseConfig       Cause = "bad_config"   // what the person has set can't be used
	CauseDown         Cause = "down"         // nothing answers at the address
	CauseInsecure     Cause = "insecure"     // no trustworthy connection comes about
	CauseSlow         Cause = "slow"         // the time was over before the answer was there
	CauseStopped      Cause = "stopped"      // the caller gave up
	CauseUnauthorised Cause = "unauthorised" // 401: the token is missing or wrong
	CauseForbidden    Cause = "forbidden"    // 403: the token is for something else
	CauseNotFound     Cause = "not_found"    // 404: no such service at the address
	CauseRejected     Cause = "rejected"     // another 4xx: the request or a conflict
	CauseServer       Cause = "server_error" // 5xx
	CauseRedirect     Cause = "redirect"     // 3xx, which is not followed
	CauseTruncated    Cause = "truncated"    // the reply ends early
	CauseBadReply     Cause = "bad_reply"    // the reply is not what the contract says
	CauseTooLarge     Cause = "too_large"    // a reply, or a request, above its limit
)

// Error is a call that failed. Detail is one line for people; it never holds
// the token, and of what the service wrote nothing but the code of an error.
type Error struct {
	Cause  Cause
	Call   string // such as "turns/start", "" before any call
	Detail string
}

func (e *Error) Error() string {
	text := "memory service"
	if e.Call != "" {
		text += ", " + e.Call
	}
	return fmt.Sprintf("%s: %s: %s", text, e.Cause, e.Detail)
}

// Unwrap gives the context's error of a call that was not waited for.
func (e *Error) Unwrap() error {
	switch e.Cause {
	case CauseSlow:
		return context.DeadlineExceeded
	case CauseStopped:
		return context.Canceled
	}
	return nil
}

// CauseOf is an error's cause, "" when it is none of this package's.
func CauseOf(err error) Cause {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Cause
}

func misconfigured(detail string) *Error { return &Error{Cause: CauseConfig, Detail: detail} }

// fault makes an error whose detail can't hold the token.
func (c *Client) fault(call string, cause Cause, detail string) *Error {
	if !c.cfg.Token.IsZero() {
		detail = strings.ReplaceAll(detail, c.cfg.Token.Reveal(), "[token]")
	}
	return &Error{Cause: cause, Call: call, Detail: wire.Cut(strings.Join(strings.Fields(detail), " "), maxDetail)}
}

// maxDetail bounds an error's text, in code points.
const maxDetail = 200

// lost tells why there is no whole reply. What the context has to say goes
// first: it is why the connection was closed.
func (c *Client) lost(ctx context.Context, call string, err error) *Error {
	var out *url.Error
	if errors.As(err, &out) {
		err = out.Err // the address is known
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return c.fault(call, CauseStopped, "it was not waited for")
	case ctx.Err() != nil || timeout(err):
		return c.fault(call, CauseSlow, "the time was over before the answer was there")
	}
	cause := broken(err)
	switch cause {
	case CauseTruncated:
		return c.fault(call, cause, "the connection ended before the answer was whole")
	case CauseBadReply:
		return c.fault(call, cause, "it did not answer as a web server does")
	}
	return c.fault(call, cause, err.Error())
}

func timeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// broken tells the causes of a failing connection apart.
func broken(err error) Cause {
	var op *net.OpError
	var cert *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &cert), errors.As(err, &header), errors.As(err, &alert), errors.Is(err, http.ErrSchemeMismatch):
		return CauseInsecure
	case errors.As(err, &op) && op.Op != "read" && op.Op != "write":
		return CauseDown
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), op != nil:
		return CauseTruncated
	}
	return CauseBadReply
}

// refused is a reply's status as an error, nil for success.
func (c *Client) refused(call string, status int, body []byte) *Error {
	causes := map[int]Cause{401: CauseUnauthorised, 403: CauseForbidden, 404: CauseNotFound, 413: CauseTooLarge}
	cause, ok := causes[status]
	switch {
	case status >= 200 && status < 300:
		return nil
	case ok:
	case status >= 500:
		cause = CauseServer
	case status >= 400:
		cause = CauseRejected
	case status >= 300:
		cause = CauseRedirect
	default:
		cause = CauseBadReply
	}
	return c.fault(call, cause, fmt.Sprintf("it answered with status %d%s", status, code(body)))
}

// code is the service's own word for an error, when it looks like one.
func code(body []byte) string {
	reply, err := wire.Parse(body)
	if err != nil {
		return ""
	}
	said, err := reply.Object("error")
	if err != nil {
		return ""
	}
	word, err := said.Text("code")
	if err != nil || !regexp.MustCompile(`^[a-z_]{1,40}$`).MatchString(word) {
		return ""
	}
	return " (" + word + ")"
}

// unreadable is an error about a reply's content.
func (c *Client) unreadable(call string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, wire.ErrTruncated):
		return c.fault(call, CauseTruncated, err.Error())
	}
	return c.fault(call, CauseBadReply, err.Error())
}
