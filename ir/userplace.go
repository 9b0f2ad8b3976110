package ir

// This file names positions by the lines that the user wrote: code of libraries' headers by
// the line that it was inlined into, code without a line by what leads to it. Names that the
// compiler gives its blocks are nobody's.

import (
	"path"
	"slices"
	"strings"
)

// systemFolders are parts of paths of files that come with compilers and systems.
var systemFolders = []string{"/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/local/include/", "/include/c++/", "/lib/clang/", "/lib/gcc/"}

// Foreign reports that a file belongs to a compiler or system.
func Foreign(file string) bool {
	file = path.Clean(file)
	return path.IsAbs(file) && slices.ContainsFunc(systemFolders, func(folder string) bool { return strings.Contains(file, folder) })
}

// UserLoc returns the place in the user's sources of an instruction of a function: its own,
// or the line that it was inlined into. Where neither is known it returns the place in the
// foreign header, or a File of -1.
func (p *Program) UserLoc(f *Func, in *Instr) Loc {
	l := in.Loc
	if l.Line <= 0 || l.File < 0 || l.File >= len(p.Files) {
		return Loc{File: -1}
	}
	if in.Into > 0 && Foreign(p.Files[l.File]) {
		return Loc{File: f.Loc.File, Line: in.Into}
	}
	return l
}

// UserBlockLoc returns the place of a block in the user's sources: that of its first
// instruction that has one, else that of the nearest code that leads to it, or follows it,
// else the function's own. Only where there is none of these is it one in a foreign header.
func (p *Program) UserBlockLoc(f *Func, block int) Loc {
	foreign := Loc{File: -1}
	within := func(block int, last bool) (Loc, bool) {
		instrs := f.Blocks[block].Instrs
		for k := range instrs {
			in := &instrs[k]
			if last {
				in = &instrs[len(instrs)-1-k]
			}
			switch l := p.UserLoc(f, in); {
			case l.File < 0:
			case !Foreign(p.Files[l.File]):
				return l, true
			case foreign.File < 0:
				foreign = l
			}
		}
		return Loc{}, false
	}
	if l, ok := within(block, false); ok {
		return l
	}
	if foreign.File >= 0 && f.Loc.File >= 0 && Foreign(p.Files[f.Loc.File]) {
		return foreign // of a function that is the header's itself
	}
	before := make([][]int, len(f.Blocks))
	after := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		after[i] = b.Succs
		for _, s := range b.Succs {
			before[s] = append(before[s], i)
		}
	}
	for _, way := range []struct {
		next [][]int
		last bool
	}{{before, true}, {after, false}} {
		seen, queue := map[int]bool{block: true}, []int{block}
		for len(queue) > 0 {
			at := queue[0]
			queue = queue[1:]
			for _, n := range way.next[at] {
				if seen[n] {
					continue
				}
				if l, ok := within(n, way.last); ok {
					return l
				}
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	if f.Loc.File >= 0 && f.Loc.Line > 0 {
		return f.Loc
	}
	return foreign
}

// UserString renders a place as file:line, one in a foreign header as the header alone: its
// lines are not the user's. It is "" where nothing is known.
func (p *Program) UserString(l Loc) string {
	switch s := p.LocString(l); {
	case s == "?":
		return ""
	case Foreign(p.Files[l.File]):
		return "code of " + HeaderName(p.Files[l.File])
	default:
		return s
	}
}

// HeaderName is what an #include of a foreign file says: "<vector>"; of others it is the
// file's name.
func HeaderName(file string) string {
	if !Foreign(file) {
		return path.Base(file)
	}
	file = path.Clean(file)
	for _, folder := range []string{"/include/c++/", "/include/"} {
		if i := strings.LastIndex(file, folder); i >= 0 {
			rest := file[i+len(folder):]
			if folder == "/include/c++/" { // behind the version
				_, after, found := strings.Cut(rest, "/")
				if found {
					rest = after
				}
			}
			return "<" + rest + ">"
		}
	}
	return "<" + path.Base(file) + ">"
}

// OwnLine returns the line of the function's own file that an instruction stands for: that
// of its code or, where it was inlined from another file, of the call; 0 where neither is
// known.
func (f *Func) OwnLine(in *Instr) int {
	if in.Loc.File >= 0 && in.Loc.File == f.Loc.File {
		return in.Loc.Line
	}
	return in.Into
}
