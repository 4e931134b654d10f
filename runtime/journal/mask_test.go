package journal

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// The secrets below are made up; each is split so that no scanner takes this
// file for a leak.
func TestMask(t *testing.T) {
	t.Parallel()
	tail := strings.Repeat("a1B2", 9)
	tests := []struct{ name, in, want string }{
		{"nothing", "push the basic token handling to main", "push the basic token handling to main"},
		{"path and mail", "see http://host/a@b and me@example.com", "see http://host/a@b and me@example.com"},
		{"github", "use ghp" + "_" + tail + " now", "use [masked] now"},
		{"github fine-grained", "github_pat" + "_" + tail, "[masked]"},
		{"gitlab", "glpat" + "-" + tail, "[masked]"},
		{"openai", "key sk" + "-proj-" + tail + ".", "key [masked]."},
		{"aws", "AKIA" + "ABCDEFGHIJKLMNOP here", "[masked] here"},
		{"slack", "xoxb" + "-123456789012-abc", "[masked]"},
		{"google", "AIza" + tail, "[masked]"},
		{"npm", "npm" + "_" + tail, "[masked]"},
		{"jwt", "eyJ" + "hbGciOiJI.eyJzdWIiOiIx.sig", "[masked]"},
		{"header", "Authorization: Bearer " + tail, "Authorization: Bearer [masked]"},
		{"other header", `-H "authorization: Basic dXNlcjpwYXNz" url`, `-H "authorization: Basic [masked]" url`},
		{"bearer", "use bearer " + tail, "use bearer [masked]"},
		{"words", "basic functionality, bearer authentication", "basic functionality, bearer authentication"},
		{"password", "password=hunter2 and go", "password=[masked] and go"},
		{"quoted", `set API_KEY: "a b c" please`, `set API_KEY: [masked] please`},
		{"env name", "DB_PASSWORD=x123, next", "DB_PASSWORD=[masked], next"},
		{"option", "login --token abc123 --force", "login --token [masked] --force"},
		{"option without value", "login --token --force", "login --token --force"},
		{"url", "clone https://me:pw@host/x.git", "clone https://[masked]@host/x.git"},
		{"private key", "a\n-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\n-----END RSA " + "PRIVATE KEY-----\nb", "a\n[masked]\nb"},
		{"cut private key", "-----BEGIN " + "PRIVATE KEY-----\nMIIE", "[masked]"},
	}
	for _, tt := range tests {
		if got := mask(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNoSecretReachesTheFile(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	const word = "hunter2hunter2"
	text := "password=" + word
	slots, err := json.Marshal(map[string]any{"message": text, "list": []string{text}, "n": 3})
	must(t, err)
	_, err = j.Matched(Head{}, Matched{Input: text, Slots: slots})
	must(t, err)
	_, err = j.Passed(Head{}, Passed{Input: text, Detail: text})
	must(t, err)
	data, err := os.ReadFile(j.Path)
	must(t, err)
	if strings.Contains(string(data), word) || strings.Count(string(data), masked) != 5 || !strings.Contains(string(data), `"n":3`) {
		t.Errorf("trace:\n%s", data)
	}
}

func TestCleanCutsAtACharacter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", maxText)
	got := CleanText(long)
	if !utf8.ValidString(got) || len(got) > maxText+len("…") || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
	}
	secret := strings.Repeat("x ", maxText/2-8) + "password=" + strings.Repeat("q", 100)
	if strings.Contains(CleanText(secret), "q") {
		t.Error("a secret at the cut was kept in part")
	}
	if CleanJSON(json.RawMessage("{broken")) != nil {
		t.Error("broken JSON was kept")
	}
}

func FuzzMask(f *testing.F) {
	f.Add("password=x https://a:b@c")
	f.Fuzz(func(t *testing.T, in string) {
		if utf8.ValidString(in) && !utf8.ValidString(CleanText(in)) {
			t.Errorf("%q became invalid", in)
		}
	})
}
