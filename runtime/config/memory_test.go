package config

import (
	"slices"
	"strings"
	"testing"
)

// TestMemoryIsOffWithoutABlock, and with one, all that it does not name is by
// default.
func TestMemoryIsOffWithoutABlock(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", userBinding)
	if r, _ := p.resolve("repo"); r.Recalls() || r.Captures() || r.Guards() || r.Memory.Recall.Set() {
		t.Errorf("without a block: %+v", r.Memory)
	}
	p.write("xdg/kitsoki/config.yaml", userBinding+"memory:\nguard:\n")
	r, _ := p.resolve("repo")
	if m := r.Memory; !r.Recalls() || !r.Captures() || m.Floor.V != 0.55 || m.MaxItems.V != 3 || m.MaxChars.V != 6000 || !slices.Equal(m.Sources.V, []string{"docs/**/*.md", "*.md"}) {
		t.Errorf("with a block: %+v", m)
	}
	if g := r.Guard; !r.Guards() || g.MustReply.V != GuardShadow || g.KBFirst.V != GuardShadow || g.SatisfiedBy.V != ByTool {
		t.Errorf("with a block: %+v", g)
	}
}

// TestARepositorysMemoryNeedsTrust, also beside a person's own binding, which
// stays in force.
func TestARepositorysMemoryNeedsTrust(t *testing.T) {
	t.Parallel()
	for _, block := range []string{"memory: {}", "guard: {mode: {kb_first: enforce}}"} {
		p := newPlace(t)
		p.write("xdg/kitsoki/config.yaml", userBinding)
		p.write("repo/.kitsoki.yaml", block)
		r, _ := p.resolve("repo")
		if reason, _ := r.Inert(); reason != "" || !r.NeedsTrust() {
			t.Errorf("%s: the binding is inert: %s", block, reason)
		}
		if r.Recalls() || r.Captures() || r.Guards() {
			t.Errorf("%s: it counts untrusted", block)
		}
		r.Trusted = true
		if memory := strings.HasPrefix(block, "memory"); r.Recalls() != memory || r.Captures() != memory || r.Guards() == memory {
			t.Errorf("%s: trusted: recall %v, capture %v, guard %v", block, r.Recalls(), r.Captures(), r.Guards())
		}
		for _, off := range []func(*Resolved){func(r *Resolved) { r.Off = true }, func(r *Resolved) { r.Switched = true }, func(r *Resolved) { r.Broken = "x" }} {
			s := r
			if off(&s); s.Recalls() || s.Captures() || s.Guards() {
				t.Errorf("%s: it counts where kitsoki is off: %+v", block, s)
			}
		}
	}
}

// TestMemoryMerges: the later file wins key by key, but what the person has
// switched off stays off.
func TestMemoryMerges(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("xdg/kitsoki/config.yaml", "memory: {recall: {floor: 0.7}, capture: {enabled: false}, url: 'http://127.0.0.1:1', token: abc}\nguard: {kb_tools: [a], overrides: [{branch: x, kb_first: off}]}\n")
	p.write("repo/.kitsoki.yaml", "memory: {recall: {floor: 0.6, sources: [notes/*.md]}, capture: {enabled: true}}\nguard: {mode: {must_reply: enforce}, kb_tools: [b], overrides: [{path: 'docs/**', must_reply: off}]}\n")
	p.write("repo/.kitsoki.local.yaml", "memory: {recall: {enabled: false}}\n")
	r, problems := p.resolve("repo")
	if r.Broken != "" {
		t.Fatal(problems)
	}
	m := r.Memory
	if m.Floor.V != 0.6 || m.Floor.Origin.Layer != LayerRepository || m.Capture.V || m.Recall.V || m.URL.V != "http://127.0.0.1:1" || !slices.Equal(m.Sources.V, []string{"notes/*.md"}) || m.Owner != LayerRepository {
		t.Errorf("observed %+v", m)
	}
	g := r.Guard
	if g.MustReply.V != GuardEnforce || g.KBFirst.V != GuardShadow || !slices.Equal(g.KBTools, []string{"a", "b"}) || len(g.Overrides) != 2 || g.Overrides[0].Branch != "x" || g.Overrides[1].Path != "docs/**" {
		t.Errorf("observed %+v", g)
	}
	for _, row := range r.Rows() {
		if strings.Contains(row.Value, "abc") {
			t.Errorf("the token is shown: %+v", row)
		}
	}
}
