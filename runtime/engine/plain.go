package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainText takes the control codes out of a program's output: escape
// sequences, back-spaces, and what a carriage return has overwritten.
func plainText(s string) string {
	var b strings.Builder
	lines := strings.Split(strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\r\n", "\n"), "\n")
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		line = strings.TrimRight(line, "\r")
		if at := strings.LastIndexByte(line, '\r'); at >= 0 {
			line = line[at+1:]
		}
		b.WriteString(visible(line))
	}
	return b.String()
}

// visible drops escape sequences, control characters but tabs, and what turns
// the direction of text around, so that a line is read as it stands. See
// ECMA-48 for their shape: ESC [ … letter, ESC ] … BEL or ESC \, ESC letter.
func visible(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			i = sequenceEnd(line, i+1)
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) {
			b.WriteString(line[i : i+size])
		}
		i += size
	}
	return b.String()
}

// sequenceEnd is where the escape sequence whose second byte is at i ends.
func sequenceEnd(line string, i int) int {
	if i >= len(line) {
		return i
	}
	switch line[i] {
	case '[':
		return after(line, i+1, func(c byte) bool { return c >= 0x40 && c <= 0x7e })
	case ']', 'P', '^', '_', 'X':
		return stringSequenceEnd(line, i+1)
	case '(', ')', '*', '+', '#', ' ':
		return min(i+2, len(line))
	}
	return i + 1
}

func stringSequenceEnd(line string, i int) int {
	for ; i < len(line); i++ {
		if line[i] == 0x07 {
			return i + 1
		}
		if line[i] == 0x1b && i+1 < len(line) && line[i+1] == '\\' {
			return i + 2
		}
	}
	return len(line)
}

func after(line string, i int, ends func(byte) bool) int {
	for ; i < len(line); i++ {
		if ends(line[i]) {
			return i + 1
		}
	}
	return len(line)
}

// lastLines is the end of a text, n lines at most, blank ends dropped.
func lastLines(s string, n int) string {
	lines := strings.Split(strings.Trim(s, "\n \t"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// clip shortens a text to n characters and says so.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
