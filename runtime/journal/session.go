package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// forgotten is the age at which a session's memory is removed.
const forgotten = 24 * time.Hour

// Deed says what an agent's session was last answered with.
type Deed string

// The deeds. None is a session that nothing was done for, or whose last
// command came to no good end.
const (
	DeedNone    Deed = ""
	DeedRan     Deed = "ran"       // a command succeeded
	DeedAsked   Deed = "asked"     // a confirmation was asked for
	DeedRefused Deed = "duplicate" // a repetition was held back
)

const (
	onceDir      = "once"
	onceFileType = ".json"
	lockSuffix   = ".lock"
)

// Memory is what is kept of one agent's session between two prompts. Text is
// a digest: prompts themselves stand in the trace only.
type Memory struct {
	PromptID string    `json:"prompt_id,omitempty"` // the prompt answered last
	Reply    string    `json:"reply,omitempty"`     // with this
	Text     string    `json:"text,omitempty"`      // digest of its normalised text
	Deed     Deed      `json:"deed,omitempty"`
	At       time.Time `json:"at"`
	Untold   string    `json:"untold,omitempty"` // what the model has not been told yet
}

// Session is the locked memory of one agent's session. Close it.
type Session struct {
	Memory
	path    string
	release func()
}

// ErrBusy says that another process is answering the same session.
var ErrBusy = errors.New("the session is being answered")

// OpenSession locks and reads a session's memory. When another process holds
// it, OpenSession waits, or fails with ErrBusy; without a state directory it
// fails with ErrNoHome. A damaged memory is an empty one.
func OpenSession(state, agent, session string, now time.Time, wait bool) (*Session, error) {
	if state == "" {
		return nil, ErrNoHome
	}
	path := filepath.Join(state, onceDir, Digest(agent, session)+onceFileType)
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, fmt.Errorf("opening the session's memory: %w", err)
	}
	if !exists(path) {
		forget(filepath.Dir(path), now)
	}
	release, ok, err := lock(path+lockSuffix, wait)
	if err == nil && !ok {
		err = ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("locking the session's memory: %w", err)
	}
	s := &Session{path: path, release: release}
	if err := s.read(); err != nil {
		release()
		return nil, fmt.Errorf("reading the session's memory: %w", err)
	}
	return s, nil
}

func (s *Session) read() error {
	data, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if json.Unmarshal(data, &s.Memory) != nil {
		s.Memory = Memory{}
	}
	return nil
}

// HasSession says whether a session has a memory, without locking it.
func HasSession(state, agent, session string) bool {
	return state != "" && exists(filepath.Join(state, onceDir, Digest(agent, session)+onceFileType))
}

// Untold says whether a session's model has something to be told. It does
// not lock: while a command runs there is nothing to tell yet. A memory that
// can't be read may hold something.
func Untold(state, agent, session string) bool {
	if !HasSession(state, agent, session) {
		return false
	}
	s := &Session{path: filepath.Join(state, onceDir, Digest(agent, session)+onceFileType)}
	return s.read() != nil || s.Memory.Untold != ""
}

// Save writes the memory back.
func (s *Session) Save() error {
	data, err := PlainJSON(s.Memory)
	if err == nil {
		err = Replace(s.path, data)
	}
	if err != nil {
		return fmt.Errorf("saving the session's memory: %w", err)
	}
	return nil
}

// Close lets the next process have it.
func (s *Session) Close() { s.release() }

// Sum is the SHA-256 of some bytes in hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Digest is 16 hex digits that stand for a list of texts.
func Digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write(strconv.AppendInt(nil, int64(len(t)), 10))
		h.Write([]byte(":" + t))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// forget removes the memories of sessions that ended long ago. What can't be
// removed stays; it does no harm.
func forget(dir string, now time.Time) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil || filepath.Ext(e.Name()) != onceFileType || now.Sub(info.ModTime()) <= forgotten {
			continue
		}
		path := filepath.Join(dir, e.Name())
		_, _ = os.Remove(path), os.Remove(path+lockSuffix)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
