package taskagent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The variables that tell an agent where its verdict goes, and the command
// that accepts what it was.
const (
	schemaVariable  = "KITSOKI_SCHEMA_FILE"
	submitVariable  = "KITSOKI_SUBMIT_FILE"
	payloadVariable = "KITSOKI_PAYLOAD"
)

// inbox is the directory of one attempt: what it must fit, and what it hands
// in. No other attempt has the same one.
type inbox struct {
	dir    string
	out    string   // where the verdict comes
	schema string   // the first schema, or one that everything fits
	config string   // the MCP servers of the attempt
	server []string // arguments for kitsoki to serve the tool submit
}

func (t *task) inbox() (inbox, error) {
	dir, err := os.MkdirTemp(t.runner.Temp, "kitsoki-task-")
	if err != nil {
		return inbox{}, err
	}
	box := inbox{dir: dir, out: filepath.Join(dir, "verdict.json"), config: filepath.Join(dir, "mcp.json")}
	if err := t.fill(&box); err != nil {
		return box, errors.Join(err, box.close())
	}
	return box, nil
}

func (t *task) fill(box *inbox) error {
	texts := [][]byte{[]byte("{}")}
	if len(t.schemas) > 0 {
		texts = nil
	}
	for _, s := range t.schemas {
		texts = append(texts, s.text)
	}
	box.server = []string{"submit", "--out", box.out}
	for i, text := range texts {
		name := filepath.Join(box.dir, fmt.Sprintf("schema-%d.json", i+1))
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
		box.server = append(box.server, "--schema", name)
	}
	box.schema = box.server[4]
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		serverName: map[string]any{"type": "stdio", "command": t.runner.Kitsoki, "args": box.server},
	}})
	if err != nil {
		return err
	}
	return os.WriteFile(box.config, config, 0o600)
}

func (b inbox) close() error { return os.RemoveAll(b.dir) }

// errNothing is the end of an attempt that handed in nothing.
var errNothing = errors.New("did not submit")

// verdict is what was handed in: the file, else the last block of the
// agent's message.
func (b inbox) verdict(message string) ([]byte, error) {
	info, err := os.Lstat(b.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fenced(message)
	case err != nil:
		return nil, fmt.Errorf("reading what was submitted: %w", err)
	case !info.Mode().IsRegular():
		return nil, errors.New("submitted what does not fit: it is no regular file")
	case info.Size() > maxPayload:
		return nil, errors.New("submitted what does not fit: " + tooLong(int(info.Size())))
	}
	raw, err := os.ReadFile(b.out)
	if err != nil {
		return nil, fmt.Errorf("reading what was submitted: %w", err)
	}
	return raw, nil
}

// block is a fenced block of JSON.
var block = regexp.MustCompile("(?ims)^[ \t]*```[ \t]*json[ \t]*\r?\n(.*?)^[ \t]*```[ \t]*\r?$")

// fenced is the last fenced block of JSON in a message.
func fenced(message string) ([]byte, error) {
	found := block.FindAllStringSubmatch(message, -1)
	if len(found) == 0 {
		return nil, errNothing
	}
	raw := strings.TrimSpace(found[len(found)-1][1])
	if len(raw) > maxPayload {
		return nil, errors.New("submitted what does not fit: " + tooLong(len(raw)))
	}
	return []byte(raw), nil
}

// around is a message without its blocks.
func around(message string) string { return strings.TrimSpace(block.ReplaceAllString(message, "")) }
