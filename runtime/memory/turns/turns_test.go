package turns

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kitsoki/runtime/secret/mask"
)

func noon() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

func newStore(t *testing.T) Store {
	t.Helper()
	return Store{Dir: filepath.Join(t.TempDir(), "memory"), Mask: mask.Text}
}

func (s Store) must(t *testing.T, b Start) Turn {
	t.Helper()
	if b.At.IsZero() {
		b.At = noon()
	}
	turn, err := s.Open(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

func (s Store) end(t *testing.T, e End) Outcome {
	t.Helper()
	if e.At.IsZero() {
		e.At = noon().Add(time.Minute)
	}
	_, o, err := s.Close(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (s Store) list(t *testing.T) []Turn {
	t.Helper()
	list, err := s.Turns()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func pairs(list []Turn) (out []string) {
	for _, t := range list {
		out = append(out, t.Query+" → "+t.Answer)
	}
	return out
}

// TestVectors of the contract.
func TestVectors(t *testing.T) {
	t.Parallel()
	if got := ID("s-1", 1, "What is our retry policy for deployment?"); got != "turn:e9ac85359eb09e6293d13066" {
		t.Errorf("the turn's id: %s", got)
	}
	if got := filepath.Base(Store{Dir: "d"}.StatePath("s-1")); got != "6a840baf5d8c3ff241688aeb.json" {
		t.Errorf("the state's file: %s", got)
	}
	for want, names := range map[string][]string{"s": {"s", "t"}, "t": {"", "t", "/w"}, "/w": {"", "", "/w"}, "default": {"", ""}} {
		if got := Key(names...); got != want {
			t.Errorf("%q: observed %q", names, got)
		}
	}
}

// TestATurnOpensAndCloses with all that is known of it.
func TestATurnOpensAndCloses(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "s", PromptID: "p", Query: "why?", CWD: "/w", Branch: "main"})
	if len(s.list(t)) != 0 {
		t.Error("an open turn is listed")
	}
	if o := s.end(t, End{Key: "s", PromptID: "p", Answer: "because", Tools: []string{"Read", "Bash", "Read"}}); o != Stored {
		t.Errorf("observed %s", o)
	}
	want := Turn{
		Session: "s", ID: ID("s", 1, "why?"), PromptID: "p", Query: "why?", Answer: "because", CWD: "/w", Branch: "main",
		Tools: []string{"Read", "Bash"}, Started: noon(), Ended: noon().Add(time.Minute),
	}
	if list := s.list(t); len(list) != 1 || !equal(list[0], want) {
		t.Errorf("expected %+v, observed %+v", want, list)
	}
	for path, mode := range map[string]os.FileMode{s.Dir: 0o700, s.log(): 0o600, s.StatePath("s"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", path, info, err)
		}
	}
}

func equal(a, b Turn) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// TestContinueTypedTwiceIsTwoTurns.
func TestContinueTypedTwiceIsTwoTurns(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for _, id := range []string{"p1", "p2"} {
		s.must(t, Start{Key: "s", PromptID: id, Query: "continue"})
		s.end(t, End{Key: "s", PromptID: id, Answer: id})
	}
	list := s.list(t)
	if !slices.Equal(pairs(list), []string{"continue → p1", "continue → p2"}) || list[0].ID == list[1].ID {
		t.Errorf("observed %+v", list)
	}
}

// TestTheSamePromptIsOneTurn: an id that is known is no new prompt.
func TestTheSamePromptIsOneTurn(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	first := s.must(t, Start{Key: "s", PromptID: "p", Query: "a"})
	if again := s.must(t, Start{Key: "s", PromptID: "p", Query: "a"}); again.ID != first.ID {
		t.Error("it is another turn")
	}
	s.end(t, End{Key: "s", PromptID: "p", Answer: "x"})
	if again := s.must(t, Start{Key: "s", PromptID: "p", Query: "a"}); again.ID != first.ID {
		t.Error("it is another turn after its end")
	}
	if list := s.list(t); len(list) != 1 {
		t.Errorf("observed %+v", list)
	}
}

// TestFirstCompletionWins, a replayed end stores nothing, and an end without a
// beginning is silent.
func TestFirstCompletionWins(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if o := s.end(t, End{Key: "s", Answer: "of nothing"}); o != None {
		t.Errorf("without a beginning: %s", o)
	}
	s.must(t, Start{Key: "s", PromptID: "p", Query: "a"})
	s.end(t, End{Key: "s", PromptID: "p", Answer: "first"})
	for id, want := range map[string]Outcome{"p": Replayed, "q": None, "": None} {
		if o := s.end(t, End{Key: "s", PromptID: id, Answer: "second"}); o != want {
			t.Errorf("%q: observed %s", id, o)
		}
	}
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"a → first"}) {
		t.Errorf("observed %q", got)
	}
}

// TestAnEndThatWasCutOff between the log and the state is stored once.
func TestAnEndThatWasCutOff(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "s", PromptID: "p", Query: "a"})
	state, err := os.ReadFile(s.StatePath("s"))
	if err != nil {
		t.Fatal(err)
	}
	s.end(t, End{Key: "s", PromptID: "p", Answer: "first"})
	if err := os.WriteFile(s.StatePath("s"), state, 0o600); err != nil {
		t.Fatal(err)
	}
	s.end(t, End{Key: "s", PromptID: "p", Answer: "second"})
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"a → first"}) {
		t.Errorf("observed %q", got)
	}
}

// TestAnInterruptedTurnIsKept, before the one that came after it.
func TestAnInterruptedTurnIsKept(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "s", PromptID: "p1", Query: "one"})
	s.must(t, Start{Key: "s", PromptID: "p2", Query: "two"})
	s.end(t, End{Key: "s", PromptID: "p2", Answer: "b"})
	if o := s.end(t, End{Key: "s", PromptID: "p1", Answer: "late"}); o != None {
		t.Errorf("a late end: %s", o)
	}
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"one → ", "two → b"}) {
		t.Errorf("observed %q", got)
	}
	for _, q := range []string{"3", "4", "5", "6", "7"} {
		s.must(t, Start{Key: "s", PromptID: q, Query: q})
	}
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"one → ", "two → b", "3 → "}) {
		t.Errorf("more than may be open: %q", got)
	}
}

// TestTheEarlierOfTwoOpenTurnsEnds: an end is its own prompt's.
func TestTheEarlierOfTwoOpenTurnsEnds(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "s", PromptID: "p1", Query: "one"})
	s.must(t, Start{Key: "s", PromptID: "p2", Query: "two"})
	s.end(t, End{Key: "s", PromptID: "p1", Answer: "a"})
	s.end(t, End{Key: "s", PromptID: "p2", Answer: "b"})
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"one → a", "two → b"}) {
		t.Errorf("observed %q", got)
	}
}

// TestTwoSessionsInOneDirectory never mix, at the same moment.
func TestTwoSessionsInOneDirectory(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	var wg sync.WaitGroup
	for _, key := range []string{"a", "b", "c"} {
		wg.Go(func() {
			for _, q := range []string{"1", "2", "3", "4", "5"} {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				_, err := s.Open(ctx, Start{Key: key, PromptID: q, Query: key + q, At: noon()})
				_, o, err2 := s.Close(ctx, End{Key: key, PromptID: q, Answer: key + q, At: noon()})
				if cancel(); err != nil || err2 != nil || o != Stored {
					t.Errorf("%s%s: %v %v %s", key, q, err, err2, o)
				}
			}
		})
	}
	wg.Wait()
	byKey := map[string][]string{}
	for _, turn := range s.list(t) {
		byKey[turn.Session] = append(byKey[turn.Session], turn.Query+turn.Answer)
	}
	for _, key := range []string{"a", "b", "c"} {
		if want := []string{key + "1" + key + "1", key + "2" + key + "2", key + "3" + key + "3", key + "4" + key + "4", key + "5" + key + "5"}; !slices.Equal(byKey[key], want) {
			t.Errorf("%s: observed %q", key, byKey[key])
		}
	}
}

// TestTheAnswerIsCut at 4000 code points, after it was masked, and an empty one
// is kept as it is.
func TestTheAnswerIsCut(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	long := strings.Repeat("ä", 3990) + " password=" + strings.Repeat("q", 50)
	for i, answer := range []string{long, ""} {
		id := string(rune('a' + i))
		s.must(t, Start{Key: "s", PromptID: id, Query: "x"})
		s.end(t, End{Key: "s", PromptID: id, Answer: answer})
	}
	list := s.list(t)
	if n := len([]rune(list[0].Answer)); n != 4000 || strings.Contains(list[0].Answer, "q") || list[1].Answer != "" {
		t.Errorf("%d code points, %q", n, list[0].Answer[len(list[0].Answer)-20:])
	}
}

// TestSecretsAreMaskedBeforeWriting, wherever they stand.
func TestSecretsAreMaskedBeforeWriting(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	const word = "hunter2hunter2"
	s.must(t, Start{Key: "s", PromptID: "p", Query: "password=" + word, CWD: "/w/token=" + word, Branch: "secret=" + word})
	s.end(t, End{Key: "s", PromptID: "p", Answer: "password: " + word})
	s.must(t, Start{Key: "s", PromptID: "q", Query: "api_key=" + word})
	s.lacks(t, word)
}

// lacks looks into every file of the store for what must not be there.
func (s Store) lacks(t *testing.T, word string) {
	t.Helper()
	err := filepath.WalkDir(s.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), word) {
			t.Errorf("%s has it:\n%s", path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamage: torn and foreign lines are passed over, and numbers go on behind
// what is known when a state is damaged.
func TestDamage(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "s", PromptID: "p", Query: "continue"})
	s.end(t, End{Key: "s", PromptID: "p", Answer: "a"})
	log, err := os.OpenFile(s.log(), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.WriteString("null\n{}\n\xff\n[1]\n{\"turn\":\"turn:to"); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.StatePath("s"), []byte(`{"key":"s","ordinal":`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must(t, Start{Key: "s", PromptID: "q", Query: "continue"})
	s.end(t, End{Key: "s", PromptID: "q", Answer: "b"})
	list := s.list(t)
	if !slices.Equal(pairs(list), []string{"continue → a", "continue → b"}) || list[0].ID == list[1].ID {
		t.Errorf("observed %+v", list)
	}
	if _, err := os.Stat(s.StatePath("s") + damagedState); err != nil {
		t.Errorf("what was damaged is lost: %v", err)
	}
}

// TestNowhereToWrite is an error that names the place, and nothing else.
func TestNowhereToWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Store{Dir: filepath.Join(file, "memory")}
	if _, err := s.Open(t.Context(), Start{Key: "s", Query: "x", At: noon()}); err == nil || !strings.Contains(err.Error(), "memory's directory") {
		t.Errorf("observed %v", err)
	}
}

// TestALockThatIsHeld ends with the context.
func TestALockThatIsHeld(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "s", Query: "x"})
	ss, err := s.session(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	defer ss.release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Open(ctx, Start{Key: "s", Query: "y", At: noon()}); err == nil || !strings.Contains(err.Error(), "another process holds it") {
		t.Errorf("observed %v", err)
	}
}

// TestForgetHidesAtOnce and for good, in whatever file it stood.
func TestForgetHidesAtOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for i, q := range []string{"keep", "zebra one", "zebra two"} {
		id := strconv.Itoa(i)
		s.must(t, Start{Key: "s", PromptID: id, Query: q})
		s.end(t, End{Key: "s", PromptID: id, Answer: "re " + q})
	}
	s.must(t, Start{Key: "t", PromptID: "o", Query: "zebra open"})
	n, err := s.Forget(t.Context(), func(turn Turn) bool { return strings.Contains(turn.Query, "zebra") }, noon())
	if err != nil || n != 3 {
		t.Fatalf("%d, %v", n, err)
	}
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"keep → re keep"}) {
		t.Errorf("observed %q", got)
	}
	if gone, err := s.Gone(); err != nil || !gone[ID("s", 2, "zebra one")] || !gone[ID("s", 3, "zebra two")] || gone[ID("s", 1, "keep")] {
		t.Errorf("gone: %v, %v", gone, err)
	}
	s.lacks(t, "zebra")
	if o := s.end(t, End{Key: "s", PromptID: "2", Answer: "zebra again"}); o != Replayed {
		t.Errorf("its end again: %s", o)
	}
	s.must(t, Start{Key: "s", PromptID: "n", Query: "zebra one"})
	s.end(t, End{Key: "s", PromptID: "n", Answer: "new"})
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"keep → re keep", "zebra one → new"}) {
		t.Errorf("asked again after it was forgotten: %q", got)
	}
}

// TestTheSameEvidenceIsNotGivenTwice unless a compaction came after it, or it
// was edited; a cause is told once.
func TestTheSameEvidenceIsNotGivenTwice(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if err := s.Note(t.Context(), "s", map[string]string{"k": "d"}, "missing", noon()); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		key, digest string
		compacted   time.Time
		session     string
		want        bool
	}{
		{"k", "d", time.Time{}, "s", true},
		{"k", "e", time.Time{}, "s", false},
		{"l", "d", time.Time{}, "s", false},
		{"k", "d", noon().Add(-time.Second), "s", true},
		{"k", "d", noon().Add(time.Second), "s", false},
		{"k", "d", time.Time{}, "t", false},
	} {
		m, err := s.Memory(t.Context(), tc.session, tc.compacted)
		if err != nil || m.Given(tc.key, tc.digest) != tc.want || m.Told("missing") != (tc.session == "s") || m.Told("corrupt") {
			t.Errorf("%+v: %v %v %v", tc, m, m.Given(tc.key, tc.digest), err)
		}
	}
}

// TestOldSessionsArePruned, and their open turns kept.
func TestOldSessionsArePruned(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.must(t, Start{Key: "old", PromptID: "p", Query: "open"})
	long := noon().Add(-40 * 24 * time.Hour)
	if err := os.Chtimes(s.StatePath("old"), long, long); err != nil {
		t.Fatal(err)
	}
	s.must(t, Start{Key: "new", Query: "x"})
	if _, err := os.Stat(s.StatePath("old")); err == nil {
		t.Error("it is still there")
	}
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"open → "}) {
		t.Errorf("observed %q", got)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if st, err := s.Status(t.Context()); err != nil || st != (Status{}) {
		t.Errorf("of nothing: %+v, %v", st, err)
	}
	s.must(t, Start{Key: "s", PromptID: "p", Query: "a"})
	s.end(t, End{Key: "s", PromptID: "p", Answer: "b"})
	s.must(t, Start{Key: "t", Query: "c"})
	st, err := s.Status(t.Context())
	if err != nil || st.Turns != 1 || st.Open != 1 || st.Sessions != 2 || st.Bytes == 0 || !st.Last.Equal(noon().Add(time.Minute)) {
		t.Errorf("observed %+v, %v", st, err)
	}
}
