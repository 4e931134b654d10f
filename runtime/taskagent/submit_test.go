package taskagent

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect is a client of the tool with these schemas, and the file it writes.
func connect(t *testing.T, schemas ...string) (*mcp.ClientSession, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.json")
	desk, err := NewDesk(schemas, out, "test")
	must(t, err)
	here, there := mcp.NewInMemoryTransports()
	server, err := desk.server().Connect(t.Context(), here, nil)
	must(t, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), there, nil)
	must(t, err)
	t.Cleanup(func() { client.Close(); _ = server.Wait() })
	return client, out
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		schemas []string
		values  []any
		answers []string // how each begins
		file    string   // what is written, "" for nothing
	}{
		"no schema":    {nil, []any{map[string]any{"a": 1}}, []string{"false Accepted"}, `{"a":1}`},
		"fits":         {[]string{verdictSchema}, []any{map[string]any{"verdict": "no"}}, []string{"false Accepted"}, `{"verdict":"no"}`},
		"last counts":  {[]string{verdictSchema}, []any{map[string]any{"verdict": "no"}, map[string]any{"verdict": "yes"}, map[string]any{}}, []string{"false", "false", "true Not accepted: the value: missing"}, `{"verdict":"yes"}`},
		"nothing":      {[]string{verdictSchema}, []any{nil}, []string{"true Not accepted: the value: missing properties"}, ""},
		"two schemas":  {[]string{verdictSchema, `{"type":"object","required":["more"]}`}, []any{map[string]any{"verdict": "no"}}, []string{"true Not accepted: the value: missing properties: 'more'"}, ""},
		"no object":    {[]string{`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer"}}}`}, []any{map[string]any{}, map[string]any{"value": []any{"x"}}, map[string]any{"value": []any{1, 2}}}, []string{"true Not accepted: the argument value is missing", "true Not accepted: /0: expected integer", "false Accepted"}, `[1,2]`},
		"a draft":      {[]string{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"n":{"type":"integer"}},"properties":{"n":{"$ref":"#/definitions/n"}}}`}, []any{map[string]any{"n": "x"}, map[string]any{"n": 1}}, []string{"true Not accepted: /n: expected integer", "false Accepted"}, `{"n":1}`},
		"a choice":     {[]string{`{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`}, []any{map[string]any{"c": 1}, map[string]any{"b": 1}}, []string{"true Not accepted: the value: ", "false Accepted"}, `{"b":1}`},
		"many misfits": {[]string{`{"type":"object","additionalProperties":{"type":"string"}}`}, []any{map[string]any{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}}, []string{"true Not accepted: "}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, out := connect(t, tc.schemas...)
			got := submitAll(t.Context(), client, tc.values...)
			for i, want := range tc.answers {
				if i >= len(got) || !strings.HasPrefix(got[i], want) {
					t.Fatalf("answers %q", got)
				}
			}
			if data, _ := os.ReadFile(out); string(data) != tc.file {
				t.Errorf("the file holds %q", data)
			}
		})
	}
}

// TestSubmitIsOffered: the tool's own schema is one that models' servers
// take.
func TestSubmitIsOffered(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"object":   verdictSchema,
		"choice":   `{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`,
		"list":     `{"type":"array"}`,
		"anything": `true`,
	} {
		client, _ := connect(t, text)
		tools, err := client.ListTools(t.Context(), nil)
		must(t, err)
		if len(tools.Tools) != 1 || tools.Tools[0].Name != toolName {
			t.Fatalf("%s: observed %+v", name, tools)
		}
		m := tools.Tools[0].InputSchema.(map[string]any)
		if m["type"] != "object" || m["oneOf"] != nil {
			t.Errorf("%s: observed %v", name, m)
		}
	}
}

// TestServe: line by line, until the client goes.
func TestServe(t *testing.T) {
	t.Parallel()
	desk, err := NewDesk([]string{verdictSchema}, filepath.Join(t.TempDir(), "out"), "test")
	must(t, err)
	in, ask := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- desk.Serve(context.Background(), in, out) }()
	_, err = io.WriteString(ask, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
	must(t, err)
	line, err := bufio.NewReader(read).ReadBytes('\n')
	must(t, err)
	var answer struct {
		Result struct{ ServerInfo struct{ Name string } }
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.Result.ServerInfo.Name != serverName {
		t.Errorf("observed %q, %v", line, err)
	}
	ask.Close()
	must(t, <-ended)
	if _, err := NewDesk([]string{`{"type":3}`}, "x", "test"); err == nil {
		t.Error("a bad schema is taken")
	}
}
