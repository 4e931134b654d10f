package compiler

import (
	"slices"
	"sort"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

func (l *lowerer) lowerIntents() []artifact.Intent {
	out := make([]artifact.Intent, 0, len(l.names.decl))
	for _, name := range l.names.list() {
		out = append(out, l.lowerIntent(l.names.decl[name]))
	}
	return out
}

func (l *lowerer) lowerIntent(in *source.Intent) artifact.Intent {
	return artifact.Intent{
		Name: in.Name.Val, Title: in.Title.Val, Description: in.Description.Val,
		Hidden: in.Hidden, Confirm: in.Confirm, Drive: in.Drive, Detach: in.Detach,
		ShowOutput: l.showOutput(in.Show),
		TimeoutMS:  l.timeout(in.Timeout),
		Slots:      l.lowerSlots(in.Slots),
		Pos:        in.Name.Pos,
	}
}

func (l *lowerer) showOutput(s source.Str) bool {
	if given(s) && s.Val != "output" {
		l.report(diag.BadValue, s.Pos, "show is %s; the only value is output", s.Val).
			Hintf("write show: output or leave the key out")
	}
	return s.Val == "output"
}

func (l *lowerer) lowerSlots(list []source.Slot) []artifact.Slot {
	var out []artifact.Slot
	seen := map[string]source.Str{}
	for _, s := range list {
		if first, twice := seen[s.Name.Val]; twice {
			l.report(diag.DuplicateName, s.Name.Pos, "the slot %s is declared twice", s.Name.Val).
				Hintf("remove or rename one of them").Also(first.Pos, "first declared here")
			continue
		}
		seen[s.Name.Val] = s.Name
		out = append(out, l.lowerSlot(s))
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func (l *lowerer) lowerSlot(s source.Slot) artifact.Slot {
	if !identifier(s.Name.Val) {
		l.badKey(s.Name, "a slot")
	}
	out := artifact.Slot{
		Name: s.Name.Val, Type: l.slotType(s), Required: s.Required, Values: vals(s.Values),
		Must: s.Must.Val, Description: s.Description.Val, Pos: s.Name.Pos,
	}
	l.checkValues("slot", s.Name, out.Type == artifact.SlotEnum, s.Values)
	l.checkSynonyms(s)
	l.checkMust(s, out.Type)
	if s.Default != nil && s.Default.Kind != source.KindNull {
		l.checkSlotDefault(s, out)
		out.Default = s.Default.JSON()
	}
	return out
}

// slotType is the declared type. A slot without one is an enum when it has
// values, else free text.
func (l *lowerer) slotType(s source.Slot) artifact.SlotType {
	switch {
	case given(s.Type) && slices.Contains(slotTypes(), s.Type.Val):
		return artifact.SlotType(s.Type.Val)
	case !given(s.Type) && len(s.Values) > 0:
		return artifact.SlotEnum
	case given(s.Type):
		l.report(diag.BadType, s.Type.Pos, "%s is no type of a slot", s.Type.Val).
			Hint = didYouMean(s.Type.Val, slotTypes(), "use string, int, bool, enum, ref, path or quoted")
	}
	return artifact.SlotString
}

func slotTypes() []string {
	return []string{
		string(artifact.SlotString), string(artifact.SlotInt), string(artifact.SlotBool), string(artifact.SlotEnum),
		string(artifact.SlotRef), string(artifact.SlotPath), string(artifact.SlotQuoted),
	}
}

func (l *lowerer) checkSynonyms(s source.Slot) {
	for _, a := range s.Synonyms {
		if !slices.Contains(vals(s.Values), a.Value.Val) {
			l.report(diag.BadEnum, a.Value.Pos, "%s is none of the values of the slot %s", a.Value.Val, s.Name.Val).
				Hint = didYouMean(a.Value.Val, vals(s.Values), "add it to values, or remove these synonyms")
		}
	}
}

func (l *lowerer) checkMust(s source.Slot, t artifact.SlotType) {
	if !given(s.Must) {
		return
	}
	if t != artifact.SlotRef && t != artifact.SlotPath {
		l.report(diag.BadMust, s.Must.Pos, "must stands on the slot %s of type %s", s.Name.Val, t).
			Hintf("must is for ref and path; change the type or remove it")
	}
	if s.Must.Val != "exist" && s.Must.Val != "new" {
		l.report(diag.BadMust, s.Must.Pos, "must is %s; it is exist or new", s.Must.Val).
			Hint = didYouMean(s.Must.Val, []string{"exist", "new"}, "write must: exist or must: new")
	}
}

// checkSlotDefault refuses a default beside required as well: one of the two
// could never take effect.
func (l *lowerer) checkSlotDefault(s source.Slot, out artifact.Slot) {
	want := out.Type.Value()
	if misfit := mismatch(s.Default, want, out.Values); misfit != "" {
		l.report(diag.BadDefault, s.Default.Pos, "the default of the slot %s is %s", s.Name.Val, misfit).
			Hint = fitHint(s.Default, want, out.Values)
		return
	}
	if s.Required {
		l.report(diag.BadDefault, s.Default.Pos, "the slot %s is required and has a default", s.Name.Val).
			Hintf("remove required: true (the default fills the slot) or the default")
	}
}

// slotsOf are an intent's slots as expressions see them; never nil, since
// nil means that there are no slots at that place at all.
func slotsOf(in *source.Intent) []artifact.Slot {
	out := make([]artifact.Slot, 0, len(in.Slots))
	for _, s := range in.Slots {
		t := artifact.SlotType(s.Type.Val)
		if !given(s.Type) && len(s.Values) > 0 {
			t = artifact.SlotEnum
		}
		out = append(out, artifact.Slot{Name: s.Name.Val, Type: t, Values: vals(s.Values)})
	}
	return out
}
