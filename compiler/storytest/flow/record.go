package flow

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"

	"gopkg.in/yaml.v3"

	"kitsoki/compiler/source"
	"kitsoki/runtime/host"
	"kitsoki/schema"
)

// recording is a real call with what came of it, as an episode is written.
type recording struct {
	ID       string   `yaml:"id"`
	Match    recMatch `yaml:"match"`
	Response recData  `yaml:"response"`
}

type recMatch struct {
	Handler string         `yaml:"handler"`
	Call    string         `yaml:"call,omitempty"`
	Args    map[string]any `yaml:"args,omitempty"`
}

type recData struct {
	Data  map[string]any `yaml:"data,omitempty"`
	Error string         `yaml:"error,omitempty"`
	Infra string         `yaml:"infra_error,omitempty"`
}

// recordingOf describes a call. How long it took is left out: it is another
// each time. A program that failed is data: fail_on_error makes an error of
// it again when it is replayed. Another call that failed says so.
func recordingOf(name, id string, args, result map[string]any, err error) recording {
	r := recording{Match: recMatch{Handler: name, Call: id, Args: args}}
	var he *host.Error
	switch {
	case errors.As(err, &he) && he.Result != nil:
		result = he.Result
		if name != "host.run" {
			r.Response.Error = he.Msg
		}
	case errors.As(err, &he):
		r.Response.Error = he.Msg
	case err != nil:
		r.Response.Infra = err.Error()
	}
	if result != nil {
		r.Response.Data = maps.Clone(result)
		delete(r.Response.Data, "duration_ms")
	}
	return r
}

// Recording is what a run has to add to one cassette.
type Recording struct {
	File  string    // relative to the story's directory
	data  []byte    // nil: there is no such file yet
	known []episode // the cassette's
	calls []recording
}

// Calls is the number of calls to add.
func (rec *Recording) Calls() int { return len(rec.calls) }

// header begins a cassette that is recorded from nothing.
const header = "kind: host_cassette\nepisodes:\n"

// Append adds recorded calls to the text of a cassette, which stays as it
// is. The error says why nothing can be added: episodes has to be the last
// key, written as a list of lines.
func (rec *Recording) Append() ([]byte, error) {
	text := string(rec.data)
	if rec.data == nil {
		text = header
	}
	indent, err := dashIndent(rec.File, text)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	more, err := encoded(rec.numbered(), indent)
	if err != nil {
		return nil, err
	}
	out := []byte(text + more)
	if err := rec.verify(out); err != nil {
		return nil, err
	}
	return out, nil
}

// numbered gives each call an id that the cassette does not have.
func (rec *Recording) numbered() []recording {
	taken := map[string]bool{}
	for _, e := range rec.known {
		taken[e.id] = true
	}
	n := 0
	for i := range rec.calls {
		for {
			n++
			if id := fmt.Sprintf("recorded-%d", n); !taken[id] {
				rec.calls[i].ID = id
				break
			}
		}
	}
	return rec.calls
}

// dashIndent is the number of blanks before the dash of an episode.
func dashIndent(file, text string) (int, error) {
	root, ds := source.DocumentOf(file, []byte(text), schema.Cassette())
	if ds.HasErrors() {
		return 0, fmt.Errorf("recording into %s: it is no cassette", file)
	}
	last := root.Pairs[len(root.Pairs)-1]
	if last.Key.Val != "episodes" {
		return 0, fmt.Errorf("recording into %s: episodes is not its last key", file)
	}
	if last.Value.Kind == source.KindNull {
		return 2, nil
	}
	if len(last.Value.Items) == 0 {
		return 0, fmt.Errorf("recording into %s: write episodes: without []", file)
	}
	at := last.Value.Items[0].Pos
	line := strings.Split(text, "\n")[at.Line-1]
	lead := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if !strings.HasPrefix(line[len(lead):], "- ") {
		return 0, fmt.Errorf("recording into %s: write each episode on lines of its own, after a dash", file)
	}
	return len(lead), nil
}

// encoded writes episodes as the items of a list.
func encoded(calls []recording, indent int) (string, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(calls); err != nil {
		return "", fmt.Errorf("writing an episode: %w", err)
	}
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		if line != "\n" {
			out.WriteString(strings.Repeat(" ", indent))
		}
		out.WriteString(line)
	}
	return out.String(), nil
}

// verify holds that the new text is a cassette with all the episodes.
func (rec *Recording) verify(text []byte) error {
	root, ds := source.DocumentOf(rec.File, text, schema.Cassette())
	if ds.HasErrors() {
		return fmt.Errorf("recording into %s: the calls can't be written into it", rec.File)
	}
	if got, want := len(root.Get("episodes").Items), len(rec.known)+len(rec.calls); got != want {
		return fmt.Errorf("recording into %s: it would hold %d episodes and not %d", rec.File, got, want)
	}
	return nil
}
