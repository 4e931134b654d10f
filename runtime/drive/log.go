package drive

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kitsoki/runtime/journal"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
	// maxRecord bounds one record, in bytes. The first holds the story's program.
	maxRecord = 64 << 20
)

// crcKey stands before the last field of a record: the CRC-32C of all bytes
// before it, in eight hex digits.
const crcKey = `,"crc":"`

func castagnoli(data []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

// logPath is where a drive's records lie.
func logPath(state, id string) string { return filepath.Join(state, "drives", id+".jsonl") }

// log appends records. A record is one write; what counts is on the disk
// before append returns.
type log struct {
	file    *os.File
	session string
	seq     int
	now     func() time.Time
	after   func(seq int, kind Kind) // told of each record; nil but in tests
}

// createLog begins a new drive's records; the name in the directory is on the
// disk when it returns.
func createLog(state, id string, now func() time.Time) (*log, error) {
	path := logPath(state, id)
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &log{file: f, session: id, now: now}, nil
}

// continueLog opens the records of a drive that another process began. A torn
// last line is ended first, so that the next is not glued to it.
func continueLog(state, id string, seq int, torn bool, now func() time.Time) (*log, error) {
	f, err := os.OpenFile(logPath(state, id), os.O_WRONLY|os.O_APPEND, fileMode)
	if err != nil {
		return nil, err
	}
	if torn {
		if _, err := f.Write([]byte{'\n'}); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return &log{file: f, session: id, seq: seq, now: now}, nil
}

// append writes a record; when it must last, it is on the disk afterwards.
func (l *log) append(e Event, lasting bool) error {
	l.seq++
	e.Seq, e.Session, e.Time = l.seq, l.session, l.now().UTC().Format(time.RFC3339Nano)
	if e.Opening != nil {
		e.Opening = e.Opening.placed()
	}
	line, err := encode(e)
	if err == nil && len(line) > maxRecord {
		err = errTooLong
	}
	if err == nil {
		_, err = l.file.Write(line)
	}
	if err == nil && lasting {
		err = l.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("recording the drive: %w", err)
	}
	if l.after != nil {
		l.after(l.seq, e.Kind)
	}
	return nil
}

// errTooLong says that a record would not be read again.
var errTooLong = fmt.Errorf("a record is longer than %d MiB", maxRecord>>20)

func (l *log) close() error { return l.file.Close() }

func encode(e Event) ([]byte, error) {
	body, err := journal.PlainJSON(e)
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSuffix(body, []byte("}"))
	return fmt.Appendf(nil, "%s%s%s\"}\n", body, crcKey, castagnoli(body)), nil
}

// Record is a drive as its records tell it. Torn says that the last line has
// no end or is no record, as after a crash; Damaged that a line before it is
// none: then nothing behind that line is known. Bad is the number of the first
// line, from 1, that is no record and that nobody has gone on behind; 0 for none.
type Record struct {
	Events  []Event
	Torn    bool
	Damaged bool
	Bad     int
}

// errNoFile says that what has a record's name is something else.
var errNoFile = errors.New("it is no regular file")

// Read reads a drive's records.
func Read(state, id string) (Record, error) {
	f, err := openFile(logPath(state, id))
	if err != nil {
		return Record{}, fmt.Errorf("reading the drive %s: %w", id, err)
	}
	defer f.Close()
	r, err := readRecord(f)
	if err != nil {
		return r, fmt.Errorf("reading the drive %s: %w", id, err)
	}
	return r, nil
}

// openFile opens a regular file: to open another may wait for ever.
func openFile(path string) (*os.File, error) {
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

func readRecord(src io.Reader) (r Record, err error) {
	in := lines{bufio.NewReader(src), maxRecord}
	for n := 1; ; n++ {
		line, _, err := in.next()
		if errors.Is(err, io.EOF) {
			r.end(line, n)
			return r, nil
		}
		if err != nil {
			return r, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, ok := decode(line)
		r.Torn = !ok
		if !ok {
			r.Bad = cmp.Or(r.Bad, n)
			continue // a line that was torn, and ended by whoever went on
		}
		if e.Seq != len(r.Events)+1 {
			r.Damaged, r.Bad = true, cmp.Or(r.Bad, n)
			return r, nil
		}
		r.Events, r.Bad = append(r.Events, e), 0
	}
}

// lines gives a file's lines, of which it keeps no more than most bytes.
type lines struct {
	in   *bufio.Reader
	most int
}

// next gives a line with its end, and how long it is. One that is too long is
// cut, and so no record. Behind the last end of a line the error is io.EOF.
func (l lines) next() (line []byte, size int64, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		size += int64(len(part))
		line = append(line, part[:min(len(part), max(0, l.most-len(line)))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}

// end takes what stands behind the last line's end, as line n.
func (r *Record) end(rest []byte, n int) {
	if len(rest) == 0 {
		return
	}
	r.Torn = true
	if e, ok := decode(rest); ok && e.Seq == len(r.Events)+1 {
		r.Events, r.Bad = append(r.Events, e), 0 // all of it but its end
		return
	}
	r.Bad = cmp.Or(r.Bad, n)
}

// decode reads one line; ok is false for one that is torn, was changed, or has
// not what its kind must have.
func decode(line []byte) (e Event, ok bool) {
	line = bytes.TrimSpace(line)
	i := bytes.LastIndex(line, []byte(crcKey))
	if i < 0 || string(line[i:]) != crcKey+castagnoli(line[:i])+`"}` {
		return Event{}, false
	}
	return e, json.Unmarshal(line, &e) == nil && e.whole()
}

// Opening is the first record's, nil when there is none.
func (r Record) Opening() *Opening {
	if len(r.Events) == 0 || r.Events[0].Kind != Escalated {
		return nil
	}
	return r.Events[0].Opening
}

// Closing is the last record's, nil while the drive is open.
func (r Record) Closing() *Closing {
	if len(r.Events) == 0 {
		return nil
	}
	return r.Events[len(r.Events)-1].Closing
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
