package artifact

import "encoding/json"

// Pos is a place in a story's source. File is relative to the manifest's
// directory with forward slashes; Line and Col count from 1, Col in
// characters. The zero Pos means "no place known".
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// Program is the executable part of a story: what the engine runs after a
// match. Every list is sorted by name (world, intents, states) or in source
// order (arcs, effects), so that one story has one encoding.
type Program struct {
	App     App        `json:"app"`
	Root    string     `json:"root"`
	Hosts   []string   `json:"hosts,omitempty"`
	World   []WorldKey `json:"world,omitempty"`
	Intents []Intent   `json:"intents,omitempty"`
	States  []State    `json:"states,omitempty"`
	Agents  []Agent    `json:"agents,omitempty"`
	Assets  []Asset    `json:"assets,omitempty"`
}

// Agent is a task agent that a drive runs. SystemPromptFile names an asset.
// Without a Command it is the claude CLI in print mode.
type Agent struct {
	Name             string   `json:"name"`
	SystemPrompt     *Text    `json:"system_prompt,omitempty"`
	SystemPromptFile string   `json:"system_prompt_file,omitempty"`
	Model            string   `json:"model,omitempty"`
	Tools            []string `json:"tools,omitempty"`
	Command          []string `json:"command,omitempty"`
	Env              []Field  `json:"env,omitempty"`
	Pos              Pos      `json:"pos"`
}

// Asset is a file that a task agent is given: a prompt, which is a text
// template, or a JSON Schema. Calls name it as the story does; that of an
// imported story stands behind its alias and a colon.
type Asset struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// App is the story's identity.
type App struct {
	ID      string `json:"id"`
	Version string `json:"version,omitempty"`
	Title   string `json:"title,omitempty"`
}

// Type is the declared type of a world key, an argument or a result.
type Type string

// The types of the world. TypeAny is only used for signatures.
const (
	TypeString Type = "string"
	TypeInt    Type = "int"
	TypeFloat  Type = "float"
	TypeBool   Type = "bool"
	TypeEnum   Type = "enum"
	TypeList   Type = "list"
	TypeObject Type = "object"
	TypeAny    Type = "any"
)

// Empty is the type's value that says nothing, nil for an enum and for any.
func (t Type) Empty() any {
	switch t {
	case TypeString:
		return ""
	case TypeInt:
		return 0
	case TypeFloat:
		return 0.0
	case TypeBool:
		return false
	case TypeList:
		return []any{}
	case TypeObject:
		return map[string]any{}
	}
	return nil
}

// WorldKey declares one key of the world. Default is JSON of the declared
// type and never absent.
type WorldKey struct {
	Name    string          `json:"name"`
	Type    Type            `json:"type"`
	Default json.RawMessage `json:"default"`
	Values  []string        `json:"values,omitempty"`
	Pos     Pos             `json:"pos"`
}

// Intent is a command a person may type. TimeoutMS is the declared budget of
// a one-shot in milliseconds, 0 when none is declared.
type Intent struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Hidden      bool   `json:"hidden,omitempty"`
	Confirm     bool   `json:"confirm,omitempty"`
	Drive       bool   `json:"drive,omitempty"`
	Detach      bool   `json:"detach,omitempty"`
	ShowOutput  bool   `json:"show_output,omitempty"`
	TimeoutMS   int    `json:"timeout_ms,omitempty"`
	Slots       []Slot `json:"slots,omitempty"`
	Pos         Pos    `json:"pos"`
}

// SlotType names the kind of text a slot takes.
type SlotType string

// The slot types.
const (
	SlotString SlotType = "string"
	SlotInt    SlotType = "int"
	SlotBool   SlotType = "bool"
	SlotEnum   SlotType = "enum"
	SlotRef    SlotType = "ref"
	SlotPath   SlotType = "path"
	SlotQuoted SlotType = "quoted"
)

// Value is the type of the value that a slot of this type holds.
func (t SlotType) Value() Type {
	switch t {
	case SlotInt:
		return TypeInt
	case SlotBool:
		return TypeBool
	case SlotEnum:
		return TypeEnum
	}
	return TypeString
}

// Slot declares one slot of an intent. Default is JSON, nil when none is
// declared. Must is "", "exist" or "new".
type Slot struct {
	Name        string          `json:"name"`
	Type        SlotType        `json:"type"`
	Required    bool            `json:"required,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Values      []string        `json:"values,omitempty"`
	Must        string          `json:"must,omitempty"`
	Description string          `json:"description,omitempty"`
	Pos         Pos             `json:"pos"`
}

// State is one room. Path is dotted from the root; Parent is "" at the top.
// Seed is what entering it writes before OnEnter: the world of a story that
// was imported under it. Drive says that entering it begins a flow that is
// driven until it rests; Abort is the way back, Postcondition what must hold
// after it.
type State struct {
	Path        string    `json:"path"`
	Parent      string    `json:"parent,omitempty"`
	Description string    `json:"description,omitempty"`
	View        []View    `json:"view,omitempty"`
	Seed        []Field   `json:"seed,omitempty"`
	OnEnter     []Effect  `json:"on_enter,omitempty"`
	On          []Handler `json:"on,omitempty"`
	Terminal    bool      `json:"terminal,omitempty"`
	Completed   bool      `json:"completed,omitempty"` // outcome: completed
	Initial     string    `json:"initial,omitempty"`   // path of a compound state's first child
	Drive       bool      `json:"drive,omitempty"`
	Abort       []Effect  `json:"abort,omitempty"`

	Postcondition *Precondition `json:"postcondition,omitempty"`

	Pos Pos `json:"pos"`
}

// View is one element of a room's view; Kind is prose, heading, code,
// template, list, kv, choice or banner. Only prose, heading, template and
// banner text can become an outcome line.
type View struct {
	Kind  string   `json:"kind"`
	When  *Expr    `json:"when,omitempty"`
	Text  *Text    `json:"text,omitempty"`
	Items []Choice `json:"items,omitempty"`
}

// Choice is one line of a choice, list or kv element. Intent is set for a
// choice.
type Choice struct {
	Label  Text   `json:"label"`
	Value  *Text  `json:"value,omitempty"`
	Intent string `json:"intent,omitempty"`
	When   *Expr  `json:"when,omitempty"`
}

// Handler holds the arcs a state offers for one intent, in order.
type Handler struct {
	Intent string `json:"intent"`
	Arcs   []Arc  `json:"arcs"`
}

// Arc is one way to answer an intent. Target is a resolved state path; ""
// stays without on_enter. Computed, when set, gives the path of a state when
// the arc is taken; only intents that no person can type have it.
type Arc struct {
	Target        string         `json:"target,omitempty"`
	Computed      *Value         `json:"computed,omitempty"`
	When          *Expr          `json:"when,omitempty"`
	Default       bool           `json:"default,omitempty"`
	Preconditions []Precondition `json:"preconditions,omitempty"`
	Effects       []Effect       `json:"effects,omitempty"`
	GuardHint     *Text          `json:"guard_hint,omitempty"`
	Completed     bool           `json:"completed,omitempty"`
	Pos           Pos            `json:"pos"`
}

// Precondition is a read-only call whose result must satisfy Require before
// anything of the arc runs.
type Precondition struct {
	Call    Call  `json:"call"`
	Require Expr  `json:"require"`
	Hint    *Text `json:"hint,omitempty"`
}

// Effect is one step: exactly one of Set, Increment, Say, Invoke, Emit is
// set.
type Effect struct {
	When      *Expr   `json:"when,omitempty"`
	Set       []Field `json:"set,omitempty"`
	Increment []Field `json:"increment,omitempty"`
	Say       *Text   `json:"say,omitempty"`
	Invoke    *Call   `json:"invoke,omitempty"`
	Emit      *Emit   `json:"emit,omitempty"`
	Pos       Pos     `json:"pos"`
}

// Call is one host call. OnError is a resolved state path, "." for the
// current state, "" when none is declared.
type Call struct {
	Name    string  `json:"name"`
	ID      string  `json:"id,omitempty"`
	With    []Field `json:"with,omitempty"`
	Bind    []Bind  `json:"bind,omitempty"`
	Once    bool    `json:"once,omitempty"`
	OnError string  `json:"on_error,omitempty"`
	Agent   string  `json:"agent,omitempty"`
	Pos     Pos     `json:"pos"`
}

// Bind writes part of a call's result to a world key: Path is a dotted path
// with [n] into the result, else Value is evaluated over result and world.
type Bind struct {
	Key   string `json:"key"`
	Path  string `json:"path,omitempty"`
	Value *Value `json:"value,omitempty"`
	Pos   Pos    `json:"pos"`
}

// Emit dispatches a synthetic turn after the list it stands in.
type Emit struct {
	Intent string  `json:"intent"`
	Slots  []Field `json:"slots,omitempty"`
}

// Field is a named value, in source order.
type Field struct {
	Name  string `json:"name"`
	Value Value  `json:"value"`
}

// Value is what stands on the right of a key in set, with, bind, slots: JSON
// without expressions, one expression (keeps its type), text with
// expressions spliced in, or a list or object that holds such values.
// Exactly one of Literal, Expr, Parts, List, Object is set.
type Value struct {
	Literal json.RawMessage `json:"literal,omitempty"`
	Expr    *Expr           `json:"expr,omitempty"`
	Parts   []Part          `json:"parts,omitempty"`
	List    []Value         `json:"list,omitempty"`
	Object  []Field         `json:"object,omitempty"`
}

// Part is a piece of spliced text: Text, or the expression when Expr is set.
type Part struct {
	Text string `json:"text,omitempty"`
	Expr *Expr  `json:"expr,omitempty"`
}

// Expr is the source of an expr-lang expression.
type Expr struct {
	Src string `json:"src"`
	Pos Pos    `json:"pos"`
}

// Text is the source of a pongo2 text template.
type Text struct {
	Src string `json:"src"`
	Pos Pos    `json:"pos"`
}
