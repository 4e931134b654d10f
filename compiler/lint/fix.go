package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// Edit replaces the bytes [Start, End) of a file, counted without a byte order
// mark.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// Fixes gives the edits for what is mechanical among the diagnostics: text to
// be quoted, a phrase listed twice, top-level keys out of order. None changes
// what a story means.
func Fixes(st *source.Story, ds diag.List) []Edit {
	f := &fixer{st: st, texts: map[string]string{}, scalars: map[diag.Pos]source.Str{}, only: map[diag.Pos]bool{}}
	for _, file := range st.Files {
		f.texts[file.Path] = string(bytes.TrimPrefix(file.Data, []byte(mark)))
	}
	f.index()
	var out []Edit
	for _, d := range ds {
		var e Edit
		ok := false
		switch d.Code {
		case diag.Unquoted:
			e, ok = f.quote(d)
		case diag.RepeatedPhrase:
			e, ok = f.remove(d)
		case diag.KeyOrder:
			e, ok = f.reorder(d)
		}
		if ok {
			out = append(out, e)
		}
	}
	return out
}

// mark is a byte order mark.
const mark = "\ufeff"

// Apply gives the files that the edits change, with their new bytes. Of edits
// that overlap, the one with the larger start is kept: what it leaves is found
// again by the next look.
func Apply(files []source.File, edits []Edit) []source.File {
	slices.SortStableFunc(edits, func(a, b Edit) int { return b.Start - a.Start })
	var out []source.File
	for _, f := range files {
		text, bom := bytes.CutPrefix(f.Data, []byte(mark))
		changed := string(text)
		limit := len(changed)
		for _, e := range edits {
			if e.File == f.Path && e.End <= limit {
				changed = changed[:e.Start] + e.New + changed[e.End:]
				limit = e.Start
			}
		}
		if changed == string(text) {
			continue
		}
		if bom {
			changed = mark + changed
		}
		out = append(out, source.File{Path: f.Path, Data: []byte(changed)})
	}
	return out
}

type fixer struct {
	st      *source.Story
	texts   map[string]string
	scalars map[diag.Pos]source.Str
	only    map[diag.Pos]bool // the phrase is alone in its list
}

func (f *fixer) index() {
	s := &subject{Input: Input{Story: f.st}}
	for _, text := range s.plainTexts() {
		f.scalars[text.Pos] = text
	}
	for _, in := range allIntents(f.st) {
		for _, lists := range [][]source.Phrases{in.Examples, in.Synonyms} {
			for _, p := range lists {
				if len(p.List) == 1 {
					f.only[p.List[0].Pos] = true
				}
			}
		}
	}
}

func (f *fixer) quote(d diag.Diagnostic) (Edit, bool) {
	text := f.scalars[d.Pos]
	start, end, ok := text.Extent()
	return Edit{d.Pos.File, start, end, `"` + text.Val + `"`}, ok
}

// remove takes an item out of its list, with its line or its comma. A list
// keeps its last item.
func (f *fixer) remove(d diag.Diagnostic) (Edit, bool) {
	start, end, ok := f.scalars[d.Pos].Extent()
	if !ok || f.only[d.Pos] {
		return Edit{}, false
	}
	text := f.texts[d.Pos.File]
	lineStart := strings.LastIndexByte(text[:start], '\n') + 1
	before := strings.TrimSpace(text[lineStart:start])
	rest, _, _ := strings.Cut(text[end:], "\n")
	switch after := strings.TrimSpace(rest); {
	case before == "-" && (after == "" || strings.HasPrefix(after, "#")):
		return Edit{d.Pos.File, lineStart, min(end+len(rest)+1, len(text)), ""}, true
	case strings.HasPrefix(after, ","):
		end += strings.IndexByte(text[end:], ',') + 1
		end += len(text[end:]) - len(strings.TrimLeft(text[end:], " "))
		return Edit{d.Pos.File, start, end, ""}, true
	case strings.HasPrefix(after, "]"):
		if head := strings.TrimRight(text[:start], " \n\t"); strings.HasSuffix(head, ",") {
			return Edit{d.Pos.File, len(head) - 1, end, ""}, true
		}
	}
	return Edit{}, false
}

// reorder sorts the top-level blocks of a file, each with the comment lines
// right above it. A file with anchors keeps its order: an alias must follow
// what it names.
func (f *fixer) reorder(d diag.Diagnostic) (Edit, bool) {
	text := f.texts[d.Pos.File]
	named := regexp.MustCompile(`(?m)(^|[\s,\[{])[&*]\w`) // an anchor or an alias
	if named.MatchString(text) || strings.Contains(text, "\r") || strings.Contains(text, "\n---") {
		return Edit{}, false
	}
	for _, keys := range f.st.TopKeys {
		if len(keys) == 0 || keys[0].Pos.File != d.Pos.File {
			continue
		}
		head, blocks, ok := split(text, keys)
		if !ok {
			return Edit{}, false
		}
		slices.SortStableFunc(blocks, func(a, b block) int {
			return slices.Index(order(), a.key) - slices.Index(order(), b.key)
		})
		return Edit{d.Pos.File, 0, len(text), head + joined(blocks)}, true
	}
	return Edit{}, false
}

// block is one top-level key with all that belongs to it.
type block struct{ key, text string }

// joined writes the blocks, each with a line break at its end.
func joined(blocks []block) string {
	var b strings.Builder
	for _, k := range blocks {
		b.WriteString(k.text)
		if !strings.HasSuffix(k.text, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// split cuts a file into what stands above its first key's comment and the
// blocks. It refuses a file whose keys do not each begin a line.
func split(text string, keys []source.Str) (head string, blocks []block, ok bool) {
	lines := strings.SplitAfter(text, "\n")
	var starts []int
	for i, k := range keys {
		if k.Pos.Col != 1 || i > 0 && k.Pos.Line <= keys[i-1].Pos.Line {
			return "", nil, false
		}
		at := k.Pos.Line - 1
		for i > 0 && at-1 > keys[i-1].Pos.Line-1 && strings.HasPrefix(lines[at-1], "#") {
			at--
		}
		starts = append(starts, at)
	}
	for i, k := range keys {
		end := len(lines)
		if i+1 < len(keys) {
			end = starts[i+1]
		}
		blocks = append(blocks, block{k.Val, strings.Join(lines[starts[i]:end], "")})
	}
	return strings.Join(lines[:starts[0]], ""), blocks, true
}
