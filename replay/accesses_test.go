package replay_test

// This file holds caches that are simulated access by access to what can be counted by hand.

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/profile"
	"pathspan/replay"
	"pathspan/testdata/programs"
)

// private is a first level for each of two processors and main memory behind it, or behind a
// second level that they share, in which a line is there after so many cycles.
func private(size, ways, second int64) *replay.Memory {
	m := &replay.Memory{Levels: []replay.Level{{Size: size, Line: 64, Ways: ways, Of: []int{0, 1}, Cycles: []float64{0, 0}}}, Far: []float64{100, 100}}
	if second > 0 {
		m.Levels = append(m.Levels, replay.Level{Size: 1 << 20, Line: 64, Ways: 16, Of: []int{0, 0}, Cycles: []float64{float64(second), float64(second)}})
	}
	return m
}

func TestAccessesByHand(t *testing.T) {
	c, procs, _ := lined(t, "testdata/lines.c")
	ctx, p, pl := t.Context(), c.b.Program, procs.Platform
	const line, lines = 100.0, 256.0 // cycles of one from main memory; of an array
	for _, of := range []struct {
		name            string
		crossed         bool
		dynamic         bool
		memory          *replay.Memory
		alone, together float64 // cycles for memory, but for a few lines of the stack and such
	}{
		// The first level holds all three arrays: each line comes once. Thread 1 copies what
		// the other processor wrote.
		{"large", false, false, private(1<<20, 16, 0), 3 * lines * line, (1 + 0.5 + 0.5) * lines * line},
		// One level of 8 KiB holds half an array, and each pass begins anew. The copy uses two at once.
		{"small", false, false, private(8<<10, 0, 0), (2 + 2 + 2) * lines * line, (1 + 1 + 1) * lines * line},
		// Sections that read are elsewhere: all lines come from main memory, or from the level that is shared.
		// Then thread 0 copies the first half of a, which the other processor read.
		{"crossed", true, false, private(1<<20, 16, 0), 3 * lines * line, (1 + 1 + 0.5) * lines * line},
		{"shared", true, false, private(1<<20, 16, 10), 3 * lines * line, lines*line + lines*10 + lines/2*line},
		// Threads take half of the loop each as they come, and so in the order of time.
		{"taken", false, true, private(1<<20, 16, 0), 3 * lines * line, (1 + 0.5 + 0.5) * lines * line},
		{"taken crossed", true, true, private(1<<20, 16, 0), 3 * lines * line, (1 + 1 + 0.5) * lines * line},
	} {
		t.Run(of.name, func(t *testing.T) {
			m := mapping.Default(pl, p)
			if of.dynamic {
				m.Regions[2].Loops[0].Schedule = loops.Schedule{Kind: loops.Dynamic, Chunk: 2048}
			}
			if of.crossed {
				m.Regions[1].Proc[0] = []int{1, 0}
			}
			k := candidate{procs, m}
			plan, sims := plainAnd(t, p, k, of.memory)
			exe, err := c.r.Metered(ctx, c.b, &plan.Meters)
			if err != nil {
				t.Fatal(err)
			}
			follow(t, c, exe, plan, sims)
			alone, together := sims[1].Sequential()-sims[0].Sequential(), sims[1].Parallel()-sims[0].Parallel()
			if math.Abs(alone-of.alone) > 12*line || math.Abs(together-of.together) > 12*line {
				t.Errorf("waits for memory %.0f cycles in sequence, %.0f in parallel; want %.0f and %.0f", alone, together, of.alone, of.together)
			}
		})
	}
}

// Each iteration fills an array of its own, of 128 lines, and reads it. Threads that take iterations by turns have a stack
// each, so that they wait for these lines once, at the same time; only the array's sum goes from one to the other.
func TestOwnStacksByHand(t *testing.T) {
	c, procs, m := lined(t, "testdata/ownlines.c")
	m.Regions[0].Loops[0].Schedule = loops.Schedule{Kind: loops.Dynamic, Chunk: 1}
	plan, sims := plainAnd(t, c.b.Program, candidate{procs, m}, private(1<<20, 16, 0))
	exe, err := c.r.Metered(t.Context(), c.b, &plan.Meters)
	if err != nil {
		t.Fatal(err)
	}
	follow(t, c, exe, plan, sims)
	const want = 128 * 100.0
	alone, together := sims[1].Sequential()-sims[0].Sequential(), sims[1].Parallel()-sims[0].Parallel()
	if math.Abs(alone-want) > 1000 || math.Abs(together-want) > 3000 {
		t.Errorf("waits for memory %.0f cycles in sequence, %.0f in parallel; want about %.0f for both", alone, together, want)
	}
}

// Main memory is busy with a line for ten times as long as one waits that finds it free, so that it alone decides: of both
// arrays each line comes for who writes it and for who reads it on the other processor, and then those of the copy of one,
// which both have.
func TestBusyMemoryByHand(t *testing.T) {
	c, procs, m := lined(t, "testdata/lines.c")
	m.Regions[1].Proc[0] = []int{1, 0}
	m.Regions[2].Loops[0].Schedule = loops.Schedule{Kind: loops.Dynamic, Chunk: 2048}
	memory := private(1<<20, 16, 0)
	memory.Occupied = 1000
	plan, sims := plainAnd(t, c.b.Program, candidate{procs, m}, memory)
	exe, err := c.r.Metered(t.Context(), c.b, &plan.Meters)
	if err != nil {
		t.Fatal(err)
	}
	follow(t, c, exe, plan, sims)
	if got, want := sims[1].Parallel(), (2+2+1)*256*1000.0; math.Abs(got-want) > 0.01*want {
		t.Errorf("it takes %.0f cycles, want %.0f", got, want)
	}
}

// Processor 1 has a memory of its own, and nothing waits but for copies. It copies out the array that it writes, as a section
// of another construct reads it, and that in; then half of it for the loop, and of what that writes the one element that is read.
// The sum that the section makes goes in and out as well. All is counted in pieces of 16 bytes.
func TestCopiesByHand(t *testing.T) {
	c, procs, m := lined(t, "testdata/lines.c")
	memory := private(1<<20, 16, 0)
	memory.Far = []float64{0, 0}
	memory.Local, memory.Links = []bool{false, true}, []float64{0.5}
	m.Regions[0].Proc[0], m.Regions[1].Proc[0] = []int{1, 0}, []int{1, 0} // it takes longer to write the first
	over := replay.Way{Links: []int{0}, Latency: 1000}
	memory.Ways = [][]replay.Way{{{}, over}, {over, {}}}
	plan, sims := plainAnd(t, c.b.Program, candidate{procs, m}, memory)
	exe, err := c.r.Metered(t.Context(), c.b, &plan.Meters)
	if err != nil {
		t.Fatal(err)
	}
	follow(t, c, exe, plan, sims)
	if got, want := sims[1].Parallel()-sims[0].Parallel(), 5*1000+(16384+16400+16+8192+16)/0.5; math.Abs(got-want) > 200 {
		t.Errorf("copies take %.0f cycles, want %.0f", got, want)
	}
	if got, want := sims[1].Region(1).Parallel-sims[0].Region(1).Parallel, 2*1000+(16400+16)/0.5; math.Abs(got-want) > 100 || sims[1].Region(1).Count != 1 {
		t.Errorf("what sections read takes %.0f cycles to copy, want %.0f", got, want)
	}
}

// lined builds a program that tells of accesses, and OpenMP's mapping of it onto two processors.
func lined(t *testing.T, source string) (*built, estimate.Processors, *mapping.Resolved) {
	t.Helper()
	c := of(t, source)
	p := c.b.Program.WithTeams(2)
	c.b.Program = p
	pl := mapping.Homogeneous(2, "")
	procs, err := (&estimate.Pricer{Program: p}).Processors(t.Context(), pl)
	if err != nil {
		t.Fatal(err)
	}
	return c, procs, mapping.Default(pl, p)
}

// A task writes an array, which another reads: it finds it in no cache where another processor wrote it.
func TestAccessesOfTasksByHand(t *testing.T) {
	c, procs, _ := lined(t, "testdata/tasklines.c")
	p, pl := c.b.Program, procs.Platform
	const line, lines = 100.0, 256.0
	for _, of := range []struct {
		on    []int // processors of the tasks
		waits float64
	}{{[]int{0, 0}, lines * line}, {[]int{1, 1}, lines * line}, {[]int{0, 1}, 2 * lines * line}, {[]int{1, 0}, 2 * lines * line}} {
		m := mapping.Default(pl, p)
		for _, on := range of.on {
			m.Tasks = append(m.Tasks, []int{on})
		}
		plan, sims := plainAnd(t, p, candidate{procs, m}, private(1<<20, 16, 0))
		exe, err := c.r.Metered(t.Context(), c.b, &plan.Meters)
		if err != nil {
			t.Fatal(err)
		}
		follow(t, c, exe, plan, sims)
		if waits := sims[1].Parallel() - sims[0].Parallel(); math.Abs(waits-of.waits) > 12*line {
			t.Errorf("on processors %v tasks wait for memory %.0f cycles, want %.0f", of.on, waits, of.waits)
		}
	}
}

// Tasks that run at the same time have blocks of their own, though those of a sequential run lie at one address.
func TestBlocksOfTasksByHand(t *testing.T) {
	c, procs, m := lined(t, "testdata/taskblocks.c")
	const line = 100.0
	plan, sims := plainAnd(t, c.b.Program, candidate{procs, m}, private(1<<20, 16, 0))
	exe, err := c.r.Metered(t.Context(), c.b, &plan.Meters)
	if err != nil {
		t.Fatal(err)
	}
	follow(t, c, exe, plan, sims)
	if spread := sims[0].Parallel() / sims[0].Sequential(); spread > 0.7 {
		t.Errorf("two processors take %.2f of the time of one: tasks are not spread", spread)
	}
	// Lines of a block, of what it is made of and of the stack, on each of the two: not some for each of 200 tasks.
	if waits := sims[1].Parallel() - sims[0].Parallel(); waits > 40*line {
		t.Errorf("tasks wait for memory %.0f cycles, want %.0f at most", waits, 40*line)
	}
}

// plainAnd makes simulators without memory and with it.
func plainAnd(t *testing.T, p *ir.Program, k candidate, m *replay.Memory) (*replay.Plan, []*replay.Simulator) {
	t.Helper()
	plan, err := replay.NewPlan(p, p.Func("main").Index, k.procs.Costs)
	if err != nil {
		t.Fatal(err)
	}
	var sims []*replay.Simulator
	for range 2 {
		sim, err := replay.NewSimulator(plan, k.m, k.procs.Costs, k.procs.ClockMHz, k.procs.Overheads, p)
		if err != nil {
			t.Fatal(err)
		}
		sims = append(sims, sim)
	}
	if err := sims[1].Through(m); err != nil {
		t.Fatal(err)
	}
	return plan, sims
}

func follow(t *testing.T, c *built, exe string, plan *replay.Plan, sims []*replay.Simulator) {
	t.Helper()
	s, _ := streams(t, programs.Run{})
	if _, err := c.r.Follow(context.Background(), c.b, exe, nil, s, func(events io.Reader) error {
		_, err := replay.Read(events, plan, sims)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestMemoryInTheOrderOfTime holds estimates on platforms with memory to a simulation of every access in the order
// of time: threads take chunks as they come, wait for locks, and execute tasks.
func TestMemoryInTheOrderOfTime(t *testing.T) {
	for _, p := range []struct {
		name           string
		limit, halving float64 // the latter of one, two and four processors with 8 and 32 KiB, where that is less
	}{
		{"histogram", 0.015, 0}, {"sparse", 0.018, 0}, {"triangle", 0.01, 0}, {"matmul", 0.01, 0},
		{"waiting", 0.025, 0}, {"mergesort", 0.02, 0.012}, {"queens", 0.01, 0}, {"wavefront", 0.02, 0},
	} {
		t.Run(p.name, func(t *testing.T) {
			if p.halving > 0 {
				if _, worst := estimatedWithMemory(t, filepath.Join(testdata, "parallel"), p.name, []int{8, 32}, someOfFour, "", ""); worst > p.halving {
					t.Errorf("estimates are up to %.2g%% off", 100*worst)
				}
			}
			sum, worst := estimatedWithMemory(t, filepath.Join(testdata, "parallel"), p.name, sizes, upToFour, "", "")
			if t.Logf("%.2g%% off at most, %.2g%% on average", 100*worst, 100*sum/16); worst > p.limit {
				t.Errorf("estimates are up to %.2g%% off", 100*worst)
			}
		})
	}
}

// Sizes of a first level, in KiB, and numbers of processors.
var sizes, upToFour, someOfFour = []int{8, 16, 32, 64}, []int{1, 2, 3, 4}, []int{1, 2, 4}

// TestMemoryOfPlatforms holds estimates on platforms with memory to a simulation of every access,
// which shares with them the costs of blocks and what the file says. The first level has four
// sizes, and a second one is shared. An estimate knows of a lane how far apart it uses lines, and of a sample of uses
// which lines share sets.
func TestMemoryOfPlatforms(t *testing.T) {
	sum, n := 0.0, 0
	for _, p := range []struct {
		name  string
		limit float64
	}{
		{"stencil", 0.02}, // a quarter of its array fits where the whole does not
		{"fft", 0.01}, {"cipher", 0.02}, {"dijkstra", 0.02}, {"openmp/local_arrays", 0.025}, {"openmp/nested", 0.01},
	} {
		t.Run(p.name, func(t *testing.T) {
			off, worst := estimatedWithMemory(t, testdata, p.name, sizes, upToFour, "", "")
			t.Logf("%.2g%% off at most", 100*worst)
			sum, n = sum+off, n+16
			if worst > p.limit {
				t.Errorf("estimates are up to %.2g%% off", 100*worst)
			}
		})
	}
	if mean := sum / float64(n); n == 0 || mean > 0.01 {
		t.Errorf("%d estimates are %.2g%% off on average", n, 100*mean)
	} else {
		t.Logf("%d estimates, %.2g%% off on average", n, 100*mean)
	}
}

// TestBufferedStores is the same where stores wait for nothing.
func TestBufferedStores(t *testing.T) {
	for name, limit := range map[string]float64{"stencil": 0.015, "fft": 0.015, "openmp/local_arrays": 0.015} {
		t.Run(name, func(t *testing.T) {
			if _, worst := estimatedWithMemory(t, testdata, name, sizes, upToFour, "", "  stores: buffered\n"); worst > limit {
				t.Errorf("estimates are up to %.2g%% off", 100*worst)
			}
		})
	}
}

// TestStoresOfArrays is of a program whose arrays are a little larger than the second level, so that which of their lines share sets
// decides what is there: of reads others than of writes. Stores wait, and do not. Where three and four threads end their parts of an array
// at one time, sections behind the loop find these ends in the cache that all share, which in the order of the run are gone: estimates,
// which know that order, are above replay by as much.
func TestStoresOfArrays(t *testing.T) {
	for _, stores := range []string{"wait", "buffered"} {
		for limit, processors := range map[float64][]int{0.02: {1, 2}, 0.035: {3}, 0.085: {4}} {
			if _, worst := of(t, "../cmd/pathspan/testdata/stores.c").estimatedOn(t, programs.Run{}, sizes, processors, "  stores: "+stores+"\n"); worst > limit {
				t.Errorf("%s, %d processors: estimates are up to %.2g%% off", stores, processors, 100*worst)
			}
		}
	}
}

// of builds a program of one source for its memory to be told of.
func of(t *testing.T, source string) *built {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	return tellsOfMemory(t, tc, []string{source}, nil)
}

// telling are the programs that were built to tell of memory, by their sources and flags: several tests
// ask about one, each on other platforms. Their files lie in tellingDir.
var (
	telling    = map[string]*built{}
	tellingDir string
)

func TestMain(m *testing.M) {
	var err error
	if tellingDir, err = os.MkdirTemp("", "pathspan-replay"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(tellingDir)
	os.Exit(status)
}

// tellsOfMemory builds a program once.
func tellsOfMemory(t *testing.T, tc *toolchain.Toolchain, sources, flags []string) *built {
	t.Helper()
	key := fmt.Sprint(sources, flags)
	if telling[key] == nil {
		dir, err := os.MkdirTemp(tellingDir, "")
		if err != nil {
			t.Fatal(err)
		}
		r := &record.Recorder{Toolchain: tc, Dir: dir}
		b, err := r.Build(t.Context(), record.Options{Sources: sources, Level: "2", CFlags: flags, Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		telling[key] = &built{r: r, b: b, runs: map[string]*profile.Bundle{}}
	}
	c := *telling[key]
	b := *c.b // whose Program tests replace
	c.b = &b
	return &c
}

// TestMemoryElsewhere is the same of programs of other machines: of all three where pointers have 32 bits, of one each
// elsewhere, of all with PATHSPAN_TEST_ALL=1.
func TestMemoryElsewhere(t *testing.T) {
	for _, target := range []string{"aarch64-linux-gnu", "arm-linux-gnueabihf", "riscv64-linux-gnu"} {
		for _, name := range []string{"fft", "dijkstra", "openmp/local_arrays"} {
			if target == "aarch64-linux-gnu" && name != "fft" || target == "riscv64-linux-gnu" && name != "openmp/local_arrays" {
				if os.Getenv("PATHSPAN_TEST_ALL") == "" {
					continue
				}
			}
			t.Run(target+"/"+name, func(t *testing.T) {
				if _, worst := estimatedWithMemory(t, testdata, name, []int{8, 32}, someOfFour, target, ""); worst > 0.03 {
					t.Errorf("estimates are up to %.2g%% off", 100*worst)
				}
			})
		}
	}
}

// estimatedWithMemory returns how far estimates of a program, of a target or of this machine, are off replay on so many
// processors with first levels of such sizes, added up, and at most. Where threads come to tasks at one time it hangs on single cycles which takes which: at
// most they are off by what the nearest is of those orders that estimates give a range for.
func estimatedWithMemory(t *testing.T, root, name string, kibs, processors []int, target, stores string) (sum, worst float64) {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	var flags []string
	if target != "" {
		flags = []string{"--target=" + target}
		if tc, err = tc.For(flags); err != nil {
			t.Fatal(err)
		}
		if err := tc.Ready(false, true); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	list, err := programs.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list, func(p *programs.Program) bool { return p.Name == name })
	if at < 0 {
		t.Fatalf("no program is %s", name)
	}
	p := list[at]
	return tellsOfMemory(t, tc, p.Paths(root), flags).estimatedOn(t, p.Small(), kibs, processors, stores)
}

// estimatedOn is estimatedWithMemory of a program that was built.
func (c *built) estimatedOn(t *testing.T, run programs.Run, kibs, processors []int, stores string) (sum, worst float64) {
	t.Helper()
	return c.scheduledOn(t, run, kibs, processors, stores, loops.Schedule{})
}

// scheduledOn is estimatedOn of a mapping that schedules all loops so, where it is not the program's own.
func (c *built) scheduledOn(t *testing.T, run programs.Run, kibs, processors []int, stores string, of loops.Schedule) (sum, worst float64) {
	t.Helper()
	c.profile(t, run)
	c.bundle = c.bundle.WithTeams(4)
	c.b.Program = c.bundle.Program
	var cands []candidate
	for _, kib := range kibs {
		for _, n := range processors {
			k := c.onMemory(t, kib, n, stores)
			for region := range k.m.Regions {
				for _, l := range k.m.Regions[region].Loops {
					if l != nil && of != (loops.Schedule{}) {
						l.Schedule, l.Computed = of, false
					}
				}
			}
			cands = append(cands, k)
		}
	}
	sims, _, _, err := c.replayed(t, run, "main", cands)
	if err != nil {
		t.Fatal(err)
	}
	a, err := estimate.Prepare(c.bundle, "main")
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range cands {
		e, r := k.byExecutions(t, a)
		off := math.Abs(r.ParallelCycles/sims[i].Parallel() - 1)
		t.Logf("first level of %d KiB, %d processors: %+.2g%% off, %+.2g%% in sequence", kibs[i/len(processors)], len(k.procs.Costs), 100*(r.ParallelCycles/sims[i].Parallel()-1), 100*(r.SequentialCycles/sims[i].Sequential()-1))
		if sum += off; off > 0.02 {
			rows, err := e.RowsUnder(estimate.ExecutionBased, k.m)
			if err != nil {
				t.Fatal(err)
			}
			orders, err := rows.InOrders(k.m, 16)
			if err != nil {
				t.Fatal(err)
			}
			for _, cycles := range orders {
				off = min(off, math.Abs(cycles/sims[i].Parallel()-1))
			}
			if len(orders) > 1 {
				t.Logf("  the nearest of %d orders is %.2g%% off", len(orders), 100*off)
			}
		}
		worst = max(worst, off)
	}
	return sum, worst
}

// TestPartsStayNear is of a program whose sections, or threads of loops, have parts of an array each in two constructs by turns: all of it
// fits into no cache of the smaller ones, and a part does.
func TestPartsStayNear(t *testing.T) {
	for name, args := range map[string][]string{"sections": nil, "loops": {"loops"}} {
		c := of(t, "testdata/parts.c")
		sum, worst := c.estimatedOn(t, programs.Run{Args: args}, sizes, upToFour, "")
		if t.Logf("%s: %.2g%% off at most, %.2g%% on average", name, 100*worst, 100*sum/16); worst > 0.05 || sum/16 > 0.015 {
			t.Errorf("%s: estimates are up to %.2g%% off, %.2g%% on average", name, 100*worst, 100*sum/16)
		}
	}
}

// TestOwnSecondLevels is of programs of which each construct uses what another wrote, where nothing is shared: a buffer that is filled and emptied by turns, and a
// few lines of which few bytes are another's.
func TestOwnSecondLevels(t *testing.T) {
	for _, name := range []string{"turns", "few"} {
		sum, worst := of(t, "testdata/"+name+".c").estimatedOn(t, programs.Run{}, sizes, upToFour, ownLevels)
		if t.Logf("%s: %.2g%% off at most, %.2g%% on average", name, 100*worst, 100*sum/16); worst > 0.01 {
			t.Errorf("%s: estimates are up to %.2g%% off", name, 100*worst)
		}
	}
}

// TestChunksOfMappings is of programs, most of whose loops are shared out in blocks, under mappings that have threads take chunks: who has which line is another then. With
// the lines of blocks estimates of sparse were up to 36 % too fast.
func TestChunksOfMappings(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	root := filepath.Join(testdata, "parallel")
	list, err := programs.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]float64{"triangle": 0.02, "sparse": 0.11}
	for _, p := range list {
		limit, ok := limits[p.Name]
		if !ok {
			continue
		}
		all, schedules := 0.0, []loops.Schedule{{Chunk: 1}, {Chunk: 4}, {Kind: loops.Dynamic, Chunk: 1, Order: loops.Nonmonotonic}}
		for _, s := range schedules {
			sum, worst := tellsOfMemory(t, tc, p.Paths(root), nil).scheduledOn(t, p.Small(), []int{8}, []int{2, 4}, ownLevels, s)
			if t.Logf("%s, %v: %.2g%% off at most", p.Name, s, 100*worst); worst > limit {
				t.Errorf("%s, %v: estimates are up to %.2g%% off", p.Name, s, 100*worst)
			}
			all += sum
		}
		t.Logf("%s: %.2g%% on average", p.Name, 100*all/float64(2*len(schedules)))
	}
}

// TestChunksPassThroughArrays is of a loop that passes through arrays again and again, with chunks shorter than a line and longer: each thread brings in the lines of
// others, which estimates knew nothing of and were up to 30 % too fast. On four processors a thread's chunks leave sets empty, too, which they still know nothing of. Before
// 17, clang makes four iterations one in place of two, of which it is not known which uses what.
func TestChunksPassThroughArrays(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	limits := map[int]float64{2: 0.02, 4: 0.09}
	if tc.Version < 17 {
		limits = map[int]float64{2: 0.05, 4: 0.26}
	}
	for _, levels := range []string{"", ownLevels} {
		for processors, limit := range limits {
			for _, chunk := range []int64{1, 4, 64} {
				if _, worst := of(t, "testdata/passed.c").scheduledOn(t, programs.Run{}, []int{32}, []int{processors}, levels, loops.Schedule{Chunk: chunk}); worst > limit {
					t.Errorf("second levels %q, %d processors, chunks of %d: estimates are up to %.2g%% off", levels, processors, chunk, 100*worst)
				}
			}
		}
	}
}

// TestOwnLevelsOfPlatforms is of programs whose processors have a second level each, where lines that threads use by turns wait for main memory: of histogram, waiting and
// triangle estimates said that they come and go up to 2.8 times as often as they do, and were 11, 9.2 and 3.4 % off. What sections inside of fft's used of others nobody waited for, and it was 8.5 % off; tasks
// of queens were taken to use a line each that others had last, and were 5.9 % off.
func TestOwnLevelsOfPlatforms(t *testing.T) {
	all := 0.0
	programs := map[string]float64{"fft": 0.025, "openmp/nested": 0.002, "parallel/histogram": 0.05, "parallel/waiting": 0.065, "parallel/triangle": 0.015, "parallel/queens": 0.01}
	for name, limit := range programs {
		root := testdata
		if inner, ok := strings.CutPrefix(name, "parallel/"); ok {
			root, name = filepath.Join(testdata, "parallel"), inner
		}
		sum, worst := estimatedWithMemory(t, root, name, []int{8}, []int{2, 4}, "", ownLevels)
		if t.Logf("%s: %.2g%% off at most, %.2g%% on average", name, 100*worst, 100*sum/2); worst > limit {
			t.Errorf("%s: estimates are up to %.2g%% off", name, 100*worst)
		}
		all += sum
	}
	if mean := all / float64(2*len(programs)); mean > 0.03 {
		t.Errorf("estimates are %.2g%% off on average", 100*mean)
	}
}

// TestHandedOn is of sections that each read all of what threads of a loop made, who have a part of it each, and of threads that take any iterations
// of a loop over a table. It was up to 11 % off with second levels of their own.
func TestHandedOn(t *testing.T) {
	for _, levels := range []string{"", ownLevels} {
		if _, worst := of(t, "testdata/handed.c").estimatedOn(t, programs.Run{}, []int{8, 32}, upToFour, levels); worst > 0.022 { // of which 0.3 hang on which uses are asked
			t.Errorf("second levels %q: estimates are up to %.2g%% off", levels, 100*worst)
		}
	}
}

// TestThreadsBringIn is of loops whose threads use what code outside of them wrote, all of a table, and arrays by columns of which others wrote the rows, where each
// processor has a second level of its own. Estimates were up to 45, 14 and 11 % off.
func TestThreadsBringIn(t *testing.T) {
	for _, name := range []string{"lookups", "columns", "hashed"} {
		sum, worst := of(t, "testdata/"+name+".c").estimatedOn(t, programs.Run{}, []int{8, 32}, someOfFour, ownLevels)
		if t.Logf("%s: %.2g%% off at most, %.2g%% on average", name, 100*worst, 100*sum/6); worst > 0.05 || sum/6 > 0.03 {
			t.Errorf("%s: estimates are up to %.2g%% off, %.2g%% on average", name, 100*worst, 100*sum/6)
		}
	}
}

// TestLoopsWithinLoops is of loops whose threads each meet another and execute it alone: what that uses comes to the thread of the outer one. Who of the inner
// one's threads would have it was taken for theirs, and estimates were up to 4.9 % below.
func TestLoopsWithinLoops(t *testing.T) {
	sum, worst := of(t, "testdata/inner.c").estimatedOn(t, programs.Run{}, []int{8}, []int{2, 4}, ownLevels)
	if t.Logf("%.2g%% off at most, %.2g%% on average", 100*worst, 100*sum/2); worst > 0.02 {
		t.Errorf("estimates are up to %.2g%% off", 100*worst)
	}
}

// TestOwnStacks is of tasks and sections that each fill a table on the stack, where the sequential program has one for all. They were taken to bring in
// what others had written there, and estimates were up to 29 % above.
func TestOwnStacks(t *testing.T) {
	sum, worst := of(t, "testdata/stacks.c").estimatedOn(t, programs.Run{}, []int{8}, []int{2, 4}, ownLevels)
	if t.Logf("%.2g%% off at most, %.2g%% on average", 100*worst, 100*sum/2); worst > 0.03 {
		t.Errorf("estimates are up to %.2g%% off", 100*worst)
	}
}

// TestSectionsReadTogether is of sections that read the same lines of others, so that of two on one processor the first brings them in for both. Estimates were up to
// 12 and 37 % off; of lists whose nodes share lines with those that a third section changes meanwhile they are still 11 % too fast.
func TestSectionsReadTogether(t *testing.T) {
	for name, limit := range map[string]float64{"fields": 0.03, "walkers": 0.12} {
		sum, worst := of(t, "testdata/"+name+".c").estimatedOn(t, programs.Run{}, []int{8, 32}, someOfFour, ownLevels)
		if t.Logf("%s: %.2g%% off at most, %.2g%% on average", name, 100*worst, 100*sum/6); worst > limit {
			t.Errorf("%s: estimates are up to %.2g%% off", name, 100*worst)
		}
	}
}

// TestShortSections is of a short section and a long one that use one line in the only execution of their construct. The long one was taken to lose
// it each time it used it, and to take up to eight times as long.
func TestShortSections(t *testing.T) {
	for _, levels := range []string{"", ownLevels} {
		if _, worst := of(t, "testdata/short.c").estimatedOn(t, programs.Run{}, []int{8}, []int{1, 2}, levels); worst > 0.02 {
			t.Errorf("second levels %q: estimates are up to %.2g%% off", levels, 100*worst)
		}
	}
}

// TestTasksReadOthers is of tasks that read what was written before the region, by the tasks of another phase, and by what made them, and of code
// that reads what they wrote, where each processor has a second level of its own, and where they share one. Estimates were up to 10 % below
func TestTasksReadOthers(t *testing.T) {
	for levels, limit := range map[string]float64{ownLevels: 0.045, "": 0.01} {
		sum, worst := of(t, "testdata/phases.c").estimatedOn(t, programs.Run{}, []int{8, 32}, someOfFour, levels)
		if t.Logf("%.2g%% off at most, %.2g%% on average", 100*worst, 100*sum/6); worst > limit {
			t.Errorf("estimates are up to %.2g%% off", 100*worst)
		}
	}
}

// TestThreadsReadOneTable is of a loop whose threads use the same lines, so that they do not crowd each other. Estimates were up to 45 % above.
func TestThreadsReadOneTable(t *testing.T) {
	if _, worst := of(t, "testdata/common.c").estimatedOn(t, programs.Run{}, []int{8, 32}, someOfFour, ""); worst > 0.01 {
		t.Errorf("estimates are up to %.2g%% off", 100*worst)
	}
}

// Threads share what a loop does that became one call: its accesses, too, and what is copied for them.
func TestLoopsOfOneCall(t *testing.T) {
	for _, kibs := range [][]int{sizes, {-8, -32}} {
		if _, worst := of(t, "testdata/filled.c").estimatedOn(t, programs.Run{}, kibs, upToFour, ""); worst > 0.01 {
			t.Errorf("first levels of %v KiB: estimates are up to %.2g%% off", kibs, 100*worst)
		}
	}
}

// TestCopiesOfPlatforms holds estimates on platforms whose processors but one work on memories of their own to what replay
// copies. An estimate knows of averages what is copied, and that threads of a loop share it evenly.
func TestCopiesOfPlatforms(t *testing.T) {
	for _, name := range []string{"fft", "cipher", "dijkstra", "openmp/local_arrays", "openmp/nested"} {
		t.Run(name, func(t *testing.T) {
			sum, worst := estimatedWithMemory(t, testdata, name, []int{-8, -32}, someOfFour, "", "")
			if t.Logf("%.2g%% off at most, %.2g%% on average", 100*worst, 100*sum/6); worst > 0.1 {
				t.Errorf("estimates are up to %.2g%% off", 100*worst)
			}
		})
	}
}

// ownLevels says in place of stores that each processor has a second level of its own.
const ownLevels = "own"

// onMemory is OpenMP's mapping onto equal processors with a first level of so many KiB. Where that is below 0, all but the
// first have memories of their own behind it, which a bus fills; of such levels any line lies anywhere, so that estimates
// know exactly what they miss.
func (c *built) onMemory(t *testing.T, kib, processors int, stores string) candidate {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.yaml")
	shared := ""
	if processors > 1 && stores != ownLevels {
		shared = ", shared: true"
	}
	text := fmt.Sprintf("processors: [{name: c, model: generic, clock_mhz: 500, count: %d}]\nmemory:\n  levels:\n    - {name: L1, size: %d, line: 64, ways: 4}\n    - {name: L2, size: 262144, line: 64, ways: 8, latency: 12%s}\n  main: {latency: 100}\n", processors, kib<<10, shared)
	if kib < 0 {
		text = fmt.Sprintf("processors: [{name: m, model: generic, clock_mhz: 500}]\nmemory:\n  levels:\n    - {name: L1, size: %d, line: 64}\n  main: {latency: 50}\n", -kib<<10)
		if processors > 1 {
			text = strings.Replace(text, "500}", fmt.Sprintf("500}, {name: c, model: generic, clock_mhz: 500, count: %d}", processors-1), 1)
			names := []string{"c", "c0, c1", "c0, c1, c2"}[processors-2]
			text = strings.Replace(text, "  main", "  local: [{name: pad, size: 4194304, latency: 10, processors: ["+names+"]}]\n  main", 1) + "interconnect: {bus: {mhz: 500, latency: 40, bytes_per_cycle: 4}}\n"
		}
	}
	if stores != ownLevels {
		text = strings.Replace(text, "memory:\n", "memory:\n"+stores, 1)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	pl, err := mapping.LoadPlatform(file)
	if err != nil {
		t.Fatal(err)
	}
	procs, err := (&estimate.Pricer{Program: c.bundle.Program}).Processors(t.Context(), pl)
	if err != nil {
		t.Fatal(err)
	}
	return candidate{procs, mapping.Default(pl, c.bundle.Program)}
}
