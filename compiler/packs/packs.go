// Package packs holds the language packs: the fillers, forbidden words and
// free-text words of each language, one YAML file a language, embedded. In
// goes a language's name, out comes its Pack. It refuses a language that has
// no file.
package packs

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"kitsoki/compiler/source"
	"kitsoki/runtime/text"
)

//go:embed *.yaml
var files embed.FS

// Pack is one language. Fillers are patterns, in the order of the file. Ask
// holds requests that are one only in a question ("tu peux"), Plan those that
// are one only with a please: else they ask what will be done. A Remark ("good
// job") is no lead to a command of a single word. TrailRequest
// and TrailAsk are the same behind the command, and TrailParticle is what
// makes a question ("吗"): behind a request it belongs to it, elsewhere the
// prompt is the model's. Words may be several tokens, as those of scripts
// without blanks are; joins and stops are one token each, folded. A forbidden
// word that ends in ' is the beginning of a word.
type Pack struct {
	Language                              string
	Lead, Please, Request, Ask, We, Hedge []source.Str
	Plan, Remark                          []source.Str
	Trail, TrailPlease                    []source.Str
	TrailRequest, TrailAsk, TrailParticle []source.Str
	Forbidden, FreeText                   []string
	Joins, Stops                          []string // what joins parts of a free text; what begins a second request
	NotFirst                              []string // words an unquoted free text can't begin with: it would be spoken of, not given
	Nouns                                 []string // words that name a thing and, alone, no command
	TestMatch, TestPass                   []string // {i} stands for a command
}

// Languages lists the packs there are, sorted.
func Languages() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(out)
	return out
}

// Load gives the pack of a language.
func Load(language string) (*Pack, error) {
	name := language + ".yaml"
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("there is no language pack %q; there are: %s", language, strings.Join(Languages(), ", "))
	}
	root, ds := source.Document(name, data)
	if ds.HasErrors() {
		return nil, fmt.Errorf("language pack %s: line %d: %s", name, ds[0].Pos.Line, ds[0].Message)
	}
	fillers, tests := root.Get("fillers"), root.Get("tests")
	return &Pack{
		Language: language,
		Lead:     list(fillers, "lead"), Please: list(fillers, "please"), Request: list(fillers, "request"),
		We: list(fillers, "we"), Hedge: list(fillers, "hedge"), Ask: list(fillers, "ask"),
		Plan: list(fillers, "plan"), Remark: list(fillers, "remark"),
		Trail: list(fillers, "trail"), TrailPlease: list(fillers, "trail_please"),
		TrailRequest: list(fillers, "trail_request"), TrailAsk: list(fillers, "trail_ask"),
		TrailParticle: list(fillers, "trail_particle"),
		Forbidden:     words(list(root, "forbidden")), FreeText: words(list(root, "free_text")),
		Joins: folded(list(root, "joins")), Stops: folded(list(root, "stops")), NotFirst: folded(list(root, "not_first")), Nouns: words(list(root, "nouns")),
		TestMatch: words(list(tests, "match")), TestPass: words(list(tests, "pass")),
	}, nil
}

// list reads the strings under a key; an absent key is an empty list.
func list(n *source.Node, key string) []source.Str {
	if n == nil || n.Get(key) == nil {
		return nil
	}
	var out []source.Str
	for _, item := range n.Get(key).Items {
		out = append(out, item.Str())
	}
	return out
}

// folded gives the words as matching compares them.
func folded(list []source.Str) []string {
	out := words(list)
	for i, w := range out {
		out[i] = text.Key(w)
	}
	return out
}

func words(list []source.Str) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Val
	}
	return out
}
