package expr

import (
	"strings"
	"testing"
)

// Whatever a story holds, the languages answer with values: offsets lie in
// the source, pieces make the source up, and what was checked can be run
// without a panic.
func FuzzLanguages(f *testing.F) {
	for _, s := range []string{
		"", "{{", "}}", "a {{ world.branch }} b", `{{ "}}" }}`, "{% for x in world.files %}{{ x }}{% endfor %}",
		"{% if world.ready %}x{% else %}y{% endif %}", "{# c #}{% verbatim %}{{ x }}{% endverbatim %}", "ä{{ world.ä }}",
		"{% macro m(a='x') %}{{ a }}{% endmacro %}{{ m(1) }}", "{{ world.plan[\"a\"]|default:'b'|upper }}", "{{- world.count -}}",
		"{% with a=world.count b=2 %}{{ a }}{% endwith %}", "{{ {\"a\": 1}.a }}", "world.mode == \"fast\"", "{{ world.files.0 }}", "{% cycle 'a' 'b' as c %}",
	} {
		f.Add(s)
	}
	env := map[string]any{"world": map[string]any{
		"branch": "main", "count": 3, "ready": true, "mode": "fast", "files": []any{"a", "b"}, "plan": map[string]any{"a": 1},
	}}
	f.Fuzz(func(t *testing.T, src string) {
		fuzzSplit(t, src)
		if e := Check(src, scope(), ""); e != nil && (e.Offset < 0 || e.Offset > len(src)) {
			t.Errorf("check %q: offset %d", src, e.Offset)
		}
		_, _ = Eval(src, env)
		errs := CheckText(src, scope())
		for _, e := range errs {
			if e.Offset < 0 || e.Offset > len(src) {
				t.Errorf("text %q: offset %d", src, e.Offset)
			}
		}
		out, err := Render(src, env)
		if err == nil && len(errs) == 0 && !strings.ContainsAny(src, "{}") && out != src {
			t.Errorf("plain text %q became %q", src, out)
		}
	})
}

func fuzzSplit(t *testing.T, src string) {
	t.Helper()
	pieces, err := Split(src)
	if err != nil {
		if err.Offset < 0 || err.Offset > len(src) {
			t.Errorf("split %q: offset %d", src, err.Offset)
		}
		return
	}
	for _, p := range pieces {
		if !strings.HasPrefix(src[p.Offset:], p.Text+p.Expr) {
			t.Errorf("split %q: %+v is not at its offset", src, p)
		}
	}
}

func TestSourcesAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("(", MaxSource)
	if Check(long+"x", scope(), "") == nil || len(CheckText(long+"x", scope())) != 1 {
		t.Error("a long source is read")
	}
	if _, err := Split("{{ " + long + "x" + strings.Repeat(")", MaxSource) + " }}"); err == nil {
		t.Error("a long expression is split off")
	}
	if _, err := Eval(long+"x", nil); err == nil {
		t.Error("a long expression is run")
	}
	if _, err := Render(long+"x", nil); err == nil {
		t.Error("a long text is rendered")
	}
}
