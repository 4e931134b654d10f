package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// built is a place with an index of a few files.
func built(t testing.TB) *place {
	p := newPlace(t)
	for i := range 5 {
		p.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("# Note %d\n\nThe walrus number %d prefers arctic shallows.\n", i, i))
	}
	p.build()
	return p
}

// try opens and searches; what is wrong is an *Error.
func try(ctx context.Context, p *place) error {
	s, err := Open(ctx, p.dir)
	if err != nil {
		return err
	}
	_, err = s.Search(ctx, Query{Prompt: "the walrus number 3 prefers arctic shallows", Floor: 0.1, TurnFloor: 0.1})
	if err != nil {
		return err
	}
	_, err = s.Stale(ctx, p.root)
	return err
}

func TestDamageIsNamed(t *testing.T) {
	t.Parallel()
	in := func(name string) string { return filepath.Join("g00000001", name) }
	edit := func(path string, change func([]byte) []byte) func(*place) {
		return func(p *place) {
			full := filepath.Join(p.dir, path)
			raw, err := os.ReadFile(full)
			if err == nil {
				err = os.WriteFile(full, change(raw), 0o600)
			}
			if err != nil {
				p.t.Fatal(err)
			}
		}
	}
	remove := func(path string) func(*place) {
		return func(p *place) {
			if err := os.RemoveAll(filepath.Join(p.dir, path)); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	replace := func(old, text string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(text), 1) }
	}
	half := func(b []byte) []byte { return b[:len(b)/2] }
	empty := func([]byte) []byte { return nil }
	tests := []struct {
		name   string
		damage func(*place)
		state  State
		cause  string
	}{
		{"no index", remove("."), StateMissing, "none has been built"},
		{"no pointer", remove("current"), StateMissing, "none has been built"},
		{"empty pointer", edit("current", empty), StateCorrupt, "its pointer names no generation"},
		{"pointer to elsewhere", edit("current", func([]byte) []byte { return []byte("../../etc\n") }), StateCorrupt, "its pointer names no generation"},
		{"half a pointer", edit("current", half), StateCorrupt, "its pointer names no generation"},
		{"pointer to nothing", edit("current", replace("g00000001", "g00000009")), StateCorrupt, "generation g00000009 has no header"},
		{"no generation", remove("g00000001"), StateCorrupt, "generation g00000001 has no header"},
		{"no header", remove(in("header")), StateCorrupt, "generation g00000001 has no header"},
		{"no segment", remove(in("segment")), StateCorrupt, "its segment is gone"},
		{"half a segment", edit(in("segment"), half), StateCorrupt, "its segment has not the size it had"},
		{"empty segment", edit(in("segment"), empty), StateCorrupt, "its segment has not the size it had"},
		{"half a header", edit(in("header"), half), StateCorrupt, "its header is damaged"},
		{"empty header", edit(in("header"), empty), StateCorrupt, "its header is none"},
		{"half the sources", edit(in("sources"), half), StateCorrupt, "its sources has not the size it had"},
		{"another format", edit(in("header"), replace("index 1 ", "index 2 ")), StateVersion, "it has format 2, and this kitsoki reads 1"},
		{"other words", func(p *place) {
			raw, err := header{Analysis: analysisVersion + 1}.encode()
			if err != nil {
				p.t.Fatal(err)
			}
			edit(in("header"), func([]byte) []byte { return raw })(p)
		}, StateVersion, "another version of kitsoki cut its texts into words"},
	}
	for _, tt := range tests {
		p := built(t)
		tt.damage(p)
		err := try(context.Background(), p)
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		if e := (*Error)(nil); !errors.As(err, &e) || e.State != tt.state || e.Cause != tt.cause {
			t.Errorf("%s: %v; want %s: %s", tt.name, err, tt.state, tt.cause)
		}
		p.build() // a build mends it
		if err := try(context.Background(), p); err != nil {
			t.Errorf("%s, after a build: %v", tt.name, err)
		}
	}
}

// TestFlippedBytes changes bytes all over every file of an index, one at a
// time: nothing may panic, and nothing damaged may be answered from.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	p := built(t)
	for _, name := range []string{"current", "g00000001/header", "g00000001/sources", "g00000001/segment"} {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		step := max(1, len(whole)/100)
		for at := 0; at < len(whole); at += step {
			damaged := bytes.Clone(whole)
			damaged[at] ^= 1 << (at % 8)
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			err := try(context.Background(), p)
			if err == nil {
				t.Fatalf("%s: byte %d changed, and nobody has noticed", name, at)
			}
			stateOf(t, err)
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPanicsAreErrors leads zapx to places where nothing of the kind lies.
func TestPanicsAreErrors(t *testing.T) {
	t.Parallel()
	p := built(t)
	for name, change := range map[string]func(*layout){
		"dictionary behind the end": func(l *layout) { l.Dicts = slices.Repeat([]uint64{1 << 40}, len(l.Dicts)) },
		"stored behind the end":     func(l *layout) { l.Stored = 1 << 40 },
		"too few dictionaries":      func(l *layout) { l.Dicts = l.Dicts[:1] },
	} {
		g, err := openCurrent(context.Background(), p.dir)
		if err != nil {
			t.Fatal(err)
		}
		change(g.header.Segment)
		header, err := g.header.encode()
		if err == nil {
			err = os.WriteFile(filepath.Join(g.dir, headerName), header, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := try(context.Background(), p); err == nil || stateOf(t, err) != StateCorrupt {
			t.Errorf("%s: %v", name, err)
		}
		p.fresh = true
		p.build()
	}
}

func TestDeadlineIsHonoured(t *testing.T) {
	t.Parallel()
	p := built(t)
	s := p.open()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := try(ctx, p); err == nil || stateOf(t, err) != StateSlow || !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if _, err := s.Search(ctx, Query{Prompt: "walrus"}); err == nil || stateOf(t, err) != StateSlow {
		t.Errorf("search: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	hung := make(chan struct{})
	defer close(hung)
	_, err := guarded(ctx, func() (int, error) { cancel(); <-hung; return 1, nil }) // a backend that hangs
	if stateOf(t, err) != StateSlow {
		t.Errorf("hung: %v", err)
	}
}

// TestReadersDuringRebuilds opens and asks in twenty goroutines while the
// index is built again and again.
func TestReadersDuringRebuilds(t *testing.T) {
	t.Parallel()
	p := built(t)
	done := make(chan struct{})
	var group sync.WaitGroup
	var reads [20]int
	for i := range reads {
		group.Go(func() {
			for last := false; !last; reads[i]++ {
				select {
				case <-done:
					last = true
				default:
				}
				s, err := Open(context.Background(), p.dir)
				if err != nil {
					t.Errorf("reader %d: %v", i, err)
					return
				}
				hits, err := s.Search(context.Background(), Query{Prompt: "the walrus number 3 prefers arctic shallows", Floor: 0.55, TurnFloor: 1, Limit: 1})
				if err != nil || len(hits) != 1 || hits[0].Source != "n3.md:1" {
					t.Errorf("reader %d: %v, %v", i, hits, err)
					return
				}
			}
		})
	}
	for i := range 12 {
		p.write("other.md", fmt.Sprintf("# Heron\n\n%s\n", strings.Repeat("x", i+1)))
		p.fresh = i%2 == 0
		p.build()
	}
	close(done)
	group.Wait()
	for i, n := range reads {
		if n < 1 {
			t.Errorf("reader %d read nothing", i)
		}
	}
}
