package compiler

import (
	"sort"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// intentNames finds declared intents by name. Owner is the path of the state
// that declares an intent for itself and what is below it, "" for a global
// one. An intent's name is unique in a story.
type intentNames struct {
	decl  map[string]*source.Intent
	owner map[string]string
}

func (l *lowerer) indexIntents() intentNames {
	n := intentNames{decl: map[string]*source.Intent{}, owner: map[string]string{}}
	l.addIntents(n, "", l.st.Intents)
	for _, r := range l.rooms.list {
		l.addIntents(n, r.path, r.src.Intents)
	}
	return n
}

func (l *lowerer) addIntents(n intentNames, owner string, list []source.Intent) {
	for i := range list {
		in := &list[i]
		if first, twice := n.decl[in.Name.Val]; twice {
			l.report(diag.DuplicateName, in.Name.Pos, "the intent %s is declared twice", in.Name.Val).
				Hintf("an intent's name is unique in a story; rename one").
				Also(first.Name.Pos, "first declared here")
			continue
		}
		if !plainName(in.Name.Val) {
			l.badName(in.Name, "an intent")
		}
		n.decl[in.Name.Val], n.owner[in.Name.Val] = in, owner
	}
}

// list is every intent's name, sorted.
func (n intentNames) list() []string {
	out := make([]string, 0, len(n.decl))
	for name := range n.decl {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// intent finds the intent that a name in a state means and reports a name
// that means none there.
func (l *lowerer) intent(name source.Str, state string) *source.Intent {
	in, ok := l.names.decl[name.Val]
	if !ok {
		l.missing(diag.UnknownIntent, name.Pos, "the intent %s is not declared", name.Val).
			Hint = didYouMean(name.Val, l.names.list(), "declare it under intents")
		return nil
	}
	if owner := l.names.owner[name.Val]; !within(state, owner) {
		l.missing(diag.UnknownIntent, name.Pos, "the intent %s belongs to the state %s and is not known in %s", name.Val, owner, state).
			Hintf("move it to the intents at the top level").Also(in.Name.Pos, "declared here")
	}
	return in
}

// within says whether path is root or stands below it; everything stands
// below "".
func within(path, root string) bool {
	for ; path != root; path = parentOf(path) {
		if path == "" {
			return false
		}
	}
	return true
}

func (l *lowerer) badName(s source.Str, what string) {
	l.report(diag.BadName, s.Pos, "%q is no name for %s", s.Val, what).
		Hintf("use letters, digits, _ and -, beginning with a letter")
}

// badKey reports a name that an expression could not use after a dot.
func (l *lowerer) badKey(s source.Str, what string) {
	l.report(diag.BadName, s.Pos, "%q is no name for %s", s.Val, what).
		Hintf("use letters, digits and _, beginning with a letter, so that expressions can name it")
}

// plainName is a name for states and intents: it must not hold what paths
// and templates are made of.
func plainName(s string) bool {
	return wellFormed(s, func(c rune) bool { return c == '_' || c == '-' })
}

// identifier is a name that stands behind a dot in expressions.
func identifier(s string) bool {
	return wellFormed(s, func(c rune) bool { return c == '_' })
}

func wellFormed(s string, also func(rune) bool) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' && i == 0
		if !letter && (i == 0 || !also(c) && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}
