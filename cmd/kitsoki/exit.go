package main

import (
	"kitsoki/runtime/hook"
	"kitsoki/runtime/intercept"
)

// The exit status of every verb. README's table is compared with these.
const (
	exitOK       = 0                   // done; explain: it would be taken
	exitFindings = 1                   // mistakes found, a test failed, a command was not done
	exitTerminal = 2                   // intercept: the command ended its session
	exitStop     = hook.StopStatus     // hook run: the prompt is stopped, for an agent that is told so by status
	exitUsage    = intercept.ExitUsage // wrong usage, no binding, nothing usable
	exitPass     = intercept.ExitPass  // intercept, explain: the prompt is the model's
)
