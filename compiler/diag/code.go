package diag

// Entry is one row of the catalogue of codes.
type Entry struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Title    string   `json:"title"` // what it means, in one line
}

// Source and schema.
const (
	CannotRead      Code = "KIT101"
	BadYAML         Code = "KIT102"
	UnknownKey      Code = "KIT103"
	DuplicateKey    Code = "KIT104"
	NotUTF8         Code = "KIT105"
	WrongKind       Code = "KIT106"
	MissingKey      Code = "KIT107"
	BadValue        Code = "KIT108"
	Unsupported     Code = "KIT109"
	Unused          Code = "KIT110"
	ManyDocuments   Code = "KIT111"
	EmptyFile       Code = "KIT112"
	MergeKey        Code = "KIT113"
	TooLarge        Code = "KIT114"
	BadInclude      Code = "KIT115"
	IncludesNothing Code = "KIT116"
	ManifestOnly    Code = "KIT117"
	BadSchema       Code = "KIT118"
	BadAlias        Code = "KIT119"
	BadImport       Code = "KIT121"
	ImportCycle     Code = "KIT122"
)

// Names and phrases.
const (
	DuplicateName     Code = "KIT201"
	BadName           Code = "KIT202"
	UnknownTarget     Code = "KIT203"
	UnknownIntent     Code = "KIT204"
	UnknownState      Code = "KIT205"
	SamePhrase        Code = "KIT210"
	Ambiguous         Code = "KIT211"
	UndeclaredSlot    Code = "KIT212"
	ForbiddenWord     Code = "KIT213"
	EmptyPattern      Code = "KIT214"
	BadPattern        Code = "KIT215"
	FillerOnly        Code = "KIT216"
	AdjacentSlots     Code = "KIT217"
	FreeSlotNotLast   Code = "KIT218"
	FreeSlotDelimiter Code = "KIT219"
	PhraseUnresolved  Code = "KIT220"
	FillerVerb        Code = "KIT221"
	TooManyStates     Code = "KIT222"
	ReadingAmbiguous  Code = "KIT223"
	NoPhrases         Code = "KIT224"
	UnknownLocale     Code = "KIT225"
	RepeatedSlot      Code = "KIT226"
	UnknownSlot       Code = "KIT230"
	BadGroup          Code = "KIT233"
	WordInTwoGroups   Code = "KIT234"
	BadEntry          Code = "KIT235"
	UnknownOverride   Code = "KIT236"
)

// Templates, slots, expressions, world.
const (
	BadExpression   Code = "KIT301"
	UndeclaredWorld Code = "KIT302"
	UndeclaredRoot  Code = "KIT303"
	WrongType       Code = "KIT304"
	BadTemplate     Code = "KIT305"
	TwoActions      Code = "KIT306"
	NoAction        Code = "KIT307"
	BadDefault      Code = "KIT308"
	BadType         Code = "KIT309"
	BadEnum         Code = "KIT310"
	BadMust         Code = "KIT311"
	BadDuration     Code = "KIT312"
	StrayArgument   Code = "KIT313" // an invoke's companion key without invoke
	DefaultArc      Code = "KIT314"
	NoAbort         Code = "KIT315"
	UnreachableArc  Code = "KIT316"
	BadDetach       Code = "KIT317"
	WholeWorld      Code = "KIT318"
)

// Hosts and shell.
const (
	UnknownCall         Code = "KIT401"
	UnknownArgument     Code = "KIT402"
	MissingArgument     Code = "KIT403"
	BadArgument         Code = "KIT404"
	BadBindPath         Code = "KIT405"
	HostNotAllowed      Code = "KIT406"
	NoHosts             Code = "KIT407"
	ShellInterpolation  Code = "KIT408"
	BadShell            Code = "KIT409"
	ProgramText         Code = "KIT410"
	PreconditionNotRead Code = "KIT411"
	UnknownHost         Code = "KIT412"
	ScriptIsOneValue    Code = "KIT413"
	UnknownAgent        Code = "KIT415"
)

// Codes returns the catalogue, sorted by code: every code with the severity
// all its diagnostics have.
func Codes() []Entry {
	var out []Entry
	for _, part := range [][]Entry{sourceCodes(), nameCodes(), valueCodes(), hostCodes(), lintCodes()} {
		out = append(out, part...)
	}
	return out
}

// Lookup finds a code's row.
func Lookup(c Code) (Entry, bool) {
	for _, e := range Codes() {
		if e.Code == c {
			return e, true
		}
	}
	return Entry{}, false
}

func sourceCodes() []Entry {
	return []Entry{
		{CannotRead, Error, "a file can't be read"},
		{BadYAML, Error, "the text is not YAML"},
		{UnknownKey, Error, "a key the story language does not have"},
		{DuplicateKey, Error, "a key stands twice in one map"},
		{NotUTF8, Error, "a file is not UTF-8 text"},
		{WrongKind, Error, "a value of the wrong kind (text, number, list, map)"},
		{MissingKey, Error, "a required key is missing"},
		{BadValue, Error, "a value outside the allowed ones"},
		{Unsupported, Error, "a key or value of the public format that is not supported"},
		{Unused, Info, "a key that is accepted and has no effect"},
		{ManyDocuments, Error, "more than one YAML document in a file"},
		{EmptyFile, Error, "a file without content"},
		{MergeKey, Error, "the YAML merge key << is refused"},
		{TooLarge, Error, "a file, its nesting or its aliases are too large"},
		{BadInclude, Error, "an include that can't be followed"},
		{IncludesNothing, Warning, "an include pattern that matches no file"},
		{ManifestOnly, Error, "a key that belongs to the manifest stands in an included file"},
		{BadSchema, Error, "the JSON Schema given can't be used"},
		{BadAlias, Error, "a YAML alias that names no anchor or contains itself"},
		{BadImport, Error, "an import whose source is no story"},
		{ImportCycle, Error, "stories that import each other"},
	}
}

func nameCodes() []Entry {
	return []Entry{
		{DuplicateName, Error, "a name is declared twice"},
		{BadName, Error, "a name that is not well formed"},
		{UnknownTarget, Error, "a target that names no state"},
		{UnknownIntent, Error, "an intent that is not declared"},
		{UnknownState, Error, "a state that is not declared"},
		{SamePhrase, Error, "two intents of one room have the same phrase"},
		{Ambiguous, Error, "one prompt would match two intents of one room"},
		{UndeclaredSlot, Error, "a pattern captures a slot its intent does not declare"},
		{ForbiddenWord, Error, "a pattern holds a word that must reach the model"},
		{EmptyPattern, Error, "a phrase or pattern without words"},
		{BadPattern, Error, "a pattern that can't be read"},
		{FillerOnly, Error, "a phrase made only of filler words"},
		{AdjacentSlots, Error, "two captures without a word between them"},
		{FreeSlotNotLast, Error, "a free text slot before the end of a pattern"},
		{FreeSlotDelimiter, Error, "a free text slot without a delimiter before it"},
		{PhraseUnresolved, Error, "a phrase that does not match its own intent"},
		{FillerVerb, Error, "a filler that holds a command's word"},
		{TooManyStates, Error, "the patterns of a room are too large together"},
		{ReadingAmbiguous, Error, "one pattern reads one prompt in two ways"},
		{NoPhrases, Warning, "an intent nobody can type"},
		{UnknownLocale, Error, "a locale without a language pack"},
		{RepeatedSlot, Error, "a pattern captures one slot twice"},
		{UnknownSlot, Error, "a slot that is not declared"},
		{BadGroup, Error, "a group of words that can't be exchanged"},
		{WordInTwoGroups, Warning, "a word in two groups of word_synonyms"},
		{BadEntry, Error, "an import without an entry, or with one that names no state"},
		{UnknownOverride, Error, "an override of something the imported story does not have"},
	}
}

func valueCodes() []Entry {
	return []Entry{
		{BadExpression, Error, "an expression that can't be read"},
		{UndeclaredWorld, Error, "a world key that is not declared"},
		{UndeclaredRoot, Error, "a name that does not exist in this place"},
		{WrongType, Error, "a value of the wrong type"},
		{BadTemplate, Error, "a text template that can't be read"},
		{TwoActions, Error, "two actions in one effect"},
		{NoAction, Error, "an effect without an action"},
		{BadDefault, Error, "a default of the wrong type"},
		{BadType, Error, "a type that does not exist"},
		{BadEnum, Error, "an enum without values, or values without an enum"},
		{BadMust, Error, "must on a slot that is neither ref nor path"},
		{BadDuration, Error, "a duration that can't be read or is out of bounds"},
		{StrayArgument, Error, "a key that belongs to another action"},
		{DefaultArc, Error, "a default arc that is not the last one"},
		{NoAbort, Error, "a flow that is driven and has no way back"},
		{UnreachableArc, Warning, "an arc that can never fire"},
		{BadDetach, Error, "an arc of an intent with detach that does not leave exactly one command running"},
		{WholeWorld, Error, "an imported story uses the world as a whole"},
	}
}

func hostCodes() []Entry {
	return []Entry{
		{UnknownCall, Error, "a host call that does not exist"},
		{UnknownArgument, Error, "an argument the host call does not take"},
		{MissingArgument, Error, "a required argument is missing"},
		{BadArgument, Error, "an argument of the wrong type or value"},
		{BadBindPath, Error, "a bind path the host call does not return"},
		{HostNotAllowed, Error, "a host call that hosts does not list"},
		{NoHosts, Warning, "a story with host calls and no hosts list"},
		{ShellInterpolation, Error, "a value where the shell would read it as code"},
		{BadShell, Error, "a shell script that can't be read"},
		{ProgramText, Error, "a value inside another program's source text"},
		{PreconditionNotRead, Error, "a precondition that does more than read"},
		{UnknownHost, Error, "hosts lists a call that does not exist"},
		{ScriptIsOneValue, Error, "a script that is one value"},
		{UnknownAgent, Error, "an agent that is not declared"},
	}
}
