package source

import (
	"io"
	"regexp"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"

	"kitsoki/compiler/diag"
)

// syntaxError reports what the YAML parser refused. The line the parser
// names is that of the enclosing structure as often as that of the mistake,
// so the place is found by itself: the last line of the shortest beginning
// of the file that has the same error.
func syntaxError(t *sourceText, err error, ds *diag.List) {
	message := plainMessage(err)
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		unknownAnchor(t, strings.TrimSuffix(name, "' referenced"), ds)
		return
	}
	start := t.yamlLines[failingLine(t, err.Error())-1]
	rest := t.data[start:]
	indent := len(rest) - len(strings.TrimLeft(rest, " \t"))
	d := ds.Addf(diag.BadYAML, t.pos(start+indent), "this is not YAML: %s", message)
	d.Hint = syntaxHint(message, rest[:indent])
}

func plainMessage(err error) string {
	s := strings.TrimPrefix(err.Error(), "yaml: ")
	return strings.TrimSpace(regexp.MustCompile(`^line \d+: `).ReplaceAllString(s, ""))
}

// failingLine counts from 1.
func failingLine(t *sourceText, message string) int {
	n := sort.Search(len(t.yamlLines), func(i int) bool {
		end := len(t.data)
		if i+1 < len(t.yamlLines) {
			end = t.yamlLines[i+1]
		}
		err := yamlError(t.data[:end])
		return err != nil && err.Error() == message
	})
	return min(n+1, len(t.yamlLines))
}

func yamlError(s string) error {
	dec := yaml.NewDecoder(strings.NewReader(s))
	for {
		var n yaml.Node
		if err := dec.Decode(&n); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func syntaxHint(message, indent string) string {
	switch {
	case strings.Contains(indent, "\t"):
		return "YAML indents with spaces; this line begins with a tab"
	case strings.Contains(message, "mapping values are not allowed"):
		return `text that holds ": " needs quotes`
	case strings.Contains(message, "did not find expected key"), strings.Contains(message, "did not find expected '-'"):
		return "compare the indentation of this line with the lines above, and look for text after a closing quote"
	case strings.Contains(message, "cannot start any token"), strings.Contains(message, "did not find expected alphabetic"):
		return "text that begins with one of @ ` % & * ! | > needs quotes"
	case strings.Contains(message, "unexpected end of stream"), strings.Contains(message, "',' or"):
		return "a quote or bracket is not closed"
	}
	return ""
}

func unknownAnchor(t *sourceText, name string, ds *diag.List) {
	at := 0
	if m := regexp.MustCompile(`\*` + regexp.QuoteMeta(name) + `(?:[^\w-]|$)`).FindStringIndex(t.data); m != nil {
		at = m[0]
	}
	ds.Addf(diag.BadAlias, t.pos(at), "the alias *%s names no anchor before it", name).
		Hintf("write &%s where the repeated part stands first, or quote the text if it is not an alias", name)
}
