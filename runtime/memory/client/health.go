package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/wire"
)

// Exchange is what a service was asked for.
type Exchange string

// The exchanges: before a turn, and after it.
const (
	ExchangeRecall  Exchange = "recall"
	ExchangeCapture Exchange = "capture"
)

// healthName is the file in the state folder.
const healthName = "memory-service.json"

// Health remembers, across processes, what a service fails with, so that each
// cause is told once, and once that it is over. Its zero value is not usable.
type Health struct {
	path    string
	address string
	now     func() time.Time
}

// NewHealth is the store in a state folder, which is made when there is
// something to remember, for a service's address.
func NewHealth(dir, address string, now func() time.Time) Health {
	return Health{filepath.Join(dir, healthName), address, now}
}

// Fault is a cause that has not been seen to be over.
type Fault struct {
	Cause    Cause     `json:"cause"`
	Exchange Exchange  `json:"exchange"`
	Detail   string    `json:"detail"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
	Times    int       `json:"times"`
}

// Status is what is remembered of a service. Without a fault it works, or was
// not asked yet. Recovered is when the last fault ended, zero for never.
type Status struct {
	Address   string    `json:"address"`
	Faults    []Fault   `json:"faults"`
	Recovered time.Time `json:"recovered,omitzero"`
}

// Status reads what is remembered. A file that is damaged, or about another
// address, is as none.
func (h Health) Status() (Status, error) {
	none := Status{Address: h.address}
	data, err := os.ReadFile(h.path)
	if errors.Is(err, os.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, fmt.Errorf("reading the memory service's state: %w", err)
	}
	var s Status
	if json.Unmarshal(data, &s) != nil || s.Address != h.address {
		return none, nil
	}
	return s, nil
}

// Note takes what became of an exchange: its first error, or nil. It gives a
// line to tell when the cause is new, or when the last one is over, and "" at
// any other time; of processes that note the same at once, one gets the line.
// An exchange that the caller gave up says nothing about a service.
func (h Health) Note(e Exchange, outcome error) (line string, err error) {
	if CauseOf(outcome) == CauseStopped {
		return "", nil
	}
	if outcome == nil { // the usual case writes nothing
		if s, err := h.Status(); err != nil || len(s.Faults) == 0 {
			return "", err
		}
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return "", fmt.Errorf("keeping the memory service's state: %w", err)
	}
	release, ok, err := journal.TryLock(h.path + ".lock")
	if err != nil || !ok { // another process is noting: the next time will do
		return "", err
	}
	defer release()
	return h.note(e, outcome)
}

// note is Note under the lock.
func (h Health) note(e Exchange, outcome error) (line string, err error) {
	s, err := h.Status()
	if err != nil {
		return "", err
	}
	before := len(s.Faults)
	if outcome != nil {
		line = s.failed(h.fault(e, outcome))
	} else if line = s.worked(e); line != "" {
		s.Recovered = h.now().UTC()
	} else if len(s.Faults) == before {
		return "", nil
	}
	data, err := journal.PlainJSON(s)
	if err == nil {
		err = journal.Replace(h.path, data)
	}
	if err != nil { // what is not remembered would be told for ever
		return "", fmt.Errorf("keeping the memory service's state: %w", err)
	}
	return line, nil
}

func (h Health) fault(e Exchange, outcome error) Fault {
	now := h.now().UTC()
	f := Fault{Cause: CauseOf(outcome), Exchange: e, Detail: wire.Cut(outcome.Error(), maxDetail), First: now, Last: now, Times: 1}
	if f.Cause == "" { // another's error, which may say anything
		f.Cause, f.Detail = CauseBadReply, "the exchange could not be made"
	}
	return f
}

// failed adds a fault, and gives the line for a cause that is new.
func (s *Status) failed(f Fault) string {
	isNew := !slices.ContainsFunc(s.Faults, func(old Fault) bool { return old.Cause == f.Cause })
	same := slices.IndexFunc(s.Faults, func(old Fault) bool { return old.Cause == f.Cause && old.Exchange == f.Exchange })
	if same >= 0 {
		old := &s.Faults[same]
		old.Last, old.Detail, old.Times = f.Last, f.Detail, old.Times+1
		return ""
	}
	s.Faults = append(s.Faults, f)
	if !isNew {
		return ""
	}
	return fmt.Sprintf("kitsoki: the memory service at %s fails (%s): %s", s.Address, f.Cause, f.Detail)
}

// worked takes away an exchange's faults, and gives the line when there was
// one and none is left.
func (s *Status) worked(e Exchange) string {
	if len(s.Faults) == 0 {
		return ""
	}
	s.Faults = slices.DeleteFunc(s.Faults, func(f Fault) bool { return f.Exchange == e })
	if len(s.Faults) > 0 {
		return ""
	}
	return fmt.Sprintf("kitsoki: the memory service at %s works again", s.Address)
}
