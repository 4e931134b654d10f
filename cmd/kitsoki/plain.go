package main

import (
	"strconv"
	"strings"
	"unicode"
)

// plain is a recorded text as a terminal may be given it: what would steer it
// is spelled out. Ends of lines and
// tabs stay.
func plain(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], string(r)):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:]) // a byte that is no text
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainLine is plain on one line.
func plainLine(s string) string { return strings.ReplaceAll(plain(s), "\n", `\n`) }

func plainAll(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, plain(s))
	}
	return out
}
