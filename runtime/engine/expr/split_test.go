package expr

import (
	"reflect"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]Piece{
		"":                    nil,
		"plain }} text":       {{Text: "plain }} text"}},
		"{{ world.a }}":       {{Expr: "world.a", Offset: 3, IsExpr: true}},
		"a{{x}}b":             {{Text: "a"}, {Expr: "x", Offset: 3, IsExpr: true}, {Text: "b", Offset: 6}},
		`{{ "}}" }}`:          {{Expr: `"}}"`, Offset: 3, IsExpr: true}},
		`{{ "\"}}" }}`:        {{Expr: `"\"}}"`, Offset: 3, IsExpr: true}},
		`{{ "{{" }}`:          {{Expr: `"{{"`, Offset: 3, IsExpr: true}},
		"{{ `}}\\` }}":        {{Expr: "`}}\\`", Offset: 3, IsExpr: true}},
		`{{ {"a": {"b":1}}}}`: {{Expr: `{"a": {"b":1}}`, Offset: 3, IsExpr: true}},
		"{{ a }} {{ b }}":     {{Expr: "a", Offset: 3, IsExpr: true}, {Text: " ", Offset: 7}, {Expr: "b", Offset: 11, IsExpr: true}},
	} {
		got, err := Split(src)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v %v", src, got, err)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]Error{
		"a {{ b":         {Offset: 2, Msg: "not closed"},
		`{{ "}}`:         {Offset: 0, Msg: "not closed"},
		"x{{ }}":         {Offset: 1, Msg: "no expression"},
		"ä {{ 100 % }} ": {Offset: 10, Msg: "unexpected token"},
	} {
		_, err := Split(src)
		if err == nil || err.Offset != want.Offset || !strings.Contains(err.Msg, want.Msg) || !strings.Contains(err.Hint, `{{ "{{" }}`) {
			t.Errorf("%s: got %d %v", src, err.Offset, err)
		}
	}
}
