package match

import (
	"strings"

	"kitsoki/runtime/text"
)

// Limits of a prompt that can be a command. About three characters of a
// script without blanks say what one word does in others.
const (
	maxBytes    = 240
	maxWords    = 24
	charsInWord = 3
	maxTokens   = maxWords * charsInWord
)

// Prefilter tells, before any table is read, that a prompt is no command:
// the reason and its detail, or "" to go on. It reads at most one screen of
// the prompt. Escape is the configured escape prefix, "" for none.
func Prefilter(prompt, escape string) (Reason, string) {
	if escape != "" && strings.HasPrefix(strings.TrimLeft(prompt, " \t\r\n"), escape) {
		return ReasonEscaped, "the prompt begins with " + escape
	}
	if len(prompt) > 1<<16 {
		return ReasonPrefilter, "too_long"
	}
	p := strings.TrimSpace(prompt)
	if d := firstLook(p); d != "" {
		return ReasonPrefilter, d
	}
	return "", ""
}

func firstLook(p string) string {
	switch {
	case p == "":
		return "empty"
	case strings.IndexByte("/!#>$@", p[0]) >= 0:
		return "sigil"
	case len(p) > maxBytes:
		return "too_long"
	case strings.ContainsAny(p, "\n\r\v\f\u0085\u2028\u2029"):
		return "several_lines"
	case strings.IndexByte(p, '`') >= 0 || strings.Contains(p, "~~~"):
		return "code"
	case strings.HasPrefix(p, "[Image") || strings.HasPrefix(p, "[Pasted text"):
		return "attachment"
	}
	return ""
}

// tokenLook is the part of the prefilter that needs tokens.
func tokenLook(t *text.Text) string {
	if tooLong(t) {
		return "too_many_tokens"
	}
	for i := range t.Tokens {
		if t.Tokens[i].Mixed {
			return "mixed_scripts"
		}
	}
	if quotedWhole(t) {
		return "quoted"
	}
	if approval(t) {
		return "approval"
	}
	return ""
}

// tooLong tells a text of more words than a command has.
func tooLong(t *text.Text) bool {
	chars := 0
	for i := range t.Tokens {
		if t.Unspaced(i) {
			chars++
		} else {
			chars += charsInWord
		}
	}
	return chars > maxTokens
}

// quotedWhole tells a prompt that stands in quotation marks.
func quotedWhole(t *text.Text) bool {
	n := len(t.Tokens)
	for n > 0 && t.Tokens[n-1].Kind == text.Boundary {
		n--
	}
	return n > 1 && t.Tokens[0].Kind == text.Quote && t.Tokens[n-1].Kind == text.Quote
}

// approval tells a bare answer to the agent: a yes, a choice, a number.
func approval(t *text.Text) bool {
	n := len(t.Tokens)
	for n > 0 && t.Tokens[n-1].Kind == text.Boundary {
		n--
	}
	if n != 1 {
		return false
	}
	w := t.Word(0)
	if intClass(w) != 0 || len(w) == 1 {
		return true
	}
	switch string(w) {
	case "yes", "yep", "yeah", "yup", "no", "nope", "ok", "okay", "sure", "continue", "proceed",
		"go", "next", "done", "approved", "approve", "accept", "agreed", "correct", "right", "fine",
		"lgtm", "great", "good", "perfect", "thanks", "both", "all", "first", "second", "third", "none":
		return true
	}
	return false
}
