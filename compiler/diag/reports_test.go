package diag

import (
	"bytes"
	"encoding/json"
	"testing"
)

// reported is one diagnostic of each severity, with all that must be escaped.
func reported() List {
	var l List
	l.Addf(UnknownTarget, Pos{File: "rooms/a b,c:d%.yaml", Line: 3, Col: 7}, "no state 100%%\n").
		Hintf("name one").Also(Pos{File: "app.yaml", Line: 1, Col: 2}, "declared here")
	l.Addf(NoHosts, Pos{File: "app.yaml"}, "no hosts")
	l.Addf(Unused, Pos{}, "not used")
	return l
}

func TestGitHub(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := (Printer{Dir: "stories/x"}).GitHub(&b, reported()); err != nil {
		t.Fatal(err)
	}
	want := "::error file=stories/x/rooms/a b%2Cc%3Ad%25.yaml,line=3,col=7,title=KIT203::no state 100%25%0A%0Ahint: name one%0Astories/x/app.yaml:1:2: declared here\n" +
		"::warning file=stories/x/app.yaml,title=KIT407::no hosts\n" +
		"::notice title=KIT110::not used\n"
	if b.String() != want {
		t.Errorf("expected\n%s\nobserved\n%s", want, b.String())
	}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := (Printer{Dir: "stories/x"}).SARIF(&b, reported(), "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	for i, want := range []struct{ level, uri string }{{"error", "stories/x/rooms/a%20b%2Cc:d%25.yaml"}, {"warning", "stories/x/app.yaml"}, {"note", ""}} {
		r := run.Results[i]
		if r.Level != want.level || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result %d: expected %s and its own rule, observed %+v", i, want.level, r)
		}
		if want.uri == "" && len(r.Locations) > 0 || want.uri != "" && r.Locations[0].PhysicalLocation.ArtifactLocation.URI != want.uri {
			t.Errorf("result %d: expected the place %q, observed %+v", i, want.uri, r.Locations)
		}
	}
	if at := run.Results[0].Locations[0].PhysicalLocation.Region; at == nil || at.StartLine != 3 || at.StartColumn != 7 {
		t.Errorf("expected 3:7, observed %+v", at)
	}
	if run.Results[1].Locations[0].PhysicalLocation.Region != nil {
		t.Error("a place without a line has a region")
	}
}
