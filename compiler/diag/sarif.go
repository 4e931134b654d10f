package diag

import (
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"
)

// The part of SARIF 2.1.0 (OASIS) that is written here; its JSON Schema is
// schema/sarif.schema.json.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"semanticVersion"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string    `json:"id"`
		ShortDescription     sarifText `json:"shortDescription"`
		DefaultConfiguration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText   struct{ Text string } // written by MarshalJSON
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		RuleIndex        int             `json:"ruleIndex"`
		Level            string          `json:"level"`
		Message          sarifText       `json:"message"`
		Locations        []sarifLocation `json:"locations,omitempty"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		ID       *int          `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// MarshalJSON writes a message object.
func (t sarifText) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"text": t.Text})
}

// SARIF writes the list as one SARIF 2.1.0 log with the codes that occur in it
// as rules. Tool is this program's version. Columns count characters.
func (p Printer) SARIF(w io.Writer, list List, tool string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	codes := codesOf(list)
	run.Tool.Driver = sarifDriver{Name: "kitsoki", Version: tool, Rules: sarifRules(codes)}
	for _, d := range list {
		run.Results = append(run.Results, p.sarifResult(d, slices.Index(codes, d.Code)))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// codesOf are the codes of a list, sorted, each once.
func codesOf(list List) []Code {
	var out []Code
	for _, d := range list {
		out = append(out, d.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func sarifRules(codes []Code) []sarifRule {
	out := []sarifRule{}
	for _, c := range codes {
		e, _ := Lookup(c)
		r := sarifRule{ID: string(c), ShortDescription: sarifText{e.Title}}
		r.DefaultConfiguration.Level = sarifLevel(e.Severity)
		out = append(out, r)
	}
	return out
}

func (p Printer) sarifResult(d Diagnostic, rule int) sarifResult {
	out := sarifResult{RuleID: string(d.Code), RuleIndex: rule, Level: sarifLevel(d.Severity), Message: sarifText{d.Message}}
	if d.Hint != "" {
		out.Message.Text += "\nhint: " + d.Hint
	}
	if d.Pos.File != "" {
		out.Locations = []sarifLocation{{Physical: p.physical(d.Pos)}}
	}
	for i, r := range d.Related {
		out.RelatedLocations = append(out.RelatedLocations, sarifLocation{ID: &i, Physical: p.physical(r.Pos), Message: &sarifText{r.Message}})
	}
	return out
}

func (p Printer) physical(pos Pos) sarifPhysical {
	out := sarifPhysical{Artifact: sarifArtifact{uri(p.file(pos.File))}}
	if pos.Line > 0 {
		out.Region = &sarifRegion{pos.Line, pos.Col}
	}
	return out
}

// uri is a path as a URI reference: relative paths stay relative.
func uri(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

func sarifLevel(s Severity) string {
	if s == Info {
		return "note"
	}
	return string(s)
}
