package flow

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kitsoki/runtime/host"
)

const cassetteText = `kind: host_cassette
# Two counts, then any.
episodes:
  - id: other
    match: {handler: host.run, args: {cmd: ls}}
    response: {data: {stdout: "0"}}
  - id: one
    match: {handler: host.run, call: counting, args: {cmd: wc}}
    response: {data: {stdout: "1"}}
  - id: two
    match: {handler: host.run}
    response: {data: {stdout: "2"}}
`

func TestEpisodesArePlayedInOrder(t *testing.T) {
	t.Parallel()
	flow := func(n ...string) string {
		text := "host_cassette: cassettes/c.yaml\nturns:\n"
		for _, s := range n {
			text += "- intent: {name: count}\n  expect_world: {out: \"" + s + "\"}\n"
		}
		return text
	}
	for _, tc := range []struct {
		name, text string
		flow, want string
		unplayed   []string
	}{
		{"in order", cassetteText, flow("1", "2"), "", []string{"other"}},
		{"one is left", cassetteText, flow("1"), "", []string{"other", "two"}},
		{"none is left", cassetteText, flow("1", "2", "2"), "none for host.run", []string{"other"}},
		{"any number", cassetteText + "    replay: any\n", flow("1", "2", "2", "2"), "", []string{"other"}},
		{"handlers come first", cassetteText, "host_handlers: {host.run: {by_call: {counting: {data: {stdout: '9'}}}}}\n" + flow("9"), "", []string{"other", "one", "two"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			res := ran(t, tc.flow, map[string]string{"flows/cassettes/c.yaml": tc.text})
			if res.OK != (tc.want == "") || !strings.Contains(told(res), tc.want) || !slices.Equal(res.Unplayed, tc.unplayed) {
				t.Errorf("expected %q %v, observed %q %v", tc.want, tc.unplayed, told(res), res.Unplayed)
			}
		})
	}
}

// shop is a host whose calls return what they were asked, and count.
type shop struct{ asked int }

func (h *shop) Call(_ context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	h.asked++
	switch {
	case name == "host.git":
		return map[string]any{"repository": true, "staged": []any{"a b.txt"}, "branch": "main"}, nil
	case args["cmd"] == "git":
		res := map[string]any{"stdout": "line 1\n  line 2: \"x\"\n\n   \nend\n", "exit_code": 3, "ok": false, "timed_out": false, "duration_ms": 17}
		return res, &host.Error{Call: name, Msg: "exit status 3", Result: res}
	case args["cmd"] == "wc":
		return map[string]any{"stdout": "5\n", "exit_code": 0, "ok": true, "timed_out": false, "stdout_json": 5, "duration_ms": 40}, nil
	}
	return nil, &host.Error{Call: name, Msg: "there is no such program"}
}

// TestRecordThenReplay: what was recorded answers the same flow without any
// real call, to the same end, and the text that was there is kept.
func TestRecordThenReplay(t *testing.T) {
	t.Parallel()
	const flow = `test_kind: flow
host_cassette: cassettes/c.yaml
turns:
- intent: {name: count}
- intent: {name: commit}
- intent: {name: try}
expect_no_errors: false
`
	for name, text := range map[string]string{
		"nothing": "", "a list": cassetteText, "no end of line": strings.TrimRight(cassetteText, "\n"),
		"a list at the margin": strings.ReplaceAll(cassetteText, "\n  ", "\n"), "no episodes": "kind: host_cassette\nepisodes:\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"flows/a.yaml": flow}
			if text != "" {
				files["flows/cassettes/c.yaml"] = text
			}
			st, r := story(t, files)
			st.Recording = true
			real := &shop{}
			r.Real = real
			first := loadAndRun(t, st, r)
			if real.asked == 0 || len(r.Recordings()) != 1 {
				t.Fatalf("%d real calls, %d recordings: %s", real.asked, len(r.Recordings()), told(first))
			}
			out, err := r.Recordings()[0].Append()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(out), text) || strings.Contains(string(out), "duration_ms") {
				t.Errorf("the cassette is now\n%s", out)
			}
			files["flows/cassettes/c.yaml"] = string(out)
			st, r = story(t, files)
			second := loadAndRun(t, st, r)
			if !first.OK || !second.OK || traces(first) != traces(second) {
				t.Errorf("recorded\n%s\nreplayed\n%s\n%s", traces(first), traces(second), told(second))
			}
		})
	}
}

func loadAndRun(t *testing.T, st Story, r *Runner) Result {
	t.Helper()
	flows, ds := Load(st, Files(st.FS))
	if ds.HasErrors() {
		t.Fatal(printed(ds))
	}
	return r.Run(context.Background(), flows[0])
}

func traces(r Result) string {
	var out []string
	for _, s := range r.Steps {
		out = append(out, s.Trace...)
	}
	return strings.Join(out, "\n")
}

func TestWhereNothingCanBeRecorded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"episodes:\nkind: host_cassette\n":    "episodes is not its last key",
		"kind: host_cassette\nepisodes: []\n": "write episodes: without []",
		"kind: host_cassette\nepisodes: [{id: a, match: {handler: host.git, args: {op: status}}, response: {error: x}, replay: any}]\n": "on lines of its own",
	} {
		st, r := story(t, map[string]string{
			"flows/a.yaml": "test_kind: flow\nhost_cassette: c.yml\nturns: [{intent: {name: count}}]\n", "flows/c.yml": text,
		})
		r.Real = &shop{}
		loadAndRun(t, st, r)
		if _, err := r.Recordings()[0].Append(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: expected %q, observed %v", text, want, err)
		}
	}
}
