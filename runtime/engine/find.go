package engine

import (
	"slices"
	"strings"

	"kitsoki/runtime/artifact"
)

// findState finds a room by its path, nil when there is none.
func findState(p *artifact.Program, path string) *artifact.State {
	i, ok := slices.BinarySearchFunc(p.States, path, func(s artifact.State, path string) int {
		return strings.Compare(s.Path, path)
	})
	if !ok {
		return nil
	}
	return &p.States[i]
}

func findIntent(p *artifact.Program, name string) *artifact.Intent {
	for i := range p.Intents {
		if p.Intents[i].Name == name {
			return &p.Intents[i]
		}
	}
	return nil
}

func findKey(p *artifact.Program, name string) *artifact.WorldKey {
	for i := range p.World {
		if p.World[i].Name == name {
			return &p.World[i]
		}
	}
	return nil
}

// resolve finds the room that a name means in a room: a sibling of it, else a
// sibling of its nearest ancestor that has one. The name may be a dotted path.
func resolve(p *artifact.Program, from, name string) (string, bool) {
	for name != "" {
		i := strings.LastIndexByte(from, '.')
		path := name
		if i >= 0 {
			path = from[:i+1] + name
		}
		if findState(p, path) != nil {
			return path, true
		}
		if i < 0 {
			break
		}
		from = from[:i]
	}
	return "", false
}

// lineage is a room and its ancestors, inner to outer.
func lineage(p *artifact.Program, path string) []*artifact.State {
	var out []*artifact.State
	for path != "" && len(out) <= len(p.States) {
		s := findState(p, path)
		if s == nil {
			break
		}
		out, path = append(out, s), s.Parent
	}
	return out
}

// handler finds the arcs for an intent: the nearest room that has it
// decides.
func handler(p *artifact.Program, room, intent string) (*artifact.Handler, bool) {
	for _, s := range lineage(p, room) {
		for i := range s.On {
			if s.On[i].Intent == intent {
				return &s.On[i], true
			}
		}
	}
	return nil, false
}

// innermost follows first children from a compound room to where one rests.
func innermost(p *artifact.Program, path string) string {
	for range p.States {
		s := findState(p, path)
		if s == nil || s.Initial == "" {
			break
		}
		path = s.Initial
	}
	return path
}

// entered lists the rooms a move enters, outer to inner: those not around
// the old room already, but always the target itself, and its first
// children.
func entered(p *artifact.Program, from, target string) []*artifact.State {
	inside := map[string]bool{}
	for _, s := range lineage(p, from) {
		inside[s.Path] = true
	}
	var out []*artifact.State
	for i, s := range lineage(p, target) {
		if i > 0 && inside[s.Path] {
			break
		}
		out = append(out, s)
	}
	slices.Reverse(out)
	for at := target; at != innermost(p, target); {
		at = findState(p, at).Initial
		if s := findState(p, at); s != nil {
			out = append(out, s)
		}
	}
	return out
}
