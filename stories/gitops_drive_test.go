package stories_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
)

// driven makes the calls of a drive: those of an agent by a stand-in, all
// others for real.
type driven struct {
	host.Local
	drive  *drive
	rounds int
	steps  int // calls that change something, made so far
}

// Call makes one call as a drive does.
func (d *driven) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	env.Drive = true
	if d.drive.before != nil {
		d.drive.before(name, args)
	}
	if !changes(name, args) {
		return d.Local.Call(ctx, name, args, env)
	}
	result, err := d.work(ctx, name, args, env)
	if d.steps++; d.steps == d.drive.stopBehind {
		return nil, errStopped
	}
	return result, err
}

// errStopped is what no story can handle: the process is as good as gone, and
// what the call returned is lost.
var errStopped = errors.New("stopped")

func changes(name string, args map[string]any) bool {
	row, _ := spec.Lookup(name)
	op, _ := args["op"].(string)
	return name != "host.run" && !slices.Contains(row.Reads, op) || name == "host.run" && args["effect"] != string(spec.Read)
}

func (d *driven) work(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	if name != "host.agent.task" {
		return d.Local.Call(ctx, name, args, env)
	}
	d.rounds++
	dir, _ := args["working_dir"].(string)
	var files []string
	for _, f := range args["files"].([]any) {
		files = append(files, f.(string))
	}
	d.drive.asked = append(d.drive.asked, files)
	resolved, summary, err := d.drive.agent(dir, files, d.rounds)
	if err != nil {
		return nil, &host.Error{Call: name, Msg: err.Error()}
	}
	return map[string]any{
		"submitted": map[string]any{"resolved": resolved, "summary": summary}, "files_changed": args["files"], "attempts": 1,
	}, nil
}

// agent stands in for a task agent: it works on files and submits.
type agent func(dir string, files []string, round int) (resolved bool, summary string, err error)

// drive is one command that is driven.
type drive struct {
	site    *site
	program *artifact.Program // git-ops when nil
	room    string            // intercept when empty
	intent  string
	slots   map[string]any
	world   map[string]any
	agent   agent
	before  func(call string, args map[string]any) // told of each call before it is made
	asked   [][]string                             // the files the agent was given, a round each

	stopBehind int    // stop behind so many calls that change something, 0 never
	steps      int    // how many there were
	said       string // by the way back
	outcome    engine.Outcome
	world1     map[string]any // the world it came to rest with
}

var gitOpsOnce struct {
	sync.Mutex
	program *artifact.Program
}

// gitOps is the story's program, compiled once.
func gitOps(t *testing.T) *artifact.Program {
	t.Helper()
	gitOpsOnce.Lock()
	defer gitOpsOnce.Unlock()
	if gitOpsOnce.program == nil {
		gitOpsOnce.program = programOf(t, "git-ops")
	}
	return gitOpsOnce.program
}

const driveSession = "01JDRIVE"

// run drives the command to rest; when that is inside of the flow, or when a
// fault has stopped it, the way back is gone. It tells whether it was done.
func (d *drive) run() bool {
	d.site.t.Helper()
	p, room := d.program, d.room
	if p == nil {
		p, room = gitOps(d.site.t), "intercept"
	}
	caller := &driven{drive: d}
	req := engine.Request{
		Program: p, Room: room, Intent: d.intent, Slots: d.slots, World: d.world, Host: caller,
		Dir: d.site.work, Env: d.site.env, Session: driveSession,
	}
	passed := map[string]bool{}
	req.Observe = func(e engine.Event) {
		if e.Kind == engine.StateEntered {
			passed[e.State] = true
		}
	}
	d.outcome = engine.Run(context.Background(), req)
	d.steps = caller.steps
	d.world1, _ = engine.World(p, d.world)
	for _, c := range d.outcome.WorldChanges {
		d.world1[c.Key] = c.New
	}
	flagged := false
	for _, st := range p.States {
		flagged = flagged || st.Path == d.outcome.State && st.Drive
	}
	if !flagged && d.outcome.Kind.Done() {
		return true
	}
	for _, st := range p.States {
		if st.Drive && passed[st.Path] {
			d.goBack(*p, st)
			d.goBack(*p, st)
		}
	}
	return false
}

// goBack runs a state's way back, as a command of its own.
func (d *drive) goBack(p artifact.Program, st artifact.State) {
	d.site.t.Helper()
	p.Intents = append(slices.Clone(p.Intents), artifact.Intent{Name: "zz_back", TimeoutMS: 60_000})
	p.States = slices.Clone(p.States)
	for i := range p.States {
		if p.States[i].Path == st.Path {
			p.States[i].On = append(slices.Clone(st.On), artifact.Handler{Intent: "zz_back", Arcs: []artifact.Arc{{Effects: st.Abort}}})
		}
	}
	o := engine.Run(context.Background(), engine.Request{
		Program: &p, Room: st.Path, Intent: "zz_back", World: d.world1, Host: &driven{drive: &drive{}},
		Dir: d.site.work, Env: d.site.env, Session: driveSession,
	})
	d.said += o.Say
	for _, c := range o.WorldChanges {
		d.world1[c.Key] = c.New
	}
	if !o.Kind.Done() {
		d.site.t.Errorf("the way back of %s: %s %s", st.Path, o.Kind, o.Detail)
	}
}

// done runs it where it must be done, and gives what it says.
func (d *drive) done() string { d.site.t.Helper(); return d.doneIn("intercept") }

func (d *drive) doneIn(room string) string {
	d.site.t.Helper()
	if !d.run() {
		d.site.t.Fatalf("%s: %s %s %s in %s; it says %q, and %v", d.intent, d.outcome.Kind, d.outcome.Hint, d.outcome.Detail, d.outcome.State, d.outcome.Say, d.world1["last_error"])
	}
	d.site.equal("rests in", d.outcome.State, room)
	return d.outcome.Say
}

// given runs it where it must be given up, says why, and changes nothing.
func (d *drive) givenUp(why string) {
	d.site.t.Helper()
	before := d.site.everything()
	if d.run() {
		d.site.t.Fatalf("%s was done: %s", d.intent, d.outcome.Say)
	}
	said := strings.Join([]string{d.outcome.Say, d.outcome.Hint, d.outcome.Detail, fmt.Sprint(d.world1["last_error"])}, "\n")
	if !strings.Contains(said, why) {
		d.site.t.Errorf("it says %q and should say %q", said, why)
	}
	d.site.equal("everything", d.site.everything(), before)
}

// apart is what must be so after every drive: no worktree is left, nothing is
// in progress, and what git does not track is as it was.
func (s *site) apart() {
	s.t.Helper()
	s.whole()
	s.equal("worktrees", fmt.Sprint(len(strings.Split(s.git("worktree", "list"), "\n"))), "1")
	left, _ := os.ReadDir(filepath.Join(s.cache(), "kitsoki", "scratch"))
	s.equal("left apart", fmt.Sprint(len(left)), "0")
	s.equal("secret.env", s.read("secret.env"), "s3cret\n")
}

func (s *site) cache() string { return filepath.Join(s.home, "cache") }

// token is a content that no run before has seen.
func token() string { return strings.ToLower(rand.Text()[:10]) }

// newWork is a site with an ignored file, and on feature/x, which has a commit
// of its own for each of the contents.
func newWork(t *testing.T, contents ...string) *site {
	t.Helper()
	s := newSite(t)
	s.env = append(s.env, "XDG_CACHE_HOME="+s.cache())
	s.commit(".gitignore", "*.env\nnode_modules/\n")
	s.commit("code.txt", "first\nsecond\nthird\n")
	s.git("push", "-q", "origin", "main")
	s.put("secret.env", "s3cret\n")
	s.git("switch", "-q", "-c", "feature/x")
	for i, c := range contents {
		s.put("code.txt", "first\n"+c+"\nthird\n")
		s.git("add", "code.txt")
		s.git("commit", "-q", "-m", fmt.Sprintf("Change %d", i+1))
	}
	return s
}

// onMain commits to main and comes back.
func (s *site) onMain(name, text string) {
	s.t.Helper()
	s.git("switch", "-q", "main")
	s.commit(name, text)
	s.git("switch", "-q", "-")
}

// conflicted has main and feature/x change one line, the latter as often as
// asked.
func conflicted(t *testing.T, times int) (s *site, main string, mine []string) {
	t.Helper()
	main = token()
	for range times {
		mine = append(mine, token())
	}
	s = newWork(t, mine...)
	s.onMain("code.txt", "first\n"+main+"\nthird\n")
	return s, main, mine
}

// joins resolves every conflict by keeping both sides' lines.
func joins(dir string, files []string, _ int) (bool, string, error) {
	for _, f := range files {
		path := filepath.Join(dir, f)
		data, err := os.ReadFile(path)
		if err != nil {
			return false, "", err
		}
		var keep []string
		for _, line := range strings.Split(string(data), "\n") {
			if !strings.HasPrefix(line, "<<<<<<<") && !strings.HasPrefix(line, "=======") && !strings.HasPrefix(line, ">>>>>>>") {
				keep = append(keep, line)
			}
		}
		if err := os.WriteFile(path, []byte(strings.Join(keep, "\n")), 0o600); err != nil {
			return false, "", err
		}
	}
	return true, "kept both lines", nil
}

// noAgent is where none may be asked.
func noAgent(string, []string, int) (bool, string, error) {
	return false, "", fmt.Errorf("an agent was asked, and there is nothing to ask")
}

func (s *site) says(text string, parts ...string) {
	s.t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			s.t.Errorf("it says %q and lacks %q", text, p)
		}
	}
}
