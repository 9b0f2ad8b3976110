package mca

// This file is the model: it opens with parameters and runs the steps.

import (
	"context"
	"fmt"
	"strings"

	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/procmodels"
	"pathspan/procmodels/sdk"
	"pathspan/scratch"
	"pathspan/visible"
)

// modelVersion changes whenever the same tools would give other figures.
const modelVersion = "2"

// Model prices programs for one processor. It is safe for concurrent use.
type Model struct {
	o      options
	tools  []*tools        // newest first; the one asked for alone
	stands map[int]standIn // by LLVM version, for cpu=host; nil otherwise
}

// Open makes a model with the parameters of a reference, see the package's README.md. An
// error is one line: a processor or parameter that is not known, tools that are missing.
func Open(p *sdk.Parameters) (*Model, error) {
	o, err := readOptions(p)
	if err != nil {
		return nil, err
	}
	return openWith(o, installed())
}

// openWith makes a model with one of the tools, newest first.
func openWith(o options, all []*tools) (*Model, error) {
	m := &Model{o: o, tools: all}
	if len(m.tools) == 0 {
		return nil, fmt.Errorf("no llc and llvm-mca of LLVM %d to %d found beside a clang; install clang-19 and llvm-19 (%s)",
			toolchain.Oldest, toolchain.Newest, toolchain.InstallCommand("clang-19", "llvm-19"))
	}
	if o.llvm != 0 {
		t, err := pick(all, o.llvm)
		if err != nil {
			return nil, err
		}
		m.tools = []*tools{t}
	}
	dir, err := scratch.Folder("pathspan-llvmmca-")
	if err != nil {
		return nil, err
	}
	defer scratch.Remove(dir)
	ctx := context.Background()
	if o.cpu.name == "host" {
		if m.o.cpu.triple == "" {
			if _, m.o.cpu.triple, err = m.tools[0].host(ctx); err != nil {
				return nil, err
			}
		}
		if m.stands, err = standIns(ctx, all, m.o.cpu, dir); err != nil {
			return nil, err
		}
	}
	if m.o.cpu, err = m.cpuFor(m.tools[0]); err != nil {
		return nil, err
	}
	if _, err := dialectOf(m.o.cpu.triple); err != nil {
		return nil, err
	}
	if err := m.tools[0].check(ctx, m.o.cpu, dir); err != nil {
		return nil, err
	}
	return m, nil
}

// cpuFor is what tools compile and time for.
func (m *Model) cpuFor(t *tools) (cpu, error) {
	c := m.o.cpu
	if m.stands != nil {
		c.name = m.stands[t.version].name
	}
	return c, m.stands[t.version].err
}

// Describe says what the model is. The versions of the tools are part of its own, since
// their schedules decide the figures.
func (m *Model) Describe() procmodels.Description {
	var versions []string
	for _, t := range m.tools {
		if c, err := m.cpuFor(t); err == nil && c.name != m.o.cpu.name {
			versions = append(versions, t.full+" for "+c.name)
			continue
		}
		versions = append(versions, t.full)
	}
	d := procmodels.Description{
		Name: "llvm-mca " + m.o.cpu.name, Kind: "llvm-mca", NeedsModule: true,
		Version:  fmt.Sprintf("%s, %s, LLVM %s", modelVersion, m.o.cpu.name, strings.Join(versions, ", ")),
		Source:   "llc's code for " + m.o.cpu.triple + " timed by llvm-mca with LLVM's schedule of the processor",
		ClockMHz: m.o.cpu.clockMHz,
		Unit: "a clock cycle of the processor; a block's typical cycles are its steady state run back to back, behind another block half of what " +
			"the two take more or less in turns, its worst " +
			"one run on an empty pipeline, its best the bound of width and units; caches always hit but for miss_rate",
		Notes: "no caches, branch prediction or contention; overlap of neighbouring blocks alone; functions without a body cost " +
			"call_cost; machine code between blocks is charged on entering the later",
		Accuracy: []string{
			"no error was measured: LLVM's schedules are made for ordering instructions, and differ in how exact they are",
			"branches among the machine blocks of one block are taken to go either way equally often",
		},
	}
	for _, t := range m.tools {
		if note := m.stands[t.version].note; note != "" {
			d.Notes += "; cpu=host: " + note
		}
	}
	if m.narrow() {
		d.Notes += "; of a module compiled for 64 bits sizes and offsets it holds as constants, and 64-bit " +
			"integers that the processor would have as 32-bit ones, stay what they are"
	}
	return d
}

// narrow tells whether the processor has 32-bit pointers.
func (m *Model) narrow() bool {
	arch, _, _ := strings.Cut(m.o.cpu.triple, "-")
	return !strings.Contains(arch, "64")
}

// Costs compiles and times the program of the subject.
func (m *Model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	if len(s.Module) == 0 {
		return nil, fmt.Errorf("the llvm-mca model compiles the program and needs its module, which is not there; profile the program again")
	}
	d, err := dialectOf(m.o.cpu.triple)
	if err != nil {
		return nil, err
	}
	arch, _, _ := strings.Cut(m.o.cpu.triple, "-")
	mod, err := retarget(s.Module, arch == s.Program.Machine())
	if err != nil {
		return nil, err
	}
	names, err := match(s.Program, mod)
	if err != nil {
		return nil, err
	}
	dir, err := scratch.Folder("pathspan-llvmmca-")
	if err != nil {
		return nil, err
	}
	defer scratch.Remove(dir)
	t := m.tools[0]
	if m.o.llvm == 0 {
		t = choose(m.tools, mod.version, mod.typed)
	}
	c, err := m.cpuFor(t)
	if err != nil {
		return nil, err
	}
	if err := t.check(ctx, c, dir); err != nil {
		return nil, err
	}
	comp := &compiler{tools: t, cpu: c, asm: d, mod: mod, dir: dir}
	code, err := comp.compile(ctx)
	if err != nil {
		return nil, err
	}
	var funcs []*machineFunc
	placed := make([]*placement, len(s.Program.Funcs))
	var joints []joint
	for i, f := range s.Program.Funcs {
		if mf := code.funcs[f.Name]; mf != nil {
			funcs = append(funcs, mf)
			placed[i] = newPlacement(f, mf, names[i])
			joints = append(joints, placed[i].all()...)
		}
	}
	tm := &timer{tools: t, cpu: c, dir: dir, iterations: m.o.iterations}
	figures, timed, err := tm.timeCode(ctx, funcs, m.o)
	if err != nil {
		return nil, err
	}
	pr := newPricer(m.Describe().Name, s.Program, m.o, figures)
	if pr.joints, err = tm.timeJoints(ctx, joints, timed, figures); err != nil {
		return nil, err
	}
	if mod.version != 0 && mod.version != t.version {
		pr.tally.Costs.Warnings = append(pr.tally.Costs.Warnings, fmt.Sprintf("the module is LLVM %d's, the code and the schedule are LLVM %s's", mod.version, t.full))
	}
	if of, err := dialectOf(s.Program.Triple); err == nil && of.name != d.name {
		pr.tally.Costs.Warnings = append(pr.tally.Costs.Warnings, fmt.Sprintf("the program was compiled for %s, and its LLVM code is taken for that of %s", of.name, d.name))
	}
	if note := m.stands[t.version].note; note != "" {
		pr.tally.Costs.Warnings = append(pr.tally.Costs.Warnings, "cpu=host: "+note)
	}
	for i, f := range s.Program.Funcs {
		mf := code.funcs[f.Name]
		if mf == nil {
			why, ok := code.refused[f.Name]
			if !ok {
				why = "llc gave none"
			}
			pr.refused(f, why)
			continue
		}
		pr.function(f, placed[i], names[i], mod)
	}
	pr.finish()
	return pr.tally.Costs, nil
}

// match returns the names of the blocks in the module, by function and block of the
// program. They are the program's own but for blocks without a name.
func match(p *ir.Program, mod *module) ([][]string, error) {
	names := make([][]string, len(p.Funcs))
	shown := map[string]*asm.Func{} // by name as bundles tell it
	for _, mf := range mod.m.Funcs() {
		shown[visible.Line(mf.Name())] = mf
	}
	for i, f := range p.Funcs {
		mf := shown[visible.Line(f.Name)]
		if mf == nil || len(mf.Blocks) != len(f.Blocks) {
			return nil, fmt.Errorf("the bundle's module does not fit its program: function %s; profile the program again", f.Name)
		}
		for _, b := range mf.Blocks {
			names[i] = append(names[i], b.Name())
		}
	}
	return names, nil
}
