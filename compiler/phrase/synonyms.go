package phrase

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// member is one member of a group of words that may stand for each other.
type member struct {
	group int
	src   source.Str
	words []string
}

// parseGroups reads routing.word_synonyms.
func (l *lowerer) parseGroups() {
	groups := map[string]int{}
	for g, list := range l.story.Routing.Synonyms {
		if len(list) < 2 && len(list) > 0 {
			l.ds.Addf(diag.BadGroup, list[0].Pos, "a group of one word exchanges nothing").
				Hintf("add the words that mean the same, or remove the group")
		}
		for _, s := range list {
			m := member{group: g, src: s, words: wordsOf(s.Val)}
			if !pattern.Plain(s.Val) || len(m.words) == 0 {
				l.ds.Addf(diag.BadGroup, s.Pos, "%q is no word", s.Val).Hintf("write a word, or words with blanks between; brackets have no meaning here")
				continue
			}
			key := joined(m.words)
			if first, ok := groups[key]; ok && first != g {
				l.ds.Addf(diag.WordInTwoGroups, s.Pos, "%q stands in two groups; each exchanges it on its own, and nothing joins them", s.Val).
					Hintf("merge the groups if all of their words mean the same")
			} else if ok {
				continue // twice in one group says nothing new
			}
			groups[key] = g
			l.members = append(l.members, m)
		}
	}
}

func wordsOf(s string) []string {
	n, err := pattern.Parse(s)
	if err != nil {
		return nil
	}
	return words(n)
}

// checkGroups refuses members that stand around every command, or turn one
// into something else.
func (l *lowerer) checkGroups(fillersOnly *pattern.DFA) {
	for _, m := range l.members {
		state, ok := uint32(0), true
		for _, id := range l.words.idsOf(m.words) {
			if ok {
				state, ok = fillersOnly.Step(state, id)
			}
		}
		if ok && fillersOnly.Accepting(state) {
			l.ds.Addf(diag.BadGroup, m.src.Pos, "%q is said around every command and cannot be exchanged", m.src.Val).Hintf("leave it out of the group")
		}
		for _, t := range l.forbidden {
			if t.standsIn(m.words) {
				l.ds.Addf(diag.ForbiddenWord, m.src.Pos, "the word %q turns a command into something for the model", t.word).Hintf("leave it out of the group")
			}
		}
	}
}

// memberRows gives the members as the artifact keeps them.
func (l *lowerer) memberRows() []artifact.Member {
	var out []artifact.Member
	for _, m := range l.members {
		out = append(out, artifact.Member{Group: uint32(m.group), Tokens: l.words.idsOf(m.words)})
	}
	artifact.SortMembers(out)
	return out
}

// doc is a phrase as the index and the checks of synonyms see it: a plain
// phrase, or one expansion of a pattern.
type doc struct {
	decl   int
	tokens []string // {type} for a slot
	slots  int
}

// maxExpansions bounds the expansions of one pattern in the index. A pattern
// with more is one document with all its words, which is found whenever one
// of its expansions would be.
const maxExpansions = 128

// documents lists what the index holds, in the order of the phrases.
func (l *lowerer) documents() []doc {
	var out []doc
	for i, d := range l.decls {
		switch {
		case i < l.fillers:
		case d.plain:
			out = append(out, doc{decl: i, tokens: d.key})
		default:
			out = append(out, l.expand(i)...)
		}
	}
	return out
}

// expand gives the expansions of a pattern.
func (l *lowerer) expand(at int) []doc {
	e := &expander{l: l, at: at, prog: l.decls[at].prog, seen: map[string]bool{}}
	if !e.from(0, nil, 0) {
		return []doc{e.all()}
	}
	return e.out
}

// expander walks every way through a program.
type expander struct {
	l     *lowerer
	at    int
	prog  []artifact.Inst
	out   []doc
	seen  map[string]bool
	steps int
}

// from goes on at an instruction, false when there are too many ways.
func (e *expander) from(pc int, tokens []string, slots int) bool {
	for pc < len(e.prog) {
		if e.steps++; e.steps > 200*maxExpansions {
			return false
		}
		switch in := e.prog[pc]; in.Op {
		case artifact.OpWord:
			tokens = append(slices.Clip(tokens), e.l.words.list[in.A])
		case artifact.OpClass:
			return true // a class outside of a slot accepts nothing
		case artifact.OpSplit:
			if !e.from(int(in.A), tokens, slots) {
				return false
			}
			pc = int(in.B)
			continue
		case artifact.OpJump:
			pc = int(in.A)
			continue
		case artifact.OpBegin:
			slots++
			if in.B == 0 {
				tokens, pc = append(slices.Clip(tokens), e.l.slotTerm(e.at, in.A)), e.end(pc)
				continue
			}
		case artifact.OpMatch:
			return e.add(tokens, slots)
		}
		pc++
	}
	return true
}

// end gives the place behind the end of the slot that begins at pc.
func (e *expander) end(pc int) int {
	for pc < len(e.prog) && e.prog[pc].Op != artifact.OpEnd {
		pc++
	}
	return pc + 1
}

func (e *expander) add(tokens []string, slots int) bool {
	key := joined(tokens)
	if e.seen[key] {
		return true
	}
	e.seen[key] = true
	e.out = append(e.out, doc{decl: e.at, tokens: tokens, slots: slots})
	return len(e.out) <= maxExpansions
}

// all is one document with every word of the pattern.
func (e *expander) all() doc {
	seen := map[string]bool{}
	d := doc{decl: e.at, slots: e.l.decls[e.at].slots}
	for _, in := range e.prog {
		term := ""
		switch {
		case in.Op == artifact.OpWord:
			term = e.l.words.list[in.A]
		case in.Op == artifact.OpBegin && in.B == 0:
			term = e.l.slotTerm(e.at, in.A)
		}
		if term != "" && !seen[term] {
			seen[term] = true
			d.tokens = append(d.tokens, term)
		}
	}
	return d
}

func (l *lowerer) slotTerm(at int, slot uint32) string {
	return "{" + string(l.intents[l.decls[at].intent].row.Slots[slot].Type) + "}"
}
