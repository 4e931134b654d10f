// Package schema holds the JSON Schemas (draft 2020-12) of everything people
// and programs exchange with Kitsoki. They are the only key lists: the
// compiler refuses a story by story.schema.json alone. Out: the schemas'
// bytes. It validates nothing.
package schema

import (
	"embed"
	"strings"
)

//go:embed *.schema.json
var files embed.FS

// Story is the schema of a story: the manifest, and, at #/$defs/file, a file
// it includes.
func Story() []byte { return must("story") }

// Phrases is the schema of phrases.yaml, a story's routing tests.
func Phrases() []byte { return must("phrases") }

// Flow is the schema of a flow test, flows/*.yaml.
func Flow() []byte { return must("flow") }

// Cassette is the schema of the host calls a flow test replays.
func Cassette() []byte { return must("cassette") }

// Config is the schema of .kitsoki.yaml, .kitsoki.local.yaml and the user's
// config.yaml.
func Config() []byte { return must("config") }

// Intercept is the schema of the document kitsoki intercept prints.
func Intercept() []byte { return must("intercept") }

// Explain is the schema of what kitsoki explain prints as JSON.
func Explain() []byte { return must("explain") }

// Trace is the schema of one line of a trace.
func Trace() []byte { return must("trace") }

// Drives is the schema of what kitsoki drives list prints as JSON.
func Drives() []byte { return must("drives") }

// Recover is the schema of what kitsoki recover prints as JSON.
func Recover() []byte { return must("recover") }

// SARIF is the schema of the part of SARIF 2.1.0 that compile and lint print.
func SARIF() []byte { return must("sarif") }

// Names lists the schemas Get knows, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), suffix))
	}
	return out
}

const suffix = ".schema.json"

// Get returns a schema by name; ok is false for a name that is not in Names.
func Get(name string) (data []byte, ok bool) {
	data, err := files.ReadFile(name + suffix)
	return data, err == nil
}

// must reads a file that the build has embedded.
func must(name string) []byte {
	data, err := files.ReadFile(name + suffix)
	if err != nil {
		panic("schema: " + err.Error())
	}
	return data
}
