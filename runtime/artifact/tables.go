package artifact

// phraseSize is the row of a phrase: u32 intent, u8 kind, u8 slots, u16
// flags, u32 file (1-based source, 0 none), line, column, source offset,
// source length, first instruction, instructions, one spare.
const (
	phraseSize = 44
	instSize   = 12
	rowSize    = 12 // tokens and exact keys
)

func encodeTokens(tokens []Token) []byte {
	return encodeRows(len(tokens), func(i int) (string, uint32) { return tokens[i].Word, tokens[i].Class })
}

func encodeExact(keys []Exact) []byte {
	return encodeRows(len(keys), func(i int) (string, uint32) { return keys[i].Key, keys[i].Phrase })
}

// encodeRows writes a table of texts with a number each.
func encodeRows(n int, row func(i int) (string, uint32)) []byte {
	out := u32(nil, uint32(n))
	var blob []byte
	for i := range n {
		s, v := row(i)
		out = u32(u32(u32(out, uint32(len(blob))), uint32(len(s))), v)
		blob = append(blob, s...)
	}
	return append(out, blob...)
}

// encodePhrases interns the file names of the positions behind the sources.
func encodePhrases(phrases []Phrase) []byte {
	var rows, insts, blob []byte
	names := map[string][2]uint32{}
	intern := func(s string) (uint32, uint32) {
		if at, ok := names[s]; ok {
			return at[0], at[1]
		}
		at := [2]uint32{uint32(len(blob)), uint32(len(s))}
		names[s] = at
		blob = append(blob, s...)
		return at[0], at[1]
	}
	for _, p := range phrases {
		fileAt, fileLen := intern(p.Pos.File)
		rows = append(u32(rows, p.Intent), byte(p.Kind), p.Slots, byte(p.Flags), byte(p.Flags>>8))
		rows = u32(u32(u32(u32(rows, fileAt), fileLen), uint32(p.Pos.Line)), uint32(p.Pos.Col))
		rows = u32(u32(rows, uint32(len(blob))), uint32(len(p.Source)))
		rows = u32(u32(rows, uint32(len(insts)/instSize)), uint32(len(p.Prog)))
		rows = u32(rows, 0)
		blob = append(blob, p.Source...)
		for _, in := range p.Prog {
			insts = u32(u32(u32(insts, uint32(in.Op)), in.A), in.B)
		}
	}
	out := u32(u32(nil, uint32(len(phrases))), uint32(len(insts)))
	return append(append(append(out, rows...), insts...), blob...)
}

func encodeIntents(intents []Intent) []byte {
	out := u32(nil, uint32(len(intents)))
	var records []byte
	for _, in := range intents {
		from := len(records)
		records = encodeIntent(records, in)
		out = u32(u32(out, uint32(from)), uint32(len(records)-from))
	}
	return append(out, records...)
}

func encodeIntent(b []byte, in Intent) []byte {
	b = str(str(b, in.Name), in.Title)
	b = u32(b, intentFlags(in))
	b = u32(b, uint32(len(in.Slots)))
	for _, s := range in.Slots {
		b = str(str(str(b, s.Name), string(s.Type)), s.Must)
		b = u32(b, boolBit(s.Required))
		b = str(b, string(s.Default))
		b = u32(b, uint32(len(s.Values)))
		for _, v := range s.Values {
			b = str(b, v)
		}
	}
	return b
}

const (
	intentHidden uint32 = 1 << iota
	intentConfirm
	intentDrive
)

func intentFlags(in Intent) uint32 {
	return boolBit(in.Hidden)*intentHidden | boolBit(in.Confirm)*intentConfirm | boolBit(in.Drive)*intentDrive
}

func boolBit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func encodeAutomata(img *Image) []byte {
	all := append([]Automaton{img.Lead, img.Trail}, img.Automata...)
	out := u32(nil, uint32(len(all)))
	at := 4 + 4*len(all)
	var blobs []byte
	for _, a := range all {
		out = u32(out, uint32(at+len(blobs)))
		blobs = encodeAutomaton(blobs, a)
	}
	return append(out, blobs...)
}

func encodeAutomaton(b []byte, a Automaton) []byte {
	n := max(len(a.States)-1, 0)
	b = u32(u32(u32(u32(b, uint32(n)), uint32(len(a.Words))), uint32(len(a.Classes))), uint32(len(a.Accepts)))
	states := a.States
	if len(states) == 0 {
		states = make([]AutomatonState, 1)
	}
	for _, s := range states {
		b = u32(u32(u32(b, s.Word), s.Class), s.Accept)
	}
	for _, e := range a.Words {
		b = u32(u32(b, e.On), e.Next)
	}
	for _, e := range a.Classes {
		b = u32(u32(b, e.On), e.Next)
	}
	for _, x := range a.Accepts {
		b = u32(b, x)
	}
	return b
}
