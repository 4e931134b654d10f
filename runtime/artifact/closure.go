package artifact

import "slices"

// Closure gives the instructions reached from the given places without
// reading a token, ascending: those that read, begin or end a slot, or
// accept.
func Closure(prog []Inst, from ...int) []int {
	var out []int
	seen := map[int]bool{}
	for work := slices.Clone(from); len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at >= len(prog) || seen[at] {
			continue
		}
		seen[at] = true
		switch in := prog[at]; in.Op {
		case OpSplit:
			work = append(work, int(in.A), int(in.B))
		case OpJump:
			work = append(work, int(in.A))
		case OpBegin, OpEnd:
			out = append(out, at)
			work = append(work, at+1)
		default:
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out
}

// Readers gives what Closure does without the marks of slots: the
// instructions that read or accept next.
func Readers(prog []Inst, from ...int) []int {
	return slices.DeleteFunc(Closure(prog, from...), func(at int) bool {
		return prog[at].Op == OpBegin || prog[at].Op == OpEnd
	})
}
