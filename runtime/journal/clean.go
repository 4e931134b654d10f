package journal

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"kitsoki/runtime/secret"
)

// Masker takes the secrets out of a text, as mask.Text does. Without one, a
// text that may hold a secret is withheld whole.
type Masker func(text string) string

func (m Masker) mask(text string) string {
	switch {
	case m != nil:
		return m(text)
	case secret.May(text):
		return secret.Masked
	}
	return text
}

// Text makes a text fit for a line: masked, then cut to maxText bytes at a
// character. The window that is masked is larger than what is kept, so that a
// secret is not cut in two before it is recognised.
func (m Masker) Text(text string) string {
	text = m.mask(cut(text, 4*maxText))
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

// JSON is Text for every text inside a JSON value. What is not JSON is
// dropped: it could not be written into a line.
func (m Masker) JSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	out, err := PlainJSON(m.value(v))
	if err != nil {
		return nil
	}
	return out
}

func (m Masker) value(v any) any {
	switch v := v.(type) {
	case string:
		return m.Text(v)
	case []any:
		for i := range v {
			v[i] = m.value(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = m.value(v[k])
		}
	}
	return v
}
