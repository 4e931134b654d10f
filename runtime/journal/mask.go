package journal

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// masked stands where a secret stood.
const masked = "[masked]"

// secret is one kind of secret. Marks are lower-case pieces of text one of
// which every such secret contains: the pattern is compiled only when one is
// seen, since most prompts hold none and this runs at every prompt. With is
// what takes the place of a match.
type secret struct {
	marks         []string
	pattern, with string
}

func secrets() []secret {
	return []secret{
		{[]string{"private key-----"}, `(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)`, masked},
		{[]string{"://"}, `(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/@"'<>]+@`, "${1}" + masked + "@"},
		{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, `\bgh[pousr]_[A-Za-z0-9]{16,}`, masked},
		{[]string{"github_pat_"}, `\bgithub_pat_[A-Za-z0-9_]{16,}`, masked},
		{[]string{"glpat-"}, `\bglpat-[A-Za-z0-9_-]{16,}`, masked},
		{[]string{"npm_"}, `\bnpm_[A-Za-z0-9]{20,}`, masked},
		{[]string{"sk-"}, `\bsk-[A-Za-z0-9_-]{16,}`, masked},
		{[]string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, `\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}`, masked},
		{[]string{"akia", "asia"}, `\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`, masked},
		{[]string{"xox"}, `\bxox[a-z]-[A-Za-z0-9-]{10,}`, masked},
		{[]string{"aiza"}, `\bAIza[A-Za-z0-9_-]{30,}`, masked},
		{[]string{"eyj"}, `\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`, masked},
		{[]string{"authorization"}, `(?i)(\bauthorization["']?\s*[:=]\s*["']?(?:[a-z]+\s+)?)[^\s"',;]+`, "${1}" + masked},
		{[]string{"bearer"}, `(?i)(\bbearer\s+)[a-z._~+/=-]*[0-9][\w.~+/=-]{7,}`, "${1}" + masked},
		{secretWords(), `(?i)([\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credential)[\w.-]*["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&"']+)`, "${1}" + masked},
		{secretWords(), `(?i)(--?(?:password|passwd|passphrase|secret|token|api-?key)\s+)(?:"[^"]*"|'[^']*'|[^\s"'-][^\s"']*)`, "${1}" + masked},
	}
}

func secretWords() []string {
	return []string{"passw", "passphrase", "pwd", "secret", "token", "api", "access", "credential"}
}

// mask replaces what looks like a secret. It rather masks too much: a line is
// a record for people, not an input of anything.
func mask(text string) string {
	lower := strings.ToLower(text)
	for _, s := range secrets() {
		if !containsAny(lower, s.marks) {
			continue
		}
		text = compile(s.pattern).replace(text, s.with)
	}
	return text
}

func containsAny(text string, marks []string) bool {
	for _, m := range marks {
		if strings.Contains(text, m) {
			return true
		}
	}
	return false
}

// CleanText makes a text fit for a line: masked, then cut to maxText bytes at
// a character. The window that is masked is larger than what is kept, so that a
// secret is not cut in two before it is recognised.
func CleanText(text string) string {
	text = mask(cut(text, 4*maxText))
	if len(text) <= maxText {
		return text
	}
	return cut(text, maxText) + "…"
}

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// CleanJSON is CleanText for every text inside a JSON value. What is not JSON is
// dropped: it could not be written into a line.
func CleanJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	out, err := PlainJSON(cleanValue(v))
	if err != nil {
		return nil
	}
	return out
}

func cleanValue(v any) any {
	switch v := v.(type) {
	case string:
		return CleanText(v)
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = cleanValue(v[k])
		}
	}
	return v
}
