package packs

import "testing"

func TestEveryPackLoads(t *testing.T) {
	t.Parallel()
	for _, lang := range Languages() {
		p, err := Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Lead) == 0 || len(p.Request) == 0 || len(p.Trail) == 0 || len(p.Forbidden) == 0 || len(p.FreeText) == 0 {
			t.Errorf("%s: a list is empty: %+v", lang, p)
		}
	}
	if _, err := Load("tlh"); err == nil {
		t.Error("a language without a pack was loaded")
	}
}
