package config

import (
	"slices"
	"strings"
	"testing"

	"kitsoki/runtime/match"
)

func states(r Resolved) []FileState {
	var out []FileState
	for _, f := range r.Files {
		out = append(out, f.State)
	}
	return out
}

func TestWalkUp(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(".kitsoki.yaml", "intercept: {room: above}")
	p.write("repo/.kitsoki.yaml", "intercept: {room: root}")
	p.write("repo/sub/.kitsoki.yaml", "intercept: {room: sub}")
	p.write("plain/deep/file", "")
	p.write("plain/.kitsoki.yaml", "intercept: {room: plain}")
	for dir, want := range map[string]string{
		"repo": "root", "repo/sub": "sub", "repo/sub/deep": "sub", "plain": "plain", "plain/deep": "",
	} {
		if r, _ := p.resolve(dir); r.Room.V != want {
			t.Errorf("%s: room %q, want %q", dir, r.Room.V, want)
		}
	}
}

func TestWalkStopsAtTheRoot(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(".kitsoki.yaml", "intercept: {room: above}")
	r, _ := p.resolve("repo/sub")
	if r.Room.Set() || r.Files[1].Path != p.path("repo/.kitsoki.yaml") {
		t.Errorf("room %q, looked at %s", r.Room.V, r.Files[1].Path)
	}
}

func TestLocalAloneStopsTheWalk(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("repo/.kitsoki.yaml", "intercept: {room: root}")
	p.write("repo/sub/.kitsoki.local.yaml", "intercept: {mode: shadow}")
	if r, _ := p.resolve("repo/sub"); r.Room.Set() || r.Mode.V != Shadow {
		t.Errorf("room %q, mode %s", r.Room.V, r.Mode.V)
	}
}

func TestTrackedLocalIsIgnored(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	local := p.path("repo/.kitsoki.local.yaml")
	p.tracked = []string{local}
	p.write("xdg/kitsoki/config.yaml", userBinding)
	p.write("repo/.kitsoki.local.yaml", "intercept: {room: other}")
	r, problems := p.resolve("repo")
	if reason, _ := r.Inert(); reason != "" || r.Room.V != "intercept" {
		t.Errorf("reason %q, room %q", reason, r.Room.V)
	}
	if !slices.Equal(states(r), []FileState{FileRead, FileAbsent, FileTracked}) {
		t.Errorf("files %v", r.Files)
	}
	if len(problems) != 1 || problems[0].Severity != Warning || problems[0].File != local {
		t.Errorf("problems %v", problems)
	}
}

func TestLinkedWorktree(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("tree/.git", "gitdir: "+p.path("repo/.git/worktrees/tree")+"\n")
	p.write("repo/.git/worktrees/tree/commondir", "../..\n")
	p.write("tree/sub/file", "")
	p.write("repo/.kitsoki.yaml", "intercept: {room: primary}")
	p.write("repo/.kitsoki.local.yaml", "intercept: {app: s/app.yaml, mode: shadow}")
	p.write("tree/.kitsoki.yaml", "intercept: {room: tree}")
	r, _ := p.resolve("tree/sub")
	if r.Room.V != "tree" || r.Mode.V != Shadow || r.App.V.Path != p.path("repo/s/app.yaml") {
		t.Errorf("room %q, mode %s, app %s", r.Room.V, r.Mode.V, r.App.V)
	}
	p.write("tree/.kitsoki.local.yaml", "intercept: {mode: enforce}")
	if r, _ := p.resolve("tree/sub"); r.Mode.V != Enforce || r.App.Set() {
		t.Errorf("the worktree's own local file does not win: %+v", r.Files)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"unknown key", "intercept:\n  aap: x\n", `2:3: error: unknown key "aap" in intercept\n  hint: did you mean "app"?`},
		{"unknown, nothing near", "intercept:\n  wibble: x\n", `2:3: error: unknown key "wibble" in intercept`},
		{"policy key", "policy: {minbar: 1}\n", `1:10: error: unknown key "minbar" in policy\n  hint: did you mean "min_bar"?`},
		{"duplicate", "intercept:\n  mode: shadow\n  mode: enforce\n", `3:3: error: key "mode" stands twice in intercept\n  hint: the first is on line 2`},
		{"duplicate block", "intercept: {}\nintercept: {}\n", `2:1: error: key "intercept" stands twice in the file\n  hint: the first is on line 1`},
		{"foreign key", "harness_profiles: [a]\n", `1:1: info: key "harness_profiles" is not kitsoki's`},
		{"mistyped block", "intercpt: {}\n", `1:1: info: key "intercpt" is not kitsoki's\n  hint: did you mean "intercept"?`},
		{"guard mode", "guard: {mode: x}\n", `1:15: error: guard.mode must be a map`},
		{"guard rule", "guard: {mode: {kb_first: on}}\n", `1:26: error: guard.mode.kb_first is "on": it must be off, shadow or enforce`},
		{"guard key", "guard: {overides: []}\n", `1:9: error: unknown key "overides" in guard\n  hint: did you mean "overrides"?`},
		{"override of nothing", "guard: {overrides: [{branch: x}]}\n", `1:21: error: guard.overrides[0] sets neither must_reply nor kb_first`},
		{"override of all", "guard: {overrides: [{kb_first: off}]}\n", `1:21: error: guard.overrides[0] names no branch, path or permission_mode\n  hint: for everywhere, write guard.mode`},
		{"override pattern", "guard: {overrides: [{branch: 'a[', kb_first: off}]}\n", `1:30: error: guard.overrides[0].branch is "a[": it is no pattern: a bracket is not closed`},
		{"floor", "memory: {recall: {floor: 1.1}}\n", `1:26: error: memory.recall.floor is "1.1": it must be a number from 0 to 1`},
		{"max_items", "memory: {recall: {max_items: 4}}\n", `1:30: error: memory.recall.max_items is "4": it must be a whole number from 1 to 3`},
		{"source outside", "memory: {recall: {sources: ['../*.md']}}\n", `1:29: error: memory.recall.sources[0] is "../*.md": it must be a pattern of paths below the repository's root, with slashes, as in docs/**/*.md`},
		{"sources", "memory: {recall: {sources: x}}\n", `1:28: error: memory.recall.sources must be a list`},
		{"not YAML", "intercept:\n  app: a: b\n", `2:1: error: not valid YAML: mapping values are not allowed in this context`},
		{"not a map", "- a\n", `1:1: error: a configuration file is a map of blocks\n  hint: write intercept: and its keys below`},
		{"two documents", "intercept: {}\n---\n{}\n", `2:1: error: a second YAML document\n  hint: keep one document in the file`},
		{"block is a list", "intercept: [a]\n", `1:12: error: intercept must be a map`},
		{"bar too low", "intercept:\n  confidence_bar: 0.85\n", `2:19: error: intercept.confidence_bar is "0.85": it must be a number from 0.86 to 1.00`},
		{"bar not a number", "intercept: {confidence_bar: .nan}\n", `1:29: error: intercept.confidence_bar is ".nan": it must be a number from 0.86 to 1.00`},
		{"bar empty", "intercept: {confidence_bar: }\n", `1:29: error: intercept.confidence_bar is "": it must be a number from 0.86 to 1.00`},
		{"mode", "intercept: {mode: dry}\n", `1:19: error: intercept.mode is "dry": it must be enforce or shadow`},
		{"enabled", "intercept: {enabled: maybe}\n", `1:22: error: intercept.enabled is "maybe": it must be true or false`},
		{"room list", "intercept: {room: [a]}\n", `1:19: error: intercept.room must be a single value`},
		{"room number", "intercept: {room: 7}\n", `1:19: error: intercept.room is "7": it must be text; put it in quotes`},
		{"app without room", "intercept: {app: x.kit}\n", ``},
		{"room without app", "intercept: {room: x}\n", `1:19: warning: intercept.room is named without an app\n  hint: add app: and a story, as in builtin:git-ops`},
		{"builtin", "intercept: {room: r, app: 'builtin:'}\n", `1:27: error: intercept.app is "builtin:": after builtin: stands the name of a story that ships with kitsoki`},
		{"prefix", "intercept: {escape_prefix: 'a b'}\n", `1:28: error: intercept.escape_prefix is "a b": it must not hold blanks, since leading blanks are skipped before it is looked for`},
		{"timeout", "policy: {max_timeout: 16m}\n", `1:23: error: policy.max_timeout is "16m": it must be a duration above 0 and up to 15m0s, as in 30s or 2m`},
		{"effect", "policy: {max_effect: none}\n", `1:22: error: policy.max_effect is "none": it must be one of read, write, network, destructive`},
		{"world alias", "x: &a 1\nintercept: {world: {k: *a}}\n", `1:1: info: key "x" is not kitsoki's|2:24: error: intercept.world.k: an alias is not taken here; write the value out`},
		{"world duplicate", "intercept: {world: {k: {a: 1, a: 2}}}\n", `1:31: error: key "a" stands twice in this map\n  hint: the first is on line 1`},
		{"world infinite", "intercept: {world: {k: .inf}}\n", `1:24: error: intercept.world.k: json: unsupported value: +Inf`},
		{"empty", "", ``},
		{"only a comment", "# nothing\n", ``},
		{"byte order mark", "\ufeffintercept: {mode: shadow}\n", ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("xdg/kitsoki/config.yaml", tt.text)
			r, problems := p.resolve("repo")
			got := strings.ReplaceAll(strings.Join(texts(problems), "|"), p.user+":", "")
			if want := strings.ReplaceAll(tt.want, `\n`, "\n"); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
			reason, _ := r.Inert()
			if broken := strings.Contains(tt.want, "error:"); broken != (reason == match.ReasonNotReady) {
				t.Errorf("reason %q", reason)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("repo/.kitsoki.yaml/file", "a directory stands where the file should")
	r, problems := p.resolve("repo")
	if reason, _ := r.Inert(); reason != match.ReasonNotReady || len(problems) != 1 || r.Files[1].State != FileBroken {
		t.Errorf("reason %q, problems %v, files %v", reason, problems, r.Files)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add(userBinding)
	f.Add("intercept: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		p := newPlace(t)
		p.write("repo/.kitsoki.yaml", text)
		r, _ := p.resolve("repo")
		if reason, _ := r.Inert(); reason == "" {
			t.Errorf("a repository's binding is in force: %q", text)
		}
	})
}
