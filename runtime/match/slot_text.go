package match

import (
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// stringRow is free text: the rest of the prompt, or all within quotation
// marks. Without quotation marks four things inside mean no match, since the
// text may be more than a value: a boundary, a word like "then", the verb of
// a command behind "and" or a comma, a quotation mark. The value is the
// person's own bytes.
func stringRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotString, Shape: ShapeText,
		Classify: noClass, Samples: []string{"text"}, Parse: parseText,
	}
}

// quotedRow is text within quotation marks, anywhere in a pattern.
func quotedRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotQuoted, Shape: ShapeQuoted,
		Classify: noClass, Samples: []string{"text"}, Parse: parseText,
	}
}

// enumRow is one of the declared values, said as the value or as one of its
// synonyms.
func enumRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotEnum, Shape: ShapeValues,
		Classify: noClass, Samples: []string{"text"}, Parse: parseText,
	}
}

func noClass([]byte) Class { return 0 }

func parseText(raw string) (any, bool) { return raw, raw != "" }

// fold gives a short text as matching compares it.
func fold(s string) string { return text.Key(s) }
