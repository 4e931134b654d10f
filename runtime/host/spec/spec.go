// Package spec holds the signatures of the host calls: one row a call. It is
// pure data; the compiler checks stories against it, the schema and the
// language reference are made from it, and the engine takes types from it.
package spec

import "kitsoki/runtime/artifact"

// Effect is how far a command can reach, in rising order.
type Effect string

// The effects of a command.
const (
	Read        Effect = "read"
	Write       Effect = "write"
	Network     Effect = "network"
	Destructive Effect = "destructive"
)

// Param is one argument of a call.
type Param struct {
	Name     string
	Type     artifact.Type
	Required bool
	Enum     []string // allowed literal values; nil: any
	Doc      string
}

// Result is one field of a call's result. Open is true when paths below it
// are not declared (stdout_json). Item holds the fields of a list's items or
// an object's fields, nil when it has none. Ops names the op values that
// return it, nil for all.
type Result struct {
	Name string
	Type artifact.Type
	Open bool
	Item []Result
	Ops  []string
	Doc  string
}

// Call is the signature of one host call. Effect is the default effect; a
// host.run declares its own in the effect argument. Reads names the op
// values that only read (host.git). OneOf names arguments of which a call has
// exactly one. Drives says that only a drive makes the call;
// DriveOps names the op values of which that is true.
type Call struct {
	Name    string
	Effect  Effect
	Params  []Param
	Results []Result
	Reads   []string
	OneOf   []string

	Drives   bool
	DriveOps []string
	Doc      string
}
