package artifact

import (
	"fmt"
	"io"
	"strings"
)

// Dump writes a readable listing of everything in the file but the program's
// JSON, for people and for tests. The error is the writer's, or the damage
// met on the way.
func Dump(w io.Writer, f *File) error {
	d := &dumper{w: w, f: f}
	d.printf("artifact format %d, text version %d, tool %s\n", FormatVersion, textWanted, f.tool)
	for _, s := range f.sources {
		d.printf("source %s %x\n", s.Path, s.Sum[:8])
	}
	for _, r := range f.Rooms() {
		d.printf("room %s automaton %d intents %v\n", r.Path, r.Automaton, r.Intents)
	}
	d.intents()
	d.phrases()
	d.exact()
	d.groups()
	d.automata()
	s := f.Segment()
	d.printf("segment %d bytes, %d documents, fields %s\n", len(s.Data), s.Docs, strings.Join(s.Fields, " "))
	if d.err != nil {
		return d.err
	}
	return f.Err()
}

type dumper struct {
	w   io.Writer
	f   *File
	err error
}

func (d *dumper) printf(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

func (d *dumper) intents() {
	for i := range uint32(d.f.IntentCount()) {
		in := d.f.Intent(i)
		d.printf("intent %d %s%s%s%s\n", i, in.Name, mark(in.Hidden, " hidden"), mark(in.Confirm, " confirm"), mark(in.Drive, " drive"))
		for _, s := range in.Slots {
			d.printf("  slot %s %s%s %s\n", s.Name, s.Type, mark(s.Required, " required"), strings.Join(s.Values, "|"))
		}
	}
}

func mark(set bool, text string) string {
	if set {
		return text
	}
	return ""
}

func (d *dumper) phrases() {
	for i := range uint32(d.f.PhraseCount()) {
		p := d.f.Phrase(i)
		pos := p.Pos()
		owner := "filler"
		if p.Intent() != NoIntent {
			owner = fmt.Sprintf("intent %d", p.Intent())
		}
		d.printf("phrase %d %s kind %d flags %d %q %s:%d:%d\n", i, owner, p.Kind(), p.Flags(), p.Source(), pos.File, pos.Line, pos.Col)
		if p.Intent() == NoIntent {
			continue
		}
		for pc, in := range p.Prog() {
			d.printf("  %3d %s\n", pc, d.inst(in))
		}
	}
}

// inst spells an instruction.
func (d *dumper) inst(in Inst) string {
	switch in.Op {
	case OpWord:
		return "word " + d.f.Word(in.A)
	case OpClass:
		return fmt.Sprintf("class %#x", in.A)
	case OpSplit:
		return fmt.Sprintf("split %d %d", in.A, in.B)
	case OpJump:
		return fmt.Sprintf("jump %d", in.A)
	case OpBegin:
		return fmt.Sprintf("begin slot %d value %d", in.A, in.B)
	case OpEnd:
		return fmt.Sprintf("end slot %d", in.A)
	case OpMatch:
		return "match" + mark(in.A == 1, " at the end")
	}
	return fmt.Sprintf("unknown %d", in.Op)
}

func (d *dumper) exact() {
	s := d.f.section(secExact)
	n := int(s.u32(0))
	for i := range n {
		d.printf("exact %q phrase %d\n", s.row(n, i), d.f.ExactPhrase(i))
	}
}

func (d *dumper) groups() {
	s := d.f.section(secGroups)
	n := int(s.u32(0))
	for i := range n {
		m := s.member(n, i)
		words := make([]string, len(m.Tokens))
		for k, t := range m.Tokens {
			words[k] = d.f.Word(t)
		}
		d.printf("group %d %q\n", m.Group, strings.Join(words, " "))
	}
}

func (d *dumper) automata() {
	for i := range int(d.f.section(secAutomata).u32(0)) {
		v := d.f.automaton(i)
		name := fmt.Sprintf("automaton %d", i-2)
		switch i {
		case 0:
			name = "lead automaton"
		case 1:
			name = "trail automaton"
		}
		d.printf("%s: %d states, %d word edges, %d class edges, %d accepts\n", name, v.states, v.words, v.classes, v.accepts)
	}
}
