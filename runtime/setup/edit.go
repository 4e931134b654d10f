package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"kitsoki/runtime/journal"
)

// Edit is a change of a settings file that has not been made. After equals
// the file's bytes when there is nothing to do; Remove says that the file goes
// altogether, since it was made for the entry.
type Edit struct {
	Settings Settings
	After    []byte
	Remove   bool
	notes    []note
}

// note is what an edit leaves in the store.
type note struct {
	entry  string  // which of our entries, as Row.entry has it
	record *Record // to remember, nil to forget
}

// Then makes a further edit of what this one comes to; both are made, shown and
// applied as one.
func (e Edit) Then(further func(Settings) (Edit, error)) (Edit, error) {
	s := e.Settings
	s.Data, s.Exists = e.After, !e.Remove && (s.Exists || len(e.After) > 0)
	if !e.Settings.Exists {
		s.mode = newMode
	}
	next, err := further(s)
	if err != nil {
		return e, err
	}
	next.Settings, next.notes = e.Settings, append(slices.Clip(e.notes), next.notes...)
	return next, nil
}

// Changes says whether there is anything to do.
func (e Edit) Changes() bool { return e.Remove || !bytes.Equal(e.After, e.Settings.Data) }

// Inspect lists our entries in an agent's settings file. The error is a
// *Problem when the file is not understood.
func Inspect(s Settings, r Row) ([]Entry, error) {
	d, err := parse(s.Path, s.Data, r)
	if err != nil {
		return nil, err
	}
	return d.ours, nil
}

// Install makes the edit after which the agent starts a program for every
// prompt: an entry of ours that starts another one is renewed in its place.
// old is the record of an earlier installation, nil for none. The error is a
// *Problem.
func Install(s Settings, r Row, p Program, old *Record) (Edit, error) {
	e := Edit{Settings: s, After: s.Data, notes: []note{{r.entry(), old}}}
	d, err := parse(s.Path, s.Data, r)
	if err != nil {
		return e, err
	}
	if len(d.ours) > 1 {
		return e, d.twice()
	}
	entry := r.entryOf(p)
	if len(d.ours) == 1 && d.ours[0].Is(r, p) {
		return e, nil
	}
	if err := s.writable(); err != nil {
		return e, err
	}
	at := splice{}
	rec := Record{File: s.Path, Agent: r.entry(), Before: journal.Sum(s.Data), Created: !s.Exists, Entry: render(entry, style{inline: true})}
	if len(d.ours) == 1 {
		at = d.renew(d.ours[0], entry)
		rec.inherit(old, at, d.text)
	} else {
		at = d.add(r, entry)
		rec.Text = at.text
	}
	return e.become(d, r, at.apply(d.text), &rec)
}

// twice refuses a file with more than one entry of ours.
func (d *document) twice() *Problem {
	second := d.ours[1]
	return &Problem{
		File: d.file, Line: second.Line, Col: second.Col, Duplicate: true,
		Message: fmt.Sprintf("kitsoki's entry stands here a second time, first in line %d", d.ours[0].Line),
		Hint:    "kitsoki hook uninstall --all takes out both, then install again",
	}
}

// inherit keeps what an earlier installation spliced in, with the entry in it
// renewed, so that the file's first bytes can be had back.
func (rec *Record) inherit(old *Record, at splice, text []byte) {
	from, ok := old.around(text, at.offset)
	if !ok || at.offset+at.cut > from+len(old.Text) {
		return
	}
	inner := splice{at.offset - from, at.cut, at.text}
	rec.Text = string(inner.apply([]byte(old.Text)))
	rec.Before, rec.Created = old.Before, old.Created
}

// around finds where the recorded text stands around an offset; ok is false when
// it does not, or not in one place alone.
func (rec *Record) around(text []byte, offset int) (from int, ok bool) {
	if rec == nil || rec.Text == "" {
		return 0, false
	}
	want, found := []byte(rec.Text), 0
	for at := max(0, offset-len(want)+1); at <= offset; at++ {
		if bytes.HasPrefix(text[at:], want) {
			from = at
			found++
		}
	}
	return from, found == 1
}

// become completes an edit. What comes out is read again: a splice that did
// not lead to exactly one entry is a mistake of ours and is not written.
func (e Edit) become(d *document, r Row, text []byte, rec *Record) (Edit, error) {
	after := append([]byte(d.bom), text...)
	again, err := parse(d.file, after, r)
	want := 0
	if rec != nil {
		want = 1
		rec.After = journal.Sum(after)
	}
	if err != nil || len(again.ours) != want {
		return e, &Problem{File: d.file, Message: "the file could not be edited safely, so it was left as it is", Hint: "edit it by hand"}
	}
	e.After, e.notes = after, []note{{r.entry(), rec}}
	return e, nil
}

// Uninstall makes the edit that takes our entry out: what was spliced in,
// byte for byte, when it stands there once; else, when the entry itself was
// not changed but its surroundings were, the entry with the containers that
// hold nothing else. With all every entry of ours goes, however it came
// there. The error is a *Problem.
func Uninstall(s Settings, r Row, old *Record, all bool) (Edit, error) {
	e := Edit{Settings: s, After: s.Data, notes: []note{{r.entry(), nil}}}
	d, err := parse(s.Path, s.Data, r)
	if err != nil || len(d.ours) == 0 {
		return e, err
	}
	if err := s.writable(); err != nil {
		return e, err
	}
	if all {
		return e.clear(d, r)
	}
	if len(d.ours) > 1 {
		return e, d.twice()
	}
	if done, ok := e.exactly(d, r, old); ok {
		return done, nil
	}
	if !d.ours[0].untouched(old) {
		return e, d.at(d.ours[0].value.StartOffset, "take it out by hand, or with kitsoki hook uninstall --all",
			"kitsoki's entry is not as it was written")
	}
	return e.become(d, r, d.without(d.ours[0]), nil)
}

// exactly takes out the recorded text; ok is false when it does not stand
// around our entry, something else hangs on it by now, or the first bytes of a file
// that nobody has touched since would not come back.
func (e Edit) exactly(d *document, r Row, old *Record) (_ Edit, ok bool) {
	from, ok := old.around(d.text, d.ours[0].value.StartOffset)
	if !ok {
		return e, false
	}
	rest := splice{from, len(old.Text), ""}.apply(d.text)
	if old.Created && len(rest) == 0 && d.bom == "" {
		e.Remove, e.After = true, nil
		return e, true
	}
	done, err := e.become(d, r, rest, nil)
	if journal.Sum(e.Settings.Data) == old.After && journal.Sum(done.After) != old.Before {
		return e, false
	}
	return done, err == nil
}

// untouched says whether an entry is the recorded one. Without a record an
// entry with no more than our own keys counts.
func (e Entry) untouched(old *Record) bool {
	if old == nil {
		for key := range e.keys {
			if !slices.Contains([]string{"type", "command", "args", "timeout", "timeoutSec", "statusMessage"}, key) {
				return false
			}
		}
		return true
	}
	var was map[string]any
	return json.Unmarshal([]byte(old.Entry), &was) == nil && reflect.DeepEqual(was, e.keys)
}

func (e Edit) clear(d *document, r Row) (Edit, error) {
	text := d.text
	for len(d.ours) > 0 {
		text = d.without(d.ours[0])
		again, err := parse(d.file, append([]byte(d.bom), text...), r)
		if err != nil || len(again.ours) >= len(d.ours) {
			return e, &Problem{File: d.file, Message: "the file could not be edited safely, so it was left as it is", Hint: "edit it by hand"}
		}
		d = again
	}
	return e.become(d, r, text, nil)
}

// Apply makes an edit: a copy of the file is kept, what was spliced in is
// recorded, and the file is replaced in one go. It gives the copy's path, ""
// when there was no file. A file that has changed since it was read is left
// as it is.
func (s Store) Apply(e Edit) (backup string, err error) {
	if !e.Changes() {
		return "", nil
	}
	if !e.Settings.unchanged() {
		return "", &Problem{File: e.Settings.Path, Message: "the file has changed since it was read", Hint: "run the same again"}
	}
	if e.Settings.Exists {
		if backup, err = s.backup(e.Settings.Path, e.Settings.Data); err != nil {
			return "", err
		}
	}
	for _, n := range e.notes {
		if n.record == nil {
			continue
		}
		if err := s.remember(*n.record); err != nil {
			return backup, err
		}
	}
	if err := e.write(); err != nil {
		return backup, fmt.Errorf("writing the settings: %w", err)
	}
	for _, n := range e.notes {
		if n.record == nil {
			err = errors.Join(err, s.forget(e.Settings.Path, n.entry))
		}
	}
	return backup, err
}

// newMode is that of a settings file that was not there.
const newMode = os.FileMode(0o600)

func (e Edit) write() error {
	if e.Remove {
		return os.Remove(e.Settings.Path)
	}
	mode := newMode
	if e.Settings.Exists {
		mode = e.Settings.mode
	}
	return journal.ReplaceForGood(e.Settings.Path, e.After, mode)
}
