package hook

// Outcome is how an execution ended.
type Outcome string

// The outcomes.
const (
	Transitioned Outcome = "transitioned"
	Resolved     Outcome = "resolved"
	Terminal     Outcome = "terminal"
	Rejected     Outcome = "rejected"
	Incomplete   Outcome = "incomplete"
	Confirm      Outcome = "confirm"
	Duplicate    Outcome = "duplicate"
	Failed       Outcome = "failed"
	TimedOut     Outcome = "timed_out"
	Aborted      Outcome = "aborted"
	AbortFailed  Outcome = "abort_failed"
	Failure      Outcome = "error" // before any effect
)

// answer says what becomes of the prompt.
type answer uint8

const (
	silent answer = iota // it passes
	stop                 // it stops, and the person reads the report
	hint                 // it passes, and the model reads why nothing ran
	facts                // it passes, and the model reads what ran and how it ended
)

// row says how an outcome is answered: by an agent that takes a text along
// with a passing prompt, and by one that does not.
type row struct {
	outcome        Outcome
	along, without answer
}

// table is the one place that says what stops a prompt.
func table() []row {
	return []row{
		{Transitioned, stop, stop},
		{Resolved, stop, stop},
		{Terminal, stop, stop},
		{Rejected, hint, silent},
		{Incomplete, hint, silent},
		{Confirm, stop, stop},
		{Duplicate, stop, stop},
		{Failed, facts, stop},
		{TimedOut, facts, stop},
		{Aborted, stop, stop},
		{AbortFailed, stop, stop},
		{Failure, silent, silent},
	}
}

// answerTo looks an outcome up; one that is not in the table is silence.
func answerTo(o Outcome, takesContext bool) answer {
	for _, r := range table() {
		if r.outcome != o {
			continue
		}
		if takesContext {
			return r.along
		}
		return r.without
	}
	return silent
}

// succeeded says whether the command did what was asked.
func (o Outcome) succeeded() bool {
	return o == Transitioned || o == Resolved || o == Terminal
}

// ran says whether anything of the command was executed.
func (o Outcome) ran() bool { return o != Rejected && o != Failure }
