package main

import (
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"
)

// maxIntents and perRoom give the shape of a large story: 2,000 intents in
// 200 rooms.
const (
	maxIntents = 2000
	perRoom    = 10
)

// perIntent is how many phrases an intent has in a story of n phrases.
func perIntent(n int) int { return max(10, (n+maxIntents-1)/maxIntents) }

// roomOf is the room in which phrase k of n can be said.
func roomOf(k, n int) string { return fmt.Sprintf("room%d", k/perIntent(n)/perRoom) }

// intentOf is the intent that phrase k of n means.
func intentOf(k, n int) string { return fmt.Sprintf("cmd%d", k/perIntent(n)) }

// story generates a story with n plain phrases, spread over intents and
// rooms; each room has a few patterns too. The same n gives the same story.
func story(n int) fs.FS {
	var intents, rooms strings.Builder
	each := perIntent(n)
	for i := 0; i*each < n; i++ {
		if i%perRoom == 0 {
			rooms.WriteString("  " + roomOf(i*each, n) + ":\n    on:\n      rebase: [{target: .}]\n      note: [{target: .}]\n")
		}
		fmt.Fprintf(&intents, "  cmd%d:\n    examples:\n", i)
		fmt.Fprintf(&rooms, "      cmd%d: [{target: .}]\n", i)
		for k := i * each; k < min(n, (i+1)*each); k++ {
			fmt.Fprintf(&intents, "      - %s\n", phrase(k))
		}
	}
	return fstest.MapFS{"app.yaml": {Data: []byte("app: {id: bench}\nroot: room0\n" +
		"routing: {word_synonyms: [[build, assemble, make], [service, daemon]]}\nintents:\n" +
		"  rebase: {synonyms: [\"rebase [this|it|my branch] (onto|on top of) [the] (main|master)\"]}\n" +
		"  note:\n    synonyms: [\"note with message {text}\"]\n    slots: {text: {type: string, required: true}}\n" +
		intents.String() + "states:\n" + rooms.String())}}
}

// phrase gives the k-th of a long row of different phrases: a verb, an
// object, where, made of words that repeat as in real vocabularies.
func phrase(k int) string {
	verbs := []string{"build", "deploy", "publish", "archive", "restart", "inspect", "format", "verify", "measure", "export"}
	things := []string{"service", "package", "module", "image", "schema", "report", "client", "gateway", "worker", "index"}
	return fmt.Sprintf("%s %s n%d of area%d", verbs[k%10], things[k/10%10], k/100, k%97)
}
