package spec

import "kitsoki/runtime/artifact"

// taskRow is host.agent.task: a task agent that works in files.
func taskRow() Call {
	return Call{
		Name: "host.agent.task", Effect: Network, Drives: true,
		Doc: "Lets a task agent work on files until what it submits fits the schema. Only a drive makes this call.",
		Params: append(
			agentParams(),
			Param{Name: "working_dir", Type: artifact.TypeString, Doc: "Where it works; the working directory when absent."},
			Param{Name: "files", Type: artifact.TypeList, Doc: "Paths relative to working_dir that it may change, directories with all below them; every file below working_dir when absent. Any other change is put back."},
			Param{Name: "acceptance", Type: artifact.TypeObject, Doc: "schema, which what it submits must fit, and post_cmd, a command that must succeed."},
			Param{Name: "timeout", Type: artifact.TypeString, Doc: "How long one attempt may take, such as 5m."},
			Param{Name: "max_retries", Type: artifact.TypeInt, Doc: "How often it may try again, told why it was not accepted; 0 when absent."},
		),
		Results: append(
			[]Result{
				{Name: "submitted", Type: artifact.TypeAny, Open: true, Doc: "What it submitted, which fits the schema."},
				{Name: "files_changed", Type: artifact.TypeList, Doc: "Paths it changed, relative to working_dir, sorted."},
			},
			agentResults()...,
		),
	}
}

// decideRow is host.agent.decide: a task agent that only answers.
func decideRow() Call {
	return Call{
		Name: "host.agent.decide", Effect: Network, Drives: true,
		Doc:    "Asks a task agent for a decision that fits the schema; it changes no file. Only a drive makes this call.",
		Params: agentParams(),
		Results: append(
			[]Result{
				{Name: "submitted", Type: artifact.TypeAny, Open: true, Doc: "The decision, which fits the schema."},
				{Name: "rationale", Type: artifact.TypeString, Doc: "Why, in its words."},
			},
			agentResults()...,
		),
	}
}

func agentParams() []Param {
	return []Param{
		{Name: "agent", Type: artifact.TypeString, Doc: "Its name under agents; the effect's own key agent says the same."},
		{Name: "prompt", Type: artifact.TypeString, Required: true, Doc: "What it is asked: text, or a file that ends in .md."},
		{Name: "args", Type: artifact.TypeObject, Doc: "Values that a prompt file names as args."},
		{Name: "schema", Type: artifact.TypeAny, Doc: "The JSON Schema of what it submits: a map, or a file that ends in .json."},
	}
}

// agentResults are what every call of a task agent tells of its work.
func agentResults() []Result {
	return []Result{
		{Name: "attempts", Type: artifact.TypeInt, Doc: "How often it tried."},
		{Name: "put_back", Type: artifact.TypeList, Doc: "Paths that it changed and may not, sorted: they are as they were. Those below .git stand for the repository's own, such as .git/HEAD."},
		{Name: "changed_meanwhile", Type: artifact.TypeList, Doc: "What changed elsewhere while it worked and was left, sorted: it may be the person's."},
		{Name: "set_aside", Type: artifact.TypeString, Doc: "The directory that keeps what stood in the place of what was put back; empty when nothing did."},
		{Name: "agent", Type: artifact.TypeString, Doc: "The agent's name."},
		{Name: "cost_usd", Type: artifact.TypeFloat, Doc: "What it cost in US dollars, all attempts together; 0 when the agent does not say."},
		{Name: "tokens", Type: artifact.TypeInt, Doc: "Tokens read and written, all attempts together; 0 when the agent does not say."},
		{Name: "duration_ms", Type: artifact.TypeInt, Doc: "How long agent and post_cmd ran."},
		{Name: "reason", Type: artifact.TypeString, Doc: "Why the last attempt that was not accepted was not; empty when there was none."},
	}
}
