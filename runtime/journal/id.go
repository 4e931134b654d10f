package journal

import (
	"fmt"
	"io"
	"time"
)

// crockford is Crockford's base 32: digits and capitals without I, L, O, U,
// so that an id can be read aloud and typed.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// idLen is the length of an id: 10 characters of milliseconds since 1970,
// then 16 of chance (80 bits), as in a ULID. Ids sort by time.
const idLen = 26

// NewID makes an id: 26 characters that sort by time and can be typed.
func NewID(now time.Time, random io.Reader) (string, error) {
	var chance [16]byte
	if _, err := io.ReadFull(random, chance[:]); err != nil {
		return "", fmt.Errorf("making an id: %w", err)
	}
	var id [idLen]byte
	ms := uint64(max(now.UnixMilli(), 0))
	for i := 9; i >= 0; i-- {
		id[i] = crockford[ms&31]
		ms >>= 5
	}
	for i, b := range chance {
		id[10+i] = crockford[b&31]
	}
	return string(id[:]), nil
}
