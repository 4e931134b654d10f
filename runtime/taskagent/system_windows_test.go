package taskagent

import "testing"

func mkfifo(t *testing.T, _ string) { t.Skip("there are no named pipes in the file system") }

func mustDie(t *testing.T, _ string) { t.Skip("there are no process groups") }
