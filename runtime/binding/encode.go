package binding

import (
	"strconv"
	"strings"

	"kitsoki/runtime/match"
)

// A record is lines of fields with a blank between, texts in Go's quotes. It
// is no JSON since it is read at every prompt: to build what encoding/json
// needs of a nested type costs more than all else that is read.
const (
	// firstLine is changed with every change of the lines: another version's
	// record is none.
	firstLine = "kitsoki binding 2"
	lastLine  = "end"
)

func (r *Record) encode() []byte {
	w := &writer{}
	w.line(firstLine)
	for _, f := range r.Files {
		w.line("file", strconv.Quote(f.Path), strconv.Quote(f.Sum))
	}
	for _, s := range r.Stamps {
		w.line("stamp", strconv.Quote(s.Path), strconv.FormatInt(s.Size, 10), strconv.FormatInt(s.Time, 10))
	}
	for _, id := range r.Intents {
		w.line("intent", strconv.FormatUint(uint64(id), 10))
	}
	reason := string(r.Reason)
	for _, t := range r.texts(&reason) {
		w.line(t.key, strconv.Quote(*t.value))
	}
	w.line("bar", strconv.FormatFloat(r.Bar, 'g', -1, 64))
	for _, s := range r.switches() {
		w.line(s.key, strconv.FormatBool(*s.value))
	}
	w.line(lastLine)
	return []byte(w.String())
}

type writer struct{ strings.Builder }

func (w *writer) line(fields ...string) {
	w.WriteString(strings.Join(fields, " "))
	w.WriteByte('\n')
}

// named is a text of a record.
type named struct {
	key   string
	value *string
}

func (r *Record) texts(reason *string) []named {
	return []named{
		{"root", &r.Root},
		{"common", &r.Common},
		{"reason", reason},
		{"detail", &r.Detail},
		{"trace_path", &r.TracePath},
		{"artifact", &r.Artifact},
		{"tool", &r.Tool},
		{"sources", &r.Sources},
		{"room", &r.Room},
		{"escape", &r.Escape},
	}
}

// truth is a switch of a record.
type truth struct {
	key   string
	value *bool
}

func (r *Record) switches() []truth {
	return []truth{{"trace_off", &r.TraceOff}, {"prompts", &r.Prompts}, {"stops", &r.Stops}}
}

// decode reads a whole record; false when it is none of this version.
func decode(data string) (*Record, bool) {
	body, ok := strings.CutPrefix(data, firstLine+"\n")
	if !ok {
		return nil, false
	}
	if body, ok = strings.CutSuffix(body, "\n"+lastLine+"\n"); !ok {
		return nil, false
	}
	r, reason := &Record{}, ""
	texts := r.texts(&reason)
	for line := range strings.SplitSeq(body, "\n") {
		key, rest, _ := strings.Cut(line, " ")
		p := &fields{rest: rest}
		if !r.take(key, p, texts) || p.bad || p.rest != "" {
			return nil, false
		}
	}
	r.Reason = match.Reason(reason)
	return r, true
}

// take takes one line; false when its key is unknown.
func (r *Record) take(key string, p *fields, texts []named) bool {
	switch key {
	case "file":
		r.Files = append(r.Files, Digest{p.text(), p.text()})
	case "stamp":
		r.Stamps = append(r.Stamps, Stamp{p.text(), p.number(), p.number()})
	case "intent":
		r.Intents = append(r.Intents, uint32(p.number()))
	case "bar":
		bar, err := strconv.ParseFloat(p.word(), 64)
		r.Bar, p.bad = bar, p.bad || err != nil
	default:
		for _, s := range r.switches() {
			if s.key == key {
				*s.value = p.truth()
				return true
			}
		}
		for _, t := range texts {
			if t.key == key {
				*t.value = p.text()
				return true
			}
		}
		return false
	}
	return true
}

// fields reads a line field by field.
type fields struct {
	rest string
	bad  bool
}

func (p *fields) word() string {
	word, rest, _ := strings.Cut(p.rest, " ")
	p.rest = rest
	return word
}

func (p *fields) truth() bool {
	v, err := strconv.ParseBool(p.word())
	p.bad = p.bad || err != nil
	return v
}

func (p *fields) number() int64 {
	n, err := strconv.ParseInt(p.word(), 10, 64)
	p.bad = p.bad || err != nil
	return n
}

func (p *fields) text() string {
	quoted, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		p.bad = true
		return ""
	}
	p.rest = strings.TrimPrefix(p.rest[len(quoted):], " ")
	text, err := strconv.Unquote(quoted)
	p.bad = p.bad || err != nil
	return text
}
