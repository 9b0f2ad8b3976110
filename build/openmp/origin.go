package openmp

// This file finds the source functions that hold parallel regions.

import (
	"path"
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// origin is where a region is from, and its number in the order in which regions begin.
type origin struct {
	ir.Origin
	begins int
}

// origins finds the origins of all parallel regions of a module.
func origins(m *asm.Module, all []*parallel) map[*parallel]*origin {
	outlined := map[*asm.Func]*parallel{}
	in := map[*asm.Func][]*parallel{}
	for _, p := range all {
		outlined[p.fn], outlined[p.body] = p, p
		for _, k := range p.forks {
			in[k.caller] = append(in[k.caller], p)
		}
	}
	of := make(map[*parallel]*origin, len(all))
	var visit func(f, source *asm.Func)
	visit = func(f, source *asm.Func) {
		for _, p := range in[f] {
			if of[p] == nil {
				of[p] = &origin{originOf(m, source, p.forks[0].pos.file), len(of)}
				visit(p.body, source)
			}
		}
	}
	for _, f := range m.Funcs() {
		if outlined[f] == nil {
			visit(f, f)
		}
	}
	// What is left begins in nothing that is called, or in itself.
	for _, p := range all {
		if of[p] == nil {
			of[p] = &origin{originOf(m, p.forks[0].caller, p.forks[0].pos.file), len(of)}
			visit(p.body, p.forks[0].caller)
		}
	}
	return of
}

// lambda is what a demangled name says of a lambda that has a number only. The number
// hangs on what comes before it in the file, and the region's place tells lambdas apart.
var lambda = regexp.MustCompile(`::\$_\d+::operator\(\)`)

// originOf is the origin of a region in a source function, in the file that is named.
func originOf(m *asm.Module, f *asm.Func, file string) ir.Origin {
	o := ir.Origin{Path: file, Symbol: strings.TrimPrefix(f.Name(), "\x01")}
	if name, err := demangle.ToString(o.Symbol, demangle.NoParams, demangle.NoClones); err == nil {
		o.Instance = lambda.ReplaceAllString(name, "")
	}
	sp := m.Meta(f.Dbg())
	if sp == nil {
		return o
	}
	own := m.Meta(sp.Ref("file"))
	main := m.Meta(m.Meta(sp.Ref("unit")).Ref("file"))
	if main != nil {
		o.Unit = wholePath(main, main.Str("filename"))
	}
	switch {
	case own != nil && (own.Str("filename") == file || main == nil):
		o.Path = wholePath(own, file)
	case main != nil:
		o.Path = wholePath(main, file)
	}
	return o
}

// wholePath is the path of a file that is named relative to the directory of another.
func wholePath(of *asm.Meta, name string) string {
	if dir := of.Str("directory"); name != "" && dir != "" && !path.IsAbs(name) {
		return path.Join(dir, name)
	}
	return name
}
