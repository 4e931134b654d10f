package match

import (
	"fmt"
	"strings"

	"kitsoki/runtime/artifact"
)

// Policy is what the binding asks of a match.
type Policy struct {
	Bar float64 // 0 means DefaultBar; never below MinBar
}

// Facts are what the caller has found out about the repository: whether a
// branch, or a file inside the working directory, of that name exists, and
// whether that could be found out. A nil function means nothing is known.
type Facts struct {
	Branch func(name string) (exists, known bool)
	Path   func(name string) (exists, known bool)
}

// Decision says what to do with a prompt. Hit is set on an intercept, and on
// a pass that one intent caused.
type Decision struct {
	Intercept bool
	Reason    Reason // "" on an intercept
	Detail    string
	Hit       *Hit
	Top       float64 // the best confidence reached, 0 for none
	Bar       float64
}

// Decide is the gate: a pure function of what the tables said, what the
// binding asks and what is known. When unsure, it passes.
func Decide(r Result, p Policy, facts Facts) Decision {
	d := Decision{Bar: bar(p.Bar)}
	switch {
	case r.Reason != "":
		return d.pass(r.Reason, r.Detail)
	case len(r.Hits) == 0:
		return d.pass(ReasonNoMatch, "no phrase covers the whole prompt")
	case len(r.Hits) > 1:
		d.Top = ConfidenceTie
		return d.pass(ReasonTie, names(r.Hits))
	}
	h := r.Hits[0]
	d.Hit, d.Top = &h, h.Tier.Confidence()
	return d.gate(h, facts)
}

// gate decides about the one intent that covers the prompt.
func (d Decision) gate(h Hit, facts Facts) Decision {
	if h.Confirm && h.Tier != TierExact {
		return d.pass(ReasonBelowBar, h.Shown()+" asks for a confirmation, so only an exact phrase is taken")
	}
	if d.Top < d.Bar {
		return d.pass(ReasonBelowBar, fmt.Sprintf("%s at %.2f is under the bar of %.2f", h.Tier, d.Top, d.Bar))
	}
	if len(h.Missing) > 0 {
		return d.pass(ReasonMissingSlot, strings.Join(h.Missing, ", "))
	}
	if detail := unverified(h, facts); detail != "" {
		return d.pass(ReasonMissingSlot, detail)
	}
	d.Intercept = true
	return d
}

func (d Decision) pass(reason Reason, detail string) Decision {
	d.Reason, d.Detail = reason, detail
	return d
}

// unverified names the first slot whose value holds only if a fact does, and
// the fact is false or not known.
func unverified(h Hit, facts Facts) string {
	for _, s := range h.Slots {
		if s.Must == "" && !s.Uncertain {
			continue
		}
		ask, what := facts.Branch, "branch"
		if s.Type == artifact.SlotPath {
			ask, what = facts.Path, "file"
		}
		exists, known := false, false
		if ask != nil {
			exists, known = ask(s.Raw)
		}
		switch {
		case !known:
			return fmt.Sprintf("%s: whether there is a %s %q is not known", s.Name, what, s.Raw)
		case exists && s.Must == "new":
			return fmt.Sprintf("%s: there is a %s %q already", s.Name, what, s.Raw)
		case !exists && (s.Must == "exist" || s.Uncertain):
			return fmt.Sprintf("%s: there is no %s %q", s.Name, what, s.Raw)
		}
	}
	return ""
}

func bar(b float64) float64 {
	if b == 0 {
		b = DefaultBar
	}
	return min(max(b, MinBar), 1)
}

func names(hits []Hit) string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.Shown()
	}
	return strings.Join(out, ", ")
}
