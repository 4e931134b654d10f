package taskagent

// isNotDir is never: Windows says that there is no such path.
func isNotDir(error) bool { return false }
