package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"kitsoki/runtime/journal"
)

const (
	// stateName is the file in the folder; its lock lies beside it.
	stateName = "service.jsonl"
	// version is the version of its lines.
	version = 1
	// worthIt is the size in bytes from which a file is rewritten while the
	// service runs, when it has doubled since the last time.
	worthIt = 4 << 20
)

// session is a client's session; (namespace, source, key) name it.
type session struct {
	ID        string    `json:"id"`
	Namespace string    `json:"namespace"`
	Source    string    `json:"source"`
	Key       string    `json:"key"`
	Agent     string    `json:"agent"`
	Workspace string    `json:"workspace"`
	At        time.Time `json:"at"` // when it was last written down
}

func (s *session) name() string { return strings.Join([]string{s.Namespace, s.Source, s.Key}, "\x00") }

// turn is a turn that was started; (namespace, id) name it. Query and
// Conversation are digests. Retrieval is nil until ready is closed.
type turn struct {
	Namespace    string          `json:"namespace"`
	ID           string          `json:"id"`
	Session      string          `json:"session"`
	Query        string          `json:"query"`
	Conversation string          `json:"conversation"`
	Retrieval    json.RawMessage `json:"retrieval"`
	At           time.Time       `json:"at"`

	ready      chan struct{}
	fault      error // why there is no retrieval; read after ready
	completing sync.Mutex
	payload    string // digest of its completion, "" without one
	stored     bool   // the backend has it
}

func (t *turn) name() string { return turnName(t.Namespace, t.ID) }

func turnName(namespace, id string) string { return namespace + "\x00" + id }

// mark says something of a turn's completion.
type mark struct {
	Namespace string `json:"namespace"`
	ID        string `json:"id"`
	Payload   string `json:"payload"` // a digest
}

// line is one line of the file: one of its parts is set.
type line struct {
	Version int      `json:"v"`
	Session *session `json:"session,omitempty"`
	Turn    *turn    `json:"turn,omitempty"`
	Claimed *mark    `json:"claimed,omitempty"` // this payload has won
	Stored  *mark    `json:"stored,omitempty"`  // and the backend has it
}

// state is what is remembered, in memory and in the file.
type state struct {
	sessions map[string]*session // by id
	keys     map[string]*session // by name
	turns    map[string]*turn    // by name; also those that are being retrieved for
	file     *lines
	keep     func() time.Time // what is older is forgotten
	worth    int64            // worthIt
	report   func(error)
	release  func()
}

// openState reads a folder's state; what is older than a time is forgotten.
func openState(dir string, keep func() time.Time, report func(error)) (*state, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, stateName)
	release, ok, err := journal.TryLock(path + ".lock")
	if err == nil && !ok {
		err = errors.New("another process serves from " + dir)
	}
	if err != nil {
		return nil, err
	}
	st := &state{
		sessions: map[string]*session{}, keys: map[string]*session{}, turns: map[string]*turn{}, keep: keep, worth: worthIt, report: report, release: release,
	}
	if err := st.load(path); err != nil {
		return nil, errors.Join(err, st.close())
	}
	return st, nil
}

func (st *state) close() (err error) {
	if st.file != nil {
		err = st.file.close()
	}
	st.release()
	return err
}

// load applies a file's lines, and writes the file anew without what no longer
// counts.
func (st *state) load(path string) error {
	file, data, err := openLines(path)
	if err != nil {
		return err
	}
	st.file = file
	damaged := 0
	for text := range strings.Lines(data) {
		l, ok := decode(text)
		if ok && l.Version > version {
			return fmt.Errorf("%s was written by a later version", path)
		}
		if !ok {
			damaged++
			continue
		}
		st.apply(l)
	}
	if damaged > 0 {
		st.report(fmt.Errorf("%d damaged lines of %s were skipped", damaged, path))
	}
	return st.compact()
}

// decode reads a line; one that was cut off is no JSON.
func decode(text string) (l line, ok bool) {
	return l, json.Unmarshal([]byte(text), &l) == nil && l.Version > 0
}

// apply makes a line count.
func (st *state) apply(l line) {
	switch {
	case l.Session != nil:
		st.sessions[l.Session.ID], st.keys[l.Session.name()] = l.Session, l.Session
	case l.Turn != nil:
		if l.Turn.ready == nil { // read from the file
			l.Turn.ready = make(chan struct{})
			close(l.Turn.ready)
		}
		st.turns[l.Turn.name()] = l.Turn
	case l.Claimed != nil:
		st.marked(l.Claimed, false)
	case l.Stored != nil:
		st.marked(l.Stored, true)
	}
}

func (st *state) marked(m *mark, stored bool) {
	if t := st.turns[turnName(m.Namespace, m.ID)]; t != nil {
		t.payload, t.stored = m.Payload, stored
	}
}

// add writes a line and then makes it count.
func (st *state) add(l line) error {
	data, err := encode(l)
	if err == nil {
		err = st.file.append(data)
	}
	if err != nil {
		return fmt.Errorf("keeping the service's state: %w", err)
	}
	st.apply(l)
	if st.file.size >= max(st.worth, 2*st.file.compacted) {
		if err := st.compact(); err != nil { // the line is kept all the same
			st.report(fmt.Errorf("writing the service's state anew: %w", err))
		}
	}
	return nil
}

func encode(l line) ([]byte, error) {
	l.Version = version
	data, err := journal.PlainJSON(l)
	return append(data, '\n'), err
}

// compact forgets what is old and writes the file anew.
func (st *state) compact() error {
	st.forget(st.keep())
	var all []byte
	for _, l := range st.lines() {
		data, err := encode(l)
		if err != nil {
			return err
		}
		all = append(all, data...)
	}
	return st.file.replace(all)
}

// forget drops turns that were started before a time, and sessions that have
// none and were not used since.
func (st *state) forget(before time.Time) {
	used := map[string]bool{}
	for name, t := range st.turns {
		if t.Retrieval != nil && t.At.Before(before) {
			delete(st.turns, name)
			continue
		}
		used[t.Session] = true
	}
	for id, s := range st.sessions {
		if !used[id] && s.At.Before(before) {
			delete(st.sessions, id)
			delete(st.keys, s.name())
		}
	}
}

// lines is the state as lines.
func (st *state) lines() []line {
	var out []line
	for _, s := range st.sessions {
		out = append(out, line{Session: s})
	}
	for _, t := range st.turns {
		if t.Retrieval == nil {
			continue
		}
		out = append(out, line{Turn: t})
		m := &mark{t.Namespace, t.ID, t.payload}
		switch {
		case t.stored:
			out = append(out, line{Stored: m})
		case t.payload != "":
			out = append(out, line{Claimed: m})
		}
	}
	return out
}

// session finds a namespace's session by its id.
func (st *state) session(namespace, id string) (*session, error) {
	s := st.sessions[id]
	switch {
	case s == nil:
		return nil, invalid("the session was not opened")
	case s.Namespace != namespace:
		return nil, refuse(http.StatusForbidden, "wrong_namespace", "the session is of another namespace")
	}
	return s, nil
}

// digest stands for a list of texts.
func digest(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(strconv.Itoa(len(t)) + ":" + t)
	}
	return journal.Sum([]byte(b.String()))
}
