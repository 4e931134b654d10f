package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Installed is a plugin that an agent has. ID is name@marketplace, Dir the
// directory that it is read from.
type Installed struct{ ID, Dir string }

// PluginsDir is where the agent keeps what it knows of plugins, "" when it has
// none or the environment names no home.
func (r Row) PluginsDir(env func(string) string) string {
	if r.Plugins == "" {
		return ""
	}
	if dir := env(r.PluginsVar); filepath.IsAbs(dir) {
		return dir
	}
	return under(filepath.Dir(r.File(User, env, "")), r.Plugins)
}

// EnabledPlugins is what a settings file says about plugins: on is true for
// those that it switches on. A file that does not parse says nothing.
func EnabledPlugins(s Settings) (on map[string]bool) {
	var top map[string]json.RawMessage
	var said map[string]any
	if decode(s, &top) != nil || json.Unmarshal(top["enabledPlugins"], &said) != nil {
		return nil
	}
	on = map[string]bool{}
	for id, v := range said {
		on[id] = v == true // a list of versions does not switch it on
	}
	return on
}

// installation is where a plugin was put, and for whom.
type installation struct {
	Scope string `json:"scope"`
	Path  string `json:"installPath"`
	// Project is the root of the repository that it was installed for.
	Project string `json:"projectPath"`
}

// InstalledPlugins lists the plugins that an agent knows, sorted by ID, from
// the registry in its directory of plugins. Version 1 of the registry has one
// installation for each plugin, version 2 a list of them. Root is the
// repository's root.
func InstalledPlugins(dir, root string) ([]Installed, error) {
	file := filepath.Join(dir, "installed_plugins.json")
	s, err := Read(file)
	if err != nil || !s.Exists {
		return nil, err
	}
	var registry struct {
		Version int                        `json:"version"`
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err := decode(s, &registry); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if v := registry.Version; v < 1 || v > 2 || registry.Plugins == nil {
		return nil, fmt.Errorf("%s has a form that is not known, version %d", file, v)
	}
	var out []Installed
	for id, raw := range registry.Plugins {
		list := make([]installation, 1)
		if registry.Version == 1 {
			err = json.Unmarshal(raw, &list[0])
		} else {
			err = json.Unmarshal(raw, &list)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, id, err)
		}
		if at := chosen(list, root); at != "" {
			out = append(out, Installed{id, source(dir, id, at)})
		}
	}
	slices.SortFunc(out, func(a, b Installed) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// chosen is the directory of the installation that counts in a repository:
// its own, else the person's, else any.
func chosen(list []installation, root string) string {
	for _, fits := range []func(installation) bool{
		func(i installation) bool { return i.Project != "" && i.Project == root },
		func(i installation) bool { return i.Project == "" },
		func(installation) bool { return true },
	} {
		if i := slices.IndexFunc(list, fits); i >= 0 {
			return list[i].Path
		}
	}
	return ""
}

// source is the directory that a plugin is read from: its own one in a
// marketplace that is a local directory, else where it was installed.
func source(dir, id, installed string) string {
	var known map[string]struct {
		Source struct {
			Kind string `json:"source"`
		} `json:"source"`
		At string `json:"installLocation"`
	}
	var market struct {
		Plugins []struct {
			Name   string `json:"name"`
			Source any    `json:"source"`
		} `json:"plugins"`
	}
	name, of, _ := strings.Cut(id, "@")
	if load(filepath.Join(dir, "known_marketplaces.json"), &known) != nil || known[of].Source.Kind != "directory" {
		return installed
	}
	at := known[of].At
	if load(filepath.Join(at, ".claude-plugin", "marketplace.json"), &market) != nil {
		return installed
	}
	for _, p := range market.Plugins {
		if rel, ok := p.Source.(string); ok && p.Name == name && filepath.IsLocal(rel) {
			return filepath.Join(at, filepath.FromSlash(rel))
		}
	}
	return installed
}

// InspectPlugin finds our entries in a plugin's hooks. A file that has nothing
// of ours is another's, and its mistakes are too.
func InspectPlugin(p Installed, r Row) ([]Entry, error) {
	s, err := Read(filepath.Join(p.Dir, "hooks", "hooks.json"))
	if err != nil || !bytes.Contains(s.Data, []byte("kitsoki")) {
		return nil, nil
	}
	list, err := Inspect(s, r)
	for i := range list {
		e := &list[i]
		for _, text := range []*string{&e.Program.Path, &e.Command} {
			*text = strings.ReplaceAll(*text, "${CLAUDE_PLUGIN_ROOT}", p.Dir)
		}
	}
	return list, err
}

func load(file string, into any) error {
	s, err := Read(file)
	if err != nil {
		return err
	}
	return decode(s, into)
}

// decode reads a file's JSON.
func decode(s Settings, into any) error {
	data, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(s.Data, []byte(byteOrderMark))))
	if err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("it has a form that is not known: %w", err)
	}
	return nil
}
