package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schemaURL names the story schema for the validator; nothing is fetched.
const schemaURL = "https://kitsoki.invalid/story.schema.json"

// includedRoot is where the schema of an included file stands.
const includedRoot = "#/$defs/file"

// The schema's own keywords, beside those of JSON Schema.
const (
	kwUnsupported = "x-unsupported" // why a key is refused
	kwUnused      = "x-unused"      // the key is accepted, without effect
	kwSays        = "x-says"        // a pattern, in words
)

// checker holds the compiled schema and its text as data, in which the
// reasons for an error are looked up.
type checker struct {
	manifest, included *jsonschema.Schema
	doc                any
}

// newChecker reads the story schema, which has a part for included files.
func newChecker(data []byte) (*checker, error) {
	c, sc, err := readSchema(data)
	if err != nil {
		return nil, err
	}
	if c.included, err = sc.Compile(schemaURL + includedRoot); err != nil {
		return nil, fmt.Errorf("compiling the story schema: %w", err)
	}
	return c, nil
}

// readSchema reads a schema, and gives the compiler for parts of it.
func readSchema(data []byte) (*checker, *jsonschema.Compiler, error) {
	c := &checker{}
	if err := json.Unmarshal(data, &c.doc); err != nil {
		return nil, nil, fmt.Errorf("reading the schema: %w", err)
	}
	sc := jsonschema.NewCompiler()
	sc.LoadURL = refuseLoad
	sc.RegisterExtension(kwUnused, nil, noteKeyword(kwUnused))
	if err := sc.AddResource(schemaURL, bytes.NewReader(data)); err != nil {
		return nil, nil, fmt.Errorf("reading the schema: %w", err)
	}
	var err error
	if c.manifest, err = sc.Compile(schemaURL); err != nil {
		return nil, nil, fmt.Errorf("compiling the schema: %w", err)
	}
	return c, sc, nil
}

func refuseLoad(url string) (io.ReadCloser, error) {
	return nil, fmt.Errorf("the schema refers to %s; it has to stand alone", url)
}

// noteKeyword makes an annotation report each value it stands on, as an
// error of the validator that the report turns into what it is.
type noteKeyword string

// Compile implements jsonschema.ExtCompiler.
func (k noteKeyword) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	if _, ok := m[string(k)]; !ok {
		return nil, nil
	}
	return k, nil
}

// Validate implements jsonschema.ExtSchema.
func (k noteKeyword) Validate(ctx jsonschema.ValidationContext, _ any) error {
	return ctx.Error(string(k), "%s", string(k))
}

// failure is one thing the validator found: where in the story and where in
// the schema. owner is the schema object that holds the failed keyword;
// conditional is true when it applies to some values of a key only.
type failure struct {
	instance    []string
	keyword     string
	owner       map[string]any
	conditional bool
	ofName      bool // it is about the key, not its value
}

// reason is why the schema refuses the value.
func (f failure) reason() string {
	why, _ := f.owner[kwUnsupported].(string)
	return why
}

// failures validates a file and returns what the validator found, in an
// order that depends on the file alone.
func (c *checker) failures(root *Node, included bool) ([]failure, error) {
	s := c.manifest
	if included {
		s = c.included
	}
	err := s.Validate(root.value())
	if err == nil {
		return nil, nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return nil, fmt.Errorf("validating a story file: %w", err)
	}
	var out []failure
	c.leaves(ve, &out)
	sort.SliceStable(out, func(i, j int) bool { return out[i].order() < out[j].order() })
	return out, nil
}

func (f failure) order() string { return strings.Join(f.instance, "\x00") + "\x00" + f.keyword }

func (c *checker) leaves(ve *jsonschema.ValidationError, out *[]failure) {
	if len(ve.Causes) > 0 && !strings.HasSuffix(ve.KeywordLocation, "/oneOf") {
		for _, cause := range ve.Causes {
			c.leaves(cause, out)
		}
		return
	}
	_, fragment, _ := strings.Cut(ve.AbsoluteKeywordLocation, "#")
	path := pointer(fragment)
	if len(path) == 0 {
		return
	}
	owner, _ := lookup(c.doc, path[:len(path)-1]).(map[string]any)
	*out = append(*out, failure{
		instance:    pointer(ve.InstanceLocation),
		keyword:     path[len(path)-1],
		owner:       owner,
		conditional: len(path) > 1 && path[len(path)-2] == "then",
		ofName:      slices.Contains(path, "propertyNames"),
	})
}

// pointer splits a JSON pointer as the validator writes it: escaped for a
// pointer, then for a URL.
func pointer(s string) []string {
	if s = strings.Trim(s, "/"); s == "" {
		return nil
	}
	parts := strings.Split(s, "/")
	for i, p := range parts {
		if u, err := url.PathUnescape(p); err == nil {
			p = u
		}
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

func lookup(doc any, path []string) any {
	for _, p := range path {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[p]
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i < 0 || i >= len(d) {
				return nil
			}
			doc = d[i]
		default:
			return nil
		}
	}
	return doc
}

// resolve follows references until something is said.
func (c *checker) resolve(s any) map[string]any {
	m, _ := s.(map[string]any)
	for range maxRefs {
		if m["$ref"] == nil || m["description"] != nil {
			return m
		}
		m = c.target(m)
	}
	return m
}

// maxRefs bounds a chain of references, which could be a circle.
const maxRefs = 10

// target is what a schema refers to, empty when it refers to nothing.
func (c *checker) target(m map[string]any) map[string]any {
	ref, ok := m["$ref"].(string)
	if !ok {
		return nil
	}
	out, _ := lookup(c.doc, pointer(strings.TrimPrefix(ref, "#"))).(map[string]any)
	return out
}
