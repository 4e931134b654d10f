package mask

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"kitsoki/runtime/secret"
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
		if got := Text(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("password=x https://a:b@c")
	f.Fuzz(func(t *testing.T, in string) {
		if utf8.ValidString(in) && !utf8.ValidString(Text(in)) {
			t.Errorf("%q became invalid", in)
		}
	})
}

// FuzzMayKnowsAll: what a pattern would mask, its marks tell of. Letters that
// are lower case of none in ASCII stand in no secret.
func FuzzMayKnowsAll(f *testing.F) {
	for _, seed := range []string{"password=x", "https://a:b@c", "Bearer a1b2c3d4e5", "--api-key k", "eyJabcdefgh.abcdefgh", "AKIAABCDEFGHIJKLMNOP", "TOKEN: x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if strings.ContainsAny(in, "\u017f\u212a") {
			return
		}
		for _, k := range secret.Kinds() {
			if regexp.MustCompile(k.Pattern).MatchString(in) && (!k.May(strings.ToLower(in)) || !secret.May(in)) {
				t.Errorf("%q matches %s", in, k.Pattern)
			}
		}
	})
}
