package expr

import "strings"

// token is one token of a template's code. Offset is its byte in the source.
type token struct {
	kind   tokenKind
	text   string
	offset int
}

type tokenKind uint8

const (
	tokWord tokenKind = iota
	tokNumber
	tokString
	tokSymbol
)

// segment is one {{ }} or {% %} with its tokens.
type segment struct {
	tag    bool
	offset int
	tokens []token
}

// name is the tag's name, "" for a {{ }}.
func (s segment) name() string {
	if !s.tag || len(s.tokens) == 0 {
		return ""
	}
	return s.tokens[0].text
}

// segments finds the code of a template, past comments and verbatim blocks.
func segments(src string) ([]segment, *Error) {
	var out []segment
	for pos := 0; pos < len(src); {
		open := strings.IndexByte(src[pos:], '{')
		if open < 0 {
			return out, nil
		}
		pos += open
		if end := skipped(src, pos); end > pos {
			pos = end
			continue
		}
		if !strings.HasPrefix(src[pos:], "{{") && !strings.HasPrefix(src[pos:], "{%") {
			pos++
			continue
		}
		seg, next, err := readSegment(src, pos)
		if err != nil {
			return nil, err
		}
		out, pos = append(out, seg), next
	}
	return out, nil
}

// skipped is where a comment or verbatim block at pos ends, pos when there
// is none. One that is not closed reaches to the end; the parser reports it.
func skipped(src string, pos int) int {
	for _, pair := range [][2]string{{"{#", "#}"}, {"{% verbatim %}", "{% endverbatim %}"}} {
		if !strings.HasPrefix(src[pos:], pair[0]) {
			continue
		}
		end := strings.Index(src[pos:], pair[1])
		if end < 0 {
			return len(src)
		}
		return pos + end + len(pair[1])
	}
	return pos
}

// readSegment reads the {{ }} or {% %} that opens at pos.
func readSegment(src string, pos int) (segment, int, *Error) {
	seg := segment{tag: src[pos+1] == '%', offset: pos}
	end := "}}"
	if seg.tag {
		end = "%}"
	}
	for i := pos + 2; i < len(src); {
		if strings.HasPrefix(src[i:], end) {
			seg.trimDashes()
			return seg, i + 2, nil
		}
		next := i + 1
		if !blank(src[i]) {
			next = tokenEnd(src, i)
			if next < 0 {
				break
			}
			seg.tokens = append(seg.tokens, token{kind: kindAt(src[i]), text: src[i:next], offset: i})
		}
		i = next
	}
	return seg, 0, &Error{Offset: pos, Msg: "this " + src[pos:pos+2] + " is not closed", Hint: "add " + end + ", or " + literalBraces}
}

// trimDashes drops the white-space marks of {{- and -}}.
func (s *segment) trimDashes() {
	if n := len(s.tokens); n > 0 && s.tokens[0].text == "-" && s.tokens[0].offset == s.offset+2 {
		s.tokens = s.tokens[1:]
	}
	if n := len(s.tokens); n > 0 && s.tokens[n-1].text == "-" {
		s.tokens = s.tokens[:n-1]
	}
}

// tokenEnd is where the token at i ends, -1 for a string that is not closed.
func tokenEnd(src string, i int) int {
	switch kindAt(src[i]) {
	case tokString:
		end := stringEnd(src, i)
		if end < 0 {
			return -1
		}
		return end + 1
	case tokSymbol:
		return i + 1
	}
	for i < len(src) && kindAt(src[i]) <= tokNumber && !blank(src[i]) {
		i++
	}
	return i
}

func kindAt(c byte) tokenKind {
	switch {
	case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return tokWord
	case '0' <= c && c <= '9':
		return tokNumber
	case c == '"', c == '\'':
		return tokString
	}
	return tokSymbol
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
