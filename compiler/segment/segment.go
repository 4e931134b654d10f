// Package segment writes the bleve synonym index of an artifact: one zap
// segment with a document for every phrase.
//
// In: documents in order. Out: the segment's bytes and where its parts lie,
// which version 15 of the format keeps outside. Invariants: the same
// documents give the same bytes, since version 15 writes in document order
// and nothing here has a name of its own: the analyser is handed to each
// field, and bleve's registry and mappings, which are global, stay out.
package segment

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v15"

	"kitsoki/runtime/artifact"
)

// Doc is one phrase to index: its tokens ({type} for a slot), the intent it
// means, and the rooms that offer the intent.
type Doc struct {
	Tokens []string
	Intent string
	Rooms  []string
}

// Build writes the documents into a segment.
func Build(docs []Doc) (artifact.Segment, error) {
	if len(docs) == 0 {
		return artifact.Segment{}, nil
	}
	dir, err := os.MkdirTemp("", "kitsoki-segment-*")
	if err != nil {
		return artifact.Segment{}, fmt.Errorf("writing the synonym index: %w", err)
	}
	defer os.RemoveAll(dir)
	seg, err := write(docs, dir)
	if err != nil {
		return artifact.Segment{}, fmt.Errorf("writing the synonym index: %w", err)
	}
	return seg, nil
}

// write makes one segment of all documents and merges it into a smaller one.
func write(docs []Doc, dir string) (artifact.Segment, error) {
	var plugin zap.ZapPlugin
	analysed := make([]index.Document, len(docs))
	for i, d := range docs {
		analysed[i] = analyse(i, d)
	}
	first, _, err := plugin.New(analysed)
	if err != nil {
		return artifact.Segment{}, err
	}
	defer first.Close()
	one, two := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	if err := first.(segment.UnpersistedSegment).Persist(one); err != nil {
		return artifact.Segment{}, err
	}
	opened, err := plugin.Open(one)
	if err != nil {
		return artifact.Segment{}, err
	}
	defer opened.Close()
	if _, _, err := plugin.Merge([]segment.Segment{opened}, []*roaring.Bitmap{nil}, two, nil, nil); err != nil {
		return artifact.Segment{}, err
	}
	return read(two)
}

// read takes the bytes of a written segment and the offsets that are needed
// to open them again inside another file.
func read(path string) (artifact.Segment, error) {
	var plugin zap.ZapPlugin
	opened, err := plugin.Open(path)
	if err != nil {
		return artifact.Segment{}, err
	}
	defer opened.Close()
	z, ok := opened.(*zap.Segment)
	if !ok {
		return artifact.Segment{}, fmt.Errorf("the segment is a %T", opened)
	}
	out := artifact.Segment{
		Data: append([]byte(nil), z.Data()[:len(z.Data())-zap.FooterSize]...),
		CRC:  z.CRC(), ChunkMode: z.ChunkMode(), Docs: z.NumDocs(),
		Stored: z.StoredIndexOffset(), FieldsAt: z.FieldsIndexOffset(), DocValues: z.DocValueOffset(),
		Fields: z.Fields(),
	}
	for _, f := range out.Fields {
		at, err := z.DictAddr(f)
		if err != nil {
			return artifact.Segment{}, err
		}
		out.Dicts = append(out.Dicts, at)
	}
	return out, nil
}

// analyse makes the bleve document of a phrase.
func analyse(i int, d Doc) index.Document {
	doc := document.NewDocument(fmt.Sprintf("%06x", i))
	for _, f := range []struct{ name, value string }{
		{artifact.FieldPhrase, strings.Join(d.Tokens, " ")},
		{artifact.FieldIntent, d.Intent},
		{artifact.FieldRoom, strings.Join(d.Rooms, " ")},
	} {
		doc.AddField(document.NewTextFieldCustom(f.name, nil, []byte(f.value), index.IndexField, blanks{}))
	}
	doc.AddIDField()
	doc.VisitFields(func(f index.Field) { f.Analyze() })
	return doc
}

// blanks is the analyser of every field: what it is given has been folded by
// runtime/text already, and only the blanks between tokens are left.
type blanks struct{}

// Analyze implements analysis.Analyzer.
func (blanks) Analyze(in []byte) analysis.TokenStream {
	var out analysis.TokenStream
	at := 0
	for _, w := range strings.Split(string(in), " ") {
		if w != "" {
			out = append(out, &analysis.Token{
				Term: []byte(w), Start: at, End: at + len(w), Position: len(out) + 1, Type: analysis.AlphaNumeric,
			})
		}
		at += len(w) + 1
	}
	return out
}
