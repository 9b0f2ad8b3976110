package profile

// This file converts bundles to and from their protobuf messages.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile/bundlepb"
	"pathspan/visible"
)

// interner numbers the strings of a program in order of first use.
type interner struct {
	index map[string]uint32
	list  [][]byte
}

func newInterner() *interner {
	return &interner{index: map[string]uint32{"": 0}, list: [][]byte{nil}}
}

func (t *interner) id(s string) uint32 {
	i, ok := t.index[s]
	if !ok {
		i = uint32(len(t.list))
		t.index[s] = i
		t.list = append(t.list, []byte(s))
	}
	return i
}

// each converts a list. That of an empty one is nil.
func each[A, B any](list []A, to func(A) B) []B {
	var out []B
	for _, x := range list {
		out = append(out, to(x))
	}
	return out
}

// texts is the form of a list of texts in messages; exact reads it as it was written, such
// as arguments.
func texts(list []string) [][]byte { return each(list, func(s string) []byte { return []byte(s) }) }
func exact(list [][]byte) []string { return each(list, func(b []byte) string { return string(b) }) }

func toUint32(list []int) []uint32 { return each(list, func(v int) uint32 { return uint32(v) }) }
func toInt(list []uint32) []int    { return each(list, func(v uint32) int { return int(v) }) }

// name reads a name, which may come from anywhere, in a form that can be shown wherever
// names are; see package visible.
func name(b []byte) string { return visible.Line(string(b)) }

func names(list [][]byte) []string { return visible.Lines(exact(list)) }

func sourcesToProto(list []Source) (out []*bundlepb.Source) {
	for i := range list {
		out = append(out, &bundlepb.Source{Name: []byte(list[i].Path()), Sha256: list[i].SHA256[:]})
	}
	return out
}

func sourcesFromProto(list []*bundlepb.Source) (out []Source) {
	for _, s := range list {
		src := Source{Name: name(s.GetName())}
		if src.Name != string(s.GetName()) {
			src.Bytes = string(s.GetName())
		}
		copy(src.SHA256[:], s.GetSha256())
		out = append(out, src)
	}
	return out
}

func toProto(b *Bundle) *bundlepb.Bundle {
	m := &bundlepb.Bundle{
		Format: bundleFormat, Program: programToProto(b.Program), Module: b.Module, Notes: texts(b.Notes),
		Provenance: &bundlepb.Provenance{
			Tool: []byte(b.Provenance.Tool), Clang: []byte(b.Provenance.Clang), OptLevel: []byte(b.Provenance.OptLevel),
			Flags: texts(b.Provenance.Flags), ModuleHash: b.Provenance.ModuleHash[:],
		},
	}
	m.Provenance.Sources = sourcesToProto(b.Provenance.Sources)
	if p := b.Provenance.Plan; p != nil {
		m.Provenance.Plan = &bundlepb.Plan{Name: []byte(p.Name), Text: []byte(p.Text), Marked: sourcesToProto(p.Marked)}
	}
	for _, f := range b.Provenance.Foreign {
		m.Provenance.Foreign = append(m.Provenance.Foreign, &bundlepb.Foreign{Name: []byte(f.Name), Bytes: f.Bytes, Of: f.Of, Why: []byte(f.Why), Functions: texts(f.Functions)})
	}
	for _, r := range b.Provenance.Runs {
		m.Provenance.Runs = append(m.Provenance.Runs, &bundlepb.Run{
			Arguments: texts(r.Arguments), ExitStatus: int32(r.ExitStatus), Signal: int32(r.Signal), Counted: r.Counted, Inside: markToProto(r.Inside)})
	}
	for _, f := range b.Funcs {
		if f == nil {
			continue
		}
		pf := &bundlepb.FuncProfile{Func: uint32(f.Func)}
		for i := range f.Levels {
			pf.Levels = append(pf.Levels, levelToProto(&f.Levels[i]))
		}
		m.Funcs = append(m.Funcs, pf)
	}
	for _, w := range b.Branches {
		m.Branches = append(m.Branches, &bundlepb.Foretold{Func: uint32(w.Func), Block: uint32(w.Block), Way: uint32(w.Succ), Wrong: w.Wrong, Times: w.Times, Select: uint32(w.Select)})
	}
	for _, t := range b.Targets {
		m.CallTargets = append(m.CallTargets, &bundlepb.CallTarget{Func: uint32(t.Func), Block: uint32(t.Block),
			Instr: uint32(t.Instr), Target: uint32(t.Target + 1), Count: t.Count})
	}
	for _, l := range b.Lost {
		m.Lost = append(m.Lost, &bundlepb.Lost{Func: uint32(l.Func), Activations: l.Activations})
	}
	m.Executions = executionsToProto(b.Executions)
	m.Memory = memoryToProto(b.Memory)
	m.Flow = flowToProto(b.Flow)
	return m
}

func levelToProto(l *LevelProfile) *bundlepb.Level {
	m := &bundlepb.Level{Loop: int32(l.Loop), MaxTrips: l.MaxTrips, MaxKnown: l.MaxKnown, StaticPaths: l.StaticPaths,
		Hashed: l.Hashed, Collapsed: l.Collapsed, Degraded: l.Degraded, Cuts: toUint32(l.Cuts)}
	for i := range l.Paths {
		p := &l.Paths[i]
		pp := &bundlepb.Path{End: uint32(p.End), Id: p.ID, Count: p.Count, Edge: uint32(p.Edge + 1)}
		for _, s := range p.Steps {
			pp.Steps = append(pp.Steps, int32(s))
		}
		m.Paths = append(m.Paths, pp)
	}
	return m
}

func programToProto(p *ir.Program) *bundlepb.Program {
	t := newInterner()
	m := &bundlepb.Program{Triple: []byte(p.Triple), DataLayout: []byte(p.DataLayout), Files: texts(p.Files), Inlined: texts(p.Inlined), Scopes: scopesToProto(p)}
	for i := range p.Locks {
		m.Locks = append(m.Locks, []byte(p.Locks[i].Name))
	}
	for _, r := range p.Regions {
		pr := &bundlepb.Region{Name: []byte(r.Name), File: []byte(r.File), Function: []byte(r.Function), Line: int32(r.Line), Col: int32(r.Col), NumThreads: int32(r.NumThreads)}
		for _, c := range r.Constructs {
			pc := &bundlepb.Construct{Line: int32(c.Line), NoWait: c.NoWait, Single: c.Single, Reduces: c.Reduces}
			if l := c.Loop; l != nil {
				pc.Loop = &bundlepb.Loop{Schedule: uint32(l.Schedule), Chunk: l.Chunk, Ordered: l.Ordered, Monotonic: l.Monotonic}
			}
			for _, s := range c.Sections {
				pc.Sections = append(pc.Sections, &bundlepb.Section{Name: []byte(s.Name), Line: int32(s.Line)})
			}
			pr.Constructs = append(pr.Constructs, pc)
		}
		m.Regions = append(m.Regions, pr)
	}
	for _, t := range p.Tasks {
		m.Tasks = append(m.Tasks, &bundlepb.Task{Name: []byte(t.Name), File: []byte(t.File), Function: []byte(t.Function), Line: int32(t.Line), Col: int32(t.Col), Untied: t.Untied, Priority: t.Priority})
	}
	for _, x := range p.Pipelines {
		m.Pipelines = append(m.Pipelines, pipelineToProto(&x))
	}
	for _, f := range p.Funcs {
		pf := &bundlepb.Func{Name: []byte(f.Name), Source: []byte(f.Source), Exported: f.Exported, NoUnwind: f.NoUnwind,
			Loc: locToProto(f.Loc)}
		for _, b := range f.Blocks {
			pf.Blocks = append(pf.Blocks, blockToProto(b, t))
		}
		inlinedToProto(pf, f)
		m.Funcs = append(m.Funcs, pf)
	}
	m.Strings = t.list
	return m
}

func markToProto(m *ir.Mark) *bundlepb.Mark {
	if m == nil {
		return nil
	}
	return &bundlepb.Mark{Kind: uint32(m.Kind), Region: uint32(m.Region), Construct: uint32(m.Construct), Section: uint32(m.Section)}
}

func blockToProto(b *ir.Block, t *interner) *bundlepb.Block {
	m := &bundlepb.Block{Name: []byte(b.Name), Succs: toUint32(b.Succs)}
	if m.Mark = markToProto(b.Mark); b.TaskMark != nil {
		m.Mark = markToProto(b.TaskMark)
	}
	if l := b.Locking; l != nil {
		if m.Locking = 1; l.Takes {
			m.Locking = uint32(2 + l.Lock)
		}
	}
	m.Atomics = toUint32(b.Atomics)
	for i := range b.Instrs {
		in := &b.Instrs[i]
		m.Ops = append(m.Ops, t.id(in.Op))
		m.Types = append(m.Types, t.id(in.Type))
		m.Files = append(m.Files, uint32(in.Loc.File+1))
		m.Lines = append(m.Lines, uint32(in.Loc.Line))
		m.Cols = append(m.Cols, uint32(in.Loc.Col))
		if c := in.Call; c != nil {
			mc := &bundlepb.Call{Instr: uint32(i), Callee: uint32(c.Callee + 1), Name: t.id(c.Name), Indirect: c.Indirect,
				ReturnsTwice: c.ReturnsTwice, NoReturn: c.NoReturn, NoUnwind: c.NoUnwind, FuncArgs: toUint32(c.FuncArgs)}
			for _, a := range c.ConstArgs {
				mc.ConstArgs = append(mc.ConstArgs, uint32(a.Index))
				mc.ConstValues = append(mc.ConstValues, a.Value)
			}
			m.Calls = append(m.Calls, mc)
		}
	}
	return m
}

func fromProto(m *bundlepb.Bundle) (*Bundle, error) {
	if m.Program == nil || m.Provenance == nil {
		return nil, errors.New("it holds no program")
	}
	p, err := programFromProto(m.Program)
	if err != nil {
		return nil, err
	}
	b := &Bundle{Program: p, Module: m.Module, Notes: names(m.Notes), Funcs: make([]*FuncProfile, len(p.Funcs)),
		Provenance: Provenance{Tool: name(m.Provenance.Tool), Clang: name(m.Provenance.Clang), OptLevel: name(m.Provenance.OptLevel), Flags: names(m.Provenance.Flags)}}
	copy(b.Provenance.ModuleHash[:], m.Provenance.ModuleHash)
	b.Provenance.Sources = sourcesFromProto(m.Provenance.Sources)
	if p := m.Provenance.Plan; p != nil {
		b.Provenance.Plan = &Plan{Name: name(p.Name), Text: string(p.Text), Marked: sourcesFromProto(p.Marked)}
	}
	for _, f := range m.Provenance.Foreign {
		b.Provenance.Foreign = append(b.Provenance.Foreign, Foreign{Name: name(f.GetName()), Bytes: f.GetBytes(), Of: f.GetOf(), Why: name(f.GetWhy()), Functions: names(f.GetFunctions())})
	}
	for _, r := range m.Provenance.Runs {
		b.Provenance.Runs = append(b.Provenance.Runs, Run{Arguments: exact(r.GetArguments()), ExitStatus: int(r.GetExitStatus()), Signal: int(r.GetSignal()), Counted: r.GetCounted(), Inside: markFromProto(r.GetInside())})
	}
	for _, pf := range m.Funcs {
		i := int(pf.GetFunc())
		if i >= len(b.Funcs) || b.Funcs[i] != nil {
			return nil, fmt.Errorf("function %d is out of range or given twice", i)
		}
		f := &FuncProfile{Func: i}
		for _, l := range pf.GetLevels() {
			f.Levels = append(f.Levels, levelFromProto(l))
		}
		b.Funcs[i] = f
	}
	for _, w := range m.Branches {
		b.Branches = append(b.Branches, flow.Foretold{Way: flow.Way{Func: int(w.GetFunc()), Block: int(w.GetBlock()), Succ: int(w.GetWay()), Select: int(w.GetSelect())}, Wrong: w.GetWrong(), Times: w.GetTimes()})
	}
	for _, t := range m.CallTargets {
		b.Targets = append(b.Targets, CallTarget{Func: int(t.GetFunc()), Block: int(t.GetBlock()), Instr: int(t.GetInstr()), Target: int(t.GetTarget()) - 1, Count: t.GetCount()})
	}
	for _, l := range m.Lost {
		b.Lost = append(b.Lost, Lost{int(l.GetFunc()), l.GetActivations()})
	}
	if b.Flow, err = flowFromProto(m.Flow); err != nil {
		return nil, err
	}
	if b.Memory, err = memoryFromProto(m.Memory); err != nil {
		return nil, err
	}
	if b.Executions, err = executionsFromProto(m.Executions, p); err != nil {
		return nil, err
	}
	return b, nil
}

func levelFromProto(m *bundlepb.Level) LevelProfile {
	l := LevelProfile{Loop: int(m.GetLoop()), MaxTrips: m.GetMaxTrips(), MaxKnown: m.GetMaxKnown(), StaticPaths: m.GetStaticPaths(),
		Hashed: m.GetHashed(), Collapsed: m.GetCollapsed(), Degraded: m.GetDegraded(), Cuts: toInt(m.GetCuts())}
	l.Paths = slices.Grow(l.Paths, len(m.GetPaths()))
	for _, pp := range m.GetPaths() {
		p := Path{End: pathprof.SinkKind(min(pp.GetEnd(), 255)), ID: pp.GetId(), Count: pp.GetCount(), Edge: int(pp.GetEdge()) - 1, Steps: make([]pathprof.Step, len(pp.GetSteps()))}
		for i, s := range pp.GetSteps() {
			p.Steps[i] = pathprof.Step(s)
		}
		l.Paths = append(l.Paths, p)
	}
	return l
}

func programFromProto(m *bundlepb.Program) (*ir.Program, error) {
	p := &ir.Program{Triple: name(m.GetTriple()), DataLayout: name(m.GetDataLayout()), Files: names(m.GetFiles()), Inlined: names(m.GetInlined())}
	for _, l := range m.GetLocks() {
		p.Locks = append(p.Locks, ir.Lock{Name: name(l)})
	}
	for _, r := range m.GetRegions() {
		region := ir.Region{Name: name(r.GetName()), File: name(r.GetFile()), Function: name(r.GetFunction()), Line: int(r.GetLine()), Col: int(r.GetCol()), NumThreads: int(r.GetNumThreads())}
		for _, c := range r.GetConstructs() {
			construct := ir.Construct{Line: int(c.GetLine()), NoWait: c.GetNoWait(), Single: c.GetSingle(), Reduces: c.GetReduces()}
			if construct.Single && (c.GetLoop() != nil || len(c.GetSections()) != 1) {
				return nil, fmt.Errorf("what one thread does alone has %d sections", len(c.GetSections()))
			}
			if l := c.GetLoop(); l != nil {
				if l.GetSchedule() > uint32(ir.Runtime) || l.GetChunk() < -1 || len(c.GetSections()) != 1 {
					return nil, fmt.Errorf("a loop of schedule %d with a chunk of %d and %d sections", l.GetSchedule(), l.GetChunk(), len(c.GetSections()))
				}
				construct.Loop = &ir.Loop{Schedule: ir.Schedule(l.GetSchedule()), Chunk: l.GetChunk(), Ordered: l.GetOrdered(), Monotonic: l.GetMonotonic()}
			}
			for _, s := range c.GetSections() {
				construct.Sections = append(construct.Sections, ir.Section{Name: name(s.GetName()), Line: int(s.GetLine())})
			}
			region.Constructs = append(region.Constructs, construct)
		}
		p.Regions = append(p.Regions, region)
	}
	for _, t := range m.GetTasks() {
		p.Tasks = append(p.Tasks, ir.Task{Name: name(t.GetName()), File: name(t.GetFile()), Function: name(t.GetFunction()), Line: int(t.GetLine()), Col: int(t.GetCol()), Untied: t.GetUntied(), Priority: t.GetPriority()})
	}
	for _, x := range m.GetPipelines() {
		p.Pipelines = append(p.Pipelines, pipelineFromProto(x))
	}
	var err error
	if p.Scopes, err = scopesFromProto(m); err != nil {
		return nil, err
	}
	strings := names(m.GetStrings())
	for i, pf := range m.GetFuncs() {
		f := &ir.Func{Index: i, Name: name(pf.GetName()), Source: name(pf.GetSource()), Exported: pf.GetExported(), NoUnwind: pf.GetNoUnwind(),
			Loc: ir.Loc{File: int(pf.GetLoc().GetFile()) - 1, Line: int(pf.GetLoc().GetLine()), Col: int(pf.GetLoc().GetCol())}}
		if len(pf.GetBlocks()) == 0 {
			return nil, fmt.Errorf("function %s has no blocks", f.Name)
		}
		for j, pb := range pf.GetBlocks() {
			b, err := blockFromProto(pb, m, strings, len(pf.GetBlocks()))
			if err != nil {
				return nil, fmt.Errorf("function %s, block %d: %w", f.Name, j, err)
			}
			b.Index = j
			f.Blocks = append(f.Blocks, b)
		}
		if err := inlinedFromProto(f, pf, m); err != nil {
			return nil, fmt.Errorf("function %s: %w", f.Name, err)
		}
		p.Funcs = append(p.Funcs, f)
	}
	return p, nil
}

func markFromProto(k *bundlepb.Mark) *ir.Mark {
	if k == nil {
		return nil
	}
	return &ir.Mark{Kind: ir.MarkKind(min(k.GetKind(), 255)), Region: int(k.GetRegion()), Construct: int(k.GetConstruct()), Section: int(k.GetSection())}
}

func blockFromProto(m *bundlepb.Block, p *bundlepb.Program, strings []string, blocks int) (*ir.Block, error) {
	b := &ir.Block{Name: name(m.GetName()), Succs: toInt(m.GetSuccs())}
	for _, s := range b.Succs {
		if s >= blocks {
			return nil, fmt.Errorf("successor %d of %d blocks", s, blocks)
		}
	}
	if mark := markFromProto(m.GetMark()); mark != nil {
		if err := checkMark(mark, p); err != nil {
			return nil, err
		}
		if b.Mark = mark; mark.Kind.OfTasks() {
			b.Mark, b.TaskMark = nil, mark
		}
	}
	switch n := m.GetLocking(); {
	case n == 1:
		b.Locking = &ir.Locking{}
	case n > 1:
		if n-2 >= uint32(len(p.GetLocks())) {
			return nil, fmt.Errorf("it takes lock %d of %d", n-2, len(p.GetLocks()))
		}
		b.Locking = &ir.Locking{Takes: true, Lock: int(n - 2)}
	}
	for _, n := range m.GetAtomics() {
		if n >= uint32(len(p.GetLocks())) {
			return nil, fmt.Errorf("it updates %d of %d atomically", n, len(p.GetLocks()))
		}
		b.Atomics = append(b.Atomics, int(n))
	}
	n := len(m.GetOps())
	if n == 0 || len(m.GetTypes()) != n || len(m.GetFiles()) != n || len(m.GetLines()) != n || len(m.GetCols()) != n {
		return nil, errors.New("its instruction lists have different lengths")
	}
	b.Instrs = make([]ir.Instr, n)
	for i := range b.Instrs {
		op, typ := m.Ops[i], m.Types[i]
		if int(op) >= len(strings) || int(typ) >= len(strings) || int(m.Files[i]) > len(p.Files) {
			return nil, fmt.Errorf("instruction %d refers to a missing string or file", i)
		}
		b.Instrs[i] = ir.Instr{Op: strings[op], Type: strings[typ], Loc: ir.Loc{File: int(m.Files[i]) - 1, Line: int(m.Lines[i]), Col: int(m.Cols[i])}}
	}
	for _, c := range m.GetCalls() {
		if int(c.GetInstr()) >= n || int(c.GetName()) >= len(strings) || int(c.GetCallee()) > len(p.Funcs) {
			return nil, errors.New("a call refers to a missing instruction or function")
		}
		call := &ir.Call{Callee: int(c.GetCallee()) - 1, Name: strings[c.GetName()], Indirect: c.GetIndirect(),
			ReturnsTwice: c.GetReturnsTwice(), NoReturn: c.GetNoReturn(), NoUnwind: c.GetNoUnwind(), FuncArgs: toInt(c.GetFuncArgs())}
		for _, a := range call.FuncArgs {
			if a >= len(p.Funcs) {
				return nil, errors.New("a call passes a missing function")
			}
		}
		var err error
		if call.ConstArgs, err = constArgs(c); err != nil {
			return nil, err
		}
		b.Instrs[c.GetInstr()].Call = call
	}
	return b, nil
}

// constArgs reads the constants that a call passes.
func constArgs(c *bundlepb.Call) ([]ir.ConstArg, error) {
	index, values := c.GetConstArgs(), c.GetConstValues()
	if len(index) != len(values) {
		return nil, errors.New("a call's constants are lists of different lengths")
	}
	var args []ir.ConstArg
	for i, a := range index {
		if a > math.MaxInt32 || i > 0 && a <= index[i-1] {
			return nil, errors.New("a call's constants are out of order")
		}
		args = append(args, ir.ConstArg{Index: int(a), Value: values[i]})
	}
	return args, nil
}

func checkMark(k *ir.Mark, p *bundlepb.Program) error {
	if k.Kind.OfTasks() {
		if (k.Kind == ir.TaskBegin || k.Kind == ir.TaskEnd) && k.Construct >= len(p.Tasks) {
			return errors.New("its marker names no task")
		}
		return nil
	}
	if k.Kind < ir.RegionBegin || k.Kind > ir.SectionEnd || k.Region >= len(p.Regions) {
		return errors.New("its marker names no region")
	}
	if k.Kind < ir.SectionBegin {
		return nil
	}
	r := p.Regions[k.Region]
	if k.Construct >= len(r.Constructs) || k.Section >= len(r.Constructs[k.Construct].Sections) {
		return errors.New("its marker names no section")
	}
	return nil
}
