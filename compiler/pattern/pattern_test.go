package pattern

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kitsoki/runtime/artifact"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for src, offset := range map[string]int{
		"run (a|b": 4, "run a)": 5, "a | b": 2, "run [": 5, "test[s]": 4, "pre(a|b)": 3, "[a]b": 3, "run {": 4,
		"run {a b}": 5, "run <>": 5, "(a|)": 3, "run (a]": 6, "x > y": 2, "[]": 1,
	} {
		if n, err := Parse(src); err == nil || err.Offset != offset || err.Hint == "" {
			t.Errorf("Parse(%q): expected an error with a hint at %d, observed %v %+v", src, offset, n, err)
		}
	}
}

// TestBracketsBesideUnspacedScripts: a Han or Kana character is a whole word,
// so that nothing is cut by a bracket beside it.
func TestBracketsBesideUnspacedScripts(t *testing.T) {
	t.Parallel()
	for src, refused := range map[string]bool{
		"运行[一下]测试": false, "「{m}」というメッセージで": false, "(信息：|标题){m}": false, "サーバー[を]止めて": false,
		"main[に]": true, "[に]main": true, "é[a]": true,
	} {
		if _, err := Parse(src); (err != nil) != refused {
			t.Errorf("Parse(%q): observed %v", src, err)
		}
	}
}

// language is a small vocabulary and scope for tests.
type language struct{ words []string }

func (l *language) id(w string) uint32 {
	if i := slices.Index(l.words, w); i >= 0 {
		return uint32(i)
	}
	l.words = append(l.words, w)
	return uint32(len(l.words) - 1)
}

func (l *language) program(t *testing.T, src string, rules map[string]string) []artifact.Inst {
	t.Helper()
	n, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := Compile(n, Scope{
		Token: l.id,
		Slot:  func(string) (SlotInfo, bool) { return SlotInfo{}, false },
		Rule: func(name string) (*Node, bool) {
			n, err := Parse(rules[name])
			return n, err == nil && rules[name] != ""
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

func (l *language) dfa(t *testing.T, progs ...[]artifact.Inst) *DFA {
	t.Helper()
	n := NewNFA()
	for i, p := range progs {
		n.Program(0, p, func(at int, _ bool) { n.Accept(at, uint32(i)) })
	}
	d, ok := n.Determine(Words{Class: make([]uint32, len(l.words)+1)}, MaxStates)
	if !ok {
		t.Fatal("too many states")
	}
	return d
}

func accepts(d *DFA, tokens []uint32) []uint32 {
	state, ok := uint32(0), true
	for _, tok := range tokens {
		if state, ok = d.Step(state, tok); !ok {
			return nil
		}
	}
	return d.States[state].Accepts
}

func TestAutomatonAcceptsWhatThePatternSays(t *testing.T) {
	t.Parallel()
	var l language
	rules := map[string]string{"det": "(the|my)"}
	d := l.dfa(t, l.program(t, "run [<det>] (tests|test suite) [now]", rules), l.program(t, "run my tests", nil))
	d.Minimise()
	for src, want := range map[string][]uint32{
		"run tests": {0}, "run my tests": {0, 1}, "run the test suite now": {0}, "run": nil, "run the": nil,
		"tests": nil, "run the my tests": nil, "run test": nil, "run tests now now": nil,
	} {
		var tokens []uint32
		n, _ := Parse(src)
		n.Walk(func(k *Node) {
			if k.Kind == Word {
				tokens = append(tokens, l.id(k.Text))
			}
		})
		if got := accepts(d, tokens); !slices.Equal(got, want) {
			t.Errorf("%q: expected %v, observed %v", src, want, got)
		}
	}
}

// TestMinimiseKeepsTheLanguage compares an automaton with its small form on
// random texts of its own words.
func TestMinimiseKeepsTheLanguage(t *testing.T) {
	t.Parallel()
	var l language
	var progs [][]artifact.Inst
	for _, src := range []string{"(g b c|h b c) [f]", "a (b|b c) d", "[a] [b] [c] d", "(a|b|c) (d|e|f)"} {
		progs = append(progs, l.program(t, src, nil))
	}
	big, small := l.dfa(t, progs...), l.dfa(t, progs...)
	small.Minimise()
	if len(small.States) >= len(big.States) {
		t.Errorf("%d states became %d", len(big.States), len(small.States))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		tokens := make([]uint32, rnd.IntN(6))
		for i := range tokens {
			tokens[i] = uint32(rnd.IntN(len(l.words)))
		}
		if a, b := accepts(big, tokens), accepts(small, tokens); !slices.Equal(a, b) {
			t.Fatalf("%v: %v became %v", tokens, a, b)
		}
	}
}

func TestRulesCannotGoInCircles(t *testing.T) {
	t.Parallel()
	n, _ := Parse("run <a>")
	sc := Scope{Token: func(string) uint32 { return 0 }, Rule: func(string) (*Node, bool) { k, _ := Parse("x <a>"); return k, true }}
	if _, err := Compile(n, sc); err == nil || err.Offset != 4 {
		t.Errorf("observed %v", err)
	}
}

func TestDetermineKeepsItsLimit(t *testing.T) {
	t.Parallel()
	var l language
	n := NewNFA()
	n.Program(0, l.program(t, "a b c d e", nil), func(at int, _ bool) { n.Accept(at, 0) })
	if _, ok := n.Determine(Words{Class: make([]uint32, 8)}, 3); ok {
		t.Error("six states fitted into three")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"run [the] (tests|suite)", "a {b} <c>", "((((", "[a[b]]", "“x”"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		if err != nil {
			if err.Offset < 0 || err.Offset > len(s) || err.Msg == "" {
				t.Fatalf("%q: %+v", s, err)
			}
			return
		}
		n.Walk(func(k *Node) {
			if k.Offset < 0 || k.Offset > len(s) {
				t.Fatalf("%q: a node at %d", s, k.Offset)
			}
		})
	})
}
