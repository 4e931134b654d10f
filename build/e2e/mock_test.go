package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func ask(t *testing.T, m *mock, path, body string) string {
	t.Helper()
	resp, err := http.Post(m.url()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMockCountsWhatAsksAModel(t *testing.T) {
	t.Parallel()
	m, err := startMock()
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	if got := ask(t, m, "/v1/messages/count_tokens", `{}`); got != "{\"input_tokens\":10}\n" || m.count() != 0 {
		t.Errorf("tokens: %s, %d requests", got, m.count())
	}
	for i, tt := range []struct{ path, body, want string }{
		{"/v1/messages", `{"stream":true,"model":"m"}`, "event: message_stop\n"},
		{"/v1/messages", `{"model":"m"}`, `"stop_reason":"end_turn"`},
		{"/v1/responses", `{"input":"ls > a"}`, "event: response.completed\n"},
	} {
		if got := ask(t, m, tt.path, tt.body); !strings.Contains(got, tt.want) || !strings.Contains(got, mockAnswer) || m.count() != i+1 {
			t.Errorf("%s: %s, %d requests", tt.path, got, m.count())
		}
	}
	if r, err := m.await(0, "ls > a", time.Minute); err != nil || r.path != "/v1/responses" {
		t.Errorf("await: %+v, %v", r, err)
	}
	if _, ok := m.find(3, "ls > a"); ok {
		t.Error("an earlier request is found")
	}
	if _, err := m.await(0, "never sent", time.Millisecond); err == nil {
		t.Error("a request that was not made is found")
	}
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	if got := quoted("a > \"b\"\n"); got != `a > \"b\"\n` {
		t.Errorf("got %s", got)
	}
}
