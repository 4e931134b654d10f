//go:build !linux

package proc

func gitAtWork([]string, []string) (string, error) { return "", ErrUnseen }
