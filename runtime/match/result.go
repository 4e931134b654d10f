package match

import "kitsoki/runtime/artifact"

// Reason tells why a prompt passes. The set is closed.
type Reason string

// The reasons.
const (
	ReasonTie            Reason = "tie"
	ReasonBelowBar       Reason = "below_bar"
	ReasonMissingSlot    Reason = "missing_slot"
	ReasonNoMatch        Reason = "no_match"
	ReasonPrefilter      Reason = "prefilter"
	ReasonEscaped        Reason = "escaped"
	ReasonNotBound       Reason = "not_bound"
	ReasonDisabled       Reason = "disabled"
	ReasonUntrusted      Reason = "untrusted"
	ReasonNotReady       Reason = "not_ready"
	ReasonNotAPerson     Reason = "not_a_person"
	ReasonWrongCaller    Reason = "wrong_caller"
	ReasonPlanMode       Reason = "plan_mode"
	ReasonBusy           Reason = "busy"
	ReasonNoDrive        Reason = "no_drive"
	ReasonWouldIntercept Reason = "would_intercept"
)

// Reasons lists the closed set, for schemas and docs.
func Reasons() []Reason {
	return []Reason{
		ReasonTie, ReasonBelowBar, ReasonMissingSlot, ReasonNoMatch, ReasonPrefilter, ReasonEscaped,
		ReasonNotBound, ReasonDisabled, ReasonUntrusted, ReasonNotReady, ReasonNotAPerson,
		ReasonWrongCaller, ReasonPlanMode, ReasonBusy, ReasonNoDrive, ReasonWouldIntercept,
	}
}

// Tier is the way a match was found.
type Tier string

// The tiers.
const (
	TierExact   Tier = "exact"
	TierGrammar Tier = "grammar"
	TierFillers Tier = "grammar + fillers"
	TierSynonym Tier = "synonym"
	TierHedged  Tier = "hedged"
)

// The confidence of each tier: a route's label, not a probability.
const (
	ConfidenceExact   = 1.00
	ConfidenceGrammar = 0.97
	ConfidenceFillers = 0.93
	ConfidenceSynonym = 0.90
	ConfidenceHedged  = 0.85
	ConfidenceTie     = 0.50
	DefaultBar        = 0.90
	MinBar            = 0.86 // a hedged match is never taken
)

// Confidence gives the label of a tier.
func (t Tier) Confidence() float64 {
	switch t {
	case TierExact:
		return ConfidenceExact
	case TierGrammar:
		return ConfidenceGrammar
	case TierFillers:
		return ConfidenceFillers
	case TierSynonym:
		return ConfidenceSynonym
	case TierHedged:
		return ConfidenceHedged
	}
	return 0
}

// Result is what the tables say about a prompt. It decides nothing.
type Result struct {
	Reason Reason // prefilter, escaped or not_ready; else ""
	Detail string
	Hits   []Hit // the best reading of each intent, best first; empty: not covered
}

// Hit is one intent's best reading of the whole prompt.
type Hit struct {
	ID      uint32 // index of the intent
	Intent  string
	Title   string
	Confirm bool
	Drive   bool
	Tier    Tier
	Phrase  uint32
	Source  string // the phrase as written
	Pos     artifact.Pos
	Slots   []SlotValue
	Missing []string // required slots that the reading leaves empty
	Cover   []Cover

	slots, literals, optionals int
}

// Shown is the intent's name as people read it.
func (h Hit) Shown() string { return artifact.ShownIntent(h.Intent) }

// SlotValue is a filled slot. Raw is what the person typed; Value is its
// typed form. Uncertain is set for a ref or path whose form proves nothing:
// it holds only when a branch or file of that name exists. Must is what the
// slot asks of it: exist, new, or nothing.
type SlotValue struct {
	Name      string
	Type      artifact.SlotType
	Raw       string
	Value     any
	Uncertain bool
	Must      string
}

// Cover accounts for a run of tokens: by Kind (lead, request, trail, phrase,
// slot, exchange, end), Text as typed. Name is a slot's name, or the words
// of the phrase that an exchange stands for.
type Cover struct {
	Kind, Name, Text string
	Start, End       int // byte range in the prompt
}
