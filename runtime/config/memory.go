package config

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Memory is what recalls before a turn and captures after it. Without a
// memory block in any file it is off. Floor is a relevance from 0 to 1;
// MaxChars counts code points, the frame among them.
type Memory struct {
	Recall   Value[bool]
	Sources  Value[[]string] // globs of Markdown files, with slashes, below the repository's root
	Floor    Value[float64]
	MaxItems Value[int]
	MaxChars Value[int]
	Capture  Value[bool]
	URL      Value[string] // of a service, the user's own
	Token    Value[string] // for it, likewise
	// Owner is whose block switches it on, "" when none does.
	Owner Layer
}

// The defaults and limits of what is recalled.
const (
	DefaultFloor = 0.55
	MostItems    = 3
	MostChars    = 6000
)

// DefaultSources are the files that a memory block without sources means.
func DefaultSources() []string { return []string{"docs/**/*.md", "*.md"} }

func memoryKeys() []string  { return []string{"recall", "capture", "url", "token"} }
func recallKeys() []string  { return []string{"enabled", "sources", "floor", "max_items", "max_chars"} }
func captureKeys() []string { return []string{"enabled"} }

// memory reads a memory block.
func (r *reader) memory(n *yaml.Node, m *Memory) {
	m.Owner = r.layer
	r.block(n, "memory", memoryKeys(), func(key string, v *yaml.Node) {
		switch key {
		case "recall":
			r.recall(v, m)
		case "capture":
			r.block(v, "memory.capture", captureKeys(), func(_ string, v *yaml.Node) {
				m.Capture = read(r, v, "memory.capture.enabled", boolean)
			})
		case "url":
			m.URL = r.owned(v, "memory.url", address)
		case "token":
			m.Token = r.owned(v, "memory.token", word)
		}
	})
}

func (r *reader) recall(n *yaml.Node, m *Memory) {
	r.block(n, "memory.recall", recallKeys(), func(key string, v *yaml.Node) {
		name := "memory.recall." + key
		switch key {
		case "enabled":
			m.Recall = read(r, v, name, boolean)
		case "sources":
			m.Sources = readList(r, v, name, glob)
		case "floor":
			m.Floor = read(r, v, name, share)
		case "max_items":
			m.MaxItems = read(r, v, name, upTo(MostItems))
		case "max_chars":
			m.MaxChars = read(r, v, name, upTo(MostChars))
		}
	})
}

// owned reads a value that only the user's own file may have: a repository
// must not say where prompts are sent.
func (r *reader) owned(n *yaml.Node, name string, parse func(*yaml.Node) (string, error)) Value[string] {
	if r.layer != LayerUser {
		r.say(n, Error, name+" counts in the user's own configuration only", "remove it here")
		return Value[string]{}
	}
	v, err := parse(n)
	if err != nil { // without the value: it may be a secret
		r.say(n, Error, name+": "+err.Error(), "")
		return Value[string]{}
	}
	return Value[string]{V: v, Origin: r.origin(n)}
}

// readList reads a list of scalars.
func readList[T any](r *reader, n *yaml.Node, name string, parse func(*yaml.Node) (T, error)) Value[[]T] {
	if n.Kind != yaml.SequenceNode {
		r.say(n, Error, name+" must be a list", "")
		return Value[[]T]{}
	}
	out := Value[[]T]{Origin: r.origin(n)}
	for i, item := range n.Content {
		if v := read(r, item, fmt.Sprintf("%s[%d]", name, i), parse); v.Set() {
			out.V = append(out.V, v.V)
		}
	}
	return out
}

func glob(n *yaml.Node) (string, error) {
	v, err := asText(n)
	switch {
	case err != nil:
		return "", err
	case v == "" || path.IsAbs(v) || strings.Contains(v, `\`) || slices.Contains(strings.Split(v, "/"), ".."):
		return "", fmt.Errorf("it must be a pattern of paths below the repository's root, with slashes, as in docs/**/*.md")
	}
	if _, err := path.Match(v, ""); err != nil {
		return "", fmt.Errorf("it is no pattern: a bracket is not closed")
	}
	return v, nil
}

func share(n *yaml.Node) (float64, error) {
	var v float64
	if n.Tag == "!!null" || n.Decode(&v) != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("it must be a number from 0 to 1")
	}
	return v, nil
}

func upTo(most int) func(*yaml.Node) (int, error) {
	return func(n *yaml.Node) (int, error) {
		v, err := strconv.Atoi(n.Value)
		if n.Tag != "!!int" || err != nil || v < 1 || v > most {
			return 0, fmt.Errorf("it must be a whole number from 1 to %d", most)
		}
		return v, nil
	}
}

func address(n *yaml.Node) (string, error) {
	v, err := word(n)
	if err == nil && !strings.HasPrefix(v, "http://") && !strings.HasPrefix(v, "https://") {
		err = fmt.Errorf("it must begin with http:// or https://")
	}
	return v, err
}

// mergeMemory puts the files' blocks over the defaults. What the user has
// switched off, no repository switches on.
func (r *Resolved) mergeMemory(found layers) {
	m := &r.Memory
	for _, l := range found {
		if l.memory.Owner == "" {
			continue
		}
		if m.Owner == "" {
			*m = Memory{
				Recall: byDefault(true), Capture: byDefault(true), Sources: byDefault(DefaultSources()), Floor: byDefault(DefaultFloor),
				MaxItems: byDefault(MostItems), MaxChars: byDefault(MostChars),
			}
		}
		m.Owner = laterOwner(m.Owner, l.from)
		m.Recall, m.Capture = overSwitch(m.Recall, l.memory.Recall), overSwitch(m.Capture, l.memory.Capture)
		m.Sources, m.Floor = over(m.Sources, l.memory.Sources), over(m.Floor, l.memory.Floor)
		m.MaxItems, m.MaxChars = over(m.MaxItems, l.memory.MaxItems), over(m.MaxChars, l.memory.MaxChars)
		m.URL, m.Token = over(m.URL, l.memory.URL), over(m.Token, l.memory.Token)
	}
}

// laterOwner is whose a block is that several files have.
func laterOwner(before, now Layer) Layer {
	if now != LayerUser {
		return LayerRepository
	}
	if before == "" {
		return LayerUser
	}
	return before
}

func overSwitch(low, high Value[bool]) Value[bool] {
	if low.Origin.Layer == LayerUser && !low.V {
		return low
	}
	return over(low, high)
}

// standing says that a block may count: nothing is switched off or broken,
// and a repository's block was accepted.
func (r Resolved) standing(owner Layer) bool {
	return owner != "" && !r.Off && !r.Switched && r.Broken == "" && (owner == LayerUser || r.Trusted)
}

// Recalls says that prompts here are to be given what is known.
func (r Resolved) Recalls() bool { return r.standing(r.Memory.Owner) && r.Memory.Recall.V }

// Captures says that turns here are to be kept.
func (r Resolved) Captures() bool { return r.standing(r.Memory.Owner) && r.Memory.Capture.V }

// Guards says that ends of turns here are to be looked at.
func (r Resolved) Guards() bool { return r.standing(r.Guard.Owner) && r.Guard.On() }

// Claims says that the binding is the repository's.
func (r Resolved) Claims() bool { return r.Owner == LayerRepository && r.App.Set() }

// NeedsTrust says that a repository's file switches something on that counts
// only once it was accepted.
func (r Resolved) NeedsTrust() bool {
	return r.Claims() && r.Enabled.V || r.Memory.Owner == LayerRepository || r.Guard.Owner == LayerRepository
}
