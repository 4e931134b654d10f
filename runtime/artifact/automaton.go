package artifact

// Automaton is a deterministic automaton over tokens as flat, sorted arrays.
// State 0 is the start. From a state, an interned word goes first by the
// state's word edges, then, like an unknown word, by the edge of its class.
//
// Encoded: u32 states, words, classes, accepts, then (states+1) × {u32 first
// word edge, first class edge, first accept}, the word edges {u32 token,
// u32 next} sorted by token, the class edges {u32 class, u32 next} sorted by
// class, the accepts u32.
type Automaton struct {
	States  []AutomatonState
	Words   []Edge
	Classes []Edge
	Accepts []uint32
}

// AutomatonState holds the first index into each array of its automaton; the
// next state's are the ends. States has one more entry than there are
// states.
type AutomatonState struct{ Word, Class, Accept uint32 }

// Edge leads from a state to Next by symbol On: a token id or a class.
type Edge struct{ On, Next uint32 }

// EndOnly marks, in an accept of a pattern automaton, a phrase that accepts
// only at the end of the prompt. The rest of the accept is the phrase.
const EndOnly = 1 << 31

const (
	automatonHead = 16
	stateSize     = 12
	edgeSize      = 8
)

// AutomatonView reads one automaton of a file.
type AutomatonView struct {
	f                        *File
	states, words, classes   int
	accepts                  int
	atState, atWord, atClass int // byte offsets in the section
	atAccept                 int
}

// Automaton gives the pattern automaton a room names.
func (f *File) Automaton(i uint32) AutomatonView { return f.automaton(int(i) + 2) }

// Lead gives the automaton of leads, read forwards.
func (f *File) Lead() AutomatonView { return f.automaton(0) }

// Trail gives the automaton of trails, read backwards.
func (f *File) Trail() AutomatonView { return f.automaton(1) }

func (f *File) automaton(i int) AutomatonView {
	s := f.section(secAutomata)
	if i >= int(s.u32(0)) {
		return AutomatonView{f: f}
	}
	at := int(s.u32(4 + 4*i))
	v := AutomatonView{
		f: f, states: int(s.u32(at)), words: int(s.u32(at + 4)),
		classes: int(s.u32(at + 8)), accepts: int(s.u32(at + 12)),
	}
	v.atState = at + automatonHead
	v.atWord = v.atState + stateSize*(v.states+1)
	v.atClass = v.atWord + edgeSize*v.words
	v.atAccept = v.atClass + edgeSize*v.classes
	return v
}

// Step gives the state after a token, or false when there is none. Known is
// false for a word that is not interned.
func (v AutomatonView) Step(state, token uint32, known bool, class uint32) (uint32, bool) {
	if int(state) >= v.states {
		return 0, false
	}
	s := v.f.section(secAutomata)
	at := v.atState + stateSize*int(state)
	if known {
		if next, ok := s.edge(v.atWord, s.u32(at), s.u32(at+stateSize), token); ok {
			return next, true
		}
	}
	return s.edge(v.atClass, s.u32(at+4), s.u32(at+4+stateSize), class)
}

// Accepts gives the range of a state's accepts; At reads one.
func (v AutomatonView) Accepts(state uint32) (from, to uint32) {
	if int(state) >= v.states {
		return 0, 0
	}
	s := v.f.section(secAutomata)
	at := v.atState + stateSize*int(state) + 8
	from, to = s.u32(at), s.u32(at+stateSize)
	if from > to || int(to) > v.accepts {
		return 0, 0
	}
	return from, to
}

// At reads accept i of the automaton.
func (v AutomatonView) At(i uint32) uint32 {
	return v.f.section(secAutomata).u32(v.atAccept + 4*int(i))
}

// edge finds symbol on among the edges from..to of the array at base.
func (s *section) edge(base int, from, to, on uint32) (uint32, bool) {
	end := to
	for from < to {
		mid := from + (to-from)/2
		if s.u32(base+edgeSize*int(mid)) < on {
			from = mid + 1
		} else {
			to = mid
		}
	}
	if from < end && s.u32(base+edgeSize*int(from)) == on {
		return s.u32(base + edgeSize*int(from) + 4), true
	}
	return 0, false
}
