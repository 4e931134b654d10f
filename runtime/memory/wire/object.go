package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Why bytes are no object. ErrTruncated is JSON that ends before it is whole.
var (
	ErrTruncated = errors.New("the JSON ends early")
	ErrSyntax    = errors.New("it is not JSON")
	ErrEncoding  = errors.New("it is not UTF-8")
	ErrNoObject  = errors.New("it is not a JSON object")
	ErrTwice     = errors.New("a key occurs twice")
)

// TypeError says that a key holds something of another type.
type TypeError struct{ Key, Want string }

func (e *TypeError) Error() string { return fmt.Sprintf("%q must be %s", e.Key, e.Want) }

// Object is a JSON object whose keys are told apart by case.
type Object map[string]json.RawMessage

// Parse reads one object: UTF-8, no key twice at any depth, nothing behind it.
func Parse(data []byte) (Object, error) {
	if !utf8.Valid(data) {
		return nil, ErrEncoding
	}
	if err := once(data); err != nil {
		return nil, err
	}
	return object(data)
}

// object reads one that once has looked at.
func object(data []byte) (Object, error) {
	if kind(data) != '{' {
		return nil, ErrNoObject
	}
	var o Object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, ErrSyntax
	}
	return o, nil
}

// kind is the first byte of a value, which tells its type.
func kind(data []byte) byte {
	if data = bytes.TrimLeft(data, " \t\r\n"); len(data) == 0 {
		return 0
	}
	return data[0]
}

// once checks that data is one JSON value in which no object has a key twice.
func once(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var w walk
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return w.end()
		}
		if err != nil {
			return unreadable(err)
		}
		if err := w.step(tok); err != nil {
			return err
		}
	}
}

func unreadable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return ErrSyntax
}

// walk follows the tokens of one value.
type walk struct {
	open []level
	done bool
}

// level is an object or list that is open; keys is nil for a list.
type level struct {
	keys    map[string]bool
	wantKey bool
}

func (w *walk) end() error {
	if !w.done {
		return ErrTruncated
	}
	return nil
}

func (w *walk) step(tok json.Token) error {
	if w.done {
		return ErrSyntax
	}
	if key, ok := tok.(string); ok && w.atKey() {
		return w.key(key)
	}
	switch tok {
	case json.Delim('{'):
		w.open = append(w.open, level{keys: map[string]bool{}, wantKey: true})
		return nil
	case json.Delim('['):
		w.open = append(w.open, level{})
		return nil
	case json.Delim('}'), json.Delim(']'):
		w.open = w.open[:len(w.open)-1]
	}
	w.value()
	return nil
}

func (w *walk) atKey() bool {
	return len(w.open) > 0 && w.open[len(w.open)-1].keys != nil && w.open[len(w.open)-1].wantKey
}

func (w *walk) key(key string) error {
	top := &w.open[len(w.open)-1]
	if top.keys[key] {
		return ErrTwice
	}
	top.keys[key], top.wantKey = true, false
	return nil
}

// value notes that a value is complete.
func (w *walk) value() {
	if len(w.open) == 0 {
		w.done = true
		return
	}
	w.open[len(w.open)-1].wantKey = true
}

// has tells whether a key is there and not null.
func (o Object) has(key string) bool {
	raw, ok := o[key]
	return ok && kind(raw) != 'n'
}

// Text is a key's text, "" when it is absent or null.
func (o Object) Text(key string) (string, error) {
	if !o.has(key) {
		return "", nil
	}
	var s string
	if json.Unmarshal(o[key], &s) != nil {
		return "", &TypeError{key, "a text"}
	}
	return s, nil
}

// Object is a key's object, nil when it is absent or null.
func (o Object) Object(key string) (Object, error) {
	if !o.has(key) {
		return nil, nil
	}
	sub, err := object(o[key])
	if err != nil {
		return nil, &TypeError{key, "an object"}
	}
	return sub, nil
}

// Objects is a key's list of objects, nil when it is absent or null; an empty
// list is not nil.
func (o Object) Objects(key string) ([]Object, error) {
	if !o.has(key) {
		return nil, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(o[key], &list) != nil {
		return nil, &TypeError{key, "a list of objects"}
	}
	out := make([]Object, 0, len(list))
	for _, raw := range list {
		sub, err := object(raw)
		if err != nil {
			return nil, &TypeError{key, "a list of objects"}
		}
		out = append(out, sub)
	}
	return out, nil
}
