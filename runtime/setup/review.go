package setup

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// Reviewed looks whether the agent has been told that an entry may run, in
// the file Review beside the person's own settings. It returns a *Problem
// when it has not, nil when it has or when the agent asks for no review. That
// what was reviewed is what stands there now, only the agent knows: it keeps a
// hash of its own, and asks again when that differs.
func (r Row) Reviewed(e Entry, env func(string) string) error {
	own := r.File(User, env, "")
	if r.Review == "" || own == "" {
		return nil
	}
	file := filepath.Join(filepath.Dir(own), r.Review)
	s, err := Read(file)
	if err != nil {
		return err
	}
	var conf struct {
		Features struct {
			Hooks *bool `toml:"hooks"`
			Alias *bool `toml:"codex_hooks"`
		} `toml:"features"`
		Hooks struct {
			State map[string]struct {
				Hash    string `toml:"trusted_hash"`
				Enabled *bool  `toml:"enabled"`
			} `toml:"state"`
		} `toml:"hooks"`
	}
	if err := toml.Unmarshal(s.Data, &conf); err != nil {
		return notTOML(file, err)
	}
	off := func(b *bool) bool { return b != nil && !*b }
	if off(conf.Features.Hooks) || conf.Features.Hooks == nil && off(conf.Features.Alias) {
		return &Problem{File: file, Message: fmt.Sprintf("hooks = false keeps %s from starting kitsoki", r.Title), Hint: "take hooks = false out of [features]"}
	}
	review := fmt.Sprintf("start %s here, enter /hooks and trust the entry of kitsoki", r.Program)
	for key, state := range conf.Hooks.State {
		if !e.reviewedAs(key) {
			continue
		}
		if off(state.Enabled) {
			return &Problem{File: file, Message: fmt.Sprintf("the entry of kitsoki is switched off in %s", r.Title), Hint: fmt.Sprintf("start %s here, enter /hooks and switch the entry of kitsoki on", r.Program)}
		}
		if state.Hash != "" {
			return nil
		}
	}
	return &Problem{File: e.File, Line: e.Line, Col: e.Col, Message: fmt.Sprintf("%s does not start the entry before it has been reviewed", r.Title), Hint: review}
}

// reviewedAs says whether a key names this entry:
// FILE:user_prompt_submit:GROUP:INDEX, counted from 0.
func (e Entry) reviewedAs(key string) bool {
	const steps = 5 // the top, "hooks", the event's list, a group, its list
	if len(e.path) != steps {
		return false
	}
	place := ":user_prompt_submit:" + strconv.Itoa(e.path[2].index) + ":" + strconv.Itoa(e.path[4].index)
	file, ok := strings.CutSuffix(key, place)
	if !ok {
		return false
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return filepath.Clean(file) == e.File
}

func notTOML(file string, err error) error {
	p := &Problem{File: file, Message: "the file is not TOML: " + err.Error(), Hint: editHint}
	var parse toml.ParseError
	if errors.As(err, &parse) {
		p.Line, p.Col, p.Message = parse.Position.Line, parse.Position.Col, "the file is not TOML: "+parse.Message
	}
	return p
}
