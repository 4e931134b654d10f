package setup

// PluginFile is one file of a plugin. Path is relative, with slashes.
type PluginFile struct {
	Path string
	Data []byte
}

// Plugin is the hook in the form of a plugin of Claude Code
// (https://code.claude.com/docs/en/plugins), for people who would rather
// switch it on and off there than have their settings edited.
func Plugin(r Row, p Program, version string) []PluginFile {
	s := style{nl: "\n", unit: "  "}
	manifest := object{
		{"name", "kitsoki"},
		{"version", version},
		{"description", "Commands that you type in your own words are recognised before the model and run"},
	}
	hooks := object{{"hooks", object{{r.Event, list{r.item(r.entryOf(p))}}}}}
	return []PluginFile{
		{".claude-plugin/plugin.json", []byte(render(manifest, s) + "\n")},
		{"hooks/hooks.json", []byte(render(hooks, s) + "\n")},
	}
}
