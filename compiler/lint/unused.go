package lint

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
)

// unusedWorld: a key that is only written tells nobody anything. The engine's
// own keys are for the engine.
func unusedWorld(s *subject) {
	for _, k := range s.Story.World {
		switch k.Name.Val {
		case "last_error", "host_error", "session_id":
			continue
		}
		if !s.uses.world[k.Name.Val] && !s.uses.wholeWorld {
			s.ds.Addf(diag.UnusedWorld, k.Name.Pos, "nothing reads the world key %s", k.Name.Val).
				Hintf("remove it, or list it in relevant_world")
		}
	}
}

// unusedSlot: a slot that no phrase and no emitted turn fills, or whose value
// nobody looks at.
func unusedSlot(s *subject) {
	for _, in := range allIntents(s.Story) {
		captured := captures(in)
		for _, slot := range in.Slots {
			name := slot.Name.Val
			switch {
			case !captured[name] && !s.uses.filled[in.Name.Val][name]:
				s.ds.Addf(diag.UnusedSlot, slot.Name.Pos, "no phrase of %s fills the slot %s", in.Name.Val, name).
					Hintf("put {%s} into a phrase, or remove the slot", name)
			case !s.uses.slots[name]:
				s.ds.Addf(diag.UnusedSlot, slot.Name.Pos, "nothing reads the slot %s of %s", name, in.Name.Val).
					Hintf("use slots.%s, or write the phrase without it", name)
			}
		}
	}
}

// captures are the slots that an intent's phrases fill.
func captures(in *source.Intent) map[string]bool {
	out := map[string]bool{}
	for _, p := range phrasesOf(in) {
		n, err := pattern.Parse(p.Val)
		if err != nil {
			continue
		}
		n.Walk(func(k *pattern.Node) {
			if k.Kind == pattern.Slot {
				out[k.Text] = true
			}
		})
	}
	return out
}

func unusedRule(s *subject) {
	for _, r := range s.Story.Routing.Rules {
		if !s.uses.rules[r.Name.Val] {
			s.ds.Addf(diag.UnusedRule, r.Name.Pos, "no phrase uses the rule <%s>", r.Name.Val).Hintf("remove it")
		}
	}
}

func unusedHost(s *subject) {
	for _, h := range s.Story.Hosts {
		if !s.uses.calls[h.Val] {
			s.ds.Addf(diag.UnusedHost, h.Pos, "the story never calls %s", h.Val).
				Hintf("remove it: hosts says how far a story can reach")
		}
	}
}

// hiddenPhrases: only other intents can emit a hidden one.
func hiddenPhrases(s *subject) {
	for _, in := range allIntents(s.Story) {
		if list := phrasesOf(in); in.Hidden && len(list) > 0 {
			s.ds.Addf(diag.HiddenPhrases, list[0].Pos, "the intent %s is hidden, so nobody can type its phrases", in.Name.Val).
				Hintf("remove hidden: true when people may type them, else the phrases")
		}
	}
}

// fewPassPhrases: what must not be taken needs more tests than what must.
func fewPassPhrases(s *subject) {
	if len(s.Program.Intents) == 0 || s.Story.Routing.Disabled {
		return
	}
	if !s.Tested {
		s.ds.Addf(diag.FewPassPhrases, s.Story.App.Pos, "the story has no phrases.yaml").
			Hintf("write what must match and, at more length, what must reach the model")
		return
	}
	pass := len(slices.DeleteFunc(slices.Clone(s.Cases), isMatch))
	if match := len(s.Cases) - pass; pass < match {
		s.ds.Addf(diag.FewPassPhrases, s.Cases[0].Pos, "%d phrases must match and only %d must pass", match, pass).
			Hintf("add prompts that use the same words and are meant for the model: questions, negations, reports")
	}
}
