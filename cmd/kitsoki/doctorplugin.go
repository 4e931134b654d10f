package main

import (
	"path/filepath"
	"strings"

	"kitsoki/runtime/setup"
)

// pluginOf is a plugin of an agent, and what the settings say of it.
type pluginOf struct {
	setup.Installed
	row setup.Row
	on  bool
	// by and scope are the settings that decide, "" when none speaks of it;
	// widest is the scope of the widest ones that switch it on.
	by, scope, widest string
}

// ours says whether the plugin goes by our name: only then is it written anew.
func (p *pluginOf) ours() bool { return strings.HasPrefix(p.ID, "kitsoki@") }

func (p *pluginOf) install() string {
	if p.ours() {
		return "kitsoki hook plugin -o '" + p.Dir + "'"
	}
	return p.disable() + " && kitsoki hook install --agent " + p.row.Name + " --write"
}

func (p *pluginOf) disable() string {
	if p.scope == "managed" {
		return "take " + p.ID + " out of enabledPlugins in " + p.by
	}
	return p.row.Program + " plugin disable '" + p.ID + "' --scope " + p.scope
}

// plugins looks for our entry in the plugins that an agent has.
func (e *exam) plugins(row setup.Row) {
	dir := row.PluginsDir(e.env)
	if dir == "" {
		return
	}
	list, err := setup.InstalledPlugins(dir, e.conf.Repo.Top())
	if err != nil {
		e.well("whether a plugin of %s starts kitsoki is not known: %v", row.Title, err)
		return
	}
	for _, installed := range list {
		p := &pluginOf{Installed: installed, row: row}
		entries, err := setup.InspectPlugin(installed, row)
		if err == nil && len(entries) == 0 {
			continue
		}
		e.enabled(p)
		switch {
		case !p.on:
			by := p.by
			if by == "" {
				by = "no settings switch it on"
			}
			e.well("the plugin %s of %s is switched off (%s); it would start kitsoki after: %s plugin enable '%s'", p.ID, row.Title, by, row.Program, p.ID)
		case err != nil:
			e.problem(err)
		default:
			file := filepath.Join(p.Dir, "hooks", "hooks.json")
			e.starts(row, settingsOf{file: file, shown: "the plugin " + p.ID + ", which " + p.by + " switches on", plugin: p}, entries)
		}
	}
}

// enabled looks up what the settings say of a plugin: the narrowest decide,
// and those of whoever manages the machine before all.
func (e *exam) enabled(p *pluginOf) {
	read := e.settings(p.row)
	for _, file := range p.row.Managed {
		read = append(read, settingsOf{file: file, scope: "managed"})
	}
	for _, s := range read {
		if s.file == "" || s.file == p.by {
			continue
		}
		settings, err := setup.Read(s.file)
		if err != nil {
			continue
		}
		on, said := setup.EnabledPlugins(settings)[p.ID]
		if !said {
			continue
		}
		p.on, p.by, p.scope = on, s.file, s.scope
		if on && (p.widest == "" || s.scope == "managed") {
			p.widest = s.scope
		}
	}
}
