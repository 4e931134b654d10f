package flow

import (
	"strings"
	"testing"
)

// TestMistakesHavePlaces: every mistake of every file in one run, each at its
// place, with what to do next.
func TestMistakesHavePlaces(t *testing.T) {
	t.Parallel()
	const turn = "turns: [{intent: {name: look}}]\n"
	for _, tc := range []struct{ flow, want string }{
		{"turns: [{intent: {name: look}, expect_sate: hall}]\n", "flows/a.yaml:2:32: error: unknown key \"expect_sate\" in item 1 of `turns` [KIT103]\n  hint: did you mean \"expect_state\"?"},
		{"turns: []\n", "`turns` is empty"},
		{"turns: [{intent: {name: look}, input: look}]\n", "item 1 of `turns` must have either intent or input"},
		{"turns: [{expect_state: hall}]\n", "item 1 of `turns` must have either intent or input"},
		{"app: ../other.yaml\n" + turn, "2:6: error: app names other.yaml, and this is a test of app.yaml"},
		{"initial_state: hal\n" + turn, "2:16: error: there is no state \"hal\" [KIT205]\n  hint: did you mean hall?"},
		{"initial_world: {cuont: 1}\n" + turn, "2:17: error: there is no world key \"cuont\" [KIT302]\n  hint: did you mean count?"},
		{"initial_world: {count: x}\n" + turn, `2:24: error: world.count is declared as int, and "x" is none`},
		{"turns: [{intent: {name: lok}}]\n", "there is no intent \"lok\""},
		{"turns: [{intent: {name: look}, expect_error: {code: GUARD_FAILD}}]\n", "`code` can't be \"GUARD_FAILD\" [KIT108]\n  hint: did you mean \"GUARD_FAILED\"?"},
		{"turns: [{intent: {name: look}, expect_error: {code: GUARD_FAILED, allowed_contains: [leav]}}]\n", "did you mean leave?"},
		{"turns: [{intent: {name: look}, expect_view_matches: '('}]\n", `"(" is no regular expression`},
		{"turns: [{intent: {name: look}, expect_host_calls: [{handler: host.rnu}]}]\n", "there is no host call \"host.rnu\" [KIT401]\n  hint: did you mean host.run?"},
		{"turns: [{intent: {name: look}, expect_host_calls: [{handler: host.run, args: {comd: x}}]}]\n", "there is no argument of host.run \"comd\""},
		{"turns: [{intent: {name: look}, expect_host_calls: [{handler: host.run, times: -1}]}]\n", "`times` must be 0 or more, not \"-1\""},
		{"turns: [{intent: {name: look}, expect_no_host_calls: false}]\n", "expect_no_host_calls: false says nothing"},
		{"turns: [{intent: {name: look}, expect_state_in: [hall, rom]}]\n", "did you mean room?"},
		{"expect_files: [{path: ../../x}]\n" + turn, "../../x lies outside of the story"},
		{"host_handlers: {host.rum: {data: {}}}\n" + turn, "2:17: error: there is no host call \"host.rum\""},
		{"host_handlers: {host.run: {}}\n" + turn, "`host.run` is empty"},
		{"host_handlers: {host.run: {data: {stdot: x}}}\n" + turn, "2:35: error: there is no result of host.run \"stdot\" [KIT108]\n  hint: did you mean stdout?"},
		{"host_handlers: {host.run: {data: {exit_code: '0'}}}\n" + turn, "2:46: error: host.run returns exit_code as int"},
		{"host_handlers: {host.run: {by_call: {countin: {data: {}}}}}\n" + turn, "there is no call of host.run with the id \"countin\""},
		{"host_handlers: {host.git: {by_op: {stat: {data: {}}}}}\n" + turn, "there is no op of host.git \"stat\""},
		{"host_handlers: {host.git: {by_op: {branches: {data: {staged: []}}}}}\n" + turn, "there is no result of host.git branches \"staged\""},
		{"host_handlers: {host.run: {delay: soon}}\n" + turn, `"soon" is no duration`},
		{"host_handlers: {host.run: {infra_error: x, error: y}}\n" + turn, "infra_error stands alone"},
		{"host_cassette: none.yaml\n" + turn, "2:16: error: can't read the cassette flows/none.yaml"},
		{"host_cassette: ../../none.yaml\n" + turn, "lies outside of the story"},
		{"host_cassette: cassettes/bad.yaml\n" + turn, "flows/cassettes/bad.yaml:3:28: error: there is no host call \"host.rum\""},
		{"host_cassette: cassettes/bad.yaml\n" + turn, "flows/cassettes/bad.yaml:4:8: error: two episodes have the id a"},
		{"host_cassette: cassettes/key.yaml\n" + turn, "flows/cassettes/key.yaml:2:31: error: unknown key \"respons\" in item 1 of `episodes` [KIT103]\n  hint: did you mean \"response\"?"},
	} {
		st, _ := story(t, map[string]string{
			"flows/a.yaml": "test_kind: flow\n" + tc.flow,
			"flows/cassettes/bad.yaml": `kind: host_cassette
episodes:
- {id: a, match: {handler: host.rum}, response: {data: {}}}
- {id: a, match: {handler: host.run}, response: {data: {}}}
`,
			"flows/cassettes/key.yaml": `kind: host_cassette
episodes: [{id: a, match: {}, respons: {data: {}}}]
`,
		})
		_, ds := Load(st, Files(st.FS))
		if !ds.HasErrors() || !strings.Contains(printed(ds), tc.want) {
			t.Errorf("%s: expected %q, observed %s", tc.flow, tc.want, printed(ds))
		}
	}
}

// TestAllFilesAreRead: a mistake in one file hides none in another.
func TestAllFilesAreRead(t *testing.T) {
	t.Parallel()
	st, _ := story(t, map[string]string{
		"flows/a.yaml": "test_kind: flow\nturns: [{intent: {name: lok}}]\n",
		"flows/b.yaml": "test_kind: intents\nturns: [{intent: {name: look}}]\n",
		"flows/c.yaml": "test_kind: flow\nturns: [{intent: {name: look}}]\n",
		"flows/d.yaml": "- x\n",
	})
	flows, ds := Load(st, Files(st.FS))
	text := printed(ds)
	for _, want := range []string{"flows/a.yaml:2:25", "flows/b.yaml:1:12", "flows/d.yaml:1:1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not reported:\n%s", want, text)
		}
	}
	if len(flows) != 2 || strings.Contains(text, "c.yaml") {
		t.Errorf("%d flows:\n%s", len(flows), text)
	}
}
