package flow

import (
	"errors"
	"io/fs"
	"path"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/schema"
)

// cassette holds calls with their answers. It is never changed: what has
// been played is the session's to know.
type cassette struct {
	file     string
	data     []byte // nil: the file is yet to be recorded
	episodes []episode
}

// episode answers the calls of a name that have this id, if any, and these
// arguments among theirs.
type episode struct {
	id, handler, call string
	args              map[string]any
	answer            *answer
	any               bool // it answers any number of calls
}

func (e *episode) matches(name, id string, args map[string]any) bool {
	return e.handler == name && (e.call == "" || e.call == id) && subset(e.args, args)
}

// cassette reads the cassette that a flow names.
func (r *reader) cassette(n *source.Node) *cassette {
	c := &cassette{file: path.Join(path.Dir(r.file), n.Text)}
	if !fs.ValidPath(c.file) {
		r.report(diag.CannotRead, n.Pos, "%s lies outside of the story", n.Text).
			Hintf("keep cassettes in flows/cassettes")
		return c
	}
	data, err := fs.ReadFile(r.story.FS, c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.story.Recording:
		return c
	case err != nil:
		r.report(diag.CannotRead, n.Pos, "can't read the cassette %s: %s", c.file, reason(err)).
			Hintf("kitsoki test --record makes one from real calls")
		return c
	}
	c.data = data
	if root := r.document(c.file, schema.Cassette()); root != nil {
		c.episodes = r.episodes(root.Get("episodes"))
	}
	return c
}

func (r *reader) episodes(list *source.Node) []episode {
	var out []episode
	first := map[string]diag.Pos{}
	for _, n := range list.Items {
		e := r.episode(n)
		id := n.Get("id").Str()
		if at, twice := first[e.id]; twice {
			r.report(diag.DuplicateName, id.Pos, "two episodes have the id %s", e.id).
				Hintf("give each its own").Also(at, "the first stands here")
		}
		first[e.id] = id.Pos
		out = append(out, e)
	}
	return out
}

func (r *reader) episode(n *source.Node) episode {
	match := n.Get("match")
	e := episode{
		id: n.Get("id").Str().Val, handler: match.Get("handler").Str().Val, call: match.Get("call").Str().Val,
		any: n.Get("replay").Str().Val == "any",
	}
	row, ok := r.call(match.Get("handler").Str())
	if !ok {
		return e
	}
	if e.call != "" {
		r.callID(e.handler, match.Get("call").Str())
	}
	e.args = r.args(row, match.Get("args"))
	op, _ := e.args["op"].(string)
	e.answer = r.answer(row, op, n.Get("response"))
	return e
}
