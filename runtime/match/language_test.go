package match_test

import (
	"testing"

	"kitsoki/runtime/match"
)

// TestQuestionsThatAsk: a request is one where its language puts it, and one
// that could be a statement needs a question or a please.
func TestQuestionsThatAsk(t *testing.T) {
	t.Parallel()
	const body = `
root: r
intents: {push: {examples: ["push"]}}
states: {r: {on: {push: {target: .}}}}
`
	for locale, prompts := range map[string]map[string]string{
		"zh": {
			"你能push吗？": "push", "你能push吗": "push", "你能push？": "push", "请你能push": "push", "你能push": "",
			"push吗": "", "push吗？": "", "请push吗": "", "你能不能push": "push", "你能不能push吗": "push", "push？": "",
		},
		"ja": {
			"pushしてくれますか？": "push", "pushしてくれますか": "push", "pushしてくれる？": "push", "pushしてくれる": "",
			"すみませんが、pushしてくれる": "push", "push？": "", "pushしてください？": "",
		},
		"fr": {"tu peux push ?": "push", "tu peux push": "", "tu peux push stp": "push", "peux-tu push": "push", "push ?": ""},
	} {
		f, r := open(t, "app: {id: asks}\nrouting: {locale: "+locale+"}"+body)
		for prompt, want := range prompts {
			got := ""
			var s match.Scratch
			if d := match.Decide(match.Classify(f, query(r, prompt), &s), match.Policy{}, facts()); d.Intercept {
				got = d.Hit.Intent
			}
			if got != want {
				t.Errorf("%s %q: expected %q, observed %q", locale, prompt, want, got)
			}
			if takes := match.WouldTake(f, "push", prompt, &s); takes != (want != "") {
				t.Errorf("%s %q: WouldTake says %v", locale, prompt, takes)
			}
		}
	}
}

// TestCoreIsSpelledAsItsScript: what explain proposes to add can be pasted.
func TestCoreIsSpelledAsItsScript(t *testing.T) {
	t.Parallel()
	f, _ := open(t, story)
	for prompt, want := range map[string]string{"please 运行main 测试": "运行 main 测试", "ok, Rebase IT now": "rebase it"} {
		var s match.Scratch
		if got := match.Core(f, prompt, &s); got != want {
			t.Errorf("%q: expected %q, observed %q", prompt, want, got)
		}
	}
}
