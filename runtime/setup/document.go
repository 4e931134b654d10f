package setup

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const byteOrderMark = "\ufeff"

// document is a settings file that was understood as far as our entry's place
// goes. All offsets are in text, which has no byte order mark.
type document struct {
	file  string
	bom   string
	text  []byte
	blank bool         // nothing stands in it
	root  hujson.Value // an object, unless blank
	// hooks is the value of the root's key "hooks", and event that of the
	// agent's event in it; nil when they are absent.
	hooks, event *hujson.Value
	ours         []Entry
}

// step is an item of a container on the way to one of our entries.
type step struct {
	container *hujson.Value
	index     int
}

const (
	editHint  = "mend the file there, then run the same again"
	onceHint  = "keep one of the two, then run the same again"
	spellHint = "correct the spelling, or take the key out, then run the same again"
)

// parse reads a settings file for an agent. The error is a *Problem.
func parse(file string, data []byte, r Row) (*document, error) {
	d := &document{file: file, text: data}
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		d.bom, d.text = byteOrderMark, data[len(byteOrderMark):]
	}
	if i := invalidUTF8(d.text); i >= 0 {
		return nil, d.at(i, "save the file as UTF-8, then run the same again", "the file is not UTF-8")
	}
	if d.blank = len(bytes.TrimSpace(d.text)) == 0; d.blank {
		return d, nil
	}
	var err error
	if d.root, err = hujson.Parse(bytes.Clone(d.text)); err != nil {
		return nil, d.syntax(err)
	}
	return d, d.locate(r)
}

func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// syntax takes the place out of the parser's error, whose columns count
// bytes.
func (d *document) syntax(err error) *Problem {
	var line, col int
	message := err.Error()
	if n, _ := fmt.Sscanf(message, "hujson: line %d, column %d:", &line, &col); n < 2 {
		return d.at(0, editHint, "the file is not JSON: %s", message)
	}
	_, message, _ = strings.Cut(strings.TrimPrefix(message, "hujson: "), ": ")
	offset := col - 1
	for range line - 1 {
		offset += bytes.IndexByte(d.text[offset-col+1:], '\n') + 1
	}
	return d.at(offset, editHint, "the file is not JSON: %s", message)
}

// locate walks to our entry's place. A key that stands twice is refused on
// the whole way, since agents differ in which of the two they read.
func (d *document) locate(r Row) error {
	root, err := d.object(&d.root, "the settings")
	if err != nil {
		return err
	}
	i, err := d.key(root, "hooks")
	if err != nil || i < 0 {
		return err
	}
	d.hooks = &root.Members[i].Value
	hooks, err := d.object(d.hooks, `"hooks"`)
	if err != nil {
		return err
	}
	j, err := d.key(hooks, r.Event)
	if err != nil || j < 0 {
		return err
	}
	d.event = &hooks.Members[j].Value
	path := []step{{&d.root, i}, {d.hooks, j}}
	return d.entries(r, d.event, path, !r.Grouped)
}

// entries reads a list of entries, or of groups of entries.
func (d *document) entries(r Row, v *hujson.Value, path []step, direct bool) error {
	arr, ok := v.Value.(*hujson.Array)
	if !ok {
		return d.at(v.StartOffset, editHint, "expected a list of hooks for %s, and it is %s", r.Event, kind(v))
	}
	for i := range arr.Elements {
		at := append(path[:len(path):len(path)], step{v, i})
		if err := d.element(r, &arr.Elements[i], at, direct); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) element(r Row, v *hujson.Value, path []step, direct bool) error {
	o, err := d.object(v, "each hook of "+r.Event)
	if err != nil {
		return err
	}
	if direct {
		if e, ok := r.own(v); ok {
			e.File, e.path = d.file, path
			e.Line, e.Col = d.place(v.StartOffset)
			d.ours = append(d.ours, e)
		}
		return nil
	}
	i, err := d.key(o, "hooks")
	if err != nil || i < 0 {
		return err
	}
	return d.entries(r, &o.Members[i].Value, append(path, step{v, i}), true)
}

// object reads an object, in which no key stands twice.
func (d *document) object(v *hujson.Value, what string) (*hujson.Object, error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.at(v.StartOffset, editHint, "expected %s to be an object, and it is %s", what, kind(v))
	}
	seen := map[string]int{}
	for i := range o.Members {
		name := &o.Members[i].Name
		key := name.Value.(hujson.Literal).String()
		if first, twice := seen[key]; twice {
			line, _ := d.place(first)
			return nil, d.at(name.StartOffset, onceHint, "the key %q stands here a second time, first in line %d", key, line)
		}
		seen[key] = name.StartOffset
	}
	return o, nil
}

// key finds a member, -1 when there is none. One that is nearly spelt like it
// is refused: it was meant, and the agent does not read it.
func (d *document) key(o *hujson.Object, want string) (int, error) {
	found := -1
	for i := range o.Members {
		name := &o.Members[i].Name
		switch key := name.Value.(hujson.Literal).String(); {
		case key == want:
			found = i
		case near(strings.ToLower(key), strings.ToLower(want)):
			return -1, d.at(name.StartOffset, spellHint, "the key %q is not read; did you mean %q?", key, want)
		}
	}
	return found, nil
}

// near says whether two words differ in at most one letter, put in, left out
// or exchanged.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for i := range len(a) {
		if a[i] != b[i] {
			return a[i:] == b[i+1:] || len(a) == len(b) && a[i+1:] == b[i+1:]
		}
	}
	return len(b)-len(a) <= 1
}

func kind(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}
