package text

import "sort"

// Nearest is the candidate that was most likely meant by word: at most two
// edits away (an edit inserts, removes, replaces or swaps a character), at
// most one for words of up to four characters. It is "" when there is none.
func Nearest(word string, candidates []string) string {
	limit := 2
	if len([]rune(word)) <= 4 {
		limit = 1
	}
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted)
	best := ""
	for _, c := range sorted {
		if d := distance([]rune(word), []rune(c), limit); d <= limit && c != word {
			best, limit = c, d-1
		}
	}
	return best
}

// distance counts edits; it may stop counting above limit.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			row[j+1] = cheapest(a, b, i, j, before, last, row)
		}
	}
	return row[len(b)]
}

func cheapest(a, b []rune, i, j int, before, last, row []int) int {
	if a[i] == b[j] {
		return last[j]
	}
	n := 1 + min(last[j], last[j+1], row[j])
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		n = min(n, 1+before[j-1])
	}
	return n
}
