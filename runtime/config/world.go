package config

import (
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// world reads the world block: any keys, since the story declares them, each
// with a value that JSON can hold.
func (r *reader) world(n *yaml.Node) []World {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.say(n, Error, "intercept.world must be a map", "")
		return nil
	}
	var list []World
	r.pairs(n, "intercept.world", func(k, v *yaml.Node) {
		raw, err := r.json(v)
		if err != nil {
			r.say(v, Error, fmt.Sprintf("intercept.world.%s: %v", k.Value, err), "")
			return
		}
		list = append(list, World{Name: k.Value, JSON: raw, Origin: r.origin(v)})
	})
	return list
}

func (r *reader) json(n *yaml.Node) (json.RawMessage, error) {
	v, err := r.plain(n)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// plain turns a node into what encoding/json takes. Dates stay text, as they
// are written.
func (r *reader) plain(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return scalar(n)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := r.plain(c)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		return r.object(n)
	}
	return nil, fmt.Errorf("an alias is not taken here; write the value out")
}

func (r *reader) object(n *yaml.Node) (map[string]any, error) {
	m := make(map[string]any, len(n.Content)/2)
	var failed error
	r.pairs(n, "this map", func(k, v *yaml.Node) {
		value, err := r.plain(v)
		if err != nil {
			failed = err
		}
		m[k.Value] = value
	})
	return m, failed
}

func scalar(n *yaml.Node) (any, error) {
	switch n.Tag {
	case "!!int", "!!float", "!!bool", "!!null":
		var v any
		err := n.Decode(&v)
		return v, err
	case "!!str", "!!timestamp":
		return n.Value, nil
	}
	return nil, fmt.Errorf("a value of type %s is not taken here", n.Tag)
}
