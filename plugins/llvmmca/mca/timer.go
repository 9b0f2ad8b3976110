package mca

// This file times pieces of machine code: in batches, each run by llvm-mca twice.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"pathspan/build/toolchain"
	"pathspan/workers"
)

const (
	// longest bounds what llvm-mca gets as one piece, in units; longer code is timed in
	// pieces that are added up, since the time of a run grows with the piece.
	longest = 500
	// batchUnits bounds what one process gets.
	batchUnits = 4000
	// mostSimulated bounds the instructions of one piece that are simulated, so that long
	// pieces run fewer times: they reach their steady state within one run.
	mostSimulated = 5000
)

// timing is what llvm-mca says of a piece of code.
type timing struct {
	steady float64 // cycles a run, back to back
	single float64 // cycles of one run on an empty pipeline
	slope  float64 // cycles of each further run, back to back
	bound  float64 // reciprocal throughput: what width and units allow
	rows   []row   // the instructions
}

// row is llvm-mca's description of an instruction.
type row struct {
	text        string
	uops        int
	latency     float64
	rthroughput float64
	load        bool
}

// piece is straight-line code to be timed.
type piece struct {
	units []unit // those that llvm-mca takes
	t     timing
}

// timer times code for one processor.
type timer struct {
	tools      *tools
	cpu        cpu
	dir        string
	iterations int
}

// runs is how often a piece is run back to back.
func (t *timer) runs(p *piece) int {
	return max(1, min(t.iterations, max(4, mostSimulated/max(1, len(p.units)))))
}

// time fills in the timings of pieces, a batch a process, in parallel.
func (t *timer) time(ctx context.Context, pieces []*piece) error {
	// The number of runs is the process's, so a batch holds pieces of one number.
	byRuns := map[int][]*piece{}
	var order []int
	for _, p := range pieces {
		if len(p.units) == 0 {
			continue
		}
		n := t.runs(p)
		if byRuns[n] == nil {
			order = append(order, n)
		}
		byRuns[n] = append(byRuns[n], p)
	}
	type batch struct {
		runs   int
		pieces []*piece
	}
	var batches []batch
	for _, n := range order {
		size := batchUnits
		for _, p := range byRuns[n] {
			if size+len(p.units) > batchUnits {
				batches = append(batches, batch{runs: n})
				size = 0
			}
			b := &batches[len(batches)-1]
			b.pieces = append(b.pieces, p)
			size += len(p.units)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg workers.Group
	for range min(runtime.GOMAXPROCS(0), len(batches)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(batches) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := t.batch(ctx, fmt.Sprintf("batch%d", i), batches[i].pieces, batches[i].runs); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// batch times pieces with two runs of llvm-mca.
func (t *timer) batch(ctx context.Context, name string, pieces []*piece, runs int) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var text strings.Builder
	for i, p := range pieces {
		fmt.Fprintf(&text, "# LLVM-MCA-BEGIN %d\n", i)
		for _, u := range p.units {
			text.WriteString(u.text + "\n")
		}
		text.WriteString("# LLVM-MCA-END\n")
	}
	once, err := t.analyse(ctx, name, text.String(), 1)
	if err != nil {
		return err
	}
	again := once
	if runs > 1 {
		if again, err = t.analyse(ctx, name, text.String(), runs); err != nil {
			return err
		}
	}
	if len(once) != len(pieces) || len(again) != len(pieces) {
		return fmt.Errorf("llvm-mca %s answered for %d and %d of %d pieces of code", t.tools.full, len(once), len(again), len(pieces))
	}
	for i, p := range pieces {
		p.t = timing{
			steady: float64(again[i].cycles) / float64(again[i].iterations),
			single: float64(once[i].cycles),
			bound:  once[i].bound, rows: once[i].rows,
		}
		if runs > 1 {
			p.t.slope = float64(again[i].cycles-once[i].cycles) / float64(runs-1)
		}
	}
	return nil
}

// analyse runs llvm-mca over a text of regions.
func (t *timer) analyse(ctx context.Context, name, text string, iterations int) ([]region, error) {
	in := filepath.Join(t.dir, name+".mca.s")
	out := filepath.Join(t.dir, name+".mca.txt")
	if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
		return nil, err
	}
	args := append(t.cpu.args(), fmt.Sprintf("-iterations=%d", iterations), "-resource-pressure=false",
		fmt.Sprintf("-instruction-info=%t", iterations == 1), in, "-o", out)
	if _, err := t.tools.run(ctx, toolchain.Cmd{Path: t.tools.mca, Args: args}); err != nil {
		return nil, err
	}
	said, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	return readRegions(string(said))
}
