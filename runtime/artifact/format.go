// Package artifact is the compiled form of a story: the type that stands
// between compiler and runtime, and the file that carries it.
//
// In (Encode, WriteFile): an Image. Out (Open, Decode): a File, a read-only
// view that hands out table rows without decoding the whole. Invariants: one
// Image has one sequence of bytes; a reader never hands out bytes whose
// checksum it has not verified. It refuses, by name, anything that is not a
// whole file of its own format and text version.
//
// # The file
//
// All numbers are little-endian, all offsets count from the start of the
// file, sections begin at multiples of 8, padding is zero.
//
//	prefix, 64 bytes
//	  0  magic "KITSOKI\n"
//	  8  u32 format version      12 u32 text version
//	  16 u64 file size           24 u32 directory length
//	  28 u32 CRC-32 of the prefix (this field zero) and the directory
//	  32 SHA-256 over all source files (path, NUL, digest, in order)
//	directory
//	  str tool version
//	  u32 n, n × section {u32 id, u32 CRC-32, u64 offset, u64 length}
//	  u32 n, n × source {str path, 32 bytes SHA-256}
//	  u32 n, n × room {str path, u32 automaton, u32 n, n × u32 intent}
//	sections, in the order of their ids
//
// A str is u32 length and bytes. CRC-32 is that of IEEE 802.3. The checksum of
// a section covers its bytes and the padding behind it. No times, no absolute
// paths, no map order.
//
//	tokens     interned words, sorted: u32 n, n × {u32 offset, u32 length, u32 class}, bytes
//	exact      keys, sorted: u32 n, n × {u32 offset, u32 length, u32 phrase}, bytes
//	phrases    u32 n, n × 44 bytes (see phraseSize), instructions of 12 bytes, bytes of the sources
//	intents    u32 n, n × {u32 offset, u32 length of a record}, records
//	automata   u32 n, n × u32 offset, automata (see automaton.go); 0 is lead, 1 trail
//	program    JSON of Program
//	groups     word groups: u32 n, n × {u32 group, u32 offset, u32 length} of members,
//	           sorted by their first token, then u32 tokens
//	documents  u32 n, n × u32 phrase, then how to open the segment (see synonym.go)
//	segment    a bleve segment in the zap format, version 15, without its footer
//	sums       CRC-32 of each 4 KiB block of each section before it, in order
//
// A file of at most 1 MiB is verified whole when opened. In a larger one the
// block sums are verified at once, and each block at its first use, but for
// the segment, which bleve's code reads: damage there can only lose a match,
// since what it finds is aligned against the checked phrases. Section
// ids not known to a reader are skipped, so that a table can be added
// without a new format version when old readers lose nothing by it.
//
// # Versions
//
//	1  the first
//	2  CRC-32 as IEEE 802.3 has it, not Castagnoli's: Go makes the tables of
//	   that one at the start of every process, which took longer than all
//	   that is read of a file
package artifact

import "kitsoki/runtime/text"

// FormatVersion is the version of the file this package writes, and the only
// one it reads.
const FormatVersion = 2

// Extension is the file name extension of an artifact.
const Extension = ".kit"

const (
	magic      = "KITSOKI\n"
	prefixSize = 64
	blockSize  = 4 << 10
	wholeLimit = 1 << 20 // up to here every checksum is verified on open
	readLimit  = 32 << 10
	// MaxSize is the most bytes of an artifact: no story comes near, and
	// offsets stay within 32 bits.
	MaxSize    = 1 << 30
	textWanted = text.Version
)

// The section ids, in file order.
const (
	secTokens uint32 = iota + 1
	secExact
	secPhrases
	secIntents
	secAutomata
	secProgram
	secGroups
	secDocuments
	secSegment
	secSums
)

// Image is everything one file holds.
type Image struct {
	Tool     string // version of the tool that compiled it
	Locale   string // language of the story's phrases; not in the file
	Sources  []Source
	Rooms    []Room
	Tokens   []Token
	Exact    []Exact
	Phrases  []Phrase
	Lead     Automaton
	Trail    Automaton
	Automata []Automaton // pattern automata; Room.Automaton indexes them
	Program  *Program    // its Intents are the file's intents, in order
	Members  []Member    // of word groups, sorted by tokens, then group
	Docs     []uint32    // the phrase of each document of the segment
	// SlotClasses is every class that a slot of some phrase reads.
	SlotClasses uint32
	Segment     Segment
}

// Source is a file the artifact was compiled from: its path relative to the
// manifest and the SHA-256 of its bytes.
type Source struct {
	Path string
	Sum  [32]byte
}

// Room is a state that can be bound, with the intents (indexes) that may be
// intercepted there, ascending, and its pattern automaton.
type Room struct {
	Path      string
	Automaton uint32
	Intents   []uint32
}

// Token is an interned word and the classes of slot text it belongs to.
type Token struct {
	Word  string
	Class uint32
}

// Exact maps an exact key (text.Key) to a phrase. One key may stand for
// several phrases of different rooms.
type Exact struct {
	Key    string
	Phrase uint32
}

// PhraseKind tells where a phrase was declared, and so what a match of it is
// worth.
type PhraseKind uint8

// The kinds of a phrase.
const (
	PhraseExample PhraseKind = iota + 1 // an example or a display label: exact
	PhrasePlain                         // a synonym without brackets
	PhrasePattern                       // a synonym with brackets
	PhraseLead                          // fillers
	PhraseRequest
	PhraseTrail
)

// NoIntent is the intent of a filler.
const NoIntent = ^uint32(0)

// Phrase is one declared phrase, pattern or filler. Source is as written;
// Slots counts the slots it can fill; Flags are a filler's Flag bits. Prog
// is empty for a plain phrase.
type Phrase struct {
	Intent uint32
	Kind   PhraseKind
	Slots  uint8
	Flags  uint16
	Pos    Pos
	Source string
	Prog   []Inst
}

// The flags of a filler.
const (
	FlagRequest uint16 = 1 << iota // licenses a final "?"
	FlagHedge                      // an answer or sequence word: never taken
	FlagWe                         // a bare "can we": never taken without a please
	FlagPlease                     // takes FlagWe, and FlagAsk of a lead, back
	FlagAsk                        // makes a question; with FlagRequest: a request only in one
	FlagRemark                     // a remark of its own: before a single word it is no lead
)

// Op is the operation of an instruction.
type Op uint32

// The operations. A program is a Thompson machine over tokens; the automaton
// is built from it, and the walk that gives captures runs it.
const (
	OpWord  Op = iota + 1 // consume the interned word A
	OpClass               // consume a token that has class bit A
	OpSplit               // go on at A, else at B
	OpJump                // go on at A
	OpBegin               // slot A of the intent begins; B-1 is its enum value, 0 for none
	OpEnd                 // slot A ends
	OpMatch               // accept; A=1: only at the end of the prompt
)

// Inst is one instruction; the next one follows unless the operation says
// otherwise.
type Inst struct {
	Op   Op
	A, B uint32
}
