package main

import (
	"github.com/spf13/cobra"

	"kitsoki/runtime/taskagent"
)

// submitVerb is no verb for people: a task agent starts it as the server of
// its tool submit.
func (a *app) submitVerb() *cobra.Command {
	var schemas []string
	var out string
	c := &cobra.Command{
		Use:    "submit --schema FILE --out FILE",
		Short:  "Serve the tool submit, by which a task agent hands in its result, over MCP on standard input and output",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			var texts []string
			for _, name := range schemas {
				text, err := readRegular(name)
				if err != nil {
					return err
				}
				texts = append(texts, string(text))
			}
			path, err := a.abs(out)
			if err != nil {
				return err
			}
			desk, err := taskagent.NewDesk(texts, path, version)
			if err != nil {
				return err
			}
			return desk.Serve(c.Context(), a.in, a.out)
		},
	}
	c.Flags().StringArrayVar(&schemas, "schema", nil, "a JSON Schema that the result must fit; each of them, when given more than once")
	c.Flags().StringVar(&out, "out", "", "the file for the result")
	_ = c.MarkFlagRequired("out") // the flag exists
	return c
}
