package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	readName  = "host.file.read"
	writeName = "host.file.write"
)

// maxFile is the most one file may hold, in bytes: its text goes into the
// world and into expressions.
const maxFile = 1 << 20

// readFile is host.file.read.
func readFile(_ context.Context, args map[string]any, env Env) (map[string]any, error) {
	root, path, err := inside(args, env)
	if err != nil {
		return nil, failf(readName, "%v", err)
	}
	defer root.Close()
	data, err := contentOf(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]any{"content": "", "exists": false}, nil
	}
	if err != nil {
		return nil, failf(readName, "%s: %v", path, reasonOf(err))
	}
	return map[string]any{"content": string(data), "exists": true}, nil
}

// inside opens the working directory and checks the path: the root's methods
// follow no symbolic link out of it.
func inside(args map[string]any, env Env) (*os.Root, string, error) {
	path, err := str(args, "path")
	if err != nil {
		return nil, "", err
	}
	path = filepath.Clean(filepath.FromSlash(path))
	if path == "." || !filepath.IsLocal(path) {
		return nil, "", fmt.Errorf("argument path: %q is no path inside the working directory", path)
	}
	root, err := os.OpenRoot(env.Dir)
	if err != nil {
		return nil, "", fmt.Errorf("opening the working directory: %w", err)
	}
	return root, path, nil
}

func contentOf(root *os.Root, path string) ([]byte, error) {
	info, err := root.Stat(path) // before opening: a pipe would block
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, fmt.Errorf("it is longer than %d bytes", maxFile)
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		return nil, errors.New("it is no text in UTF-8")
	}
	return data, nil
}

// reasonOf is an error without the path, which the message has already.
func reasonOf(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// writeFile is host.file.write.
func writeFile(_ context.Context, args map[string]any, env Env) (map[string]any, error) {
	content, ok := args["content"].(string)
	if !ok || len(content) > maxFile {
		return nil, failf(writeName, "argument content: expected text of at most %d bytes", maxFile)
	}
	root, path, err := inside(args, env)
	if err != nil {
		return nil, failf(writeName, "%v", err)
	}
	defer root.Close()
	if ofGit(path) {
		return nil, failf(writeName, "%s: nothing is written below .git: programs run what stands there", path)
	}
	created, err := replace(root, path, []byte(content))
	if err != nil {
		return nil, failf(writeName, "%s: %v", path, reasonOf(err))
	}
	return map[string]any{"created": created, "bytes": len(content)}, nil
}

// ofGit also knows the spellings of file systems that fold case.
func ofGit(path string) bool {
	for _, part := range strings.Split(filepath.ToSlash(path), "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// replace writes a file beside the old one and puts it in its place. What
// stands at the path must be a file: a link is not written through, since
// what it leads to may be below .git.
func replace(root *os.Root, path string, data []byte) (created bool, err error) {
	mode := fs.FileMode(0o644)
	switch info, err := root.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		created = true
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, errors.New("it is no regular file")
	default:
		mode = info.Mode().Perm()
	}
	if err := plainWay(root, filepath.Dir(path)); err != nil {
		return false, err
	}
	part := path + ".kitsoki-part"
	_ = root.Remove(part) // of a write that was cut short
	err = writeNew(root, part, data, mode)
	if err == nil {
		err = root.Rename(part, path)
	}
	if err != nil {
		_ = root.Remove(part)
		return false, err
	}
	return created, nil
}

func writeNew(root *os.Root, path string, data []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// plainWay makes the directories on the way; none may be a link.
func plainWay(root *os.Root, dir string) error {
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for ; dir != "."; dir = filepath.Dir(dir) {
		info, err := root.Lstat(dir)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is a symbolic link", dir)
		}
	}
	return nil
}
