package index

import (
	"math"
	"slices"
)

// The measure. A prompt's content terms weigh what they tell: the inverse
// document frequency of BM25, ln(1 + (N-n+½)/(n+½)) for a term in n of N
// documents (Robertson and Zaragoza, The Probabilistic Relevance Framework,
// 2009, in the form that stays positive), so that a term that no document has
// weighs most. Relevance is the share of that weight which a document has,
// and a bonus for terms that stand together in it as they do in the prompt.
const (
	// phraseBonus is what a document gains that has all neighbours of the
	// prompt as neighbours: it decides between documents that have the same
	// terms, and lifts none over the floor that has but half of them.
	phraseBonus = 0.1
	// leastWeight is what a prompt has to weigh, counted in terms that no
	// document has: of two common words nothing follows, though many documents
	// have them both.
	leastWeight = 1.0
	// near is how far apart neighbours may be in a document, in words: stop
	// words may stand between them.
	near = 3
)

// wanted is a content term of a prompt.
type wanted struct {
	forms  []string // its stems, any of which is the term
	at     int      // which of the prompt's words it is
	weight float64
}

// question is a prompt as it is looked for.
type question struct {
	terms []wanted
	total float64
}

// ask makes the terms of a prompt, each once.
func (l *lexicon) ask(prompt string) question {
	all := words(prompt)
	lang := l.language(all)
	var q question
	for i, w := range all {
		if l.stop(w) {
			continue
		}
		forms := l.stem(w, lang)
		if !slices.ContainsFunc(q.terms, func(t wanted) bool { return t.forms[0] == forms[0] }) {
			q.terms = append(q.terms, wanted{forms: forms, at: i})
		}
	}
	return q
}

// weigh gives each term its weight; in says in how many of n documents it is.
func (q *question) weigh(n uint64, in func(wanted) uint64) {
	least := 0.0
	if len(q.terms) > 0 {
		least = leastWeight * idf(n, 0)
	}
	q.total = 0
	for i := range q.terms {
		q.terms[i].weight = idf(n, in(q.terms[i]))
		q.total += q.terms[i].weight
	}
	q.total = max(q.total, least)
}

func idf(n, in uint64) float64 {
	return math.Log(1 + (float64(n-in)+0.5)/(float64(in)+0.5))
}

// relevance is the measure for a document, of which the places of each term
// are given, counted in words, none for a term it lacks.
func (q *question) relevance(places [][]int) float64 {
	if q.total == 0 {
		return 0
	}
	share, pairs, together := 0.0, 0, 0
	for i, t := range q.terms {
		if len(places[i]) > 0 {
			share += t.weight
		}
		if i > 0 && t.at-q.terms[i-1].at <= near {
			pairs++
			if neighbours(places[i-1], places[i]) {
				together++
			}
		}
	}
	bonus := 0.0
	if pairs > 0 {
		bonus = phraseBonus * float64(together) / float64(pairs)
	}
	return min(1, share/q.total+bonus)
}

// neighbours tells whether some place of b follows closely on one of a. Both
// are sorted.
func neighbours(a, b []int) bool {
	for _, x := range a {
		i, _ := slices.BinarySearch(b, x+1)
		if i < len(b) && b[i]-x <= near {
			return true
		}
	}
	return false
}
