package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// OpenOptions names the variables, of those that begin with prefix, whose
// value stands where a command could take it for an option: at the start of
// an argument, behind no "--" and no option that would take it as its own
// argument. The script is one that Edit gave.
func OpenOptions(script, prefix string, d Dialect) []string {
	file, err := parser(d).Parse(strings.NewReader(script), "")
	if err != nil {
		return nil
	}
	var out []string
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			out = append(out, openArgs(call.Args, prefix)...)
		}
		return true
	})
	return out
}

func openArgs(args []*syntax.Word, prefix string) []string {
	if len(args) == 0 || takesWords(args[0].Lit()) {
		return nil
	}
	var out []string
	for i, arg := range args[1:] {
		before := args[i].Lit() // the argument before this one
		if before == "--" {
			break
		}
		name := leading(arg.Parts)
		if strings.HasPrefix(name, prefix) && (i == 0 || !strings.HasPrefix(before, "-")) {
			out = append(out, name)
		}
	}
	return out
}

// takesWords: commands that print, or that know each argument's part by its
// place.
func takesWords(command string) bool {
	switch command {
	case "echo", "printf", "test", "[":
		return true
	}
	return false
}

// leading is the variable that a word begins with, "" when it begins with
// text.
func leading(parts []syntax.WordPart) string {
	if len(parts) == 0 {
		return ""
	}
	switch p := parts[0].(type) {
	case *syntax.ParamExp:
		return p.Param.Value
	case *syntax.DblQuoted:
		return leading(p.Parts)
	}
	return ""
}
