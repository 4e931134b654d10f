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
	var ds diag.List
	n := parse(path, data, &ds)
	if n == nil {
		return nil, ds
	}
	c, _, err := readSchema(schema)
	if err != nil {
		ds.Addf(diag.BadSchema, n.Pos, "%s", err)
		return n, ds
	}
	c.judge(n, false, &ds)
	ds.Sort()
	return n, ds
}
