package pattern

import (
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// Scope is what a phrase's names mean. Rule gives a rule's tree; Slot gives
// a slot's index, row and, for an enum, the phrases of each value; false for
// an unknown name. Token interns a word.
type Scope struct {
	Rule  func(name string) (*Node, bool)
	Slot  func(name string) (SlotInfo, bool)
	Token func(word string) uint32
}

// SlotInfo is a slot as a phrase sees it.
type SlotInfo struct {
	Index  int
	Row    match.SlotRow
	Values [][]*Node // per value of an enum, the phrases that mean it
}

// maxProgram bounds the instructions of one phrase.
const maxProgram = 20_000

// Compile gives the instructions of a phrase.
func Compile(n *Node, sc Scope) ([]artifact.Inst, *Error) {
	e := &emitter{scope: sc}
	if err := e.node(n); err != nil {
		return nil, err
	}
	e.emit(artifact.Inst{Op: artifact.OpMatch})
	return e.prog, nil
}

type emitter struct {
	scope Scope
	prog  []artifact.Inst
	path  []string // rules being expanded
}

func (e *emitter) emit(in artifact.Inst) int {
	e.prog = append(e.prog, in)
	return len(e.prog) - 1
}

func (e *emitter) here() uint32 { return uint32(len(e.prog)) }

func (e *emitter) node(n *Node) *Error {
	if len(e.prog) > maxProgram {
		return &Error{n.Offset, "the phrase is too large when its rules are expanded", "split it, or make its rules smaller"}
	}
	switch n.Kind {
	case Word:
		e.emit(artifact.Inst{Op: artifact.OpWord, A: e.scope.Token(n.Text)})
	case Seq:
		return e.seq(n.Kids)
	case Alt:
		return e.alt(n.Kids)
	case Opt:
		return e.opt(n.Kids[0])
	case Rule:
		return e.rule(n)
	case Slot:
		return e.slot(n)
	}
	return nil
}

func (e *emitter) seq(kids []*Node) *Error {
	for _, k := range kids {
		if err := e.node(k); err != nil {
			return err
		}
	}
	return nil
}

// alt emits a chain of splits; every branch jumps behind the last.
func (e *emitter) alt(kids []*Node) *Error {
	var exits []int
	for i, k := range kids {
		last := i == len(kids)-1
		split := -1
		if !last {
			split = e.emit(artifact.Inst{Op: artifact.OpSplit, A: e.here() + 1})
		}
		if err := e.node(k); err != nil {
			return err
		}
		if !last {
			exits = append(exits, e.emit(artifact.Inst{Op: artifact.OpJump}))
			e.prog[split].B = e.here()
		}
	}
	for _, x := range exits {
		e.prog[x].A = e.here()
	}
	return nil
}

func (e *emitter) opt(body *Node) *Error {
	split := e.emit(artifact.Inst{Op: artifact.OpSplit, A: e.here() + 1})
	if err := e.node(body); err != nil {
		return err
	}
	e.prog[split].B = e.here()
	return nil
}

func (e *emitter) rule(n *Node) *Error {
	body, ok := e.scope.Rule(n.Text)
	if !ok {
		return &Error{n.Offset, "there is no rule <" + n.Text + ">", "declare it under routing.rules"}
	}
	for _, open := range e.path {
		if open == n.Text {
			return &Error{n.Offset, "the rule <" + n.Text + "> contains itself", "break the circle"}
		}
	}
	e.path = append(e.path, n.Text)
	err := e.node(body)
	e.path = e.path[:len(e.path)-1]
	if err != nil {
		err.Offset = n.Offset // the phrase's own place: a rule is checked where it stands
	}
	return err
}

func (e *emitter) slot(n *Node) *Error {
	info, ok := e.scope.Slot(n.Text)
	if !ok {
		return &Error{n.Offset, "the slot {" + n.Text + "} is not declared", "declare it under the intent's slots"}
	}
	slot := uint32(info.Index)
	switch info.Row.Shape {
	case match.ShapeToken:
		e.capture(slot, func() { e.emit(artifact.Inst{Op: artifact.OpClass, A: info.Row.Class}) })
	case match.ShapeQuoted:
		e.quoted(slot)
	case match.ShapeText:
		e.text(slot)
	case match.ShapeValues:
		return e.values(slot, info.Values)
	}
	return nil
}

func (e *emitter) capture(slot uint32, body func()) {
	e.emit(artifact.Inst{Op: artifact.OpBegin, A: slot})
	body()
	e.emit(artifact.Inst{Op: artifact.OpEnd, A: slot})
}

// loop emits one or more tokens; the first may be of another class.
func (e *emitter) loop(first, rest match.Class) {
	e.emit(artifact.Inst{Op: artifact.OpClass, A: first})
	again := e.here()
	split := e.emit(artifact.Inst{Op: artifact.OpSplit, A: again + 1})
	e.emit(artifact.Inst{Op: artifact.OpClass, A: rest})
	e.emit(artifact.Inst{Op: artifact.OpJump, A: again})
	e.prog[split].B = e.here()
}

// quoted emits "…" or '…'; the value stands between the marks.
func (e *emitter) quoted(slot uint32) {
	split := e.emit(artifact.Inst{Op: artifact.OpSplit, A: e.here() + 1})
	e.within(slot, "\"", match.ClassInDouble)
	exit := e.emit(artifact.Inst{Op: artifact.OpJump})
	e.prog[split].B = e.here()
	e.within(slot, "'", match.ClassInSingle)
	e.prog[exit].A = e.here()
}

func (e *emitter) within(slot uint32, mark string, class match.Class) {
	e.emit(artifact.Inst{Op: artifact.OpWord, A: e.scope.Token(mark)})
	e.capture(slot, func() { e.loop(class, class) })
	e.emit(artifact.Inst{Op: artifact.OpWord, A: e.scope.Token(mark)})
}

// text emits free text: quoted, or the rest of the prompt, behind which
// nothing may stand.
func (e *emitter) text(slot uint32) {
	split := e.emit(artifact.Inst{Op: artifact.OpSplit, A: e.here() + 1})
	e.quoted(slot)
	e.emit(artifact.Inst{Op: artifact.OpMatch})
	e.prog[split].B = e.here()
	e.capture(slot, e.sentence)
	e.emit(artifact.Inst{Op: artifact.OpMatch, A: 1})
}

// sentence emits unquoted free text: words, and words that join followed by
// what may stand behind them.
func (e *emitter) sentence() {
	e.emit(artifact.Inst{Op: artifact.OpClass, A: match.ClassFirst})
	again := e.here()
	end := e.emit(artifact.Inst{Op: artifact.OpSplit, A: again + 1})
	join := e.emit(artifact.Inst{Op: artifact.OpSplit, A: again + 2})
	e.emit(artifact.Inst{Op: artifact.OpClass, A: match.ClassText})
	e.emit(artifact.Inst{Op: artifact.OpJump, A: again})
	e.prog[join].B = e.here()
	e.loop(match.ClassJoin, match.ClassJoin)
	e.emit(artifact.Inst{Op: artifact.OpClass, A: match.ClassAfter})
	e.emit(artifact.Inst{Op: artifact.OpJump, A: again})
	e.prog[end].B = e.here()
}

// values emits the phrases of an enum's values.
func (e *emitter) values(slot uint32, values [][]*Node) *Error {
	var exits []int
	for v, phrases := range values {
		for _, p := range phrases {
			split := e.emit(artifact.Inst{Op: artifact.OpSplit, A: e.here() + 1})
			e.emit(artifact.Inst{Op: artifact.OpBegin, A: slot, B: uint32(v) + 1})
			if err := e.node(p); err != nil {
				return err
			}
			e.emit(artifact.Inst{Op: artifact.OpEnd, A: slot})
			exits = append(exits, e.emit(artifact.Inst{Op: artifact.OpJump}))
			e.prog[split].B = e.here()
		}
	}
	e.emit(artifact.Inst{Op: artifact.OpClass}) // no value fits: no token has no class
	for _, x := range exits {
		e.prog[x].A = e.here()
	}
	return nil
}
