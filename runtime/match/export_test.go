package match

import "kitsoki/runtime/artifact"

// Postings gives the documents that have a term in a field; false when the
// file has no such field.
func Postings(f *artifact.File, field, term string) ([]uint32, bool) {
	d, err := openDictionary(f, field)
	if err != nil {
		panic(err)
	}
	if d == nil {
		return nil, false
	}
	return d.postings(term).ToArray(), true
}
