package diag

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

func at(file string, line, col int) Pos { return Pos{File: file, Line: line, Col: col} }

func sample() List {
	var l List
	l.Addf(UnknownKey, at("b.yaml", 2, 1), "unknown key %q", "exmaples").Hintf("did you mean %q?", "examples")
	l.Addf(DuplicateName, at("a.yaml", 9, 3), "the state %q is declared twice", "x").
		Also(at("a.yaml", 4, 3), "%q is declared here first", "x")
	l.Addf(Unused, at("a.yaml", 1, 1), "`mode` is not used")
	l.Addf(NoHosts, at("a.yaml", 9, 1), "no hosts")
	l.Addf(CannotRead, Pos{File: "c.yaml"}, "there is no file c.yaml")
	l.Addf(BadSchema, Pos{}, "broken \x1b[31mred\u202e")
	l.Sort()
	return l
}

func TestText(t *testing.T) {
	t.Parallel()
	want := "error: broken \\u001b[31mred\\u202e [KIT118]\n" +
		"st/a.yaml:1:1: info: `mode` is not used [KIT110]\n" +
		"st/a.yaml:9:1: warning: no hosts [KIT407]\n" +
		"st/a.yaml:9:3: error: the state \"x\" is declared twice [KIT201]\n" +
		"  st/a.yaml:4:3: \"x\" is declared here first\n" +
		"st/b.yaml:2:1: error: unknown key \"exmaples\" [KIT103]\n" +
		"  hint: did you mean \"examples\"?\n" +
		"st/c.yaml: error: there is no file c.yaml [KIT101]\n"
	var b strings.Builder
	if err := (Printer{Dir: "st"}).Text(&b, sample()); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTextLimit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		limit int
		last  string
	}{
		{1, "… and 3 more errors\n"},
		{3, "… and 1 more error\n"},
		{4, "  hint: did you mean \"examples\"?\nc.yaml: error: there is no file c.yaml [KIT101]\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		if err := (Printer{Limit: tt.limit}).Text(&b, sample()); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), tt.last) {
			t.Errorf("limit %d: got\n%s\nwant it to end\n%s", tt.limit, b.String(), tt.last)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := (Printer{Dir: "st", Limit: 1}).JSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var got document
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Diagnostics) != 6 || got.Errors != 4 || got.Warnings != 1 || got.Infos != 1 {
		t.Errorf("got %d diagnostics, %d errors, %d warnings, %d infos", len(got.Diagnostics), got.Errors, got.Warnings, got.Infos)
	}
	d := got.Diagnostics[3]
	if d.Code != DuplicateName || d.Pos != at("st/a.yaml", 9, 3) || d.Related[0].Pos != at("st/a.yaml", 4, 3) {
		t.Errorf("got %+v", d)
	}
}

func TestJSONOfNothingIsAList(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := (Printer{}).JSON(&b, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"diagnostics": []`) {
		t.Errorf("got %s", b.String())
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	var l List
	l.Addf(BadType, at("a", 1, 5), "no type strng")
	l.Addf(BadValue, at("a", 1, 5), "`type` can't be strng")
	l.Addf(UnknownTarget, at("a", 2, 1), "no state x")
	l.Addf(UnknownTarget, at("a", 2, 1), "no state x")
	l.Addf(UnknownTarget, at("a", 2, 1), "no state y")
	l.Addf(NoHosts, at("a", 1, 5), "a warning stays")
	l.Sort()
	var got []string
	for _, d := range l.Compact() {
		got = append(got, string(d.Code)+" "+d.Message)
	}
	want := "KIT108 `type` can't be strng|KIT407 a warning stays|KIT203 no state x|KIT203 no state y"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestCodesAreWellFormed(t *testing.T) {
	t.Parallel()
	last := Code("KIT100")
	for _, e := range Codes() {
		if len(e.Code) != 6 || !strings.HasPrefix(string(e.Code), "KIT") || e.Code <= last {
			t.Errorf("%s follows %s: codes are KITnnn, rising, each once", e.Code, last)
		}
		if e.Title == "" || e.Severity == "" {
			t.Errorf("%s has no title or severity", e.Code)
		}
		last = e.Code
	}
}

// TestEveryConstantHasARow reads the constants from the source.
func TestEveryConstantHasARow(t *testing.T) {
	t.Parallel()
	var src []byte
	for _, name := range []string{"code.go", "lintcode.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src = append(src, data...)
	}
	declared := regexp.MustCompile(`Code = "(KIT\d{3})"`).FindAllStringSubmatch(string(src), -1)
	if len(declared) != len(Codes()) {
		t.Errorf("%d constants, %d rows", len(declared), len(Codes()))
	}
	for _, m := range declared {
		if _, ok := Lookup(Code(m[1])); !ok {
			t.Errorf("%s has no row", m[1])
		}
	}
}
