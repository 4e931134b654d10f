package source

import (
	"strings"
	"testing"

	"kitsoki/compiler/diag"
)

// TestInsertedTextKeepsPlaces: whatever was put into a scalar, each byte of
// the original is found where the file has it.
func TestInsertedTextKeepsPlaces(t *testing.T) {
	t.Parallel()
	n, ds := Document("a.yaml", []byte("x: 'it''s world.a or world.b'\n"))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	s := n.Get("x").Str()
	where := map[string]diag.Pos{}
	for _, name := range []string{"a or", "b", "world.b"} {
		where[name] = s.At(strings.Index(s.Val, name))
	}
	offsets := func(s Str) []int { return []int{strings.Index(s.Val, "a or"), strings.LastIndex(s.Val, "b")} }
	once := s.Insert("in__", offsets(s)...)
	if once.Val != "it's world.in__a or world.in__b" {
		t.Fatalf("observed %q", once.Val)
	}
	before := []int{strings.Index(once.Val, "in__a"), strings.LastIndex(once.Val, "in__b")}
	twice := once.Insert("out__", before...)
	if twice.Val != "it's world.out__in__a or world.out__in__b" || twice.Written() != s.Val {
		t.Fatalf("observed %q, written %q", twice.Val, twice.Written())
	}
	for _, r := range []Str{once, twice} {
		for name, want := range where {
			at := strings.LastIndex(r.Val, name)
			if name == "world.b" {
				at = strings.LastIndex(r.Val, "world.")
			}
			if got := r.At(at); got != want {
				t.Errorf("%s in %q: expected %v, observed %v", name, r.Val, want, got)
			}
		}
		if got := r.At(strings.Index(r.Val, "in__a") + 2); got != where["a or"] {
			t.Errorf("inside of what was put in: observed %v", got)
		}
	}
}

func TestImportsAreReadFromAnywhereInside(t *testing.T) {
	t.Parallel()
	child := "app: {id: bells}\nroot: tower\nstates: {tower: {}, tower: {}}\n"
	fsys := mapFS(map[string]string{
		"town/main/app.yaml":       "app: {id: main}\nroot: home\ninclude: [rooms/*.yaml]\nstates: {home: {}}\n",
		"town/main/rooms/all.yaml": "imports: {bells: {source: ../../bells, entry: tower}}\n",
		"town/bells/app.yaml":      child,
	})
	st, ds := Load(fsys, "town/main/app.yaml", Options{})
	if len(ds) != 1 || ds[0].Code != diag.DuplicateKey || ds[0].Pos != (diag.Pos{File: "../bells/app.yaml", Line: 3, Col: 21}) {
		t.Errorf("observed %s", printed(t, ds))
	}
	var files []string
	for _, f := range st.Files {
		files = append(files, f.Path)
	}
	if got := strings.Join(files, " "); got != "../bells/app.yaml app.yaml rooms/all.yaml" {
		t.Errorf("files %s", got)
	}
	if len(st.Imports) != 1 || st.Imports[0].Story == nil || st.Incomplete {
		t.Errorf("imports %+v", st.Imports)
	}
}

// TestImportsThatMultiply: each story imports the next one twice.
func TestImportsThatMultiply(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 10 {
		name := string(rune('a' + i))
		next := string(rune('b' + i))
		files[name+".yaml"] = "app: {id: x}\nroot: r\nstates: {r: {}}\nimports: {one: {source: " + next + ".yaml, entry: r}, two: {source: " + next + ".yaml, entry: r}}\n"
	}
	files["k.yaml"] = head
	_, ds := Load(mapFS(files), "a.yaml", Options{})
	if !ds.HasErrors() || ds[0].Code != diag.TooLarge || len(ds) > 300 {
		t.Errorf("observed %d: %s", len(ds), printed(t, ds))
	}
}
