package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decode reads one JSON value as a value of a story: whole numbers that fit
// become int, other numbers float64.
func Decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	v, err := next(d)
	if err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("decode JSON: more than one value")
	}
	return v, nil
}

func next(d *json.Decoder) (any, error) {
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return plain(v), nil
}

// plain replaces the decoder's numbers.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		return numeric(v)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

func numeric(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return int(i)
	}
	f, _ := n.Float64() // out of range is ±Inf: the nearest there is
	return f
}

// maxTries bounds the search for JSON in a long output: each try may read
// to its end.
const maxTries = 64

// LastJSON is the last object or array that begins a line, else the whole
// output when it is one value, else nil.
func LastJSON(out []byte) any {
	if v, err := Decode(out); err == nil {
		return v
	}
	var last any
	for tries := 0; len(out) > 0 && tries < maxTries; {
		v, n, ok := jsonAt(out)
		if ok {
			last, out = v, out[n:]
			continue
		}
		if n > 0 {
			tries++
		}
		_, rest, found := bytes.Cut(out, []byte("\n"))
		if !found {
			break
		}
		out = rest
	}
	return last
}

// jsonAt decodes an object or array at the start of out and says where it
// ended. When there is none, n says whether one seemed to begin and never
// ended.
func jsonAt(out []byte) (v any, n int, ok bool) {
	start := bytes.TrimLeft(out, " \t\r\n")
	if len(start) == 0 || (start[0] != '{' && start[0] != '[') {
		return nil, 0, false
	}
	d := json.NewDecoder(bytes.NewReader(start))
	v, err := next(d)
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			n = 1
		}
		return nil, n, false
	}
	return v, len(out) - len(start) + int(d.InputOffset()), true
}
