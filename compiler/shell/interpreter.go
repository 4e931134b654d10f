package shell

import (
	"slices"
	"strings"
)

// interpreter is one row: which arguments of a program are its source text.
// Flags are the short options followed by source, Long their long forms. With
// First the first operand is source too, unless File is among the options.
// Valued maps an option to the number of arguments behind it.
type interpreter struct {
	flags  string
	long   []string
	first  bool
	file   []string
	valued map[string]int
}

// interpreterOf finds the row of a program, by its name without directory.
func interpreterOf(name string) (interpreter, bool) {
	switch strings.TrimRight(name, "0123456789.") {
	case "bash", "sh", "dash", "ksh", "zsh", "fish", "ash", "mksh":
		return interpreter{flags: "c", long: []string{"--command"}}, true
	case "python", "pypy":
		return interpreter{flags: "c"}, true
	case "perl", "ruby":
		return interpreter{flags: "eEMmIr"}, true
	case "node", "nodejs", "deno", "bun":
		return interpreter{flags: "epr", long: []string{"--eval", "--print", "--require", "--import", "eval"}}, true
	case "php":
		return interpreter{flags: "rBRE"}, true
	case "lua", "luajit", "osascript", "Rscript", "groovy":
		return interpreter{flags: "el"}, true
	case "awk", "gawk", "mawk", "nawk":
		return interpreter{flags: "e", long: []string{"--source"}, first: true, file: []string{"-f", "--file"}, valued: map[string]int{"-F": 1, "-v": 1, "-f": 1}}, true
	case "sed", "gsed":
		return interpreter{flags: "e", long: []string{"--expression"}, first: true, file: []string{"-f", "--file", "-e", "--expression"}, valued: map[string]int{"-f": 1, "-e": 1, "-l": 1}}, true
	case "jq", "yq", "gojq", "jaq":
		return jqRow(), true
	}
	return interpreter{}, false
}

func jqRow() interpreter {
	return interpreter{first: true, file: []string{"-f", "--from-file"}, valued: map[string]int{
		"--arg": 2, "--argjson": 2, "--slurpfile": 2, "--rawfile": 2, "--argfile": 2, "--indent": 1, "-L": 1, "-f": 1, "--from-file": 1,
	}}
}

// readsCode says whether a command may take its standard input for code: a
// shell or interpreter, itself or anywhere among the arguments.
func readsCode(args []Arg) bool {
	for i, a := range args {
		it, ok := interpreterOf(base(a.Text))
		if a.Fixed && ok && (!it.first || i == 0 && hasStdinProgram(args)) {
			return true
		}
	}
	return len(args) > 0 && runsText(base(args[0].Text))
}

// hasStdinProgram: awk, sed and jq take code from their input only when told
// to (-f - or -f /dev/stdin).
func hasStdinProgram(args []Arg) bool {
	for _, a := range args {
		if strings.HasPrefix(a.Text, "-f") || strings.HasPrefix(a.Text, "--f") {
			return true
		}
	}
	return false
}

func refuseProgram(name string, args []Arg, i int) *Reason {
	it, ok := interpreterOf(name)
	if !ok {
		return nil
	}
	if it.flagged(args, i) || !it.operandsBefore(args, i) {
		return programReason(name)
	}
	return nil
}

// flagged says whether the argument i is source because of an option: it is
// one itself, or the one before it takes source.
func (it interpreter) flagged(args []Arg, i int) bool {
	if strings.HasPrefix(args[i].Text, "-") {
		return true
	}
	before := args[i-1].Text
	for _, f := range it.flags {
		if shortFlag(before, f) {
			return true
		}
	}
	return slices.Contains(it.long, before)
}

// operandsBefore says whether the program already has its source or script
// before the argument i: a fixed operand, or an option that gives it.
func (it interpreter) operandsBefore(args []Arg, i int) bool {
	for j := 1; j < i; j++ {
		text := args[j].Text
		switch {
		case it.sourceGiven(text):
			return true
		case it.valued[text] > 0:
			if j += it.valued[text]; j >= i {
				return true // the argument is an option's value
			}
		case text == "" || strings.HasPrefix(text, "-") || backupSuffix(args, j):
		default:
			return true
		}
	}
	return false
}

func (it interpreter) sourceGiven(option string) bool {
	for _, f := range it.flags {
		if !it.first && shortFlag(option, f) {
			return true
		}
	}
	return slices.Contains(it.file, option)
}

// backupSuffix is the value sed -i takes on some systems and not on others.
func backupSuffix(args []Arg, j int) bool {
	return strings.HasPrefix(args[j-1].Text, "-i") && strings.HasPrefix(args[j].Text, ".")
}

// TakesCode says whether a program reads some of its arguments as code, or
// runs a command given there, or is not known.
func TakesCode(cmd Arg) bool {
	name := base(cmd.Text)
	_, ok := interpreterOf(name)
	return !cmd.Fixed || ok || wrapper(name) || runsText(name) || readsArguments(name)
}
