package expr

import (
	"strings"
	"testing"
)

func TestCheckTextAccepts(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"plain text, 100 % and a } brace",
		"On {{ world.branch }}: {{ world.files|length }} files",
		"{% for f in world.files %}{{ forloop.Counter }}. {{ f }}{% endfor %}",
		"{% for k, v in world.plan %}{{ k }}={{ v }}{% empty %}none{% endfor %}",
		"{% with b=world.branch %}{{ b|upper }}{% endwith %}",
		"{% with world.branch as b %}{{ b }}{% endwith %}",
		"{% set x = world.count %}{{ x }}",
		"{% macro hi(name, end='!') %}{{ name }}{{ end }}{% endmacro %}{{ hi(world.branch) }}",
		"{% if world.ready and not slots.n %}y{% elif result.ok %}n{% endif %}",
		"{# {{ nothing.here }} #}{% verbatim %}{{ raw.text }}{% endverbatim %}",
		`{{ "{{" }} {{ world.branch|default:"none" }}`,
		"{% filter upper %}{{ world.branch }}{% endfilter %}",
		"{{- world.branch -}}",
		"{{ world.plan.any.depth }}",
		"{{ result.stdout_json.a }}",
	} {
		if errs := CheckText(src, scope()); len(errs) > 0 {
			t.Errorf("%s: %v (at %d)", src, errs[0], errs[0].Offset)
		}
	}
}

func TestCheckTextRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		src    string
		offset int
		msg    string
		hint   string
	}{
		{"a {{ world.brnch }}", 11, "world.brnch is not declared", "did you mean branch?"},
		{"a {{ wrld.branch }}", 5, "wrld is not declared here", "did you mean world?"},
		{"{{ world['brnch'] }}", 9, "world.brnch is not declared", "branch"},
		{"{% if world.redy %}x{% endif %}", 12, "world.redy is not declared", "ready"},
		{"{% for f in world.fles %}{{ f }}{% endfor %}", 18, "world.fles", "files"},
		{"{% for f in world.files %}{% endfor %}{{ f }}", 41, "f is not declared here", ""},
		{"{{ forloop.Counter }}", 3, "forloop is not declared here", ""},
		{"{{ world.branch|default:nope }}", 24, "nope is not declared here", ""},
		{"{% include 'x' %}", 0, "include is not allowed", "no files"},
		{"{% now '2006' %}", 0, "now is not allowed", ""},
		{"{% extends 'x' %}", 0, "extends is not allowed", ""},
		{"{% import 'x' y %}", 0, "import is not allowed", ""},
		{"{% ssi 'x' %}", 0, "ssi is not allowed", ""},
		{"{% lorem %}", 0, "lorem is not allowed", ""},
		{"{% autoescape on %}{% endautoescape %}", 0, "autoescape is not allowed", ""},
		{"{{ world.files|random }}", 15, "filter random is not allowed", ""},
		{"{{ world.branch|nosuch }}", 16, "nosuch", ""},
		{"line\n{{ world.branch|nosuch }}", 21, "nosuch", ""},
		{"line\n{{ world.branch | }}", 21, "", ""},
		{"{% if world.ready %}x", 0, "", ""},
		{"a {{ world.branch", 2, "not closed", "{{"},
		{"{% macro f(a) %}{{ f(a) }}{% endmacro %}{{ f(1) }}", 19, "f is not declared here", ""},
		{strings.Repeat("{% for f in world.files %}", 4) + strings.Repeat("{% endfor %}", 4), 78, "deeper than 3", ""},
	} {
		errs := CheckText(tc.src, scope())
		if len(errs) == 0 {
			t.Errorf("%s: no error", tc.src)
			continue
		}
		e := errs[0]
		if !strings.Contains(e.Msg, tc.msg) || !strings.Contains(e.Hint, tc.hint) || (tc.msg != "" && e.Offset != tc.offset) {
			t.Errorf("%s: got %d %q hint %q", tc.src, e.Offset, e.Msg, e.Hint)
		}
	}
}

func TestCheckTextReportsAll(t *testing.T) {
	t.Parallel()
	errs := CheckText("{{ world.x1 }} {{ y2 }} {% if world.z3 %}{% endif %}", scope())
	if len(errs) != 3 {
		t.Fatalf("got %d errors: %v", len(errs), errs)
	}
}

func TestRender(t *testing.T) {
	t.Parallel()
	env := map[string]any{"world": map[string]any{
		"branch": `a<b>&"c"`, "n": 3, "list": []any{"x", "y"}, "none": nil,
	}}
	for src, want := range map[string]string{
		"on {{ world.branch }}":                                              `on a<b>&"c"`,
		"{{ world.n }}{{ world.none }}{{ world.missing.deep }}":              "3",
		"{% for x in world.list %}{{ forloop.Counter }}{{ x }} {% endfor %}": "1x 2y ",
		`{{ "{{" }}`: "{{",
		"{% macro hi(a) %}<{{ a }}>{% endmacro %}{{ hi(world.branch) }}": `<a<b>&"c">`,
	} {
		got, err := Render(src, env)
		if err != nil || got != want {
			t.Errorf("%s: got %q %v", src, got, err)
		}
	}
}

func TestRenderIsBounded(t *testing.T) {
	t.Parallel()
	list := make([]any, 200)
	for i := range list {
		list[i] = "0123456789"
	}
	loop := strings.Repeat("{% for a in world.l %}", 3) + "{{ a }}" + strings.Repeat("{% endfor %}", 3)
	if _, err := Render(loop, map[string]any{"world": map[string]any{"l": list}}); err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("got %v", err)
	}
	if _, err := Render("{% include 'x' %}", nil); err == nil {
		t.Error("include was rendered")
	}
}
