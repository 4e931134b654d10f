package diag

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"kitsoki/runtime/artifact"
)

// Printer writes a list for people or programs, in the list's order.
type Printer struct {
	// Dir stands before every file, so that a terminal finds it: the
	// manifest's directory with forward slashes. "" and "." add nothing.
	Dir string
	// Limit is the most diagnostics of one severity that Text prints; what
	// it leaves out is counted in the last line. 0 prints all.
	Limit int
}

// Text writes a line for each diagnostic, then its hint and its other
// places, indented. Control characters from the source are escaped.
func (p Printer) Text(w io.Writer, list List) error {
	b := bufio.NewWriter(w)
	printed := map[Severity]int{}
	for _, d := range list {
		if p.Limit > 0 && printed[d.Severity] >= p.Limit {
			continue
		}
		printed[d.Severity]++
		p.text(b, d)
	}
	if more := rest(list, printed); more != "" {
		fmt.Fprintf(b, "… and %s\n", more)
	}
	return b.Flush()
}

func (p Printer) text(w io.Writer, d Diagnostic) {
	fmt.Fprintf(w, "%s%s: %s [%s]\n", p.prefix(d.Pos), d.Severity, Plain(d.Message), d.Code)
	if d.Hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", Plain(d.Hint))
	}
	for _, r := range d.Related {
		fmt.Fprintf(w, "  %s%s\n", p.prefix(r.Pos), Plain(r.Message))
	}
}

// prefix is path:line:col: with as much of it as is known.
func (p Printer) prefix(pos Pos) string {
	switch {
	case pos.File == "":
		return ""
	case pos.Line == 0:
		return Plain(p.file(pos.File)) + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", Plain(p.file(pos.File)), pos.Line, pos.Col)
}

func (p Printer) file(name string) string {
	if name == "" || p.Dir == "" || strings.HasPrefix(name, artifact.LibraryPrefix) {
		return name
	}
	return path.Join(p.Dir, name)
}

func rest(list List, printed map[Severity]int) string {
	var parts []string
	for _, s := range []Severity{Error, Warning, Info} {
		if n := list.Count(s) - printed[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d more %s", n, plural(s, n)))
		}
	}
	return strings.Join(parts, ", ")
}

// Summary says how many of each severity there are, in one line.
func (l List) Summary() string {
	var parts []string
	for _, s := range []Severity{Error, Warning, Info} {
		n := l.Count(s)
		parts = append(parts, fmt.Sprintf("%d %s", n, plural(s, n)))
	}
	return strings.Join(parts, ", ")
}

func plural(s Severity, n int) string {
	switch {
	case n == 1:
		return string(s)
	case s == Info:
		return "infos"
	}
	return string(s) + "s"
}

// Plain escapes what could move a terminal's cursor or reorder its text.
func Plain(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafeRune(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r)
}

// document is what JSON writes.
type document struct {
	Diagnostics List `json:"diagnostics"`
	Errors      int  `json:"errors"`
	Warnings    int  `json:"warnings"`
	Infos       int  `json:"infos"`
}

// JSON writes one document: all diagnostics, whatever Limit says, and their
// number by severity.
func (p Printer) JSON(w io.Writer, list List) error {
	out := document{
		Diagnostics: make(List, 0, len(list)),
		Errors:      list.Count(Error), Warnings: list.Count(Warning), Infos: list.Count(Info),
	}
	for _, d := range list {
		out.Diagnostics = append(out.Diagnostics, p.placed(d))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (p Printer) placed(d Diagnostic) Diagnostic {
	d.Pos.File = p.file(d.Pos.File)
	related := d.Related
	d.Related = nil
	for _, r := range related {
		r.Pos.File = p.file(r.Pos.File)
		d.Related = append(d.Related, r)
	}
	return d
}
