package journal

// TryLock takes an exclusive lock on a file, which it makes if need be. The
// lock ends with the process at the latest. ok is false when another holds it.
func TryLock(path string) (release func(), ok bool, err error) { return lock(path, false) }

// WaitLock is TryLock that waits for its turn.
func WaitLock(path string) (release func(), err error) {
	release, _, err = lock(path, true)
	return release, err
}
