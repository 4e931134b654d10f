package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// GitHub writes one workflow command a diagnostic, which GitHub Actions shows
// beside the line. The commands' form is described in "Workflow commands for
// GitHub Actions".
func (p Printer) GitHub(w io.Writer, list List) error {
	b := bufio.NewWriter(w)
	for _, d := range list {
		message := d.Message
		if d.Hint != "" {
			message += "\nhint: " + d.Hint
		}
		for _, r := range d.Related {
			message += "\n" + p.prefix(r.Pos) + r.Message
		}
		fmt.Fprintf(b, "::%s %stitle=%s::%s\n", level(d.Severity), p.property(d.Pos), d.Code, escapeData(message))
	}
	return b.Flush()
}

// property is the place, as far as it is known.
func (p Printer) property(pos Pos) string {
	if pos.File == "" {
		return ""
	}
	out := "file=" + escapeProperty(p.file(pos.File)) + ","
	if pos.Line > 0 {
		out += fmt.Sprintf("line=%d,col=%d,", pos.Line, pos.Col)
	}
	return out
}

// level is a severity as GitHub names it.
func level(s Severity) string {
	if s == Info {
		return "notice"
	}
	return string(s)
}

func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
