package phrase

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/runtime/text"
)

// intent is one intent of the program with what the source says beyond it.
type intent struct {
	row   artifact.Intent
	allow map[string]bool
	said  bool // the source gives it phrases, right or wrong
	slots []pattern.SlotInfo
}

// decl is one declared phrase or filler.
type decl struct {
	intent uint32 // artifact.NoIntent for a filler
	kind   artifact.PhraseKind
	flags  uint16
	src    source.Str
	node   *pattern.Node
	plain  bool
	key    []string // folded tokens of a plain phrase
	prog   []artifact.Inst
	slots  int
	story  bool // written in the story, not in a pack
}

func (d *decl) row() artifact.Phrase {
	p := artifact.Phrase{
		Intent: d.intent, Kind: d.kind, Flags: d.flags, Slots: uint8(d.slots),
		Pos: d.src.Pos, Source: d.src.Written(),
	}
	if !d.plain {
		p.Prog = d.prog
	}
	return p
}

// rule is one parsed rule of routing.rules.
type rule struct {
	src  source.Str
	node *pattern.Node
}

func (l *lowerer) parseRules() {
	l.rules = map[string]*rule{}
	for _, r := range l.story.Routing.Rules {
		n := l.parse(r.Pattern)
		if n == nil {
			n = &pattern.Node{Kind: pattern.Seq} // reported once, not again where it is used
		}
		l.rules[r.Name.Val] = &rule{r.Pattern, n}
	}
}

// parse reads a phrase and reports what is wrong with it.
func (l *lowerer) parse(s source.Str) *pattern.Node {
	n, err := pattern.Parse(s.Val)
	if err != nil {
		l.ds.Addf(diag.BadPattern, s.At(err.Offset), "%s in the phrase %q", err.Msg, s.Val).Hintf("%s", err.Hint)
		return nil
	}
	return n
}

// collect gathers the phrases of every intent, in the program's order. Extra
// phrases are the display labels of views.
func (l *lowerer) collect(extra map[string][]source.Str) {
	byName := map[string]*source.Intent{}
	index(byName, l.story.Intents)
	indexStates(byName, l.story.States)
	for i, row := range l.program.Intents {
		in := &intent{row: row, allow: map[string]bool{}}
		l.intents = append(l.intents, in)
		src := byName[row.Name]
		if src == nil {
			continue
		}
		for _, a := range src.AllowWords {
			in.allow[text.Key(a.Word.Val)] = true
		}
		l.slotInfos(in, src)
		for _, s := range l.spoken(src.Examples) {
			l.add(uint32(i), artifact.PhraseExample, s)
		}
		for _, s := range extra[row.Name] {
			l.add(uint32(i), artifact.PhraseExample, s)
		}
		for _, s := range l.spoken(src.Synonyms) {
			l.add(uint32(i), artifact.PhrasePlain, s)
		}
	}
}

func index(byName map[string]*source.Intent, list []source.Intent) {
	for i := range list {
		if _, ok := byName[list[i].Name.Val]; !ok {
			byName[list[i].Name.Val] = &list[i]
		}
	}
}

func indexStates(byName map[string]*source.Intent, states []source.State) {
	for i := range states {
		index(byName, states[i].Intents)
		indexStates(byName, states[i].States)
	}
}

// labels gives the display labels of choices: each is an exact phrase of its
// intent, unless it is a template.
func labels(p *artifact.Program) map[string][]source.Str {
	out := map[string][]source.Str{}
	for _, st := range p.States {
		for _, v := range st.View {
			for _, c := range v.Items {
				if c.Intent != "" && c.Label.Src != "" && pattern.Plain(c.Label.Src) {
					out[c.Intent] = append(out[c.Intent], source.Str{Val: c.Label.Src, Pos: c.Label.Pos})
				}
			}
		}
	}
	return out
}

// spoken gives the phrases of the story's locale.
func (l *lowerer) spoken(lists []source.Phrases) []source.Str {
	var out []source.Str
	for _, p := range lists {
		if p.Locale.Val == "" || p.Locale.Val == l.locale {
			out = append(out, p.List...)
		}
	}
	return out
}

func (l *lowerer) add(intent uint32, kind artifact.PhraseKind, s source.Str) {
	l.intents[intent].said = true
	n := l.parse(s)
	if n == nil {
		return
	}
	d := &decl{intent: intent, kind: kind, src: s, node: n, plain: pattern.Plain(s.Val), story: true}
	if d.plain {
		d.key = trimMark(words(n))
	} else {
		d.kind = artifact.PhrasePattern
	}
	if d.plain && len(d.key) == 0 {
		l.ds.Addf(diag.EmptyPattern, s.Pos, "an empty phrase").Hintf("write what a person would type, or remove it")
		return
	}
	l.decls = append(l.decls, d)
}

// words gives the literal tokens of a phrase in order.
func words(n *pattern.Node) []string {
	var out []string
	n.Walk(func(k *pattern.Node) {
		if k.Kind == pattern.Word {
			out = append(out, k.Text)
		}
	})
	return out
}

// trimMark drops a final "." or "!", as matching does.
func trimMark(w []string) []string {
	if n := len(w); n > 0 && (w[n-1] == "." || w[n-1] == "!") {
		return w[:n-1]
	}
	return w
}

// slotInfos prepares an intent's slots for its phrases.
func (l *lowerer) slotInfos(in *intent, src *source.Intent) {
	synonyms := map[string][]source.Allowed{}
	for _, s := range src.Slots {
		synonyms[s.Name.Val] = s.Synonyms
	}
	for i, s := range in.row.Slots {
		info := pattern.SlotInfo{Index: i}
		info.Row, _ = match.SlotRowOf(s.Type)
		for _, v := range s.Values {
			info.Values = append(info.Values, l.valuePhrases(v, synonyms[s.Name], src, s.Name))
		}
		in.slots = append(in.slots, info)
	}
}

// valuePhrases gives what an enum's value may be called: itself and its
// synonyms.
func (l *lowerer) valuePhrases(value string, synonyms []source.Allowed, src *source.Intent, slot string) []*pattern.Node {
	var out []*pattern.Node
	if n, err := pattern.Parse(value); err == nil && len(words(n)) > 0 {
		out = append(out, n)
	}
	for _, a := range synonyms {
		if a.Value.Val != value {
			continue
		}
		for _, s := range a.Phrases {
			if n := l.parse(s); n != nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// slot finds an intent's slot by name.
func (in *intent) slot(name string) (pattern.SlotInfo, bool) {
	for i, s := range in.row.Slots {
		if s.Name == name && in.slots[i].Row.Shape != 0 {
			return in.slots[i], true
		}
	}
	return pattern.SlotInfo{}, false
}

func joined(key []string) string { return strings.Join(key, " ") }
