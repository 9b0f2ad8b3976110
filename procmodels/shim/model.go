package shim

// This file makes a processor model of a component.

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// Kind is the Kind of the models' descriptions.
const Kind = "shim"

// Options choose which figure of an instruction is its cost.
type Options struct {
	Figure Figure
	Case   Case
}

// Figure is one of the two figures that SHIM gives for an instruction.
type Figure uint8

// Latency counts until the result can be used, as if each instruction waited for the
// one before: an upper bound for a pipeline, exact where nothing overlaps. It is the
// default, since it is what people measure and fill in. Pitch counts until the next
// instruction can issue: what an in-order pipeline costs as long as nothing waits for
// a result, a lower bound.
const (
	Latency Figure = iota
	Pitch
)

// Case is one of the three values of a figure.
type Case uint8

// Typical is the default.
const (
	Typical Case = iota
	Best
	Worst
)

func (f Figure) String() string { return [...]string{"latency", "pitch"}[f] }
func (c Case) String() string   { return [...]string{"typical", "best", "worst"}[c] }

// of picks the value from an instruction, in cycles.
func (o Options) of(in *Instruction) float64 {
	r := in.Latency
	if o.Figure == Pitch {
		r = in.Pitch
	}
	return [...]float64{r.Typical, r.Best, r.Worst}[o.Case]
}

// OpenComponent returns the model of a master component of a SHIM file, by name or
// id. The component may be "" where the file has only one with instructions; else the
// error lists them. A block costs the sum of its instructions' typical latencies; see
// OpenWith for other figures.
func OpenComponent(path, component string) (procmodels.Model, error) {
	return OpenWith(path, component, Options{})
}

// OpenWith is OpenComponent with a choice of figures.
func OpenWith(path, component string, opt Options) (procmodels.Model, error) {
	root, err := readTree(path)
	if err != nil {
		return nil, err
	}
	sys, _, err := load(root, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	m, err := sys.component(path, component)
	if err != nil {
		return nil, err
	}
	return newModel(path, sys, m, opt), nil
}

// component picks a master that has instructions.
func (s *System) component(path, want string) (*Master, error) {
	var found, usable []*Master
	var names []string
	bare := 0
	for _, m := range s.Masters() {
		n := 0
		for _, u := range m.Units {
			n += len(u.Instructions)
		}
		if n == 0 {
			bare++
			if want == m.Name || want == m.ID {
				return nil, fmt.Errorf("%s: component %q has no instructions with figures; name one that has", path, clip(want))
			}
			continue
		}
		usable, names = append(usable, m), append(names, clip(cmp.Or(m.Name, m.ID)))
		if want == m.ID {
			return m, nil
		}
		if want == m.Name {
			found = append(found, m)
		}
	}
	switch {
	case len(usable) == 0:
		return nil, fmt.Errorf("%s: no component has instructions with figures (%d without); add a CommonInstructionSet to one", path, bare)
	case want == "" && len(usable) == 1:
		return usable[0], nil
	case want == "":
		return nil, fmt.Errorf("%s: it has several components; name one behind #: %s", path, yamlstrict.List(names))
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%s: %d components are named %q; give the id of one, such as %s", path, len(found), clip(want), clip(found[0].ID))
	}
	if strings.Contains(want, "?") {
		return nil, fmt.Errorf("%s: no component is named %q; options go before the #: FILE?figure=pitch#COMPONENT", path, clip(want))
	}
	if near := yamlstrict.Nearest(want, names); near != "" {
		return nil, fmt.Errorf("%s: no component is named %q; did you mean %q?", path, clip(want), near)
	}
	return nil, fmt.Errorf("%s: no component is named %q; it has %s", path, clip(want), yamlstrict.List(names))
}

// model prices by one component's instructions.
type model struct {
	desc     procmodels.Description
	figures  map[string][]figure // by opcode, in document order
	other    float64             // of opcodes without a figure: the median of those with one
	warnings []string
}

// figure is the cost of one opcode for operands of up to a width.
type figure struct {
	cycles  float64
	inBits  int // 0: any
	outBits int // 0: any
	lanes   int // 0, 1: scalar
}

func newModel(path string, sys *System, m *Master, opt Options) *model {
	name := clip(cmp.Or(m.Name, m.ID))
	t := &model{figures: map[string][]figure{}}
	t.desc = procmodels.Description{
		Name:    fmt.Sprintf("%s#%s", filepath.Base(path), name),
		Kind:    Kind,
		Version: "SHIM (IEEE 2804)",
		Source:  fmt.Sprintf("%s %ss of %s %q in %s", opt.Case, opt.Figure, clip(cmp.Or(m.Arch, "component")), name, path),
		Notes: "A block costs the sum of its instructions. Memory and communication latencies are not in it: " +
			"accesses cost what the file gives for load and store. Library functions cost their call alone.",
		ClockMHz: float64(sys.ClockOf(m)) / 1e6,
		Unit:     "clock cycle of the component; instructions add up, without overlap, cache misses or contention",
		Parameters: []procmodels.Parameter{
			{Name: "figure", Value: opt.Figure.String(), Text: "latency: cycles until the result can be used; pitch: cycles until the next instruction can issue"},
			{Name: "case", Value: opt.Case.String(), Text: "which of the file's values is the cost: typical, best or worst"},
		},
		Additive: true,
	}
	if opt.Figure == Latency {
		t.desc.Source = strings.Replace(t.desc.Source, "latencys", "latencies", 1)
	} else {
		t.desc.Source = strings.Replace(t.desc.Source, "pitchs", "pitches", 1)
	}
	t.read(path, name, m, opt)
	return t
}

// read takes the figures of a component in; what it has to choose it warns of.
func (t *model) read(path, name string, m *Master, opt Options) {
	warn := func(format string, args ...any) {
		t.warnings = append(t.warnings, fmt.Sprintf("%s: %s: ", path, name)+fmt.Sprintf(format, args...))
	}
	type key struct {
		op                     string
		inBits, outBits, lanes int
	}
	first := map[key]float64{}
	told := map[string]bool{}
	var misspelt []Instruction
	var all []float64
	add := func(op string, in *Instruction) {
		f := figure{opt.of(in), in.InputBits, in.OutputBits, in.SIMDWidth}
		all = append(all, f.cycles)
		k := key{op, f.inBits, f.outBits, max(f.lanes, 1)}
		if other, ok := first[k]; ok {
			if f.cycles != other && !told[op] {
				told[op] = true
				warn("opcode %s has several figures for the same widths; the first counts", op)
			}
			return
		}
		first[k] = f.cycles
		t.figures[op] = append(t.figures[op], f)
	}
	for _, u := range m.Units {
		for i := range u.Instructions {
			if in := &u.Instructions[i]; isOpcode(in.Operation) {
				add(in.Operation, in)
			} else {
				misspelt = append(misspelt, *in)
			}
		}
	}
	for i := range misspelt {
		in := &misspelt[i]
		if told[in.Operation] {
			continue
		}
		told[in.Operation] = true
		op := nearestOpcode(in.Operation)
		if op == "" || t.figures[op] != nil {
			warn("%q is no LLVM opcode; left out", clip(in.Operation))
			continue
		}
		warn("%q is no LLVM opcode; taken as %q", clip(in.Operation), op)
		add(op, in)
	}
	if len(all) == 0 {
		t.other = 1
		warn("none of its instructions is one of LLVM's; each is taken as 1 cycle")
		return
	}
	slices.Sort(all)
	t.other = max(all[(len(all)-1)/2], 0)
	if all[0] == all[len(all)-1] && len(all) >= enough {
		warn("all %d figures are %g cycles: placeholders, not measurements; pathspan model shim lint says more", len(all), all[0])
	}
	if t.desc.ClockMHz == 0 {
		warn("the file gives no clock")
	}
}

// Describe implements procmodels.Model.
func (t *model) Describe() procmodels.Description { return t.desc }

// Costs implements procmodels.Model.
func (t *model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	p := s.Program
	pr := newPricer(t, p)
	for fi, f := range p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.desc.Name, err)
		}
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				pr.charge(&pr.costs.Blocks[fi][bi], pr.instr(&b.Instrs[i]))
			}
		}
	}
	return pr.costs, nil
}
