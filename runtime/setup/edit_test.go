package setup

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"kitsoki/runtime/journal"
)

func program() Program {
	return Program{"/opt/k/kitsoki", []string{"hook", "run", "--agent", "claude"}}
}

// held is a settings file in memory.
func held(data string) Settings {
	return Settings{Path: "/h/settings.json", Data: []byte(data), Exists: true, mode: 0o644}
}

const one = `{"type": "command", "command": "/opt/k/kitsoki", "args": ["hook", "run", "--agent", "claude"], "timeout": 1200, "statusMessage": "kitsoki"}`

// group is the group in lines, indented by unit after lead.
func group(lead, unit, nl string) string {
	in := func(n int, s string) string { return nl + lead + strings.Repeat(unit, n) + s }
	return "{" + in(1, `"hooks": [`) + in(2, "{") + in(3, `"type": "command",`) + in(3, `"command": "/opt/k/kitsoki",`) +
		in(3, `"args": ["hook", "run", "--agent", "claude"],`) + in(3, `"timeout": 1200,`) + in(3, `"statusMessage": "kitsoki"`) +
		in(2, "}") + in(1, "]") + in(0, "}")
}

// whole is the member "hooks" in lines, of an object indented by one unit.
func whole(unit, nl string) string {
	return `"hooks": {` + nl + unit + unit + `"UserPromptSubmit": [` + nl + strings.Repeat(unit, 3) + group(strings.Repeat(unit, 3), unit, nl) +
		nl + unit + unit + "]" + nl + unit + "}"
}

type fixture struct{ name, before, after string }

func fixtures() []fixture {
	flat := `"hooks": {"UserPromptSubmit": [{"hooks": [` + one + `]}]}`
	return []fixture{
		{"empty file", "", "{\n  " + whole("  ", "\n") + "\n}\n"},
		{"a line end and nothing else", "\n", "\n{\n  " + whole("  ", "\n") + "\n}\n"},
		{"byte order mark and nothing else", "\ufeff", "\ufeff{\n  " + whole("  ", "\n") + "\n}\n"},
		{"empty object", "{}", "{\n  " + whole("  ", "\n") + "\n}"},
		{"empty object in two lines", "{\n}\n", "{\n  " + whole("  ", "\n") + "\n}\n"},
		{"empty object with a comment", "{ // mine\n}\n", "{\n  " + whole("  ", "\n") + " // mine\n}\n"},
		{"one key", "{\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"opus\",\n  " + whole("  ", "\n") + "\n}\n"},
		{"four blanks", "{\n    \"model\": \"opus\"\n}\n", "{\n    \"model\": \"opus\",\n    " + whole("    ", "\n") + "\n}\n"},
		{"tabs", "{\n\t\"model\": \"opus\"\n}\n", "{\n\t\"model\": \"opus\",\n\t" + whole("\t", "\n") + "\n}\n"},
		{"CRLF", "{\r\n  \"model\": \"opus\"\r\n}\r\n", "{\r\n  \"model\": \"opus\",\r\n  " + whole("  ", "\r\n") + "\r\n}\r\n"},
		{"byte order mark", "\ufeff{\n  \"a\": 1\n}\n", "\ufeff{\n  \"a\": 1,\n  " + whole("  ", "\n") + "\n}\n"},
		{"no line end", "{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  " + whole("  ", "\n") + "\n}"},
		{"trailing comma", "{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  " + whole("  ", "\n") + ",\n}\n"},
		{"trailing comma, comment", "{\n  \"a\": 1, // one\n}\n", "{\n  \"a\": 1, // one\n  " + whole("  ", "\n") + ",\n}\n"},
		{"comment behind the last key", "{\n  // top\n  \"a\": 1 // one\n}\n", "{\n  " + whole("  ", "\n") + ",\n  // top\n  \"a\": 1 // one\n}\n"},
		{"block comments", "/* a */ {\n  /* b */ \"a\": 1\n} /* c */\n", "/* a */ {\n  /* b */ \"a\": 1,\n  " + whole("  ", "\n") + "\n} /* c */\n"},
		{"one line", `{"a": 1}`, `{"a": 1, ` + flat + `}`},
		{"one line, empty hooks", `{"hooks": {}}`, `{` + flat + `}`},
		{"one line, comment", "{\"a\": 1 // one\n}", "{" + flat + ",\"a\": 1 // one\n}"},
		{"one line, trailing comma", `{"a": 1,}`, `{"a": 1, ` + flat + `,}`},
		{
			"empty hooks", "{\n  \"hooks\": {}\n}\n",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      " + group("      ", "  ", "\n") + "\n    ]\n  }\n}\n",
		},
		{
			"empty event", "{\n  \"hooks\": {\n    \"UserPromptSubmit\": []\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      " + group("      ", "  ", "\n") + "\n    ]\n  }\n}\n",
		},
		{
			"another event", "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [],\n    \"UserPromptSubmit\": [\n      " + group("      ", "  ", "\n") + "\n    ]\n  }\n}\n",
		},
		{
			"another's group",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]\n      }\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]\n      },\n      " +
				group("      ", "  ", "\n") + "\n    ]\n  }\n}\n",
		},
		{
			"another's group on one line",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [{\"hooks\": []}]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [{\"hooks\": []}, {\"hooks\": [" + one + "]}]\n  }\n}\n",
		},
		{
			"not ASCII", "{\n  \"name\": \"Grüße 日本 \\u00e9\",\n  \"a\": 1e2\n}\n",
			"{\n  \"name\": \"Grüße 日本 \\u00e9\",\n  \"a\": 1e2,\n  " + whole("  ", "\n") + "\n}\n",
		},
		{"white space at line ends", "{ \n  \"a\": 1  \n}\n\n", "{ \n  \"a\": 1,\n  " + whole("  ", "\n") + "  \n}\n\n"},
	}
}

// TestInstall holds every fixture to its bytes, a second installation to no
// change, and the way back to the first bytes.
func TestInstall(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			e, err := Install(held(f.before), claude(), program(), nil)
			if err != nil || string(e.After) != f.after {
				t.Fatalf("expected\n%s\nobserved %v\n%s", f.after, err, e.After)
			}
			again, err := Install(held(f.after), claude(), program(), e.record())
			if err != nil || again.Changes() || again.Diff() != "" {
				t.Errorf("a second installation: %v\n%s", err, again.Diff())
			}
			back, err := Uninstall(held(f.after), claude(), e.record(), false)
			if err != nil || string(back.After) != f.before || back.Remove {
				t.Errorf("back: %v\n%s", err, back.Diff())
			}
		})
	}
}

// TestMovedProgram renews the entry in its place, and the first bytes can
// still be had.
func TestMovedProgram(t *testing.T) {
	t.Parallel()
	moved := Program{"/usr/lib/k/kitsoki-hook", []string{"claude"}}
	for _, f := range fixtures() {
		e, err := Install(held(f.before), claude(), program(), nil)
		if err != nil {
			t.Fatal(err)
		}
		next, err := Install(held(f.after), claude(), moved, e.record())
		if err != nil || bytes.Contains(next.After, []byte("/opt/k")) || bytes.Count(next.After, []byte("kitsoki-hook")) != 1 {
			t.Fatalf("%s: %v\n%s", f.name, err, next.After)
		}
		back, err := Uninstall(held(string(next.After)), claude(), next.record(), false)
		if err != nil || string(back.After) != f.before {
			t.Errorf("%s: %v\n%s", f.name, err, back.Diff())
		}
	}
}

// TestForeignEdits are changes that people and agents make between the
// installation and its end: theirs stay, ours goes.
func TestForeignEdits(t *testing.T) {
	t.Parallel()
	with := "{\n  \"a\": 1,\n  " + whole("  ", "\n") + "\n}\n"
	other := `{"hooks": [{"type": "command", "command": "lint"}]}`
	tests := []struct{ name, now, want string }{
		{"another value", strings.Replace(with, "1,", "22,", 1), "{\n  \"a\": 22\n}\n"},
		{"a key before", strings.Replace(with, "{\n", "{\n  \"z\": true,\n", 1), "{\n  \"z\": true,\n  \"a\": 1\n}\n"},
		{"a key behind", strings.Replace(with, "\n  }\n}", "\n  },\n  \"b\": 2\n}", 1), "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
		{"comments", "// mine\n" + strings.Replace(with, "1,", "/* x */ 1,", 1) + "// end\n", "// mine\n{\n  \"a\": /* x */ 1\n}\n// end\n"},
		{"CRLF everywhere", strings.ReplaceAll(with, "\n", "\r\n"), "{\r\n  \"a\": 1\r\n}\r\n"},
		{"formatted anew", strings.ReplaceAll(with, "  ", "\t"), "{\n\t\"a\": 1\n}\n"},
		{"packed", `{"a":1,"hooks":{"UserPromptSubmit":[{"hooks":[` + one + `]}]}}`, `{"a":1}`},
		{
			"a hook before, in our event", strings.Replace(with, "\"UserPromptSubmit\": [", "\"UserPromptSubmit\": ["+other+",", 1),
			"{\n  \"a\": 1,\n  \"hooks\": {\n    \"UserPromptSubmit\": [" + other + "\n    ]\n  }\n}\n",
		},
		{
			"a hook behind, in our group", `{"hooks": {"UserPromptSubmit": [{"hooks": [` + one + `, {"type": "command", "command": "lint"}]}]}}`,
			`{"hooks": {"UserPromptSubmit": [{"hooks": [ {"type": "command", "command": "lint"}]}]}}`,
		},
		{
			"another event", strings.Replace(with, "\"hooks\": {", "\"hooks\": {\n    \"Stop\": [],", 1),
			"{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
		},
		{"a matcher in our group", strings.Replace(with, "{\n        \"hooks\"", "{\n        \"matcher\": \"\",\n        \"hooks\"", 1), "{\n  \"a\": 1\n}\n"},
		{"taken out by hand", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n"},
	}
	e, err := Install(held("{\n  \"a\": 1\n}\n"), claude(), program(), nil)
	if err != nil || string(e.After) != with {
		t.Fatalf("%v\n%s", err, e.After)
	}
	for _, tt := range tests {
		for _, rec := range []*Record{e.record(), nil} {
			back, err := Uninstall(held(tt.now), claude(), rec, false)
			if err != nil || string(back.After) != tt.want {
				t.Errorf("%s, recorded %v: %v\n%s\nexpected\n%s", tt.name, rec != nil, err, back.After, tt.want)
			}
		}
	}
}

// TestRefused: the file stays, and the place and the next step are named.
func TestRefused(t *testing.T) {
	t.Parallel()
	two := `{"hooks": {"UserPromptSubmit": [{"hooks": [` + one + ",\n" + one + `]}]}}`
	tests := []struct{ name, data, want string }{
		{"not JSON", "{\n  \"a\": }\n", "/h/settings.json:2:8: the file is not JSON: invalid character '}' at start of value"},
		{"cut short", "{\"a\": 1", ":1:8: the file is not JSON"},
		{"two values", "{} {}", ":1:4: the file is not JSON"},
		{"columns are characters", "{\"ä\": \"日本\", x}", ":1:13: the file is not JSON"},
		{"a comment and nothing else", "// mine\n", ":2:1: the file is not JSON"},
		{"not UTF-8", "{\"a\": \"\xff\"}", ":1:8: the file is not UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", ":1:1: the file is not UTF-8"},
		{"a list", "[]", ":1:1: expected the settings to be an object, and it is a list"},
		{"null", "null", ":1:1: expected the settings to be an object, and it is null"},
		{"hooks is a list", "{\"hooks\": []}", ":1:11: expected \"hooks\" to be an object, and it is a list"},
		{"hooks is a text", "{\"hooks\": \"\"}", ":1:11: expected \"hooks\" to be an object, and it is a text"},
		{"hooks twice", "{\"hooks\": {},\n \"hooks\": {}}", ":2:2: the key \"hooks\" stands here a second time, first in line 1"},
		{"hooks twice, once escaped", "{\"hooks\": {}, \"h\\u006foks\": {}}", ":1:15: the key \"hooks\" stands here a second time"},
		{"any key twice", "{\"a\": 1, \"a\": 2}", ":1:10: the key \"a\" stands here a second time"},
		{"event twice", "{\"hooks\": {\"Stop\": [], \"Stop\": []}}", ":1:24: the key \"Stop\" stands here a second time"},
		{"hooks misspelt", "{\"Hooks\": {}}", ":1:2: the key \"Hooks\" is not read; did you mean \"hooks\"?"},
		{"hooks cut", "{\"hook\": {}}", ":1:2: the key \"hook\" is not read; did you mean \"hooks\"?"},
		{"event misspelt", "{\"hooks\": {\"userPromptSubmit\": []}}", ":1:12: the key \"userPromptSubmit\" is not read"},
		{"event with a letter too many", "{\"hooks\": {\"UserPromptSubmits\": []}}", ":1:12: the key \"UserPromptSubmits\" is not read"},
		{"event is an object", "{\"hooks\": {\"UserPromptSubmit\": {}}}", ":1:32: expected a list of hooks for UserPromptSubmit, and it is an object"},
		{"group is a text", "{\"hooks\": {\"UserPromptSubmit\": [\"x\"]}}", ":1:33: expected each hook of UserPromptSubmit to be an object"},
		{"group's hooks is true", "{\"hooks\": {\"UserPromptSubmit\": [{\"hooks\": true}]}}", ":1:43: expected a list of hooks for UserPromptSubmit, and it is true or false"},
		{"entry is a number", "{\"hooks\": {\"UserPromptSubmit\": [{\"hooks\": [7]}]}}", ":1:44: expected each hook of UserPromptSubmit to be an object, and it is a number"},
		{"our entry twice", two, ":2:1: kitsoki's entry stands here a second time, first in line 1"},
	}
	for _, tt := range tests {
		for verb, edit := range map[string]func() (Edit, error){
			"install":   func() (Edit, error) { return Install(held(tt.data), claude(), program(), nil) },
			"uninstall": func() (Edit, error) { return Uninstall(held(tt.data), claude(), nil, false) },
		} {
			e, err := edit()
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "\n  hint: ") {
				t.Errorf("%s, %s: expected %q, observed %v", verb, tt.name, tt.want, err)
			}
			if e.Changes() {
				t.Errorf("%s, %s: the file changes", verb, tt.name)
			}
		}
	}
}

// TestChangedEntry: what somebody made of our entry is theirs, unless they
// say that all of ours goes.
func TestChangedEntry(t *testing.T) {
	t.Parallel()
	e, err := Install(held("{}\n"), claude(), program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	changed := held(strings.Replace(string(e.After), "1200", "60", 1))
	back, err := Uninstall(changed, claude(), e.record(), false)
	if err == nil || !strings.Contains(err.Error(), ":6:11: kitsoki's entry is not as it was written") || back.Changes() {
		t.Errorf("observed %v\n%s", err, back.Diff())
	}
	if back, err = Uninstall(changed, claude(), e.record(), true); err != nil || string(back.After) != "{\n}\n" {
		t.Errorf("all: %v %q", err, back.After)
	}
	next, err := Install(changed, claude(), program(), e.record())
	if err != nil || !bytes.Equal(next.After, e.After) {
		t.Errorf("installing mends it: %v\n%s", err, next.After)
	}
}

// TestDamagedRecord: a record that would not give the first bytes back is not
// followed; the entry goes by its structure.
func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	before := "{\n  \"a\": 1,\n  \"hooks\": {}\n}\n"
	e, err := Install(held(before), claude(), program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for damaged, want := range map[bool]string{false: before, true: "{\n  \"a\": 1\n}\n"} {
		rec := *e.record()
		if damaged {
			rec.Before = journal.Sum(nil)
		}
		back, err := Uninstall(held(string(e.After)), claude(), &rec, false)
		if err != nil || string(back.After) != want {
			t.Errorf("damaged %v: %v\n%s", damaged, err, back.After)
		}
	}
}

func TestUninstallAll(t *testing.T) {
	t.Parallel()
	pasted := `{"type": "command", "command": "'/old/it'\\''s/kitsoki' hook run --agent claude", "timeout": 30, "x": 1}`
	data := `{"a": 1, "hooks": {"UserPromptSubmit": [{"hooks": [` + one + `, {"command": "lint"}]}, {"hooks": [` + pasted + `]}], "Stop": []}}`
	e, err := Uninstall(held(data), claude(), nil, true)
	if want := `{"a": 1, "hooks": {"UserPromptSubmit": [{"hooks": [ {"command": "lint"}]}], "Stop": []}}`; err != nil || string(e.After) != want {
		t.Errorf("%v\nexpected %s\nobserved %s", err, want, e.After)
	}
}

// TestRows installs and takes out for every agent, into nothing and into a
// file with other hooks.
func TestRows(t *testing.T) {
	t.Parallel()
	for _, r := range Rows() {
		p := Program{"/opt/it's k/kitsoki-hook", []string{r.Name}}
		other := `{"command": "lint"}`
		if r.Grouped {
			other = `{"hooks": [` + other + `]}`
		}
		for _, before := range []string{"", "{}", "{\n  \"version\": 1,\n  \"hooks\": {\n    \"" + r.Event + "\": [\n      " + other + "\n    ]\n  }\n}\n"} {
			e, err := Install(held(before), r, p, nil)
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			versioned := r.Versioned || strings.Contains(before, "version")
			if _, err := hujson.Parse(bytes.Clone(e.After)); err != nil || versioned != bytes.Contains(e.After, []byte(`"version": 1`)) {
				t.Errorf("%s: %v\n%s", r.Name, err, e.After)
			}
			list, err := Inspect(held(string(e.After)), r)
			if err != nil || len(list) != 1 || !list[0].Is(r, p) || list[0].Timeout != float64(r.Units()) || list[0].Program.Path != p.Path {
				t.Errorf("%s: %v %+v\n%s", r.Name, err, list, e.After)
			}
			back, err := Uninstall(held(string(e.After)), r, e.record(), false)
			if err != nil || string(back.After) != before {
				t.Errorf("%s: back: %v\n%s", r.Name, err, back.Diff())
			}
		}
	}
}

// record is what the last part of an edit leaves to be remembered.
func (e Edit) record() *Record { return e.notes[len(e.notes)-1].record }
