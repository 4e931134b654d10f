package taskagent

import (
	"regexp"
	"slices"
	"strings"
)

// sameButUpstreams tells whether two texts of a git configuration differ only
// in the upstreams of branches. A person's push or new branch writes these at
// any time, and they name no program. What is not plainly one counts as
// different. See git-config(1).
func sameButUpstreams(a, b []byte) bool {
	return slices.Equal(withoutUpstreams(a), withoutUpstreams(b))
}

// withoutUpstreams are the lines of a configuration but for sections of
// branches that hold an upstream and nothing else. Such a section must end at
// the next one: taken out before other lines, it would change whose they are.
func withoutUpstreams(text []byte) (rest []string) {
	header := regexp.MustCompile(`^\[branch "[^"\\]+"\]$`)
	key := regexp.MustCompile(`^\t(remote = [\w.-]+|merge = refs/heads/[^\s"#;\\]+|rebase = (true|false))$`)
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); {
		end := i
		if header.MatchString(lines[i]) && (i == 0 || !strings.HasSuffix(lines[i-1], `\`)) {
			for end++; end < len(lines) && key.MatchString(lines[end]); {
				end++
			}
			if last := len(lines) - 1; end < last && !strings.HasPrefix(lines[end], "[") || end == last && lines[end] != "" {
				end = i
			}
		}
		if end == i {
			end++
			rest = append(rest, lines[i])
		}
		i = end
	}
	return rest
}
