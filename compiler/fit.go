package compiler

import (
	"fmt"
	"slices"
	"strings"

	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// typeOf is the type of a literal; TypeAny for null and for nothing.
func typeOf(n *source.Node) artifact.Type {
	if n == nil {
		return artifact.TypeAny
	}
	switch n.Kind {
	case source.KindString:
		return artifact.TypeString
	case source.KindInt:
		return artifact.TypeInt
	case source.KindFloat:
		return artifact.TypeFloat
	case source.KindBool:
		return artifact.TypeBool
	case source.KindList:
		return artifact.TypeList
	case source.KindMap:
		return artifact.TypeObject
	}
	return artifact.TypeAny
}

// mismatch says in words why a literal is no value of the type ("a string, a
// bool is needed"), "" when it is one.
func mismatch(n *source.Node, want artifact.Type, values []string) string {
	got := typeOf(n)
	switch {
	case n.Kind == source.KindNull && want != artifact.TypeAny:
		return fmt.Sprintf("null, %s is needed", article(want))
	case want == artifact.TypeEnum && got == artifact.TypeString && len(values) > 0 && !slices.Contains(values, n.Text):
		return fmt.Sprintf("%q, not one of its values", n.Text)
	case typeFits(got, want):
		return ""
	}
	return fmt.Sprintf("%s, %s is needed", article(got), article(want))
}

// typeFits says whether every value of the type got may be written where
// want is declared. Whether a text is an enum's value shows at run time.
func typeFits(got, want artifact.Type) bool {
	switch {
	case got == want, want == artifact.TypeAny, want == "", got == artifact.TypeAny:
		return true
	case want == artifact.TypeFloat:
		return got == artifact.TypeInt
	case want == artifact.TypeEnum:
		return got == artifact.TypeString
	case want == artifact.TypeString:
		return got == artifact.TypeEnum
	}
	return false
}

func fitHint(n *source.Node, want artifact.Type, values []string) string {
	switch {
	case want == artifact.TypeEnum && n.Kind == source.KindString:
		return didYouMean(n.Text, values, "use one of "+strings.Join(values, ", "))
	case (want == artifact.TypeString || want == artifact.TypeEnum) && scalar(n):
		return fmt.Sprintf("write it in quotes: %q", n.Text)
	case n.Kind == source.KindString && (want == artifact.TypeInt || want == artifact.TypeFloat || want == artifact.TypeBool):
		return "write it without quotes"
	}
	return fmt.Sprintf("write %s", example(want))
}

func scalar(n *source.Node) bool {
	return n.Kind == source.KindBool || n.Kind == source.KindInt || n.Kind == source.KindFloat
}

func example(t artifact.Type) string {
	switch t {
	case artifact.TypeInt:
		return "a whole number such as 0"
	case artifact.TypeFloat:
		return "a number such as 0.5"
	case artifact.TypeBool:
		return "true or false"
	case artifact.TypeList:
		return "a list such as [a, b]"
	case artifact.TypeObject:
		return "a map such as {key: value}"
	}
	return `text such as ""`
}

func article(t artifact.Type) string {
	switch t {
	case artifact.TypeInt, artifact.TypeEnum, artifact.TypeObject:
		return "an " + string(t)
	case artifact.TypeAny:
		return "null"
	}
	return "a " + string(t)
}
