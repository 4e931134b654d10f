package setup

import (
	"fmt"
	"strings"
)

// around is how many unchanged lines a diff shows before and after a change.
const around = 3

// Diff is the edit as a unified diff, "" when nothing changes. All that an
// edit changes lies together, so it has one hunk.
func (e Edit) Diff() string {
	if !e.Changes() {
		return ""
	}
	old, now := lines(e.Settings.Data), lines(e.After)
	head := 0
	for head < min(len(old), len(now)) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(now))-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	from, after := max(0, head-around), min(tail, around)
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name(e.Settings.Path, e.Settings.Exists), name(e.Settings.Path, !e.Remove))
	oldEnd, nowEnd := len(old)-tail+after, len(now)-tail+after
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", extent(from, oldEnd), extent(from, nowEnd))
	mark(&b, " ", old[from:head])
	mark(&b, "-", old[head:len(old)-tail])
	mark(&b, "+", now[head:len(now)-tail])
	mark(&b, " ", old[len(old)-tail:oldEnd])
	return b.String()
}

func name(path string, exists bool) string {
	if !exists {
		return "/dev/null"
	}
	return path
}

// extent is a hunk's first line and number of lines; of no lines it is the
// line before.
func extent(from, to int) string {
	if from == to {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// lines keeps each line's end.
func lines(data []byte) []string {
	var out []string
	for line := range strings.Lines(string(data)) {
		out = append(out, line)
	}
	return out
}

func mark(b *strings.Builder, sign string, lines []string) {
	for _, line := range lines {
		b.WriteString(sign + line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
