package memory

// This file holds what the run-time library tells of lines that are shared, and of sets, to what can be counted by hand, or in another way.

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

const lineAt = 0x10000000

// steps uses two lines by turns, so often: the first is read and written, or only read.
func steps(trace []event, n int, shared, own uint64, writes bool) []event {
	for range n {
		trace = append(trace, event{readEvent, 1, shared, 8})
		if writes {
			trace = append(trace, event{writeEvent, 1, shared, 8})
		}
		trace = append(trace, event{writeEvent, 2, own, 8})
	}
	return trace
}

// Sections count in words of one line: of each two one loses it to what the other writes while both use it, by their accesses, but for the first time,
// and no more often than the other writes. What a section did that came before anybody knew that the line is shared counts as much as what the
// other does while it was under way.
func TestSharedBySections(t *testing.T) {
	exe := player(t)
	late := 0 // accesses of the second, before it uses the line
	twice := func(first, second int, secondAt uint64, writes, made bool) []event {
		var trace []event
		for range 2 {
			trace = append(trace, event{laneBegin, 1}, event{sectionBegin, 2, 2})
			trace = append(steps(trace, first, lineAt, lineAt+64, writes), event{laneEnd, 2}, event{sectionBegin, 3, 2})
			if made {
				trace = append(trace, event{variableEvent, 1, lineAt, 16})
			}
			for range late {
				trace = append(trace, event{writeEvent, 2, lineAt + 192, 8})
			}
			trace = append(steps(trace, second, secondAt, lineAt+192, writes), event{laneEnd, 3}, event{laneEnd, 1})
		}
		return trace
	}
	type lost = [2]uint64 // by the second lane, or all that one did; by the first
	cases := []struct {
		name  string
		trace []event
		want  map[[2]int]lost // by lanes
	}{
		// Of an access that reads and one that writes, one behind the other, both are uses. In the first execution it is found.
		{"as often", twice(5, 5, lineAt+8, true, false), map[[2]int]lost{{2, 2}: {10}, {3, 2}: {4 + 4, 5 + 4}, {3, 3}: {20}}},
		// The second uses the line in 8 of the 14 accesses in which the first does: 8/14 of 4 times.
		{"the second less", twice(5, 3, lineAt+8, true, false), map[[2]int]lost{{2, 2}: {10}, {3, 2}: {2 + 2, 3 + 2}, {3, 3}: {12}}},
		// The first in 5 of 20: 5/20 of 6 times, and once. In the first execution it was under way in 6 of them: 6/20 of 6 times, and of 7.
		{"the first less", twice(2, 7, lineAt+8, true, false), map[[2]int]lost{{2, 2}: {4}, {3, 2}: {3, 3}, {3, 3}: {28}}},
		{"other lines", twice(5, 5, lineAt+128, true, false), map[[2]int]lost{}},
		{"only read", twice(5, 5, lineAt+8, false, false), map[[2]int]lost{}},
		{"a variable of its own", twice(5, 5, lineAt+8, true, true), map[[2]int]lost{}},
	}
	late = 20
	cases = append(cases, cases[0])
	last := &cases[len(cases)-1]
	last.name, last.trace, last.want = "at other times", twice(3, 3, lineAt+8, true, false), map[[2]int]lost{{2, 2}: {6}, {3, 3}: {12}}
	for _, c := range cases {
		got := map[[2]int]lost{}
		for _, s := range played(t, exe, traced(), c.trace).Shared {
			if got[[2]int{s.Lane, s.With}] = (lost{s.Again, s.Fresh}); s.Apart != 0 {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// use is one of a line by an iteration of a loop, so many uses of any lines after it began.
type use struct {
	iteration, at int
	line          uint64
	writes        bool
}

// turnsOf is a second account of what threads lose: each has a list of its iterations, and all go on by a single use of any line at a time.
func turnsOf(uses []use, starts []int, of [][]int) (first, again float64) {
	type thread struct {
		next, lost, work int
		uses             []use
	}
	threads := make([]thread, len(of))
	for t, iterations := range of {
		x := &threads[t]
		for _, i := range iterations {
			for _, u := range uses {
				if u.iteration == i {
					u.at += x.work - starts[i]
					x.uses = append(x.uses, u)
				}
			}
			x.work += starts[i+1] - starts[i]
		}
	}
	had, has, written := map[uint64]map[int]bool{}, map[uint64]map[int]bool{}, map[uint64]bool{}
	for now, left := 0, true; left; now++ {
		left = false
		for t := range threads {
			x := &threads[t]
			for x.next < len(x.uses) && x.uses[x.next].at+20*x.lost == now {
				u := x.uses[x.next]
				if had[u.line] == nil {
					had[u.line], has[u.line] = map[int]bool{}, map[int]bool{}
				}
				switch {
				case has[u.line][t]:
				case had[u.line][t]:
					again++
					x.lost++
				case written[u.line]:
					first++
					x.lost++
				}
				if u.writes {
					written[u.line] = true
					clear(has[u.line])
				}
				had[u.line][t], has[u.line][t] = true, true
				x.next++
			}
			left = left || x.next < len(x.uses)
		}
	}
	end, work := 0, 0
	for _, x := range threads {
		end, work = max(end, x.work+20*x.lost), max(work, x.work)
	}
	if all := first + again; all > 0 {
		each := float64(end-work) / 20 * float64(len(of)) / all
		return first * each, again * each
	}
	return 0, 0
}

// What threads of a loop lose of lines that its iterations share, against a second account: of threads that have blocks, and of such as take one iteration each
// time. In the first execution it is found which lines are shared, so that is taken off.
func TestTurnsOfThreads(t *testing.T) {
	exe := player(t)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 23))
		iterations, lines := 8+r.IntN(30), 1+r.IntN(5)
		var uses []use
		starts := []int{0}
		execution := []event{{laneBegin, 1}, {loopLane, 4}, {loopBegin, 1, 0}}
		at := 0
		for i := range iterations {
			if i > 0 {
				execution = append(execution, event{turnNext, 1})
			}
			execution = append(execution, event{loopBegin, 2, 1})
			for round := range 18 + r.IntN(10) {
				if round > 0 {
					execution = append(execution, event{loopNext, 2})
				}
				if r.IntN(3) == 0 || i < 2 && round < lines {
					u := use{i, at, uint64(r.IntN(lines)), r.IntN(2) == 0}
					if i < 2 && round < lines {
						u.line, u.writes = uint64(round), true
					}
					uses = append(uses, u)
					execution = append(execution, event{map[bool]uint64{false: readEvent, true: writeEvent}[u.writes], 1, lineAt + u.line*64, 8})
					at++
				}
				execution = append(execution, event{writeEvent, 2, lineAt + 0x10000 + uint64(i)*64, 8})
				at++
			}
			execution = append(execution, event{loopLeft, 1})
			starts = append(starts, at)
		}
		execution = append(execution, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})
		told := func(trace []event) map[[2]int]Turns {
			out := map[[2]int]Turns{}
			for _, x := range played(t, exe, traced(), trace).Turns {
				out[[2]int{x.Chunk, x.Threads}] = x
			}
			return out
		}
		once, twice := told(execution), told(slices.Concat(execution, execution))
		for _, n := range []int{2, 3, 8} {
			of := make([][]int, n)
			for k, i := 0, 0; k < n; k++ {
				for size := iterations/n + min(1, max(0, iterations%n-k)); size > 0; size-- {
					of[k] = append(of[k], i)
					i++
				}
			}
			first, again := turnsOf(uses, starts, of)
			got, before := twice[[2]int{0, n}], once[[2]int{0, n}]
			if math.Abs(float64(got.First-before.First)-first) > 1 || math.Abs(float64(got.Again-before.Again)-again) > 1 {
				t.Errorf("seed %d: %d threads lose %d and %d, want %.1f and %.1f", seed, n, got.First-before.First, got.Again-before.Again, first, again)
			}
		}
	}
}

// Two threads of one iteration each, which use two lines by turns: under a lock the second waits, and comes to both lines once. Without one it loses the first
// again, and the other thread as well. Of an array that the loop passes through no line is lost.
func TestTurnsUnderLocks(t *testing.T) {
	exe := player(t)
	execution := func(lock bool) (trace []event) {
		trace = append(trace, event{laneBegin, 1}, event{loopLane, 4}, event{loopBegin, 1, 0})
		for i := range 2 {
			if i > 0 {
				trace = append(trace, event{turnNext, 1})
			}
			if lock {
				trace = append(trace, event{lockTaken, 1})
			}
			for _, line := range []uint64{0, 1, 0} {
				trace = append(trace, event{loopBegin, 2, 1})
				for range 30 {
					trace = append(trace, event{loopNext, 2}, event{writeEvent, 1, lineAt + 0x10000 + uint64(i)*64, 8})
				}
				trace = append(trace, event{loopLeft, 1}, event{writeEvent, 1, lineAt + line*64, 8})
			}
			if lock {
				trace = append(trace, event{lockGiven, 1})
			}
		}
		return append(trace, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})
	}
	for _, lock := range []bool{true, false} {
		var got [2]Turns
		for k := range got {
			trace := execution(lock)
			for range k + 3 {
				trace = append(trace, execution(lock)...)
			}
			for _, x := range played(t, exe, traced(), trace).Turns {
				if x.Chunk == 0 && x.Threads == 2 {
					got[k] = x
				}
			}
		}
		// The thread that ends last comes to two lines, or to both and to one again; the other then loses one as well. All count as often as the last's.
		first, again := got[1].First-got[0].First, got[1].Again-got[0].Again
		if want := map[bool][2]uint64{true: {4, 0}, false: {3, 3}}[lock]; first != want[0] || again != want[1] {
			t.Errorf("lock %v: %d and %d, want %v", lock, first, again, want)
		}
	}
	// Who waits for a line under a lock lets the other wait: of six sections of two threads all but the first find it gone. The last ends 86 uses later than without,
	// of which 20 are a line's: 4.3 lines of two threads.
	var sums [2]uint64
	for k := range sums {
		var trace []event
		for range 10*k + 4 {
			trace = append(trace, event{laneBegin, 1}, event{loopLane, 4}, event{loopBegin, 1, 0})
			for i := range uint64(2) {
				if i > 0 {
					trace = append(trace, event{turnNext, 1})
				}
				for range 3 {
					trace = append(trace, event{loopBegin, 2, 1})
					for range 6 {
						trace = append(trace, event{loopNext, 2}, event{writeEvent, 1, lineAt + 0x10000 + i*64, 8})
					}
					trace = append(trace, event{loopLeft, 1}, event{lockTaken, 1}, event{writeEvent, 1, lineAt, 8}, event{lockGiven, 1})
				}
			}
			trace = append(trace, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})
		}
		for _, x := range played(t, exe, traced(), trace).Turns {
			if x.Chunk == 0 && x.Threads == 2 {
				sums[k] = x.First + x.Again
			}
		}
	}
	if n := sums[1] - sums[0]; n < 85 || n > 87 { // both kinds are rounded
		t.Errorf("ten times sections that wait for each other lose %d, want 86", n)
	}
	trace := []event{{laneBegin, 1}, {loopLane, 4}, {loopBegin, 1, 0}}
	for i := range uint64(400) {
		trace = append(trace, event{turnNext, 1}, event{writeEvent, 1, lineAt + i*8, 8}, event{readEvent, 1, lineAt + 0x10000 + i*8, 8})
	}
	if d := played(t, exe, traced(), append(trace, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})); d.Turns != nil {
		t.Errorf("of an array: %+v", d.Turns)
	}
}

// Lines of a set between two uses of one, counted a second time from a list of all lines, for each number of sets. The first few uses are all
// asked, and lines that are not too far.
func TestSetsAgainstLines(t *testing.T) {
	exe := player(t)
	ends := []int64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		stride := uint64(1) << r.IntN(6)
		pool := make([]uint64, 30+r.IntN(200))
		for i := range pool {
			if pool[i] = uint64(i) * stride; r.IntN(4) == 0 {
				pool[i] = uint64(r.IntN(1 << 14))
			}
		}
		var trace []event
		var lines []uint64 // the newest last
		want := map[string]uint64{}
		for asked := 0; asked < 64; {
			line := pool[r.IntN(len(pool))]
			trace = append(trace, event{readEvent, 1, lineAt + line*64, 8})
			at := -1
			for i := range lines {
				if lines[i] == line {
					at = i
				}
			}
			if at >= 0 && len(lines)-at > 2 {
				asked++
				for log := range 13 {
					n := int64(1)
					for _, other := range lines[at+1:] {
						if (other-line)%(1<<log) == 0 {
							n++
						}
					}
					for _, end := range ends {
						if n <= end {
							want[fmt.Sprint(log, " ", end)]++
							break
						}
					}
				}
			}
			if at >= 0 {
				lines = append(lines[:at], lines[at+1:]...)
			}
			lines = append(lines, line)
		}
		got := map[string]uint64{}
		for _, s := range played(t, exe, traced(), trace).Sets {
			got[fmt.Sprint(s.Log, " ", s.Lines)] = s.Times
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// Which lines another wrote since a lane used them last, and who used them last, counted a second time from when each lane used and wrote each line: sections and what is outside of
// them use some lines at random. No more lines are used than are all asked.
func TestFreshAgainstLines(t *testing.T) {
	exe := player(t)
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 11))
		var trace []event
		wrote, writer := map[uint64]int{}, map[uint64]int{} // by line
		used := map[[2]uint64]int{}                         // by line and lane: the execution
		want, last := map[[3]int]Fresh{}, map[uint64]int{}
		execution := 0
		execute := func(lane int) {
			execution++
			for range 20 + r.IntN(60) {
				line, writes := uint64(r.IntN(50)), r.IntN(3) == 0
				kind := map[bool]uint64{false: readEvent, true: writeEvent}[writes]
				trace = append(trace, event{kind, 1, lineAt + line*64 + uint64(r.IntN(8))*8, 8})
				key := [2]uint64{line, uint64(lane)}
				before, known := used[key]
				if by, ok := writer[line]; ok && by != lane && before != execution {
					f, fresh := want[[3]int{lane, by, last[line]}], uint64(0)
					if !known || wrote[line] > before {
						fresh = 1
					}
					if f.Lane, f.From, f.Last = lane, by, last[line]; writes {
						f.Writes, f.FreshWrites = f.Writes+1, f.FreshWrites+fresh
					} else {
						f.Reads, f.FreshReads = f.Reads+1, f.FreshReads+fresh
					}
					want[[3]int{lane, by, last[line]}] = f
				}
				last[line] = lane
				if used[key] = execution; writes {
					wrote[line], writer[line] = execution, lane
				}
			}
		}
		for range 12 {
			execute(0)
			trace = append(trace, event{laneBegin, 1})
			for section := 2; section < 4; section++ {
				trace = append(trace, event{sectionBegin, uint64(section), 2})
				execute(section)
				trace = append(trace, event{laneEnd, uint64(section)})
			}
			trace = append(trace, event{laneEnd, 1})
		}
		got := map[[3]int]Fresh{}
		for _, f := range played(t, exe, traced(), trace).Fresh {
			got[[3]int{f.Lane, f.From, f.Last}] = f
		}
		if len(want) == 0 || !maps.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// Who used what lies between two uses of a line, counted a second time from a list of all lines in the order of their last use: of the first uses of two sections, which
// read some lines of each other's, of lines farther than 128. The first eight of a lane are all asked, then one that stands for two and so on; and where the program has
// many more lines all that lie between are looked at.
func TestBetweenAgainstLines(t *testing.T) {
	exe := player(t)
	type use struct {
		line uint64
		lane int
	}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		var trace []event
		var lines []use // the newest last
		want := map[Between]uint64{}
		began, lane := 0, 0
		asked, left := map[int]uint64{}, map[int]uint64{}
		read := func(line uint64) {
			trace = append(trace, event{readEvent, 1, lineAt + line*64, 8})
			at := -1
			for i := max(0, len(lines)-1200); i < len(lines); i++ {
				if lines[i].line == line {
					at = i
				}
			}
			if at >= 0 {
				n, last := len(lines)-at, lines[at].lane
				first := at < began && n > 128 && lane > 0
				if first && left[lane] > 0 {
					left[lane]--
				} else if first {
					weight := 1 + asked[lane]/8
					asked[lane], left[lane] = asked[lane]+weight, weight-1
					end := int64(0)
					for _, end = range []int64{192, 256, 384, 512, 768} {
						if int64(n) <= end {
							break
						}
					}
					want[Between{Lane: lane, Last: last, By: -1, Lines: end}] += weight
					for _, other := range lines[at+1:] {
						want[Between{Lane: lane, Last: last, By: other.lane, Lines: end}] += weight
					}
				}
				lines = append(lines[:at], lines[at+1:]...)
				if at < began {
					began--
				}
			}
			lines = append(lines, use{line, lane})
		}
		for line := range uint64(8000) {
			read(line)
		}
		for range 2 {
			trace = append(trace, event{laneBegin, 1})
			for section := 2; section < 4; section++ {
				trace = append(trace, event{sectionBegin, uint64(section), 2})
				lane, began = section, len(lines)
				for range 60 + r.IntN(200) {
					read(7600 + uint64(section*150+r.IntN(250))%400)
				}
				trace = append(trace, event{laneEnd, uint64(section)})
			}
			trace = append(trace, event{laneEnd, 1})
			lane, began = 0, len(lines)
		}
		got := map[Between]uint64{}
		for _, b := range played(t, exe, traced(), trace).Between {
			n := b.Times
			b.Times = 0
			got[b] = n
		}
		if len(want) == 0 || !maps.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// What threads of a loop bring in, counted a second time by caches of two, three and so on threads that hold all: a loop of as many iterations as are told
// apart reads and writes lines at random, by turns with what is outside, which is with the first thread, or with another such loop. Threads have blocks, or every so
// manieth iteration, of the loop and of the other. So few uses are all asked. Of chunks what comes after the first use of an execution counts where the line is not
// noted for turns: as one is from then on that another iteration wrote, or used that is written, so long before.
func TestTakenAgainstCaches(t *testing.T) {
	exe := player(t)
	teams := []int{2, 3, 4, 6, 8, 12, 24}
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 17))
		loops := 1 + int(seed%2)
		var trace []event
		type world struct{ chunks, othersChunk bool }
		worlds := []world{{false, false}, {true, true}, {true, false}, {false, true}}
		if loops == 2 { // what each of two has read is told one way, if the other reads it as well
			worlds = worlds[:2]
		}
		holds := map[world][]map[uint64]uint32{} // by line: a bit for each thread
		taken := map[world][][3]uint64{}         // reads, writes, of both the first thread's: of the first loop
		for _, w := range worlds {
			holds[w], taken[w] = make([]map[uint64]uint32, len(teams)), make([][3]uint64, len(teams))
			for k := range teams {
				holds[w][k] = map[uint64]uint32{}
			}
		}
		const longBefore = 16
		execution := 0
		noted, notedIn := map[uint64]bool{}, map[uint64]int{}
		wrote, used := map[uint64][2]int{}, map[uint64][2]int{} // execution and iteration
		use := func(loop, iteration int) {
			line, writes := uint64(r.IntN(12)), r.IntN(4) == 0
			kind := map[bool]uint64{false: readEvent, true: writeEvent}[writes]
			trace = append(trace, event{kind, 1, lineAt + line*64, 8})
			now := [2]int{execution, iteration}
			skips := iteration >= 0 && used[line][0] == execution && noted[line] && notedIn[line] == execution
			if iteration >= 0 {
				other, is := wrote[line], wrote[line][0] == execution && wrote[line] != now
				if writes && used[line][0] == execution && used[line] != now && (!is || used[line][1] > other[1]) {
					other, is = used[line], true
				}
				apart := iteration - other[1]
				if other[1] == 0 {
					apart++ // in moments: the loop begins behind its first
				}
				noted[line] = noted[line] || is && apart >= longBefore
				if notedIn[line] = execution; writes {
					wrote[line] = now
				}
			}
			used[line] = now
			for _, w := range worlds {
				for k, n := range teams {
					thread, known := max(0, iteration)*n/24, holds[w][k][line]
					if loop == 0 && w.chunks || loop > 0 && w.othersChunk {
						thread = max(0, iteration) % n
					}
					if loop == 0 && iteration >= 0 && known != 0 && known>>thread&1 == 0 && (!skips || w == worlds[0]) {
						taken[w][k][map[bool]int{false: 0, true: 1}[writes]]++
						if thread == 0 {
							taken[w][k][2]++
						}
					}
					if writes {
						known = 0
					}
					holds[w][k][line] = known | 1<<thread
				}
			}
		}
		for range 3 {
			execution++
			for range 10 {
				use(0, -1)
			}
			for loop := range loops {
				lane := uint64(4 + loop)
				execution++
				trace = append(trace, event{laneBegin, 1}, event{loopLane, lane, 24}, event{loopBegin, 1, 0})
				for i := range 24 {
					if i > 0 {
						trace = append(trace, event{turnNext, 1})
					}
					for range 2 {
						use(loop, i)
					}
				}
				trace = append(trace, event{loopLeft, 0}, event{laneEnd, lane}, event{laneEnd, 1})
			}
		}
		told := played(t, exe, traced(), trace).Taken
		for _, w := range worlds {
			got := make([][3]uint64, len(teams))
			for _, x := range told {
				if k := slices.Index(teams, x.Threads); k >= 0 && x.Lane == 4 && x.Chunk == map[bool]int{true: 1}[w.chunks] && x.OthersChunk == w.othersChunk {
					got[k][0], got[k][1], got[k][2] = got[k][0]+x.Reads, got[k][1]+x.Writes, got[k][2]+x.Outer
				}
			}
			near := true // when a line is noted hangs on single moments
			for k := range got {
				for i := range got[k] {
					near = near && math.Abs(float64(got[k][i])-float64(taken[w][k][i])) <= 1
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(taken[w]) && !(w != worlds[0] && near) {
				t.Errorf("seed %d, %+v: reads, writes and the first thread's are %v, want %v", seed, w, got, taken[w])
			}
		}
	}
}
