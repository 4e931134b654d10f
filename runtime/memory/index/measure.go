package index

import (
	"math"
	"slices"
)

// The measure. A prompt's content terms weigh what they tell: the inverse
// document frequency of BM25, ln(1 + (N-n+½)/(n+½)) for a term in n of N
// documents (Robertson and Zaragoza, The Probabilistic Relevance Framework,
// 2009, in the form that stays positive), so that a term that no document has
// weighs most. Relevance is made of the share of that weight which a document
// has, of the share which its heading has, and of how many of the prompt's
// neighbours are neighbours in it.
const (
	// shareWeight is what a document is worth that has all terms somewhere in
	// its text. It is no certainty: words meet by chance in a long text.
	shareWeight = 0.75
	// headingWeight is what is added when all of them stand in the heading: a
	// section is about its heading.
	headingWeight = 0.5
	// phraseWeight is what is added when they stand together as in the prompt.
	// It decides between documents that have the same terms, and lifts none over
	// the floor that has but half of them.
	phraseWeight = 0.1
	// leastWeight is what a prompt has to weigh, counted in terms that no
	// document has: of two common words nothing follows, though many documents
	// have them both.
	leastWeight = 1.0
	// leastDocs is how many documents are reckoned with at least: a handful says
	// nothing about how rare a word is.
	leastDocs = 100
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

// maxTerms is how many terms of a prompt are looked for: a person asks with
// fewer, and what is pasted behind a question must not make it slow.
const maxTerms = 100

// ask makes the terms of a prompt, each once, as many as are looked for.
func (l *lexicon) ask(prompt string) question {
	all := words(prompt)
	lang := l.language(all)
	var q question
	for i, w := range all {
		if l.stop(w) {
			continue
		}
		if len(q.terms) == maxTerms {
			break
		}
		forms := l.stem(w, lang)
		if !slices.ContainsFunc(q.terms, func(t wanted) bool { return t.forms[0] == forms[0] }) {
			q.terms = append(q.terms, wanted{forms: forms, at: i})
		}
	}
	return q
}

// weigh gives each term its weight; in says in how many of n documents term i
// is.
func (q *question) weigh(n uint64, in func(i int) uint64) {
	n = max(n, leastDocs)
	least := 0.0
	if len(q.terms) > 0 {
		least = leastWeight * idf(n, 0)
	}
	q.total = 0
	for i := range q.terms {
		q.terms[i].weight = idf(n, in(i))
		q.total += q.terms[i].weight
	}
	q.total = max(q.total, least)
}

func idf(n, in uint64) float64 {
	return math.Log(1 + (float64(n-in)+0.5)/(float64(in)+0.5))
}

// score is how a document stands to a prompt: relevance first, the rest only
// sets documents apart that are equally relevant.
type score struct {
	relevance float64 // not yet cut to 1
	heading   float64 // the share of the prompt's weight that its heading has
	strength  float64 // how often it has the terms, the more the less it counts
}

// measure is the measure for a document, of which the places of each term are
// given, counted in words, none for a term it lacks, and how many words its
// heading has.
func (q *question) measure(places [][]int, heading int) score {
	var s score
	if q.total == 0 {
		return s
	}
	share := 0.0
	for i, t := range q.terms {
		n := len(places[i])
		if n == 0 {
			continue
		}
		weight := t.weight / q.total
		share += weight
		s.strength += weight * float64(n) / float64(n+1)
		if places[i][0] <= heading {
			s.heading += weight
		}
	}
	s.relevance = shareWeight*share + headingWeight*s.heading + phraseWeight*q.together(places)
	return s
}

// together is the share of the prompt's neighbours that are neighbours in a
// document.
func (q *question) together(places [][]int) float64 {
	pairs, found := 0, 0
	for i := 1; i < len(q.terms); i++ {
		if q.terms[i].at-q.terms[i-1].at > near {
			continue
		}
		pairs++
		if neighbours(places[i-1], places[i]) {
			found++
		}
	}
	return float64(found) / float64(max(pairs, 1))
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
