package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// mockAnswer is what the model says.
const mockAnswer = "Answered by the mock."

// request is one call of a model.
type request struct{ path, body string }

// mock is a model server on loopback that keeps every request. It knows the
// streams of Anthropic's messages and of OpenAI's responses.
type mock struct {
	server *http.Server
	addr   string

	mu   sync.Mutex
	seen []request
	news chan struct{}
}

func startMock() (*mock, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the model server: %w", err)
	}
	m := &mock{addr: l.Addr().String(), news: make(chan struct{}, 1)}
	m.server = &http.Server{Handler: http.HandlerFunc(m.serve), ReadHeaderTimeout: time.Minute}
	go func() { _ = m.server.Serve(l) }()
	return m, nil
}

func (m *mock) url() string { return "http://" + m.addr }

func (m *mock) close() { _ = m.server.Close() }

func (m *mock) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch {
	case r.Method != http.MethodPost:
		http.NotFound(w, r)
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, map[string]int{"input_tokens": 10})
	case strings.HasSuffix(r.URL.Path, "/messages"):
		m.keep(r.URL.Path, body)
		anthropic(w, body)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		m.keep(r.URL.Path, body)
		openai(w)
	default:
		http.NotFound(w, r)
	}
}

func (m *mock) keep(path string, body []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, request{path, string(body)})
	select {
	case m.news <- struct{}{}:
	default:
	}
}

// count is how often a model was asked.
func (m *mock) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.seen)
}

// find is the first request from a number on that has a text in its body, as
// JSON writes it.
func (m *mock) find(from int, text string) (request, bool) {
	text = quoted(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.seen[min(from, len(m.seen)):] {
		if strings.Contains(r.body, text) {
			return r, true
		}
	}
	return request{}, false
}

// quoted is a text as programs write it within a JSON text.
func quoted(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text)
	return strings.Trim(b.String(), "\"\n")
}

// await waits for a request with a text.
func (m *mock) await(from int, text string, limit time.Duration) (request, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		if r, ok := m.find(from, text); ok {
			return r, nil
		}
		select {
		case <-m.news:
		case <-timer.C:
			return request{}, fmt.Errorf("no request with %q within %v; %d requests since", text, limit, m.count()-from)
		}
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// event is one event of a stream.
type event struct {
	name string
	data map[string]any
}

func stream(w http.ResponseWriter, events []event) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		e.data["type"] = e.name
		data, err := json.Marshal(e.data)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, data)
	}
}

// anthropic answers in Anthropic's shape: a stream when it is asked for.
func anthropic(w http.ResponseWriter, body []byte) {
	var asked struct {
		Stream bool
		Model  string
	}
	_ = json.Unmarshal(body, &asked)
	usage := map[string]any{"input_tokens": 10, "output_tokens": 5}
	message := map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": asked.Model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}
	text := map[string]any{"type": "text", "text": mockAnswer}
	if !asked.Stream {
		message["content"], message["stop_reason"] = []any{text}, "end_turn"
		writeJSON(w, message)
		return
	}
	if use := toolUse(body); use != nil {
		anthropicUse(w, message, use, usage)
		return
	}
	stream(w, []event{
		{"message_start", map[string]any{"message": message}},
		{"content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}}},
		{"content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": mockAnswer}}},
		{"content_block_stop", map[string]any{"index": 0}},
		{"message_delta", map[string]any{"delta": map[string]any{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": usage}},
		{"message_stop", map[string]any{}},
	})
}

// openai answers in the shape of OpenAI's responses, always as a stream.
func openai(w http.ResponseWriter) {
	item := map[string]any{
		"type": "message", "id": "item_1", "role": "assistant", "status": "completed",
		"content": []any{map[string]any{"type": "output_text", "text": mockAnswer, "annotations": []any{}}},
	}
	done := map[string]any{
		"id": "resp_1", "object": "response", "status": "completed", "output": []any{item},
		"usage": map[string]any{
			"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
		},
	}
	stream(w, []event{
		{"response.created", map[string]any{"response": map[string]any{"id": "resp_1"}}},
		{"response.output_item.done", map[string]any{"output_index": 0, "item": item}},
		{"response.completed", map[string]any{"response": done}},
	})
}
