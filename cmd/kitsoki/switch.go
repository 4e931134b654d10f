package main

import (
	"github.com/spf13/cobra"

	"kitsoki/runtime/journal"
)

func (a *app) offVerb() *cobra.Command {
	return a.switchVerb("off", "Let every prompt reach the model, in all repositories, until kitsoki on",
		"kitsoki is off: every prompt reaches the model. kitsoki on switches it on again.")
}

func (a *app) onVerb() *cobra.Command {
	return a.switchVerb("on", "Take back kitsoki off", "kitsoki is on.")
}

func (a *app) switchVerb(name, short, done string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			state, err := journal.StateDir(a.env)
			if err != nil {
				return err
			}
			if err := journal.Switch(state, name == "off"); err != nil {
				return err
			}
			a.printf("%s\n", done)
			return nil
		},
	}
}
