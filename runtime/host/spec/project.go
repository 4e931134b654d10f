package spec

import "kitsoki/runtime/artifact"

// jobs are what host.project looks for and host.run runs by project.
func jobs() []string { return []string{"test", "lint", "format", "build", "install", "run"} }

// projectRow is host.project: the repository's own command for a job.
func projectRow() Call {
	return Call{
		Name:   "host.project",
		Effect: Read,
		Doc:    "Finds the repository's own command for a job: a target of a Makefile or a script of package.json with the job's name, else the convention of its language. Runs nothing.",
		Params: []Param{
			{Name: "find", Type: artifact.TypeString, Required: true, Enum: jobs(), Doc: "The job."},
		},
		Results: []Result{
			{Name: "found", Type: artifact.TypeBool, Doc: "There is exactly one command."},
			{Name: "command", Type: artifact.TypeString, Doc: "The command as a person would type it; empty when there is not exactly one."},
			{Name: "argv", Type: artifact.TypeList, Doc: "The command, an item a word."},
			{Name: "dir", Type: artifact.TypeString, Doc: "The directory it belongs to, absolute: the nearest project upwards within the repository."},
			{Name: "tool", Type: artifact.TypeString, Doc: "The program that is run, such as make, npm, go, cargo or uv."},
			{Name: "reason", Type: artifact.TypeString, Doc: "Why there is none, or several; empty when there is one."},
		},
	}
}
