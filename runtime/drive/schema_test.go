//go:build unix

package drive

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/proc"
)

// TestRecordsFitTheSchema: every record of a drive, done and given up, is what
// the published schema says.
func TestRecordsFitTheSchema(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.Compile(filepath.Join("..", "..", "schema", "trace.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, done := range []bool{true, false} {
		s := site(t)
		Run(context.Background(), command(s, story(done, []artifact.Effect{run("touch a")}, []artifact.Effect{run("rm -f a")})))
		data, err := os.ReadFile(logPath(s.State, "01TEST"))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			var v any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("record %d: %v\n%s", i+1, err, line)
			}
		}
	}
	var bad any = map[string]any{"kind": "host.dreamt", "seq": 1.0, "time": "t", "session": "s"}
	if schema.Validate(bad) == nil {
		t.Error("the schema takes a kind that there is not")
	}
}

func TestKindsAreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "schema", "trace.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs struct {
			Step struct {
				Properties struct{ Kind struct{ Enum []Kind } }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	if got := schema.Defs.Step.Properties.Kind.Enum; !slices.Equal(got, Kinds()) {
		t.Errorf("the schema has %v, expected %v", got, Kinds())
	}
}

func TestListAndPrune(t *testing.T) {
	t.Parallel()
	s := site(t)
	p := story(true, []artifact.Effect{run("touch a")}, nil)
	Run(context.Background(), command(s, p))
	repo := died(t, s, proc.Process{PID: 1 << 30}, p)
	if err := os.WriteFile(logPath(s.State, "01BAD"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := List(s.State, &repo)
	if err != nil || len(list) != 2 || list[0].ID != "01DEAD" || list[0].Outcome != "" || list[0].Alive || list[1].Outcome != "resolved" {
		t.Fatalf("observed %+v %v", list, err)
	}
	all, err := List(s.State, nil)
	if err != nil || len(all) != 3 || !strings.HasSuffix(all[0].Damaged, "01BAD.jsonl:1") {
		t.Errorf("all: %+v %v", all, err)
	}
	if err := os.WriteFile(logPath(s.State, "01DEAD"), cutShort(t, logPath(s.State, "01DEAD")), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err = List(s.State, &repo); err != nil || !strings.HasSuffix(list[0].Damaged, "01DEAD.jsonl:2") || list[0].Intent != "go" {
		t.Errorf("torn: %+v %v", list, err)
	}
	for beginning, want := range map[string]string{"01t": "01TEST", "01DEAD": "01DEAD", "01": "", "02": "", "": ""} {
		if got, err := Find(s.State, beginning); got != want || (err == nil) != (want != "") {
			t.Errorf("Find(%q) gives %q %v, expected %q", beginning, got, err, want)
		}
	}
	later := s.Now().Add(1)
	if gone, err := Prune(s.State, later, true); err != nil || len(gone) != 2 || !exists(logPath(s.State, "01TEST")) {
		t.Errorf("dry run: %+v %v", gone, err)
	}
	if gone, err := Prune(s.State, later.AddDate(-1, 0, 0), false); err != nil || len(gone) != 0 {
		t.Errorf("nothing is so old: %+v %v", gone, err)
	}
	if gone, err := Prune(s.State, later, false); err != nil || len(gone) != 2 || exists(logPath(s.State, "01TEST")) || exists(logPath(s.State, "01BAD")) || !exists(logPath(s.State, "01DEAD")) {
		t.Errorf("observed %+v %v", gone, err)
	}
	if open, err := OpenAnywhere(s.State); err != nil || len(open) != 1 || open[0].ID != "01DEAD" {
		t.Errorf("open: %+v %v", open, err)
	}
}

// cutShort is a file with the beginning of one more line.
func cutShort(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return append(data, `{"seq":2,"ti`...)
}

// TestTail: what is still being written is not shown, and nothing twice.
func TestTail(t *testing.T) {
	t.Parallel()
	s := site(t)
	died(t, s, proc.Process{PID: 1 << 30}, story(true, nil, nil), Event{Kind: StateEntered, State: "work"})
	path := logPath(s.State, "01DEAD")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	tail := Follow(s.State, "01DEAD")
	for i, want := range []int{1, 0, 1, 0} {
		if i == 2 {
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if events, err := tail.Next(); err != nil || len(events) != want {
			t.Errorf("look %d: %d records %v, expected %d", i+1, len(events), err, want)
		}
	}
}
