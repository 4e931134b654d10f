package proc

import (
	"fmt"
	"io"
	"sync"
)

// capture keeps the beginning and the end of a stream. Both matter: what
// ran stands at the beginning, why it failed at the end.
type capture struct {
	mu   sync.Mutex
	half int
	head []byte
	tail []byte
	lost int
}

func newCapture(limit int) *capture { return &capture{half: limit / 2} }

// Write keeps what fits and never fails.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(p), c.half-len(c.head))
	c.head = append(c.head, p[:n]...)
	c.tail = append(c.tail, p[n:]...)
	if len(c.tail) > 2*c.half {
		c.shorten()
	}
	return len(p), nil
}

func (c *capture) shorten() {
	drop := len(c.tail) - c.half
	c.lost += drop
	c.tail = append([]byte(nil), c.tail[drop:]...)
}

func (c *capture) cut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost > 0 || len(c.tail) > c.half
}

func (c *capture) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.tail) > c.half {
		c.shorten()
	}
	out := append([]byte(nil), c.head...)
	if c.lost > 0 {
		out = fmt.Appendf(out, "\n[… %d bytes cut …]\n", c.lost)
	}
	return append(out, c.tail...)
}

// tee writes to two captures.
type tee struct{ a, b io.Writer }

// Write writes to both; captures never fail.
func (t tee) Write(p []byte) (int, error) {
	if _, err := t.a.Write(p); err != nil {
		return 0, err
	}
	return t.b.Write(p)
}
