package compiler

import (
	"fmt"

	"kitsoki/runtime/text"
)

// didYouMean is a hint that names the candidate nearest to name, or the
// fallback when none is near.
func didYouMean(name string, candidates []string, fallback string) string {
	if near := text.Nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return fallback
}
