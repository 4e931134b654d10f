package index

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v15"
)

// The fields of a document: which file or turn it is of, its terms, and what
// is answered.
const (
	fieldOf     = "of"
	fieldTerms  = "terms"
	fieldRecord = "record"
	idField     = "_id"
)

// turnOf is the value of fieldOf for a turn; no path looks like it.
const turnOf = "\x00turn"

// batch is how many documents are analysed before they become a segment.
const batch = 2000

// record is what a document answers with. Its text is Title and Body.
type record struct {
	Kind   Kind      `json:"kind"`
	Key    string    `json:"key"`
	Title  string    `json:"title"`
	Body   string    `json:"body"`
	Path   string    `json:"path,omitempty"`
	Line   int       `json:"line,omitempty"`
	Source string    `json:"source"`
	Time   time.Time `json:"time,omitzero"`
}

// writer puts a new segment together: documents of the one before, but for
// those that are dropped, and new ones.
type writer struct {
	lex   *lexicon
	old   []segment.Segment
	drops []*roaring.Bitmap
	docs  []index.Document
}

// keep takes over what an earlier segment holds, but for the documents of the
// given files and turns.
func (w *writer) keep(g *generation, files, turns []string) error {
	for _, seg := range g.bases() {
		drop, err := seg.DocNumbers(turns)
		if err != nil {
			return err
		}
		of, err := seg.Dictionary(fieldOf)
		if err != nil {
			return err
		}
		for _, path := range files {
			set, err := postings(of, path)
			if err != nil {
				return err
			}
			drop.Or(set)
		}
		w.old, w.drops = append(w.old, seg), append(w.drops, drop)
	}
	return nil
}

// add indexes a record.
func (w *writer) add(r record) error {
	stored, err := json.Marshal(r)
	if err != nil {
		return err
	}
	of := r.Path
	if r.Kind == KindTurn {
		of = turnOf
	}
	doc := document.NewDocument(r.Key)
	doc.AddField(document.NewTextFieldCustom(fieldOf, nil, []byte(of), index.IndexField, nil))
	doc.AddField(document.NewTextFieldCustom(fieldTerms, nil, []byte(r.text()), index.IndexField|index.IncludeTermVectors, w.lex))
	doc.AddIDField()
	doc.VisitFields(func(f index.Field) { f.Analyze() })
	doc.AddField(document.NewTextFieldCustom(fieldRecord, nil, stored, index.StoreField, nil))
	if w.docs = append(w.docs, doc); len(w.docs) < batch {
		return nil
	}
	return w.flush()
}

// text is what a record is found by: its heading, and its body.
func (r record) text() string { return r.Title + "\n" + r.Body }

func (w *writer) flush() error {
	if len(w.docs) == 0 {
		return nil
	}
	var plugin zap.ZapPlugin
	seg, _, err := plugin.New(w.docs)
	if err != nil {
		return fmt.Errorf("analysing: %w", err)
	}
	w.old, w.drops, w.docs = append(w.old, seg), append(w.drops, nil), nil
	return nil
}

// write merges everything into one segment at path. It is nil when there is
// nothing to write.
func (w *writer) write(ctx context.Context, path string) (*layout, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	if w.count() == 0 {
		return nil, nil
	}
	var plugin zap.ZapPlugin
	if _, _, err := plugin.Merge(w.old, w.drops, path, abort(ctx), nil); err != nil {
		return nil, err
	}
	return readLayout(path)
}

// count is how many documents there will be.
func (w *writer) count() uint64 {
	var n uint64
	for i, seg := range w.old {
		n += seg.Count()
		if w.drops[i] != nil {
			n -= w.drops[i].GetCardinality()
		}
	}
	return n
}

// abort is a channel of the kind that zapx wants, closed with the context.
func abort(ctx context.Context) chan struct{} {
	c := make(chan struct{})
	context.AfterFunc(ctx, func() { close(c) })
	return c
}

// readLayout finds out what it takes to read the segment at path.
func readLayout(path string) (*layout, error) {
	var plugin zap.ZapPlugin
	opened, err := plugin.Open(path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	z, ok := opened.(*zap.Segment)
	if !ok {
		return nil, fmt.Errorf("the segment is a %T", opened)
	}
	out := &layout{
		CRC: z.CRC(), ChunkMode: z.ChunkMode(), Docs: z.NumDocs(),
		Stored: z.StoredIndexOffset(), FieldsAt: z.FieldsIndexOffset(), DocValues: z.DocValueOffset(), Fields: z.Fields(),
	}
	for _, f := range out.Fields {
		at, err := z.DictAddr(f)
		if err != nil {
			return nil, err
		}
		out.Dicts = append(out.Dicts, at)
	}
	out.Sum, err = sumOf(path)
	return out, err
}

// sumOf reads a file for its size and checksum.
func sumOf(path string) (sum, error) {
	f, err := os.Open(path)
	if err != nil {
		return sum{}, err
	}
	defer f.Close()
	crc := crc32.New(castagnoli())
	n, err := io.Copy(crc, f)
	return sum{Size: n, CRC: crc.Sum32()}, err
}

// postings are the documents that have a term.
func postings(terms segment.TermDictionary, term string) (*roaring.Bitmap, error) {
	list, err := terms.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return nil, err
	}
	p, ok := list.(*zap.PostingsList)
	if !ok {
		return roaring.New(), nil
	}
	set := roaring.New()
	p.OrInto(set)
	return set, nil
}
