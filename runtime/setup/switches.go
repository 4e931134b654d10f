package setup

import "github.com/tailscale/hujson"

// Switches lists the keys of a settings file that keep an agent from starting
// our hook, each as a problem with its place. A file that does not parse has
// none: Inspect says what is wrong with it.
func Switches(s Settings, r Row) []*Problem {
	d, err := parse(s.Path, s.Data, Row{})
	if err != nil || d.blank {
		return nil
	}
	var out []*Problem
	root, _ := d.root.Value.(*hujson.Object)
	for i := range root.Members {
		m := &root.Members[i]
		key := m.Name.Value.(hujson.Literal).String()
		for _, off := range r.Off {
			if v, ok := m.Value.Value.(hujson.Literal); ok && key == off && v.Kind() == 't' {
				out = append(out, d.at(m.Name.StartOffset, "set it to false, or take it out", "%q keeps %s from starting kitsoki", key, r.Title))
			}
		}
	}
	return out
}
