package expr

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"kitsoki/runtime/artifact"
)

// Check type-checks an expression against what is declared at its place. A
// want of "" or TypeAny accepts every type; a type that is only known when
// the expression runs (a path into stdout_json) is accepted for each want.
func Check(src string, sc Scope, want artifact.Type) (e *Error) {
	defer func() {
		if r := recover(); r != nil {
			e = &Error{Msg: fmt.Sprintf("this expression can't be read: %v", r)}
		}
	}()
	if e := tooLong(src); e != nil {
		return e
	}
	cfg := config()
	cfg.WithEnv(sc.env())
	tree, err := checker.ParseCheck(src, cfg)
	if err != nil {
		return explain(src, sc, tree, err)
	}
	if e := checkNames(src, sc, tree.Node); e != nil {
		return e
	}
	return checkWant(tree.Node, want)
}

// config is the language both sides agree on.
func config() *conf.Config {
	cfg := conf.CreateNew()
	for _, name := range disabled() {
		cfg.Disabled[name] = true
		delete(cfg.Builtins, name)
	}
	return cfg
}

// disabled are the functions whose result depends on more than their
// arguments: on the clock, the time-zone files, or the order of a map.
func disabled() []string {
	return []string{"now", "date", "duration", "timezone", "keys", "values", "toPairs"}
}

func disabledReason(name string) string {
	switch name {
	case "now", "date", "duration", "timezone":
		return name + " is disabled: a story's decision may not depend on the clock"
	case "keys", "values", "toPairs":
		return name + " is disabled: its result has no fixed order"
	}
	return ""
}

// explain turns a library error into ours.
func explain(src string, sc Scope, tree *parser.Tree, err error) *Error {
	var fe *file.Error
	if !errors.As(err, &fe) {
		return &Error{Msg: err.Error()}
	}
	e := &Error{Offset: byteOffset(src, fe.From), Msg: fe.Message}
	if name, ok := strings.CutPrefix(fe.Message, "unknown name "); ok {
		e.Msg, e.Hint, e.Missing = fmt.Sprintf("%s is not declared here", name), unknownRoot(name, sc), MissingRoot
	}
	if key, ok := strings.CutPrefix(fe.Message, "unknown field "); ok && tree != nil {
		explainField(e, sc, tree.Node, key, fe.From)
	}
	return e
}

// explainField finds the access the checker complained about, to name its
// base and what is declared there.
func explainField(e *Error, sc Scope, root ast.Node, key string, from int) {
	var base ast.Node
	inspect(root, func(n ast.Node) {
		if m, ok := n.(*ast.MemberNode); ok && m.Property.Location().From == from {
			base = m.Node
		}
	})
	if base == nil {
		return
	}
	e.Msg, e.Missing = fmt.Sprintf("%s.%s is not declared", base.String(), key), base.String()
	if id, ok := base.(*ast.IdentifierNode); ok {
		known, _ := sc.keys(id.Value)
		e.Hint = unknownKey(key, known)
	}
}

// checkNames finds what the library lets through: its name for the whole
// environment, and comparing an enum with a word that is none of its values.
func checkNames(src string, sc Scope, root ast.Node) (found *Error) {
	inspect(root, func(n ast.Node) {
		if found != nil {
			return
		}
		switch n := n.(type) {
		case *ast.IdentifierNode:
			if n.Value == "$env" {
				found = &Error{Offset: byteOffset(src, n.Location().From), Msg: "$env is not declared here", Hint: unknownRoot(n.Value, sc), Missing: MissingRoot}
			}
		case *ast.BinaryNode:
			found = checkEnum(src, sc, n)
		}
	})
	return found
}

func checkEnum(src string, sc Scope, n *ast.BinaryNode) *Error {
	if n.Operator != "==" && n.Operator != "!=" {
		return nil
	}
	left, right := n.Left, n.Right
	if _, ok := left.(*ast.StringNode); ok {
		left, right = right, left
	}
	word, isWord := right.(*ast.StringNode)
	root, key := path(left)
	values := sc.enum(root, key)
	if !isWord || values == nil || slices.Contains(values, word.Value) {
		return nil
	}
	if root == "slots" && word.Value == "" {
		return nil // an optional slot that was not given
	}
	return &Error{
		Offset: byteOffset(src, word.Location().From),
		Msg:    fmt.Sprintf("%s.%s is never %q", root, key, word.Value),
		Hint:   unknownKey(word.Value, values),
	}
}

// path is root and key of a node of the form root.key, else empty.
func path(n ast.Node) (root, key string) {
	m, ok := n.(*ast.MemberNode)
	if !ok {
		return "", ""
	}
	id, ok := m.Node.(*ast.IdentifierNode)
	prop, ok2 := m.Property.(*ast.StringNode)
	if !ok || !ok2 {
		return "", ""
	}
	return id.Value, prop.Value
}

func checkWant(n ast.Node, want artifact.Type) *Error {
	if want == "" || want == artifact.TypeAny {
		return nil
	}
	if _, isNil := n.(*ast.NilNode); isNil {
		return nilFor(want)
	}
	got := kindOf(n.Type())
	if got == artifact.TypeAny || fits(got, want) {
		return nil
	}
	return &Error{Msg: fmt.Sprintf("this is %s, %s is needed", article(got), article(want)), Hint: convertHint(got, want)}
}

func nilFor(want artifact.Type) *Error {
	if want != artifact.TypeBool {
		return nil // null written to a key means its default
	}
	return &Error{Msg: "this is null, a bool is needed"}
}

// kindOf is the declared type a Go type stands for; TypeAny when it is only
// known at run time.
func kindOf(t reflect.Type) artifact.Type {
	switch t.Kind() {
	case reflect.Bool:
		return artifact.TypeBool
	case reflect.String:
		return artifact.TypeString
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return artifact.TypeInt
	case reflect.Float32, reflect.Float64:
		return artifact.TypeFloat
	case reflect.Slice, reflect.Array:
		return artifact.TypeList
	case reflect.Map:
		return artifact.TypeObject
	}
	return artifact.TypeAny
}

func fits(got, want artifact.Type) bool {
	switch want {
	case artifact.TypeEnum:
		return got == artifact.TypeString
	case artifact.TypeFloat:
		return got == artifact.TypeFloat || got == artifact.TypeInt
	}
	return got == want
}

func convertHint(got, want artifact.Type) string {
	switch {
	case want == artifact.TypeBool:
		return "compare it with something, such as x == y or x != \"\""
	case want == artifact.TypeString && got != artifact.TypeObject && got != artifact.TypeList:
		return "convert it with string(…)"
	case want == artifact.TypeInt && (got == artifact.TypeString || got == artifact.TypeFloat):
		return "convert it with int(…)"
	case want == artifact.TypeFloat && got == artifact.TypeString:
		return "convert it with float(…)"
	}
	return ""
}

func article(t artifact.Type) string {
	if t == artifact.TypeInt || t == artifact.TypeObject {
		return "an " + string(t)
	}
	return "a " + string(t)
}

// inspect calls f for every node of the tree.
func inspect(root ast.Node, f func(ast.Node)) { ast.Walk(&root, visitor(f)) }

type visitor func(ast.Node)

// Visit hands the node on.
func (v visitor) Visit(n *ast.Node) { v(*n) }

// byteOffset turns an offset in characters into one in bytes.
func byteOffset(src string, runes int) int {
	for i := range src {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(src)
}
