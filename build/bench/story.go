package main

import (
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"
)

// story generates a story with n plain phrases, spread over intents of 10
// phrases each, and a few patterns. The same n gives the same story.
func story(n int) fs.FS {
	var b strings.Builder
	b.WriteString("app: {id: bench}\nroot: commands\nintents:\n")
	b.WriteString("  rebase: {synonyms: [\"rebase [this|it|my branch] (onto|on top of) [the] (main|master)\"]}\n")
	b.WriteString("  note:\n    synonyms: [\"note with message {text}\"]\n    slots: {text: {type: string, required: true}}\n")
	intents := (n + 9) / 10
	for i := range intents {
		fmt.Fprintf(&b, "  cmd%d:\n    examples:\n", i)
		for k := i * 10; k < min(n, i*10+10); k++ {
			fmt.Fprintf(&b, "      - %s\n", phrase(k))
		}
	}
	b.WriteString("states:\n  commands:\n    on:\n")
	for _, in := range []string{"rebase", "note"} {
		fmt.Fprintf(&b, "      %s: [{target: .}]\n", in)
	}
	for i := range intents {
		fmt.Fprintf(&b, "      cmd%d: [{target: .}]\n", i)
	}
	return fstest.MapFS{"app.yaml": {Data: []byte(b.String())}}
}

// phrase gives the k-th of a long row of different phrases: a verb, an
// object, where, made of words that repeat as in real vocabularies.
func phrase(k int) string {
	verbs := []string{"build", "deploy", "publish", "archive", "restart", "inspect", "format", "verify", "measure", "export"}
	things := []string{"service", "package", "module", "image", "schema", "report", "client", "gateway", "worker", "index"}
	return fmt.Sprintf("%s %s n%d of area%d", verbs[k%10], things[k/10%10], k/100, k%97)
}
