package text

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"  run the tests\n", "run|the|tests"},
		{"RUN the Tests!", "run|the|tests|!"},
		{"let's go", "lets|go"},
		{"don't rebase", "do|not|rebase"},
		{"don’t rebase", "do|not|rebase"},
		{"dont rebase", "do|not|rebase"},
		{"cannot", "can|not"},
		{"git checkout feature/x-1.", "git|checkout|feature/x-1|."},
		{"npm run test:ci", "npm|run|test:ci"},
		{"edit go.mod, please", "edit|go.mod|,|please"},
		{"@file.go #42 -rf --force ./x .gitignore", "@file.go|#42|-rf|--force|./x|.gitignore"},
		{"“Fix it”", "\"|fix|it|\""},
		{"he said 'push'", "he|said|'|push|'"},
		{"commit: fix", "commit|:|fix"},
		{"wait… push", "wait|.|.|.|push"},
		{"add – commit", "add|-|commit"},
		{"a & b + c", "a|&|b|+|c"},
		{"ＲＵＮ", "run"},
		{"ﬁx", "fix"},
		{"Straße STRASSE", "strasse|strasse"},
		{"Σίσυφος ΣΊΣΥΦΟΣ", "σίσυφοσ|σίσυφοσ"},
		{"运行测试。", "运|行|测|试|."},
		{"请运行测试！", "请|运|行|测|试|!"},
		{"先提交，再推送", "先|提|交|,|再|推|送"},
		{"切换到main。push", "切|换|到|main|.|push"},
		{"合并main、develop", "合|并|main|,|develop"},
		{"提交信息：fix", "提|交|信|息|:|fix"},
		{"mainにリベースして", "main|に|リ|ベ|ー|ス|し|て"},
		{"サーバーOS", "サ|ー|バ|ー|os"},
		{"ﾌﾟｯｼｭ", "プ|ッ|シ|ュ"},
		{"「fix bug」で", "\"|fix|bug|\"|で"},
		{"테스트를 실행해 줘", "테|스|트|를|실|행|해|줘"},
		{"¿Puedes empujar?", "¿|puedes|empujar|?"},
		{"¡Empuja ya!", "¡|empuja|ya|!"},
		{"peux-tu l’ouvrir ?", "peux-tu|l'ouvrir|?"},
		{"« corrige »", "\"|corrige|\""},
		{"„Fehler“ außer", "\"|fehler|\"|ausser"},
		{"push🎉", "push|🎉"},
		{"a\u200bb", "a|\u200b|b"},
		{"a\nb", "a|\n|b"},
		{"a\u00a0b", "a|b"},
		{"cafe\u0301 café", "café|café"},
		{"(rebase)", "(|rebase|)"},
		{"**push**", "*|*|push|*|*"},
		{"\"\"", "\"|\""},
	} {
		if got := strings.Join(Words(c.in), "|"); got != c.want {
			t.Errorf("Words(%q)\nexpected %s\nobserved %s", c.in, c.want, got)
		}
	}
}

func TestSpanKeepsTheOriginalBytes(t *testing.T) {
	t.Parallel()
	var x Text
	x.Parse(`commit with message “Add LRU Cache”.`)
	if got := x.Span(4, 7); got != "Add LRU Cache" {
		t.Errorf("expected the person's own spelling, observed %q", got)
	}
	x.Parse("don't push")
	if got := x.Span(0, 2); got != "don't" {
		t.Errorf("both halves of a contraction cover it whole, observed %q", got)
	}
}

func TestMixedScripts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"push": false, "рush": true, "тест": false, "über": false, "x1": false, "ーx": false, "テスト": false, "main分支": false} {
		var x Text
		x.Parse(in)
		if x.Tokens[0].Mixed != want {
			t.Errorf("%q: expected mixed %v", in, want)
		}
	}
}

func TestParseAllocatesNothingWhenReused(t *testing.T) {
	for _, prompt := range []string{
		"could you please explain why the déjà vu rebase didn't work?",
		"请运行测试，然后停止！", "「テスト」を実行してください。", "¿Puedes «empujar»?",
	} {
		var x Text
		x.Parse(prompt)
		if n := testing.AllocsPerRun(100, func() { x.Parse(prompt) }); n != 0 {
			t.Errorf("%q: expected no allocation, observed %v a parse", prompt, n)
		}
	}
}

// TestFullWidthFoldsAsNFKC: the short way gives what the normal form does.
func TestFullWidthFoldsAsNFKC(t *testing.T) {
	t.Parallel()
	for r := '！'; r <= '～'; r++ {
		if got, want := Key(string(r)), Key(norm.NFKC.String(string(r))); got != want {
			t.Errorf("%q: expected %q, observed %q", r, want, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"run the tests", "“don’t”\xff", "é\u0301\u0301", "运行 it's", "\u200d👩‍💻"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var x Text
		x.Parse(s)
		last := 0
		for i, tok := range x.Tokens {
			if tok.Start < last && tok.Start != x.Tokens[i-1].Start || tok.End < tok.Start || tok.End > len(s) {
				t.Fatalf("token %d of %q has range %d:%d after %d", i, s, tok.Start, tok.End, last)
			}
			if len(x.Word(i)) == 0 {
				t.Fatalf("token %d of %q is empty", i, s)
			}
			last = tok.Start
		}
	})
}
