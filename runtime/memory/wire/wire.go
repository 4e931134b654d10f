// Package wire holds what both ends of the memory service's contract (XKB)
// share: its names and limits, the reading of its JSON, and secrets.
//
// In go bytes; out come objects whose keys are exact and occur once, texts
// that are texts, and errors that name the key and never quote the value. A
// key that nobody asks for is ignored. It opens no connection and no file.
package wire

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"
)

// What the contract names. Lengths of texts are in code points.
const (
	Port        = "18972" // where a service listens when nothing else is said
	PathOpen    = "/v1/sessions/open"
	PathStart   = "/v1/turns/start"
	pathTurns   = "/v1/turns/"
	pathDone    = "/complete"
	MaxBody     = 2_000_000  // bytes of a request
	MaxMessages = 8          // of a conversation
	MaxContent  = 600        // of one of its messages
	Degraded    = "degraded" // the status that says that something was left out
)

// Role is whose a message is.
type Role string

// The roles; there are no others.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Known tells whether the contract has the role.
func (r Role) Known() bool { return r == RoleUser || r == RoleAssistant }

// Message is a part of what was said before a turn.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
}

// PathComplete is where a turn is completed. Whatever the id holds stays one
// segment.
func PathComplete(turn string) string { return pathTurns + url.PathEscape(turn) + pathDone }

// CompletedTurn finds the turn's id in an escaped path; ok is false for any
// other path.
func CompletedTurn(path string) (turn string, ok bool) {
	rest, begins := strings.CutPrefix(path, pathTurns)
	segment, ends := strings.CutSuffix(rest, pathDone)
	if !begins || !ends || segment == "" || strings.Contains(segment, "/") {
		return "", false
	}
	turn, err := url.PathUnescape(segment)
	return turn, err == nil
}

// Cut gives a text without blanks around it, and its first n code points.
func Cut(s string, n int) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

// Loopback tells whether a host, without a port, is this machine's own. A name
// is only when it must be, as localhost is.
func Loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.Unmap().IsLoopback()
}

// Host is the host of a "host:port", or of a host alone.
func Host(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}
