package flow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/taskagent"
)

// agentsApp is a story with a task agent that is a script: it writes two
// files, of which one is its task's, and hands in a number.
const agentsApp = `
app: {id: t}
hosts: [host.agent.task, host.agent.decide]
root: hall
world: {done: 0, why: "", cost: 0.5, last_error: ""}
agents:
  writer: {command: [sh, -c, 'grep -q "^Write a file after 0." || exit 4; test -n "$FAIL" && exit 3; echo x > made.txt; echo x > other.txt; echo "Wrote it."; printf "{\"n\": 1}" > "$KITSOKI_SUBMIT_FILE"']}
  judge: {command: [sh, -c, 'echo "Because."; echo "` + "```json" + `"; echo "\"left\""; echo "` + "```" + `"']}
intents:
  write: {examples: ["write it"]}
  judge: {examples: ["judge it"]}
states:
  hall:
    on:
      write:
        - target: .
          effects:
            - invoke: host.agent.task
              agent: writer
              id: writing
              with: {prompt: write.md, args: {what: a file}, files: [made.txt], schema: {type: object, required: [n]}}
              bind: {done: submitted.n, cost: cost_usd}
              on_error: failed
            - say: "Wrote {{ world.done }}."
      judge:
        - target: .
          effects:
            - {invoke: host.agent.decide, agent: judge, with: {prompt: 'Left or right?', schema: {enum: [left, right]}}, bind: {why: rationale}}
            - say: "{{ world.why }}"
  failed: {view: "It failed."}
`

func agentsStory(t *testing.T, files map[string]string) (Story, *Runner) {
	t.Helper()
	fsys := fstest.MapFS{"app.yaml": {Data: []byte(agentsApp)}, "write.md": {Data: []byte("Write {{ args.what }} after {{ world.done }}.")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	out, ds := compiler.Compile(fsys, "app.yaml", compiler.Options{})
	if ds.HasErrors() {
		t.Fatal(printed(ds))
	}
	raw, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("t", raw)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Program()
	if err != nil {
		t.Fatal(err)
	}
	return Story{FS: fsys, Manifest: "app.yaml", Program: p}, &Runner{FS: fsys, File: f, Program: p}
}

func agentsFlow(t *testing.T, text string) Result {
	t.Helper()
	st, r := agentsStory(t, map[string]string{"flows/a.yaml": "test_kind: flow\n" + text, "flows/cassettes/c.yaml": `kind: host_cassette
episodes:
  - id: by-prompt
    match: {handler: host.agent.task, args: {agent: writer, prompt: write.md}}
    response: {data: {submitted: {n: 7}, files_changed: [made.txt]}}
  - id: by-agent
    match: {handler: host.agent.task, args: {agent: writer}}
    response: {error: did not submit, data: {attempts: 3}}
`})
	return loadAndRun(t, st, r)
}

// TestTaskAgentsAreAnswered: no agent runs in a flow.
func TestTaskAgentsAreAnswered(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"handler": `host_handlers: {host.agent.task: {data: {submitted: {n: 2}, cost_usd: 0.25}}, host.agent.decide: {data: {submitted: left, rationale: So.}}}
turns:
- intent: {name: write}
  expect_world: {done: 2, cost: 0.25}
  expect_host_calls: [{handler: host.agent.task, args: {agent: writer, prompt: write.md, files: [made.txt]}, times: 1}]
- intent: {name: judge}
  expect_say: So.
`,
		"by call":   "host_handlers: {host.agent.task: {by_call: {writing: {data: {submitted: {n: 3}}}}}}\nturns:\n- intent: {name: write}\n  expect_say: Wrote 3.\n",
		"error":     "host_handlers: {host.agent.task: {error: did not submit, data: {attempts: 2}}}\nturns:\n- intent: {name: write}\n  expect_state: failed\n  expect_world: {last_error: 'host.agent.task: did not submit'}\n",
		"too late":  "host_handlers: {host.agent.task: {data: {}, delay: 1h}}\nturns:\n- intent: {name: write}\n  expect_error: {code: HOST_ERROR}\n",
		"cassette":  "host_cassette: cassettes/c.yaml\nturns:\n- intent: {name: write}\n  expect_say: Wrote 7.\n- intent: {name: write}\n  expect_state: failed\n",
		"undefined": "turns:\n- intent: {name: write}\nexpect_no_errors: false\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := agentsFlow(t, text)
			if name == "undefined" {
				if res.OK || !strings.Contains(told(res), "none for host.agent.task") {
					t.Errorf("observed %s", told(res))
				}
				return
			}
			if !res.OK {
				t.Errorf("%s\n%s", told(res), traces(res))
			}
		})
	}
}

// TestTaskAgentsAreRecorded: an agent really runs while recording, and what
// came of it, good or bad, is replayed without it.
func TestTaskAgentsAreRecorded(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]string{"done": "", "failed": "1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"flows/a.yaml": "test_kind: flow\nhost_cassette: cassettes/c.yaml\nturns:\n- intent: {name: judge}\n- intent: {name: write}\nexpect_no_errors: false\n"}
			st, r := agentsStory(t, files)
			st.Recording = true
			r.Dir, r.Env = t.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "FAIL=" + fail}
			r.Real = host.Local{Tasks: taskagent.Runner{Program: r.Program, Temp: t.TempDir()}}
			first := loadAndRun(t, st, r)
			out, err := r.Recordings()[0].Append()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(r.Dir, "made.txt")); (err == nil) == (fail != "") {
				t.Errorf("made.txt: %v", err)
			}
			if fail == "" && !strings.Contains(string(out), "- other.txt\n") {
				t.Errorf("recorded\n%s", out)
			}
			files["flows/cassettes/c.yaml"] = string(out)
			st, r = agentsStory(t, files)
			second := loadAndRun(t, st, r)
			if !first.OK || !second.OK || traces(first) != traces(second) {
				t.Errorf("recorded\n%s\nreplayed\n%s\n%s\n%s", traces(first), traces(second), told(second), out)
			}
		})
	}
}
