package profile

// This file holds the library that keeps executions (runtime/executions.c, forest.c) to a
// model of it, on random programs' events, and both to their bounds.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pathspan/build"
	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir"
)

// The made-up program of these tests: two kinds of work, three regions, sections by
// construct.
const testKinds = 2

const testTasks = 2

var testWeights = []uint32{8, 20}

var testSections = [][]int{{2}, {3, 1}, {2}, {1, 2, 1}}

// streakRegion is the one in which threads do not wait behind the first construct, which goes
// on to the second, nor behind the third.
const streakRegion = 3

func goesOn(from, to int) bool { return from == 0 && to < 2 || from == 2 && to == 2 }

// driver compiles the library with what drives it.
func driver(t testing.TB) string {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	exe := filepath.Join(t.TempDir(), "drive")
	// A last region has a loop. Behind the constructs of each is the end of blocks.
	first, sections, traits := []string{"0"}, []string{}, []string{}
	add := func(lanes, of int) {
		sections, traits = append(sections, fmt.Sprint(lanes)), append(traits, fmt.Sprint(of))
	}
	const loop, on, withNext = 1, 2, 4
	for i, r := range append(testSections[:len(testSections):len(testSections)], []int{2}) {
		some := 0
		for c, n := range r {
			of := 0
			switch {
			case i == len(testSections):
				of = loop
			case i == streakRegion && c == 0:
				of, some = on|withNext, on
			case i == streakRegion && c == 2:
				of = on
			}
			add(n, of)
		}
		add(0, some)
		first = append(first, fmt.Sprint(len(sections)))
	}
	for _, n := range ir.TaskLanes(testTasks) { // behind the last region stand tasks
		add(n, 0)
	}
	first = append(first, fmt.Sprint(len(sections)), fmt.Sprint(len(sections))) // no locks
	for range len(testSections) + 1 {                                           // and streaks
		add(1, 0)
	}
	first = append(first, fmt.Sprint(len(sections)))
	cmd := exec.Command(tc.Clang, "-O1", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=all",
		fmt.Sprintf("-DKINDS=%d", testKinds), fmt.Sprintf("-DWEIGHTS=%d,%d", testWeights[0], testWeights[1]), fmt.Sprintf("-DREGIONS=%d", len(testSections)+1),
		"-DCONSTRUCTS="+strings.Join(first, ","), "-DSECTIONS="+strings.Join(sections, ","), "-DTRAITS="+strings.Join(traits, ","),
		"testdata/drive.c", "-o", exe)
	for _, source := range append(build.Executions(), "tasks.c") {
		cmd.Args = append(cmd.Args, "../build/runtime/"+source)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "ubsan") { // no sanitizers installed
			cmd = exec.Command(cmd.Args[0], append(cmd.Args[1:3:3], cmd.Args[5:]...)...)
			out, err = cmd.CombinedOutput()
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return exe
}

// TestLibrary runs the library, compiled once.
func TestLibrary(t *testing.T) {
	exe := driver(t)
	for name, test := range map[string]func(*testing.T, string){
		"is its model": testLibraryIsItsModel, "bounded": testExecutionsAreBounded, "long lanes": testLongLanes,
		"task order": testTaskOrder, "task recursion": testTaskRecursion, "included tasks": testIncludedTasks, "task dependences": testTaskDependences,
		"deep regions": testDeepRegions, "forked": testForkedExecutions,
		"left executions": testLeftExecutions, "left anywhere": testLeftAnywhere, "left loops": testLeftLoops,
		"loops": testLoopsAreCurves, "varied loops": testVariedLoops,
	} {
		t.Run(name, func(t *testing.T) { test(t, exe) })
	}
}

// script is the events of a run, as the driver reads them.
type script []uint64

func (s *script) add(words ...uint64) { *s = append(*s, words...) }

func (s *script) work(w ...uint64) {
	for k, n := range w {
		s.add(0, uint64(k), n)
	}
}

func (s *script) mark(kind, region, construct, section int) {
	s.add(1, probe.Event(kind, region, construct, section))
}

// drive runs the library on a script.
func drive(t testing.TB, exe string, s script) (trees rawTrees, words []uint64) {
	t.Helper()
	var in []byte
	for _, w := range s {
		in = binary.LittleEndian.AppendUint64(in, w)
	}
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, in, 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(exe, file)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	r := &rawReader{data: out}
	trees = r.trees()
	if r.err != nil || len(r.data) > 0 {
		t.Fatalf("%v, %d bytes left", r.err, len(r.data))
	}
	for i := 0; i < len(out); i += 8 {
		words = append(words, binary.LittleEndian.Uint64(out[i:]))
	}
	return trees, words
}

// player plays a random program: it writes its events, and plants the trees that they are.
type player struct {
	r     *rand.Rand
	s     script
	f     *forest
	work  func() uint64 // that is done in one go
	deep  int           // regions nest so deep
	alike int           // how often what a lane executes is executed again
}

// do does some work and returns it.
func (p *player) do() []uint64 {
	w := []uint64{p.work(), p.work()}
	p.s.work(w...)
	return w
}

func plus(to, w []uint64) {
	for k := range w {
		to[k] += w[k]
	}
}

// region plays a region. It adds its parts to the lane around it, if there is one.
func (p *player) region(region, depth int, lane *[]treePart, own []uint64) {
	p.s.mark(1, region, 0, 0)
	order := []int{0, 1}[:min(2, len(testSections[region]))]
	if region == streakRegion {
		order = nil
		for range p.r.Intn(5) {
			order = append(order, p.r.Intn(3))
		}
	}
	var streak []treePart
	last := 0
	end := func() {
		if len(streak) == 1 {
			p.hold(streak[0].child, lane, own)
		} else if len(streak) > 1 {
			p.hold(p.put(tree{region: len(testSections) + 3, construct: region, count: 1, lanes: [][]treePart{streak}}), lane, own)
		}
		streak = nil
	}
	for _, construct := range order {
		plus(own, p.do())
		if streak != nil && !goesOn(last, construct) {
			end()
		}
		t := tree{region: region, construct: construct, count: 1}
		for section := range testSections[region][construct] {
			p.s.mark(3, region, construct, section)
			t.lanes = append(t.lanes, p.lane(depth))
			p.s.mark(4, region, construct, section)
		}
		if last = construct; region == streakRegion {
			streak = append(streak, treePart{p.put(t), 1, make([]uint64, testKinds)})
		} else {
			p.hold(p.put(t), lane, own)
		}
	}
	plus(own, p.do())
	end()
	p.s.mark(2, region, 0, 0)
}

// put plants an execution.
func (p *player) put(t tree) int {
	id, ok := p.f.put(t)
	if !ok {
		p.f = nil // the bounds are tested elsewhere
		panic("pathprof: player: the program is too large")
	}
	return id
}

// hold adds an execution to the lane around it, or to the roots.
func (p *player) hold(id int, lane *[]treePart, own []uint64) {
	if lane == nil {
		p.f.trees[id].roots++
		return
	}
	*lane = append(*lane, treePart{id, 1, append([]uint64(nil), own...)})
	clear(own)
}

func (p *player) lane(depth int) []treePart {
	var lane []treePart
	own := p.do()
	if depth < p.deep {
		for range p.r.Intn(3) {
			region, seed := p.r.Intn(len(testSections)), p.r.Int63()
			for range 1 + p.r.Intn(p.alike) {
				p.r = rand.New(rand.NewSource(seed))
				p.region(region, depth+1, &lane, own)
			}
		}
	}
	if len(lane) == 0 || own[0]+own[1] > 0 {
		lane = append(lane, treePart{-1, 1, own})
	}
	return lane
}

func play(seed int64, regions int) *player {
	r := rand.New(rand.NewSource(seed))
	p := &player{r: r, f: newForest(testWeights, allFiner, finerGrid, 0), deep: r.Intn(4), alike: 1 + r.Intn(4)}
	p.work = func() uint64 { return uint64(p.r.Intn(3)) * uint64(p.r.Intn(40)) }
	for range regions {
		p.r = rand.New(rand.NewSource(r.Int63()))
		p.do() // outside of all, and nobody's
		p.region(p.r.Intn(len(testSections)), 0, nil, make([]uint64, testKinds))
	}
	return p
}

func allFiner(region int) bool { return true }

// withTasks is a program that makes tasks.
var withTasks = &ir.Program{Tasks: make([]ir.Task, 1)}

func testHeader() Executions {
	return Executions{Kinds: []string{"a", "b"}, Weights: testWeights, Grid: finerGrid}
}

// testLibraryIsItsModel: on random programs whose executions fit, the library's entries are
// those of the model, whether one run does all, or several add up.
func testLibraryIsItsModel(t *testing.T, exe string) {
	for seed := range int64(60) {
		p := play(seed, 1+int(seed)%20)
		got, words := drive(t, exe, p.s)
		want := executionsOf(p.f.trees, testHeader())
		if x := executionsOf(got.trees, testHeader()); !reflect.DeepEqual(x, want) || got.grid != finerGrid || got.depth != 0 {
			t.Fatalf("seed %d: %d entries, want %d; grid %d, depth %d\n%+v\n%+v", seed, len(got.trees), len(p.f.trees), got.grid, got.depth, x, want)
		}
		// Another run adds to the file that this one left, and merging bundles does the same.
		q := play(seed+1000, 5)
		one := append(append(script{}, q.s...), p.s...)
		whole, _ := drive(t, exe, one)
		sum, _ := drive(t, exe, append(append(script{}, q.s...), append(script{2, uint64(len(words))}, words...)...))
		all := executionsOf(whole.trees, testHeader())
		if x := executionsOf(sum.trees, testHeader()); !reflect.DeepEqual(x, all) {
			t.Fatalf("seed %d: added to a file, %d entries, want %d", seed, len(sum.trees), len(whole.trees))
		}
		merged, left, _ := mergeExecutions([]*Bundle{{Program: withTasks, Executions: want}, {Program: withTasks, Executions: executionsOf(q.f.trees, testHeader())}})
		if left != 0 || !reflect.DeepEqual(merged, all) {
			t.Fatalf("seed %d: merged, %d entries, want %d", seed, len(merged.Entries), len(all.Entries))
		}
	}
}

// sums adds up what trees did, by construct and kind, and how often each was executed.
func sums(trees []tree) (work map[[3]int]uint64, count map[[2]int]uint64, roots uint64) {
	work, count = map[[3]int]uint64{}, map[[2]int]uint64{}
	for _, e := range trees {
		count[[2]int{e.region, e.construct}] += e.count
		roots += e.roots
		for _, lane := range e.lanes {
			for _, p := range lane {
				for k, s := range p.sum {
					work[[3]int{e.region, e.construct, k}] += s
				}
			}
		}
	}
	return work, count, roots
}

// total is all work of trees, by kind.
func total(trees []tree) (all [testKinds]uint64) {
	work, _, _ := sums(trees)
	for at, n := range work {
		all[at[2]] += n
	}
	return all
}

// sorter plays quicksort of random lists: recursion of a region whose trees all differ.
func sorter(r *rand.Rand, s *script, all *[testKinds]uint64, n int) {
	work := []uint64{uint64(n), uint64(r.Intn(10*n + 1))}
	s.work(work...)
	for k, w := range work {
		all[k] += w
	}
	if n < 2 {
		return
	}
	pivot := r.Intn(n)
	s.mark(1, 0, 0, 0)
	s.mark(3, 0, 0, 0)
	sorter(r, s, all, pivot)
	s.mark(4, 0, 0, 0)
	s.mark(3, 0, 0, 1)
	sorter(r, s, all, n-1-pivot)
	s.mark(4, 0, 0, 1)
	s.mark(2, 0, 0, 0)
}

// sorted is a program that sorts lists in a section of another region.
func sorted(seed int64, lists, size int) (s script, all [testKinds]uint64) {
	r := rand.New(rand.NewSource(seed))
	for range lists {
		s.mark(1, 2, 0, 0)
		s.mark(3, 2, 0, 0)
		sorter(r, &s, &all, size)
		s.mark(4, 2, 0, 0)
		s.mark(3, 2, 0, 1)
		s.mark(4, 2, 0, 1)
		s.mark(2, 2, 0, 0)
	}
	return s, all
}

func checkBounds(t testing.TB, what string, trees []tree) {
	t.Helper()
	parts, of := 0, map[[2]int]int{}
	for i, e := range trees {
		of[[2]int{e.region, e.construct}]++
		for _, lane := range e.lanes {
			if parts += len(lane); len(lane) == 0 || len(lane) > mostLaneParts {
				t.Errorf("%s: a lane of %d parts", what, len(lane))
			}
			for _, p := range lane {
				if p.child >= i {
					t.Errorf("%s: entry %d holds entry %d", what, i, p.child)
				}
			}
		}
	}
	for c, n := range of {
		if n > mostOfOne {
			t.Errorf("%s: %d entries of construct %v", what, n, c)
		}
	}
	if len(trees) > mostEntries || parts > mostParts {
		t.Errorf("%s: %d entries of %d parts", what, len(trees), parts)
	}
	x := executionsOf(trees, testHeader())
	if err := x.checkCounts(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// testExecutionsAreBounded sorts lists whose trees all differ, more and more of them: sums
// stay exact, bounds hold, and what is made coarser is told. Merging obeys the same.
func testExecutionsAreBounded(t *testing.T, exe string) {
	var bundles []*Bundle
	var whole [testKinds]uint64
	for _, c := range []struct {
		lists, size int
		coarse      bool
	}{{1, 300, false}, {40, 300, true}, {3, 20000, true}, {200, 2000, true}} {
		s, all := sorted(int64(c.size), c.lists, c.size)
		got, _ := drive(t, exe, s)
		what := fmt.Sprintf("%d lists of %d: %d entries, grid %d, depth %d", c.lists, c.size, len(got.trees), got.grid, got.depth)
		t.Log(what)
		if coarse := got.grid < finerGrid || got.depth > 0; coarse != c.coarse {
			t.Error(what)
		}
		checkBounds(t, what, got.trees)
		if sum := total(got.trees); sum != all {
			t.Errorf("%s: work %v, want %v", what, sum, all)
		}
		if _, _, roots := sums(got.trees); roots != uint64(c.lists) {
			t.Errorf("%s: %d roots", what, roots)
		}
		for k := range whole {
			whole[k] += all[k]
		}
		h := testHeader()
		h.Grid, h.Depth = got.grid, got.depth
		bundles = append(bundles, &Bundle{Program: withTasks, Executions: executionsOf(got.trees, h)})
	}
	merged, _, _ := mergeExecutions(bundles)
	checkBounds(t, "merged", merged.trees())
	if sum := total(merged.trees()); sum != whole {
		t.Errorf("merged: work %v, want %v", sum, whole)
	}
	for range 3 { // in any order
		rand.Shuffle(len(bundles), func(i, j int) { bundles[i], bundles[j] = bundles[j], bundles[i] })
		if again, _, _ := mergeExecutions(bundles); !reflect.DeepEqual(again, merged) {
			t.Error("the order of merging matters")
		}
	}
}

// testLongLanes executes more different regions in a lane than are told apart.
func testLongLanes(t *testing.T, exe string) {
	var s script
	r := rand.New(rand.NewSource(3))
	var all [testKinds]uint64
	for range 3 {
		s.mark(1, 2, 0, 0)
		for section := range 2 {
			s.mark(3, 2, 0, section)
			for range 3000 {
				s.mark(1, 0, 0, 0)
				for inner := range 2 {
					w := []uint64{uint64(r.Intn(1 << 20)), uint64(r.Intn(1 << 20))}
					s.mark(3, 0, 0, inner)
					s.work(w...)
					all[0], all[1] = all[0]+w[0], all[1]+w[1]
					s.mark(4, 0, 0, inner)
				}
				s.mark(2, 0, 0, 0)
			}
			s.mark(4, 2, 0, section)
		}
		s.mark(2, 2, 0, 0)
	}
	got, _ := drive(t, exe, s)
	checkBounds(t, "long lanes", got.trees)
	if sum := total(got.trees); sum != all {
		t.Errorf("work %v, want %v", sum, all)
	}
	if _, count, _ := sums(got.trees); count[[2]int{2, 0}] != 3 || got.depth == 0 && count[[2]int{0, 0}] != 18000 {
		t.Errorf("executions %v, depth %d", count, got.depth)
	}
}

// testDeepRegions nests regions deeper than are followed.
func testDeepRegions(t *testing.T, exe string) {
	var s script
	const deep = 1100
	for range deep {
		s.mark(1, 0, 0, 0)
		s.mark(3, 0, 0, 0)
		s.work(1, 2)
	}
	for range deep {
		s.mark(4, 0, 0, 0)
		s.mark(3, 0, 0, 1)
		s.work(3, 0)
		s.mark(4, 0, 0, 1)
		s.mark(2, 0, 0, 0)
	}
	got, _ := drive(t, exe, s)
	if got.depth != 1024 || len(got.trees) != 1024 || total(got.trees) != [testKinds]uint64{4 * deep, 2 * deep} {
		t.Errorf("%d entries, depth %d, work %v", len(got.trees), got.depth, total(got.trees))
	}
}

// testForkedExecutions: a child keeps what is held by what is under way, and no more.
func testForkedExecutions(t *testing.T, exe string) {
	p := play(7, 20)
	s := p.s
	s.mark(1, 2, 0, 0)
	s.mark(3, 2, 0, 0)
	for range 3 {
		s.mark(1, 0, 0, 0)
		for section := range 2 {
			s.mark(3, 0, 0, section)
			s.work(100, 50)
			s.mark(4, 0, 0, section)
		}
		s.mark(2, 0, 0, 0)
	}
	s.add(3)
	s.mark(4, 2, 0, 0)
	s.mark(3, 2, 0, 1)
	s.mark(4, 2, 0, 1)
	s.mark(2, 2, 0, 0)
	got, _ := drive(t, exe, s)
	_, count, roots := sums(got.trees)
	if len(got.trees) != 2 || count[[2]int{0, 0}] != 3 || count[[2]int{2, 0}] != 1 || roots != 1 || total(got.trees) != [testKinds]uint64{600, 300} {
		t.Errorf("%d entries, executions %v, %d roots, work %v", len(got.trees), count, roots, total(got.trees))
	}
}

// TestPlantingKeepsSums cuts random trees at random depths, in random grids.
func TestPlantingKeepsSums(t *testing.T) {
	for seed := range int64(200) {
		p := play(seed, 10)
		want, _, _ := sums(p.f.trees)
		var all uint64
		for _, n := range want {
			all += n
		}
		for _, grid := range []int{32, 4, 1, 0} {
			for depth := range 4 {
				f := plant(p.f.trees, testWeights, allFiner, grid, depth)
				checkBounds(t, fmt.Sprintf("seed %d grid %d depth %d", seed, grid, depth), f.trees)
				if depth > 0 && slices.Max(heights(f.trees)) > depth {
					t.Fatalf("seed %d: %d high, want %d", seed, slices.Max(heights(f.trees)), depth)
				}
				got, _, _ := sums(f.trees)
				if depth == 0 && !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d grid %d: work %v, want %v", seed, grid, got, want)
				}
				var sum uint64
				for _, n := range got {
					sum += n
				}
				if sum != all {
					t.Fatalf("seed %d grid %d depth %d: work %d, want %d", seed, grid, depth, sum, all)
				}
			}
		}
	}
}

// TestEveryShapeBecomesOne: where no grid suffices, depths do.
func TestEveryShapeBecomesOne(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	trees := randomTrees(r, 9000, 1, 2, 2) // each of another shape
	for i := range trees {
		trees[i].roots, trees[i].count = 0, 0
	}
	trees[len(trees)-1].roots = 1
	for i := len(trees) - 1; i > len(trees)-6000; i-- {
		trees[i].roots = 1
	}
	f := plantWithin(trees, []uint32{1}, allFiner, finerGrid, 0)
	if f.grid != 0 || f.depth == 0 || len(f.trees) == 0 {
		t.Errorf("%d entries, grid %d, depth %d", len(f.trees), f.grid, f.depth)
	}
	checkBounds(t, "shapes", f.trees)
}

// loop plays a worksharing loop of which so many iterations go together, and returns the
// work of its iterations, cumulated.
func (s *script) loop(n, step int, work func(i int) uint64) []uint64 {
	region := len(testSections)
	s.mark(1, region, 0, 0)
	s.add(4, uint64(n), 3)
	s.mark(3, region, 0, 0)
	sums := []uint64{0}
	for i := 0; i < n; i += step {
		s.add(5, probe.Event(probe.Iteration, region, 0, step), uint64(step))
		for j := i; j < min(n, i+step); j++ {
			sums = append(sums, sums[j]+work(j))
		}
		s.work(sums[len(sums)-1]-sums[i], 0)
	}
	s.mark(4, region, 0, 0)
	s.mark(2, region, 0, 0)
	return sums
}

// testLoopsAreCurves: what is kept of one execution of a loop is the work of its first
// iterations, for as many of them as runs of blocks end with.
func testLoopsAreCurves(t *testing.T, exe string) {
	for _, c := range []struct{ n, step, most int }{{1, 1, 1}, {7, 1, 7}, {100, 1, 100}, {512, 4, 128}, {5000, 1, 512}, {6000, 8, 512}, {100000, 1, 512}} {
		for what, work := range map[string]func(i int) uint64{
			"even": func(int) uint64 { return 5 }, "triangle": func(i int) uint64 { return uint64(i) },
			"steps": func(i int) uint64 { return uint64(1 + 99*(i*3/c.n%2)) }, "uneven": func(i int) uint64 { return uint64(i*7919%101) * uint64(1+i%3) },
		} {
			var s script
			want := s.loop(c.n, c.step, work)
			got, _ := drive(t, exe, s)
			var loop *tree
			for i := range got.trees {
				if len(got.trees[i].lanes) == 2 && got.trees[i].region == len(testSections) {
					loop = &got.trees[i]
				}
			}
			if loop == nil || loop.count != 1 || loop.roots != 1 {
				t.Fatalf("%s, %+v: no loop in %+v", what, c, got.trees)
			}
			if n := loop.lanes[1]; len(n) != 1 || n[0].sum[0] != uint64(c.n) || n[0].times != 3 {
				t.Errorf("%s, %+v: %+v iterations and chunk", what, c, n)
			}
			blocks := uint64(0)
			for _, p := range loop.lanes[0] {
				blocks += p.times
			}
			if what == "even" && len(loop.lanes[0]) > 3 {
				t.Errorf("%+v: %d runs of blocks that are alike", c, len(loop.lanes[0]))
			}
			block := 1
			for (c.n+block-1)/block > 512 {
				block *= 2
			}
			if blocks != uint64((c.n+block-1)/block) {
				t.Errorf("%s, %+v: %d blocks", what, c, blocks)
			}
			over, sum := uint64(0), uint64(0)
			for _, p := range loop.lanes[0] {
				over, sum = over+p.times, sum+p.sum[0]
				at := min(uint64(c.n), over*uint64(block))
				at = min(uint64(c.n), (at+uint64(c.step)-1)/uint64(c.step)*uint64(c.step))
				if sum != want[at] {
					t.Fatalf("%s, %+v: %d of %d blocks are %d work, the first %d iterations %d", what, c, over, blocks, sum, at, want[at])
				}
			}
		}
	}
}

// testVariedLoops: executions of a loop that differ in their iterations add up, within
// bounds, whatever is joined.
func testVariedLoops(t *testing.T, exe string) {
	var s script
	total, iterations := uint64(0), uint64(0)
	r := rand.New(rand.NewSource(1))
	for range 6000 {
		n := r.Intn(300)
		iterations += uint64(n)
		sums := s.loop(n, 1, func(int) uint64 { return uint64(r.Intn(1000)) })
		total += sums[n]
	}
	got, _ := drive(t, exe, s)
	work, count, held := uint64(0), uint64(0), uint64(0)
	for _, x := range got.trees {
		if len(x.lanes) == 2 {
			count += x.count
			for _, p := range x.lanes[0] {
				work += p.sum[0]
			}
			for _, p := range x.lanes[1] {
				held += p.sum[0]
			}
		}
	}
	if work != total || count != 6000 || held != iterations || len(got.trees) > mostOfOne+1 {
		t.Errorf("%d executions of %d iterations and %d work in %d entries, want 6000, %d and %d", count, held, work, len(got.trees), iterations, total)
	}
}
