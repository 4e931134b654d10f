package spec

import "kitsoki/runtime/artifact"

// runRow is host.run: one program, or one shell script.
func runRow() Call {
	return Call{
		Name:    "host.run",
		Effect:  Write,
		Doc:     "Runs one program with its arguments, or, without args, cmd as a bash script, or the repository's own command for a job.",
		OneOf:   []string{"cmd", "project"},
		Params:  runParams(),
		Results: runResults(),
	}
}

func runParams() []Param {
	return []Param{
		{Name: "cmd", Type: artifact.TypeString, Doc: "The program to start; without args, a script for bash."},
		{Name: "project", Type: artifact.TypeString, Enum: jobs(), Doc: "Instead of cmd: the command that host.project finds for the job, in its directory; args are added to it."},
		{Name: "args", Type: artifact.TypeList, Doc: "The program's arguments, one item each; never split, never expanded."},
		{Name: "cwd", Type: artifact.TypeString, Doc: "The directory to start in, relative to the working directory and inside it, or absolute."},
		{Name: "env", Type: artifact.TypeObject, Doc: "Variables added to the environment."},
		{Name: "timeout", Type: artifact.TypeString, Doc: "A duration such as 30s or 2m; the command's budget is the limit when it is shorter."},
		{Name: "stdin", Type: artifact.TypeString, Doc: "Text for standard input; empty input when absent."},
		{Name: "ready", Type: artifact.TypeString, Doc: "For an intent with detach: what the command prints once it is ready; without it, it must be alive after 2 s."},
		{Name: "fail_on_error", Type: artifact.TypeBool, Doc: "A non-zero exit is a domain error instead of data."},
		{
			Name: "effect", Type: artifact.TypeString, Enum: []string{string(Read), string(Write), string(Network), string(Destructive)},
			Doc: "How far the command reaches; write when absent.",
		},
	}
}

func runResults() []Result {
	return []Result{
		{Name: "command", Type: artifact.TypeString, Doc: "What was run, as a person would type it."},
		{Name: "stdout", Type: artifact.TypeString, Doc: "Standard output and error together as they came, capped at 1 MiB, a cut marked."},
		{Name: "stderr", Type: artifact.TypeString, Doc: "Standard error alone, capped at 1 MiB, a cut marked."},
		{Name: "exit_code", Type: artifact.TypeInt, Doc: "The exit status; 128 + n after signal n, -1 when the command was cut by its time-out."},
		{Name: "ok", Type: artifact.TypeBool, Doc: "Exit status 0 and not timed out."},
		{Name: "timed_out", Type: artifact.TypeBool, Doc: "The command was cut by its time-out."},
		{Name: "pid", Type: artifact.TypeInt, Doc: "For an intent with detach: the process, and group, that was left running; 0 when it ended before it was ready."},
		{Name: "log", Type: artifact.TypeString, Doc: "For an intent with detach: the file that takes what it prints."},
		{Name: "duration_ms", Type: artifact.TypeInt, Doc: "How long it ran, in milliseconds."},
		{Name: "stdout_json", Type: artifact.TypeAny, Open: true, Doc: "The last JSON value on standard output that fills a line or ends the output; null when there is none."},
	}
}
