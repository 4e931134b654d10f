package flow

import (
	"strings"
	"testing"
)

// TestAnswers: a test's answer is what the call itself would return.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const status = "host.git: {by_op: {status: {data: {staged: [a]}}}}, "
	for _, tc := range []struct{ name, handlers, turn, expect string }{
		{"by call", "host.run: {data: {stdout: no}, by_call: {counting: {data: {stdout: '3'}}}}", "count", "expect_world: {count: 3}"},
		{"common", "host.run: {data: {stdout: '4'}}", "count", "expect_world: {count: 4}"},
		{"exit status", "host.run: {data: {exit_code: 2}}", "count", "expect_say: Could not count."},
		{"not ok", "host.run: {data: {ok: false}}", "count", "expect_world: {ok: false}"},
		{"unhandled", "host.run: {data: {exit_code: 2}}", "try", "expect_error: {code: HOST_ERROR}"},
		{"error", "host.run: {error: no such program}", "count", "expect_error: {code: HOST_ERROR}"},
		{"error is handled", status + "host.run: {error: no}", "commit", "expect_state: room"},
		{"fail_on_error", status + "host.run: {data: {exit_code: 1}}", "commit", "expect_world: {last_error: 'host.run: exit status 1', out: entered}"},
		{"what failed said", status + "host.run: {error: bad, data: {stdout: x}}", "commit", "expect_world: {last_error: 'host.run: bad'}"},
		{"nobody handles infra_error", status + "host.run: {infra_error: gone}", "commit", "expect_error: {code: HOST_ERROR}\n  expect_state: hall"},
		{"precondition", "host.git: {data: {repository: true}}", "commit", "expect_error: {code: PRECONDITION_FAILED, guard_hint: Nothing is staged.}\n  expect_no_host_calls: true"},
		{"a result in full", "host.git: {by_op: {status: {data: {staged: [a], branch: main}}}}, host.run: {data: {}}", "commit", "expect_say: Committed on main."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			res := ran(t, "host_handlers: {"+tc.handlers+"}\nturns:\n- intent: {name: "+tc.turn+"}\n  "+tc.expect+"\n", nil)
			if !res.OK {
				t.Errorf("%s\n%s", told(res), strings.Join(res.Steps[0].Trace, "\n"))
			}
		})
	}
}

// TestDelaysPassInSimulatedTime: a call is cut by its own time-out, a turn by
// its budget; calls that follow each other add up.
func TestDelaysPassInSimulatedTime(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, handlers, turn, want string }{
		{"in time", "host.run: {data: {stdout: '1'}, delay: 5s}", "count", "→ exit 0"},
		{"cut by its own", "host.run: {data: {stdout: '1'}, delay: 6s}", "count", "→ timed out"},
		{"cut by the budget", "host.run: {data: {}, delay: 6s}", "try", "timed_out HOST_ERROR: the time limit of 5s passed"},
		{"a question", "host.git: {by_op: {status: {data: {}, delay: 1h}}}", "commit", "error HOST_ERROR: the time limit of 5s passed"},
		{"together", "host.git: {data: {staged: [a]}, delay: 2s}, host.run: {data: {}, delay: 2s}", "commit", "timed_out HOST_ERROR: the time limit of 5s passed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			res := ran(t, "host_handlers: {"+tc.handlers+"}\nturns:\n- intent: {name: "+tc.turn+"}\nexpect_no_errors: false\n", nil)
			if trace := strings.Join(res.Steps[0].Trace, "\n"); !res.OK || !strings.Contains(trace, tc.want) {
				t.Errorf("expected %q, observed %s\n%s", tc.want, told(res), trace)
			}
		})
	}
}

// TestACallWithoutAnAnswerFails whatever the story makes of it.
func TestACallWithoutAnAnswerFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ flow, want string }{
		{"turns:\n- intent: {name: count}\n", `none for host.run {"args":["-l","a.txt"],"cmd":"wc"`},
		{"turns:\n- intent: {name: commit}\n  expect_error: {code: PRECONDITION_FAILED}\n", `none for host.git {"op":"status"}`},
		{"host_handlers: {host.run: {by_call: {counting: {data: {}}}}}\nturns:\n- intent: {name: try}\nexpect_no_errors: false\n", `none for host.run`},
		{"host_handlers: {host.git: {data: {staged: [a]}}}\nturns:\n- intent: {name: commit}\n  expect_error: {code: HOST_ERROR}\n  expect_state: hall\n", `none for host.run`},
	} {
		res := ran(t, tc.flow, nil)
		if res.OK || !strings.Contains(told(res), tc.want) || strings.Count(told(res), "\n") > 0 {
			t.Errorf("%s: observed %s", tc.flow, told(res))
		}
	}
}
