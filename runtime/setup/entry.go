package setup

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Program is what an entry starts: an absolute path and its arguments.
type Program struct {
	Path string
	Args []string
}

// Line is the program as a line for a shell.
func (p Program) Line() string {
	words := []string{"'" + strings.ReplaceAll(p.Path, "'", `'\''`) + "'"}
	return strings.Join(append(words, p.Args...), " ")
}

// entryOf is the entry that starts a program. A shell's line ends in status 0
// whatever becomes of it: also when the program has been removed, the prompt
// flows on.
func (r Row) entryOf(p Program) object {
	var o object
	if r.Typed {
		o = append(o, field{"type", "command"})
	}
	if r.Exec {
		o = append(o, field{"command", p.Path}, field{"args", p.Args})
	} else {
		o = append(o, field{"command", p.Line() + " || exit 0"})
	}
	o = append(o, field{r.TimeoutKey, r.Units()})
	if r.Status != "" {
		o = append(o, field{r.Status, "kitsoki"})
	}
	return o
}

// Units is the time-out as the agent counts it.
func (r Row) Units() int { return int(Timeout / r.TimeoutUnit) }

// item is what is put into the event's list.
func (r Row) item(entry object) any {
	if !r.Grouped {
		return entry
	}
	return object{{"hooks", list{entry}}}
}

// Entry is one of our entries in a settings file. Line and Col count from 1.
type Entry struct {
	File      string
	Line, Col int
	Program   Program // what it starts; Path is a bare word or relative where it was written so
	Command   string  // the line for a shell, "" in the exec form
	Timeout   float64 // in the agent's unit, 0 when it names none
	keys      map[string]any
	value     *hujson.Value
	path      []step
}

// Is says whether an entry is the one that a row would write for a program.
func (e Entry) Is(r Row, p Program) bool { return reflect.DeepEqual(e.keys, plain(r.entryOf(p))) }

// plain is an entry as encoding/json reads it.
func plain(o object) map[string]any {
	var out map[string]any
	if json.Unmarshal([]byte(render(o, style{inline: true})), &out) != nil {
		return nil // what render writes is JSON
	}
	return out
}

// own reads an entry; ok is false when it does not start kitsoki for this
// agent.
func (r Row) own(v *hujson.Value) (e Entry, ok bool) {
	e.value = v
	clean := v.Clone()
	clean.Standardize()
	if json.Unmarshal(clean.Pack(), &e.keys) != nil {
		return e, false
	}
	command, _ := e.keys["command"].(string)
	e.Timeout, _ = e.keys[r.TimeoutKey].(float64)
	words := []string{command}
	if args, exec := e.keys["args"].([]any); exec {
		for _, a := range args {
			text, _ := a.(string)
			words = append(words, text)
		}
	} else {
		e.Command, words = command, shellWords(command)
	}
	if len(words) == 0 {
		return e, false
	}
	e.Program = Program{words[0], words[1:]}
	return e, e.Program.starts(r.Name)
}

// starts says whether the program is kitsoki, called for an agent.
func (p Program) starts(agent string) bool {
	name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(p.Path)), ".exe")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	begins := func(want ...string) bool { return len(p.Args) >= len(want) && slices.Equal(p.Args[:len(want)], want) }
	switch name {
	case "kitsoki-hook":
		return begins(agent)
	case "kitsoki":
		return begins("hook", "run", "--agent", agent) || begins("hook", "run", "--agent="+agent)
	}
	return false
}

// shellWords splits a line at blanks outside of quotation marks. It is no
// shell: it only has to know the lines that we write, or that people paste. A
// backslash counts only before a blank or a mark, so that paths of Windows
// stay.
func shellWords(line string) []string {
	var words []string
	var word []byte
	var quote byte
	open := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words = append(words, string(word))
			}
			word, open = nil, false
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case quote == 0 && c == '\\' && i+1 < len(line) && strings.IndexByte(` '"`, line[i+1]) >= 0:
			i++
			word = append(word, line[i])
		default:
			word = append(word, c)
		}
		open = true
	}
	if open {
		words = append(words, string(word))
	}
	return words
}
