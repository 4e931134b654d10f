package intercept

import (
	"cmp"
	"slices"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// Examples gives up to limit ways to say an intent, each from another phrase,
// those without a slot first. A slot stands as <name>; what has none is shown
// only when the gate takes it.
func (g *Gate) Examples(intent string, limit int) []string {
	var out []string
	for _, p := range g.phrasesOf(intent) {
		if len(out) == limit {
			break
		}
		text := g.wording(p)
		if text == "" || slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, text) }) {
			continue
		}
		if p.Slots() == 0 && !g.takes(text, intent) {
			continue
		}
		out = append(out, text)
	}
	return out
}

func (g *Gate) takes(prompt, intent string) bool {
	d := g.Decide(prompt, match.Facts{})
	return d.Intercept && d.Hit.Intent == intent
}

func (g *Gate) phrasesOf(intent string) []artifact.PhraseView {
	var out []artifact.PhraseView
	for id := range g.file.PhraseCount() {
		p := g.file.Phrase(uint32(id))
		if i := p.Intent(); int(i) < len(g.program.Intents) && g.program.Intents[i].Name == intent {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b artifact.PhraseView) int { return cmp.Compare(a.Slots(), b.Slots()) })
	return out
}

// wording is the shortest text that a phrase means; "" when it has none.
func (g *Gate) wording(p artifact.PhraseView) string {
	if p.Kind() != artifact.PhrasePattern {
		return p.Source()
	}
	words := shortest(p.Prog(), func(id uint32) string { return g.file.Word(id) }, g.slotNames(p.Intent()))
	text := strings.Join(words, " ")
	return strings.NewReplacer(" ,", ",", " :", ":", " ?", "?", `" <`, `"<`, `> "`, `>"`).Replace(text)
}

func (g *Gate) slotNames(intent uint32) []string {
	var out []string
	for _, s := range g.program.Intents[intent].Slots {
		out = append(out, s.Name)
	}
	return out
}

// trail is a way through a program that came to an instruction.
type trail struct {
	pc   int
	word string
	back *trail
}

func (t *trail) words() []string {
	var out []string
	for ; t != nil; t = t.back {
		if t.word != "" {
			out = append(out, t.word)
		}
	}
	slices.Reverse(out)
	return out
}

// shortest walks a program by the number of words: all that can be reached
// without a further word comes before what needs one.
func shortest(prog []artifact.Inst, word func(uint32) string, slots []string) []string {
	seen := make([]bool, len(prog))
	now, later := []*trail{{}}, []*trail(nil)
	for len(now) > 0 {
		t := now[len(now)-1]
		now = now[:len(now)-1]
		if t.pc < len(prog) && !seen[t.pc] {
			seen[t.pc] = true
			if prog[t.pc].Op == artifact.OpMatch {
				return t.words()
			}
			same, more := t.step(prog, word, slots)
			now, later = append(now, same...), append(later, more...)
		}
		if len(now) == 0 {
			now, later = later, nil
			slices.Reverse(now) // the first alternative of a phrase is its usual one
		}
	}
	return nil
}

// step gives where an instruction leads: without a word, and with one.
func (t *trail) step(prog []artifact.Inst, word func(uint32) string, slots []string) (same, more []*trail) {
	in := prog[t.pc]
	to := func(pc int) *trail { return &trail{pc: pc, back: t} }
	switch in.Op {
	case artifact.OpWord:
		return nil, []*trail{{t.pc + 1, word(in.A), t}}
	case artifact.OpSplit:
		return []*trail{to(int(in.B)), to(int(in.A))}, nil
	case artifact.OpJump:
		return []*trail{to(int(in.A))}, nil
	case artifact.OpBegin:
		end := slices.IndexFunc(prog[t.pc:], func(i artifact.Inst) bool { return i.Op == artifact.OpEnd && i.A == in.A })
		if in.B == 0 && end > 0 && int(in.A) < len(slots) {
			return nil, []*trail{{t.pc + end, "<" + slots[in.A] + ">", t}}
		}
		return []*trail{to(t.pc + 1)}, nil
	case artifact.OpEnd:
		return []*trail{to(t.pc + 1)}, nil
	}
	return nil, nil // a class of words outside of a slot has no text of its own
}

// Offers says whether an intent may be taken here: the room has it, the world
// does not keep it out, and it reaches no further than the user's limit.
func (g *Gate) Offers(intent string) bool {
	within := g.MaxEffect == "" || reach(g.Effect(intent)) <= reach(g.MaxEffect)
	return within && slices.Contains(g.Intents(), intent)
}
