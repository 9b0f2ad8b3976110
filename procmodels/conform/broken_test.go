package conform_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/conform"
)

// bent is the model generic with a fault.
type bent struct {
	procmodels.Model
	describe func(*procmodels.Description)
	before   func(context.Context, *procmodels.Subject) (*procmodels.Costs, error) // answers when it gives either
	after    func(*ir.Program, *procmodels.Costs)
	ignores  bool // the context
}

func (b *bent) Describe() procmodels.Description {
	d := b.Model.Describe()
	if b.describe != nil {
		b.describe(&d)
	}
	return d
}

func (b *bent) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	if b.before != nil {
		if c, err := b.before(ctx, s); c != nil || err != nil {
			return c, err
		}
	}
	if b.ignores {
		ctx = context.WithoutCancel(ctx)
	}
	c, err := b.Model.Costs(ctx, s)
	if err == nil && b.after != nil {
		b.after(s.Program, c)
	}
	return c, err
}

// eachBlock changes the cost of every block.
func eachBlock(f func(p *ir.Program, fn, block int, c *procmodels.Costs, b *procmodels.BlockCost)) func(*ir.Program, *procmodels.Costs) {
	return func(p *ir.Program, c *procmodels.Costs) {
		for fi := range c.Blocks {
			for bi := range c.Blocks[fi] {
				f(p, fi, bi, c, &c.Blocks[fi][bi])
			}
		}
	}
}

// on changes the cost of blocks that hold an instruction.
func on(is func(*ir.Instr) bool, f func(*procmodels.BlockCost)) func(*ir.Program, *procmodels.Costs) {
	return eachBlock(func(p *ir.Program, fn, block int, _ *procmodels.Costs, b *procmodels.BlockCost) {
		if slices.ContainsFunc(p.Funcs[fn].Blocks[block].Instrs, func(in ir.Instr) bool { return is(&in) }) {
			f(b)
		}
	})
}

func nan(b *procmodels.BlockCost) { b.Cycles = math.NaN() }

func first(c *procmodels.Costs) *procmodels.BlockCost {
	if len(c.Blocks) == 0 {
		return &procmodels.BlockCost{}
	}
	return &c.Blocks[0][0]
}

func TestFaultsAreFound(t *testing.T) {
	generic, err := procmodels.Open("generic", "")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	bare := func(f func(*procmodels.Description)) *bent { return &bent{describe: f} }
	changed := func(f func(*ir.Program, *procmodels.Costs)) *bent { return &bent{after: f} }
	answering := func(f func(context.Context, *procmodels.Subject) (*procmodels.Costs, error)) *bent {
		return &bent{before: f}
	}
	for _, c := range []struct {
		name  string
		m     *bent
		check string // that finds it
		why   string // part of what it says
		alone bool   // no other check fails
	}{
		{"no unit", bare(func(d *procmodels.Description) { d.Unit = " " }), "description", "no unit", true},
		{"no version", bare(func(d *procmodels.Description) { d.Version = "" }), "description", "no version", true},
		{"clock", bare(func(d *procmodels.Description) { d.ClockMHz = math.Inf(1) }), "description", "clock is +Inf MHz", true},
		{"overheads", bare(func(d *procmodels.Description) { d.Overheads = &procmodels.Overheads{Create: math.NaN()} }), "description", "overheads are NaN and 0", true},
		{"parameter", bare(func(d *procmodels.Description) { d.Parameters = []procmodels.Parameter{{Name: "cpu", Value: "a9"}} }), "description", `parameter "cpu" has no text`, true},
		{"fickle", bare(func(d *procmodels.Description) { d.Notes = strings.Repeat("x", int(asked.Add(1))) }), "description", "something else when it is asked again", true},

		{"error", answering(func(context.Context, *procmodels.Subject) (*procmodels.Costs, error) {
			return nil, errors.New("out of\nmoney")
		}), "answers", "out of money", false},
		{"panic", answering(func(context.Context, *procmodels.Subject) (*procmodels.Costs, error) { panic("lost") }), "answers", "it panicked: lost", false},
		{"too few", changed(func(p *ir.Program, c *procmodels.Costs) { c.Blocks = c.Blocks[:max(len(c.Blocks), 1)-1] }), "answers", "costs of 8 functions for a program of 9", false},
		{"block missing", changed(func(p *ir.Program, c *procmodels.Costs) {
			if len(c.Blocks) == 9 {
				c.Blocks[2] = c.Blocks[2][1:]
			}
		}), "answers", "costs of 11 blocks, the function has 12", false},

		{"NaN", changed(func(p *ir.Program, c *procmodels.Costs) { nan(first(c)) }), "cycles", "NaN cycles", false},
		{"negative", changed(func(p *ir.Program, c *procmodels.Costs) { first(c).Cycles = -1 }), "cycles", "-1 cycles", false},
		{"infinite", changed(func(p *ir.Program, c *procmodels.Costs) { first(c).Cycles = math.Inf(1) }), "cycles", "+Inf cycles", false},
		{"best above typical", changed(eachBlock(func(_ *ir.Program, _, _ int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Best, b.Worst = b.Cycles+1, b.Cycles+2
		})), "ranges", "want them ascending", false},
		{"worst below typical", changed(eachBlock(func(_ *ir.Program, _, _ int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Best, b.Worst = b.Cycles/2, b.Cycles/2
		})), "ranges", "want them ascending", false},
		{"after no predecessor", changed(eachBlock(func(_ *ir.Program, _, bi int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.After = []procmodels.AfterCost{{Pred: bi + 1, Cycles: 1}}
		})), "predecessors", "no predecessor", false},
		{"no such factor", changed(eachBlock(func(_ *ir.Program, _, _ int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Varies = []procmodels.Variation{{Factor: 0, Up: 1}}
		})), "factors", "factor 0", false},
		{"factor without a name", changed(func(_ *ir.Program, c *procmodels.Costs) { c.Factors = make([]procmodels.Factor, 1) }), "factors", "factor 0 has no name", true},
		{"defaults above the whole", changed(eachBlock(func(_ *ir.Program, _, _ int, c *procmodels.Costs, b *procmodels.BlockCost) {
			c.Reasons = []string{"guessed frobnicate_everything"}
			b.Defaults = []procmodels.DefaultCost{{Reason: 0, Cycles: b.Cycles + 1, Count: 1}}
		})), "defaults", "defaults add up", false},
		{"included is no call", changed(eachBlock(func(p *ir.Program, fn, bi int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Included = []int{len(p.Funcs[fn].Blocks[bi].Instrs) - 1}
		})), "defaults", "is listed as an included call and is none", false},

		{"random", changed(eachBlock(func(_ *ir.Program, _, _ int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Cycles += rand.Float64()
		})), "deterministic", "asked again", false},
		{"drifting", changed(func(_ *ir.Program, c *procmodels.Costs) { first(c).Cycles += float64(asked.Add(1)) }), "deterministic", "cycles, then", false},
		{"reasons in another order", changed(func(_ *ir.Program, c *procmodels.Costs) {
			c.Warnings = []string{strings.Repeat("x", int(asked.Add(1)))}
		}), "deterministic", "warnings are others", false},
		{"by place in the program", changed(eachBlock(func(_ *ir.Program, fn, _ int, _ *procmodels.Costs, b *procmodels.BlockCost) { b.Cycles += float64(fn) })), "order", "in another order", false},
		{"by number of the block", changed(eachBlock(func(_ *ir.Program, _, bi int, _ *procmodels.Costs, b *procmodels.BlockCost) { b.Cycles += float64(bi) })), "order", "in another order", false},
		{"by size of the program", changed(eachBlock(func(p *ir.Program, _, _ int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Cycles += float64(len(p.Funcs))
		})), "company", "in company, then alone", true},
		{"overlap", changed(eachBlock(func(p *ir.Program, fn, bi int, _ *procmodels.Costs, b *procmodels.BlockCost) {
			b.Cycles += float64(len(p.Funcs[fn].Blocks[bi].Instrs)) * float64(len(p.Funcs[fn].Blocks[bi].Instrs))
		})), "additive", "instructions cost", true},
		{"knows everything", changed(func(_ *ir.Program, c *procmodels.Costs) {
			c.Reasons = nil
			for _, f := range c.Blocks {
				for i := range f {
					f[i].Defaults = nil
				}
			}
		}), "coverage", "as if it were known", true},
		{"vague", changed(func(_ *ir.Program, c *procmodels.Costs) {
			for i := range c.Reasons {
				c.Reasons[i] = "something"
			}
		}), "coverage", "none of its reasons names it", true},

		{"opcode", changed(on(func(in *ir.Instr) bool { return in.Op == "freeze" && in.Type == "ptr" }, nan)), "opcodes", "NaN cycles", true},
		{"type", changed(on(func(in *ir.Instr) bool { return in.Type == "i4096" }, nan)), "types", "NaN cycles", true},
		{"scalable", changed(on(func(in *ir.Instr) bool { return strings.Contains(in.Type, "vscale") }, func(*procmodels.BlockCost) { panic("no such type") })), "types", "it panicked: no such type", true},
		{"indirect call", changed(on(func(in *ir.Instr) bool { return in.Call != nil && in.Call.Indirect }, nan)), "calls", "NaN cycles", true},
		{"callbr", changed(on(func(in *ir.Instr) bool { return in.Op == "callbr" && in.Call.Name == "setjmp" }, nan)), "calls", "NaN cycles", true},
		{"empty block", answering(func(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
			for _, f := range s.Program.Funcs {
				for _, b := range f.Blocks {
					_ = b.Terminator()
				}
			}
			return nil, nil
		}), "empty block", "it panicked: runtime error: index out of range", true},
		{"long block", answering(func(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
			for _, f := range s.Program.Funcs {
				if len(f.Blocks[0].Instrs) > 5000 {
					return nil, errors.New("block too long")
				}
			}
			return nil, nil
		}), "long block", "block too long", true},
		{"names", answering(func(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
			for _, f := range s.Program.Funcs {
				if strings.Contains(f.Name, "\n") {
					return nil, errors.New("bad name")
				}
			}
			return nil, nil
		}), "names", "bad name", true},
		{"no functions", answering(func(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
			_ = s.Program.Funcs[0]
			return nil, nil
		}), "no functions", "it panicked", true},
		{"deaf", &bent{ignores: true}, "cancelled", "answered as if nothing had happened", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.m.Model = generic
			r := conform.Check(context.Background(), func() (procmodels.Model, error) { return c.m, nil }, conform.DefaultLimit)
			x := result(t, r, c.check)
			if x.Verdict != conform.Fail || !strings.Contains(x.Why, c.why) {
				t.Errorf("%s: %s %q, want it to fail with %q", c.check, x.Verdict, x.Why, c.why)
			}
			if x.Do == "" || strings.Contains(x.Why, "\n") {
				t.Errorf("%s: %q; do %q: want one line and what to do", c.check, x.Why, x.Do)
			}
			if n := r.Count(conform.Fail); c.alone && n != 1 {
				t.Errorf("%d checks fail, want the one alone: %v", n, r.Err())
			}
		})
	}
}

// A fault that only a race shows: the model keeps the program in itself.
func TestUnsafeModel(t *testing.T) {
	generic, err := procmodels.Open("generic", "")
	if err != nil {
		t.Fatal(err)
	}
	var x conform.Result
	// The busier the machine, the longer one stays inside until the next comes.
	for stay := 5 * time.Millisecond; x.Verdict != conform.Fail && stay < time.Second; stay *= 4 {
		var inside atomic.Int64
		m := &bent{Model: generic, before: func(context.Context, *procmodels.Subject) (*procmodels.Costs, error) {
			defer inside.Add(-1)
			if inside.Add(1) > 1 {
				return nil, errors.New("busy")
			}
			time.Sleep(stay)
			return nil, nil
		}}
		r := conform.Check(context.Background(), func() (procmodels.Model, error) { return m, nil }, conform.DefaultLimit)
		x = result(t, r, "concurrent")
	}
	if x.Verdict != conform.Fail || !strings.Contains(x.Why, "busy") {
		t.Errorf("concurrent: %v", x)
	}
}

// A model that never answers is given up, and not asked again.
func TestHangingModel(t *testing.T) {
	generic, err := procmodels.Open("generic", "")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	forever := make(chan struct{})
	defer close(forever)
	m := &bent{Model: generic, before: func(context.Context, *procmodels.Subject) (*procmodels.Costs, error) {
		asked.Add(1)
		<-forever
		return nil, errors.New("too late")
	}}
	limit := 50 * time.Millisecond
	check := func() *conform.Report {
		return conform.Check(context.Background(), func() (procmodels.Model, error) { return m, nil }, limit)
	}
	r := check()
	for asked.Load() == 0 && limit < time.Minute { // the machine is so busy that it was not asked by then
		limit *= 4
		r = check()
	}
	if x := result(t, r, "answers"); x.Verdict != conform.Fail || !strings.Contains(x.Why, fmt.Sprintf("no answer within %v", limit)) {
		t.Errorf("answers: %v", x)
	}
	if x := result(t, r, "speed"); x.Verdict != conform.Skip || x.Why != "the model hung before" {
		t.Errorf("speed: %v", x)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("it was asked %d times", n)
	}
}

func TestModelThatDoesNotOpen(t *testing.T) {
	r := conform.Check(context.Background(), func() (procmodels.Model, error) { return nil, errors.New("no such file") }, conform.DefaultLimit)
	if x := result(t, r, "opens"); x.Verdict != conform.Fail || x.Why != "no such file" {
		t.Errorf("opens: %v", x)
	}
	if r.Count(conform.Fail) != 1 || r.Count(conform.Pass) != 0 {
		t.Errorf("%v", r.Results)
	}
}
