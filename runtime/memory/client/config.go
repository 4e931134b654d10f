package client

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kitsoki/runtime/memory/wire"
)

// The environment's names, as the contract has them.
const (
	EnvURL           = "XKB_MEMORY_SERVICE_URL"
	EnvToken         = "XKB_SERVICE_TOKEN"
	EnvTimeout       = "XKB_HOOK_TIMEOUT"        // seconds
	EnvRecallTimeout = "XKB_HOOK_RECALL_TIMEOUT" // seconds
	EnvState         = "XKB_HOOK_STATE"          // a folder
)

// The time-outs of the contract, and the longest that may be asked for: an
// hour is longer than any hook may take.
const (
	DefaultTimeout       = 6 * time.Second
	DefaultRecallTimeout = 40 * time.Second
	maxTimeout           = time.Hour
)

// Config is what a client needs. All of it but Total and Proxy is required,
// and Token where the service wants one.
type Config struct {
	URL           string // http or https; a path before the contract's own is kept
	Token         wire.Secret
	Agent         string                           // the agent's name, sent as source and as agent_id
	Timeout       time.Duration                    // of opening a session and of completing a turn
	RecallTimeout time.Duration                    // of starting a turn
	Total         time.Duration                    // what all calls together must stay below, counted from New; 0 for no bound
	Now           func() time.Time                 // the clock that Total is measured by
	Proxy         func(*url.URL) (*url.URL, error) // which proxy to go through, nil for none; never asked for this machine
}

// File is what the user's own configuration file says.
type File struct {
	URL   string
	Token wire.Secret
}

// Settings are what environment and file say together.
type Settings struct {
	URL                    string // "" when there is no service
	Token                  wire.Secret
	Timeout, RecallTimeout time.Duration
	State                  string   // the folder for what is remembered
	Notes                  []string // a line for each value that was ignored, without the value
}

// Read puts the environment before the file, each value by itself, and state
// is the folder when the environment names none. A malformed value is ignored
// and noted; an empty one is none.
func Read(env func(string) string, file File, state string) Settings {
	s := Settings{
		URL: first(env(EnvURL), file.URL), Token: wire.NewSecret(first(env(EnvToken), file.Token.Reveal())),
		Timeout: DefaultTimeout, RecallTimeout: DefaultRecallTimeout, State: state,
	}
	if d, ok := s.seconds(env, EnvTimeout); ok {
		s.Timeout, s.RecallTimeout = d, d
	}
	if d, ok := s.seconds(env, EnvRecallTimeout); ok {
		s.RecallTimeout = d
	}
	if dir := strings.TrimSpace(env(EnvState)); filepath.IsAbs(dir) {
		s.State = filepath.Clean(dir)
	} else if dir != "" {
		s.note(EnvState, "an absolute path")
	}
	return s
}

// Config is the settings as a client's configuration.
func (s Settings) Config(agent string, total time.Duration, now func() time.Time) Config {
	return Config{
		URL: s.URL, Token: s.Token, Agent: agent, Timeout: s.Timeout, RecallTimeout: s.RecallTimeout, Total: total, Now: now,
	}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

func (s *Settings) note(name, want string) {
	s.Notes = append(s.Notes, fmt.Sprintf("%s is ignored: it must be %s", name, want))
}

// seconds reads a time-out; ok is false when there is none.
func (s *Settings) seconds(env func(string) string, name string) (d time.Duration, ok bool) {
	text := strings.TrimSpace(env(name))
	if text == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v <= 0 || v > maxTimeout.Seconds() || time.Duration(v*float64(time.Second)) <= 0 {
		s.note(name, fmt.Sprintf("a number of seconds above 0, at most %g", maxTimeout.Seconds()))
		return 0, false
	}
	return time.Duration(v * float64(time.Second)), true
}

// check looks at what is not the address.
func (c Config) check() error {
	switch {
	case !c.Token.IsZero() && !c.Token.Sendable():
		return misconfigured("the token has characters that can't be sent")
	case strings.TrimSpace(c.Agent) == "":
		return misconfigured("the agent has no name")
	case c.Timeout <= 0 || c.RecallTimeout <= 0:
		return misconfigured("a time-out is missing")
	case c.Total < 0 || c.Total > 0 && c.Now == nil:
		return misconfigured("the bound can't be measured")
	}
	return nil
}

// address checks a URL and gives it without what the contract has no use for.
// Plain http without a port means the contract's own port; https without one
// means https's, as behind any front end.
func address(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", misconfigured("the URL can't be read")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", misconfigured("the URL must begin with http:// or https://")
	case u.User != nil:
		return "", misconfigured("the URL must not hold a user or a password")
	case u.Hostname() == "" || u.Opaque != "":
		return "", misconfigured("the URL names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", misconfigured("the URL must end with its path")
	}
	if u.Scheme == "http" && u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), wire.Port)
	}
	return strings.TrimRight(u.String(), "/"), nil
}
