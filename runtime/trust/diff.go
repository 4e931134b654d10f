package trust

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
)

// maxCells bounds the table of the comparison of two texts, in lines times
// lines: beyond, only that they differ is shown.
const maxCells = 4 << 20

// around is how many lines are shown about a change.
const around = 3

// Diff shows what a closure has that the grant had not, and the other way
// round, as a unified diff; "" when they are the same.
func (s Store) Diff(old Grant, c Closure) string {
	was, is, names := map[string]File{}, map[string]File{}, []string{}
	for _, f := range old.Files {
		was[f.Name] = f
		names = append(names, f.Name)
	}
	for _, f := range c.Files {
		is[f.Name] = f
		names = append(names, f.Name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range slices.Compact(names) {
		if was[name].Sum != is[name].Sum {
			s.diffFile(&b, name, was[name], is[name])
		}
	}
	return b.String()
}

func (s Store) diffFile(b *strings.Builder, name string, was, is File) {
	from, to := "a/"+name, "b/"+name
	before, ok1 := s.text(s.kept(was.Sum), was.Sum)
	after, ok2 := s.text(is.path, is.Sum)
	if was.Sum == "" {
		from = "/dev/null"
	}
	if is.Sum == "" {
		to = "/dev/null"
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", from, to)
	if !ok1 || !ok2 || len(before)*len(after) > maxCells {
		b.WriteString("(differs; too large, or no text, to be shown)\n")
		return
	}
	hunks(b, edits(before, after))
}

// text gives the lines of a text file; an absent one has none.
func (s Store) text(path, sum string) ([]string, bool) {
	if sum == "" {
		return nil, true
	}
	data, err := os.ReadFile(path)
	if err != nil || len(data) > maxKept || bytes.IndexByte(data, 0) >= 0 {
		return nil, false
	}
	return slices.Collect(strings.Lines(string(data))), true
}

// edit is one line of a comparison: ' ' in both, '-' only before, '+' only
// after.
type edit struct {
	op   byte
	line string
}

// edits compares by the longest common row of lines.
func edits(a, b []string) []edit {
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // of the lines from here on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var out []edit
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}

// hunks writes the changes, each with the lines around it.
func hunks(b *strings.Builder, list []edit) {
	fromLine, toLine, shownTo := 1, 1, 0
	for at := 0; at < len(list); at++ {
		if list[at].op == ' ' {
			continue
		}
		begin := max(shownTo, at-around)
		end := hunkEnd(list, at)
		fromLine, toLine = advance(list[shownTo:begin], fromLine, toLine)
		nextFrom, nextTo := advance(list[begin:end], fromLine, toLine)
		fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", fromLine, nextFrom-fromLine, toLine, nextTo-toLine)
		for _, e := range list[begin:end] {
			b.WriteByte(e.op)
			b.WriteString(e.line)
			if !strings.HasSuffix(e.line, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
		fromLine, toLine, shownTo, at = nextFrom, nextTo, end, end-1
	}
}

// hunkEnd is behind the last line that belongs to the change at a place:
// changes with few lines between them are shown together.
func hunkEnd(list []edit, at int) int {
	last := at
	for i := at; i < len(list) && i-last <= 2*around; i++ {
		if list[i].op != ' ' {
			last = i
		}
	}
	return min(len(list), last+around+1)
}

func advance(list []edit, from, to int) (int, int) {
	for _, e := range list {
		if e.op != '+' {
			from++
		}
		if e.op != '-' {
			to++
		}
	}
	return from, to
}
