package build

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/agent"
)

// TestReadmeAgents compares README's table with what the rows can do, cell
// for cell.
func TestReadmeAgents(t *testing.T) {
	t.Parallel()
	var want []string
	for _, r := range agent.Rows() {
		want = append(want, strings.Join([]string{
			r.Title, r.Name, deed(r.Can), string(r.Mark), yes(r.Can.Context), yes(r.Can.Drive), timeout(r.Timeout),
		}, " | "))
	}
	readme := document(t, "README.md")
	columns := make([][]string, 7)
	for n := range columns {
		columns[n] = column(t, readme, "Agents", n)
	}
	var got []string
	for i := range columns[0] {
		var cells []string
		for _, c := range columns {
			cells = append(cells, c[i])
		}
		got = append(got, strings.Join(cells, " | "))
	}
	compareSets(t, "README's table of agents", got, want)
}

func deed(c agent.Capabilities) string {
	switch {
	case c.Answer:
		return "answers in the model's place"
	case c.Block && c.Show:
		return "stops the prompt and shows the report"
	}
	return "nothing"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// timeout is the unit of the setting and the default in it.
func timeout(t agent.Timeout) string {
	unit, value := "–", "?"
	switch t.Unit {
	case time.Second:
		unit = "s"
	case time.Millisecond:
		unit = "ms"
	}
	switch {
	case t.Default > 0 && t.Unit > 0:
		value = fmt.Sprint(int64(t.Default / t.Unit))
	case t.Default > 0:
		value = fmt.Sprintf("%d s", int64(t.Default/time.Second))
	}
	return unit + ", " + value
}

func TestReadmeRefusals(t *testing.T) {
	t.Parallel()
	readme := document(t, "README.md")
	titles, reasons := column(t, readme, "Refused agents", 0), column(t, readme, "Refused agents", 1)
	var want, got []string
	for _, r := range agent.Refusals() {
		want = append(want, r.Title+": "+r.Reason)
	}
	for i := range titles {
		got = append(got, titles[i]+": "+reasons[i])
	}
	compareSets(t, "README's table of refused agents", got, want)
	if !strings.Contains(readme, "`"+agent.Fallback+"`") {
		t.Error("README lacks the fallback")
	}
}
