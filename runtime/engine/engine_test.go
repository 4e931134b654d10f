package engine

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

func arcs(a ...artifact.Arc) []artifact.Arc { return a }

func list(e ...artifact.Effect) []artifact.Effect { return e }

func TestArcsInOrder(t *testing.T) {
	t.Parallel()
	p := story(arcs(
		artifact.Arc{When: when("world.n > 5"), Effects: list(say("big")), GuardHint: text("n is {{ world.n }}")},
		artifact.Arc{When: when("world.n == 1"), Effects: list(say("one for {{ slots.who }}"))},
		artifact.Arc{Default: true, Effects: list(say("other"))},
	))
	for n, want := range map[int]string{1: "one for me", 9: "big", 3: "other"} {
		o := Run(context.Background(), Request{Program: p, Room: "home", Intent: "go", World: map[string]any{"n": n}, Slots: map[string]any{"who": "me"}})
		if o.Kind != Transitioned || o.Say != want || o.State != "home" {
			t.Errorf("n=%d: got %+v", n, o)
		}
	}
	p.States[0].On[0].Arcs = p.States[0].On[0].Arcs[:1]
	o, _ := ran(t, p, nil)
	if o.Kind != Rejected || o.Code != GuardFailed || o.Hint != "n is 1" || len(o.WorldChanges) > 0 {
		t.Errorf("no arc: %+v", o)
	}
}

func TestEffectsAreInOrder(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{Effects: list(
		set("n", "{{ world.n + 1 }}", "x", "{{ world.n }}"), // both see n = 1
		artifact.Effect{Increment: []artifact.Field{{Name: "n", Value: lit(3)}}},
		artifact.Effect{When: when("world.n == 5"), Say: text("n is {{ world.n }}")},
		artifact.Effect{When: when("world.n != 5"), Say: text("wrong")},
		set("name", "a{{ world.n }}b{{ [1, 2] }}"),
		say("name is {{ world.name }}"),
	)}))
	o, _ := ran(t, p, nil)
	if o.Say != "n is 5\nname is a5b[1,2]" || world(o) != "n=5 name=a5b[1,2] x=1" {
		t.Errorf("say %q world %q: %+v", o.Say, world(o), o)
	}
}

func TestFailingBuildGates(t *testing.T) {
	t.Parallel()
	publish := runs("publish", "network")
	publish.When = when("world.code == 0")
	p := story(arcs(artifact.Arc{Effects: list(runs("build", "write", bind("code", "exit_code")), publish)}))
	o, asked := ran(t, p, map[string]any{"build": exited(2, ""), "publish": exited(0, "")})
	if strings.Join(asked, " ") != "build" || o.Kind != Failed {
		t.Errorf("asked %v: %+v", asked, o)
	}
	o, asked = ran(t, p, map[string]any{"build": exited(0, ""), "publish": exited(0, "")})
	if strings.Join(asked, " ") != "build publish" || o.Kind != Transitioned {
		t.Errorf("asked %v: %+v", asked, o)
	}
}

func TestPreconditions(t *testing.T) {
	t.Parallel()
	git := func(op string) artifact.Call {
		return artifact.Call{Name: "host.git", With: []artifact.Field{{Name: "op", Value: lit(op)}}}
	}
	p := story(arcs(artifact.Arc{
		Preconditions: []artifact.Precondition{
			{Call: git("in_progress"), Require: *when("not result.in_progress"), Hint: text("A {{ result.operation }} is in progress")},
			{Call: git("status"), Require: *when("result.has_remote"), Hint: text("no remote")},
			{Call: git("status"), Require: *when("len(result.staged) > 0")},
		},
		Effects: list(runs("push", "network")),
	}))
	answers := func(busy, remote bool, staged ...any) map[string]any {
		return map[string]any{
			"host.git in_progress": map[string]any{"in_progress": busy, "operation": "merge"},
			"host.git status":      map[string]any{"has_remote": remote, "staged": staged},
			"push":                 exited(0, ""),
		}
	}
	for name, tc := range map[string]struct {
		answers map[string]any
		kind    Kind
		hint    string
		asked   int
	}{
		"all hold":   {answers(false, true, "f"), Transitioned, "", 3},
		"busy":       {answers(true, true, "f"), Rejected, "A merge is in progress", 1},
		"no remote":  {answers(false, false, "f"), Rejected, "no remote", 2},
		"not staged": {answers(false, true), Rejected, "", 2},
		"no answer":  {map[string]any{"host.git in_progress": &host.Error{Call: "host.git", Msg: "no git"}}, Rejected, "", 1},
	} {
		o, asked := ran(t, p, tc.answers)
		if o.Kind != tc.kind || o.Hint != tc.hint || len(asked) != tc.asked {
			t.Errorf("%s: asked %v: %+v", name, asked, o)
		}
		if tc.kind == Rejected && (o.Code != PreconditionFailed || len(o.HostCalls) > 0 || o.Detail == "") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	p.States[0].On[0].Arcs[0].Preconditions[0].Call = *runs("rm", "write").Invoke
	if o, asked := ran(t, p, nil); o.Kind != Errored || len(asked) > 0 {
		t.Errorf("a precondition wrote: %+v", o)
	}
}

func TestOnEnterOuterToInner(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{Target: "out", Completed: true}),
		artifact.State{Path: "out", Initial: "out.mid", OnEnter: list(say("out"))},
		artifact.State{Path: "out.mid", Parent: "out", Initial: "out.mid.in", OnEnter: list(say("mid"), emit("next"))},
		artifact.State{
			Path: "out.mid.in", Parent: "out.mid", OnEnter: list(say("in")),
			On: []artifact.Handler{{Intent: "next", Arcs: arcs(artifact.Arc{Target: "out.mid.in", Completed: true, Effects: list(say("again"))})}},
		},
	)
	o, _ := ran(t, p, nil)
	if o.Say != "out\nmid\nin\nagain\nin" || o.State != "out.mid.in" || o.Kind != Transitioned {
		t.Errorf("got %+v", o)
	}
}

func TestEntered(t *testing.T) {
	t.Parallel()
	p := &artifact.Program{States: []artifact.State{
		{Path: "a"},
		{Path: "b", Initial: "b.c"},
		{Path: "b.c", Parent: "b"},
		{Path: "b.d", Parent: "b"},
	}}
	for _, tc := range []struct{ from, to, want string }{
		{"a", "b.c", "b b.c"},
		{"a", "b", "b b.c"},
		{"b.c", "b.d", "b.d"},
		{"b.c", "b.c", "b.c"},
		{"b.c", "b", "b b.c"},
		{"b.c", "a", "a"},
	} {
		var got []string
		for _, s := range entered(p, tc.from, tc.to) {
			got = append(got, s.Path)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s → %s: %v, want %s", tc.from, tc.to, got, tc.want)
		}
	}
}

func TestNearestRoomDecides(t *testing.T) {
	t.Parallel()
	p := story(nil,
		artifact.State{Path: "up", On: []artifact.Handler{
			{Intent: "go", Arcs: arcs(artifact.Arc{Effects: list(say("up"))})},
			{Intent: "next", Arcs: arcs(artifact.Arc{Effects: list(say("next"))})},
		}},
		artifact.State{Path: "up.in", Parent: "up", On: []artifact.Handler{{Intent: "go", Arcs: arcs(artifact.Arc{When: when("false")})}}},
	)
	for intent, want := range map[string]Kind{"go": Rejected, "next": Transitioned, "needs": Rejected} {
		if o := Run(context.Background(), Request{Program: p, Room: "up.in", Intent: intent}); o.Kind != want {
			t.Errorf("%s: %+v", intent, o)
		}
	}
	o := Run(context.Background(), Request{Program: p, Room: "up.in", Intent: "needs", Slots: map[string]any{"who": "a"}})
	if o.Code != IntentNotAllowed {
		t.Errorf("got %+v", o)
	}
}

func TestOnError(t *testing.T) {
	t.Parallel()
	lost := runs("pull", "network")
	lost.Invoke.OnError = "lost"
	p := story(arcs(artifact.Arc{Target: "home", Effects: list(emit("next"), lost, say("never"))}),
		artifact.State{Path: "lost", Completed: true, OnEnter: list(say("lost: {{ world.last_error }}"))})
	o, _ := ran(t, p, map[string]any{"pull": &host.Error{Call: "host.run", Msg: "no route", Result: exited(1, "said")}})
	if o.State != "lost" || o.Say != "lost: host.run: no route" || o.Kind != Transitioned {
		t.Errorf("got %+v", o)
	}
	p.States[0].On[0].Arcs[0].Effects[1].Invoke.OnError = stay
	o, _ = ran(t, p, map[string]any{"pull": &host.Error{Call: "host.run", Msg: "no route", Result: exited(1, "said")}})
	if o.State != "home" || o.Say != "" || world(o) != "last_error=host.run: no route" {
		t.Errorf("stay: %+v", o)
	}
	p.States[0].On[0].Arcs[0].Effects[1].Invoke.OnError = ""
	o, _ = ran(t, p, map[string]any{"pull": &host.Error{Call: "host.run", Msg: "no route", Result: exited(1, "said")}})
	if o.Kind != Failed || o.Code != HostError || o.HostCalls[0].Output != "said" || o.Detail != "pull: no route" {
		t.Errorf("unhandled: %+v", o)
	}
	o, _ = ran(t, p, map[string]any{"pull": &host.Error{Call: "host.run", Msg: "no such program"}})
	if o.Kind != Errored || o.Kind.ExitCode() != ExitError {
		t.Errorf("nothing had started: %+v", o)
	}
}

func TestBindAndOnce(t *testing.T) {
	t.Parallel()
	call := runs("look", "read", bind("name", "stdout_json.items[1].name"), bind("n", "stdout_json.n"), bind("list", "stdout_json.none"),
		artifact.Bind{Key: "out", Value: ptr(val("{{ trim(result.stdout) }}/{{ world.n }}"))})
	p := story(arcs(artifact.Arc{Effects: list(call)}))
	res := exited(0, " o ")
	res["stdout_json"] = map[string]any{"n": 3.0, "items": []any{1, map[string]any{"name": "bob"}}}
	o, _ := ran(t, p, map[string]any{"look": res})
	if world(o) != "n=3 name=bob out=o/1" {
		t.Errorf("world %q: %+v", world(o), o)
	}
	res["stdout_json"] = map[string]any{"n": "many"}
	o, _ = ran(t, p, map[string]any{"look": res})
	if o.Kind != Errored || o.Code != HostError || len(o.WorldChanges) > 1 {
		t.Errorf("a value that does not fit: %+v", o)
	}
	call.Invoke.Once = true
	o = Run(context.Background(), Request{Program: p, Room: "home", Intent: "go", Host: &fake{t: t}, World: map[string]any{"out": "x", "list": []any{1}}})
	if o.Kind != Transitioned || len(o.HostCalls) > 0 {
		t.Errorf("once: %+v", o)
	}
}

func ptr[T any](v T) *T { return &v }

func TestHopLimit(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{Effects: list(runs("tick", "write"), emit("go"))}))
	o, asked := ran(t, p, map[string]any{"tick": exited(0, "")})
	if o.Kind != Failed || o.Code != HopLimitReached || len(asked) != HopLimit {
		t.Errorf("%d calls: %+v", len(asked), o)
	}
	again := runs("tick", "read")
	again.Invoke.OnError = "loop"
	p = story(arcs(artifact.Arc{Target: "loop"}), artifact.State{Path: "loop", OnEnter: list(again)})
	o, _ = ran(t, p, map[string]any{"tick": &host.Error{Call: "host.run", Msg: "no"}})
	if o.Kind != Errored || o.Code != HopLimitReached {
		t.Errorf("on_error: %+v", o)
	}
}

func TestRest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		room    artifact.State
		effect  string
		want    Kind
		exit    int
		waiting bool
	}{
		"read only, waits":   {artifact.State{Path: "room"}, "read", Incomplete, ExitNotDone, true},
		"wrote, waits":       {artifact.State{Path: "room"}, "write", Transitioned, ExitDone, true},
		"read only, at home": {artifact.State{Path: "room", Completed: true}, "read", Transitioned, ExitDone, false},
		"terminal":           {artifact.State{Path: "room", Terminal: true, OnEnter: list(emit("next"))}, "read", Terminal, ExitTerminal, false},
	} {
		p := story(arcs(artifact.Arc{Target: "room", Effects: list(runs("x", tc.effect))}), tc.room)
		o, _ := ran(t, p, map[string]any{"x": exited(0, "")})
		if o.Kind != tc.want || o.Kind.ExitCode() != tc.exit || o.Elsewhere != tc.waiting {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{}))
	for name, req := range map[string]Request{
		"room":  {Room: "nowhere", Intent: "go"},
		"key":   {Room: "home", Intent: "go", World: map[string]any{"nope": 1}},
		"value": {Room: "home", Intent: "go", World: map[string]any{"mode": "quick"}},
	} {
		req.Program = p
		if o := Run(context.Background(), req); o.Kind != Errored || o.Detail == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	for name, tc := range map[string]struct {
		slots map[string]any
		code  Code
	}{
		"missing": {nil, MissingSlots},
		"value":   {map[string]any{"who": "c"}, InvalidSlotValue},
		"unknown": {map[string]any{"who": "a", "why": 1}, InvalidSlotValue},
	} {
		p.States[0].On = append(p.States[0].On, artifact.Handler{Intent: "needs", Arcs: arcs(artifact.Arc{})})
		if o := Run(context.Background(), Request{Program: p, Room: "home", Intent: "needs", Slots: tc.slots}); o.Kind != Rejected || o.Code != tc.code {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestOutOfTime(t *testing.T) {
	t.Parallel()
	for effect, want := range map[string]Kind{"write": TimedOut, "read": Errored} {
		p := story(arcs(artifact.Arc{Effects: list(runs("slow", effect), say("done"))}))
		cut := exited(-1, "")
		cut["timed_out"], cut["ok"] = true, false
		ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(time.Hour))
		f := &fake{t: t, answers: map[string]any{"slow": cut}, before: func(context.Context) { cancel() }}
		o := Run(ctx, Request{Program: p, Room: "home", Intent: "go", Host: f})
		if o.Say != "" || (effect == "write") != (o.Kind == Failed) {
			t.Errorf("cancelled, %s: %+v", effect, o)
		}
		// The call's own limit, which nobody dealt with.
		o, _ = ran(t, p, map[string]any{"slow": cut})
		if o.Kind != want || !o.HostCalls[0].TimedOut {
			t.Errorf("limit, %s: %+v", effect, o)
		}
	}
	p := story(arcs(artifact.Arc{Effects: list(runs("slow", "write"), runs("slow", "write"))}))
	synctest.Test(t, func(t *testing.T) { // time passes while the call waits, and not before
		cut := exited(-1, "")
		cut["ok"] = false
		f := &fake{t: t, answers: map[string]any{"slow": cut}, before: func(ctx context.Context) { <-ctx.Done() }}
		o := Run(context.Background(), Request{Program: p, Room: "home", Intent: "go", Host: f, MaxTimeout: time.Second})
		if o.Kind != TimedOut || o.Detail != "the time limit of 1s passed" || len(f.asked) != 1 {
			t.Errorf("the budget: %+v", o)
		}
	})
	late, stop := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer stop()
	if o := Run(late, Request{Program: p, Room: "home", Intent: "go", Host: &fake{t: t}}); o.Kind != Errored {
		t.Errorf("nothing had started: %+v", o)
	}
}

func TestSlots(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{Effects: list(say("{{ slots.who }}|{{ slots.count }}"), set("n", "{{ slots.count + 1 }}"))}))
	for want, slots := range map[string]map[string]any{
		"|2": nil, "|-7": {"count": int64(-7)}, "Add LRU|3": {"who": "Add LRU", "count": "3"},
	} {
		o := Run(context.Background(), Request{Program: p, Room: "home", Intent: "go", Slots: slots})
		if o.Say != want || o.Kind != Transitioned {
			t.Errorf("%v: %+v", slots, o)
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	p := &artifact.Program{Intents: []artifact.Intent{{Name: "a"}, {Name: "b", TimeoutMS: 120_000}, {Name: "c", TimeoutMS: 1 << 30}}}
	for intent, want := range map[string]time.Duration{"a": DefaultBudget, "b": 2 * time.Minute, "c": MaxBudget, "nope": DefaultBudget} {
		if got := Budget(p, intent); got != want {
			t.Errorf("%s: %v", intent, got)
		}
	}
	if got := budget(Request{Program: p, Intent: "b", MaxTimeout: time.Second}); got != time.Second {
		t.Errorf("the policy's limit: %v", got)
	}
}

func TestObserve(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{Target: "later", Effects: list(runs("x", "write", bind("code", "exit_code")), set("n", "{{ 7 }}"))}),
		artifact.State{Path: "later", Terminal: true})
	var got []string
	now := time.Unix(100, 0)
	Run(context.Background(), Request{
		Program: p, Room: "home", Intent: "go", Host: &fake{t: t, answers: map[string]any{"x": exited(0, "")}},
		Clock:   func() time.Time { return now },
		Observe: func(e Event) { got = append(got, string(e.Kind)+" "+e.Key+e.State) },
	})
	want := "intent.taken home|host.started home|host.finished home|world.set codehome|world.set nhome|state.entered later"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got %s", s)
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	want := map[Kind]int{Transitioned: 0, Resolved: 0, Terminal: 2, Rejected: 1, Incomplete: 1, Failed: 1, TimedOut: 1, Errored: 3, Aborted: 1, AbortFailed: 3}
	if len(Kinds()) != len(want) {
		t.Errorf("%d kinds", len(Kinds()))
	}
	for _, k := range Kinds() {
		if k.ExitCode() != want[k] {
			t.Errorf("%s exits %d", k, k.ExitCode())
		}
	}
	if Kind("odd").ExitCode() != ExitError {
		t.Error("an unknown outcome is no success")
	}
}
