package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/journal"
)

const walrus = "# Walrus\n\nThe walrus prefers arctic shallows.\n"

func TestUnchangedFilesAreReused(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", walrus)
	p.write("b.md", "# Heron\n\nThe heron stands in reeds.\n")
	p.write("c.md", "# Otter\n\nOtters float in kelp.\n")
	if r := p.build(); r.Reused != 0 || r.Files != 3 || r.Sections != 3 || r.Unchanged || r.Generation != "g00000001" {
		t.Fatalf("first: %+v", r)
	}
	if r := p.build(); r.Reused != 3 || !r.Unchanged || r.Generation != "g00000001" || r.Sections != 3 {
		t.Errorf("nothing changed: %+v", r)
	}
	p.write("a.md", walrus)
	p.touch("a.md", p.now.Add(-30*time.Minute)) // another time, the same text
	p.write("b.md", "# Heron\n\nThe heron nests in poplars.\n")
	if err := os.Remove(filepath.Join(p.root, "c.md")); err != nil {
		t.Fatal(err)
	}
	p.write("d.md", "# Badger\n\nBadgers dig setts.\n")
	if r := p.build(); r.Reused != 1 || r.Files != 3 || r.Sections != 3 || r.Generation != "g00000002" {
		t.Errorf("one of each: %+v", r)
	}
	for prompt, want := range map[string]string{
		"where does the walrus live in arctic shallows?": "a.md:1", "does the heron nest in poplars?": "b.md:1",
		"heron standing in reeds": "", "do otters float in kelp?": "", "do badgers dig setts?": "d.md:1",
	} {
		if got := p.ask(prompt); got != want {
			t.Errorf("%s: %q, want %q", prompt, got, want)
		}
	}
}

// TestFileAsYoungAsTheBuildIsRead: the same size and time vouch for nothing
// when the file was written while the index was being built.
func TestFileAsYoungAsTheBuildIsRead(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", "# A\n\nwalrus shallows\n")
	young := p.now
	p.touch("a.md", young)
	p.build()
	p.write("a.md", "# A\n\nbadger shallows\n")
	p.touch("a.md", young)
	if p.build(); p.ask("badger shallows") != "a.md:1" {
		t.Error("the change was not seen")
	}
}

func TestUnchangedInputGivesTheSameAnswers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.turns = []Turn{{ID: "t1", Query: "where do herons nest?", Answer: "In poplars.", Time: p.now}}
	for i := range 30 {
		p.write(fmt.Sprintf("n%02d.md", i), fmt.Sprintf("# Note %d\n\nThe heron number %d nests in tree %d.\n\n## More\n\nwalrus %d\n", i, i%3, i%7, i%5))
	}
	prompts := []string{"where does heron number 2 nest?", "walrus 4", "note 7 tree", "herons nest in poplars"}
	p.build()
	first := full(t, p.open(), prompts...)
	p.write("n03.md", "# Note 3\n\nsomething else\n")
	p.build()
	if full(t, p.open(), prompts...) == first {
		t.Error("an edit changed nothing")
	}
	p.write("n03.md", "# Note 3\n\nThe heron number 0 nests in tree 3.\n\n## More\n\nwalrus 3\n")
	p.build()
	if got := full(t, p.open(), prompts...); got != first {
		t.Errorf("built on:\n%s\nwant\n%s", got, first)
	}
	p.fresh = true
	p.build()
	if got := full(t, p.open(), prompts...); got != first {
		t.Errorf("built anew:\n%s\nwant\n%s", got, first)
	}
}

// TestGitignoreIsRespected starts git, and so runs apart from the others: until
// it has become git, a child has the locks of whoever else is building here.
func TestGitignoreIsRespected(t *testing.T) {
	p := newPlace(t)
	p.git("init", "-q")
	p.write(".gitignore", "out/\n")
	p.write("a.md", walrus)
	p.write("out/b.md", walrus)
	p.write(".github/c.md", walrus)
	p.git("add", "a.md")
	p.env = append(p.env, "GIT_DIR=/nonexistent") // leads git elsewhere: not followed
	p.build()
	if got := p.ask("walrus in arctic shallows"); got != ".github/c.md:1 a.md:1" {
		t.Errorf("found in %q", got)
	}
}

func TestWithoutGitNoHiddenFiles(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*place){
		"no repository": func(*place) {},
		"no git":        func(p *place) { p.write(".git/HEAD", "x"); p.env = []string{"PATH=/nonexistent"} },
	} {
		p := newPlace(t)
		prepare(p)
		p.write("a.md", walrus)
		p.write("docs/deep/b.md", walrus)
		p.write(".hidden/c.md", walrus)
		p.write(".d.md", walrus)
		p.build()
		if got := p.ask("walrus in arctic shallows"); got != "a.md:1 docs/deep/b.md:1" {
			t.Errorf("%s: found in %q", name, got)
		}
	}
}

func TestGlobs(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, f := range []string{"README.md", "docs/a.md", "docs/deep/b.md", "other/c.md", "docs/d.txt"} {
		p.write(f, walrus)
	}
	p.sources = []string{"docs/**/*.md", "./*.md"}
	p.build()
	if got := p.ask("walrus in arctic shallows"); got != "README.md:1 docs/a.md:1 docs/deep/b.md:1" {
		t.Errorf("found in %q", got)
	}
	for _, bad := range []string{"", "[", "/etc/*.md", "../*.md", "docs/../../*.md"} {
		o := p.options()
		o.Sources = []string{bad}
		if _, err := Build(context.Background(), o, nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestUnfitFilesAreSkipped(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.sources = []string{"**"}
	p.write("ok.md", walrus)
	p.write("big.md", walrus+strings.Repeat("x", 1<<20))
	p.write("binary.md", "walrus\x00arctic")
	p.write("key.md", "walrus\n-----BEGIN RSA PRIVATE KEY-----\nx\n")
	for _, secret := range []string{"x.pem", "id_rsa.md", "credentials.md", "secrets/a.md", "my-passwords.md", "token.md"} {
		p.write(secret, walrus)
	}
	r := p.build()
	var got []string
	for _, s := range r.Skipped {
		got = append(got, s.Path+": "+s.Reason)
	}
	want := []string{
		"big.md: it is larger than 1 MiB", "binary.md: it is binary", "credentials.md: its name is one of a secret",
		"id_rsa.md: its name is one of a secret", "key.md: it holds a private key", "my-passwords.md: its name is one of a secret",
		"secrets/a.md: its name is one of a secret", "token.md: its name is one of a secret", "x.pem: its name is one of a secret",
	}
	if !slices.Equal(got, want) {
		t.Errorf("skipped\n got %q\nwant %q", got, want)
	}
	if r.Files != 1 || p.ask("walrus arctic shallows") != "ok.md:1" {
		t.Errorf("indexed: %+v, %s", r, p.ask("walrus arctic shallows"))
	}
	p.write("ok.md", "walrus\x00") // fit no more
	if p.build(); p.ask("walrus arctic shallows") != "" {
		t.Error("a file that is binary now is still answered with")
	}
}

func TestLinksOutOfTheRepositoryAreNotFollowed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("../outside/secret.md", walrus)
	p.write("docs/real.txt", walrus)
	p.write("dir.md/x.txt", "")
	for name, target := range map[string]string{"out.md": "../outside/secret.md", "in.md": "docs/real.txt", "away": "../outside", "gone.md": "nowhere.md"} {
		if err := os.Symlink(target, filepath.Join(p.root, name)); err != nil {
			t.Skip(err)
		}
	}
	r := p.build()
	if got := p.ask("walrus in arctic shallows"); got != "in.md:1" {
		t.Errorf("found in %q; skipped %v", got, r.Skipped)
	}
}

func TestSecondBuildIsBusy(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", walrus)
	p.build()
	release, ok, err := journal.TryLock(filepath.Join(p.dir, lockName))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := Build(context.Background(), p.options(), nil); !errors.Is(err, ErrBusy) {
		t.Errorf("the error is %v", err)
	}
	if p.ask("walrus in arctic shallows") != "a.md:1" { // readers mind no lock
		t.Error("nothing found while another builds")
	}
	release()
	p.build()
}

func TestBuildCutOffLeavesTheIndex(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", walrus)
	p.build()
	p.write("b.md", walrus)
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Build(ctx, p.options(), func(Progress) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	o := p.options()
	o.Turns = func(yield func(Turn, error) bool) { yield(Turn{}, os.ErrPermission) }
	if _, err := Build(context.Background(), o, nil); !errors.Is(err, os.ErrPermission) {
		t.Errorf("the error is %v", err)
	}
	if err := os.MkdirAll(filepath.Join(p.dir, "new-g00000007", "x"), 0o700); err != nil { // what a kill leaves
		t.Fatal(err)
	}
	if got := p.ask("walrus in arctic shallows"); got != "a.md:1" {
		t.Errorf("found in %q", got)
	}
	p.build()
	if got := p.entries(); got != "current g00000001 g00000002 lock" {
		t.Errorf("there are %s", got)
	}
}

func (p *place) entries() string {
	list, err := os.ReadDir(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, d := range list {
		out = append(out, d.Name())
	}
	return strings.Join(out, " ")
}

func TestOldGenerationsAreRemoved(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", walrus)
	p.build()
	s := p.open()
	for i := range 4 {
		p.write("b.md", fmt.Sprintf("# Heron %d\n", i)+strings.Repeat("x", i+1))
		p.build()
	}
	if got := p.entries(); got != "current g00000004 g00000005 lock" {
		t.Errorf("there are %s", got)
	}
	q := Query{Prompt: "walrus in arctic shallows", Floor: 0.55, TurnFloor: 1}
	if got := answers(t, s, q); got != "a.md:1" { // whoever has opened one goes on with it
		t.Errorf("the reader of a removed generation found %q", got)
	}
	if changed, err := s.Stale(context.Background(), p.root); err != nil || len(changed) != 0 {
		t.Errorf("stale: %v, %v", changed, err)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", walrus)
	p.write("b.md", walrus)
	var got []Progress
	if _, err := Build(context.Background(), p.options(), func(g Progress) { got = append(got, g) }); err != nil {
		t.Fatal(err)
	}
	if want := []Progress{{"a.md", 0, 2}, {"b.md", 1, 2}, {"", 2, 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestNothingToIndex(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if r := p.build(); r.Sections != 0 || p.ask("walrus") != "" {
		t.Errorf("%+v", r)
	}
	p.write("a.md", walrus)
	if p.build(); p.ask("walrus in arctic shallows") != "a.md:1" {
		t.Error("not found")
	}
	if err := os.Remove(filepath.Join(p.root, "a.md")); err != nil {
		t.Fatal(err)
	}
	if r := p.build(); r.Sections != 0 || p.ask("walrus in arctic shallows") != "" {
		t.Errorf("%+v", r)
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, f := range []string{"a.md", "b.md", "docs/c.md"} {
		p.write(f, walrus)
	}
	p.build()
	s := p.open()
	stale := func() []Changed {
		got, err := s.Stale(context.Background(), p.root)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := stale(); len(got) != 0 {
		t.Errorf("at once: %v", got)
	}
	p.touch("b.md", p.now)
	if err := os.Remove(filepath.Join(p.root, "docs", "c.md")); err != nil {
		t.Fatal(err)
	}
	if got := stale(); !slices.Equal(got, []Changed{{"b.md", false}, {"docs/c.md", true}}) {
		t.Errorf("got %v", got)
	}
}
