package engine

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

// takeSlots checks the slots of a turn against the intent's declarations.
// A slot that was not given has its default, else the empty value of its
// type, so that an expression can always look at it.
func takeSlots(in *artifact.Intent, given map[string]any) (map[string]any, *fault) {
	out := make(map[string]any, len(in.Slots))
	var missing []string
	for _, s := range in.Slots {
		v, err := slotValue(s, given[s.Name])
		if err != nil {
			return nil, refused(InvalidSlotValue, "", err.Error())
		}
		if given[s.Name] == nil && s.Default == nil && s.Required {
			missing = append(missing, s.Name)
		}
		out[s.Name] = v
	}
	if extra := unknownSlots(in, given); len(extra) > 0 {
		return nil, refused(InvalidSlotValue, "", fmt.Sprintf("%s has no slot %s", in.Name, strings.Join(extra, ", ")))
	}
	if len(missing) > 0 {
		f := refused(MissingSlots, "", fmt.Sprintf("%s needs %s", in.Name, strings.Join(missing, ", ")))
		f.missing = missing
		return nil, f
	}
	return out, nil
}

func unknownSlots(in *artifact.Intent, given map[string]any) []string {
	var extra []string
	for name := range given {
		if !slices.ContainsFunc(in.Slots, func(s artifact.Slot) bool { return s.Name == name }) {
			extra = append(extra, name)
		}
	}
	sort.Strings(extra)
	return extra
}

func slotValue(s artifact.Slot, v any) (any, error) {
	if v == nil && s.Default != nil {
		d, err := host.Decode(s.Default)
		if err != nil {
			return nil, fmt.Errorf("default of slot %s: %w", s.Name, err)
		}
		v = d
	}
	k := artifact.WorldKey{Type: s.Type.Value(), Values: s.Values}
	if v == nil {
		if k.Type == artifact.TypeEnum {
			return "", nil
		}
		return zero(k), nil
	}
	out, ok := as(k.Type, v)
	if !ok {
		return nil, fmt.Errorf("slot %s takes a value of type %s, and %s is none", s.Name, s.Type, show(v))
	}
	if k.Type == artifact.TypeEnum && !slices.Contains(s.Values, out.(string)) {
		return nil, fmt.Errorf("slot %s takes one of %s, and %s is none of them", s.Name, strings.Join(s.Values, ", "), show(v))
	}
	return out, nil
}
