package client

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

func environment(pairs ...string) func(string) string {
	env := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return env[name] }
}

func TestEnvironmentBeforeFile(t *testing.T) {
	t.Parallel()
	file := File{URL: "http://file", Token: wire.NewSecret("file-token")}
	tests := []struct {
		name       string
		env        func(string) string
		file       File
		url, token string
	}{
		{"neither", environment(), File{}, "", ""},
		{"file", environment(), file, "http://file", "file-token"},
		{"both", environment(EnvURL, " http://env ", EnvToken, "env-token\n"), file, "http://env", "env-token"},
		{"one of each", environment(EnvURL, "http://env"), file, "http://env", "file-token"},
		{"empty is none", environment(EnvURL, "", EnvToken, " "), file, "http://file", "file-token"},
	}
	for _, tt := range tests {
		s := Read(tt.env, tt.file, "/state")
		if s.URL != tt.url || s.Token.Reveal() != tt.token || len(s.Notes) != 0 || s.State != "/state" {
			t.Errorf("%s: %q %q %q", tt.name, s.URL, s.Token.Reveal(), s.Notes)
		}
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	const s = time.Second
	tests := []struct {
		timeout, recall       string
		wantTimeout, wantCall time.Duration
		notes                 []string
	}{
		{"", "", 6 * s, 40 * s, nil},
		{"9", "", 9 * s, 9 * s, nil},
		{"", "12", 6 * s, 12 * s, nil},
		{"9", "12.5", 9 * s, 12500 * time.Millisecond, nil},
		{"0.25", "", s / 4, s / 4, nil},
		{"6s", "", 6 * s, 40 * s, []string{EnvTimeout}},
		{"9", "soon", 9 * s, 9 * s, []string{EnvRecallTimeout}},
		{"0", "-1", 6 * s, 40 * s, []string{EnvTimeout, EnvRecallTimeout}},
		{"NaN", "Inf", 6 * s, 40 * s, []string{EnvTimeout, EnvRecallTimeout}},
		{"1e-30", "3601", 6 * s, 40 * s, []string{EnvTimeout, EnvRecallTimeout}},
		{"3600", "1e300", 3600 * s, 3600 * s, []string{EnvRecallTimeout}},
	}
	for _, tt := range tests {
		got := Read(environment(EnvTimeout, tt.timeout, EnvRecallTimeout, tt.recall), File{}, "")
		if got.Timeout != tt.wantTimeout || got.RecallTimeout != tt.wantCall || len(got.Notes) != len(tt.notes) {
			t.Errorf("%q %q: %v %v %q", tt.timeout, tt.recall, got.Timeout, got.RecallTimeout, got.Notes)
			continue
		}
		for i, name := range tt.notes {
			if !strings.HasPrefix(got.Notes[i], name+" is ignored") {
				t.Errorf("%q %q: note %q", tt.timeout, tt.recall, got.Notes[i])
			}
		}
	}
}

func TestHookStateNamesAnotherFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if s := Read(environment(EnvState, dir+string(filepath.Separator)), File{}, "/state"); s.State != dir || len(s.Notes) != 0 {
		t.Errorf("%q %q", s.State, s.Notes)
	}
	if s := Read(environment(EnvState, "state"), File{}, "/state"); s.State != "/state" || len(s.Notes) != 1 {
		t.Errorf("a relative folder: %q %q", s.State, s.Notes)
	}
}

func TestDefaultPort(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"http://127.0.0.1":              "http://127.0.0.1:18972",
		"http://[::1]/":                 "http://[::1]:18972",
		"http://127.0.0.1:80":           "http://127.0.0.1:80",
		"http://nas/memory/":            "http://nas:18972/memory",
		"https://memory.example.com":    "https://memory.example.com",
		"https://memory.example.com:8/": "https://memory.example.com:8",
		"HTTP://Nas":                    "http://Nas:18972",
	} {
		if got := connect(t, config(in)).Address(); got != want {
			t.Errorf("%s: expected %s, observed %s", in, want, got)
		}
	}
}

func TestHTTPAndHTTPSOnly(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "127.0.0.1:18972", "ftp://host", "file:///etc/passwd", "unix:///run/x.sock", "http://", "http:///path", "http:host",
		"http://user:" + token + "@host", "http://host?token=" + token, "http://host/#x", "http://ho st", "http://host:port", "//host",
	} {
		_, err := New(config(bad))
		if CauseOf(err) != CauseConfig || strings.Contains(err.Error(), token) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*Config){
		"a token with a line end": func(c *Config) { c.Token = wire.NewSecret(token + "\nX: y") },
		"a token with a blank":    func(c *Config) { c.Token = wire.NewSecret("a " + token) },
		"no name":                 func(c *Config) { c.Agent = " " },
		"no time-out":             func(c *Config) { c.Timeout = 0 },
		"no recall time-out":      func(c *Config) { c.RecallTimeout = 0 },
		"a bound without a clock": func(c *Config) { c.Total, c.Now = time.Second, nil },
		"a bound below nothing":   func(c *Config) { c.Total = -1 },
	} {
		c := config("http://127.0.0.1")
		spoil(&c)
		_, err := New(c)
		if CauseOf(err) != CauseConfig || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokenIsNotPrintedWithItsHolder(t *testing.T) {
	t.Parallel()
	s := Read(environment(EnvURL, "http://127.0.0.1", EnvToken, token), File{Token: wire.NewSecret(token)}, "")
	c := connect(t, s.Config("claude-code", 0, noon))
	for _, v := range []any{s, &s, c.cfg, &c.cfg, c, File{Token: wire.NewSecret(token)}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, token) || strings.Contains(text, fmt.Sprintf("%x", token)) {
				t.Errorf("%T with %s shows the token", v, verb)
			}
		}
	}
	if c.cfg.Token.Reveal() != token || c.cfg.Timeout != DefaultTimeout || c.cfg.RecallTimeout != DefaultRecallTimeout || c.cfg.Agent != "claude-code" {
		t.Errorf("the settings were lost: %+v", c.cfg)
	}
}
