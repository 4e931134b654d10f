package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/match"
	"kitsoki/stories"
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

// documents lists the repository's Markdown files.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "build/out" || d.Name() == "testdata"):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".md"):
			out = append(out, name)
		}
		return nil
	})
	if err != nil || !slices.Contains(out, "README.md") {
		t.Fatalf("documents %v, %v", out, err)
	}
	return out
}

// column gives a column of the first table under a heading, without code
// marks; 0 is the first column.
func column(t *testing.T, doc, heading string, n int) []string {
	t.Helper()
	_, rest, ok := strings.Cut(doc, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("there is no heading %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var out []string
	for line := range strings.Lines(rest) {
		if cells := strings.Split(line, "|"); len(cells) > n+2 && !strings.HasPrefix(line, "|--") {
			out = append(out, strings.Trim(strings.TrimSpace(cells[n+1]), "`"))
		}
	}
	if len(out) < 2 {
		t.Fatalf("there is no table under %q", heading)
	}
	return out[1:] // the table's own heading
}

// block is a fenced block of a document: what stands behind the fence, and
// the text.
type block struct{ info, text string }

// blocks lists a document's fenced blocks in order.
func blocks(doc string) []block {
	var out []block
	for _, m := range regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$").FindAllStringSubmatch(doc, -1) {
		out = append(out, block{m[1], m[2]})
	}
	return out
}

// compareSets reports what only one of two lists has.
func compareSets(t *testing.T, where string, documented, real []string) {
	t.Helper()
	for _, name := range real {
		if !slices.Contains(documented, name) {
			t.Errorf("%s lacks %q", where, name)
		}
	}
	for _, name := range documented {
		if !slices.Contains(real, name) {
			t.Errorf("%s has %q, which does not exist", where, name)
		}
	}
}

func TestReadmeExitStatus(t *testing.T) {
	t.Parallel()
	got := strings.Join(column(t, document(t, "README.md"), "Exit status", 0), " ")
	want := fmt.Sprint(engine.ExitDone, engine.ExitNotDone, engine.ExitTerminal, intercept.ExitUsage, intercept.ExitPass)
	if got != want || engine.ExitError != intercept.ExitUsage {
		t.Errorf("expected %s, observed %s", want, got)
	}
}

func TestReadmeReasons(t *testing.T) {
	t.Parallel()
	var want []string
	for _, r := range match.Reasons() {
		want = append(want, string(r))
	}
	compareSets(t, "README's table of reasons", column(t, document(t, "README.md"), "Why a prompt passed", 0), want)
}

func TestReadmeStories(t *testing.T) {
	t.Parallel()
	for _, name := range stories.Names() {
		if link := "[builtin:" + name + "](stories/" + name + "/README.md)"; !strings.Contains(document(t, "README.md"), link) {
			t.Errorf("README lacks %s", link)
		}
	}
}

// TestStoriesInDocumentsCompile compiles every whole story that a document
// shows.
func TestStoriesInDocumentsCompile(t *testing.T) {
	t.Parallel()
	app := regexp.MustCompile(`(?m)^app:`)
	for name, atLeast := range map[string]int{"README.md": 1, "schema/README.md": 3} {
		count := 0
		for _, b := range blocks(document(t, name)) {
			if !app.MatchString(b.text) {
				continue
			}
			count++
			_, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(b.text)}}, "app.yaml", compiler.Options{})
			for _, d := range ds {
				t.Errorf("%s: %d:%d: %s\n%s", name, d.Pos.Line, d.Pos.Col, d.Message, b.text)
			}
		}
		if count < atLeast {
			t.Errorf("%s: %d stories were found", name, count)
		}
	}
}

func TestArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	var want []string
	for _, p := range packages(t, "linux") {
		want = append(want, strings.TrimPrefix(p.ImportPath, "kitsoki/"))
	}
	compareSets(t, "ARCHITECTURE's table of packages", column(t, document(t, "ARCHITECTURE.md"), "Packages", 0), want)
}

// TestRationaleNamesEveryModule holds that each module we require ourselves
// has its reason.
func TestRationaleNamesEveryModule(t *testing.T) {
	t.Parallel()
	var want []string
	for line := range strings.Lines(document(t, "go.mod")) {
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "\t") && len(fields) == 2 {
			want = append(want, strings.TrimPrefix(fields[0], "github.com/"))
		}
	}
	if len(want) == 0 {
		t.Fatal("go.mod was not understood")
	}
	compareSets(t, "RATIONALE's table of modules", column(t, document(t, "RATIONALE.md"), "Why these dependencies?", 0), want)
}

// TestDocumentsLinks holds that links, and paths in code marks, lead to what
// is there.
func TestDocumentsLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	path := regexp.MustCompile("`((?:build|cmd|compiler|runtime|schema|stories)/[a-zA-Z0-9_./-]+)`")
	for _, name := range documents(t) {
		for _, m := range path.FindAllStringSubmatch(document(t, name), -1) {
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil && !strings.HasPrefix(m[1], "build/out") {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(document(t, name), -1) {
			if _, err := os.Stat(filepath.Join("..", filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			}
		}
	}
}

// TestDocumentsTargets holds each "make x y", in code marks or at the start
// of a line of a block, against the Makefile.
func TestDocumentsTargets(t *testing.T) {
	t.Parallel()
	makefile := document(t, "Makefile")
	command := regexp.MustCompile("(?m)(?:`|^)make ([a-z][a-z0-9]*(?: [a-z][a-z0-9]*)*)")
	count := 0
	for _, name := range documents(t) {
		if strings.HasPrefix(name, "stories/") {
			continue // speaks of other people's Makefiles
		}
		for _, m := range command.FindAllStringSubmatch(document(t, name), -1) {
			for target := range strings.FieldsSeq(m[1]) {
				count++
				if !strings.Contains(makefile, "\n"+target+":") {
					t.Errorf("%s: there is no target make %s", name, target)
				}
			}
		}
	}
	if count < 10 {
		t.Errorf("only %d targets were found", count)
	}
}

// TestDocumentsSpeakOfTheProduct keeps out how the work was done.
func TestDocumentsSpeakOfTheProduct(t *testing.T) {
	t.Parallel()
	history := regexp.MustCompile(`(?i)\b(TODO|FIXME)\b|\b(phase|issue|ticket|session) #?[0-9]`)
	for _, name := range documents(t) {
		if found := history.FindString(document(t, name)); found != "" {
			t.Errorf("%s says %q", name, found)
		}
	}
}

// newcomer is a directory and a home in which README is followed to the
// letter.
type newcomer struct{ dir, home string }

// arrive builds kitsoki where README expects it.
func arrive(t *testing.T) newcomer {
	t.Helper()
	n := newcomer{t.TempDir(), t.TempDir()}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(n.dir, "build", "out", "bin")+string(filepath.Separator), "kitsoki/cmd/...")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return n
}

// run runs a line as typed and gives its output and exit status.
func (n newcomer) run(t *testing.T, line string) (string, int) {
	t.Helper()
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = n.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + n.home}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", line, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// write makes a file that README tells to write.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeFollowed writes README's files and runs its commands in order,
// and compares its table of verbs with what the program offers.
func TestReadmeFollowed(t *testing.T) {
	t.Parallel()
	n := arrive(t)
	readme := document(t, "README.md")
	ran := 0
	for _, b := range blocks(readme) {
		kind, name, _ := strings.Cut(b.info, " ")
		switch {
		case kind == "yaml" && name == "config":
			write(t, filepath.Join(n.home, ".config", "kitsoki", "config.yaml"), b.text)
		case kind == "yaml" && name != "":
			write(t, filepath.Join(n.dir, filepath.FromSlash(name)), b.text)
		case kind == "sh" && name != "":
			ran += n.follow(t, b.text)
		}
	}
	if ran < 4 {
		t.Errorf("only %d commands were run", ran)
	}
	if out, status := n.run(t, `build/out/bin/kitsoki explain "git status"`); status != 0 {
		t.Errorf("README's configuration does not take git status:\n%s", out)
	}
	compareSets(t, "README's table of verbs", firstWords(column(t, readme, "Verbs", 0)), n.verbs(t))
}

// follow runs a block's lines: each ends with status 0, or with the one its
// comment names.
func (n newcomer) follow(t *testing.T, text string) int {
	t.Helper()
	count := 0
	status := regexp.MustCompile(`# status ([0-9]+)$`)
	for line := range strings.Lines(text) {
		line, want := strings.TrimSpace(line), 0
		if m := status.FindStringSubmatch(line); m != nil {
			want, _ = strconv.Atoi(m[1])
		}
		if out, got := n.run(t, line); got != want {
			t.Errorf("%s\nstatus %d, expected %d\n%s", line, got, want, out)
		}
		count++
	}
	return count
}

// verbs lists what the program's help offers.
func (n newcomer) verbs(t *testing.T) []string {
	t.Helper()
	out, _ := n.run(t, "build/out/bin/kitsoki --help")
	_, out, _ = strings.Cut(out, "Available Commands:\n")
	out, _, _ = strings.Cut(out, "\n\n")
	return firstWords(strings.Split(out, "\n"))
}

func firstWords(lines []string) []string {
	var out []string
	for _, line := range lines {
		if fields := strings.Fields(line); len(fields) > 0 {
			out = append(out, fields[0])
		}
	}
	return out
}
