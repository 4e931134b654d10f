package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

var errBrokenMark = errors.New("a broken byte order mark")

// MaxPayload is the size of the largest payload that is read, in bytes.
const MaxPayload = 16 << 20

// ErrDeadline says that no whole value came in time.
var ErrDeadline = errors.New("no whole JSON value in time")

// ErrTooLarge says that the value is larger than the cap.
var ErrTooLarge = errors.New("the JSON value is too large")

// ReadOne reads the first whole JSON value of a stream, and nothing waits for
// the stream's end: some agents keep it open, or write a second value. A byte
// order mark is skipped. Bytes that are not UTF-8 are kept; Decode replaces
// them. The value may have limit bytes at most.
//
// When the deadline fires first the error is ErrDeadline, and the goroutine
// that reads is left behind, since a pipe's read can't be cut: the caller is
// about to exit.
func ReadOne(r io.Reader, limit int, deadline <-chan time.Time) ([]byte, error) {
	type outcome struct {
		value []byte
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := ReadValue(r, limit)
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-deadline:
		return nil, ErrDeadline
	}
}

// ReadValue is ReadOne without a deadline: it waits as long as the stream
// does.
func ReadValue(r io.Reader, limit int) ([]byte, error) {
	in := &capped{in: r, left: limit}
	var value json.RawMessage
	err := json.NewDecoder(&unmarked{in: in}).Decode(&value)
	switch {
	case len(value) > limit || err != nil && in.left < 0:
		return nil, ErrTooLarge
	case err == nil:
		return value, nil
	}
	return nil, fmt.Errorf("reading the payload: %w", err)
}

// capped ends a stream after so many bytes; left below 0 tells that there
// were more.
type capped struct {
	in   io.Reader
	left int
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, io.EOF
	}
	if len(p) > c.left+1 { // one byte more shows that the cap is crossed
		p = p[:c.left+1]
	}
	n, err := c.in.Read(p)
	c.left -= n
	return n, err
}

// unmarked skips a UTF-8 byte order mark at the start, a byte at a time, as a
// stream that stays open may hold no more than a few.
type unmarked struct {
	in   io.Reader
	seen int
	rest bool
}

func (u *unmarked) Read(p []byte) (int, error) {
	const mark = "\xef\xbb\xbf"
	for !u.rest && len(p) > 0 {
		n, err := u.in.Read(p[:1])
		if n == 1 && p[0] != mark[u.seen] {
			if u.seen > 0 {
				return 0, errBrokenMark
			}
			u.rest = true
			return n, err
		}
		u.seen += n
		u.rest = u.seen == len(mark)
		if err != nil {
			return 0, err
		}
	}
	return u.in.Read(p)
}
