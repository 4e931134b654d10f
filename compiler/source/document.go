package source

import "kitsoki/compiler/diag"

// Document parses one YAML document that is no story, such as a language
// pack, with the same strictness and positions. The node is nil when there
// is no usable tree; the list then says why.
func Document(path string, data []byte) (*Node, diag.List) {
	var ds diag.List
	n := parse(path, data, &ds)
	return n, ds
}

// DocumentOf is Document, judged by a JSON Schema.
func DocumentOf(path string, data, schema []byte) (*Node, diag.List) {
	n, ds := Document(path, data)
	return n, ds
}
