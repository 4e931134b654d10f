// Package compiler turns a story into a program and its matching tables, or
// into a list of diagnostics. In goes a file system and the path of a
// manifest; out comes an artifact.Image ready to be written. One run reports
// every mistake it can find, sorted by place; with an error there is no
// image. Compiling the same files twice gives the same bytes: nothing here
// reads the clock, the environment or a map's order.
//
// It refuses what the runtime could only fail on later: names that do not
// exist, values of the wrong type, host calls with arguments they do not
// take, and every place where a value would be read as code.
package compiler

import (
	"io/fs"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/fold"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// Options are a compile's settings. Schema is the story's JSON Schema, nil
// for the embedded one. Tool is the version written into the artifact.
// Library is where stories are found that an import names builtin:NAME.
type Options struct {
	Schema  []byte
	Tool    string
	Library source.Library
}

// Output is what a compile yields. Program holds all that could be lowered,
// also beside errors, and is nil when no story could be read. Image is
// Program with its matching tables, nil when there is an error. Sources are
// the files read, sorted by path. Story is the source itself, as far as it
// could be read.
type Output struct {
	Story   *source.Story
	Program *artifact.Program
	Image   *artifact.Image
	Sources []source.File
}

// Compile reads the story whose manifest is at that path in fsys and
// compiles it, with the stories it imports: those may lie anywhere in fsys.
// Files are named relative to the manifest's directory. The Output is never
// nil; the list holds everything there is to say, sorted by place.
func Compile(fsys fs.FS, manifest string, opt Options) (*Output, diag.List) {
	st, ds := source.Load(fsys, manifest, source.Options{Schema: opt.Schema, Library: opt.Library})
	if st == nil {
		ds.Sort()
		return &Output{}, ds.Compact()
	}
	fold.Story(st, &ds)
	out := &Output{Story: st, Sources: st.Files, Program: lower(st, &ds)}
	img := lowerPhrases(st, out.Program, opt.Tool, &ds)
	ownWords(st, ds)
	ds.Sort()
	ds = ds.Compact()
	if !ds.HasErrors() {
		out.Image = img
	}
	return out, ds
}
