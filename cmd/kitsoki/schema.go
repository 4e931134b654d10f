package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/schema"
)

func (a *app) schemaVerb() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [" + strings.Join(schema.Names(), "|") + "]",
		Short:     "Print a JSON Schema (default: story)",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: schema.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "story"
			if len(args) > 0 {
				name = args[0]
			}
			data, ok := schema.Get(name)
			if !ok {
				return fmt.Errorf("there is no schema %q; there are: %s", name, strings.Join(schema.Names(), ", "))
			}
			_, err := a.out.Write(data)
			return err
		},
	}
}
