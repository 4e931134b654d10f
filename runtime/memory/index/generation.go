package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v15"

	"kitsoki/runtime/text"
)

// The files below Options.Dir:
//
//	lock            held by the process that builds
//	current         the name of the generation in force, and a line's end
//	g00000012/      a generation: nothing in it is ever changed
//	  header        one line: magic, format version, checksum of the rest; then JSON
//	  sources       JSON: the files and turns that were indexed
//	  segment       a zap segment, version 15
//	new-g00000013/  a generation that is being written, or was cut off
//
// Header and pointer are written last. The checksum is CRC-32C.
const (
	magic         = "kitsoki-memory-index"
	formatVersion = 1
	pointerName   = "current"
	lockName      = "lock"
	headerName    = "header"
	sourcesName   = "sources"
	segmentName   = "segment"
	unfinished    = "new-"
)

// header says what a generation holds, and what it takes to read it.
type header struct {
	Analysis int // how terms were made; answers of another version are others
	Text     int // the normaliser's version
	Built    time.Time
	Sections int
	Turns    int
	Newest   time.Time // of the turns, zero when there are none
	Sources  sum
	Segment  *layout // nil when nothing is indexed
}

// sum is what a file has to be.
type sum struct {
	Size int64
	CRC  uint32
}

// layout is where the parts of a segment lie, which zap version 15 keeps to
// itself.
type layout struct {
	Sum                         sum
	CRC, ChunkMode              uint32
	Docs                        uint64
	Stored, FieldsAt, DocValues uint64
	Fields                      []string
	Dicts                       []uint64
}

// sources are what was indexed, for the next build and for whoever asks
// whether the index is stale.
type sources struct {
	Files []file
	Turns map[string]string // id to digest
}

// file is an indexed file as it was read.
type file struct {
	Path   string
	Size   int64
	Time   time.Time // of its last change
	Digest string
}

// generation is one that was opened; all of it is in memory.
type generation struct {
	name, dir string
	header    header
	segment   *zap.SegmentBase // nil when nothing is indexed
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// generationName is the name of a generation by its number.
func generationName(n int) string { return fmt.Sprintf("g%08d", n) }

// generationNumber is the number in a name, 0 when it is none.
func generationNumber(name string) int {
	var n int
	if _, err := fmt.Sscanf(name, "g%d", &n); err != nil || generationName(n) != name {
		return 0
	}
	return n
}

// pointer is the name of the generation in force.
func pointer(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, pointerName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", &Error{State: StateMissing, Cause: "none has been built", Err: err}
	}
	if err != nil {
		return "", &Error{State: StateCorrupt, Cause: "its pointer can't be read", Err: err}
	}
	name, ended := strings.CutSuffix(string(raw), "\n")
	if !ended || generationNumber(name) == 0 {
		return "", &Error{State: StateCorrupt, Cause: "its pointer names no generation"}
	}
	return name, nil
}

// openCurrent opens the generation in force. One that is gone may have been
// replaced meanwhile: then the pointer names another one.
func openCurrent(ctx context.Context, dir string) (*generation, error) {
	name, err := pointer(dir)
	for err == nil {
		var g *generation
		if g, err = openGeneration(ctx, dir, name); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return g, err
		}
		now, again := pointer(dir)
		if again != nil || now == name || ctx.Err() != nil {
			break
		}
		name, err = now, nil
	}
	return nil, err
}

func openGeneration(ctx context.Context, dir, name string) (*generation, error) {
	g := &generation{name: name, dir: filepath.Join(dir, name)}
	raw, err := os.ReadFile(filepath.Join(g.dir, headerName))
	if err != nil {
		return nil, &Error{State: StateCorrupt, Cause: "generation " + name + " has no header", Err: err}
	}
	if g.header, err = readHeader(raw); err != nil {
		return nil, err
	}
	if g.header.Segment == nil {
		return g, nil
	}
	data, err := readPart(ctx, g.dir, segmentName, g.header.Segment.Sum)
	if err != nil {
		return nil, err
	}
	g.segment, err = g.header.Segment.open(data)
	return g, err
}

// readHeader checks a header and decodes it.
func readHeader(raw []byte) (header, error) {
	var h header
	line, rest, _ := bytes.Cut(raw, []byte("\n"))
	var version int
	var crc uint32
	if _, err := fmt.Sscanf(string(line), magic+" %d %x", &version, &crc); err != nil || string(line) != firstLineOf(version, crc) {
		return h, &Error{State: StateCorrupt, Cause: "its header is none"}
	}
	if version != formatVersion {
		return h, &Error{State: StateVersion, Cause: fmt.Sprintf("it has format %d, and this kitsoki reads %d", version, formatVersion)}
	}
	if crc32.Checksum(rest, castagnoli()) != crc {
		return h, &Error{State: StateCorrupt, Cause: "its header is damaged"}
	}
	if err := json.Unmarshal(rest, &h); err != nil {
		return h, &Error{State: StateCorrupt, Cause: "its header can't be read", Err: err}
	}
	if h.Analysis != analysisVersion || h.Text != text.Version {
		return h, &Error{State: StateVersion, Cause: "another version of kitsoki cut its texts into words"}
	}
	return h, nil
}

func (h header) encode() ([]byte, error) {
	raw, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	return append([]byte(firstLineOf(formatVersion, crc32.Checksum(raw, castagnoli()))+"\n"), raw...), nil
}

func firstLineOf(version int, crc uint32) string {
	return fmt.Sprintf("%s %d %08x", magic, version, crc)
}

// readPart reads a file of a generation into memory and verifies it. Memory,
// not a mapping: a mapping would keep the file from being removed on some
// systems, and be a fault when the file is cut short.
func readPart(ctx context.Context, dir, name string, want sum) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, &Error{State: StateCorrupt, Cause: "its " + name + " is gone", Err: err}
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || st.Size() != want.Size {
		return nil, &Error{State: StateCorrupt, Cause: "its " + name + " has not the size it had", Err: err}
	}
	data := make([]byte, want.Size)
	crc, err := fill(ctx, data, f)
	switch {
	case ctx.Err() != nil:
		return nil, &Error{State: StateSlow, Cause: "it was not read in time", Err: ctx.Err()}
	case err != nil:
		return nil, &Error{State: StateCorrupt, Cause: "its " + name + " can't be read", Err: err}
	case crc != want.CRC:
		return nil, &Error{State: StateCorrupt, Cause: "its " + name + " is damaged"}
	}
	return data, nil
}

// fill reads data in pieces, so that the context is seen, and sums it up.
func fill(ctx context.Context, data []byte, from io.Reader) (crc uint32, err error) {
	for at := 0; at < len(data) && ctx.Err() == nil; {
		piece := data[at:min(at+1<<20, len(data))]
		if _, err := io.ReadFull(from, piece); err != nil {
			return 0, err
		}
		crc = crc32.Update(crc, castagnoli(), piece)
		at += len(piece)
	}
	return crc, nil
}

// open makes a segment of its bytes.
func (l *layout) open(data []byte) (*zap.SegmentBase, error) {
	if len(data) < zap.FooterSize || len(l.Fields) != len(l.Dicts) {
		return nil, &Error{State: StateCorrupt, Cause: "its segment is none"}
	}
	byName := map[string]uint16{}
	for i, name := range l.Fields {
		byName[name] = uint16(i) + 1
	}
	base, err := zap.InitSegmentBase(data[:len(data)-zap.FooterSize], l.CRC, l.ChunkMode, byName, l.Fields, l.Docs,
		l.Stored, l.FieldsAt, l.DocValues, l.Dicts, nil)
	if err != nil {
		return nil, &Error{State: StateCorrupt, Cause: "its segment can't be read", Err: err}
	}
	return base, nil
}

// sources reads what was indexed.
func (g *generation) sources(ctx context.Context) (sources, error) {
	var s sources
	raw, err := readPart(ctx, g.dir, sourcesName, g.header.Sources)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, &Error{State: StateCorrupt, Cause: "its sources can't be read", Err: err}
	}
	return s, nil
}

// bases are the segments of a generation that still hold something.
func (g *generation) bases() []segment.Segment {
	if g == nil || g.segment == nil {
		return nil
	}
	return []segment.Segment{g.segment}
}
