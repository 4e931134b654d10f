package compiler

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

func viewKinds() []string {
	return []string{"prose", "heading", "code", "template", "list", "kv", "choice", "banner"}
}

func (l *lowerer) views(list []source.View, at place) []artifact.View {
	var out []artifact.View
	for _, v := range list {
		out = append(out, l.view(v, at))
	}
	return out
}

func (l *lowerer) view(v source.View, at place) artifact.View {
	out := artifact.View{Kind: v.Kind.Val, When: l.guard(v.When, at.scope), Text: l.text(v.Text, at.scope)}
	if out.Kind == "" {
		out.Kind = "template"
	}
	if !slices.Contains(viewKinds(), out.Kind) {
		l.report(diag.BadValue, v.Kind.Pos, "%s is no element of a view", out.Kind).
			Hint = didYouMean(out.Kind, viewKinds(), "use prose, heading, code, template, list, kv, choice or banner")
	}
	for _, it := range v.Items {
		out.Items = append(out.Items, l.viewItem(it, at))
	}
	return out
}

func (l *lowerer) viewItem(it source.ViewItem, at place) artifact.Choice {
	c := artifact.Choice{Value: l.text(it.Value, at.scope), When: l.guard(it.When, at.scope), Intent: it.Intent.Val}
	if t := l.text(it.Label, at.scope); t != nil {
		c.Label = *t
	}
	if given(it.Intent) {
		l.intent(it.Intent, at.state)
	}
	return c
}
