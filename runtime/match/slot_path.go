package match

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"kitsoki/runtime/artifact"
)

// pathRow is a file or directory inside the working directory: one token,
// the first character a letter, a digit, "." or "_", then letters, digits
// and "._-+@=/". With "/" or "." it is one by its form; a bare word is one
// only when a file of that name exists. It never leads out of the directory.
func pathRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotPath, Shape: ShapeToken, Class: ClassPath | ClassFile,
		Classify: pathClass, Samples: []string{"go.mod", "src/x", ".x", "über.go", "über", "a..b", "a//b", "1.5"}, Parse: parsePath,
	}
}

func pathClass(word []byte) Class {
	class := ClassFile
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRune(word[i:])
		switch {
		case r == '/' && i > 0, r == '.':
			class = ClassPath
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r) && i > 0, r == '_':
		case i > 0 && (r == '-' || r == '+' || r == '@' || r == '='):
		default:
			return 0
		}
		i += n
	}
	return class
}

func parsePath(raw string) (any, bool) {
	if pathClass([]byte(raw)) == 0 || raw == "" {
		return nil, false
	}
	clean := path.Clean(raw)
	return raw, clean != ".." && !strings.HasPrefix(clean, "../") && !path.IsAbs(clean)
}
