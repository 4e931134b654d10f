package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// place is a temporary home and repository.
type place struct {
	t                *testing.T
	base, repo, user string
	env              map[string]string
	tracked          []string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{
		t: t, base: base, repo: filepath.Join(base, "repo"),
		user: filepath.Join(base, "xdg", "kitsoki", "config.yaml"),
		env:  map[string]string{"XDG_CONFIG_HOME": filepath.Join(base, "xdg")},
	}
	p.write("repo/.git/HEAD", "ref: refs/heads/main\n")
	p.write("repo/sub/deep/file", "")
	return p
}

func (p *place) path(rel string) string { return filepath.Join(p.base, filepath.FromSlash(rel)) }

func (p *place) write(rel, text string) {
	p.t.Helper()
	path := p.path(rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) resolve(rel string) (Resolved, []Problem) {
	return Resolve(Sources{
		Dir:     p.path(rel),
		Env:     func(name string) string { return p.env[name] },
		Tracked: func(path string) bool { return slices.Contains(p.tracked, path) },
	})
}

const userBinding = "intercept:\n  app: builtin:git-ops\n  room: intercept\n"

func TestDefaults(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r, problems := p.resolve("repo")
	if len(problems) != 0 {
		t.Errorf("problems: %v", problems)
	}
	if !r.Enabled.V || r.Bar.V != 0.90 || r.Mode.V != Enforce || r.EscapePrefix.V != "" || r.Trace.V != (Trace{}) || r.App.Set() {
		t.Errorf("got %+v", r)
	}
	if reason, _ := r.Inert(); reason != match.ReasonNotBound {
		t.Errorf("reason %q", reason)
	}
	for _, row := range r.Rows() {
		if row.Origin != "default" {
			t.Errorf("%s comes from %s", row.Key, row.Origin)
		}
	}
}

func TestUserBinding(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", userBinding+"  confidence_bar: 0.95\n  escape_prefix: \"//\"\n  mode: shadow\n  trace: off\n"+
		"  world:\n    who: me\n    n: 3\n    list: [1, a, {x: true}]\npolicy:\n  max_timeout: 2m\n  max_effect: network\n")
	r, problems := p.resolve("repo/sub/deep")
	if len(problems) != 0 {
		t.Fatalf("problems: %v", problems)
	}
	if reason, detail := r.Inert(); reason != "" {
		t.Errorf("inert: %s, %s", reason, detail)
	}
	want := []Row{
		{"intercept.enabled", "true", "default"},
		{"intercept.app", "builtin:git-ops", p.user + ":2"},
		{"intercept.room", "intercept", p.user + ":3"},
		{"intercept.confidence_bar", "0.95", p.user + ":4"},
		{"intercept.escape_prefix", `"//"`, p.user + ":5"},
		{"intercept.mode", "shadow", p.user + ":6"},
		{"intercept.trace", "off", p.user + ":7"},
		{"intercept.world.list", `[1,"a",{"x":true}]`, p.user + ":11"},
		{"intercept.world.n", "3", p.user + ":10"},
		{"intercept.world.who", `"me"`, p.user + ":9"},
		{"policy.max_timeout", "2m0s", p.user + ":13"},
		{"policy.max_effect", "network", p.user + ":14"},
	}
	if got := r.Rows(); !slices.Equal(got, want) {
		t.Errorf("rows\n got %v\nwant %v", got, want)
	}
	if r.Policy.MaxTimeout.V != 2*time.Minute || r.App.V != (App{Kind: AppBuiltin, Name: "git-ops"}) {
		t.Errorf("got %+v", r)
	}
	if got := r.Explain(); !strings.HasPrefix(got, "In force: ") || !strings.Contains(got, p.user+":2") {
		t.Errorf("explain: %s", got)
	}
}

func TestHomeInsteadOfXDG(t *testing.T) {
	t.Parallel()
	abs := t.TempDir()
	tests := []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"HOME": abs}, filepath.Join(abs, ".config", "kitsoki", "config.yaml")},
		{map[string]string{"HOME": abs, "XDG_CONFIG_HOME": "rel"}, filepath.Join(abs, ".config", "kitsoki", "config.yaml")},
		{map[string]string{"USERPROFILE": abs}, filepath.Join(abs, ".config", "kitsoki", "config.yaml")},
		{nil, ""},
	}
	for _, tt := range tests {
		if got := UserFile(func(n string) string { return tt.env[n] }); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.env, got, tt.want)
		}
	}
}

func TestAppKinds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tests := map[string]App{
		"builtin:x":          {Kind: AppBuiltin, Name: "x"},
		"../s/app.yaml":      {Kind: AppStory, Path: p.path("xdg/s/app.yaml")},
		"a.kit":              {Kind: AppArtifact, Path: p.path("xdg/kitsoki/a.kit")},
		p.path("abs/it.kit"): {Kind: AppArtifact, Path: p.path("abs/it.kit")},
	}
	for value, want := range tests {
		p.write("xdg/kitsoki/config.yaml", "intercept: {room: r, app: '"+value+"'}\n")
		r, problems := p.resolve("repo")
		if r.App.V != want || len(problems) != 0 {
			t.Errorf("%s: got %+v, %v; want %+v", value, r.App.V, problems, want)
		}
	}
}

func TestKeyByKey(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", userBinding+"  mode: shadow\n  confidence_bar: 0.97\n  world: {a: 1}\n")
	p.write("repo/.kitsoki.yaml", "intercept:\n  app: s/app.yaml\n  room: commands\n  mode: enforce\n  world: {b: 1, c: 1}\n")
	p.write("repo/.kitsoki.local.yaml", "intercept:\n  room: mine\n  world: {b: 2}\n")
	r, problems := p.resolve("repo/sub")
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	if r.App.V.Path != p.path("repo/s/app.yaml") || r.Room.V != "mine" || r.Mode.V != Enforce || r.Bar.V != 0.97 {
		t.Errorf("got %+v", r)
	}
	if got, want := r.Room.Origin.String(), p.path("repo/.kitsoki.local.yaml")+":2"; got != want {
		t.Errorf("room from %s, want %s", got, want)
	}
	var world []string
	for _, w := range r.World {
		world = append(world, w.Name+"="+string(w.JSON))
	}
	if !slices.Equal(world, []string{"b=2", "c=1"}) {
		t.Errorf("world %v: the user's belongs to another app", world)
	}
}

func TestRepositoryIsInert(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, user, repo, local string
		want                    match.Reason
	}{
		{"nothing", "", "", "", match.ReasonNotBound},
		{"user only", userBinding, "", "", ""},
		{"repository only", "", userBinding, "", match.ReasonUntrusted},
		{"local only", "", "", userBinding, match.ReasonUntrusted},
		{"both", userBinding, userBinding, "", match.ReasonUntrusted},
		{"repository changes the room", userBinding, "intercept: {room: other}", "", match.ReasonUntrusted},
		{"repository changes the world", userBinding, "intercept: {world: {a: 1}}", "", match.ReasonUntrusted},
		{"repository lowers the bar", userBinding, "intercept: {confidence_bar: 0.86}", "", match.ReasonUntrusted},
		{"repository takes the escape", userBinding, "intercept: {escape_prefix: ''}", "", match.ReasonUntrusted},
		{"repository switches on", "intercept: {app: 'builtin:x', room: r, enabled: false}", "intercept: {enabled: true}", "", match.ReasonUntrusted},
		{"repository switches off", userBinding, "intercept: {enabled: false}", "", match.ReasonDisabled},
		{"local switches off", userBinding, "", "intercept: {enabled: false}", match.ReasonDisabled},
		{"repository asks for no trace", userBinding, "intercept: {trace: off}", "", ""},
		{"unrelated blocks", userBinding, "story_dirs: [x]\nmemory: {recall: {}}", "", ""},
		{"empty block", userBinding, "intercept:\n", "", ""},
		{"broken repository file", userBinding, "intercept: {room: [", "", match.ReasonNotReady},
		{"user off", "intercept: {app: 'builtin:x', room: r, enabled: off}", "", "", match.ReasonDisabled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("xdg/kitsoki/config.yaml", tt.user)
			p.write("repo/.kitsoki.yaml", tt.repo)
			p.write("repo/.kitsoki.local.yaml", tt.local)
			r, _ := p.resolve("repo")
			reason, detail := r.Inert()
			if reason != tt.want || (detail == "") != (reason == "") {
				t.Errorf("got %q (%s), want %q", reason, detail, tt.want)
			}
			if got := r.Explain(); !strings.Contains(got, "("+string(tt.want)+")") && tt.want != "" {
				t.Errorf("explain does not say %s: %s", tt.want, got)
			}
		})
	}
}

func TestOff(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", userBinding)
	p.env["KITSOKI"] = "off"
	r, _ := p.resolve("repo")
	if reason, detail := r.Inert(); reason != match.ReasonDisabled || detail != "KITSOKI=off" {
		t.Errorf("got %s, %s", reason, detail)
	}
}

// TestSwitched: the person's own switch holds whatever the files say, and
// taking it back is enough.
func TestSwitched(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", userBinding)
	p.env["XDG_STATE_HOME"] = p.path("state")
	state := filepath.Join(p.path("state"), "kitsoki")
	for _, off := range []bool{true, true, false, false} {
		if err := journal.Switch(state, off); err != nil {
			t.Fatal(err)
		}
		r, _ := p.resolve("repo")
		reason, detail := r.Inert()
		if (reason == match.ReasonDisabled) != off || r.Switched != off || off != strings.Contains(detail, "kitsoki on") {
			t.Errorf("off %v: %s, %s", off, reason, detail)
		}
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", "policy: {min_bar: 0.93, escape_prefix: '//'}\nintercept: {trace: /user/trace}\n")
	p.write("repo/.kitsoki.yaml", userBinding+"  confidence_bar: 0.9\n  escape_prefix: '%'\n  trace: /etc/elsewhere\npolicy: {min_bar: 0.86}\n")
	r, problems := p.resolve("repo")
	if r.Bar.V != 0.93 || r.Bar.Origin.Layer != LayerUser || r.EscapePrefix.V != "//" || r.Policy.MinBar.V != 0.93 {
		t.Errorf("bar %+v, escape %+v", r.Bar, r.EscapePrefix)
	}
	if filepath.ToSlash(r.Trace.V.Path) == "/etc/elsewhere" || r.Trace.Origin.Layer != LayerUser {
		t.Errorf("a repository chose the trace file: %+v", r.Trace)
	}
	repo := p.path("repo/.kitsoki.yaml")
	want := []string{
		repo + ":7:1: warning: policy counts in the user's own configuration only\n  hint: remove it here",
		repo + ":4:19: info: the bar 0.9 lies under the user's policy.min_bar 0.93, which holds",
	}
	if got := texts(problems); !slices.Equal(got, want) {
		t.Errorf("problems\n got %q\nwant %q", got, want)
	}
}

func TestUsersOwnEscapePrefixStays(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", "intercept: {escape_prefix: '//'}\n")
	p.write("repo/.kitsoki.yaml", userBinding+"  escape_prefix: ''\n")
	p.write("repo/.kitsoki.local.yaml", "intercept: {escape_prefix: '!'}\n")
	if r, _ := p.resolve("repo"); r.EscapePrefix.V != "//" {
		t.Errorf("escape prefix %q", r.EscapePrefix.V)
	}
}

func TestDefaultBarUnderTheFloorIsSilent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", userBinding+"policy: {min_bar: 1}\n")
	r, problems := p.resolve("repo")
	if r.Bar.V != 1 || len(problems) != 0 {
		t.Errorf("bar %v, %v", r.Bar.V, problems)
	}
}

func texts(list []Problem) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.String())
	}
	return out
}

// TestTrusted: what the caller has judged counts for a repository's binding,
// and mends nothing else.
func TestTrusted(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("repo/.kitsoki.yaml", userBinding)
	r, _ := p.resolve("repo")
	r.Doubt = "it has changed"
	if reason, detail := r.Inert(); reason != match.ReasonUntrusted || detail != "it has changed" {
		t.Errorf("observed %s, %s", reason, detail)
	}
	r.Trusted = true
	if reason, _ := r.Inert(); reason != "" || !strings.Contains(r.Explain(), "which you trust") {
		t.Errorf("observed %s, %s", reason, r.Explain())
	}
	r.Off = true
	if reason, _ := r.Inert(); reason != match.ReasonDisabled {
		t.Errorf("switched off: observed %s", reason)
	}
}

func TestMemoryServiceIsTheUsersAlone(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"url: http://127.0.0.1:1", "token: x"} {
		p := newPlace(t)
		p.write("xdg/kitsoki/config.yaml", userBinding+"memory:\n  "+key+"\n")
		if r, problems := p.resolve("repo"); r.Broken != "" {
			t.Errorf("the user's own %s: %v", key, problems)
		}
		p.write("repo/.kitsoki.local.yaml", "memory:\n  "+key+"\n")
		r, _ := p.resolve("repo")
		name, _, _ := strings.Cut(key, ":")
		if want := p.path("repo/.kitsoki.local.yaml") + fmt.Sprintf(":2:%d: memory.%s ", len(name)+5, name); !strings.HasPrefix(r.Broken, want) {
			t.Errorf("expected %q, observed %q", want, r.Broken)
		}
	}
}

func TestTheBytesReadAreKnown(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("repo/.kitsoki.yaml", userBinding)
	r, _ := p.resolve("repo")
	for _, f := range r.Files {
		want := ""
		if f.Path == p.path("repo/.kitsoki.yaml") {
			want = journal.Sum([]byte(userBinding))
		}
		if f.Sum != want {
			t.Errorf("%s: expected %q, observed %q", f.Path, want, f.Sum)
		}
	}
}
