package match

import (
	"strings"

	"kitsoki/runtime/artifact"
)

// refRow is a branch, a tag or another name git knows: one token, the first
// character a letter or a digit, then letters, digits and "_./-". With "/",
// "_", "-" or a digit it is one by its form; a bare word is one only when a
// branch has exactly that name. What git itself refuses in a name, and "..",
// which would make it a range, is no ref.
func refRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotRef, Shape: ShapeToken, Class: ClassRef | ClassName,
		Classify: refClass, Samples: []string{"feature/x", "main", "x1", "-x"}, Parse: parseRef,
	}
}

func refClass(word []byte) Class {
	certain := false
	for i, c := range word {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case '0' <= c && c <= '9':
			certain = true
		case i > 0 && (c == '/' || c == '_' || c == '-'):
			certain = true
		case i > 0 && c == '.':
		default:
			return 0
		}
	}
	if !wellFormedRef(string(word)) {
		return 0
	}
	if certain {
		return ClassRef
	}
	return ClassName
}

func wellFormedRef(s string) bool {
	return s != "" && len(s) <= 200 && !strings.Contains(s, "..") && !strings.Contains(s, "//") &&
		!strings.Contains(s, "/.") && !strings.HasSuffix(s, "/") && !strings.HasSuffix(s, ".") &&
		!strings.HasSuffix(s, ".lock")
}

func parseRef(raw string) (any, bool) { return raw, refClass([]byte(raw)) != 0 }
