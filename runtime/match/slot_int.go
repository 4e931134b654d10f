package match

import (
	"strconv"

	"kitsoki/runtime/artifact"
)

// intRow is a whole number in decimal digits, with an optional sign.
func intRow() SlotRow {
	return SlotRow{
		Type: artifact.SlotInt, Shape: ShapeToken, Class: ClassInt,
		Classify: intClass, Samples: []string{"7", "-3", "+3"}, Parse: parseInt,
	}
}

func intClass(word []byte) Class {
	digits := word
	if len(digits) > 1 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0
		}
	}
	return ClassInt
}

func parseInt(raw string) (any, bool) {
	n, err := strconv.ParseInt(raw, 10, 64)
	return n, err == nil
}
