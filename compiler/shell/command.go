package shell

import (
	"path"
	"regexp"
	"strings"
)

// Arg is one argument of a command, the command itself included. Text is
// what is written out of it: all of it when Fixed, else what stands before
// the first value or expansion. Value says that it holds a value.
type Arg struct {
	Text         string
	Fixed, Value bool
}

// Refuse says why the argument i, which holds a value, would be read as code
// by the command, nil when it is plain data.
func Refuse(args []Arg, i int) *Reason {
	if i == 0 {
		return refuseName()
	}
	if !args[0].Fixed {
		return &Reason{Msg: "the command that would take this value is not written out", Hint: "write the command's name as fixed text"}
	}
	name := base(args[0].Text)
	switch {
	case readsArguments(name):
		return &Reason{Msg: "an argument of " + name + " may hold no value: it is read as code or as a name", Hint: "use another command, or pass the value by env"}
	case name == "printf" || name == "test" || name == "[":
		return refuseVariable(name, args)
	case wrapper(name):
		return refuseWrapped(name, args, i)
	case runsText(name):
		return programReason(name)
	}
	if r := refuseNested(args, i); r != nil {
		return r
	}
	if name == "git" && gitCode(args, i) {
		return programReason(name)
	}
	return refuseProgram(name, args, i)
}

// gitCode: options of git whose value git runs, and -c before the
// subcommand, which can set one.
func gitCode(args []Arg, i int) bool {
	before, own := args[i-1].Text, args[i].Text
	for _, option := range []string{"--exec", "--upload-pack", "--receive-pack", "--extcmd", "--config-env"} {
		if before == option || strings.HasPrefix(own, option+"=") {
			return true
		}
	}
	rebase := len(args) > 1 && args[1].Text == "rebase"
	return rebase && (before == "-x" || strings.HasPrefix(own, "-x")) || before == "-c" && global(args[1:i])
}

// global says whether only options stand before the subcommand.
func global(args []Arg) bool {
	for j, a := range args {
		value := j > 0 && (args[j-1].Text == "-c" || args[j-1].Text == "-C")
		if !value && !strings.HasPrefix(a.Text, "-") {
			return false
		}
	}
	return true
}

func refuseName() *Reason {
	return &Reason{Msg: "a value may not be a command's name", Hint: "write the command out; give one arc with a guard to each command"}
}

func programReason(name string) *Reason {
	return &Reason{
		Msg:     "a value may not be part of the program text of " + name,
		Hint:    "pass it as data: as an argument behind the program text, by --arg, or by env",
		Program: true,
	}
}

func base(text string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(text, `\`, "/")), ".exe")
}

// readsArguments: builtins that take an argument for code, or for the name
// of a variable whose subscript is code.
func readsArguments(name string) bool {
	switch name {
	case "eval", "let", "source", ".", "trap", "read", "unset", "mapfile", "readarray", "alias",
		"declare", "typeset", "local", "export", "readonly", "bind", "complete", "compgen", "enable", "fc", "getopts", "wait", "builtin":
		return true
	}
	return false
}

// runsText: programs that hand their arguments to a shell, or whose command
// can't be told from their other arguments.
func runsText(name string) bool {
	switch name {
	case "ssh", "su", "watch", "parallel", "script", "expect", "flock", "chroot", "runuser", "cmd", "powershell", "pwsh", "wsl":
		return true
	}
	return false
}

// CodeVariable says whether the shell, git or the program loader reads the
// variable of that name as code.
func CodeVariable(name string) bool {
	switch name {
	case "BASH_ENV", "ENV", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS3", "PS4", "IFS", "PATH", "SHELLOPTS", "BASHOPTS",
		"EDITOR", "VISUAL", "PAGER", "LESSOPEN", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES",
		"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND":
		return true
	}
	return false
}

func refuseVariable(name string, args []Arg) *Reason {
	for _, a := range args {
		if strings.HasPrefix(a.Text, "-v") || a.Text == "-R" {
			return &Reason{Msg: "a value may not stand beside -v of " + name, Hint: "-v takes a variable's name, whose subscript is code: use $(…), or test -n"}
		}
	}
	return nil
}

// wrapper: commands that run another command given in their arguments.
func wrapper(name string) bool {
	switch name {
	case "env", "timeout", "sudo", "doas", "xargs", "nice", "nohup", "exec", "command", "time", "setsid", "stdbuf", "ionice", "caffeinate":
		return true
	}
	return false
}

// refuseWrapped looks for the command a wrapper runs: only a fixed word that
// can't be an option's value counts, so that a value can never take its
// place.
func refuseWrapped(name string, args []Arg, i int) *Reason {
	if assigns(args[i].Text) {
		if v, _, _ := strings.Cut(args[i].Text, "="); CodeVariable(v) {
			return &Reason{Msg: "a value may not stand in " + v, Hint: "programs read this variable as code: write its value out"}
		}
		return nil
	}
	for j := 1; j < i; j++ {
		if commandWord(args, j) {
			return Refuse(args[j:], i-j)
		}
	}
	return &Reason{
		Msg:  "a value may not stand where " + name + " could take it for a command or an option",
		Hint: "write the command " + name + " runs as fixed text before the value, without options between",
	}
}

func commandWord(args []Arg, j int) bool {
	afterOption := strings.HasPrefix(args[j-1].Text, "-") && args[j-1].Text != "--" && !strings.Contains(args[j-1].Text, "=")
	return args[j].Fixed && !afterOption && wordPattern().MatchString(args[j].Text)
}

func wordPattern() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z./_[][\w./\[-]*$`) }

func assigns(text string) bool {
	return regexp.MustCompile(`^[A-Za-z_]\w*=`).MatchString(text)
}

// refuseNested finds a shell or interpreter among the arguments of any
// command (find -exec, git rebase --exec, docker run) and asks for it.
func refuseNested(args []Arg, i int) *Reason {
	for j := 1; j < i; j++ {
		it, ok := interpreterOf(base(args[j].Text))
		if ok && args[j].Fixed && it.flagged(args[j:], i-j) {
			return programReason(base(args[j].Text))
		}
	}
	return nil
}

// ScriptArg finds the script behind -c when the command, or the command a
// wrapper runs, is a shell that gets our environment.
func ScriptArg(args []Arg) (i int, d Dialect, ok bool) {
	for j, a := range args {
		if j > 0 && !(keepsEnvironment(args) && commandWord(args, j)) {
			continue
		}
		if d, ok := dialect(base(a.Text)); ok && a.Fixed {
			if at := afterFlag(args[j:]); at > 0 {
				return j + at, d, true
			}
		}
	}
	return 0, Bash, false
}

// keepsEnvironment: wrappers that hand on every variable. env with an option
// may clear or remove some, sudo and doas do.
func keepsEnvironment(args []Arg) bool {
	name := base(args[0].Text)
	if name == "env" {
		return len(args) > 1 && !strings.HasPrefix(args[1].Text, "-")
	}
	return wrapper(name) && name != "sudo" && name != "doas"
}

func dialect(name string) (Dialect, bool) {
	switch name {
	case "bash":
		return Bash, true
	case "sh", "dash":
		return POSIX, true
	}
	return Bash, false
}

// afterFlag is the index of the argument behind a cluster of options that
// holds c; options before it must be fixed.
func afterFlag(args []Arg) int {
	for k := 1; k+1 < len(args); k++ {
		switch {
		case !args[k].Fixed || !strings.HasPrefix(args[k].Text, "-"):
			return 0
		case shortFlag(args[k].Text, 'c'):
			return k + 1
		}
	}
	return 0
}

// shortFlag says whether a cluster of short options holds the flag.
func shortFlag(text string, flag rune) bool {
	return len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.ContainsRune(text[1:], flag)
}
