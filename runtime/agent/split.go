package agent

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// A payload is read at every prompt, so the common case goes without
// encoding/json's decoder, whose types take longer to prepare than a payload
// to read: json.Valid vouches for the grammar, and what it vouched for is
// split here. Whatever is not the common case, every error among it, is left
// to encoding/json. Tests hold both to be one.

// split gives the values of an object by their keys; false when it is not one.
func split(data []byte) (map[string]json.RawMessage, bool) {
	const few = 8 // keys; a payload has about so many
	at := blanks(data, 0)
	if at == len(data) || data[at] != '{' || !json.Valid(data) {
		return nil, false
	}
	keys := make(map[string]json.RawMessage, few)
	for at = blanks(data, at+1); data[at] != '}'; at = blanks(data, at) {
		if data[at] == ',' {
			at++
			continue
		}
		end := past(data, at)
		var key string
		if !plain(data[at:end], &key) && json.Unmarshal(data[at:end], &key) != nil {
			return nil, false
		}
		at = blanks(data, blanks(data, end)+1) // the colon lies between
		end = past(data, at)
		keys[key] = data[at:end:end]
		at = end
	}
	return keys, true
}

// blanks gives the index of the first byte from i on that is not white space.
func blanks(data []byte, i int) int {
	for i < len(data) && bytes.IndexByte([]byte(" \t\r\n"), data[i]) >= 0 {
		i++
	}
	return i
}

// past gives the index behind the value that begins at i, 0 when it does not
// end. What it says of bytes that are not JSON is of no use, but harmless.
func past(data []byte, i int) int {
	for depth := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			if i = closing(data, i); i > 0 && depth == 0 {
				return i + 1
			}
			if i == 0 {
				return 0
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 { // of what is around a number or a word
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return 0
}

// closing gives the index of the quotation mark that ends the text at i, 0
// when none does.
func closing(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return 0
}

// plain reads a JSON text that stands for itself; false when it is another
// value, or has to be decoded.
func plain(raw []byte, into *string) bool {
	if raw[0] != '"' || bytes.IndexByte(raw, '\\') >= 0 || !utf8.Valid(raw) {
		return false
	}
	*into = string(raw[1 : len(raw)-1])
	return true
}
