package taskagent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kitsoki/runtime/journal"
)

// The names that an agent sees: the MCP server, its tool, and the argument
// that holds a result which is no object.
const (
	serverName = "kitsoki"
	toolName   = "submit"
	valueName  = "value"
)

// maxPayload is the most that a verdict may hold, in bytes.
const maxPayload = 8 << 20

// Desk is where an agent hands in its verdict: an MCP server with the one
// tool submit. What fits is written to a file, whole or not at all; the last
// one counts. What does not fit is answered with what to correct.
type Desk struct {
	out     string
	version string
	schemas []*schema
}

// NewDesk reads the texts of the schemas that a verdict must fit. Out is the
// file for the verdict.
func NewDesk(schemas []string, out, version string) (Desk, error) {
	d := Desk{out: out, version: version}
	for _, text := range schemas {
		s, err := newSchema(text)
		if err != nil {
			return d, err
		}
		d.schemas = append(d.schemas, s)
	}
	return d, nil
}

// Serve serves one client, line by line, until it goes or the context ends.
func (d Desk) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := d.server().Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: 2 * maxPayload})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("serving the tool %s: %w", toolName, err)
	}
	return nil
}

type unclosed struct{ io.Writer }

// Close leaves the stream open: it is not ours.
func (unclosed) Close() error { return nil }

func (d Desk) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: serverName, Version: d.version}, nil)
	no := false
	s.AddTool(&mcp.Tool{
		Name: toolName, InputSchema: d.input(),
		Description: "Hands in the result of the task. Says what to correct when it does not fit.",
		// Nothing of the agent's surroundings changes.
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}, d.submit)
	return s
}

// submit is the tool.
func (d Desk) submit(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	raw, why := d.verdict(req.Params.Arguments)
	if why == "" && len(raw) > maxPayload {
		why = tooLong(len(raw))
	}
	if why == "" {
		why = judge(d.schemas, raw)
	}
	if why != "" {
		return said("Not accepted: "+why+"\nCorrect it and call submit again.", true), nil
	}
	if err := journal.Replace(d.out, raw); err != nil {
		return said("The result could not be kept: "+err.Error(), true), nil
	}
	return said("Accepted. Nothing else is needed; end your work now.", false), nil
}

func said(text string, bad bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: bad}
}

// verdict takes the result out of the tool's arguments.
func (d Desk) verdict(args json.RawMessage) (raw []byte, why string) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	if !d.wraps() {
		return args, ""
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(args, &m); err != nil || m[valueName] == nil {
		return nil, "the argument " + valueName + " is missing; it holds the result"
	}
	return m[valueName], ""
}

// wraps tells that the result is an argument of the tool, and not all of
// them: only an object can be that.
func (d Desk) wraps() bool {
	for _, s := range d.schemas {
		if !isObject(s.text) {
			return true
		}
	}
	return false
}

func isObject(text []byte) bool {
	var m map[string]any
	if json.Unmarshal(text, &m) != nil {
		return false
	}
	_, fields := m["properties"]
	return m["type"] == "object" || m["type"] == nil && fields || len(m) == 0
}

// input is the schema of the tool's arguments. Models' servers refuse
// combinations at its top, so that these are left out: the verdict is held
// against the whole schema anyway.
func (d Desk) input() any {
	top := map[string]any{"type": "object"}
	if len(d.schemas) == 0 {
		return top
	}
	var m map[string]any
	if json.Unmarshal(d.schemas[0].text, &m) != nil {
		m = map[string]any{}
	}
	if d.wraps() {
		return wrapped(m)
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf", "not", "if", "then", "else", "enum", "const"} {
		delete(m, key)
	}
	delete(m, "$schema")
	m["type"] = "object"
	return m
}

// wrapped puts a schema around another one. References lead from the top, so
// that what they name has to stand there.
func wrapped(inner map[string]any) any {
	top := map[string]any{"type": "object", "required": []any{valueName}, "properties": map[string]any{valueName: inner}}
	for _, key := range []string{"$defs", "definitions"} {
		if defs, ok := inner[key]; ok {
			top[key] = defs
			delete(inner, key)
		}
	}
	delete(inner, "$schema")
	delete(inner, "$id")
	return top
}

func tooLong(n int) string { return fmt.Sprintf("it has %d bytes; the most is %d", n, maxPayload) }
