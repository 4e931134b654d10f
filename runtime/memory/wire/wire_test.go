package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, data string
		want       error
	}{
		{"an object", ` {"a": {"b": [1, {"c": "d"}]}, "e": null} `, nil},
		{"the same key at two depths", `{"a": {"a": [{"a": 1}, {"a": 2}]}}`, nil},
		{"keys that differ by case", `{"a": 1, "A": 2}`, nil},
		{"empty", ``, ErrTruncated},
		{"blanks", " \n", ErrTruncated},
		{"cut off in an object", `{"a": 1`, ErrTruncated},
		{"cut off in a text", `{"a": "b`, ErrTruncated},
		{"cut off in a list", `{"a": [1,`, ErrTruncated},
		{"no JSON", `<html>`, ErrSyntax},
		{"two values", `{} {}`, ErrSyntax},
		{"something behind it", `{}x`, ErrSyntax},
		{"a list", `[{}]`, ErrNoObject},
		{"a text", `"{}"`, ErrNoObject},
		{"null", `null`, ErrNoObject},
		{"not UTF-8", "{\"a\": \"\xff\"}", ErrEncoding},
		{"a key twice", `{"a": 1, "a": 1}`, ErrTwice},
		{"a key twice, written differently", `{"a": 1, "\u0061": 1}`, ErrTwice},
		{"a key twice, deeper", `{"a": [{"b": {"c": 1, "d": {}, "c": 2}}]}`, ErrTwice},
	}
	for _, tt := range tests {
		if _, err := Parse([]byte(tt.data)); !errors.Is(err, tt.want) {
			t.Errorf("%s: expected %v, observed %v", tt.name, tt.want, err)
		}
	}
}

func TestTypesAreStrict(t *testing.T) {
	t.Parallel()
	o, err := Parse([]byte(`{"t":"x","n":1,"b":true,"o":{"k":"v"},"l":[{"k":"v"},{}],"m":[1],"z":null,"e":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"t": "x", "z": "", "absent": "", "T": ""} {
		if got, err := o.Text(key); got != want || err != nil {
			t.Errorf("text %q: %q, %v", key, got, err)
		}
	}
	for _, key := range []string{"n", "b", "o", "l"} {
		var te *TypeError
		if _, err := o.Text(key); !errors.As(err, &te) || te.Key != key {
			t.Errorf("text %q: %v", key, err)
		}
	}
	if sub, err := o.Object("o"); err != nil || string(sub["k"]) != `"v"` {
		t.Errorf("object: %v, %v", sub, err)
	}
	if sub, err := o.Object("z"); err != nil || sub != nil {
		t.Errorf("no object: %v, %v", sub, err)
	}
	if _, err := o.Object("t"); err == nil {
		t.Error("a text passed for an object")
	}
	if list, err := o.Objects("l"); err != nil || len(list) != 2 {
		t.Errorf("list: %v, %v", list, err)
	}
	if list, err := o.Objects("e"); err != nil || list == nil {
		t.Errorf("an empty list: %v, %v", list, err)
	}
	for _, key := range []string{"t", "m", "o"} {
		if _, err := o.Objects(key); err == nil {
			t.Errorf("%q passed for a list of objects", key)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":[{"a":{}}],"b":null}`, `[`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := Parse(data)
		if err == nil && !json.Valid(data) {
			t.Errorf("%q is no JSON", data)
		}
		if err == nil && o == nil {
			t.Error("neither an object nor an error")
		}
	})
}

func TestPathCompleteIsOneSegment(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"turn:e9ac85359eb09e6293d13066": "/v1/turns/turn:e9ac85359eb09e6293d13066/complete",
		"a/b":                           "/v1/turns/a%2Fb/complete",
		"a?b c":                         "/v1/turns/a%3Fb%20c/complete",
	} {
		if got := PathComplete(id); got != want {
			t.Errorf("expected %s, observed %s", want, got)
		}
		if got, ok := CompletedTurn(PathComplete(id)); got != id || !ok {
			t.Errorf("%s came back as %q, %v", id, got, ok)
		}
	}
	for _, path := range []string{"/v1/turns/complete", "/v1/turns//complete", "/v1/turns/a/b/complete", "/v1/turns/a/complete/", "/v1/turns/%zz/complete", "/v1/turns/start"} {
		if id, ok := CompletedTurn(path); ok {
			t.Errorf("%s names turn %q", path, id)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	if got := Cut(" \n "+strings.Repeat("ü", 601)+"\n", 600); got != strings.Repeat("ü", 600) {
		t.Errorf("%d bytes", len(got))
	}
	if got := Cut("  as it is ", 600); got != "as it is" {
		t.Errorf("%q", got)
	}
}

func TestLoopback(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "localhost.": true, "a.localhost": true, "127.0.0.1": true, "127.9.9.9": true,
		"::1": true, "[::1]": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "localhost.example": false, "notlocalhost": false, "192.168.0.1": false,
		"127.0.0.1.example": false,
	} {
		if got := Loopback(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	s := NewSecret("0123456789abcdef")
	type holder struct{ Token, token Secret }
	texts := []string{fmt.Sprint(s), s.String(), fmt.Sprintf("%s %q %v %+v %#v %x %d", s, s, s, s, s, s, s), fmt.Sprintf("%+v %#v", holder{s, s}, &holder{s, s})}
	raw, err := json.Marshal(holder{s, s})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(texts, string(raw)) {
		if strings.Contains(text, "0123456789") || strings.Contains(text, "30313233") || !strings.Contains(text, hidden) {
			t.Errorf("printed: %s", text)
		}
	}
	if (Secret{}).Reveal() != "" || s.IsZero() || !NewSecret("").IsZero() || s.Reveal() != "0123456789abcdef" || !s.Sendable() {
		t.Error("the secret is lost")
	}
	for _, bad := range []string{"", "a b", "a\nb", "ü"} {
		if NewSecret(bad).Sendable() {
			t.Errorf("%q can't stand in a header", bad)
		}
	}
}
