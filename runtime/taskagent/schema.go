package taskagent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schema is a JSON Schema with its text.
type schema struct {
	text     []byte
	compiled *jsonschema.Schema
}

// newSchema reads a schema from its text or from a value of a story. It may
// refer to nothing outside of itself.
func newSchema(v any) (*schema, error) {
	text, isText := v.(string)
	data := []byte(text)
	if !isText {
		var err error
		if data, err = json.MarshalIndent(v, "", "  "); err != nil {
			return nil, fmt.Errorf("this is no JSON Schema: %w", err)
		}
	}
	c := jsonschema.NewCompiler()
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s lies outside of it", url) }
	err := c.AddResource(schemaURL, bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("this is no JSON Schema: %w", err)
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("this is no JSON Schema: %w", err)
	}
	return &schema{data, compiled}, nil
}

// schemaURL names a schema to the validator. It leads nowhere.
const schemaURL = "kitsoki:///schema.json"

// judge decodes a verdict and says what of it does not fit: "" when all does.
func judge(schemas []*schema, raw []byte) (why string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "it is not JSON: " + err.Error()
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "it is more than one JSON value"
	}
	for _, s := range schemas {
		if err := s.compiled.Validate(v); err != nil {
			return misfit(err)
		}
	}
	return ""
}

// maxMisfits is how many places are named to who has to correct them.
const maxMisfits = 5

// misfit names the places that do not fit, and why.
func misfit(err error) string {
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return err.Error()
	}
	var out []string
	leaves(ve, &out)
	if len(out) > maxMisfits {
		out = append(out[:maxMisfits], fmt.Sprintf("and %d more", len(out)-maxMisfits))
	}
	return strings.Join(out, "; ")
}

func leaves(ve *jsonschema.ValidationError, out *[]string) {
	for _, cause := range ve.Causes {
		leaves(cause, out)
	}
	if len(ve.Causes) > 0 {
		return
	}
	at := ve.InstanceLocation
	if at == "" {
		at = "the value"
	}
	*out = append(*out, at+": "+ve.Message)
}
