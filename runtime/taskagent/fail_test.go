package taskagent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kitsoki/runtime/proc"
)

// TestFailures holds each way to fail to its own words.
func TestFailures(t *testing.T) {
	t.Parallel()
	const forever = "exec tail -f /dev/null"
	for name, tc := range map[string]struct {
		script string
		args   map[string]any
		want   string
		late   bool
	}{
		"nothing":           {"cat", nil, "did not submit", false},
		"words only":        {"echo I am done; echo '{\"verdict\":\"yes\"}'", nil, "did not submit", false},
		"garbage file":      {submits("not json"), nil, "submitted what does not fit: it is not JSON", false},
		"garbage block":     {"printf '```json\\n{nope\\n```\\n'", nil, "submitted what does not fit: it is not JSON", false},
		"two values":        {submits(`{"verdict":"yes"} {}`), nil, "submitted what does not fit: it is more than one JSON value", false},
		"wrong schema":      {submits(`{"verdict":"maybe"}`), nil, "submitted what does not fit: /verdict: ", false},
		"missing field":     {submits(`{}`), nil, "submitted what does not fit: the value: missing properties: 'verdict'", false},
		"wrong acceptance":  {submits(`{"verdict":"yes"}`), map[string]any{"acceptance": map[string]any{"schema": map[string]any{"required": []any{"more"}}}}, "missing properties: 'more'", false},
		"crash":             {"echo why >&2; kill -SEGV $$", nil, "ended by a signal: ", false},
		"exit":              {submits(`{"verdict":"yes"}`) + "; echo it broke >&2; exit 3", nil, "exit status 3: it broke", false},
		"too slow":          {submits(`{"verdict":"yes"}`) + "; " + forever, map[string]any{"timeout": "300ms"}, "timed out after 300ms", true},
		"post_cmd too slow": {submits(`{"verdict":"yes"}`), map[string]any{"timeout": "2s", "acceptance": map[string]any{"post_cmd": forever}}, "post_cmd: timed out after 2s", true},
		"post_cmd":          {submits(`{"verdict":"yes"}`), map[string]any{"acceptance": map[string]any{"post_cmd": "echo no tests >&2; exit 4"}}, "post_cmd: exit status 4\nno tests", false},
		"post_cmd missing":  {submits(`{"verdict":"yes"}`), map[string]any{"acceptance": map[string]any{"post_cmd": []any{"no-such-program"}}}, "post_cmd could not be started: ", false},
		"a directory":       {`mkdir "$KITSOKI_SUBMIT_FILE"`, nil, "it is no regular file", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.script)
			args := map[string]any{"schema": "schemas/verdict.json"}
			for k, v := range tc.args {
				args[k] = v
			}
			_, err := p.call(taskName, args)
			if err == nil || !strings.HasPrefix(err.Msg, tc.want) && !strings.Contains(err.Msg, tc.want) || err.TimedOut != tc.late {
				t.Fatalf("observed %+v", err)
			}
			if err.Result["attempts"] != 1 || err.Result["reason"] != err.Msg || err.Result["submitted"] != nil {
				t.Errorf("observed %v", err.Result)
			}
		})
	}
}

func TestCouldNotBeStarted(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "")
	p.prog.Agents[0].Command = []string{"no-such-program"}
	_, err := p.call(taskName, map[string]any{"max_retries": 3})
	if err == nil || !strings.HasPrefix(err.Msg, "sh could not be started: ") || err.Result != nil {
		t.Errorf("observed %+v", err)
	}
	p.prog.Agents[0].Command = []string{"sh", "-c", "echo x > made"}
	p.env.Started = func(proc.Process) error { return errors.New("the journal is full") }
	_, err = p.call(taskName, nil)
	if err == nil || !strings.Contains(err.Msg, "the journal is full") || err.Result != nil {
		t.Errorf("observed %+v", err)
	}
	if _, e := os.Stat(filepath.Join(p.dir, "made")); e == nil {
		t.Error("it worked all the same")
	}
}

// TestCancelled: the end of the drive ends the agent's whole group, and what
// it changed is put back all the same.
func TestCancelled(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x >> a.txt; echo ready > \"$FIFO\"; tail -f /dev/null & exec tail -f /dev/null")
	p.repository()
	before := p.tree()
	fifo := filepath.Join(t.TempDir(), "fifo")
	mkfifo(t, fifo)
	p.env.Vars = append(p.env.Vars, "FIFO="+fifo)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_, _ = os.ReadFile(fifo)
	}()
	_, err := Runner{Program: &p.prog, Temp: p.temp}.Call(ctx, decideName, map[string]any{"agent": "sh", "prompt": "x"}, p.env)
	if he := p.ended(err); he == nil || he.Msg != "cancelled" || list(he.Result["put_back"]) != "a.txt" {
		t.Errorf("observed %+v", he)
	}
	if after := p.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestNothingOutlivesAnAttempt: what an agent leaves running could change
// files behind our back.
func TestNothingOutlivesAnAttempt(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `(tail -f /dev/null; echo late > a.txt) >/dev/null 2>&1 </dev/null & echo $! > pid.txt`)
	res, err := p.call(taskName, nil)
	if err != nil {
		t.Fatal(err)
	}
	if list(res["files_changed"]) != "pid.txt" {
		t.Errorf("observed %v", res)
	}
	mustDie(t, filepath.Join(p.dir, "pid.txt"))
}

func TestRetries(t *testing.T) {
	t.Parallel()
	count := `n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; cat > "prompt-$n"; `
	for name, tc := range map[string]struct {
		script string
		accept map[string]any
		why    string
	}{
		"wrong schema, then right": {count + `test $n = 2 && v=yes || v=maybe; printf '{"verdict":"%s"}' $v > "$KITSOKI_SUBMIT_FILE"`, nil, "submitted what does not fit: /verdict"},
		"refused once":             {count + submits(`{"verdict":"yes"}`), map[string]any{"post_cmd": `test "$(cat n)" = 2 || { echo once more; exit 1; }`}, "post_cmd: exit status 1\nonce more"},
		"crashed once":             {count + `test $n = 2 || exit 7; ` + submits(`{"verdict":"yes"}`), nil, "exit status 7"},
		"no stale verdict":         {count + `test $n = 1 && { ` + submits(`{"verdict":"no"}`) + `; exit 1; }; test -e "$KITSOKI_SUBMIT_FILE" && exit 9; ` + submits(`{"verdict":"yes"}`), nil, "exit status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.script)
			res, err := p.call(taskName, map[string]any{"schema": "schemas/verdict.json", "max_retries": 4, "acceptance": tc.accept})
			if err != nil {
				t.Fatal(err)
			}
			if v := res["submitted"].(map[string]any); v["verdict"] != "yes" || res["attempts"] != 2 || !strings.HasPrefix(res["reason"].(string), tc.why) {
				t.Errorf("observed %v", res)
			}
			first, _ := os.ReadFile(filepath.Join(p.dir, "prompt-1"))
			second, _ := os.ReadFile(filepath.Join(p.dir, "prompt-2"))
			if strings.Contains(string(first), "not accepted") || !strings.HasPrefix(string(second), "An earlier attempt at this task was not accepted: "+tc.why) {
				t.Errorf("the second prompt:\n%s", second)
			}
		})
	}
	p := newPlace(t, count+"exit 5")
	if _, err := p.call(taskName, map[string]any{"max_retries": 2}); err == nil || err.Msg != "exit status 5" || err.Result["attempts"] != 3 {
		t.Errorf("observed %+v", err)
	}
}

// TestPayload: the accepting command gets what was handed in, byte for byte.
func TestPayload(t *testing.T) {
	t.Parallel()
	odd := `{ "verdict":"yes",` + "\n\t" + `"text":"a $(touch pwned) \"b\" \\ é \u0000 'q' ` + "`x`" + `" }`
	for name, tc := range map[string]struct {
		payload string
		inEnv   bool
	}{
		"odd":  {odd, true},
		"huge": {`{"verdict":"yes","text":"` + strings.Repeat("x", 200<<10) + `"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, `cat "$PAYLOAD" > "$KITSOKI_SUBMIT_FILE"`)
			path := filepath.Join(t.TempDir(), "payload")
			must(t, os.WriteFile(path, []byte(tc.payload), 0o600))
			p.env.Vars = append(p.env.Vars, "PAYLOAD="+path)
			_, err := p.call(taskName, map[string]any{"schema": "schemas/verdict.json", "acceptance": map[string]any{
				"post_cmd": `cat > stdin.txt; printf %s "${KITSOKI_PAYLOAD-unset}" > env.txt; printf %s "$KITSOKI_ACTIVE" > active.txt`,
			}})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"stdin.txt": tc.payload, "env.txt": tc.payload, "active.txt": "s-1"}
			if !tc.inEnv {
				want["env.txt"] = "unset"
			}
			for file, text := range want {
				if got, _ := os.ReadFile(filepath.Join(p.dir, file)); string(got) != text {
					t.Errorf("%s: observed %.200q", file, got)
				}
			}
			if p.started != 2 {
				t.Errorf("%d processes were told of", p.started)
			}
		})
	}
}
