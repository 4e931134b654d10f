package lint

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/shell"
	"kitsoki/runtime/artifact"
)

// variables is how the compiler names the variables that carry a script's
// values.
const variables = "KITSOKI_V"

// openOption: a value such as "-rf" where a command takes options is one. A
// ref and a path never begin with "-".
func openOption(s *subject) {
	for _, st := range s.Program.States {
		s.optionsIn(st.OnEnter, "")
	}
	s.eachArc(func(h artifact.Handler, a artifact.Arc, _ artifact.State) { s.optionsIn(a.Effects, h.Intent) })
}

func (s *subject) optionsIn(list []artifact.Effect, intent string) {
	for _, e := range list {
		if e.Invoke == nil || e.Invoke.Name != "host.run" {
			continue
		}
		args, ok := field(e.Invoke, "args")
		if ok {
			s.openArgs(args.List, intent)
			continue
		}
		cmd, _ := field(e.Invoke, "cmd")
		env, _ := field(e.Invoke, "env")
		for _, name := range shell.OpenOptions(unquote(cmd.Literal), variables, shell.Bash) {
			for _, f := range env.Object {
				if f.Name == name && f.Value.Expr != nil {
					s.openValue(*f.Value.Expr, intent)
				}
			}
		}
	}
}

// openArgs looks at a list of arguments: from its first value on, and up to
// "--", each that stands alone may be read as an option.
func (s *subject) openArgs(args []artifact.Value, intent string) {
	before := ""
	for _, v := range args {
		text := unquote(v.Literal)
		if text == "--" {
			return
		}
		if v.Expr != nil && !strings.HasPrefix(before, "-") {
			s.openValue(*v.Expr, intent)
		}
		if len(v.Parts) > 0 && v.Parts[0].Expr != nil && !strings.HasPrefix(before, "-") {
			s.openValue(*v.Parts[0].Expr, intent)
		}
		before = text
	}
}

func (s *subject) openValue(e artifact.Expr, intent string) {
	if s.neverOption(strings.TrimSpace(e.Src), intent) {
		return
	}
	s.ds.Addf(diag.OpenOption, e.Pos, "a value that begins with - would be taken for an option here").
		Hintf("put -- before it, or behind the option that takes it")
}

// neverOption: the value's type has no text that begins with "-", or has no
// text of a person's choosing.
func (s *subject) neverOption(src, intent string) bool {
	root, name, _ := strings.Cut(src, ".")
	for _, in := range s.Program.Intents {
		for _, slot := range in.Slots {
			if root == "slots" && in.Name == intent && slot.Name == name {
				return slot.Type != artifact.SlotString && slot.Type != artifact.SlotQuoted
			}
		}
	}
	for _, k := range s.Program.World {
		if root == "world" && k.Name == name {
			return k.Type == artifact.TypeInt || k.Type == artifact.TypeBool || k.Type == artifact.TypeEnum || k.Type == artifact.TypeFloat
		}
	}
	return false
}

func field(c *artifact.Call, name string) (artifact.Value, bool) {
	for _, f := range c.With {
		if f.Name == name {
			return f.Value, true
		}
	}
	return artifact.Value{}, false
}
