package source

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"kitsoki/compiler/diag"
)

// The bounds of one file: far above any story, far below what harms. A
// generated story of 200,000 phrases is about 10 MB.
const (
	maxBytes    = 64 << 20
	maxDepth    = 100     // a list in a map counts two
	maxExpanded = 100_000 // nodes that aliases repeat
)

const byteOrderMark = "\uFEFF"

// parse reads one file's bytes as a single YAML document. It returns nil
// when there is no usable tree; ds then holds the reason.
func parse(path string, data []byte, ds *diag.List) *Node {
	t := newText(path, strings.TrimPrefix(string(data), byteOrderMark))
	if !readable(t, ds) {
		return nil
	}
	dec := yaml.NewDecoder(strings.NewReader(t.data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		emptyFile(t, ds)
		return nil
	case err != nil:
		syntaxError(t, err, ds)
		return nil
	}
	if !single(t, dec, ds) || len(doc.Content) == 0 {
		return nil
	}
	c := &converter{text: t, ds: ds, done: map[*yaml.Node]*converted{}}
	return c.document(doc.Content[0])
}

func readable(t *sourceText, ds *diag.List) bool {
	if len(t.data) > maxBytes {
		ds.Addf(diag.TooLarge, t.start(), "the file has %d bytes; the limit is %d", len(t.data), maxBytes).
			Hintf("split it and list the parts under include")
		return false
	}
	if at := invalidUTF8(t.data); at >= 0 {
		ds.Addf(diag.NotUTF8, t.pos(at), "the file is not UTF-8 text: byte 0x%02X can't stand here", t.data[at]).
			Hintf("save the file as UTF-8")
		return false
	}
	if at := strings.IndexByte(t.data, 0); at >= 0 {
		ds.Addf(diag.NotUTF8, t.pos(at), "the file is not plain text: it holds a NUL byte").
			Hintf("save the file as UTF-8")
		return false
	}
	return true
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func emptyFile(t *sourceText, ds *diag.List) {
	ds.Addf(diag.EmptyFile, t.start(), "the file holds no YAML").
		Hintf("a manifest begins with app: {id: my-story}; an included file with a key such as states")
}

// single reports a second document. An error in it counts as one.
func single(t *sourceText, dec *yaml.Decoder, ds *diag.List) bool {
	var second yaml.Node
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
		return true
	case err != nil:
		syntaxError(t, err, ds)
	default:
		ds.Addf(diag.ManyDocuments, t.pos(t.offset(second.Line, second.Column)), "a second YAML document begins here; a story file holds one").
			Hintf("remove the line ---, or move this part to a file of its own and list it under include")
	}
	return false
}
