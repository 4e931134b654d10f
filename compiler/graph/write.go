package graph

import (
	"fmt"
	"io"
	"strings"
)

// Mermaid writes the graph as a Mermaid flowchart.
func Mermaid(w io.Writer, g Graph) error {
	p := &printer{w: w}
	p.line("flowchart TD")
	p.tree(g, "", 1, func(indent string, n Node) {
		left, right := `["`, `"]`
		if n.Terminal {
			left, right = `(["`, `"])`
		}
		p.line("%s%s%s%s%s", indent, g.id(n.Path), left, mermaidText(n.text()), right)
	}, "subgraph %s_in [\"%s\"]", "end", mermaidText)
	for _, d := range g.merged() {
		p.line("  %s -->|\"%s\"| %s", g.id(d.from), mermaidText(d.lines), g.id(d.to))
	}
	return p.err
}

// mermaidText escapes what ends a label there, with Mermaid's entity codes.
func mermaidText(lines []string) string {
	r := strings.NewReplacer(`"`, "#quot;", "#", "#35;", "<", "#lt;", ">", "#gt;", "\n", " ")
	out := make([]string, len(lines))
	for i, s := range lines {
		out[i] = r.Replace(s)
	}
	return strings.Join(out, "<br>")
}

// Dot writes the graph in the language of Graphviz.
func Dot(w io.Writer, g Graph) error {
	p := &printer{w: w}
	p.line("digraph \"%s\" {", dotText([]string{g.Title}))
	p.line("  node [shape=box, fontname=\"sans-serif\"]")
	p.line("  edge [fontname=\"sans-serif\", fontsize=10]")
	p.tree(g, "", 1, func(indent string, n Node) {
		shape := ""
		if n.Terminal {
			shape = ", shape=doublecircle"
		}
		p.line("%s%s [label=\"%s\"%s]", indent, g.id(n.Path), dotText(n.text()), shape)
	}, "subgraph cluster_%s { label=\"%s\"", "}", dotText)
	for _, d := range g.merged() {
		p.line("  %s -> %s [label=\"%s\\l\"]", g.id(d.from), g.id(d.to), strings.ReplaceAll(dotText(d.lines), `\n`, `\l`))
	}
	p.line("}")
	return p.err
}

func dotText(lines []string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")
	out := make([]string, len(lines))
	for i, s := range lines {
		out[i] = r.Replace(s)
	}
	return strings.Join(out, `\n`)
}

// printer writes lines until the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// tree writes the nodes; a compound state is a frame that holds a node for its
// entry and what is below it.
func (p *printer) tree(g Graph, parent string, depth int, node func(indent string, n Node), open, end string, escape func([]string) string) {
	indent := strings.Repeat("  ", depth)
	for _, n := range g.Nodes {
		if n.Parent != parent {
			continue
		}
		if !g.compound(n.Path) {
			node(indent, n)
		} else {
			p.line(indent+open, g.id(n.Path), escape([]string{n.Path}))
			node(indent+"  ", n)
			p.tree(g, n.Path, depth+1, node, open, end, escape)
			p.line("%s%s", indent, end)
		}
	}
}

func (g Graph) compound(path string) bool {
	for _, n := range g.Nodes {
		if n.Parent == path {
			return true
		}
	}
	return false
}
