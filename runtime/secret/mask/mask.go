// Package mask takes secrets out of texts. It rather masks too much: what it
// makes is for people to read, not an input of anything.
package mask

import (
	"regexp"
	"strings"

	"kitsoki/runtime/secret"
)

// Text puts secret.Masked in the place of each secret. A pattern is compiled
// only when the text may hold such a secret: most hold none.
func Text(text string) string {
	lower := strings.ToLower(text)
	for _, k := range secret.Kinds() {
		if k.May(lower) {
			text = regexp.MustCompile(k.Pattern).ReplaceAllString(text, k.Put)
		}
	}
	return text
}
