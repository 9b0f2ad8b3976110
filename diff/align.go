package diff

// This file aligns the source lines of two versions of a function: lines are equal when
// they compute the same, and what lies between equal lines is paired in order.

import (
	"path/filepath"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/profile"
)

// alignLimit bounds the product of the numbers of lines that are aligned; beyond it
// lines are paired by their distance from the function's first.
const alignLimit = 16 << 20

// lineMap turns lines of b into those of a; a line without counterpart is missing.
type lineMap map[int]int

// alignLines aligns the lines of the file that holds a function. Where same is true, the
// file is the same in both.
func alignLines(pa, pb *ir.Program, fa, fb *ir.Func, same bool) lineMap {
	la, sa := linesOf(pa, fa)
	lb, sb := linesOf(pb, fb)
	m := make(lineMap, len(lb))
	if same {
		for _, l := range lb {
			m[l] = l
		}
		return m
	}
	if len(la)*len(lb) > alignLimit {
		for _, l := range lb {
			if at := l - fb.Loc.Line + fa.Loc.Line; slices.Contains(la, at) {
				m[l] = at
			}
		}
		return m
	}
	// Equal lines at both ends need no table.
	lo := 0
	for lo < len(la) && lo < len(lb) && sa[la[lo]] == sb[lb[lo]] {
		m[lb[lo]] = la[lo]
		lo++
	}
	na, nb := len(la), len(lb)
	for na > lo && nb > lo && sa[la[na-1]] == sb[lb[nb-1]] {
		na, nb = na-1, nb-1
		m[lb[nb]] = la[na]
	}
	la, lb = la[lo:na], lb[lo:nb]
	common := commonLines(la, lb, sa, sb)
	i, j := 0, 0
	for _, c := range append(common, [2]int{len(la), len(lb)}) {
		pairGap(m, la[i:c[0]], lb[j:c[1]])
		if c[0] < len(la) {
			m[lb[c[1]]] = la[c[0]]
		}
		i, j = c[0]+1, c[1]+1
	}
	return m
}

// pairGap pairs lines between equal ones: one to one where there are as many, else those
// at the same distance from the gap's first.
func pairGap(m lineMap, la, lb []int) {
	if len(la) == len(lb) {
		for i := range lb {
			m[lb[i]] = la[i]
		}
		return
	}
	if len(la) == 0 || len(lb) == 0 {
		return
	}
	for _, l := range lb {
		if at := l - lb[0] + la[0]; slices.Contains(la, at) {
			m[l] = at
		}
	}
}

// commonLines returns a longest common subsequence, as pairs of indices.
func commonLines(la, lb []int, sa, sb map[int]string) [][2]int {
	width := len(lb) + 1
	length := make([]int32, (len(la)+1)*width)
	for i := len(la) - 1; i >= 0; i-- {
		for j := len(lb) - 1; j >= 0; j-- {
			at := i*width + j
			if sa[la[i]] == sb[lb[j]] {
				length[at] = length[at+width+1] + 1
			} else {
				length[at] = max(length[at+width], length[at+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(la) && j < len(lb); {
		switch at := i*width + j; {
		case sa[la[i]] == sb[lb[j]]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case length[at+width] >= length[at+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// linesOf returns the lines of a function's own file that it has code on, ascending, and
// what each computes: its instructions, in the order of the blocks.
func linesOf(p *ir.Program, f *ir.Func) (lines []int, what map[int]string) {
	text := map[int]*strings.Builder{}
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Loc.Line == 0 || in.Loc.File != f.Loc.File {
				continue
			}
			w := text[in.Loc.Line]
			if w == nil {
				w = &strings.Builder{}
				text[in.Loc.Line] = w
				lines = append(lines, in.Loc.Line)
			}
			w.WriteString(in.Op + " " + in.Type)
			if c := in.Call; c != nil {
				w.WriteString(" " + c.Name)
				if c.Callee >= 0 {
					w.WriteString(" " + p.Funcs[c.Callee].Name)
				}
			}
			w.WriteByte('\n')
		}
	}
	slices.Sort(lines)
	what = make(map[int]string, len(lines))
	for l, w := range text {
		what[l] = w.String()
	}
	return lines, what
}

// sameSource reports whether a file has the same content in both bundles, as far as they
// know: only what the compiler was given is in their provenance.
func sameSource(a, b *profile.Bundle, fa, fb *ir.Func) bool {
	sum := func(x *profile.Bundle, f *ir.Func) (out [32]byte, ok bool) {
		if f.Loc.File < 0 || f.Loc.File >= len(x.Program.Files) {
			return out, false
		}
		name := filepath.Base(x.Program.Files[f.Loc.File])
		n := 0
		for _, s := range x.Provenance.Sources {
			if filepath.Base(s.Name) == name {
				out, n = s.SHA256, n+1
			}
		}
		return out, n == 1
	}
	x, ok := sum(a, fa)
	y, also := sum(b, fb)
	return ok && also && x == y
}
