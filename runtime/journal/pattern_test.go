package journal

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// asRegexp holds every secret's pattern against package regexp.
func asRegexp(t *testing.T, text string) {
	t.Helper()
	for i, s := range secrets() {
		want := regexps()[i].ReplaceAllString(text, s.with)
		if got := compile(s.pattern).replace(text, s.with); got != want {
			t.Fatalf("%s on %q: expected %q, observed %q", s.pattern, text, want, got)
		}
	}
}

var regexps = func() func() []*regexp.Regexp {
	var made []*regexp.Regexp
	for _, s := range secrets() {
		made = append(made, regexp.MustCompile(s.pattern))
	}
	return func() []*regexp.Regexp { return made }
}()

// pieces are what texts are made of that come near to a secret.
func pieces() []string {
	return []string{
		"-----BEGIN ", "RSA ", "PRIVATE KEY-----", "-----END ", "https://", "://", "user:pw", "@", "/", "ghp_", "gho_", "github_pat_", "glpat-",
		"npm_", "sk-", "sk_live_", "rk_test_", "AKIA", "ASIA", "xoxb-", "AIza", "eyJ", ".", "authorization", "Authorization", "Basic ", "BEARER ",
		"bearer", "password", "PassWord", "passwd", "passphrase", "pwd", "secret", "token", "api", "key", "access", "_", "-", "--", "credential",
		"=", ":", " ", "\n", "\t", "\v", "\"", "'", ",", ";", "&", "<", ">", "0", "7", "Z", "abcdefgh", "ABCDEFGHIJKLMNOP", "0123456789abcdef",
		strings.Repeat("x9", 20), "ü", "ſ", "\u212a", "to\u212aen", "pa\u017f\u017fword", "\xff", "\xe2\x80", "\ufffd", "~", "+",
	}
}

func TestPatternsAreRegexps(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	list := pieces()
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(list[r.IntN(len(list))])
		}
		asRegexp(t, b.String())
	}
	for _, long := range []string{strings.Repeat("a", 4*maxText), strings.Repeat("token", 3*maxText/4), strings.Repeat("api=x ", maxText/2)} {
		asRegexp(t, long)
	}
}

func FuzzPatterns(f *testing.F) {
	for _, p := range pieces() {
		f.Add(p, "=", p)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) { asRegexp(t, a+b+c) })
}

func BenchmarkMaskLong(b *testing.B) {
	text := strings.Repeat("token", 4*maxText/5)
	for b.Loop() {
		mask(text)
	}
}
