package flow

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
)

// app is a story with something of everything that flows test.
const app = `
app: {id: t}
hosts: [host.git, host.run]
root: hall
world:
  count: 0
  out: ""
  ok: true
  branch: ""
  last_error: ""
intents:
  look: {examples: ["look around"]}
  count: {examples: ["count it"], timeout: 10s}
  greet:
    synonyms: ["greet {who}"]
    slots: {who: {type: ref, required: true}, loud: {type: bool, default: false}}
  pick: {synonyms: ["pick {file}"], slots: {file: {type: path, required: true, must: exist}}}
  join: {synonyms: ["join {branch}"], slots: {branch: {type: ref, required: true, must: exist}}}
  open: {examples: ["open it"]}
  commit: {examples: ["commit it"]}
  try: {examples: ["try it"]}
  leave: {examples: ["leave now"]}
  spin: {examples: ["spin round"]}
states:
  hall:
    view:
      - prose: "The hall. {{ world.count }} counted."
      - list: ["one door"]
    on:
      look: [{target: .}]
      count:
        - target: .
          effects:
            - invoke: host.run
              id: counting
              with: {cmd: wc, args: ["-l", a.txt], effect: read, timeout: 5s}
              bind: {out: "{{ trim(result.stdout) }}", ok: ok, count: stdout_json}
            - when: not world.ok
              say: "Could not count."
            - when: world.ok
              say: "Counted {{ world.out }}."
      greet: [{target: ., effects: [{say: "Hello, {{ slots.who }}."}, {set: {out: "{{ slots.who }}"}}]}]
      pick: [{target: ., effects: [{say: "{{ slots.file }}"}]}]
      join: [{target: ., effects: [{say: "{{ slots.branch }}"}]}]
      open: [{when: "world.count > 5", target: room, guard_hint: "Count more first."}]
      commit:
        - target: .
          precondition:
            - {invoke: host.git, with: {op: status}, require: "len(result.staged) > 0", hint: "Nothing is staged."}
          effects:
            - invoke: host.run
              with: {cmd: git, args: [commit], effect: write, fail_on_error: true}
              on_error: room
            - invoke: host.git
              with: {op: status}
              bind: {branch: branch}
            - say: "Committed on {{ world.branch }}."
      try:
        - target: .
          effects:
            - invoke: host.run
              with: {cmd: probe, args: [], effect: write}
      leave: [{target: end}]
      spin: [{target: ., effects: [{emit_intent: spin}]}]
  room:
    on_enter: [{set: {out: entered}}]
    on:
      look: [{target: hall}]
  end: {terminal: true}
`

// compiled is the story as an artifact's bytes.
var compiled = sync.OnceValue(func() []byte {
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(app)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		panic(printed(ds))
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		panic(err)
	}
	return data
})

// story is the story with flow tests beside it.
func story(t *testing.T, files map[string]string) (Story, *Runner) {
	t.Helper()
	fsys := fstest.MapFS{"app.yaml": {Data: []byte(app)}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	f, err := artifact.Decode("t", compiled())
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Program()
	if err != nil {
		t.Fatal(err)
	}
	return Story{FS: fsys, Manifest: "app.yaml", Program: p}, &Runner{FS: fsys, File: f, Program: p}
}

// ran runs one flow test; the other files stand beside it.
func ran(t *testing.T, text string, beside map[string]string) Result {
	t.Helper()
	files := map[string]string{"flows/a.yaml": "test_kind: flow\n" + text}
	for name, data := range beside {
		files[name] = data
	}
	st, r := story(t, files)
	flows, ds := Load(st, Files(st.FS))
	if len(ds) > 0 || len(flows) != 1 {
		t.Fatalf("%d flows, %s\n%s", len(flows), printed(ds), text)
	}
	return r.Run(context.Background(), flows[0])
}

func printed(ds diag.List) string {
	var b strings.Builder
	_ = diag.Printer{}.Text(&b, ds)
	return b.String()
}

// told is all failures in a line each.
func told(r Result) string {
	var out []string
	for _, s := range r.Steps {
		for _, f := range s.Failures {
			out = append(out, fmt.Sprintf("%s:%d %s: %s | %s", s.Name, f.Pos.Line, f.Expect, f.Expected, f.Got))
		}
	}
	return strings.Join(out, "\n")
}

// TestExpectations has a flow that passes and one that fails for each key.
func TestExpectations(t *testing.T) {
	t.Parallel()
	const counted = "host_handlers: {host.run: {data: {stdout: \"7\\n\"}}}\n"
	const greet = "turns:\n- intent: {name: greet, slots: {who: bob}}\n  "
	const look, count = "turns:\n- intent: {name: look}\n  ", counted + "turns:\n- intent: {name: count}\n  "
	const open = "turns:\n- intent: {name: open}\n  "
	for _, tc := range []struct{ name, before, pass, fail, want string }{
		{"state", greet, "expect_state: hall", "expect_state: room", "expect_state: room | hall"},
		{"not state", greet, "expect_not_state: room", "expect_not_state: hall", "not hall | hall"},
		{"state in", greet, "expect_state_in: [room, hall]", "expect_state_in: [room, end]", "one of room, end | hall"},
		{"world", greet, "expect_world: {out: bob}", "expect_world: {out: eve, count: 0}", `world.out = "eve" | world.out = "bob"`},
		{
			"world full", greet, `expect_world_full: {out: bob, count: 0, ok: true, branch: "", last_error: ""}`,
			"expect_world_full: {out: bob, count: 0, ok: true, branch: \"\"}", `every key of the world listed | world.last_error = ""`,
		},
		{"world full value", greet, `expect_world_full: {out: bob, count: 0.0, ok: true, branch: null, last_error: ""}`, `expect_world_full: {out: bob, count: 1, ok: true, branch: "", last_error: ""}`, "world.count = 1 | world.count = 0"},
		{"unchanged", look, "expect_world_unchanged: true", "expect_world_unchanged: false", "a changed world | nothing changed"},
		{"changed", greet, "expect_world_unchanged: false", "expect_world_unchanged: true", `world.out = "" | world.out = "bob"`},
		{"slots", greet, "expect_slots: {who: bob, loud: false}", "expect_slots: {who: bob, loud: true}", "slots.loud = true | slots.loud = false"},
		{"unknown slot", greet, "expect_slots: {who: bob}", "expect_slots: {whom: bob}", `slots.whom = "bob" | no slots.whom`},
		{"error code", open, "expect_error: {code: GUARD_FAILED}", "expect_error: {code: HOST_ERROR}", "HOST_ERROR | rejected GUARD_FAILED: no way to do open is open now (Count more first.)"},
		{"no error", look, "expect_say: \"\"", "expect_error: {code: GUARD_FAILED}", "GUARD_FAILED | transitioned"},
		{"guard hint", open, "expect_error: {code: GUARD_FAILED, guard_hint: Count more}", "expect_error: {code: GUARD_FAILED, guard_hint: Count less}", `a hint with "Count less" | "Count more first."`},
		{
			"missing slots", "turns:\n- intent: {name: greet}\n  ", "expect_error: {code: MISSING_SLOTS, missing_slots: [who]}",
			"expect_error: {code: MISSING_SLOTS, missing_slots: [who, loud]}", "missing slots loud, who | missing slots who",
		},
		{
			"slot value", "turns:\n- intent: {name: greet, slots: {who: a, loud: maybe}}\n  ", "expect_error: {code: INVALID_SLOT_VALUE}",
			"expect_error: {code: MISSING_SLOTS}", "MISSING_SLOTS | rejected INVALID_SLOT_VALUE",
		},
		{
			"allowed", "initial_state: room\nturns:\n- intent: {name: greet}\n  ", "expect_error: {code: INTENT_NOT_ALLOWED_IN_STATE, allowed_contains: [look]}",
			"expect_error: {code: INTENT_NOT_ALLOWED_IN_STATE, allowed_contains: [look, leave]}", "leave allowed in room | allowed are look",
		},
		{"hop limit", "turns:\n- intent: {name: spin}\n  ", "expect_error: {code: HOP_LIMIT}", "expect_error: {code: HOST_ERROR}", "HOST_ERROR | error HOP_LIMIT"},
		{"view", look, "expect_view_matches: '0 counted\\.\\n- one door'", "expect_view_matches: 1 counted", "a view that matches 1 counted"},
		{
			"host calls", count, "expect_host_calls: [{handler: host.run, args: {cmd: wc, args: [\"-l\", a.txt]}}]",
			"expect_host_calls: [{handler: host.run, args: {cmd: ls}}]", `host.run {"cmd":"ls"} | calls from there on: host.run {"args":["-l","a.txt"]`,
		},
		{
			"host calls in order", count, "expect_host_calls: [{handler: host.run, times: 1}, {handler: host.run}]",
			"expect_host_calls: [{handler: host.run}, {handler: host.run}]", "host.run | calls from there on: none",
		},
		{"host calls counted", count, "expect_host_calls: [{handler: host.git, times: 0}]", "expect_host_calls: [{handler: host.run, times: 2}]", "host.run 2 times | 1 times; calls: host.run"},
		{"no host calls", look, "expect_no_host_calls: true", "expect_host_calls: [{handler: host.run}]", "host.run | calls from there on: none"},
		{"no such calls", count, "expect_no_host_calls: [host.git]", "expect_no_host_calls: [host.git, host.run]", "no call | host.run"},
		{"none at all", greet, "expect_no_host_calls: true", "expect_say: none", `"none" | "Hello, bob."`},
		{"no calls were", count, "expect_say: Counted 7.", "expect_no_host_calls: true", "expect_no_host_calls: no call | host.run"},
		{"terminal", "turns:\n- intent: {name: leave}\n", "expect_terminal: true", "expect_terminal: false", "a state that is not terminal | end, a terminal state"},
		{"not terminal", "turns:\n- intent: {name: look}\n", "expect_terminal: false", "expect_terminal: true", "a terminal state | hall, a state that is not terminal"},
		{"no errors", "turns:\n- intent: {name: open}\n  expect_error: {code: GUARD_FAILED}\n", "expect_terminal: false", "expect_no_errors: true", "no error | turn 1: rejected GUARD_FAILED"},
		{"errors may be", "turns:\n- intent: {name: open}\n", "expect_no_errors: false", "expect_terminal: false", "turn: no error | rejected GUARD_FAILED"},
		{"world final", "turns:\n- intent: {name: look}\n", "expect_world_final: {count: 0}", "expect_world_final: {count: 1}", "world.count = 1 | world.count = 0"},
		{"file", "turns:\n- intent: {name: look}\n", "expect_files: [{path: ../app.yaml}]", "expect_files: [{path: note.txt}]", "the file flows/note.txt | file does not exist"},
		{"file text", "turns:\n- intent: {name: look}\n", "expect_files: [{path: ../app.yaml, content_matches: 'id: t'}]", "expect_files: [{path: a.yaml, content_matches: '^id: t'}]", "flows/a.yaml matching ^id: t |"},
		{"no file", "turns:\n- intent: {name: look}\n", "expect_files: [{path: x, must_not_exist: true}]", "expect_files: [{path: a.yaml, must_not_exist: true}]", "no file flows/a.yaml | it exists"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if res := ran(t, tc.before+tc.pass+"\n", nil); !res.OK {
				t.Errorf("%s: %s", tc.pass, told(res))
			}
			res := ran(t, tc.before+tc.fail+"\n", nil)
			if res.OK || !strings.Contains(told(res), tc.want) {
				t.Errorf("%s: expected %q, observed %q", tc.fail, tc.want, told(res))
			}
		})
	}
}

// TestASessionCarriesOn: state and world go from turn to turn, on_enter runs,
// and nothing can be done after the end.
func TestASessionCarriesOn(t *testing.T) {
	t.Parallel()
	res := ran(t, `
host_handlers: {host.run: {data: {stdout: "7"}}, host.git: {by_op: {branches: {data: {local: [eve]}}}}}
initial_world: {branch: main}
turns:
- input: please greet eve
  expect_slots: {who: eve}
  expect_world: {out: eve, branch: main}
- intent: {name: count}
  expect_world: {out: "7", count: 7}
- input: open it
  expect_state: room
  expect_world: {out: entered}
- input: look around
  expect_state: hall
- input: leave now
expect_terminal: true
expect_no_errors: true
expect_world_final: {out: entered, count: 7, branch: main}
`, nil)
	if !res.OK || len(res.Steps) != 6 {
		t.Errorf("%d steps: %s", len(res.Steps), told(res))
	}
	want := "intent  count|called  host.run {\"args\":[\"-l\",\"a.txt\"],\"cmd\":\"wc\",\"effect\":\"read\",\"timeout\":\"5s\"} → exit 0|world   out = \"7\"|world   ok = true|world   count = 7|rests   hall: transitioned"
	if got := strings.Join(res.Steps[1].Trace, "|"); got != want {
		t.Errorf("trace %s", got)
	}
	res = ran(t, "turns:\n- intent: {name: leave}\n- intent: {name: look}\n", nil)
	if res.OK || !strings.Contains(told(res), "look:4 turn: a session that goes on | it has ended in end") {
		t.Errorf("after the end: %s", told(res))
	}
}

// TestInputsThatPass: a prompt that is the model's fails its turn; what a
// slot needs is answered by the test alone.
func TestInputsThatPass(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ flow, want string }{
		{"turns:\n- input: don't look around\n", "an intent | the prompt passes (no_match"},
		{"turns:\n- input: open it\n", "an intent | the prompt passes"},
		{"turns:\n- input: pick a.yaml\n", ""},
		{"turns:\n- input: pick b.yaml\n", "the prompt passes (missing_slot"},
		{"turns:\n- input: pick ../../x\n", "the prompt passes (no_match"},
		{"host_handlers: {host.git: {by_op: {branches: {data: {local: [dev, main]}}}}}\nturns:\n- input: join dev\n", ""},
		{"host_handlers: {host.git: {by_op: {branches: {data: {local: [main]}}}}}\nturns:\n- input: join dev\n", "the prompt passes (missing_slot"},
		{"turns:\n- input: join dev\n", `none for host.git {"op":"branches"}`},
	} {
		res := ran(t, tc.flow, nil)
		if res.OK != (tc.want == "") || !strings.Contains(told(res), tc.want) {
			t.Errorf("%s: expected %q, observed %q", tc.flow, tc.want, told(res))
		}
	}
}
