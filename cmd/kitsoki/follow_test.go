//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"kitsoki/runtime/drive"
)

// TestFollowOne: following one drive begins with its first record and ends by
// itself, when the drive is closed. Every record fits the published schema,
// those of the task agent and of git among them.
func TestFollowOne(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, inPlace), 1)
	h := l.holdAt("record 3")
	c, _ := l.prompt(l.rebase, h.env...)
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		t.Fatal("the drive did not come so far")
	}
	follow := l.command(nil, "kitsoki", "trace", "--follow", l.records().Events[0].Session[:20], "--format", "json")
	out, err := follow.StdoutPipe()
	l.check(err)
	l.check(follow.Start())
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n') // it follows already, and the drive stands still
	l.check(err)
	h.letGo()
	texts := []string{first}
	for line, err := lines.ReadString('\n'); err == nil; line, err = lines.ReadString('\n') {
		texts = append(texts, line)
	}
	l.check(follow.Wait())
	l.check(<-ended)
	seen := map[drive.Kind]bool{}
	for i, text := range texts {
		var e drive.Event
		l.check(json.Unmarshal([]byte(text), &e))
		seen[e.Kind] = true
		if e.Seq != i+1 || (e.Closing != nil) != (i == len(texts)-1) {
			t.Errorf("line %d: %s", i+1, text)
		}
	}
	if n := len(l.records().Events); n != len(texts) {
		t.Errorf("%d of %d records were told", len(texts), n)
	}
	for _, k := range drive.Kinds() {
		if given := k == drive.AbortStarted || k == drive.Aborted; seen[k] == given {
			t.Errorf("%s seen: %v", k, seen[k])
		}
	}
	l.fitSchema()
}

// TestFollowACutOffDrive: it tells what there is, how to give it up, and ends;
// what steers a terminal is spelled out.
func TestFollowACutOffDrive(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, inPlace), 1)
	l.cutOff(5)
	id := l.records().Events[0].Session
	elsewhere := t.TempDir()
	kitsoki := func(args ...string) (string, string, int) {
		c := l.command(nil, "kitsoki", args...)
		c.Dir = elsewhere // where starting it gives nothing up
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		_ = c.Run() // its status is looked at
		return out.String(), errs.String(), c.ProcessState.ExitCode()
	}
	out, errs, code := kitsoki("trace", "--follow", id)
	if code != exitFindings || strings.Count(out, "\n") != 5 || !strings.Contains(errs, "it was cut off; to give it up: kitsoki recover in "+l.dir) {
		t.Errorf("status %d: %s%s", code, out, errs)
	}
	if out, errs, code := kitsoki("purge", "--yes"); code != exitFindings || !strings.Contains(errs, "kitsoki recover --all") {
		t.Errorf("purge: status %d: %s%s", code, out, errs)
	}
	if out, _, _ := kitsoki("recover", "--all"); !strings.Contains(out, "is as it was before") || l.whole() {
		t.Errorf("recovered: %s", out)
	}
	if out := l.kitsoki("recover"); out != "Nothing is open here.\n" {
		t.Errorf("told twice: %s", out)
	}
	if out, errs, code := kitsoki("trace", "--follow", id); code != exitOK || !strings.Contains(out, "intercept.aborted") {
		t.Errorf("afterwards: status %d: %s%s", code, out, errs)
	}
	if out, errs, code := kitsoki("purge", "--yes"); code != exitOK {
		t.Errorf("purge afterwards: status %d: %s%s", code, out, errs)
	}
}

// TestRecoveredRecordsFitTheSchema: also of a drive that a later process closed.
func TestRecoveredRecordsFitTheSchema(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, inPlace), 1)
	l.cutOff(5)
	l.kitsoki("recover")
	if c := l.records().Closing(); c == nil || c.By != drive.ByRecovery {
		t.Fatalf("closed as %+v", c)
	}
	l.fitSchema()
}

// TestListsFitTheirSchemas: what drives list and recover print as JSON, of
// drives of each kind.
func TestListsFitTheirSchemas(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, inPlace), 1)
	fits := func(name string, args ...string) string {
		t.Helper()
		schema, err := jsonschema.CompileString(name+".json", l.kitsoki("schema", name))
		l.check(err)
		c := l.command(nil, "kitsoki", append(args, "--format", "json")...)
		c.Dir = l.home // no verb gives anything up unasked
		if name == "recover" {
			c.Dir = l.dir
		}
		out, err := c.Output()
		l.check(err)
		var v any
		l.check(json.Unmarshal(out, &v))
		if err := schema.Validate(v); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	has := func(out, want string) {
		t.Helper()
		if !strings.Contains(out, want) {
			t.Errorf("expected %s in %s", want, out)
		}
	}
	fits("drives", "drives", "list", "--all")
	has(fits("recover", "recover"), `"recovered": []`)
	l.cutOff(5)
	has(fits("drives", "drives", "list", "--all"), `"open": true`)
	has(fits("recover", "recover", "--dry-run"), `"would_abort"`)
	has(fits("recover", "recover"), `"aborted"`)
	has(fits("drives", "drives", "list", "--all"), `"aborted"`)
	for _, name := range []string{"reached", "release"} { // to be made anew
		l.check(os.Remove(filepath.Join(l.home, name)))
	}
	l.cutOff(5)
	l.git("rebase", "--abort")
	l.git("commit", "-q", "--allow-empty", "-m", "mine")
	has(fits("recover", "recover"), `"left_alone"`)
	l.check(os.Mkdir(filepath.Join(l.state(), "drives", "0.jsonl"), 0o700))
	l.file(filepath.Join(l.state(), "drives", "1.jsonl"), "hello\n")
	has(fits("drives", "drives", "list", "--all"), `"damaged": `)
}

// fitSchema holds every record on the disk against the published schema.
func (l *lab) fitSchema() {
	l.t.Helper()
	schema, err := jsonschema.CompileString("trace.json", l.kitsoki("schema", "trace"))
	l.check(err)
	files, _ := filepath.Glob(filepath.Join(l.state(), "drives", "*.jsonl"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		l.check(err)
		for text := range strings.Lines(string(data)) {
			var v any
			l.check(json.Unmarshal([]byte(text), &v))
			if err := schema.Validate(v); err != nil {
				l.t.Errorf("%v\n%.300s", err, text)
			}
		}
	}
	if len(files) == 0 {
		l.t.Error("there are no records")
	}
}
