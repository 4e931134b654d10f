package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kitsoki/runtime/binding"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/text"

	"gopkg.in/yaml.v3"
)

// maxFile bounds a configuration file; people write a few lines.
const maxFile = 1 << 20

// reader reads files one after the other and collects what is wrong.
type reader struct {
	file     string
	layer    Layer
	problems []Problem
}

// layer is what one file says.
type layer struct {
	from   Layer
	in     intercept
	policy Policy
	memory Memory
	guard  Guard
}

// intercept is one file's intercept block.
type intercept struct {
	enabled      Value[bool]
	app          Value[App]
	room         Value[string]
	bar          Value[float64]
	escapePrefix Value[string]
	mode         Value[Mode]
	trace        Value[Trace]
	world        []World
}

// load reads a file that is there to be read, and marks it when it has
// errors.
func (r *reader) load(f *File) layer {
	r.file, r.layer = f.Path, f.Layer
	l := layer{from: f.Layer}
	if f.State == FileTracked {
		r.say(nil, Warning, "not read, since git tracks it", "git rm --cached "+binding.LocalName+", and add it to .gitignore")
	}
	if f.State != FileRead {
		return l
	}
	before := len(r.problems)
	if root := r.parse(f); root != nil {
		r.top(root, &l)
	}
	if firstError(r.problems[before:]) != "" {
		f.State = FileBroken
	}
	return l
}

// parse gives the document's root, nil when there is nothing to read in it.
func (r *reader) parse(f *File) *yaml.Node {
	data, err := readFile(r.file)
	if err != nil {
		r.say(nil, Error, "cannot be read: "+err.Error(), "")
		return nil
	}
	f.Sum = journal.Sum(data)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	err = dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		r.syntax(err)
		return nil
	}
	if err := dec.Decode(&second); err == nil {
		r.say(&second, Error, "a second YAML document", "keep one document in the file")
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		return nil
	}
	return doc.Content[0]
}

func readFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case st.Size() > maxFile:
		return nil, fmt.Errorf("%d bytes, more than %d", st.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// syntax places a YAML error: the parser names the line in its text only.
func (r *reader) syntax(err error) {
	text, at := strings.TrimPrefix(err.Error(), "yaml: "), &yaml.Node{Line: 1, Column: 1}
	if m := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(text); m != nil {
		at.Line, _ = strconv.Atoi(m[1]) // digits only
		text = text[len(m[0]):]
	}
	r.say(at, Error, "not valid YAML: "+text, "")
}

// top reads the top level: our blocks strictly, others with a note, since the
// file may be shared with other tools.
func (r *reader) top(root *yaml.Node, l *layer) {
	if root.Kind != yaml.MappingNode {
		r.say(root, Error, "a configuration file is a map of blocks", "write intercept: and its keys below")
		return
	}
	r.pairs(root, "the file", func(k, v *yaml.Node) {
		switch k.Value {
		case "intercept":
			r.intercept(v, &l.in)
		case "policy":
			r.policyBlock(k, v, &l.policy)
		case "memory":
			r.memory(v, &l.memory)
		case "guard":
			r.guard(v, &l.guard)
		default:
			r.say(k, Info, "key "+strconv.Quote(k.Value)+" is not kitsoki's", near(k.Value, []string{"intercept", "policy", "memory", "guard"}))
		}
	})
}

func (r *reader) policyBlock(k, v *yaml.Node, p *Policy) {
	if r.layer != LayerUser {
		r.say(k, Warning, "policy counts in the user's own configuration only", "remove it here")
		return
	}
	r.policy(v, p)
}

// block reads one of our blocks: every key must be known.
func (r *reader) block(n *yaml.Node, name string, known []string, take func(key string, v *yaml.Node)) {
	if n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.say(n, Error, name+" must be a map", "")
		return
	}
	r.pairs(n, name, func(k, v *yaml.Node) {
		if !slices.Contains(known, k.Value) {
			r.say(k, Error, fmt.Sprintf("unknown key %q in %s", k.Value, name), near(k.Value, known))
			return
		}
		take(k.Value, v)
	})
}

// pairs visits a map's keys once each and reports those that stand twice.
func (r *reader) pairs(n *yaml.Node, name string, visit func(k, v *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if line, twice := seen[k.Value]; twice {
			r.say(k, Error, fmt.Sprintf("key %q stands twice in %s", k.Value, name), fmt.Sprintf("the first is on line %d", line))
			continue
		}
		seen[k.Value] = k.Line
		visit(k, v)
	}
}

// say adds a problem at a node, or at the file's start.
func (r *reader) say(n *yaml.Node, s Severity, message, hint string) {
	p := Problem{File: r.file, Line: 1, Col: 1, Severity: s, Message: message, Hint: hint}
	if n != nil && n.Line > 0 {
		p.Line, p.Col = n.Line, n.Column
	}
	r.problems = append(r.problems, p)
}

func (r *reader) origin(n *yaml.Node) Origin {
	return Origin{Layer: r.layer, File: r.file, Line: n.Line, Col: n.Column}
}

// near is a hint with the known name closest to a mistyped one, "" when none
// is close.
func near(name string, known []string) string {
	if best := text.Nearest(name, known); best != "" {
		return "did you mean " + strconv.Quote(best) + "?"
	}
	return ""
}
