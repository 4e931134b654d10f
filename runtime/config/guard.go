package config

import (
	"fmt"
	"path"

	"gopkg.in/yaml.v3"
)

// GuardMode says what a rule of the stop guard does.
type GuardMode string

// The modes of a rule: shadow only counts what it would have done.
const (
	GuardOff     GuardMode = "off"
	GuardShadow  GuardMode = "shadow"
	GuardEnforce GuardMode = "enforce"
)

// Satisfied says what counts as a consultation when the guard enforces.
type Satisfied string

// A tool of a knowledge base alone, or a healthy delivery of recalled records
// as well.
const (
	ByTool           Satisfied = "tool"
	ByToolOrDelivery Satisfied = "tool_or_delivery"
)

// Guard looks at the end of a turn. Without a guard block in any file it is
// off.
type Guard struct {
	MustReply   Value[GuardMode]
	KBFirst     Value[GuardMode]
	SatisfiedBy Value[Satisfied]
	KBTools     []string // added to the known ones, of all files
	Overrides   []GuardOverride
	// Owner is whose block switches it on, "" when none does.
	Owner Layer
}

// GuardOverride changes the modes where all that it names fits: patterns of
// the branch and of a changed path, and the agent's permission mode. Of those
// that fit the last one counts. An empty mode changes nothing.
type GuardOverride struct {
	Branch, Path, PermissionMode string
	MustReply, KBFirst           GuardMode
	Origin                       Origin
}

// On says that any rule may do anything.
func (g Guard) On() bool {
	on := func(m GuardMode) bool { return m != "" && m != GuardOff }
	for _, o := range g.Overrides {
		if on(o.MustReply) || on(o.KBFirst) {
			return true
		}
	}
	return on(g.MustReply.V) || on(g.KBFirst.V)
}

func guardKeys() []string { return []string{"mode", "satisfied_by", "kb_tools", "overrides"} }
func ruleKeys() []string  { return []string{"must_reply", "kb_first"} }
func overrideKeys() []string {
	return []string{"branch", "path", "permission_mode", "must_reply", "kb_first"}
}

// guard reads a guard block.
func (r *reader) guard(n *yaml.Node, g *Guard) {
	g.Owner = r.layer
	r.block(n, "guard", guardKeys(), func(key string, v *yaml.Node) {
		switch key {
		case "mode":
			r.block(v, "guard.mode", ruleKeys(), func(key string, v *yaml.Node) {
				mode := read(r, v, "guard.mode."+key, guardMode)
				if key == "must_reply" {
					g.MustReply = mode
				} else {
					g.KBFirst = mode
				}
			})
		case "satisfied_by":
			g.SatisfiedBy = read(r, v, "guard.satisfied_by", satisfied)
		case "kb_tools":
			g.KBTools = readList(r, v, "guard.kb_tools", word).V
		case "overrides":
			g.Overrides = r.overrides(v)
		}
	})
}

func (r *reader) overrides(n *yaml.Node) (out []GuardOverride) {
	if n.Kind != yaml.SequenceNode {
		r.say(n, Error, "guard.overrides must be a list", "")
		return nil
	}
	for i, item := range n.Content {
		name := fmt.Sprintf("guard.overrides[%d]", i)
		o, before := GuardOverride{Origin: r.origin(item)}, len(r.problems)
		r.block(item, name, overrideKeys(), func(key string, v *yaml.Node) {
			switch key {
			case "branch":
				o.Branch = read(r, v, name+".branch", pattern).V
			case "path":
				o.Path = read(r, v, name+".path", pattern).V
			case "permission_mode":
				o.PermissionMode = read(r, v, name+".permission_mode", word).V
			case "must_reply":
				o.MustReply = read(r, v, name+".must_reply", guardMode).V
			case "kb_first":
				o.KBFirst = read(r, v, name+".kb_first", guardMode).V
			}
		})
		switch {
		case len(r.problems) > before:
		case o.Branch == "" && o.Path == "" && o.PermissionMode == "":
			r.say(item, Error, name+" names no branch, path or permission_mode", "for everywhere, write guard.mode")
		case o.MustReply == "" && o.KBFirst == "":
			r.say(item, Error, name+" sets neither must_reply nor kb_first", "")
		default:
			out = append(out, o)
		}
	}
	return out
}

// guardMode also takes an unquoted off, which YAML 1.1 takes for false.
func guardMode(n *yaml.Node) (GuardMode, error) {
	switch m := GuardMode(n.Value); {
	case m == GuardOff, m == GuardShadow, m == GuardEnforce:
		return m, nil
	}
	return "", fmt.Errorf("it must be %s, %s or %s", GuardOff, GuardShadow, GuardEnforce)
}

func satisfied(n *yaml.Node) (Satisfied, error) {
	if s := Satisfied(n.Value); s == ByTool || s == ByToolOrDelivery {
		return s, nil
	}
	return "", fmt.Errorf("it must be %s or %s", ByTool, ByToolOrDelivery)
}

// pattern reads a pattern of names with slashes.
func pattern(n *yaml.Node) (string, error) {
	v, err := word(n)
	if err == nil {
		if _, bad := path.Match(v, ""); bad != nil {
			err = fmt.Errorf("it is no pattern: a bracket is not closed")
		}
	}
	return v, err
}

// mergeGuard puts the files' blocks over the defaults: shadow, once there is
// a block.
func (r *Resolved) mergeGuard(found layers) {
	g := &r.Guard
	for _, l := range found {
		if l.guard.Owner == "" {
			continue
		}
		if g.Owner == "" {
			*g = Guard{MustReply: byDefault(GuardShadow), KBFirst: byDefault(GuardShadow), SatisfiedBy: byDefault(ByTool)}
		}
		g.Owner = laterOwner(g.Owner, l.from)
		g.MustReply, g.KBFirst = over(g.MustReply, l.guard.MustReply), over(g.KBFirst, l.guard.KBFirst)
		g.SatisfiedBy = over(g.SatisfiedBy, l.guard.SatisfiedBy)
		g.KBTools = append(g.KBTools, l.guard.KBTools...)
		g.Overrides = append(g.Overrides, l.guard.Overrides...)
	}
}
