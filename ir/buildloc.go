package ir

// This file turns debug locations into source positions.

import "path"

// loc returns the position of DILocation id: where the code was written, also
// when it was inlined.
func (b *builder) loc(id int) Loc {
	if id < 0 {
		return Loc{File: -1}
	}
	if l, ok := b.locs[id]; ok {
		return l
	}
	n := b.m.Meta(id)
	l := Loc{File: -1}
	if n != nil && n.Kind == "DILocation" {
		l = Loc{b.scopeFile(n.Ref("scope")), n.Int("line"), n.Int("column")}
	}
	b.locs[id] = l
	return l
}

// scopeFile returns the file of a scope: its own, or that of the nearest
// scope around it.
func (b *builder) scopeFile(scope int) int {
	// Scopes nest; the bound only guards against a cycle.
	for range 1000 {
		n := b.m.Meta(scope)
		if n == nil {
			return -1
		}
		if f := n.Ref("file"); f >= 0 {
			return b.file(f)
		}
		scope = n.Ref("scope")
	}
	return -1
}

// file returns the index of DIFile id in Program.Files. The path is the
// filename as the compiler was given it; where two directories hold files of
// the same relative name, the later is known by its whole path.
func (b *builder) file(id int) int {
	if i, ok := b.paths[id]; ok {
		return i
	}
	n := b.m.Meta(id)
	name := n.Str("filename")
	if name == "" {
		return -1
	}
	if dir := n.Str("directory"); !path.IsAbs(name) {
		if first, ok := b.dirs[name]; !ok {
			b.dirs[name] = dir
		} else if first != dir {
			name = path.Join(dir, name)
		}
	}
	i, ok := b.files[name]
	if !ok {
		i = len(b.p.Files)
		b.p.Files = append(b.p.Files, name)
		b.files[name] = i
	}
	b.paths[id] = i
	return i
}
