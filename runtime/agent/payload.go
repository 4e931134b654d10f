package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// payload is a JSON object read key by key; the first value of a wrong type
// is kept as err. Keys are compared exactly, as agents differ in nothing but
// the spelling of theirs.
type payload struct {
	keys map[string]json.RawMessage
	err  error
}

func parse(data []byte) (*payload, error) {
	p := &payload{}
	if err := json.Unmarshal(data, &p.keys); err != nil {
		return nil, fmt.Errorf("reading the payload: %w", err)
	}
	if p.keys == nil {
		return nil, errors.New("reading the payload: it is null, not an object")
	}
	return p, nil
}

// decoder makes a row's Decode of what reads the keys of its payload.
func decoder(read func(*payload) Event) func([]byte) (Event, error) {
	return func(data []byte) (Event, error) {
		p, err := parse(data)
		if err != nil {
			return Event{}, err
		}
		e := read(p)
		return e, p.err
	}
}

// text reads a text; an absent or null one is "". Bytes that are not UTF-8
// become U+FFFD, which stands in no pattern.
func (p *payload) text(key string) string {
	var v string
	p.read(key, &v)
	return v
}

func (p *payload) yes(key string) bool {
	var v bool
	p.read(key, &v)
	return v
}

func (p *payload) read(key string, into any) {
	raw, ok := p.keys[key]
	if !ok {
		return
	}
	if err := json.Unmarshal(raw, into); err != nil && p.err == nil {
		p.err = fmt.Errorf("reading the payload's %s: %w", key, err)
	}
}

// any is the first of the keys that is present.
func (p *payload) any(keys ...string) string {
	for _, k := range keys {
		if _, ok := p.keys[k]; ok {
			return k
		}
	}
	return ""
}

// lacks is the first of the keys that is neither a number nor a text that
// says something.
func (p *payload) lacks(keys ...string) string {
	for _, k := range keys {
		raw := string(p.keys[k])
		if raw == "" || raw == `""` || strings.ContainsAny(raw[:1], "{[ntf") {
			return k
		}
	}
	return ""
}

// inner reads an object within the payload; an absent one is empty.
func (p *payload) inner(key string) *payload {
	in := &payload{}
	p.read(key, &in.keys)
	return in
}

// only reads a list of texts that has one; with none, or several, it is "":
// which of them is meant can't be known.
func (p *payload) only(key string) string {
	var list []string
	p.read(key, &list)
	if len(list) != 1 {
		return ""
	}
	return list[0]
}

// encode writes an answer on one line. A struct of texts and booleans can
// always be encoded.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
