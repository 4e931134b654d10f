package main

import (
	"github.com/spf13/cobra"

	"kitsoki/compiler/graph"
)

func (a *app) graphVerb() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "graph STORY",
		Short: "Draw a story's rooms, arcs, guards and calls, as text for Mermaid or Graphviz",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.graph(args[0], format) },
	}
	formatFlag(c, &format, "mermaid", "dot")
	return c
}

func (a *app) graph(ref, format string) error {
	src, err := a.story(ref)
	if err != nil {
		return err
	}
	out, ds := src.compile()
	if out.Image == nil {
		if err := a.diagnose(ds, src.shown, "text"); err != nil {
			return err
		}
		return exit(exitFindings)
	}
	if format == "dot" {
		return graph.Dot(a.out, graph.Of(out.Program))
	}
	return graph.Mermaid(a.out, graph.Of(out.Program))
}
