package service

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"kitsoki/runtime/memory/wire"
)

// DefaultAddr is where a service listens when nothing else is said.
const DefaultAddr = "127.0.0.1:" + wire.Port

// minToken is how many characters a token has at least.
const minToken = 16

// Token is a secret and the namespace that it stands for.
type Token struct {
	Secret    wire.Secret
	Namespace string
}

// CheckTokens tells what is wrong with tokens, by their place in the list,
// from 1.
func CheckTokens(tokens []Token) error {
	seen := map[string]bool{}
	for i, t := range tokens {
		secret := t.Secret.Reveal()
		var what string
		switch {
		case utf8.RuneCountInString(secret) < minToken:
			what = fmt.Sprintf("is shorter than %d characters", minToken)
		case !t.Secret.Sendable():
			what = "has characters that can't be sent: only visible ASCII can"
		case strings.TrimSpace(t.Namespace) == "":
			what = "has no namespace"
		case seen[secret]:
			what = "is there twice"
		default:
			seen[secret] = true
			continue
		}
		return fmt.Errorf("memory service: token %d %s", i+1, what)
	}
	return nil
}

// CheckListen tells why a service must not listen at a "host:port": anywhere
// but on this machine it needs a token.
func CheckListen(address string, tokens []Token) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return errors.New("memory service: the address must be host:port, as in " + DefaultAddr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("memory service: the port must be a number from 0 to 65535")
	}
	if err := CheckTokens(tokens); err != nil {
		return err
	}
	if !wire.Loopback(host) && len(tokens) == 0 {
		return errors.New("memory service: an address that others can reach needs a token")
	}
	return nil
}

// authorize gives the namespace of who asks.
func (s *Service) authorize(r *http.Request) (string, error) {
	if len(s.opts.Tokens) == 0 {
		return s.opts.Namespace, nil
	}
	given := r.Header.Values("Authorization")
	if len(given) != 1 {
		return "", refuse(http.StatusUnauthorized, "token_missing", "a token is needed: Authorization: Bearer …")
	}
	scheme, secret, _ := strings.Cut(given[0], " ")
	if !strings.EqualFold(scheme, "bearer") {
		return "", refuse(http.StatusUnauthorized, "token_missing", "a token is needed: Authorization: Bearer …")
	}
	if t := s.find(strings.TrimSpace(secret)); t != nil {
		return t.Namespace, nil
	}
	return "", refuse(http.StatusUnauthorized, "token_wrong", "the token is not known here")
}

// find compares with every token, each time the same number of bytes.
func (s *Service) find(secret string) *Token {
	given := sha256.Sum256([]byte(secret))
	var found *Token
	for i := range s.opts.Tokens {
		want := sha256.Sum256([]byte(s.opts.Tokens[i].Secret.Reveal()))
		if subtle.ConstantTimeCompare(given[:], want[:]) == 1 {
			found = &s.opts.Tokens[i]
		}
	}
	return found
}

// claims checks a namespace that a body names: it may repeat the token's.
func claims(body wire.Object, namespace string) error {
	said, err := body.Text("namespace")
	switch {
	case err != nil:
		return invalid(err.Error())
	case said != "" && said != namespace:
		return refuse(http.StatusForbidden, "wrong_namespace", "the request is not for the namespace that it names")
	}
	return nil
}

// fromPage refuses what a web page sent: a page that a browser shows can ask
// this machine's services, under a name that leads here as well.
func (s *Service) fromPage(r *http.Request) error {
	if r.Header.Get("Origin") != "" {
		return refuse(http.StatusForbidden, "web_page", "web pages are not answered")
	}
	if len(s.opts.Tokens) > 0 && !onLoopback(r) {
		return nil
	}
	host := wire.Host(r.Host)
	if wire.Loopback(host) {
		return nil
	}
	for _, name := range s.opts.Hosts {
		if strings.EqualFold(host, name) {
			return nil
		}
	}
	return refuse(http.StatusForbidden, "wrong_host", "the service has another name")
}

// onLoopback tells whether a request came in on this machine's own address,
// as it did when nothing is known of it.
func onLoopback(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return !ok || wire.Loopback(wire.Host(at.String()))
}
