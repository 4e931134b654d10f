package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flosch/pongo2/v6"
)

// maxLoops is how deep {% for %} may nest: the work of a template grows with
// the power of its nesting, and nothing else bounds it.
const maxLoops = 3

// checkTags refuses the banned tags and loops nested too deep.
func checkTags(segs []segment) []*Error {
	var errs []*Error
	depth := 0
	for _, s := range segs {
		switch name := s.name(); {
		case name == "for":
			if depth++; depth > maxLoops {
				errs = append(errs, &Error{Offset: s.offset, Msg: fmt.Sprintf("loops nest deeper than %d", maxLoops)})
			}
		case name == "endfor":
			depth--
		case slices.Contains(bannedTags(), name):
			errs = append(errs, &Error{Offset: s.offset, Msg: fmt.Sprintf("the tag %s is not allowed", name), Hint: "a story's text loads no files and does not know the time"})
		case name == "autoescape":
			errs = append(errs, &Error{Offset: s.offset, Msg: "the tag autoescape is not allowed", Hint: "nothing is escaped; use the filter escape"})
		}
	}
	return errs
}

// refs walks a template's code with the names its own tags declare, and
// visits every other variable.
type refs struct {
	local []locals
	visit func(toks []token, i int)
}

// locals are the names one block of a template declares. A macro's name
// holds from its end on: none can call itself, and no recursion runs away.
type locals struct {
	names map[string]bool
	macro string
}

// checkRefs finds every root and key that is not declared.
func checkRefs(segs []segment, sc Scope) []*Error {
	var errs []*Error
	walkNames(segs, func(toks []token, i int) {
		if err := sc.variable(toks, i); err != nil {
			errs = append(errs, err)
		}
	})
	return errs
}

// walkNames calls visit for each variable of a template that it does not
// declare itself: the token at i of toks.
func walkNames(segs []segment, visit func(toks []token, i int)) {
	r := &refs{visit: visit, local: []locals{{names: map[string]bool{}}}}
	for _, s := range segs {
		r.segment(s)
	}
}

func (r *refs) segment(s segment) {
	if !s.tag {
		r.names(s.tokens)
		return
	}
	args := s.tokens[min(1, len(s.tokens)):]
	switch name := s.name(); name {
	case "for":
		r.loop(args)
	case "with":
		r.with(args)
	case "macro":
		r.macro(args)
	case "set":
		r.set(args)
	case "endfor", "endwith", "endmacro":
		r.pop()
	case "block", "endblock", "filter", "templatetag", "endfilter", "comment", "endcomment", "spaceless":
		// Their words are names of their own, not variables.
	case "cycle", "widthratio":
		r.asTail(args)
	default:
		r.names(args)
	}
}

func (r *refs) push(names ...string) {
	scope := map[string]bool{}
	for _, n := range names {
		scope[n] = true
	}
	r.local = append(r.local, locals{names: scope})
}

func (r *refs) pop() {
	last := len(r.local) - 1
	if last == 0 {
		return
	}
	macro := r.local[last].macro
	r.local = r.local[:last]
	if macro != "" {
		r.declare(macro)
	}
}

func (r *refs) declare(name string) { r.local[len(r.local)-1].names[name] = true }

func (r *refs) isLocal(name string) bool {
	for _, scope := range r.local {
		if scope.names[name] {
			return true
		}
	}
	return false
}

// loop reads "k, v in list": the list is evaluated outside.
func (r *refs) loop(args []token) {
	at := indexOf(args, "in")
	if at < 0 {
		r.push()
		return
	}
	list := args[at+1:]
	if n := len(list); n > 1 && (list[n-1].text == "reversed" || list[n-1].text == "sorted") && list[n-2].text != "." {
		list = list[:n-1]
	}
	r.names(list)
	r.push(append(words(args[:at]), "forloop")...)
}

// with reads "a=x b=y" or "x as a, y as b": values are evaluated outside.
func (r *refs) with(args []token) {
	var names []string
	var rest []token
	for i, t := range args {
		switch {
		case i+1 < len(args) && args[i+1].text == "=" && t.kind == tokWord:
			names = append(names, t.text)
		case i > 0 && args[i-1].text == "as" && t.kind == tokWord:
			names = append(names, t.text)
		default:
			rest = append(rest, t)
		}
	}
	r.names(rest)
	r.push(names...)
}

// macro declares its parameters inside, and its name behind it.
func (r *refs) macro(args []token) {
	if len(args) == 0 {
		r.push()
		return
	}
	var names []string
	for i, t := range args[1:] {
		if before := args[i].text; t.kind == tokWord && (before == "(" || before == ",") {
			names = append(names, t.text)
		}
	}
	r.push(names...)
	r.local[len(r.local)-1].macro = args[0].text
}

func (r *refs) set(args []token) {
	if len(args) < 2 {
		return
	}
	r.names(args[2:])
	r.declare(args[0].text)
}

// asTail reads arguments that may end in "as name".
func (r *refs) asTail(args []token) {
	at := indexOf(args, "as")
	if at < 0 {
		r.names(args)
		return
	}
	r.names(args[:at])
	if at+1 < len(args) {
		r.declare(args[at+1].text)
	}
}

// names visits each variable of an expression.
func (r *refs) names(toks []token) {
	for i, t := range toks {
		if t.kind == tokWord && !keyword(t.text) && !isFilter(toks, i) && !isField(toks, i) && !r.isLocal(t.text) {
			r.visit(toks, i)
		}
	}
}

func isField(toks []token, i int) bool { return i > 0 && toks[i-1].text == "." }

// isFilter is true behind one |; two are the operator or.
func isFilter(toks []token, i int) bool {
	return i > 0 && toks[i-1].text == "|" && (i < 2 || toks[i-2].text != "|")
}

// checkFilters finds filters that do not exist or are not allowed: the
// library reports them at the token behind.
func checkFilters(segs []segment) []*Error {
	var errs []*Error
	for _, s := range segs {
		for i, t := range s.tokens {
			if !isFilter(s.tokens, i) || t.kind != tokWord {
				continue
			}
			switch {
			case slices.Contains(bannedFilters(), t.text):
				errs = append(errs, &Error{Offset: t.offset, Msg: fmt.Sprintf("the filter %s is not allowed", t.text), Hint: "its result is random or of any length"})
			case !pongo2.FilterExists(t.text):
				errs = append(errs, &Error{Offset: t.offset, Msg: fmt.Sprintf("there is no filter %s", t.text)})
			}
		}
	}
	return errs
}

// variable checks the one at i; nil when it is declared.
func (sc Scope) variable(toks []token, i int) *Error {
	root := toks[i]
	if !slices.Contains(sc.roots(), root.text) {
		return &Error{Offset: root.offset, Msg: root.text + " is not declared here", Hint: unknownRoot(root.text, sc), Missing: MissingRoot}
	}
	known, open := sc.keys(root.text)
	key, ok := keyAfter(toks, i)
	if open || !ok || slices.Contains(known, key.name) {
		return nil
	}
	return &Error{
		Offset: key.offset,
		Msg:    fmt.Sprintf("%s.%s is not declared", root.text, key.name),
		Hint:   unknownKey(key.name, known), Missing: root.text,
	}
}

type fieldName struct {
	name   string
	offset int
}

// keyAfter is the first key below the root at i: root.key or root["key"].
func keyAfter(toks []token, i int) (fieldName, bool) {
	if i+2 >= len(toks) {
		return fieldName{}, false
	}
	next := toks[i+2]
	switch {
	case toks[i+1].text == "." && next.kind <= tokNumber:
		return fieldName{next.text, next.offset}, true
	case toks[i+1].text == "[" && next.kind == tokString:
		return fieldName{strings.Trim(next.text, `"'`), next.offset}, true
	}
	return fieldName{}, false
}

func keyword(s string) bool {
	switch s {
	case "in", "and", "or", "not", "true", "false", "as", "export", "True", "False", "nil", "none", "None":
		return true
	}
	return false
}

func words(toks []token) []string {
	var out []string
	for _, t := range toks {
		if t.kind == tokWord {
			out = append(out, t.text)
		}
	}
	return out
}

func indexOf(toks []token, text string) int {
	for i, t := range toks {
		if t.text == text && t.kind == tokWord {
			return i
		}
	}
	return -1
}
