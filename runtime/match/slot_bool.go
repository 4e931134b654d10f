package match

import "kitsoki/runtime/artifact"

// boolRow is yes or no, as one English word.
func boolRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotBool, Shape: ShapeToken, Class: ClassBool,
		Classify: boolClass, Samples: []string{"true"}, Parse: parseBool,
	}
}

func boolClass(word []byte) Class {
	if _, ok := boolOf(string(word)); ok {
		return ClassBool
	}
	return 0
}

func boolOf(word string) (value, ok bool) {
	switch word {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

func parseBool(raw string) (any, bool) {
	v, ok := boolOf(fold(raw))
	return v, ok
}
