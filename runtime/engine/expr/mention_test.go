package expr

import (
	"reflect"
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
