package agent

import "testing"

// TestShapes pins every agent's answers byte for byte: most agents let a
// prompt through when a key is there that they don't know.
func TestShapes(t *testing.T) {
	t.Parallel()
	const along = `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"C"}}`
	tests := map[string]struct{ block, context string }{
		"claude": {
			`{"decision":"block","reason":"R","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}`, along,
		},
		"cline":    {`{"cancel":true,"errorMessage":"R"}`, `{"cancel":false,"contextModification":"C"}`},
		"codex":    {`{"decision":"block","reason":"R"}`, along},
		"copilot":  {`{"handled":true,"responseContent":"R"}`, `{"additionalContext":"C"}`},
		"cursor":   {`{"continue":false,"user_message":"R"}`, ""},
		"droid":    {`{"decision":"block","reason":"R"}`, along},
		"gemini":   {`{"decision":"deny","reason":"R"}`, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"C"}}`},
		"kimi":     {`{"stderr":"R"}`, `{"message":"C"}`},
		"qwen":     {`{"decision":"block","reason":"R"}`, along},
		"vscode":   {`{"continue":false,"stopReason":"R"}`, ""},
		"windsurf": {`{"stderr":"R"}`, ""},
	}
	for _, r := range Rows() {
		want := tests[r.Name]
		if got := string(r.Block("R")); got != want.block {
			t.Errorf("%s, block\n got %s\nwant %s", r.Name, got, want.block)
		}
		context := ""
		if r.Context != nil {
			context = string(r.Context("C"))
		}
		if context != want.context {
			t.Errorf("%s, context\n got %s\nwant %s", r.Name, context, want.context)
		}
		if _, envelope := Stderr(r.Block("R")); envelope != r.ByStatus {
			t.Errorf("%s: by status %v, envelope %v", r.Name, r.ByStatus, envelope)
		}
	}
}

func TestStderr(t *testing.T) {
	t.Parallel()
	if report, ok := Stderr([]byte(`{"stderr":"⌁ done\nok"}`)); !ok || report != "⌁ done\nok" {
		t.Errorf("got %q, %v", report, ok)
	}
	for _, bad := range []string{
		"", "null", "[]", "{}", `"x"`, `{"stderr":""}`, `{"stderr":" \n"}`, `{"stderr":1}`, `{"stderr":null}`,
		`{"Stderr":"x"}`, `{"stderr":"x","a":1}`, `{"reason":"x"}`, `{"stderr":"x"} {}`,
	} {
		if report, ok := Stderr([]byte(bad)); ok {
			t.Errorf("%q is read as %q", bad, report)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	last := ""
	for _, r := range Refusals() {
		if _, row := Lookup(r.Name); row || r.Name <= last || r.Title == "" || r.Reason == "" {
			t.Errorf("refusal %+v after %q", r, last)
		}
		if found, ok := Refuse(r.Name); !ok || found != r {
			t.Errorf("%s is not found", r.Name)
		}
		last = r.Name
	}
	if _, ok := Refuse("claude"); ok {
		t.Error("claude is refused")
	}
}
