package lint

import (
	"embed"
	"fmt"
	"slices"

	"kitsoki/compiler/diag"
)

//go:embed doc/*.md
var docs embed.FS

// Explain gives a code's page, as Markdown: for a rule of lint its reason, a
// bad and a good story; for another code what it means. The error names a code
// that does not exist.
func Explain(code string) (string, error) {
	e, ok := diag.Lookup(diag.Code(code))
	if !ok {
		return "", fmt.Errorf("there is no code %s; kitsoki lint --explain all lists them", code)
	}
	title := fmt.Sprintf("# %s: %s\n\nSeverity: %s", e.Code, e.Title, e.Severity)
	page, err := docs.ReadFile("doc/" + code + ".md")
	if err != nil {
		return title + ". The compiler reports it.\n", nil
	}
	if Fixable(e.Code) {
		title += ". `kitsoki lint --fix` mends it."
	}
	return title + "\n\n" + string(page), nil
}

// Fixable tells whether Fixes has an edit for a code.
func Fixable(c diag.Code) bool {
	return slices.Contains([]diag.Code{diag.Unquoted, diag.RepeatedPhrase, diag.KeyOrder}, c)
}
