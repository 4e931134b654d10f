package journal

import (
	"strconv"
	"unicode/utf8"
)

// What is written at every prompt is written field by field: to build what
// encoding/json needs of a type takes longer than the rest of the line. The
// bytes are those that PlainJSON would write, which a test holds.

// appendTo opens an object with the head's fields.
func (h Head) appendTo(line []byte) []byte {
	line = appendText(append(line, '{'), "id", h.ID)
	line = appendText(append(line, ','), "time", h.Time)
	line = appendText(append(line, ','), "type", string(h.Type))
	for _, f := range []struct{ key, value string }{
		{"session", h.Session}, {"prompt_id", h.Prompt}, {"agent", h.Agent}, {"repo", h.Repo},
	} {
		if f.value != "" {
			line = appendText(append(line, ','), f.key, f.value)
		}
	}
	return line
}

// appendTo goes on with the fields of a pass.
func (p Passed) appendTo(line []byte) []byte {
	line = appendText(append(line, ','), "input", p.Input)
	line = strconv.AppendFloat(append(line, `,"top_confidence":`...), p.TopConfidence, 'f', -1, 64)
	line = appendText(append(line, ','), "reason", p.Reason)
	if p.Detail != "" {
		line = appendText(append(line, ','), "detail", p.Detail)
	}
	return line
}

func appendText(line []byte, key, value string) []byte {
	line = append(line, '"')
	line = append(line, key...)
	line = append(line, `":"`...)
	for len(value) > 0 {
		r, n := utf8.DecodeRuneInString(value)
		if r == utf8.RuneError && n == 1 { // not UTF-8
			line = append(line, `\ufffd`...)
		} else {
			line = appendRune(line, r)
		}
		value = value[n:]
	}
	return append(line, '"')
}

func appendRune(line []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(line, '\\', byte(r))
	case '\b':
		return append(line, `\b`...)
	case '\f':
		return append(line, `\f`...)
	case '\n':
		return append(line, `\n`...)
	case '\r':
		return append(line, `\r`...)
	case '\t':
		return append(line, `\t`...)
	case '\u2028':
		return append(line, `\u2028`...)
	case '\u2029':
		return append(line, `\u2029`...)
	}
	if r < ' ' {
		return append(line, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
	}
	return utf8.AppendRune(line, r)
}
