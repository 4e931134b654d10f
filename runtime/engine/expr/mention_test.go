package expr

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	src := `world.a > 1 && any(slots.list, # == world["b"]) || len(result.x) > 0 and true`
	if got := Roots(src); !reflect.DeepEqual(got, []string{"result", "slots", "world"}) {
		t.Errorf("roots %v", got)
	}
	if got := Keys(src, "world"); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("keys %v", got)
	}
	if got := Roots("1 +"); got != nil {
		t.Errorf("unreadable: %v", got)
	}
	text := `{{ world.a }} {% if world["b"] == x.world %}{{ slots.c }}{% endif %} world.d`
	if got := TextKeys(text, "world"); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("text keys %v", got)
	}
}

// TestMentionsArePlaces: each place is where the key's name stands, behind
// quotation marks, and never inside of a text.
func TestMentionsArePlaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, keys, bare string // with the keys underlined
		text            bool
	}{
		{`"é world.a" + world.b`, `                    ^`, ``, false},
		{"world[\"a\"] ?? world?.b ?? world[`c`]", `       ^             ^           ^`, ``, false},
		{`world . a in slots.world`, `        ^`, ``, false},
		{`filter(world.a, .world.b == #.c)`, `             ^`, ``, false},
		{`world[world.a] + len(world)`, `            ^`, `^                    ^`, false},
		{`{{ world.a }} world.b {% if world["c"] %}{{ x.world.d }}{% endif %}`, `         ^                         ^`, ``, true},
		{`{% for world in world.a %}{{ world.b }}{% endfor %}{{ world }}`, `                      ^`, `                                                      ^`, true},
		{`{# world.a #}{{ "world.b"|upper }}`, ``, ``, true},
	} {
		find := Mentions
		if tt.text {
			find = TextMentions
		}
		keys, bare := find(tt.src, "world")
		var places []int
		for _, k := range keys {
			places = append(places, k.Offset)
			if tt.src[k.Offset:k.Offset+len(k.Key)] != k.Key {
				t.Errorf("%s: %+v", tt.src, k)
			}
		}
		if got := marks(tt.src, places); got != tt.keys || marks(tt.src, bare) != tt.bare {
			t.Errorf("\n%s\n%s keys\n%s bare", tt.src, got, marks(tt.src, bare))
		}
	}
}

// marks underlines bytes of a text, one column a character.
func marks(src string, at []int) string {
	var b strings.Builder
	for i := range src {
		if slices.Contains(at, i) {
			b.WriteByte('^')
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}
