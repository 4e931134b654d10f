package expr

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/vm"
)

// Eval runs an expression over the roots in env. The result is one of nil,
// bool, int, float64, string, []any and map[string]any, all the way down.
// An error is a value the expression can't work with (a path below null, a
// division by zero) or a result past the memory budget.
func Eval(src string, env map[string]any) (v any, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("evaluate %s: %v", src, r)
		}
	}()
	program, err := compile(src)
	if err != nil {
		return nil, fmt.Errorf("read expression %s: %w", src, plain(err))
	}
	out, err := vm.Run(program, env)
	if err != nil {
		return nil, fmt.Errorf("evaluate %s: %w", src, plain(err))
	}
	return normal(reflect.ValueOf(out))
}

// compile reads an expression without declared types: the compiler proved
// them, the values carry them.
func compile(src string) (*vm.Program, error) {
	if e := tooLong(src); e != nil {
		return nil, e
	}
	cfg := config()
	tree, err := checker.ParseCheck(src, cfg)
	if err != nil {
		return nil, err
	}
	if err := optimizer.Optimize(&tree.Node, cfg); err != nil {
		return nil, err
	}
	return compiler.Compile(tree, cfg)
}

// plain drops the library's drawing of the source from its errors.
func plain(err error) error {
	var fe *file.Error
	if errors.As(err, &fe) {
		return errors.New(fe.Message)
	}
	return err
}

// normal turns what the library's functions return into the few Go types
// the engine knows.
func normal(v reflect.Value) (any, error) {
	switch v.Kind() {
	case reflect.Invalid:
		return nil, nil
	case reflect.Interface, reflect.Pointer:
		return normal(v.Elem())
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.String:
		return v.String(), nil
	case reflect.Float32, reflect.Float64:
		return v.Float(), nil
	case reflect.Slice, reflect.Array:
		return normalList(v)
	case reflect.Map:
		return normalMap(v)
	}
	if v.CanInt() {
		return int(v.Int()), nil
	}
	if v.CanUint() {
		return int(v.Uint()), nil
	}
	return nil, fmt.Errorf("a value of Go type %s is no value of a story", v.Type())
}

func normalList(v reflect.Value) (any, error) {
	out := make([]any, v.Len())
	for i := range out {
		item, err := normal(v.Index(i))
		if err != nil {
			return nil, err
		}
		out[i] = item
	}
	return out, nil
}

func normalMap(v reflect.Value) (any, error) {
	out := make(map[string]any, v.Len())
	for it := v.MapRange(); it.Next(); {
		item, err := normal(it.Value())
		if err != nil {
			return nil, err
		}
		out[fmt.Sprint(it.Key().Interface())] = item
	}
	return out, nil
}
