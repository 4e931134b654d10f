package agent

import (
	"cmp"
	"time"
)

// droid is Factory Droid. Contract:
// https://docs.factory.ai/reference/hooks-reference. Its payload is Claude
// Code's of old, so the environment alone tells them apart.
func droid() Row {
	return Row{
		Name:    "droid",
		Title:   "Factory Droid",
		Mark:    Documented,
		Can:     Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Timeout: Timeout{Unit: time.Second, Default: 60 * time.Second},
		Decode:  decoder(readDroid),
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "droid", "FACTORY_PROJECT_DIR")
		},
		Block:   blockDecision,
		Context: contextClaude,
	}
}

func readDroid(p *payload) Event {
	e := readShared(p)
	e.foreign = cmp.Or(p.foreign(), p.any("prompt_id"))
	e.lacks = p.lacks("session_id", "permission_mode")
	return e
}
