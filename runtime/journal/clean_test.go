package journal

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"kitsoki/runtime/secret"
	"kitsoki/runtime/secret/mask"
)

func masker() Masker { return mask.Text }

func TestNoSecretReachesTheFile(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	const word = "hunter2hunter2"
	text := "password=" + word
	slots, err := json.Marshal(map[string]any{"message": text, "list": []string{text}, "n": 3})
	must(t, err)
	_, err = j.Matched(Head{}, Matched{Input: text, Slots: slots})
	must(t, err)
	_, err = j.Passed(Head{}, Passed{Input: text, Detail: text})
	must(t, err)
	data, err := os.ReadFile(j.Path)
	must(t, err)
	if strings.Contains(string(data), word) || strings.Count(string(data), secret.Masked) != 5 || !strings.Contains(string(data), `"n":3`) {
		t.Errorf("trace:\n%s", data)
	}
}

func TestCleanCutsAtACharacter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", maxText)
	got := masker().Text(long)
	if !utf8.ValidString(got) || len(got) > maxText+len("…") || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
	}
	secret := strings.Repeat("x ", maxText/2-8) + "password=" + strings.Repeat("q", 100)
	if strings.Contains(masker().Text(secret), "q") {
		t.Error("a secret at the cut was kept in part")
	}
	if masker().JSON(json.RawMessage("{broken")) != nil {
		t.Error("broken JSON was kept")
	}
}

// TestWithoutAMaskerASecretIsWithheld: nothing of the text is kept then.
func TestWithoutAMaskerASecretIsWithheld(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	j.Mask = nil
	_, err := j.Passed(Head{}, Passed{Input: "why is password=hunter2 refused", Detail: "of a plain kind"})
	must(t, err)
	data, err := os.ReadFile(j.Path)
	must(t, err)
	if !strings.Contains(string(data), `"input":"[masked]"`) || !strings.Contains(string(data), `"detail":"of a plain kind"`) {
		t.Errorf("trace:\n%s", data)
	}
}
