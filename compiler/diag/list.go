package diag

import (
	"fmt"
	"sort"
	"strings"
)

// Addf appends a diagnostic with the severity its code has in the
// catalogue (error when the code is not listed). The pointer is good for
// Hintf and Also until the next append.
func (l *List) Addf(c Code, pos Pos, format string, args ...any) *Diagnostic {
	d := Diagnostic{Pos: pos, Severity: severityOf(c), Code: c, Message: fmt.Sprintf(format, args...)}
	*l = append(*l, d)
	return &(*l)[len(*l)-1]
}

// Hintf sets the next action for the author.
func (d *Diagnostic) Hintf(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Also adds a second place the diagnostic speaks of.
func (d *Diagnostic) Also(pos Pos, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{Pos: pos, Message: fmt.Sprintf(format, args...)})
	return d
}

func severityOf(c Code) Severity {
	if e, ok := Lookup(c); ok {
		return e.Severity
	}
	return Error
}

// Sort orders the list by file, line, column, code, message: the order it
// is printed in.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool { return less(l[i], l[j]) })
}

func less(a, b Diagnostic) bool {
	switch {
	case a.Pos.File != b.Pos.File:
		return a.Pos.File < b.Pos.File
	case a.Pos.Line != b.Pos.Line:
		return a.Pos.Line < b.Pos.Line
	case a.Pos.Col != b.Pos.Col:
		return a.Pos.Col < b.Pos.Col
	case a.Code != b.Code:
		return a.Code < b.Code
	}
	return a.Message < b.Message
}

// HasErrors reports whether the list holds an error.
func (l List) HasErrors() bool { return l.Count(Error) > 0 }

// Count is the number of diagnostics of one severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Compact removes what repeats: the same diagnostic twice, and an error at
// the very place of a source error (KIT1xx), which is its cause. The list
// must be sorted.
func (l List) Compact() List {
	var out List
	for _, d := range l {
		if n := len(out); n > 0 && follows(out[n-1], d) {
			continue
		}
		out = append(out, d)
	}
	return out
}

func follows(first, d Diagnostic) bool {
	if first.Pos != d.Pos || d.Pos.Line == 0 || first.Severity != Error {
		return false
	}
	same := first.Code == d.Code && first.Message == d.Message
	return same || d.Severity == Error && strings.HasPrefix(string(first.Code), "KIT1") && !strings.HasPrefix(string(d.Code), "KIT1")
}
