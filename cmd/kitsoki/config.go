package main

import (
	"github.com/spf13/cobra"

	"kitsoki/runtime/config"
)

func (a *app) configVerb() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show the configuration in force", RunE: helpOnly}
	c.AddCommand(a.configShow())
	return c
}

// helpOnly is what a verb with sub-verbs does on its own.
func helpOnly(c *cobra.Command, _ []string) error { return c.Help() }

func (a *app) configShow() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "show",
		Short: "Print each value with its origin, and whether the binding is in force here",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			resolved, problems, err := a.resolve(cmd.Context())
			if err != nil {
				return err
			}
			b := &bound{conf: resolved}
			a.settle(b)
			defer b.close()
			resolved = b.conf
			if format == "json" {
				err = a.printJSON(map[string]any{
					"values": resolved.Rows(), "problems": problems, "explain": resolved.Explain(),
				})
			} else {
				a.showConfig(resolved, problems)
			}
			if resolved.Broken != "" && err == nil {
				err = exit(exitFindings)
			}
			return err
		},
	}
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) showConfig(r config.Resolved, problems []config.Problem) {
	for _, row := range r.Rows() {
		a.printf("%-28s %-32s %s\n", row.Key, row.Value, row.Origin)
	}
	for _, p := range problems {
		a.printf("%s\n", p)
	}
	a.printf("%s\n", r.Explain())
}
