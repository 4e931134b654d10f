package taskagent

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// neighbour is the tree of the person, when the task works in another one. It
// is only looked at: an agent that writes there can't be told from the person,
// who may be at work in it, and putting back what they wrote would lose it.
// What changed there is named instead.
func (t *task) neighbour(ctx context.Context, s *snapshot) (*snapshot, error) {
	if s.git == nil || t.dir == t.env.Dir {
		return nil, nil
	}
	there := *t
	there.dir, there.files, there.open = t.env.Dir, nil, false
	n := &snapshot{task: &there, root: there.dir, base: "."}
	if err := n.openRepository(ctx); err != nil {
		return nil, err
	}
	if n.git == nil || n.root == s.root {
		return nil, nil
	}
	if err := n.leaveRecords(); err != nil {
		return nil, err
	}
	if err := n.leaveOut(s.root); err != nil {
		return nil, err
	}
	var err error
	n.files, err = n.scan(ctx)
	return n, err
}

// moved names what is not as it was. Locks come and go with each git, and what
// only tells of an operation that has ended says nothing.
func (s *snapshot) moved(ctx context.Context) ([]string, error) {
	_, names, err := s.changes(ctx)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		names[i] = s.shown(name)
	}
	ref, head, err := s.git.where(ctx)
	if err != nil {
		return nil, err
	}
	if ref != s.git.ref || head != s.git.head {
		names = append(names, ".git/HEAD")
	}
	if entries, err := s.git.staged(ctx); err != nil {
		return nil, err
	} else if entries != s.git.entries {
		names = append(names, ".git/index")
	}
	now, err := s.git.operation()
	if err != nil {
		return nil, fmt.Errorf("looking at the operation in progress: %w", err)
	}
	all := maps.Clone(now)
	maps.Copy(all, s.git.files)
	for name := range all {
		if string(now[name]) != string(s.git.files[name]) && !strings.HasSuffix(name, ".lock") && !slices.Contains([]string{"AUTO_MERGE", "ORIG_HEAD"}, name) {
			names = append(names, ".git/"+name)
		}
	}
	slices.Sort(names)
	return names, nil
}
