package expr

import (
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

func scope() Scope {
	return Scope{
		World: []artifact.WorldKey{
			{Name: "branch", Type: artifact.TypeString},
			{Name: "count", Type: artifact.TypeInt},
			{Name: "ready", Type: artifact.TypeBool},
			{Name: "mode", Type: artifact.TypeEnum, Values: []string{"fast", "slow"}},
			{Name: "files", Type: artifact.TypeList},
			{Name: "plan", Type: artifact.TypeObject},
		},
		Slots: []artifact.Slot{{Name: "target", Type: artifact.SlotRef}, {Name: "n", Type: artifact.SlotInt}, {Name: "kind", Type: artifact.SlotEnum, Values: []string{"a"}}},
		Result: []spec.Result{
			{Name: "staged", Type: artifact.TypeList},
			{Name: "ok", Type: artifact.TypeBool},
			{Name: "stdout_json", Type: artifact.TypeAny, Open: true},
		},
	}
}

func TestCheckAccepts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		src  string
		want artifact.Type
	}{
		{`world.ready`, artifact.TypeBool},
		{`world.branch != "" && world.count > 2`, artifact.TypeBool},
		{`len(result.staged) > 0`, artifact.TypeBool},
		{`result.stdout_json.deep[0].path`, artifact.TypeString},
		{`world.plan.anything`, artifact.TypeInt},
		{`slots.target + "/" + string(slots.n)`, artifact.TypeString},
		{`world.mode == "fast"`, artifact.TypeBool},
		{`world.count`, artifact.TypeFloat},
		{`slots.kind == "" || slots.kind == "a"`, artifact.TypeBool},
		{`nil`, artifact.TypeInt},
		{`let x = world.count; x + 1`, artifact.TypeInt},
		{`any(world.files, # == "a")`, artifact.TypeBool},
		{`world.count`, ""},
	} {
		if err := Check(tc.src, scope(), tc.want); err != nil {
			t.Errorf("%s: %v", tc.src, err)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		src       string
		want      artifact.Type
		offset    int
		msg, hint string
	}{
		{`world.brnch == ""`, artifact.TypeBool, 6, "world.brnch is not declared", "did you mean branch?"},
		{`wrld.branch`, "", 0, "wrld is not declared here", "did you mean world?"},
		{`branch == ""`, "", 0, "branch is not declared here", "did you mean world.branch?"},
		{`"ä" + world.nope`, "", 13, "world.nope is not declared", "declared: branch"},
		{`result.stagd`, "", 7, "result.stagd is not declared", "did you mean staged?"},
		{`slots.targte`, "", 6, "slots.targte is not declared", "did you mean target?"},
		{`world["brnch"]`, "", 6, "world.brnch is not declared", "did you mean branch?"},
		{`now()`, "", 0, "now is not declared here", "clock"},
		{`date("2020-01-01")`, "", 0, "date is not declared here", "clock"},
		{`keys(world.plan)`, "", 0, "keys is not declared here", "order"},
		{`$env.world`, "", 0, "$env is not declared here", ""},
		{`event.x`, "", 0, "event is not declared here", ""},
		{`world.count`, artifact.TypeBool, 0, "this is an int, a bool is needed", "compare"},
		{`world.branch`, artifact.TypeInt, 0, "this is a string, an int is needed", "int("},
		{`nil`, artifact.TypeBool, 0, "this is null, a bool is needed", ""},
		{`world.mode == "quick"`, artifact.TypeBool, 14, `world.mode is never "quick"`, "fast"},
		{`slots.kind != "b"`, artifact.TypeBool, 14, `slots.kind is never "b"`, "a"},
		{`world.count + world.branch`, "", 12, "mismatched types int and string", ""},
		{`world.count >`, "", 12, "unexpected token", ""},
	} {
		err := Check(tc.src, scope(), tc.want)
		if err == nil {
			t.Errorf("%s: no error", tc.src)
			continue
		}
		if err.Offset != tc.offset || !strings.Contains(err.Msg, tc.msg) || !strings.Contains(err.Hint, tc.hint) {
			t.Errorf("%s: got %d %q hint %q", tc.src, err.Offset, err.Msg, err.Hint)
		}
	}
}

func TestRootsThatAreNotThere(t *testing.T) {
	t.Parallel()
	bare := Scope{World: scope().World}
	for src, hint := range map[string]string{
		"slots.target": "slots are only known in the arcs of an intent",
		"result.ok":    "result is only known in bind and require, after the call",
	} {
		if err := Check(src, bare, ""); err == nil || err.Hint != hint {
			t.Errorf("%s: got %v", src, err)
		}
	}
	open := Scope{ResultOpen: true, Event: true, Args: true, Item: true}
	if err := Check("result.a.b == event.x && args.y == item", open, artifact.TypeBool); err != nil {
		t.Error(err)
	}
}
