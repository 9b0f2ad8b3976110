package wire

// This file reads costs from the replies of an exchange and checks each as it comes.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
)

// factorLimit bounds what a plugin can make us keep, as do the limits of what it may send
// in bytes: for any program, for each block, and in one message.
const (
	factorLimit  = 1 << 20
	anyAnswer    = 4 << 20
	blockAnswer  = 16 << 10
	messageLimit = 64 << 20
)

// CostsReader gathers the costs of a program from replies, which may come in any order.
// The result depends on what the replies say, not on when they came: reasons and factors
// are numbered by the first block that names them.
type CostsReader struct {
	program  *ir.Program
	model    string
	costs    [][]*pluginpb.BlockCost
	factors  []*pluginpb.Factor
	named    map[string]bool // names of factors
	warnings []string
	answered int // blocks
	asked    int // blocks
	size     int // bytes of all replies
	done     bool
}

// NewCostsReader reads the costs of a program under the model of that name.
func NewCostsReader(p *ir.Program, model string) *CostsReader {
	r := &CostsReader{program: p, model: model, named: map[string]bool{}}
	for _, f := range p.Funcs {
		r.costs = append(r.costs, make([]*pluginpb.BlockCost, len(f.Blocks)))
		r.asked += len(f.Blocks)
	}
	return r
}

// Progress tells how many blocks were answered, of how many.
func (r *CostsReader) Progress() (answered, asked int) { return r.answered, r.asked }

// Limit is how many bytes one message may have, and all is how many they may have
// together.
func (r *CostsReader) Limit() int { return min(r.all(), messageLimit) }

func (r *CostsReader) all() int { return anyAnswer + blockAnswer*r.asked }

// Add takes one reply. What breaks the schema is an error of one line, which names the
// block and says what a plugin must do.
func (r *CostsReader) Add(reply *pluginpb.PriceReply) error {
	if r.done {
		return errors.New("a reply after Done; a plugin must send Done last")
	}
	if r.size += proto.Size(reply); r.size > r.all() {
		return fmt.Errorf("its answers have more than %d bytes, which no program of %d blocks needs", r.all(), r.asked)
	}
	switch part := reply.Part.(type) {
	case *pluginpb.PriceReply_Factor:
		return r.factor(part.Factor)
	case *pluginpb.PriceReply_Costs:
		if len(part.Costs.GetCosts()) == 0 {
			return errors.New("an empty batch; a plugin must send costs in it, or Done")
		}
		for _, c := range part.Costs.GetCosts() {
			if err := r.block(c); err != nil {
				return err
			}
		}
		return nil
	case *pluginpb.PriceReply_Done:
		for _, w := range part.Done.GetWarnings() {
			r.warnings = append(r.warnings, Line(w))
		}
		err := r.complete()
		r.done = err == nil
		return err
	}
	return errors.New("an empty reply; a plugin must send factors, costs or Done")
}

func (r *CostsReader) factor(f *pluginpb.Factor) error {
	name := Line(f.GetName())
	switch {
	case name == "":
		return fmt.Errorf("factor %d has no name; a plugin must name each", len(r.factors))
	case r.named[name]:
		return fmt.Errorf("factor %q comes twice; a plugin must send each once", name)
	case len(r.factors) == factorLimit:
		return fmt.Errorf("more than %d factors", factorLimit)
	}
	r.named[name] = true
	r.factors = append(r.factors, &pluginpb.Factor{Name: name, Bounded: f.Bounded})
	return nil
}

func (r *CostsReader) block(c *pluginpb.BlockCost) error {
	if int64(c.Function) >= int64(len(r.program.Funcs)) {
		return fmt.Errorf("an answer for function %d, of %d; a plugin must use the indices it was given", c.Function, len(r.program.Funcs))
	}
	f := r.program.Funcs[c.Function]
	if int64(c.Block) >= int64(len(f.Blocks)) {
		return fmt.Errorf("an answer for block %d of %s, which has %d blocks; a plugin must use the indices it was given", c.Block, f.Name, len(f.Blocks))
	}
	slot := &r.costs[c.Function][c.Block]
	if *slot != nil {
		return fmt.Errorf("%s: answered twice; a plugin must answer each block once", BlockName(f, int(c.Block)))
	}
	if err := r.checkBlock(f, c); err != nil {
		return fmt.Errorf("%s: %w", BlockName(f, int(c.Block)), err)
	}
	*slot = c
	r.answered++
	return nil
}

// checkBlock checks one answer as far as it can be before the others have come.
func (r *CostsReader) checkBlock(f *ir.Func, c *pluginpb.BlockCost) error {
	for _, x := range []float64{c.Cycles, c.Best, c.Worst} {
		if err := figure("cycles", x); err != nil {
			return err
		}
	}
	if (c.Best != 0 || c.Worst != 0) && (c.Best > c.Cycles || c.Cycles > c.Worst) {
		return fmt.Errorf("best %g, typical %g, worst %g cycles; a plugin must answer best <= typical <= worst", c.Best, c.Cycles, c.Worst)
	}
	for _, a := range c.After {
		if int64(a.Predecessor) >= int64(len(f.Blocks)) || !slices.Contains(f.Blocks[a.Predecessor].Succs, int(c.Block)) {
			return fmt.Errorf("a cost after block %d, which is no predecessor", a.Predecessor)
		}
		if err := figure(fmt.Sprintf("cycles after block %d", a.Predecessor), a.Cycles); err != nil {
			return err
		}
	}
	instrs := f.Blocks[c.Block].Instrs
	for _, i := range c.Included {
		if int64(i) >= int64(len(instrs)) || instrs[i].Call == nil {
			return fmt.Errorf("instruction %d is listed as an included call and is none", i)
		}
	}
	for _, d := range c.Defaults {
		if Line(d.Reason) == "" {
			return errors.New("a default without a reason; a plugin must say what it assumed")
		}
		if err := figure("cycles for "+Line(d.Reason), d.Cycles); err != nil {
			return err
		}
		if d.Count < 1 || d.Count > math.MaxInt32 {
			return fmt.Errorf("%q in %d places; a plugin must count 1 or more instructions", Line(d.Reason), d.Count)
		}
	}
	for _, v := range c.Varies {
		if int64(v.Factor) >= int64(len(r.factors)) {
			return fmt.Errorf("it varies with factor %d, and %d factors came before it; a plugin must send a factor first", v.Factor, len(r.factors))
		}
		name := r.factors[v.Factor].Name
		for _, x := range []float64{v.Down, v.Up} {
			if err := figure("cycles for "+name, x); err != nil {
				return err
			}
		}
	}
	return nil
}

func figure(what string, x float64) error {
	if !finite(x) {
		return fmt.Errorf("%g %s; a plugin must answer a finite number of 0 or more", x, what)
	}
	return nil
}

// complete tells which block has no answer.
func (r *CostsReader) complete() error {
	if r.answered == r.asked {
		return nil
	}
	for fi, f := range r.program.Funcs {
		for bi := range f.Blocks {
			if r.costs[fi][bi] == nil {
				return fmt.Errorf("%s: no answer before Done, with %d of %d blocks answered; a plugin must answer each block",
					BlockName(f, bi), r.answered, r.asked)
			}
		}
	}
	return nil
}

// Costs returns the costs once Done has come. It checks them against the contract.
func (r *CostsReader) Costs() (*procmodels.Costs, error) {
	if !r.done {
		return nil, fmt.Errorf("the answers stop before Done, with %d of %d blocks answered", r.answered, r.asked)
	}
	t := procmodels.NewTally(r.model, r.program)
	t.Costs.Warnings = r.warnings
	for f, blocks := range r.costs {
		for i, m := range blocks {
			r.tally(t, &t.Costs.Blocks[f][i], m)
		}
	}
	if err := t.Costs.Check(r.program); err != nil {
		return nil, err
	}
	return t.Costs, nil
}

func (r *CostsReader) tally(t *procmodels.Tally, out *procmodels.BlockCost, m *pluginpb.BlockCost) {
	out.Cycles, out.Best, out.Worst = m.Cycles, m.Best, m.Worst
	for _, a := range m.After {
		out.After = append(out.After, procmodels.AfterCost{Pred: int(a.Predecessor), Cycles: a.Cycles})
	}
	slices.SortStableFunc(out.After, func(a, b procmodels.AfterCost) int { return a.Pred - b.Pred })
	for _, i := range m.Included {
		out.Included = append(out.Included, int(i))
	}
	slices.Sort(out.Included)
	for _, d := range m.Defaults {
		t.Assume(out, Line(d.Reason), d.Cycles, int(d.Count))
	}
	for _, v := range m.Varies {
		f := r.factors[v.Factor]
		t.Vary(out, procmodels.Factor{Name: f.Name, Bounded: f.Bounded}, v.Down, v.Up)
	}
}
