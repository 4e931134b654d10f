package hook

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/match"
)

// call is what an agent starts the hook with.
type call struct {
	Env     agent.Env
	Payload json.RawMessage
}

// calls lists the calls of testdata/payload in runtime/agent, with dir as
// their directory.
func calls(t *testing.T, dir string) map[string]call {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "agent", "testdata", "payload", "*.json"))
	if err != nil || len(files) <= len(agent.Rows()) {
		t.Fatalf("calls %v, %v", files, err)
	}
	out := map[string]call{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		quoted, _ := json.Marshal(dir)
		var c call
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(data), `"/work"`, string(quoted))), &c); err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".json")] = c
	}
	return out
}

// installed is a bench whose hook is installed for a row, called as c says.
func installed(t *testing.T, row agent.Row, of string) *bench {
	t.Helper()
	b := newBench(t)
	c := calls(t, b.dir)[of]
	b.c.Agent, b.c.Env, b.c.Dir, b.payload = row, c.Env, b.dir, nil
	if err := json.Unmarshal(c.Payload, &b.payload); err != nil {
		t.Fatal(err)
	}
	return b
}

func noMatch(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }

// TestEveryAgent: a command is stopped with that agent's answer and nothing
// else, and whatever is not one gets silence.
func TestEveryAgent(t *testing.T) {
	t.Parallel()
	for _, row := range agent.Rows() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			b := installed(t, row, row.Name)
			if got, want := b.send(), string(row.Block("report 01")); got != want || b.runs != 1 {
				t.Errorf("a command: %s after %d runs, want %s", got, b.runs, want)
			}
			b = installed(t, row, row.Name)
			b.b.Decide = noMatch
			if got := b.send(); got != "" || b.runs != 0 || b.lastReason() != "no_match" {
				t.Errorf("another prompt: %s after %d runs, trace %s", got, b.runs, b.lastReason())
			}
			b = installed(t, row, row.Name)
			b.c.Env = append(b.c.Env, "KITSOKI_ACTIVE=s")
			if got := b.send(); got != "" || b.runs != 0 || b.lastReason() != "not_a_person" {
				t.Errorf("kitsoki's own child: %s after %d runs, trace %s", got, b.runs, b.lastReason())
			}
		})
	}
}

// TestEveryAgentPair: the hook installed for one agent and called by another
// runs nothing and says nothing.
func TestEveryAgentPair(t *testing.T) {
	t.Parallel()
	for _, row := range agent.Rows() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			for caller := range calls(t, t.TempDir()) {
				if caller == row.Name {
					continue
				}
				b := installed(t, row, caller)
				if got := b.send(); got != "" || b.runs != 0 {
					t.Errorf("called by %s: %q after %d runs", caller, got, b.runs)
				}
			}
		})
	}
}

// TestEveryAgentMachineText puts machine text where the agent has the prompt.
func TestEveryAgentMachineText(t *testing.T) {
	t.Parallel()
	for _, row := range agent.Rows() {
		b := installed(t, row, row.Name)
		raw, err := json.Marshal(b.payload)
		if err != nil {
			t.Fatal(err)
		}
		machine := strings.Replace(string(raw), `push \u003cit\u003e \u0026 go`, "<system-reminder>push", 1)
		if machine == string(raw) {
			t.Fatalf("%s: the prompt is not found in %s", row.Name, raw)
		}
		if got := b.sendRaw([]byte(machine)); got != "" || b.runs != 0 || b.lastReason() != "not_a_person" {
			t.Errorf("%s: %q after %d runs, trace %s", row.Name, got, b.runs, b.lastReason())
		}
	}
}

// TestEveryAgentOnce: the same call twice is answered alike and runs once,
// by the prompt's id or, where the agent gives none, as a slip of the key.
func TestEveryAgentOnce(t *testing.T) {
	t.Parallel()
	for _, row := range agent.Rows() {
		b := installed(t, row, row.Name)
		first, second := b.send(), b.send()
		e, err := row.Decode(mustJSON(t, b.payload))
		if err != nil {
			t.Fatal(err)
		}
		want := first
		if e.PromptID == "" {
			want = string(row.Block(duplicateReport))
		}
		if second != want || b.runs != 1 {
			t.Errorf("%s: %s, then %s, after %d runs", row.Name, first, second, b.runs)
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestEveryAgentHearsFacts: an agent that takes a text along is told of a
// failed command, another one is stopped with the report.
func TestEveryAgentHearsFacts(t *testing.T) {
	t.Parallel()
	for _, row := range agent.Rows() {
		b := installed(t, row, row.Name)
		b.x.Outcome = Failed
		want := string(row.Block("report 01"))
		if row.Can.Context {
			want = string(row.Context("git push: ok"))
		}
		if got := b.send(); got != want {
			t.Errorf("%s: got %s, want %s", row.Name, got, want)
		}
	}
}

// TestDriveFits: an agent may hold a drive only when it can be told to wait
// for the longest budget.
func TestDriveFits(t *testing.T) {
	t.Parallel()
	for _, row := range agent.Rows() {
		longest := row.Timeout.Longest
		fits := row.Timeout.Unit > 0 && (longest == 0 || longest > MaxBudget+Slack)
		if row.Can.Drive != fits || longest != 0 && longest <= 2*farewell {
			t.Errorf("%s: drive %v with time-out %+v", row.Name, row.Can.Drive, row.Timeout)
		}
	}
}

// TestOwnDirectory: without a directory in the payload, the hook's own counts,
// and for no other agent.
func TestOwnDirectory(t *testing.T) {
	t.Parallel()
	windsurf, _ := agent.Lookup("windsurf")
	b := installed(t, windsurf, "windsurf")
	b.c.Dir = ""
	if got := b.send(); got != "" || b.binds != 0 {
		t.Errorf("nowhere: %s after %d bindings", got, b.binds)
	}
	claude, _ := agent.Lookup("claude")
	b = installed(t, claude, "claude")
	delete(b.payload, "cwd")
	if got := b.send(); got != "" || b.binds != 0 {
		t.Errorf("without cwd: %s after %d bindings", got, b.binds)
	}
}

// TestPatience: a command ends by itself before the agent stops waiting.
func TestPatience(t *testing.T) {
	t.Parallel()
	kimi, _ := agent.Lookup("kimi")
	kimi.Timeout.Longest = farewell + time.Millisecond
	b := installed(t, kimi, "kimi")
	b.b.Run = func(ctx context.Context, _ Verdict) Execution {
		<-ctx.Done()
		b.x.Outcome = Aborted
		return b.x
	}
	if got, want := b.send(), string(kimi.Block("report 01")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	claude, _ := agent.Lookup("claude")
	b = installed(t, claude, "claude")
	b.b.Run = func(ctx context.Context, _ Verdict) Execution {
		if at, ok := ctx.Deadline(); ok {
			t.Errorf("Claude Code's command ends at %v", at)
		}
		return b.x
	}
	b.send()
}

// TestContinuationsPass: what continues a turn has its prompt's id, and is
// nothing that a person typed.
func TestContinuationsPass(t *testing.T) {
	t.Parallel()
	qwen, _ := agent.Lookup("qwen")
	b := installed(t, qwen, "qwen")
	command := b.b.Decide
	b.b.Decide = noMatch
	b.send()
	b.b.Decide = command
	if got := b.send(); got != "" || b.runs != 0 {
		t.Errorf("a continuation: %s after %d runs", got, b.runs)
	}
	b.payload["prompt_id"] = "p2"
	if got, want := b.send(), string(qwen.Block("report 01")); got != want || b.runs != 1 {
		t.Errorf("the next prompt: %s after %d runs", got, b.runs)
	}
	b.b.Decide = noMatch
	b.payload["prompt_id"] = "p3"
	if got, want := b.send(), string(qwen.Context(toldFirst+"git push: ok")); got != want {
		t.Errorf("the model hears %s, want %s", got, want)
	}
	if got := b.send(); got != "" {
		t.Errorf("told again: %s", got)
	}
}
