// Package graph draws a story: its rooms, the arcs between them with their
// guards, and the host calls on the way. In: a program. Out: text in the
// language of Mermaid or of Graphviz (dot). The same program gives the same
// text. It leaves out values and texts: a picture shows the shape.
package graph

import (
	"encoding/json"
	"fmt"
	"strings"

	"kitsoki/runtime/artifact"
)

// Node is a room. Root is where a session begins.
type Node struct {
	Path, Parent   string
	Root, Terminal bool
	Calls          []string // what entering it calls
}

// Edge is an arc, or the way a failed call takes: then OnError is set. Guard
// is "" for an arc without one.
type Edge struct {
	From, To, Intent, Guard string
	Calls                   []string
	OnError                 bool
}

// Graph is what is drawn, in the program's order.
type Graph struct {
	Title string
	Nodes []Node
	Edges []Edge
}

// Of reads a program.
func Of(p *artifact.Program) Graph {
	g := Graph{Title: p.App.ID}
	for _, s := range p.States {
		g.Nodes = append(g.Nodes, Node{s.Path, s.Parent, s.Path == p.Root, s.Terminal, calls(s.OnEnter)})
		if s.Initial != "" {
			g.Edges = append(g.Edges, Edge{From: s.Path, To: s.Initial, Intent: "initial"})
		}
		g.failures(s.Path, "on_enter", s.OnEnter)
		for _, h := range s.On {
			for _, a := range h.Arcs {
				g.arc(s.Path, h.Intent, a)
			}
		}
	}
	for _, e := range g.Edges {
		if e.To == somewhere {
			g.Nodes = append(g.Nodes, Node{Path: somewhere})
			break
		}
	}
	return g
}

func (g *Graph) arc(from, intent string, a artifact.Arc) {
	e := Edge{From: from, To: a.Target, Intent: intent, Calls: calls(a.Effects)}
	switch {
	case a.Computed != nil:
		e.To = somewhere
	case e.To == "":
		e.To = from
	}
	switch {
	case a.When != nil:
		e.Guard = strings.Join(strings.Fields(a.When.Src), " ")
	case a.Default:
		e.Guard = "else"
	}
	g.Edges = append(g.Edges, e)
	g.failures(from, intent, a.Effects)
}

// failures adds the ways of calls that say where an error leads.
func (g *Graph) failures(from, intent string, list []artifact.Effect) {
	for _, e := range list {
		if e.Invoke != nil && e.Invoke.OnError != "" && e.Invoke.OnError != "." {
			g.Edges = append(g.Edges, Edge{From: from, To: e.Invoke.OnError, Intent: intent, Calls: []string{called(e.Invoke)}, OnError: true})
		}
	}
}

// somewhere is where an arc leads whose target is only known when it is taken.
const somewhere = "…"

// calls names the host calls of a list, and the turns it emits.
func calls(list []artifact.Effect) []string {
	var out []string
	for _, e := range list {
		if e.Invoke != nil {
			out = append(out, called(e.Invoke))
		}
		if e.Emit != nil {
			out = append(out, "emit "+e.Emit.Intent)
		}
	}
	return out
}

// called is a call with the part of its arguments that tells it from others:
// the operation, or the program and its first argument.
func called(c *artifact.Call) string {
	out := c.Name
	for _, name := range []string{"op", "find", "cmd", "args"} {
		for _, f := range c.With {
			if word := first(f.Value); f.Name == name && word != "" {
				out += " " + short(word)
			}
		}
	}
	return out
}

// first is a value that is written out as text, or the first item of a list.
func first(v artifact.Value) string {
	if len(v.List) > 0 {
		return first(v.List[0])
	}
	var text string
	if json.Unmarshal(v.Literal, &text) == nil {
		return text
	}
	var list []string
	if json.Unmarshal(v.Literal, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return ""
}

// maxText is how much of a text an edge shows, in characters.
const maxText = 32

func short(s string) string {
	if r := []rune(s); len(r) > maxText {
		return string(r[:maxText]) + "…"
	}
	return s
}

// label is what stands at an edge.
func (e Edge) label() []string {
	out := []string{e.Intent}
	if e.Guard != "" {
		out[0] += " [" + short(e.Guard) + "]"
	}
	if e.OnError {
		out[0] += " (on error)"
	}
	return append(out, e.Calls...)
}

// merged joins the edges that leave and arrive at the same places, so that a
// room with many commands is one loop with a list.
func (g Graph) merged() []drawn {
	var out []drawn
	at := map[[2]string]int{}
	for _, e := range g.Edges {
		key := [2]string{e.From, e.To}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, drawn{from: e.From, to: e.To})
		}
		out[i].lines = append(out[i].lines, strings.Join(e.label(), " · "))
	}
	return out
}

// drawn is one line of the picture with the arcs it stands for.
type drawn struct {
	from, to string
	lines    []string
}

// id is a node's name as both languages take it.
func (g Graph) id(path string) string {
	for i, n := range g.Nodes {
		if n.Path == path {
			return fmt.Sprintf("s%d", i)
		}
	}
	return "unknown"
}

// text is what a node shows.
func (n Node) text() []string {
	name := n.Path
	if n.Parent != "" {
		name = strings.TrimPrefix(name, n.Parent+".")
	}
	if n.Root {
		name = "▶ " + name
	}
	return append([]string{name}, n.Calls...)
}
