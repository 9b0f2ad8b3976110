package record

// This file makes objects of the sources of a program apart, behind the probes. A source
// that another program holds as well, and counts alike, is taken as it was made there.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir/asm"
)

// group is the functions of one source in a module of several.
type group struct {
	name  string // of letters of symbols
	first int
}

// sortBySource puts the functions of each source together, in the order of the sources,
// and by their lines in each, so that they stand alike in every program that holds them. It
// returns the groups.
func sortBySource(m *asm.Module) []group {
	units := m.NamedMeta("llvm.dbg.cu")
	type origin struct {
		unit int
		file string
		line int
	}
	from := make(map[*asm.Func]origin)
	for _, f := range m.Funcs() {
		o := origin{unit: -1}
		if sub := m.Meta(f.Dbg()); sub != nil {
			o = origin{slices.Index(units, sub.Ref("unit")), m.Meta(sub.Ref("file")).Str("filename"), sub.Int("line")}
		}
		if o.unit < 0 { // what the compiler adds of its own
			o.unit = len(units)
		}
		from[f] = o
	}
	m.SortFuncs(func(a, b *asm.Func) int {
		x, y := from[a], from[b]
		return cmp.Or(cmp.Compare(x.unit, y.unit), strings.Compare(x.file, y.file), cmp.Compare(x.line, y.line),
			strings.Compare(asm.BaseName(a.Name()), asm.BaseName(b.Name())))
	})
	var out []group
	taken := make(map[string]bool)
	for i, f := range m.Funcs() {
		unit := from[f].unit
		if i > 0 && unit == from[m.Funcs()[i-1]].unit {
			continue
		}
		file := "added"
		if unit < len(units) {
			file = filepath.Base(m.Meta(m.Meta(units[unit]).Ref("file")).Str("filename"))
		}
		name := symbolLetters(file)
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s.%d", symbolLetters(file), n)
		}
		taken[name] = true
		out = append(out, group{name, i})
	}
	return out
}

func symbolLetters(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '_'
	}, name)
}

// parts makes the objects of the program's parts and of what joins them. It reports false
// where the program cannot be divided.
func (r *Recorder) parts(ctx context.Context, b *Built, m *asm.Module, level string) (bool, error) {
	plan := &b.Instr.Planner.Plan
	if b.Options.Link == nil || len(b.groups) < 2 || len(b.groups) > probe.PartIDs/2 || b.Instr.Work != nil || len(b.Program.Regions) > 0 || b.memory != nil || b.Options.Branches || !m.OpaquePointers() {
		return false, nil
	}
	targets := probe.Targets(m)
	probe.Forget(m)
	count := len(m.Funcs())
	of, shown := make([]int, count), make([]bool, count)
	var called []string
	for g := range b.groups {
		called = append(called, b.groups[g].name)
		for i := b.groups[g].first; i < count; i++ {
			of[i] = g
		}
	}
	for _, i := range targets {
		shown[i] = true
	}
	divided, err := m.Divide(of, called, shown)
	if err != nil {
		return false, nil
	}
	plans := make([]*probe.Plan, len(called))
	ids := make(map[uint64]bool)
	personality := ""
	if plan.Catches {
		personality = probe.Personality(m)
	}
	for g := range plans {
		part := &probe.Part{Name: called[g], Personality: personality}
		sum := sha256.Sum256([]byte(part.Name))
		part.ID = binary.LittleEndian.Uint64(sum[:]) % probe.PartIDs
		for ids[part.ID] {
			part.ID = (part.ID + 1) % probe.PartIDs
		}
		ids[part.ID] = true
		if plans[g] = plan.PartOf(b.groups[g].first, b.end(g), part); plans[g] == nil {
			return false, nil
		}
	}
	b.Applied = &probe.Applied{Targets: targets}
	var joined []probe.Joined
	for g, text := range divided.Parts {
		sites, err := r.part(ctx, b, g, text, plans[g], level)
		if err != nil {
			return false, err
		}
		first := b.groups[g].first
		for _, s := range sites {
			s.Func += first
			b.Applied.CallSites = append(b.Applied.CallSites, s)
		}
		joined = append(joined, probe.Joined{Part: plans[g].Part, First: first, Sites: len(sites)})
	}
	root, err := asm.Parse([]byte(divided.Root))
	if err != nil {
		return false, err
	}
	var names []string
	for _, i := range targets {
		names = append(names, divided.Names[i])
	}
	if err := probe.Root(root, plan, joined, names); err != nil {
		return false, err
	}
	if err := r.write("5-root.ll", root.Bytes()); err != nil {
		return false, err
	}
	b.parts = append(b.parts, r.path("6-root.o"))
	return true, r.code(ctx, codeArgs(level), "5-root.ll", "6-root.o")
}

// end is the function behind the last of a group.
func (b *Built) end(g int) int {
	if g+1 < len(b.groups) {
		return b.groups[g+1].first
	}
	return len(b.Program.Funcs)
}

// part makes the object of a part, or takes it, and returns its indirect calls.
func (r *Recorder) part(ctx context.Context, b *Built, g int, text string, plan *probe.Plan, level string) ([]probe.CallSite, error) {
	planned, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	passes := r.Toolchain.PassesAgain()
	key := r.step([]byte(text), toolchain.OptArgs(passes, b.Options.Vectorize, "", ""), codeArgs(level), []string{string(planned)})
	object, said := fmt.Sprintf("6-%d.o", g), fmt.Sprintf("6-%d.sites", g)
	err = r.kept(key, []string{object, said}, func() error {
		m, err := asm.Parse([]byte(text))
		if err != nil {
			return err
		}
		applied, err := probe.Apply(m, plan)
		if err != nil {
			return err
		}
		probes, optimised := fmt.Sprintf("5-%d.ll", g), fmt.Sprintf("5-%d.bc", g)
		if err := r.write(probes, m.Bytes()); err != nil {
			return err
		}
		if err := r.opt(ctx, b, passes, probes, optimised); err != nil {
			return err
		}
		var data bytes.Buffer
		if err := gob.NewEncoder(&data).Encode(applied.CallSites); err != nil {
			return err
		}
		if err := r.write(said, data.Bytes()); err != nil {
			return err
		}
		return r.code(ctx, codeArgs(level), optimised, object)
	})
	if err != nil {
		return nil, err
	}
	data, err := bounded.ReadFile(r.path(said), bounded.Object)
	if err != nil {
		return nil, err
	}
	b.parts = append(b.parts, r.path(object))
	var sites []probe.CallSite
	return sites, gob.NewDecoder(bytes.NewReader(data)).Decode(&sites)
}
