package compiler_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
)

const checked = `
app: {id: inner}
hosts: [host.run]
root: home
world: {check: ""}
intents: {check_it: {examples: [check it all]}}
states:
  home:
    on:
      check_it:
        - target: .
          effects:
            - invoke: host.run
              with: {cmd: "{{ world.check }}", effect: write}
`

const checking = `
app: {id: outer}
root: home
world: {check: "true", other: ""}
imports: {in: {source: inner, entry: home, world_in: {check: SEED}}}
intents: {say_it: {examples: [say it all], slots: {text: {type: quoted}}}}
states:
  home:
    include_arcs: [in.home]
    on:
      say_it:
        - target: .
          effects:
            - set: {other: "x"}
`

// TestScriptsOfImports: a script that is one value stays what its author or a
// binding wrote, also when an importing story hands it on.
func TestScriptsOfImports(t *testing.T) {
	t.Parallel()
	for seed, want := range map[string]bool{
		`"{{ world.check }}"`: true, `"make check"`: true,
		`"{{ world.other }}"`: false, `"{{ world.check + world.other }}"`: false, `"{{ world.check }}; {{ world.other }}"`: false,
	} {
		files := fstest.MapFS{
			"app.yaml":       {Data: []byte(strings.ReplaceAll(checking, "SEED", seed))},
			"inner/app.yaml": {Data: []byte(checked)},
		}
		_, ds := compiler.Compile(files, "app.yaml", compiler.Options{})
		if ds.HasErrors() == want {
			t.Errorf("%s: %v", seed, ds)
		}
		if !want && !strings.Contains(ds[0].Message, "this script is one value") {
			t.Errorf("%s: %s", seed, ds[0].Message)
		}
	}
}
