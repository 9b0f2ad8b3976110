package ir

// This file turns debug locations into source positions.

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// loc returns the position of DILocation id: where the code was written, also
// when it was inlined.
func (b *builder) loc(id int) Loc {
	if id < 0 {
		return Loc{File: -1}
	}
	at := b.place(id)
	if !at.located {
		at.located, at.loc = true, Loc{File: -1}
		if n := b.m.Meta(id); n != nil && n.Kind == "DILocation" {
			at.loc = Loc{b.scopeFile(n.Ref("scope")), n.Int("line"), n.Int("column")}
		}
	}
	return at.loc
}

// place is what is known of a DILocation.
type place struct {
	loc             Loc
	scope           int
	located, scoped bool // loc and scope are known
}

func (b *builder) place(id int) *place {
	if id < len(b.at) {
		return &b.at[id]
	}
	p := b.beyond[id]
	if p == nil {
		p = &place{}
		b.beyond[id] = p
	}
	return p
}

// into returns the line of the innermost place in a file that DILocation id was inlined
// into, 0 when there is none.
func (b *builder) into(id, file int) int {
	for range 1000 { // as scopes nest
		n := b.m.Meta(id)
		if n == nil || n.Kind != "DILocation" {
			break
		}
		if l := b.loc(id); l.File == file && file >= 0 {
			return l.Line
		}
		id = n.Ref("inlinedAt")
	}
	return 0
}

// inlined names the functions that locations lie in, or were inlined into, and that are not
// defined, but those of the system's headers. It must run when all locations are known.
func (b *builder) inlined() []string {
	defined, seen, calls := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, f := range b.m.Funcs() {
		defined[f.Dbg()] = true
	}
	visit := func(id int, at *place) {
		if !at.located {
			return
		}
		// A location says where it was inlined: the chain ends in the function that holds it.
		for n := b.m.Meta(id); n != nil && n.Kind == "DILocation"; n = b.m.Meta(id) {
			seen[b.subprogram(n.Ref("scope"))] = true
			if id = n.Ref("inlinedAt"); id < 0 || calls[id] {
				break
			}
			calls[id] = true
		}
	}
	for id := range b.at {
		visit(id, &b.at[id])
	}
	for id, at := range b.beyond {
		visit(id, at)
	}
	var names []string
	for sp := range seen {
		// What the compiler made is nobody's function; headers of the system lie below /usr.
		n := b.m.Meta(sp)
		if n == nil || defined[sp] || Made(n.Str("name")) || strings.Contains(n.Field("flags"), "DIFlagArtificial") {
			continue
		}
		if file := b.m.Meta(n.Ref("file")); file == nil || !strings.HasPrefix(path.Join(file.Str("directory"), file.Str("filename")), "/usr/") && !strings.HasPrefix(file.Str("filename"), "/usr/") {
			names = append(names, cmp.Or(n.Str("linkageName"), n.Str("name")))
		}
	}
	slices.Sort(names)
	return names
}

// subprogram returns the function that a scope lies in, -1 when it is in none.
func (b *builder) subprogram(scope int) int {
	for range 1000 {
		n := b.m.Meta(scope)
		if n == nil {
			break
		}
		if n.Kind == "DISubprogram" {
			return scope
		}
		scope = n.Ref("scope")
	}
	return -1
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
