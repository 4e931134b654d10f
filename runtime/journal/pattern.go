package journal

import (
	"strings"
	"unicode/utf8"
)

// pattern is a regular expression of the few means that the secrets' patterns
// use, with regexp's syntax and meaning, which a fuzz test holds. What regexp
// itself makes before main, the tables of Unicode's classes above all, would
// cost every prompt more than its trace line does.
//
// The means: literals, sets, ".", \w \s \b \z and escaped marks, groups of
// which the first may capture, |, * + ? {n} {n,} and the lazy *?, and at the
// beginning (?i) and (?s), without which there is no ".".
type pattern struct {
	prog []step
	fold bool
}

// step is one instruction of a backtracking machine.
type step struct {
	op   stepOp
	set  set
	a, b int // of a split, a is preferred; a is the register of a save
}

type stepOp uint8

const (
	stepSet stepOp = iota // consume one character of the set
	stepSplit
	stepSave
	stepEdge // \b
	stepEnd  // \z
	stepDone
)

// set is a set of ASCII characters; inverted, it has all others too.
type set struct {
	low, high uint64
	inverted  bool
}

func (s *set) add(c byte) {
	if c < 64 {
		s.low |= 1 << c
	} else {
		s.high |= 1 << (c - 64)
	}
}

func (s *set) addAll(other set) { s.low, s.high = s.low|other.low, s.high|other.high }

func (s *set) has(r rune) bool {
	in := r < 64 && s.low>>r&1 == 1 || r >= 64 && r < 128 && s.high>>(r-64)&1 == 1
	return in != s.inverted
}

// folded maps letters that differ in case to one, as regexp does: two
// characters beyond ASCII are among them.
func folded(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r == 'ſ':
		return 's'
	case r == '\u212a': // the sign of the kelvin
		return 'k'
	}
	return r
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// compile makes a pattern of one of this package's own expressions; any other
// is a panic, which a test of all of them rules out.
func compile(expr string) *pattern {
	c := compiler{}
	rest, fold := strings.CutPrefix(expr, "(?i)")
	rest, _ = strings.CutPrefix(rest, "(?s)")
	c.rest, c.p.fold = rest, fold
	c.alternatives()
	if c.rest != "" {
		panic("pattern: " + expr)
	}
	c.emit(step{op: stepDone})
	return &c.p
}

type compiler struct {
	rest string
	p    pattern
}

func (c *compiler) emit(s step) int {
	c.p.prog = append(c.p.prog, s)
	return len(c.p.prog) - 1
}

// jump is a split whose ways are one.
func (c *compiler) jump(to int) int { return c.emit(step{op: stepSplit, a: to, b: to}) }

func (c *compiler) take(prefix string) bool {
	rest, ok := strings.CutPrefix(c.rest, prefix)
	c.rest = rest
	return ok
}

func (c *compiler) next() byte {
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}

// alternatives compiles a|b|c up to the group's end. Splits are put before
// what is compiled already, so a part's own jumps are moved.
func (c *compiler) alternatives() {
	var ends []int
	for {
		from := len(c.p.prog)
		c.sequence()
		if !c.take("|") {
			break
		}
		c.insert(from, step{op: stepSplit, a: from + 1})
		ends = append(ends, c.jump(0))
		c.p.prog[from].b = len(c.p.prog)
	}
	for _, at := range ends {
		c.p.prog[at].a, c.p.prog[at].b = len(c.p.prog), len(c.p.prog)
	}
}

// insert puts a step before those from at on, which lead to each other only.
func (c *compiler) insert(at int, s step) {
	part := append([]step(nil), c.p.prog[at:]...)
	c.p.prog = append(c.p.prog[:at], s)
	c.copyOf(part, at)
}

// copyOf emits a part again that was compiled to stand at an index.
func (c *compiler) copyOf(part []step, at int) {
	by := len(c.p.prog) - at
	for _, s := range part {
		if s.op == stepSplit {
			s.a, s.b = s.a+by, s.b+by
		}
		c.emit(s)
	}
}

func (c *compiler) sequence() {
	for c.rest != "" && c.rest[0] != '|' && c.rest[0] != ')' {
		from := len(c.p.prog)
		c.atom()
		c.repeat(from)
	}
}

// repeat compiles what follows the atom that begins at an index.
func (c *compiler) repeat(from int) {
	atom := append([]step(nil), c.p.prog[from:]...)
	switch {
	case c.take("*?"):
		c.insert(from, step{op: stepSplit, b: from + 1})
		c.jump(from)
		c.p.prog[from].a = len(c.p.prog)
	case c.take("*"):
		c.star(from)
	case c.take("+"):
		at := len(c.p.prog)
		c.copyOf(atom, from)
		c.star(at)
	case c.take("?"):
		c.insert(from, step{op: stepSplit, a: from + 1})
		c.p.prog[from].b = len(c.p.prog)
	case c.take("{"):
		n := 0
		for c.rest[0] != ',' && c.rest[0] != '}' {
			n = 10*n + int(c.next()-'0')
		}
		open := c.take(",")
		for range n - 1 {
			c.copyOf(atom, from)
		}
		if open {
			at := len(c.p.prog)
			c.copyOf(atom, from)
			c.star(at)
		}
		c.next() // the brace
	}
}

// star repeats what stands from an index on.
func (c *compiler) star(from int) {
	c.insert(from, step{op: stepSplit, a: from + 1})
	c.jump(from)
	c.p.prog[from].b = len(c.p.prog)
}

func (c *compiler) atom() {
	switch {
	case c.take("(?:"):
		c.alternatives()
		c.next() // the parenthesis
	case c.take("("):
		c.emit(step{op: stepSave, a: 0})
		c.alternatives()
		c.next()
		c.emit(step{op: stepSave, a: 1})
	case c.take("["):
		c.emit(step{set: c.set()})
	case c.take("."):
		c.emit(step{set: set{inverted: true}})
	case c.take(`\b`):
		c.emit(step{op: stepEdge})
	case c.take(`\z`):
		c.emit(step{op: stepEnd})
	default:
		var s set
		c.member(&s)
		c.emit(step{set: s})
	}
}

// set compiles a set behind its bracket.
func (c *compiler) set() set {
	var s set
	inverted := c.take("^")
	for !c.take("]") {
		c.member(&s)
	}
	s.inverted = inverted
	return s
}

// member adds a character, a range or a class.
func (c *compiler) member(s *set) {
	switch {
	case c.take(`\w`):
		for b := range byte(utf8.RuneSelf) {
			if isWord(b) {
				s.add(b)
			}
		}
	case c.take(`\s`):
		for _, b := range []byte("\t\n\f\r ") {
			s.add(b)
		}
	default:
		c.take(`\`)
		from := c.next()
		to := from
		if len(c.rest) > 1 && c.rest[0] == '-' && c.rest[1] != ']' && from != '-' && isWord(from) && isWord(c.rest[1]) {
			c.next()
			to = c.next()
		}
		for b := from; b <= to; b++ {
			s.add(b)
		}
	}
	if c.p.fold {
		s.addAll(set{high: s.high & upper << ('a' - 'A')})
	}
}

// upper are the bits of A to Z.
const upper = (1<<26 - 1) << ('A' - 64)

// replace puts with in the place of every match; a ${1} at its beginning is
// what the match captured.
func (p *pattern) replace(text, with string) string {
	with, captured := strings.CutPrefix(with, "${1}")
	var out strings.Builder
	done := 0
	m := matcher{p: p, text: text, width: len(p.prog)}
	for {
		from, to, ok := m.find(done)
		if !ok {
			break
		}
		out.WriteString(text[done:from])
		if captured {
			out.WriteString(text[m.saved[0]:m.saved[1]])
		}
		out.WriteString(with)
		done = to
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// matcher tries every place of a text, and at each the ways in their order,
// none twice: a state that led nowhere once does so from any beginning.
type matcher struct {
	p     *pattern
	text  string
	width int
	seen  []uint64
	work  []state
	saved [2]int
}

// state is a step to be tried at a place, or, with a step below 0, a register
// to be set back.
type state struct{ step, at int }

// find gives the first match from a place on. No pattern matches nothing.
func (m *matcher) find(from int) (start, end int, ok bool) {
	m.seen = make([]uint64, (m.width*(len(m.text)-from+1)+63)/64)
	for start = from; start <= len(m.text); start++ {
		if start > from && start < len(m.text) && !utf8.RuneStart(m.text[start]) && inside(m.text, start) {
			continue
		}
		if end, ok = m.try(start, from); ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// inside tells whether a character goes on at a place.
func inside(text string, at int) bool {
	for i := at - 1; i >= 0 && i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			_, n := utf8.DecodeRuneInString(text[i:])
			return i+n > at
		}
	}
	return false
}

func (m *matcher) try(start, from int) (end int, ok bool) {
	m.work = append(m.work[:0], state{0, start})
	for len(m.work) > 0 {
		s := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		if s.step < 0 {
			m.saved[-s.step-1] = s.at
			continue
		}
		if m.again(s, from) {
			continue
		}
		switch in := &m.p.prog[s.step]; in.op {
		case stepSet:
			if n := m.consumed(in, s.at); n > 0 {
				m.work = append(m.work, state{s.step + 1, s.at + n})
			}
		case stepSplit:
			m.work = append(m.work, state{in.b, s.at}, state{in.a, s.at})
		case stepSave:
			m.work = append(m.work, state{-in.a - 1, m.saved[in.a]}, state{s.step + 1, s.at})
			m.saved[in.a] = s.at
		case stepEdge:
			before, after := s.at > 0 && isWord(m.text[s.at-1]), s.at < len(m.text) && isWord(m.text[s.at])
			if before != after {
				m.work = append(m.work, state{s.step + 1, s.at})
			}
		case stepEnd:
			if s.at == len(m.text) {
				m.work = append(m.work, state{s.step + 1, s.at})
			}
		case stepDone:
			return s.at, true
		}
	}
	return 0, false
}

func (m *matcher) again(s state, from int) bool {
	bit := m.width*(s.at-from) + s.step
	seen := m.seen[bit/64]>>(bit%64)&1 == 1
	m.seen[bit/64] |= 1 << (bit % 64)
	return seen
}

// consumed is how many bytes a character of the set has at a place, 0 when
// none stands there.
func (m *matcher) consumed(in *step, at int) int {
	r, n := utf8.DecodeRuneInString(m.text[at:])
	if m.p.fold {
		r = folded(r)
	}
	if n == 0 || !in.set.has(r) {
		return 0
	}
	return n
}
