package flow

import (
	"errors"
	"io/fs"
	"path"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/schema"
)

// pattern is where a story's flow tests stand, beside its manifest.
const pattern = "flows/*.yaml"

// Story is what flow tests are read against: its files with the manifest at
// the top, and its program.
type Story struct {
	FS       fs.FS
	Manifest string // such as app.yaml
	Program  *artifact.Program
	// Recording: a cassette that is named need not exist.
	Recording bool
}

// Files lists a story's flow tests, sorted.
func Files(fsys fs.FS) []string {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil // the pattern is ours
	}
	return names
}

// Load reads and checks flow tests. The list holds every mistake of every
// file, sorted by place; with an error in it the flows are not to be run.
func Load(st Story, files []string) ([]*Flow, diag.List) {
	var ds diag.List
	var out []*Flow
	for _, name := range files {
		r := &reader{story: st, file: name, ds: &ds}
		if f := r.read(); f != nil {
			out = append(out, f)
		}
	}
	ds.Sort()
	return out, ds.Compact()
}

// reader reads one flow test.
type reader struct {
	story Story
	file  string
	ds    *diag.List
}

func (r *reader) read() *Flow {
	root := r.document(r.file, schema.Flow())
	if root == nil {
		return nil
	}
	f := &Flow{File: r.file, state: r.story.Program.Root, stubs: map[string]stub{}}
	for _, p := range root.Pairs {
		r.top(f, p)
	}
	return f
}

// document reads a file that a schema judges; nil when it is of no use.
func (r *reader) document(name string, schema []byte) *source.Node {
	data, err := fs.ReadFile(r.story.FS, name)
	if err != nil {
		r.report(diag.CannotRead, diag.Pos{File: name}, "can't read %s: %s", name, reason(err))
		return nil
	}
	root, ds := source.DocumentOf(name, data, schema)
	*r.ds = append(*r.ds, ds...)
	if ds.HasErrors() {
		return nil
	}
	return root
}

// reason is an error without the path, which stands beside it.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// top reads one key of the file.
func (r *reader) top(f *Flow, p source.Pair) {
	switch p.Key.Val {
	case "app":
		r.app(p.Value)
	case "initial_state":
		f.state = r.state(p.Value)
	case "initial_world":
		f.world = r.world(p.Value)
	case "host_handlers":
		for _, h := range p.Value.Pairs {
			f.stubs[h.Key.Val] = r.stub(h)
		}
	case "host_cassette":
		f.cassette = r.cassette(p.Value)
	case "turns":
		for _, n := range p.Value.Items {
			f.turns = append(f.turns, r.turn(n))
		}
	case "expect_no_errors":
		f.noErrors = &strictness{pos: p.Key.Pos, holds: isTrue(p.Value)}
	default:
		if e := r.expectation(p); e.judge != nil {
			f.end = append(f.end, e)
		}
	}
}

// app holds that the test belongs to this story.
func (r *reader) app(n *source.Node) {
	if named := path.Join(path.Dir(r.file), n.Text); named != r.story.Manifest {
		r.report(diag.BadValue, n.Pos, "app names %s, and this is a test of %s", named, r.story.Manifest).
			Hintf("write app: ../%s, or leave app out", r.story.Manifest)
	}
}

func (r *reader) turn(n *source.Node) turn {
	t := turn{pos: n.Pos}
	for _, p := range n.Pairs {
		switch p.Key.Val {
		case "intent":
			t.intent = r.intent(p.Value.Get("name"))
			t.slots = object(p.Value.Get("slots"))
		case "input":
			t.input = p.Value.Text
		default:
			e := r.expectation(p)
			t.errors = t.errors || p.Key.Val == "expect_error"
			if e.judge != nil {
				t.expect = append(t.expect, e)
			}
		}
	}
	return t
}

func isTrue(n *source.Node) bool { return string(n.JSON()) == "true" }
