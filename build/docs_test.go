package build

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/match"
)

// document reads a document of the repository.
func document(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// column gives the first column of the table under a heading, without code
// marks.
func column(t *testing.T, doc, heading string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(doc, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("there is no heading %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var out []string
	for _, line := range strings.Split(rest, "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 2 && !strings.HasPrefix(line, "|--") {
			out = append(out, strings.Trim(strings.TrimSpace(cells[1]), "`"))
		}
	}
	return out[1:] // the table's own heading
}

func TestReadmeExitStatus(t *testing.T) {
	t.Parallel()
	got := strings.Join(column(t, document(t, "README.md"), "Exit status"), " ")
	want := fmt.Sprint(engine.ExitDone, engine.ExitNotDone, engine.ExitTerminal, intercept.ExitUsage, intercept.ExitPass)
	if got != want || engine.ExitError != intercept.ExitUsage {
		t.Errorf("expected %s, observed %s", want, got)
	}
}

func TestReadmeReasons(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, r := range column(t, document(t, "README.md"), "Why a prompt passed") {
		listed[r] = true
	}
	for _, r := range match.Reasons() {
		if !listed[string(r)] {
			t.Errorf("README does not explain %s", r)
		}
		delete(listed, string(r))
	}
	if len(listed) > 0 {
		t.Errorf("README explains what is no reason: %v", listed)
	}
}

func TestReadmeVerbs(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, v := range column(t, document(t, "README.md"), "Verbs") {
		name, _, _ := strings.Cut(v, " ")
		listed[name] = true
	}
	files, err := filepath.Glob("../cmd/kitsoki/testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, f := range files {
		verb, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f), ".txtar"), "_")
		if !listed[verb] {
			t.Errorf("README's table of verbs lacks %s", verb)
		}
	}
}

// TestStoriesInDocumentsCompile compiles every whole story that a document
// shows.
func TestStoriesInDocumentsCompile(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?s)```yaml( story)?\n(.*?)```")
	count := 0
	for _, name := range []string{"README.md", "schema/README.md"} {
		for _, m := range block.FindAllStringSubmatch(document(t, name), -1) {
			if !strings.HasPrefix(m[2], "app:") {
				continue
			}
			count++
			_, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(m[2])}}, "app.yaml", compiler.Options{})
			for _, d := range ds {
				t.Errorf("%s: %d:%d: %s\n%s", name, d.Pos.Line, d.Pos.Col, d.Message, m[2])
			}
		}
	}
	if count < 4 {
		t.Errorf("only %d stories were found", count)
	}
}

func TestArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	text := document(t, "ARCHITECTURE.md")
	for _, p := range packages(t, "linux") {
		name := strings.TrimPrefix(p.ImportPath, "kitsoki/")
		if !strings.HasPrefix(name, "build") && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("ARCHITECTURE.md does not name %s", name)
		}
	}
}

// TestDocuments holds links and make targets against what there is, and
// keeps the talk of how things came to be out.
func TestDocuments(t *testing.T) {
	t.Parallel()
	makefile := document(t, "Makefile")
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	target := regexp.MustCompile("(?m)`make ([a-z]+)")
	for _, name := range []string{
		"README.md", "ARCHITECTURE.md", "RATIONALE.md", "CONTRIBUTING.md", "CHANGELOG.md", "build/README.md", "schema/README.md",
		"stories/git-ops/README.md", "stories/intercept-demo/README.md",
	} {
		text := document(t, name)
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			}
		}
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s: there is no target make %s", name, m[1])
			}
		}
		if regexp.MustCompile(`(?i)\b(TODO|FIXME)\b|\b(phase|issue|session) #?[0-9]`).MatchString(text) {
			t.Errorf("%s speaks of how the work was done", name)
		}
	}
}
