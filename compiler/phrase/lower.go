// Package phrase lowers what people may say: the examples, synonyms, labels,
// rules and fillers of a story become the matching tables of an image.
//
// In: a story's tree, its program, the rooms that can be bound. Out: the
// tables, or diagnostics at the phrase that is wrong. Invariants: what the
// compiler proves about a phrase it proves with the real matcher over the
// bytes of the finished tables; two intents of one room never accept one
// utterance. It refuses all that matching could only guess about.
package phrase

import (
	"crypto/sha256"
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/segment"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// Room is a state that can be bound and the names of the intents that may be
// intercepted there.
type Room struct {
	Path    string
	Intents []string
}

// Lower makes the image of a story. It reports into ds and gives nil when a
// phrase is wrong.
func Lower(st *source.Story, p *artifact.Program, rooms []Room, tool string, ds *diag.List) *artifact.Image {
	l := &lowerer{story: st, program: p, ds: ds}
	if !l.openPack() {
		return nil
	}
	before := ds.Count(diag.Error)
	l.parseRules()
	l.parseGroups()
	l.collect(labels(p))
	l.parseFillers()
	l.intern()
	l.compile()
	l.rooms = l.resolveRooms(rooms)
	l.check()
	if ds.Count(diag.Error) > before {
		return nil
	}
	docs := l.documents()
	img := l.image(tool)
	if l.ambiguous(docs); ds.Count(diag.Error) > before {
		return nil
	}
	if !l.index(img, docs) {
		return nil
	}
	if l.prove(img); ds.Count(diag.Error) > before {
		return nil
	}
	return img
}

// lowerer carries one story through the steps of Lower.
type lowerer struct {
	story   *source.Story
	program *artifact.Program
	ds      *diag.List
	pack    *packs.Pack
	locale  string

	rules   map[string]*rule
	intents []*intent // by index in the program
	decls   []*decl   // fillers first, then phrases by intent
	members []member  // of routing.word_synonyms
	fillers int       // how many of decls are fillers
	rooms   []room

	words        vocabulary
	lead         dfaPair
	trail        dfaPair
	trailForward *pattern.DFA
	automata     []artifact.Automaton
	patterns     []patternSet
	forbidden    []term
	freeText     []term
}

// openPack loads the language pack of the story's locale.
func (l *lowerer) openPack() bool {
	l.locale = l.story.Routing.Locale.Val
	if l.locale == "" {
		l.locale = "en"
	}
	pack, err := packs.Load(l.locale)
	if err != nil {
		l.ds.Addf(diag.UnknownLocale, l.story.Routing.Locale.Pos, "%v", err).Hintf("write one of those, or leave locale out for en")
		return false
	}
	l.pack = pack
	l.forbidden, l.freeText = terms(pack.Forbidden), terms(pack.FreeText)
	return true
}

func set(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

// image puts the tables together; the automata of rooms with the same
// intents are one.
func (l *lowerer) image(tool string) *artifact.Image {
	img := &artifact.Image{
		Tool: tool, Locale: l.locale, Program: l.program, Tokens: l.words.tokens(),
		Lead: l.lead.dfa.Flat(), Trail: l.trail.dfa.Flat(),
	}
	for _, f := range l.story.Files {
		img.Sources = append(img.Sources, artifact.Source{Path: f.Path, Sum: sha256.Sum256(f.Data)})
	}
	for _, d := range l.decls {
		img.Phrases = append(img.Phrases, d.row())
	}
	img.Exact = l.exact()
	for i := range l.rooms {
		r := &l.rooms[i]
		r.automaton = l.patternSet(r.intents)
		img.Rooms = append(img.Rooms, artifact.Room{Path: r.path, Automaton: r.automaton, Intents: r.intents})
	}
	img.Automata = l.automata
	return img
}

// index writes the synonym index of the image.
func (l *lowerer) index(img *artifact.Image, docs []doc) bool {
	rows := make([]segment.Doc, len(docs))
	rooms := map[uint32][]string{}
	for _, r := range l.rooms {
		for _, in := range r.intents {
			rooms[in] = append(rooms[in], r.path)
		}
	}
	for i, d := range docs {
		in := l.decls[d.decl].intent
		rows[i] = segment.Doc{Tokens: d.tokens, Intent: l.intents[in].row.Name, Rooms: rooms[in]}
		img.Docs = append(img.Docs, uint32(d.decl))
	}
	var err error
	if img.Segment, err = segment.Build(rows); err != nil {
		l.ds.Addf(diag.CannotRead, l.story.App.Pos, "%v", err).Hintf("make room in the directory for temporary files")
		return false
	}
	img.Members = l.memberRows()
	for _, d := range l.decls[l.fillers:] {
		for _, in := range d.prog {
			if in.Op == artifact.OpClass {
				img.SlotClasses |= in.A
			}
		}
	}
	return true
}

// room is a Room with intents by index, ascending.
type room struct {
	path      string
	automaton uint32
	intents   []uint32
}

func (l *lowerer) resolveRooms(rooms []Room) []room {
	var out []room
	for _, r := range rooms {
		resolved := room{path: r.Path}
		for i, in := range l.intents {
			if !l.story.Routing.Disabled && slices.Contains(r.Intents, in.row.Name) {
				resolved.intents = append(resolved.intents, uint32(i))
			}
		}
		out = append(out, resolved)
	}
	return out
}
