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

// TestEveryKindIsMasked: one made-up secret of each kind, none of whose
// characters beyond what names it stay. They are put together here, so that no
// scanner takes this file for a leak.
func TestEveryKindIsMasked(t *testing.T) {
	t.Parallel()
	alnum, hex, caps := strings.Repeat("aB3dE6g", 9), strings.Repeat("0a1b2c3d", 8), strings.Repeat("AB12CD34", 8)
	tests := map[string]string{ // the secret stands between the two marks
		"GitHub":               "ghp" + "_«" + alnum[:36] + "»",
		"GitHub OAuth":         "gho" + "_«" + alnum[:36] + "»",
		"GitHub fine-grained":  "github_pat" + "_«" + alnum[:40] + "»",
		"GitLab":               "glpat" + "-«" + alnum[:20] + "»",
		"npm":                  "npm" + "_«" + alnum[:36] + "»",
		"PyPI":                 "pypi" + "-«" + alnum[:40] + "»",
		"RubyGems":             "rubygems" + "_«" + hex[:48] + "»",
		"Docker Hub":           "dckr_pat" + "_«" + alnum[:27] + "»",
		"Hugging Face":         "hf" + "_«" + alnum[:34] + "»",
		"OpenAI":               "sk" + "-proj-«" + alnum[:40] + "»",
		"Anthropic":            "sk" + "-ant-api03-«" + alnum[:40] + "»",
		"Stripe":               "sk_live" + "_«" + alnum[:24] + "»",
		"Stripe restricted":    "rk_test" + "_«" + alnum[:24] + "»",
		"AWS key id":           "AKIA" + "«" + caps[:16] + "»",
		"AWS secret":           "AWS_SECRET_ACCESS_KEY=«" + alnum[:40] + "»",
		"Slack token":          "xoxb" + "-«123456789012-" + alnum[:24] + "»",
		"Slack webhook":        "https://hooks.slack.com/services/«T00/B00/" + alnum[:24] + "»",
		"Discord webhook":      "https://discord.com/api/webhooks/«123/" + alnum[:24] + "»",
		"Google API":           "AIza" + "«" + alnum[:35] + "»",
		"Google OAuth":         "ya29" + ".«" + alnum[:40] + "»",
		"Google client":        "GOCSPX" + "-«" + alnum[:28] + "»",
		"DigitalOcean":         "dop_v1" + "_«" + hex[:64] + "»",
		"SendGrid":             "SG" + ".«" + alnum[:22] + "." + alnum[:43] + "»",
		"Twilio":               "SK" + "«" + hex[:32] + "»",
		"Shopify":              "shpat" + "_«" + hex[:32] + "»",
		"Telegram":             "123456789" + ":AA«" + alnum[:33] + "»",
		"Mailgun":              "key" + "-«" + hex[:32] + "»",
		"Databricks":           "dapi" + "«" + hex[:32] + "»",
		"Linear":               "lin_api" + "_«" + alnum[:40] + "»",
		"Notion":               "ntn" + "_«" + alnum[:40] + "»",
		"Vault":                "hvs" + ".«" + alnum[:30] + "»",
		"Grafana":              "glsa" + "_«" + alnum[:32] + "_" + hex[:8] + "»",
		"New Relic":            "NRAK" + "-«" + caps[:27] + "»",
		"Sentry":               "sntrys" + "_«" + alnum[:40] + "»",
		"Postman":              "PMAK" + "-«" + hex[:24] + "-" + hex[:34] + "»",
		"Square":               "sq0atp" + "-«" + alnum[:22] + "»",
		"Terraform":            "atlasv1" + ".«" + alnum[:60] + "»",
		"Figma":                "figd" + "_«" + alnum[:40] + "»",
		"HubSpot":              "pat-na1" + "-«" + hex[:32] + "»",
		"JWT":                  "eyJ" + "«" + alnum[:20] + ".eyJ" + alnum[:20] + "." + alnum[:20] + "»",
		"age":                  "AGE-SECRET-KEY-1" + "«" + caps[:58] + "»",
		"private key":          "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n«" + alnum + "»\n-----END OPENSSH " + "PRIVATE KEY-----",
		"PGP private key":      "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n«" + alnum + "»\n-----END PGP " + "PRIVATE KEY BLOCK-----",
		"Authorization":        "Authorization: Basic «" + alnum[:20] + "»",
		"bearer":               "curl -H 'bearer «" + alnum[:20] + "»'",
		"API key header":       "X-Api-Key: «" + alnum[:20] + "»",
		"cookie":               "Cookie: session=«" + alnum[:20] + "»",
		"set-cookie":           "set-cookie: sid=«" + alnum[:20] + "»; Path=/",
		"URL with a password":  "postgres://app:«hunter2hunter2»@db.example.com/x",
		"redis without a name": "redis://:«hunter2hunter2»@cache:6379",
		"netrc":                "machine example.com login me password «hunter2hunter2»",
		"curl's user":          "curl -u me:«hunter2hunter2» https://example.com",
		"Azure storage":        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«" + alnum[:40] + "==»;EndpointSuffix=x",
		"Azure bus":            "Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=«" + alnum[:40] + "=»",
		"Azure SAS":            "https://x.blob.core.windows.net/c?se=2027&sig=«" + alnum[:30] + "%3D»",
		"environment":          "export DB_PASSWORD=«hunter2hunter2»",
		"YAML":                 "client_secret: «hunter2hunter2»",
		"JSON":                 `{"api_key": «"hunter2hunter2"»}`,
		"option":               "login --token «hunter2hunter2» --force",
		"passphrase in quotes": `passphrase = «"correct horse battery"»`,
	}
	for name, marked := range tests {
		before, rest, _ := strings.Cut(marked, "«")
		hidden, after, _ := strings.Cut(rest, "»")
		in := "use " + before + hidden + after + " then go on"
		got := Text(in)
		if strings.Contains(got, hidden) || !strings.Contains(got, secret.Masked) || !strings.HasPrefix(got, "use ") {
			t.Errorf("%s: %q became %q", name, in, got)
		}
		if !secret.May(in) {
			t.Errorf("%s: its marks do not tell of %q", name, in)
		}
	}
	if len(tests) < 30 {
		t.Errorf("%d kinds", len(tests))
	}
}

// TestLookAlikesAreKept: what people write all day, and that looks a little like
// a secret.
func TestLookAlikesAreKept(t *testing.T) {
	t.Parallel()
	tests := []string{
		"revert 9fceb02d0ae598e95dc970b74767f19372d61af8 on main",
		"the image sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"id 123e4567-e89b-12d3-a456-426614174000",
		"why does the token bucket starve",
		"the password reset flow is slow",
		"rename secret_test.go to mask_test.go",
		"look at github.com/blevesearch/bleve/v2",
		"see https://example.com/a@b and mail me@example.com",
		"bump to v1.2.3-rc.1+build.5",
		"scikit-learn is sk-learn in the old docs",
		"run the task-runner and the disk-usage check",
		"eyJ is how a JWT begins",
		"AKIA is the prefix of a key id",
		"npm_config_cache is set",
		"use the hf_hub library",
		"key-value pairs, key-press handling",
		"pypi-server is down",
		"basic authentication, bearer authentication",
		"is the Authorization header sent?",
		"add a cookie banner; the cookie: why is it set twice?",
		"curl -u is deprecated?",
		"machine learning with a password prompt",
		"git@github.com:me/x.git",
		"base64 of hello is aGVsbG8=",
		"the access log and the API docs",
		"SG is Singapore",
		"ya29 is a prefix, GOCSPX- too",
		"the hooks.slack.com host is blocked",
		"what is -----BEGIN CERTIFICATE-----",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx me@host",
		"credentials are rotated by a cron job",
		"compare a:b and c:d, ratio 16:9, time 12:30:45",
		"secretary, tokenizer, passwordless",
		"--force --no-verify -u origin main",
		"PMAK and NRAK are prefixes",
		"the lock 0123456789abcdef0123456789abcdef is stale",
	}
	for _, in := range tests {
		if got := Text(in); got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
	if len(tests) < 30 {
		t.Errorf("%d look-alikes", len(tests))
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
