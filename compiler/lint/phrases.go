package lint

import (
	"encoding/json"
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/storytest"
)

func isMatch(c storytest.Case) bool { return c.Intent != "" }

func unquote(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// badPhraseTest: routing tests that can't be run test nothing.
func badPhraseTest(s *subject) {
	if s.File == nil {
		return
	}
	for _, c := range s.Cases {
		room, ok := s.File.Room(c.Room)
		if !ok {
			s.ds.Addf(diag.BadPhraseTest, c.Pos, "there is no room %s", c.Room).Hintf("name a state of the story")
			continue
		}
		offered := func(id uint32) bool { return s.File.Intent(id).Name == c.Intent }
		if isMatch(c) && !slices.ContainsFunc(room.Intents, offered) {
			s.ds.Addf(diag.BadPhraseTest, c.Pos, "the room %s offers no intent %s", c.Room, c.Intent).Hintf("name an intent that the room answers")
		}
	}
}
