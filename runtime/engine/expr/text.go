package expr

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/flosch/pongo2/v6"
)

// MaxText is the most a rendered text may be, in bytes: a report is under
// 10,000 characters, so a megabyte is a template gone wrong.
const MaxText = 1 << 20

// noEscape stands before a template and escapeEnd behind it: the library
// switches its HTML escaping off only for the whole process or for a block.
const (
	noEscape  = "{% autoescape off %}"
	escapeEnd = "{% endautoescape %}"
)

// CheckText checks a text template: its syntax, its tags and filters, and
// that every root and key it names is declared. It returns all mistakes in
// source order, except that a syntax error stands alone.
func CheckText(src string, sc Scope) []*Error {
	if e := tooLong(src); e != nil {
		return []*Error{e}
	}
	segs, scanErr := segments(src)
	if scanErr != nil {
		return []*Error{scanErr}
	}
	if errs := append(checkTags(segs), checkFilters(segs)...); len(errs) > 0 {
		return errs
	}
	if _, err := parse(src); err != nil {
		return []*Error{textError(src, err)}
	}
	return checkRefs(segs, sc)
}

// Render fills a text template with the roots in env. An error is a value
// the template can't work with, or output past MaxText.
func Render(src string, env map[string]any) (string, error) {
	tpl, err := parse(src)
	if err != nil {
		return "", fmt.Errorf("read text template: %w", err)
	}
	var out bounded
	if err := execute(tpl, env, &out); err != nil {
		return "", fmt.Errorf("render text template: %w", err)
	}
	return out.b.String(), nil
}

func execute(tpl *pongo2.Template, env map[string]any, w io.Writer) (err error) {
	defer recovered(&err)
	return tpl.ExecuteWriterUnbuffered(pongo2.Context(env), w)
}

// bounded collects output up to MaxText.
type bounded struct{ b strings.Builder }

var errTooLong = errors.New("the text is longer than 1 MiB")

// Write refuses what would pass MaxText; the library ignores the error of a
// write, so the way out is a panic that execute recovers.
func (w *bounded) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) > MaxText {
		panic(errTooLong)
	}
	return w.b.Write(p)
}

func recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case error:
		*err = r
	default:
		*err = fmt.Errorf("%v", r)
	}
}

// parse reads a template in a set of its own.
func parse(src string) (tpl *pongo2.Template, err error) {
	defer recovered(&err)
	if e := tooLong(src); e != nil {
		return nil, e
	}
	set, err := sandbox()
	if err != nil {
		return nil, err
	}
	return set.FromString(noEscape + src + escapeEnd)
}

// sandbox is a template set without files: the library asks for a loader, so
// it gets one that has nothing.
func sandbox() (*pongo2.TemplateSet, error) {
	set := pongo2.NewSet("story", nothing{})
	for _, tag := range bannedTags() {
		if err := set.BanTag(tag); err != nil {
			return nil, err
		}
	}
	for _, filter := range bannedFilters() {
		if err := set.BanFilter(filter); err != nil {
			return nil, err
		}
	}
	return set, nil
}

type nothing struct{}

// Abs leaves a name as it is.
func (nothing) Abs(_, name string) string { return name }

// Get finds nothing.
func (nothing) Get(path string) (io.Reader, error) {
	return nil, fmt.Errorf("%s: a story's text loads no files", path)
}

// bannedTags load files, read the clock, or make text up.
func bannedTags() []string {
	return []string{"include", "import", "extends", "ssi", "lorem", "now"}
}

// bannedFilters depend on chance, or make text of any length from a number.
func bannedFilters() []string { return []string{"random", "center", "ljust", "rjust"} }

// textError places the library's error in the source it was given.
func textError(src string, err error) *Error {
	var pe *pongo2.Error
	if !errors.As(err, &pe) {
		return &Error{Msg: err.Error()}
	}
	line, col := pe.Line, pe.Column
	if pe.Token != nil {
		line, col = pe.Token.Line, pe.Token.Col
	}
	if line == 1 {
		col -= len(noEscape)
	}
	return &Error{Offset: lineOffset(src, line, col), Msg: pe.OrigError.Error()}
}

// lineOffset is the byte at a line and a column in bytes, both from 1.
func lineOffset(src string, line, col int) int {
	start := 0
	for n := 1; n < line; n++ {
		next := strings.IndexByte(src[start:], '\n')
		if next < 0 {
			break
		}
		start += next + 1
	}
	return min(max(start+col-1, 0), len(src))
}
