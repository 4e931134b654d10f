package stories_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
)

var update = flag.Bool("update", false, "write the generated table into the story's README")

const (
	tableBegin = "<!-- commands: go test ./stories -run Readme -update -->\n"
	tableEnd   = "<!-- end of commands -->\n"
)

// TestReadmeTable holds the story's README against the story: each command
// with wordings that are tried, what runs, how far it reaches, the way back.
func TestReadmeTable(t *testing.T) {
	t.Parallel()
	holdTable(t, "git-ops", readmeTable(programOf(t, "git-ops")))
}

// TestDevStoryReadme does the same for the project's own commands.
func TestDevStoryReadme(t *testing.T) {
	t.Parallel()
	p := programOf(t, "dev-story")
	var b strings.Builder
	b.WriteString("| command | say, for example | in a Go, Node, Python, Rust, Make project | effect |\n|---|---|---|---|\n")
	for i, j := range jobs() {
		var runs []string
		for _, r := range repositories()[:5] {
			runs = append(runs, "`"+r.runs[i]+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", j.intent, strings.Join(j.say[:], " · "), strings.Join(runs, ", "), engine.Effects(p, p.Root, j.intent))
	}
	holdTable(t, "dev-story", b.String())
}

// holdTable compares the table between the marks of a story's README.
func holdTable(t *testing.T, story, want string) {
	t.Helper()
	path := filepath.Join(story, "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(data), tableBegin)
	table, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		t.Fatal("the README lacks the marks of the table")
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+tableBegin+want+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if table != want {
		t.Errorf("the table is not what the story says; run the test with -update. Expected:\n%s", want)
	}
}

// programOf is a shipped story's program.
func programOf(t *testing.T, story string) *artifact.Program {
	t.Helper()
	_, raw := compiled(t, story)
	f, err := artifact.Decode(story, raw)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func readmeTable(p *artifact.Program) string {
	var b strings.Builder
	b.WriteString("| command | say, for example | runs | effect | to undo |\n|---|---|---|---|---|\n")
	var seen []string
	for _, c := range commands() {
		if slices.Contains(seen, c.intent) {
			continue
		}
		seen = append(seen, c.intent)
		runs, undo := whatRuns(p, c.intent)
		fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s | %s |\n", c.intent, asks(p, c.intent), strings.Join(c.say[:], " · "),
			strings.Join(runs, ", "), engine.Effects(p, p.Root, c.intent), strings.Join(undo, ", "))
	}
	b.WriteString("\n| command that is driven | say, for example | effect |\n|---|---|---|\n")
	var all []string
	for _, c := range drivenCommands() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.intent, strings.Join(c.say[:], " · "), engine.Effects(p, p.Root, c.intent))
		all = append(all, mayRun(p, c.intent)...)
	}
	slices.Sort(all)
	b.WriteString("\nAll that these may run:\n\n* " + strings.Join(slices.Compact(all), "\n* ") + "\n")
	return b.String()
}

// mayRun lists all that a command could come to, in the order in which it is
// met.
func mayRun(p *artifact.Program, intent string) []string {
	var out []string
	for _, c := range engine.Calls(p, p.Root, intent) {
		line := ""
		switch c.Name {
		case "host.run":
			line = "`" + strings.ReplaceAll(commandLine(c), "\\|", "|") + "`"
		case "host.agent.task":
			line = "the agent `" + c.Agent + "`"
		}
		if line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

func asks(p *artifact.Program, intent string) string {
	i := slices.IndexFunc(p.Intents, func(in artifact.Intent) bool { return in.Name == intent })
	if i >= 0 && p.Intents[i].Confirm {
		return ", sent twice"
	}
	return ""
}

// whatRuns lists an intent's programs and the intents that it goes on to, and
// the ways back that its report names.
func whatRuns(p *artifact.Program, intent string) (runs, undo []string) {
	for _, s := range p.States {
		for _, h := range s.On {
			if h.Intent != intent {
				continue
			}
			for _, arc := range h.Arcs {
				for _, e := range arc.Effects {
					runs, undo = oneEffect(e, runs, undo)
				}
			}
		}
	}
	return runs, undo
}

func oneEffect(e artifact.Effect, runs, undo []string) (newRuns, newUndo []string) {
	switch {
	case e.Emit != nil:
		runs = append(runs, "then "+e.Emit.Intent)
	case e.Invoke != nil && e.Invoke.Name == "host.run":
		runs = append(runs, "`"+commandLine(*e.Invoke)+"`")
	case e.Say != nil:
		if _, way, ok := strings.Cut(e.Say.Src, ": "); ok && (strings.HasPrefix(e.Say.Src, "To undo") || strings.HasPrefix(e.Say.Src, "To take")) {
			undo = append(undo, "`"+placeholders(way)+"`")
		}
	}
	return runs, undo
}

// commandLine spells a call with its values as capital names.
func commandLine(c artifact.Call) string {
	var words []string
	for _, f := range c.With {
		switch f.Name {
		case "cmd":
			words = append([]string{strings.Join(strings.Fields(spelled(f.Value)), " ")}, words...)
		case "args":
			var args []string
			if f.Value.Literal != nil {
				_ = json.Unmarshal(f.Value.Literal, &args)
			}
			for _, v := range f.Value.List {
				args = append(args, spelled(v))
			}
			words = append(words, args...)
		}
	}
	line := regexp.MustCompile(`\$\{KITSOKI_V[0-9]+\}`).ReplaceAllString(strings.Join(words, " "), "…")
	return strings.ReplaceAll(line, "|", "\\|")
}

func spelled(v artifact.Value) string {
	var s string
	switch {
	case v.Expr != nil:
		return name(v.Expr.Src)
	case v.Literal != nil:
		_ = json.Unmarshal(v.Literal, &s)
	}
	for _, part := range v.Parts {
		if part.Expr != nil {
			s += name(part.Expr.Src)
		} else {
			s += part.Text
		}
	}
	return s
}

// name is a value's name in capitals: world.remote is REMOTE.
func name(expr string) string {
	_, key, ok := strings.Cut(strings.TrimSpace(expr), ".")
	if !ok || strings.ContainsAny(key, " ().") {
		return "…"
	}
	return strings.ToUpper(key)
}

// placeholders puts such names into a text, and drops what is conditional.
func placeholders(text string) string {
	text = regexp.MustCompile(`\{%[^%]*%\}`).ReplaceAllString(text, "")
	return regexp.MustCompile(`\{\{([^}]*)\}\}`).ReplaceAllStringFunc(text, func(m string) string { return name(strings.Trim(m, "{}")) })
}
