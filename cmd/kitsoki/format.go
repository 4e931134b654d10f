package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// formatFlag adds --format to a verb.
func formatFlag(c *cobra.Command, format *string, allowed ...string) {
	c.Flags().StringVar(format, "format", allowed[0], "output format: "+strings.Join(allowed, " or "))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
	inner := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(allowed, *format) {
			return fmt.Errorf("--format %s: expected %s", *format, strings.Join(allowed, " or "))
		}
		return inner(cmd, args)
	}
}

// printLine writes a value as one line of JSON.
func (a *app) printLine(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// printJSON writes one indented JSON document.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
