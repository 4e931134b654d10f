package artifact

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
)

// Encode gives the bytes of img. The same Image gives the same bytes.
func Encode(img *Image) ([]byte, error) {
	bodies, err := encodeSections(img)
	if err != nil {
		return nil, err
	}
	bodies = append(bodies, body{secSums, blockSums(bodies)})
	dir := encodeDirectory(img, bodies, 0)
	dir = encodeDirectory(img, bodies, align(prefixSize+len(dir)))
	out := make([]byte, prefixSize, prefixSize+len(dir))
	out = append(out, dir...)
	for _, b := range bodies {
		out = pad(out)
		out = append(out, b.data...)
	}
	out = pad(out)
	if len(out) > MaxSize {
		return nil, fmt.Errorf("artifact of %d bytes is over the limit of %d", len(out), MaxSize)
	}
	return seal(out, len(dir), SourceDigest(img.Sources)), nil
}

// SourceDigest is the digest over all source files that stands in the
// header: it names what an artifact was compiled from.
func SourceDigest(sources []Source) [32]byte {
	h := sha256.New()
	for _, s := range sources {
		h.Write([]byte(s.Path))
		h.Write([]byte{0})
		h.Write(s.Sum[:])
	}
	return [32]byte(h.Sum(nil))
}

// seal fills the prefix.
func seal(out []byte, dirLen int, digest [32]byte) []byte {
	le := binary.LittleEndian
	copy(out, magic)
	le.PutUint32(out[8:], FormatVersion)
	le.PutUint32(out[12:], textWanted)
	le.PutUint64(out[16:], uint64(len(out)))
	le.PutUint32(out[24:], uint32(dirLen))
	copy(out[32:], digest[:])
	le.PutUint32(out[28:], crc32.ChecksumIEEE(out[:prefixSize+dirLen]))
	return out
}

// body is one section's bytes.
type body struct {
	id   uint32
	data []byte
}

func encodeSections(img *Image) ([]body, error) {
	prog, err := json.Marshal(img.Program)
	if err != nil {
		return nil, fmt.Errorf("encoding the program: %w", err)
	}
	return []body{
		{secTokens, encodeTokens(img.Tokens)},
		{secExact, encodeExact(img.Exact)},
		{secPhrases, encodePhrases(img.Phrases)},
		{secIntents, encodeIntents(img.Program.Intents)},
		{secAutomata, encodeAutomata(img)},
		{secProgram, prog},
		{secGroups, encodeMembers(img.Members)},
		{secDocuments, encodeDocuments(img)},
		{secSegment, img.Segment.Data},
	}, nil
}

// blockSums gives the checksum of every 4 KiB block of the padded sections.
func blockSums(bodies []body) []byte {
	var out []byte
	for _, b := range bodies {
		data := pad(slices.Clip(b.data))
		for len(data) > 0 {
			n := min(blockSize, len(data))
			out = u32(out, crc32.ChecksumIEEE(data[:n]))
			data = data[n:]
		}
	}
	return out
}

func encodeDirectory(img *Image, bodies []body, at int) []byte {
	out := str(nil, img.Tool)
	out = u32(out, uint32(len(bodies)))
	for _, b := range bodies {
		out = u32(out, b.id)
		out = u32(out, crc32.ChecksumIEEE(pad(slices.Clip(b.data))))
		out = binary.LittleEndian.AppendUint64(out, uint64(at))
		out = binary.LittleEndian.AppendUint64(out, uint64(len(b.data)))
		at = align(at + len(b.data))
	}
	out = u32(out, uint32(len(img.Sources)))
	for _, s := range img.Sources {
		out = append(str(out, s.Path), s.Sum[:]...)
	}
	out = u32(out, uint32(len(img.Rooms)))
	for _, r := range img.Rooms {
		out = u32(u32(str(out, r.Path), r.Automaton), uint32(len(r.Intents)))
		for _, i := range r.Intents {
			out = u32(out, i)
		}
	}
	return out
}

// WriteFile writes img to path so that a reader sees the old file or the new
// one, never a part: a temporary file in the same directory, fsync, rename.
// The file's mode is 0644.
func WriteFile(path string, data []byte) error {
	path, err := writable(path)
	if err != nil {
		return fmt.Errorf("writing the artifact: %w", err)
	}
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing the artifact: %w", err)
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	if err := fill(f, data); err != nil {
		return fmt.Errorf("writing the artifact %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("writing the artifact: %w", err)
	}
	syncDir(dir)
	return nil
}

// writable gives the place to replace: what a symbolic link leads to, and
// nothing but a regular file, or a name that is free.
func writable(path string) (string, error) {
	st, err := os.Lstat(path)
	if err == nil && st.Mode()&os.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
		st, err = os.Stat(path)
	}
	if err == nil && !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	return path, nil
}

// fill writes, syncs and closes the temporary file.
func fill(f *os.File, data []byte) error {
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// syncDir makes the rename durable where the system can; elsewhere the file
// is still whole.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

func u32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }
func str(b []byte, s string) []byte { return append(u32(b, uint32(len(s))), s...) }
func align(n int) int               { return (n + 7) &^ 7 }

// pad appends zeros up to a multiple of 8.
func pad(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}
