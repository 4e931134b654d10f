// Package build holds the rules that the repository keeps itself to, as
// tests.
package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pkg is what go list says of one package.
type pkg struct {
	ImportPath string
	Imports    []string
}

// packages lists the module's packages for one system.
func packages(t *testing.T, goos string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "kitsoki/...")
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var out []pkg
	for dec := json.NewDecoder(bytes.NewReader(raw)); ; {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
}

// under tells whether a package is at or below one of the paths.
func under(path string, roots ...string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return path == r || strings.HasPrefix(path, r+"/") })
}

// TestDirections holds which of our packages may import which.
func TestDirections(t *testing.T) {
	t.Parallel()
	rules := []struct {
		from, mayNot []string
		except       []string
		leaves       []string // packages with a rule of their own
	}{
		{from: []string{"kitsoki/runtime"}, mayNot: []string{"kitsoki/compiler", "kitsoki/cmd", "kitsoki/schema", "kitsoki/stories", "kitsoki/build"}},
		{
			from: []string{"kitsoki/compiler"}, mayNot: []string{"kitsoki/runtime", "kitsoki/cmd", "kitsoki/stories", "kitsoki/build"},
			except: []string{
				"kitsoki/runtime/artifact", "kitsoki/runtime/text", "kitsoki/runtime/match",
				"kitsoki/runtime/host/spec", "kitsoki/runtime/engine/expr",
			},
			leaves: []string{"kitsoki/compiler/storytest/flow"},
		},
		{ // flow tests run what was compiled, by the runtime's own executor
			from: []string{"kitsoki/compiler/storytest/flow"}, mayNot: []string{"kitsoki/runtime", "kitsoki/cmd", "kitsoki/stories", "kitsoki/build"},
			except: []string{
				"kitsoki/runtime/artifact", "kitsoki/runtime/text", "kitsoki/runtime/match", "kitsoki/runtime/engine",
				"kitsoki/runtime/host", "kitsoki/runtime/intercept",
			},
		},
		{from: []string{"kitsoki/schema", "kitsoki/stories"}, mayNot: []string{"kitsoki"}},
		{from: []string{"kitsoki/runtime/artifact"}, mayNot: []string{"kitsoki"}, except: []string{"kitsoki/runtime/text"}},
		{from: []string{"kitsoki/runtime/text", "kitsoki/runtime/proc"}, mayNot: []string{"kitsoki"}},
		{from: []string{"kitsoki/runtime/match"}, mayNot: []string{"kitsoki"}, except: []string{"kitsoki/runtime/artifact", "kitsoki/runtime/text"}},
		{
			from: []string{"kitsoki/runtime/binding"}, mayNot: []string{"kitsoki"},
			except: []string{"kitsoki/runtime/artifact", "kitsoki/runtime/journal", "kitsoki/runtime/match"},
		},
		{
			from: []string{"kitsoki/runtime/hook"}, mayNot: []string{"kitsoki"},
			except: []string{
				"kitsoki/runtime/agent", "kitsoki/runtime/artifact", "kitsoki/runtime/binding", "kitsoki/runtime/journal",
				"kitsoki/runtime/match", "kitsoki/runtime/proc", "kitsoki/runtime/secret", "kitsoki/runtime/text",
			},
		},
		{
			from: []string{"kitsoki/runtime/taskagent"}, mayNot: []string{"kitsoki"},
			except: []string{
				"kitsoki/runtime/artifact", "kitsoki/runtime/engine/expr", "kitsoki/runtime/host", "kitsoki/runtime/journal",
				"kitsoki/runtime/proc",
			},
		},
		{
			from: []string{"kitsoki/runtime/drive"}, mayNot: []string{"kitsoki"},
			except: []string{
				"kitsoki/runtime/artifact", "kitsoki/runtime/engine", "kitsoki/runtime/host", "kitsoki/runtime/journal", "kitsoki/runtime/proc",
				"kitsoki/runtime/secret/mask",
			},
		},
		{from: []string{"kitsoki/runtime/secret"}, mayNot: []string{"kitsoki"}},
		{from: []string{"kitsoki/runtime/journal"}, mayNot: []string{"kitsoki"}, except: []string{"kitsoki/runtime/secret"}},
		{
			from: []string{"kitsoki/runtime/trust"}, mayNot: []string{"kitsoki"},
			except: []string{"kitsoki/runtime/artifact", "kitsoki/runtime/journal"},
		},
		{
			from: []string{"kitsoki/runtime/memory/index"}, mayNot: []string{"kitsoki"},
			except: []string{"kitsoki/runtime/host", "kitsoki/runtime/journal", "kitsoki/runtime/proc", "kitsoki/runtime/text"},
		},
		{
			from: []string{"kitsoki/runtime/memory/recall"}, mayNot: []string{"kitsoki"},
			except: []string{"kitsoki/runtime/memory/index", "kitsoki/runtime/text"},
		},
		{from: []string{"kitsoki/runtime/memory/wire"}, mayNot: []string{"kitsoki"}},
		{
			from: []string{"kitsoki/runtime/memory/client"}, mayNot: []string{"kitsoki"},
			except: []string{"kitsoki/runtime/journal", "kitsoki/runtime/memory/wire"},
		},
		{
			from: []string{"kitsoki/runtime/memory/service"}, mayNot: []string{"kitsoki"},
			except: []string{"kitsoki/runtime/agent", "kitsoki/runtime/journal", "kitsoki/runtime/memory/wire"},
		},
		{from: []string{"kitsoki/cmd", "kitsoki/stories", "kitsoki/compiler"}, mayNot: []string{"kitsoki/build"}},
	}
	for _, p := range packages(t, "linux") {
		for _, r := range rules {
			if !under(p.ImportPath, r.from...) || under(p.ImportPath, r.leaves...) {
				continue
			}
			for _, imp := range p.Imports {
				if under(imp, r.mayNot...) && !under(imp, r.except...) && !under(imp, r.from...) {
					t.Errorf("%s imports %s", p.ImportPath, imp)
				}
			}
		}
	}
}

// TestHomes holds where each outside package, os/exec and net/http, may be
// imported.
func TestHomes(t *testing.T) {
	t.Parallel()
	homes := map[string][]string{
		"gopkg.in/yaml.v3":                         {"kitsoki/compiler/source", "kitsoki/compiler/storytest", "kitsoki/runtime/config"},
		"github.com/santhosh-tekuri/jsonschema/v5": {"kitsoki/compiler/source", "kitsoki/runtime/taskagent"},
		"github.com/modelcontextprotocol/go-sdk":   {"kitsoki/runtime/taskagent"},
		"github.com/spf13/cobra":                   {"kitsoki/cmd/kitsoki"},
		"github.com/expr-lang/expr":                {"kitsoki/runtime/engine"},
		"github.com/flosch/pongo2/v6":              {"kitsoki/runtime/engine"},
		"mvdan.cc/sh/v3":                           {"kitsoki/compiler"},
		"github.com/BurntSushi/toml":               {"kitsoki/runtime/host/project", "kitsoki/runtime/setup"},
		"github.com/tailscale/hujson":              {"kitsoki/runtime/setup"},
		"golang.org/x/text":                        {"kitsoki/runtime/text"},
		"github.com/blevesearch":                   {"kitsoki/compiler/segment", "kitsoki/runtime/match", "kitsoki/runtime/memory/index"},
		"github.com/RoaringBitmap/roaring/v2":      {"kitsoki/compiler/segment", "kitsoki/runtime/match", "kitsoki/runtime/memory/index"},
		"github.com/yuin/goldmark":                 {"kitsoki/runtime/memory/index"},
		"github.com/bmatcuk/doublestar/v4":         {"kitsoki/runtime/memory/index"},
		"golang.org/x/sys":                         {"kitsoki/runtime/proc", "kitsoki/runtime/journal", "kitsoki/build/e2e"},
		"kitsoki/runtime/drive":                    {"kitsoki/cmd/kitsoki"},
		"kitsoki/runtime/taskagent":                {"kitsoki/cmd/kitsoki"},
		"os/exec":                                  {"kitsoki/runtime/proc", "kitsoki/build"},
		"net/http":                                 {"kitsoki/runtime/memory/client", "kitsoki/runtime/memory/service", "kitsoki/build/e2e"},
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, p := range packages(t, goos) {
			for _, imp := range p.Imports {
				if home, ok := homeOf(homes, imp); ok && !under(p.ImportPath, home...) {
					t.Errorf("%s (%s) imports %s", p.ImportPath, goos, imp)
				}
			}
		}
	}
}

// homeOf finds the rule for an import; an outside package without one has no
// home at all.
func homeOf(homes map[string][]string, imp string) ([]string, bool) {
	for name, home := range homes {
		if under(imp, name) {
			return home, true
		}
	}
	first, _, _ := strings.Cut(imp, "/")
	return nil, strings.Contains(first, ".")
}

// TestSmallPrograms holds the closed lists of what deciding about a prompt
// may link, and of what kitsoki-hook may: each further package would cost
// every prompt.
func TestSmallPrograms(t *testing.T) {
	t.Parallel()
	deciding := []string{
		"kitsoki/runtime/artifact", "kitsoki/runtime/text", "kitsoki/runtime/match",
		"golang.org/x/text/unicode/norm", "golang.org/x/text/transform",
	}
	deciding = append(deciding, deps(t, "linux", "github.com/blevesearch/vellum")...)
	deciding = append(deciding, deps(t, "linux", "github.com/RoaringBitmap/roaring/v2")...)
	hook := append(slices.Clone(deciding), "kitsoki/cmd/kitsoki-hook", "kitsoki/runtime/hook", "kitsoki/runtime/agent",
		"kitsoki/runtime/binding", "kitsoki/runtime/journal", "kitsoki/runtime/proc", "kitsoki/runtime/secret")
	tests := []struct {
		path, goos string
		allowed    []string
		standard   []string // packages of the standard library that are too much
	}{
		{"kitsoki/runtime/match", "linux", deciding, []string{"net/http", "os/exec"}},
		{"kitsoki/cmd/kitsoki-hook", "linux", hook, []string{"net", "crypto/rand", "regexp", "text/template", "go/parser"}},
		{"kitsoki/cmd/kitsoki-hook", "windows", append(slices.Clone(hook), "golang.org/x/sys/windows"), []string{"net/http"}},
	}
	for _, tt := range tests {
		found := deps(t, tt.goos, tt.path)
		if !slices.Contains(found, tt.path) {
			t.Errorf("%s is not among its own packages", tt.path)
		}
		for _, dep := range found {
			first, _, _ := strings.Cut(dep, "/")
			outside := strings.Contains(first, ".") || first == "kitsoki"
			if outside && !slices.Contains(tt.allowed, dep) || slices.Contains(tt.standard, dep) {
				t.Errorf("%s (%s) links %s", tt.path, tt.goos, dep)
			}
		}
	}
}

// deps lists all that a package links.
func deps(t *testing.T, goos, path string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", path)
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Fields(string(raw))
}
