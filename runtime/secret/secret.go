// Package secret knows the kinds of secrets that people type and programs
// print: each is a pattern, and marks without which it can't match.
//
// Telling that a text may hold one takes no regular expression, so that the
// program an agent starts at every prompt does not link them. Package mask
// takes the secrets out.
package secret

import (
	"slices"
	"strings"
)

// Masked stands where a secret stood.
const Masked = "[masked]"

// Kind is one kind of secret.
type Kind struct {
	// Marks are lower-case pieces of text one of which every such secret
	// contains. With, unless it is empty, are others, likewise.
	Marks, With []string
	// Run is how many characters of a key follow the mark at least: letters and
	// digits of ASCII, "_" and "-".
	Run int
	// Pattern is a regular expression as package regexp has them, and Put what
	// takes the place of a match.
	Pattern, Put string
}

// Kinds lists them, in the order in which they are masked.
func Kinds() []Kind {
	return []Kind{
		{[]string{"private key-----", "private key block-----"}, nil, 0, `(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`, Masked},
		{[]string{"age-secret-key-1"}, nil, 20, `\bAGE-SECRET-KEY-1[A-Z0-9]{20,}`, Masked},
		{[]string{"hooks.slack.com/"}, nil, 0, `(\bhooks\.slack\.com/[a-z]+/)[\w/+-]{8,}`, "${1}" + Masked},
		{[]string{"/api/webhooks/"}, nil, 0, `(\bdiscord(?:app)?\.com/api/webhooks/)[\w/-]{8,}`, "${1}" + Masked},
		{[]string{"://"}, []string{"@"}, 0, `(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/@"'<>]+@`, "${1}" + Masked + "@"},
		{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, nil, 16, `\bgh[pousr]_[A-Za-z0-9]{16,}`, Masked},
		{[]string{"github_pat_"}, nil, 16, `\bgithub_pat_[A-Za-z0-9_]{16,}`, Masked},
		{[]string{"glpat-"}, nil, 16, `\bglpat-[A-Za-z0-9_-]{16,}`, Masked},
		{[]string{"npm_"}, nil, 20, `\bnpm_[A-Za-z0-9]{20,}`, Masked},
		{[]string{"sk-"}, nil, 16, `\bsk-[A-Za-z0-9_-]{16,}`, Masked},
		{[]string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, nil, 10, `\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}`, Masked},
		{[]string{"akia", "asia"}, nil, 16, `\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`, Masked},
		{[]string{"xox"}, nil, 11, `\bxox[a-z]-[A-Za-z0-9-]{10,}`, Masked},
		{[]string{"aiza"}, nil, 30, `\bAIza[A-Za-z0-9_-]{30,}`, Masked},
		{[]string{"eyj"}, []string{"."}, 8, `\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`, Masked},
		{[]string{"pypi-"}, nil, 16, `\bpypi-[A-Za-z0-9_-]{16,}`, Masked},
		{[]string{"dckr_pat_"}, nil, 16, `\bdckr_pat_[A-Za-z0-9_-]{16,}`, Masked},
		{[]string{"hf_"}, nil, 20, `\bhf_[A-Za-z0-9]{20,}`, Masked},
		{[]string{"dop_v1_", "doo_v1_", "dor_v1_"}, nil, 32, `\bdo[opr]_v1_[a-f0-9]{32,}`, Masked},
		{[]string{"sg."}, nil, 16, `\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, Masked},
		{[]string{"sk"}, nil, 32, `\bSK[0-9a-f]{32}\b`, Masked},
		{[]string{"shpat_", "shpca_", "shppa_", "shpss_"}, nil, 32, `\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}\b`, Masked},
		{[]string{"ya29."}, nil, 20, `\bya29\.[A-Za-z0-9_-]{20,}`, Masked},
		{[]string{"gocspx-"}, nil, 20, `\bGOCSPX-[A-Za-z0-9_-]{20,}`, Masked},
		{[]string{":aa"}, nil, 30, `\b[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}`, Masked},
		{[]string{"key-"}, nil, 32, `\bkey-[0-9a-f]{32}\b`, Masked},
		{[]string{"dapi"}, nil, 32, `\bdapi[0-9a-f]{32}\b`, Masked},
		{[]string{"lin_api_"}, nil, 20, `\blin_api_[A-Za-z0-9]{20,}`, Masked},
		{[]string{"ntn_"}, nil, 20, `\bntn_[A-Za-z0-9]{20,}`, Masked},
		{[]string{"hvs.", "hvb."}, nil, 20, `\bhv[sb]\.[A-Za-z0-9_-]{20,}`, Masked},
		{[]string{"glsa_"}, nil, 20, `\bglsa_[A-Za-z0-9]{20,}(?:_[A-Fa-f0-9]+)?`, Masked},
		{[]string{"nrak-"}, nil, 20, `\bNRAK-[A-Z0-9]{20,}`, Masked},
		{[]string{"sntrys_", "sntryu_"}, nil, 8, `\bsntry[su]_[A-Za-z0-9_=+/-]{20,}`, Masked},
		{[]string{"pmak-"}, nil, 20, `\bPMAK-[A-Za-z0-9-]{20,}`, Masked},
		{[]string{"rubygems_"}, nil, 20, `\brubygems_[a-f0-9]{20,}`, Masked},
		{[]string{"sq0atp-", "sq0csp-"}, nil, 20, `\bsq0(?:atp|csp)-[A-Za-z0-9_-]{20,}`, Masked},
		{[]string{"atlasv1."}, nil, 20, `\batlasv1\.[A-Za-z0-9_-]{20,}`, Masked},
		{[]string{"figd_"}, nil, 20, `\bfigd_[A-Za-z0-9_-]{20,}`, Masked},
		{[]string{"pat-na1-"}, nil, 20, `\bpat-na1-[A-Za-z0-9-]{20,}`, Masked},
		{[]string{"authorization"}, []string{":", "="}, 0, `(?i)(\bauthorization["']?\s*[:=]\s*["']?(?:[a-z]+\s+)?)[^\s"',;]+`, "${1}" + Masked},
		{[]string{"bearer"}, digits(), 0, `(?i)(\bbearer\s+)[a-z._~+/=-]*[0-9][\w.~+/=-]{7,}`, "${1}" + Masked},
		{[]string{"cookie"}, []string{"="}, 0, `(?im)(^|[\s"'])((?:set-)?cookie:\s*)[\w.-]+=[^\n"']+`, "${1}${2}" + Masked},
		{[]string{"accountkey", "sharedaccesssignature", "sharedaccesskey"}, []string{"="}, 0, `(?i)(\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=)[^\s;"']+`, "${1}" + Masked},
		{[]string{"sig="}, []string{"se="}, 0, `([?&]sig=)[^\s&"']+`, "${1}" + Masked},
		{[]string{"machine"}, []string{"password"}, 0, `(?i)(\bmachine\s+\S+\s+login\s+\S+\s+password\s+)\S+`, "${1}" + Masked},
		{[]string{"curl", "wget", "http"}, []string{" -u", "--user"}, 0, `(\s(?:-u|--user)[ =]?[^\s:"']+:)[^\s"']+`, "${1}" + Masked},
		{words(), []string{":", "="}, 0, `(?i)([\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credential)[\w.-]*["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&"']+)`, "${1}" + Masked},
		{[]string{"-passw", "-passphrase", "-secret", "-token", "-api"}, nil, 0, `(?i)(--?(?:password|passwd|passphrase|secret|token|api-?key)\s+)(?:"[^"]*"|'[^']*'|[^\s"'-][^\s"']*)`, "${1}" + Masked},
	}
}

// words are pieces of the names that values are secret behind.
func words() []string {
	return []string{"passw", "passphrase", "pwd", "secret", "token", "api", "access", "credential"}
}

func digits() []string { return []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} }

// May tells whether a text, in lower case, may hold a secret of this kind.
func (k Kind) May(lower string) bool {
	in := func(mark string) bool { return strings.Contains(lower, mark) }
	return slices.ContainsFunc(k.Marks, func(mark string) bool { return k.follows(lower, mark) }) &&
		(len(k.With) == 0 || slices.ContainsFunc(k.With, in))
}

// follows tells whether a mark stands anywhere with its run behind it.
func (k Kind) follows(lower, mark string) bool {
	for {
		_, rest, found := strings.Cut(lower, mark)
		if !found {
			return false
		}
		run := 0
		for run < len(rest) && run < k.Run && isKey(rest[run]) {
			run++
		}
		if run == k.Run {
			return true
		}
		lower = rest
	}
}

func isKey(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// May tells whether a text may hold a secret. It is rather yes than no.
func May(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.May(lower) })
}
