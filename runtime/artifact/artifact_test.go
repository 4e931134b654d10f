package artifact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample is a small image with every table filled.
func sample(words int) *Image {
	img := &Image{
		Tool:    "test",
		Sources: []Source{{Path: "app.yaml", Sum: [32]byte{1, 2}}},
		Rooms:   []Room{{Path: "home", Automaton: 0, Intents: []uint32{0, 1}}},
		Program: &Program{App: App{ID: "sample"}, Root: "home", Intents: []Intent{
			{Name: "greet", Title: "Greet", Confirm: true, Slots: []Slot{{
				Name: "who", Type: SlotEnum, Required: true, Default: []byte(`"ann"`), Values: []string{"ann", "bob"}, Must: "new",
			}}},
			{Name: "leave", Hidden: true, Drive: true},
		}},
		Phrases: []Phrase{
			{Intent: NoIntent, Kind: PhraseLead, Flags: FlagPlease, Source: "please", Prog: []Inst{{OpWord, 1, 0}, {OpMatch, 0, 0}}},
			{Intent: 0, Kind: PhrasePattern, Slots: 1, Pos: Pos{"app.yaml", 3, 7}, Source: "greet {who}", Prog: []Inst{{OpClass, 4, 9}}},
			{Intent: 1, Kind: PhraseExample, Pos: Pos{"app.yaml", 4, 8}, Source: "leave"},
		},
		Lead:  Automaton{States: []AutomatonState{{0, 0, 0}, {1, 0, 1}, {1, 0, 2}}, Words: []Edge{{1, 1}}, Accepts: []uint32{0, 5}},
		Trail: Automaton{},
		Automata: []Automaton{{
			States: []AutomatonState{{0, 0, 0}, {2, 1, 0}, {2, 2, 1}}, Words: []Edge{{0, 1}, {2, 1}}, Classes: []Edge{{4, 1}, {8, 1}}, Accepts: []uint32{1},
		}},
	}
	for i := range words {
		w := fmt.Sprintf("w%06d", i)
		img.Tokens = append(img.Tokens, Token{w, uint32(i % 7)})
		img.Exact = append(img.Exact, Exact{w, uint32(i % 3)})
	}
	return img
}

func encoded(t *testing.T, words int) []byte {
	t.Helper()
	data, err := Encode(sample(words))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	f, err := Decode("x", encoded(t, 50))
	if err != nil {
		t.Fatal(err)
	}
	id, class, ok := f.Token([]byte("w000012"))
	if !ok || id != 12 || class != 5 {
		t.Errorf("token: expected 12, 5, true; observed %d, %d, %v", id, class, ok)
	}
	if _, _, ok := f.Token([]byte("w")); ok {
		t.Error("a word that is not interned was found")
	}
	from, to := f.Exact([]byte("w000004"))
	if from != 4 || to != 5 || f.ExactPhrase(from) != 1 {
		t.Errorf("exact: expected row 4 with phrase 1; observed %d..%d", from, to)
	}
	p := f.Phrase(1)
	if p.Intent() != 0 || p.Kind() != PhrasePattern || p.Slots() != 1 || p.Source() != "greet {who}" || p.Pos() != (Pos{"app.yaml", 3, 7}) {
		t.Errorf("phrase 1: observed %v %v %v %q %v", p.Intent(), p.Kind(), p.Slots(), p.Source(), p.Pos())
	}
	if prog := p.Prog(); len(prog) != 1 || prog[0] != (Inst{OpClass, 4, 9}) {
		t.Errorf("program: observed %v", prog)
	}
	if lead := f.Phrase(0); lead.Intent() != NoIntent || lead.Flags() != FlagPlease {
		t.Errorf("filler: observed %v", lead.Flags())
	}
	in := f.Intent(0)
	if in.Name != "greet" || !in.Confirm || in.Hidden || len(in.Slots) != 1 || string(in.Slots[0].Default) != `"ann"` || in.Slots[0].Values[1] != "bob" || in.Slots[0].Must != "new" {
		t.Errorf("intent 0: observed %+v", in)
	}
	if in := f.Intent(1); !in.Hidden || !in.Drive {
		t.Errorf("intent 1: observed %+v", in)
	}
	prog, err := f.Program()
	if err != nil || prog.Root != "home" || f.Err() != nil {
		t.Errorf("program: %v %v", err, f.Err())
	}
}

func TestAutomatonSteps(t *testing.T) {
	t.Parallel()
	f, err := Decode("x", encoded(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	a := f.Automaton(0)
	for _, c := range []struct {
		token uint32
		known bool
		class uint32
		ok    bool
	}{{0, true, 0, true}, {2, true, 0, true}, {1, true, 0, false}, {1, true, 4, true}, {1, true, 8, false}, {9, false, 4, true}, {0, false, 0, false}} {
		if _, ok := a.Step(0, c.token, c.known, c.class); ok != c.ok {
			t.Errorf("Step(%d, %v, %d): expected %v", c.token, c.known, c.class, c.ok)
		}
	}
	if from, to := a.Accepts(1); to-from != 1 || a.At(from) != 1 {
		t.Errorf("accepts: observed %d..%d", from, to)
	}
	if _, ok := f.Trail().Step(0, 1, true, 1); ok {
		t.Error("an automaton without states stepped")
	}
}

func TestSameImageSameBytes(t *testing.T) {
	t.Parallel()
	if !bytes.Equal(encoded(t, 100), encoded(t, 100)) {
		t.Error("two encodings of one image differ")
	}
}

// TestEveryFlippedByteIsRefused covers headers, tables and padding.
func TestEveryFlippedByteIsRefused(t *testing.T) {
	t.Parallel()
	good := encoded(t, 3)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x41
		if _, err := Decode("x", bad); err == nil {
			t.Fatalf("byte %d of %d flipped: accepted", i, len(good))
		}
	}
	for n := range good {
		if _, err := Decode("x", good[:n]); err == nil {
			t.Fatalf("cut to %d of %d bytes: accepted", n, len(good))
		}
	}
}

func TestVersionsAreRefusedByName(t *testing.T) {
	t.Parallel()
	for _, at := range []int{8, 12} {
		bad := encoded(t, 3)
		binary.LittleEndian.PutUint32(bad[at:], 99)
		_, err := Decode("x", bad)
		if StatusOf(err) != StatusMismatch || !strings.Contains(err.Error(), "version 99") {
			t.Errorf("expected a version mismatch, observed %v", err)
		}
	}
}

// TestOtherByteOrderIsRefused: each number of the header in turn, written the
// other way round.
func TestOtherByteOrderIsRefused(t *testing.T) {
	t.Parallel()
	good := encoded(t, 3)
	for at := 8; at < 64; at += 4 {
		bad := bytes.Clone(good)
		binary.BigEndian.PutUint32(bad[at:], binary.LittleEndian.Uint32(good[at:]))
		if bytes.Equal(bad, good) {
			continue
		}
		if _, err := Decode("x", bad); StatusOf(err) == StatusOK {
			t.Errorf("the number at byte %d in the other byte order: accepted", at)
		}
	}
}

// TestDamageInALargeFile flips bytes where only block sums protect: a reader
// must report damage instead of a wrong row.
func TestDamageInALargeFile(t *testing.T) {
	t.Parallel()
	good := encoded(t, 60_000)
	if len(good) <= wholeLimit {
		t.Fatalf("%d bytes are no large file", len(good))
	}
	for _, at := range []int{len(good) / 5, len(good) / 3, len(good) / 2} {
		bad := bytes.Clone(good)
		bad[at] ^= 1
		f, err := Decode("x", bad)
		if err != nil {
			continue
		}
		for i := 0; i < 60_000 && f.Err() == nil; i++ {
			word := fmt.Sprintf("w%06d", i)
			id, class, ok := f.Token([]byte(word))
			right := ok && id == uint32(i) && class == uint32(i%7)
			from, to := f.Exact([]byte(word))
			if right = right && from == i && to == i+1; !right && f.Err() == nil {
				t.Fatalf("byte %d flipped: a wrong row and no damage reported", at)
			}
		}
		if f.Err() == nil {
			t.Errorf("byte %d flipped: all was read and nothing noticed", at)
		}
	}
}

// TestCheckNamesEveryFlip: whatever byte of a large file is flipped, Check
// says where.
func TestCheckNamesEveryFlip(t *testing.T) {
	t.Parallel()
	good := encoded(t, 60_000)
	if d := CheckBytes("x", good); len(d) != 0 {
		t.Fatalf("a whole file: %v", d)
	}
	for at := 11; at < len(good); at += len(good) / 300 {
		bad := bytes.Clone(good)
		bad[at] ^= 0x10
		d := CheckBytes("x", bad)
		if len(d) == 0 {
			t.Fatalf("byte %d flipped: nothing found", at)
		}
		if d[0].Offset > at || d[0].Offset > 0 && d[0].Section != "sums" && at-d[0].Offset >= blockSize {
			t.Errorf("byte %d flipped: found %+v", at, d[0])
		}
	}
}

func TestDump(t *testing.T) {
	t.Parallel()
	f, err := Decode("x", encoded(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Dump(&b, f); err != nil {
		t.Fatal(err)
	}
	want := `artifact format 2, text version 2, tool test
source app.yaml 0102000000000000
room home automaton 0 intents [0 1]
intent 0 greet confirm
  slot who enum required ann|bob
intent 1 leave hidden drive
phrase 0 filler kind 4 flags 8 "please" :0:0
phrase 1 intent 0 kind 3 flags 0 "greet {who}" app.yaml:3:7
    0 class 0x4
phrase 2 intent 1 kind 1 flags 0 "leave" app.yaml:4:8
exact "w000000" phrase 0
exact "w000001" phrase 1
lead automaton: 2 states, 1 word edges, 0 class edges, 2 accepts
trail automaton: 0 states, 0 word edges, 0 class edges, 0 accepts
automaton 0: 2 states, 2 word edges, 2 class edges, 1 accepts
segment 0 bytes, 0 documents, fields 
`
	if b.String() != want {
		t.Errorf("expected\n%s\nobserved\n%s", want, &b)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small.kit"), filepath.Join(dir, "large.kit")
	for path, words := range map[string]int{small: 3, large: 60_000} {
		if err := WriteFile(path, encoded(t, words)); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := f.Token([]byte("w000002")); !ok || f.Err() != nil {
			t.Errorf("%s: a word is missing: %v", path, f.Err())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	empty := filepath.Join(dir, "empty.kit")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Status{
		filepath.Join(dir, "none.kit"): StatusMissing, dir: StatusCorrupt, empty: StatusCorrupt,
	} {
		_, err := Open(path)
		var le *LoadError
		if !errors.As(err, &le) || le.Status != want {
			t.Errorf("Open(%s): expected %s, observed %v", path, want, err)
		}
	}
}

func TestWriteFileReplacesWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.kit")
	for _, data := range [][]byte{encoded(t, 3), encoded(t, 9)} {
		if err := WriteFile(path, data); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("the file holds other bytes: %v", err)
		}
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o644 {
		t.Errorf("mode: observed %v %v", st.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("expected one file and no temporary one, observed %v", entries)
	}
	if err := WriteFile(filepath.Join(path, "b.kit"), nil); err == nil {
		t.Error("writing below a file succeeded")
	}
}

func FuzzDecode(f *testing.F) {
	data, err := Encode(sample(3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:70])
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Decode("x", data)
		if err != nil {
			return
		}
		file.Token([]byte("w000001"))
		file.Exact([]byte("w000001"))
		file.Phrase(1).Prog()
		file.Intent(0)
		a := file.Automaton(0)
		a.Step(0, 0, true, 4)
		_, _ = file.Program()
	})
}
