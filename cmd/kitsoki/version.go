package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// version is the version of the tool; it stands in every artifact it makes.
const version = "0.1.0"

func (a *app) versionVerb() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the tool and of the formats it reads",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format == "json" {
				return a.printJSON(map[string]any{
					"version": version, "artifact_format": artifact.FormatVersion,
					"text_version": text.Version, "go": runtime.Version(),
				})
			}
			a.printf("kitsoki %s (artifact format %d, text version %d, %s)\n", version, artifact.FormatVersion, text.Version, runtime.Version())
			return nil
		},
	}
	formatFlag(c, &format, "text", "json")
	return c
}
