package source

import (
	"encoding/json"

	"kitsoki/compiler/diag"
)

// Str is a scalar of the source with its place. The zero Str is absent.
type Str struct {
	Val string
	Pos diag.Pos
	raw *scalar
	was *original // nil unless Val was rewritten
}

// Story is a whole story: the manifest and all it includes, merged, every
// scalar with its position. Values that are data (defaults, with, set) stay
// Nodes. Maps of the source are slices in source order.
type Story struct {
	Files   []File // every source file read, sorted by path
	App     App
	Hosts   []Str
	Routing Routing
	World   []WorldKey
	Intents []Intent // global intents
	Root    Str
	States  []State // top-level states, children nested
	TopKeys [][]Str // the top-level keys of each file, the manifest's first
	Imports []Import
	Agents  []Agent
	Assets  []Asset // files that its agents are given

	// Incomplete is true when a file could not be read: a name that is
	// missing from the tree may stand there.
	Incomplete bool
}

// File is one source file: its path relative to the manifest's directory
// (forward slashes) and its bytes.
type File struct {
	Path string
	Data []byte
}

// App is the manifest's app block.
type App struct {
	ID, Version, Title, Author, License Str
	Lint                                []Allow // rules of lint that do not apply in the whole story
	Pos                                 diag.Pos
}

// Routing is the manifest's routing block. Disabled is true only for
// enabled: false.
type Routing struct {
	Disabled             bool
	Locale               Str
	Lead, Request, Trail []Str
	Rules                []Rule
	Synonyms             [][]Str
}

// Rule is one named expansion rule of routing.rules.
type Rule struct{ Name, Pattern Str }

// WorldKey is one declaration of the world. Type is absent in the literal
// shorthand; Default is then that literal.
type WorldKey struct {
	Name, Type Str
	Default    *Node
	Values     []Str
}

// Intent is one declared intent. Examples and Synonyms map a locale to
// phrases; a plain list stands under "".
type Intent struct {
	Name, Title, Description Str
	Examples, Synonyms       []Phrases
	AllowWords               []Allow
	Priority                 int
	Hidden, Confirm          bool
	Drive, Detach            bool
	Show, Timeout            Str
	Slots                    []Slot
	Lint                     Exempt
}

// Phrases are the phrases of one locale.
type Phrases struct {
	Locale Str
	List   []Str
}

// Allow is one allowed forbidden word, or one rule of lint that does not
// apply, with the author's reason.
type Allow struct{ Word, Reason Str }

// Exempt holds the rules of lint that do not apply to an intent or a state,
// and where that stands in its file: from the line of its name to Last.
type Exempt struct {
	Allow []Allow
	Last  int
}

// Slot is one declared slot.
type Slot struct {
	Name, Type, Must, Description, Prompt Str
	Required                              bool
	Default                               *Node
	Values                                []Str
	Synonyms                              []Allowed // enum: value → phrases
	Examples                              []Str
}

// Allowed is one enum value and the phrases that mean it.
type Allowed struct {
	Value   Str
	Phrases []Str
}

// State is one state with its children.
type State struct {
	Name, Description Str
	View              []View
	RelevantWorld     []Str
	OnEnter           []Effect
	On                []On
	Intents           []Intent
	IncludeArcs       []Str // rooms whose intents this one offers
	Terminal          bool
	InterceptDrive    Str
	Outcome           Str
	Initial           Str
	States            []State
	Abort             []Effect
	Postcondition     *Precondition // without Hint
	Lint              Exempt
	Fold              *Fold // nil unless an imported story stands below
}

// Import is one story to fold in. Offer are intents of the importing story
// that the imported one may answer, Lift intents of the imported one that
// keep their names; States, Intents and Prompts replace its own.
type Import struct {
	Alias, Source, Entry Str
	WorldIn              []Pair
	Offer, Lift          []Str
	States               []State
	Intents              []Intent
	Prompts              []Pair
	Story                *Story // nil when it could not be read

	dir string // of the importing file, relative to its manifest's
}

// Fold marks the state that an imported story was folded under. Seed is what
// entering it writes: world key to value, null for the key's default. Hosts
// are the calls that the story allows itself.
type Fold struct {
	App   App
	Hosts []Str
	Seed  []Pair
}

// View is one element of a view. Kind is template for a bare text. Text of a
// choice is its prompt.
type View struct {
	Kind, When, Text Str
	Items            []ViewItem
	Pos              diag.Pos
}

// ViewItem is one line of a list, kv or choice element. Value is the hint of
// a list's or choice's line.
type ViewItem struct{ Label, Value, Intent, When Str }

// On is the ordered arcs of one intent.
type On struct {
	Intent Str
	Arcs   []Arc
}

// Arc is one arc.
type Arc struct {
	Target, When, GuardHint, Outcome Str
	Default                          bool
	Preconditions                    []Precondition
	Effects                          []Effect
	Pos                              diag.Pos
}

// Precondition is one precondition of an arc.
type Precondition struct {
	Invoke        Str
	With          []Pair
	Require, Hint Str
	Pos           diag.Pos
}

// Effect is one effect record. Actions names the action keys present, in
// source order, so that none or two can be reported.
type Effect struct {
	When           Str
	Actions        []Str
	Set, Increment []Pair
	Say            Str
	Invoke         Str
	With, Bind     []Pair
	ID             Str
	Once           bool
	OnError        Str
	Agent          Str
	EmitIntent     Str
	Slots          []Pair
	Pos            diag.Pos
}

// Pair is one key of a map in source order.
type Pair struct {
	Key   Str
	Value *Node
}

// Kind is the kind of a Node.
type Kind uint8

// The kinds of a Node.
const (
	KindNull Kind = iota
	KindBool
	KindInt
	KindFloat
	KindString
	KindList
	KindMap
)

// Node is one data value of the source with its place. Text is a scalar's
// value as written, without quotes.
type Node struct {
	Kind  Kind
	Text  string
	Items []*Node
	Pairs []Pair
	Pos   diag.Pos

	raw     *scalar   // of a scalar
	was     *original // of a scalar that was rewritten
	refused bool      // a map with a key that was refused: what it means is not known
	torn    bool      // a map without keys that stand in the file
}

// JSON gives the node as JSON; a map keeps its order.
func (n *Node) JSON() json.RawMessage { return nodeJSON(n) }
