package compiler

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/shell"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// variable is the name of the environment variable that carries a script's
// n-th value.
func variable(n int) string { return fmt.Sprintf("%s%d", variablePrefix, n) }

const variablePrefix = "KITSOKI_V"

// lowerRun makes the values of a host.run safe: no value is parsed as code,
// neither by a shell nor by another interpreter.
func (l *lowerer) lowerRun(c invocation, call *artifact.Call, at place) {
	cmd, args := pairValue(c.With, "cmd"), pairValue(c.With, "args")
	l.checkVariables(pairValue(c.With, "env"))
	switch {
	case pairValue(c.With, "project") != nil:
		l.checkFixed(args)
	case cmd == nil || cmd.Kind != source.KindString:
		return
	case args == nil:
		l.lowerScript(cmd, shell.Bash, call, at, func(v artifact.Value) { setField(call, "cmd", v) })
	default:
		l.lowerArgv(cmd, args, call, at)
	}
}

// checkFixed: what a project's command does with its arguments is not known,
// so that none may hold a value.
func (l *lowerer) checkFixed(args *source.Node) {
	if args == nil {
		return
	}
	for _, n := range append([]*source.Node{args}, args.Items...) {
		if n.Kind == source.KindString && strings.Contains(n.Text, "{{") {
			l.report(diag.ProgramText, n.Pos, "the repository's own command may take this value for code").
				Hintf("write the argument out")
		}
	}
}

// checkVariables refuses a value in a variable that programs read as code.
func (l *lowerer) checkVariables(env *source.Node) {
	if env == nil {
		return
	}
	for _, p := range env.Pairs {
		if shell.CodeVariable(p.Key.Val) && p.Value.Kind == source.KindString && strings.Contains(p.Value.Text, "{{") {
			l.report(diag.ProgramText, p.Value.Pos, "programs read the variable %s as code", p.Key.Val).
				Hintf("write its value out; give one arc with a guard to each value")
		}
	}
}

func pairValue(pairs []source.Pair, name string) *source.Node {
	for _, p := range pairs {
		if p.Key.Val == name {
			return p.Value
		}
	}
	return nil
}

func setField(call *artifact.Call, name string, v artifact.Value) {
	for i := range call.With {
		if call.With[i].Name == name {
			call.With[i].Value = v
			return
		}
	}
	call.With = append(call.With, artifact.Field{Name: name, Value: v})
}

// lowerArgv checks a command given as arguments, each of which the program
// gets whole. Only a script behind a shell's -c, and the program text of
// other interpreters, can be code.
func (l *lowerer) lowerArgv(cmd, args *source.Node, call *artifact.Call, at place) {
	nodes := append([]*source.Node{cmd}, args.Items...)
	argv := make([]shell.Arg, len(nodes))
	for i, n := range nodes {
		argv[i] = argOf(n)
	}
	if args.Kind == source.KindString {
		l.checkOpenArgs(args, argv[0])
	}
	script, dialect, found := shell.ScriptArg(argv)
	for i, n := range nodes {
		switch {
		case found && i == script && argv[i].Value:
			l.lowerScript(n, dialect, call, at, func(v artifact.Value) { setItem(call, i-1, v) })
		case argv[i].Value:
			l.refuseArg(n, shell.Refuse(argv, i))
		}
	}
}

// checkOpenArgs refuses a list of arguments that is only known at run time
// for a program that takes code among its arguments.
func (l *lowerer) checkOpenArgs(args *source.Node, cmd shell.Arg) {
	if strings.Contains(args.Text, "{{") && shell.TakesCode(cmd) {
		l.report(diag.ProgramText, args.Pos, "the arguments of %s may not be one value: one of them would be code", programName(cmd)).
			Hintf("write the arguments as a list")
	}
}

func argOf(n *source.Node) shell.Arg {
	if n.Kind != source.KindString {
		return shell.Arg{Text: n.Text, Fixed: n.Kind != source.KindList && n.Kind != source.KindMap}
	}
	before, _, dynamic := strings.Cut(n.Text, "{{")
	return shell.Arg{Text: before, Fixed: !dynamic, Value: dynamic}
}

func (l *lowerer) refuseArg(n *source.Node, r *shell.Reason) {
	if r != nil {
		l.report(shellCode(*r), n.Pos, "%s", r.Msg).Hint = r.Hint
	}
}

func shellCode(r shell.Reason) diag.Code {
	if r.Program {
		return diag.ProgramText
	}
	return diag.ShellInterpolation
}

func setItem(call *artifact.Call, i int, v artifact.Value) {
	for _, f := range call.With {
		if f.Name == "args" && i < len(f.Value.List) {
			f.Value.List[i] = v
		}
	}
}

// lowerScript replaces the values in a script by variables, and sets these
// in the call's environment. A script without values stays as it is.
func (l *lowerer) lowerScript(n *source.Node, d shell.Dialect, call *artifact.Call, at place, put func(artifact.Value)) {
	s := n.Str()
	pieces, err := expr.Split(s.Val)
	if err != nil || !interpolated(pieces) {
		return // reported with the value itself
	}
	if onlyValue(pieces) && l.settled(pieces) {
		return // the value is the script, as its author or a binding wrote it
	}
	if onlyValue(pieces) {
		l.report(diag.ScriptIsOneValue, s.Pos, "this script is one value, so the value would be the code").
			Hintf("write the command out, or take it from a world key that nothing writes: then only its default and a binding say what it is")
		return
	}
	if strings.Contains(s.Val, variablePrefix) {
		l.report(diag.ShellInterpolation, s.Pos, "names that begin with %s are taken", variablePrefix).
			Hintf("choose another name")
		return
	}
	text, env := l.editScript(s, pieces, d, at)
	if text == "" {
		return
	}
	put(artifact.Value{Literal: quote(text)})
	l.addEnv(n, call, env)
}

// settled tells whether a script that is one value is a world key that the
// story never writes, so that no slot, result or prompt can become code.
func (l *lowerer) settled(pieces []expr.Piece) bool {
	for _, p := range pieces {
		if !p.IsExpr {
			continue
		}
		key, ok := strings.CutPrefix(strings.TrimSpace(p.Expr), "world.")
		return ok && identifier(key) && !l.written(key)
	}
	return false
}

// written tells whether an effect of the story, or what seeds an imported
// one, gives a world key a value.
func (l *lowerer) written(key string) bool {
	for _, r := range l.rooms.list {
		if r.src.Fold != nil && l.seeded(r.src.Fold.Seed, key) {
			return true
		}
		if writes(r.src.OnEnter, key) || writes(r.src.Abort, key) {
			return true
		}
		for _, on := range r.src.On {
			for _, a := range on.Arcs {
				if writes(a.Effects, key) {
					return true
				}
			}
		}
	}
	return false
}

// seeded: an imported story's key gets a value that was made when the importing
// one ran. One that is another key nothing writes was not.
func (l *lowerer) seeded(seed []source.Pair, key string) bool {
	v := pairValue(seed, key)
	if v == nil || v.Kind != source.KindString || !strings.Contains(v.Text, "{{") {
		return false
	}
	pieces, err := expr.Split(v.Text)
	return err != nil || !onlyValue(pieces) || !l.settled(pieces)
}

func writes(list []source.Effect, key string) bool {
	for _, e := range list {
		if hasPair(e.Set, key) || hasPair(e.Increment, key) || hasPair(e.Bind, key) {
			return true
		}
	}
	return false
}

func onlyValue(pieces []expr.Piece) bool {
	values := 0
	for _, p := range pieces {
		if p.IsExpr {
			values++
		} else if strings.TrimSpace(p.Text) != "" {
			return false
		}
	}
	return values == 1
}

// editScript gives the script and its variables; "" after a fault.
func (l *lowerer) editScript(s source.Str, pieces []expr.Piece, d shell.Dialect, at place) (string, []artifact.Field) {
	var cut []shell.Piece
	var env []artifact.Field
	for _, p := range pieces {
		if !p.IsExpr {
			cut = append(cut, shell.Piece{Text: p.Text})
			continue
		}
		l.checkScalar(s, p, at)
		name := variable(len(env))
		cut = append(cut, shell.Piece{Name: name, Int: l.isInt(p.Expr, at)})
		env = append(env, artifact.Field{Name: name, Value: artifact.Value{Expr: &artifact.Expr{Src: p.Expr, Pos: s.At(p.Offset)}}})
	}
	text, faults := shell.Edit(cut, d)
	for _, f := range faults {
		code := shellCode(f.Reason)
		if f.Parse {
			code = diag.BadShell
		}
		l.report(code, s.At(pieces[f.Piece].Offset+f.Offset), "%s", f.Msg).Hint = f.Hint
	}
	return text, env
}

// isInt tells whether an expression gives a whole number whatever the world
// holds. One of no known type fits everything, and is none.
func (l *lowerer) isInt(src string, at place) bool {
	return expr.Check(src, at.scope, artifact.TypeInt) == nil && expr.Check(src, at.scope, artifact.TypeString) != nil && expr.Check(src, at.scope, artifact.TypeBool) != nil
}

// checkScalar refuses a list or map where the shell takes one text.
func (l *lowerer) checkScalar(s source.Str, p expr.Piece, at place) {
	if expr.Check(p.Expr, at.scope, artifact.TypeAny) != nil {
		return // reported with the value itself
	}
	for _, t := range []artifact.Type{artifact.TypeList, artifact.TypeObject} {
		if expr.Check(p.Expr, at.scope, t) == nil && expr.Check(p.Expr, at.scope, artifact.TypeString) != nil {
			l.report(diag.ShellInterpolation, s.At(p.Offset), "this value is %s, and a script takes text", article(t)).
				Hintf("use args, or join it: join(…, \" \")")
		}
	}
}

// addEnv appends the variables to the call's env, which must be a map that
// is written out.
func (l *lowerer) addEnv(n *source.Node, call *artifact.Call, env []artifact.Field) {
	for _, f := range call.With {
		if f.Name != "env" {
			continue
		}
		own, ok := envFields(f.Value)
		if !ok {
			l.report(diag.BadArgument, n.Pos, "a script with values needs an env that is written out as a map").
				Hintf("write env: {NAME: \"{{ … }}\"}")
			return
		}
		env = append(own, env...)
	}
	setField(call, "env", artifact.Value{Object: env})
}

// envFields are the entries of an env, sorted by name when they were
// literal.
func envFields(v artifact.Value) ([]artifact.Field, bool) {
	if v.Object != nil || v.Literal == nil {
		return v.Object, v.Object != nil
	}
	entries := map[string]json.RawMessage{}
	if json.Unmarshal(v.Literal, &entries) != nil {
		return nil, false
	}
	var out []artifact.Field
	for name, value := range entries {
		out = append(out, artifact.Field{Name: name, Value: artifact.Value{Literal: value}})
	}
	slices.SortFunc(out, func(a, b artifact.Field) int { return strings.Compare(a.Name, b.Name) })
	return out, true
}

// programName is a command's program in a message.
func programName(cmd shell.Arg) string {
	if cmd.Text == "" {
		return "a program that is a value"
	}
	return cmd.Text
}
