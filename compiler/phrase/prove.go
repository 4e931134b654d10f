package phrase

import (
	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// prove asks the real matcher, over the bytes of the image, whether each
// phrase means its intent. It is the last word: whatever the checks before
// it missed ends here.
func (l *lowerer) prove(img *artifact.Image) {
	data, err := artifact.Encode(img)
	if err != nil {
		l.ds.Addf(diag.TooLarge, l.story.App.Pos, "%v", err).Hintf("split the story")
		return
	}
	f, err := artifact.Decode(l.story.App.ID.Val, data)
	if err != nil {
		l.ds.Addf(diag.PhraseUnresolved, l.story.App.Pos, "the artifact cannot be read back: %v", err)
		return
	}
	var scratch match.Scratch
	for i, d := range l.decls[l.fillers:] {
		r, ok := l.roomOf(d.intent)
		if !ok {
			continue
		}
		l.proveOne(f, r, d, l.utterance(l.fillers+i, d), &scratch)
	}
}

// roomOf gives the first room that offers an intent.
func (l *lowerer) roomOf(intent uint32) (room, bool) {
	for _, r := range l.rooms {
		for _, in := range r.intents {
			if in == intent {
				return r, true
			}
		}
	}
	return room{}, false
}

// utterance is a prompt that a phrase accepts: itself, or a pattern's
// shortest.
func (l *lowerer) utterance(at int, d *decl) string {
	if d.plain {
		return d.src.Val
	}
	n := pattern.NewNFA()
	l.addPattern(n, at)
	dfa, ok := n.Determine(l.words.builder(), pattern.MaxStates)
	if !ok {
		return d.src.Val
	}
	steps := pattern.Alone(dfa)
	for i, s := range steps {
		if dfa.Accepting(s.A) {
			return l.say(pattern.Way(steps, i))
		}
	}
	return d.src.Val
}

func (l *lowerer) proveOne(f *artifact.File, r room, d *decl, prompt string, s *match.Scratch) {
	res := match.Classify(f, match.Query{Prompt: prompt, Automaton: r.automaton, Intents: r.intents}, s)
	switch {
	case len(res.Hits) == 1 && res.Hits[0].ID == d.intent:
	case len(res.Hits) > 1:
		l.unresolved(d, prompt, "it ties with another intent")
	case len(res.Hits) == 1:
		l.unresolved(d, prompt, "it means "+res.Hits[0].Intent)
	case res.Reason != "":
		l.unresolved(d, prompt, "it passes before matching: "+string(res.Reason)+" "+res.Detail)
	default:
		l.unresolved(d, prompt, "nothing covers it")
	}
}

func (l *lowerer) unresolved(d *decl, prompt, why string) {
	l.ds.Addf(diag.PhraseUnresolved, d.src.Pos, "the phrase %q does not match its own intent %s: typed as %q, %s", d.src.Written(), l.name(d), prompt, why).
		Hintf("change the wording so that it stands for this command alone")
}
