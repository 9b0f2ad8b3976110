package memory

// This file holds what the run-time library tells of lines that are shared, and of sets, to what can be counted by hand, or in another way.

import (
	"fmt"
	"maps"
	"math/rand/v2"
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

// Iterations of a loop use a line by turns, in loops within them: each use is lost to another thread that does the same. Where they only pass
// through an array, in a moment each, none is shared.
func TestSharedByIterations(t *testing.T) {
	exe := player(t)
	const iterations, rounds = 8, 20
	execution := func(trace []event, at func(iteration int) uint64) []event {
		trace = append(trace, event{laneBegin, 1}, event{loopLane, 4}, event{loopBegin, 1, 0})
		for i := range iterations {
			if i > 0 {
				trace = append(trace, event{turnNext, 1})
			}
			trace = append(trace, event{loopBegin, 2, 1})
			for round := range rounds {
				if round > 0 {
					trace = append(trace, event{loopNext, 2})
				}
				trace = steps(trace, 1, at(i), lineAt+0x10000+uint64(i)*64, true)
			}
			trace = append(trace, event{loopLeft, 1})
		}
		return append(trace, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})
	}
	beside := func(i int) uint64 { return lineAt + uint64(i)*8 }
	// In the first execution it is found. Of three other threads the write is lost as well that follows the read.
	trace := execution(nil, beside)
	once := played(t, exe, traced(), trace)
	twice := played(t, exe, traced(), execution(trace, beside))
	if len(once.Shared) != 1 || len(twice.Shared) != 1 {
		t.Fatalf("%+v, %+v", once.Shared, twice.Shared)
	}
	s, before := twice.Shared[0], once.Shared[0]
	two, four := float64(s.Fresh-before.Fresh)/(iterations*rounds), float64(s.Again-before.Again)/(iterations*rounds)
	if s.Lane != 4 || s.With != 4 || s.Apart != iterations || !(two > 0.85 && two <= 1) || !(four > 1.7 && four <= 2) {
		t.Errorf("%+v, %.2f and %.2f of all uses", twice.Shared, two, four)
	}
	if d := played(t, exe, traced(), execution(nil, func(i int) uint64 { return lineAt + uint64(i)*64 })); d.Shared != nil {
		t.Errorf("of lines of their own: %+v", d.Shared)
	}
	trace = []event{{laneBegin, 1}, {loopLane, 4}, {loopBegin, 1, 0}}
	for i := range uint64(400) {
		trace = append(trace, event{turnNext, 1}, event{writeEvent, 1, lineAt + i*8, 8}, event{readEvent, 1, lineAt + 0x10000 + i*8, 8})
	}
	if d := played(t, exe, traced(), append(trace, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})); d.Shared != nil {
		t.Errorf("of an array: %+v", d.Shared)
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

// What threads of a loop bring in, counted a second time by caches of one, two, three and so on threads that hold all: a loop of as many iterations as are told
// apart reads and writes lines at random, by turns with what is outside, which is with the first thread. So few uses are all asked.
func TestTakenAgainstCaches(t *testing.T) {
	exe := player(t)
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 17))
		var trace []event
		teams := []int{2, 3, 4, 6, 8, 12, 24}
		holds := make([]map[uint64]uint32, len(teams)) // by line: a bit for each thread
		taken := make([][3]uint64, len(teams))         // reads, writes, of both the first thread's
		for k := range holds {
			holds[k] = map[uint64]uint32{}
		}
		use := func(iteration int) {
			line, writes := uint64(r.IntN(12)), r.IntN(4) == 0
			kind := map[bool]uint64{false: readEvent, true: writeEvent}[writes]
			trace = append(trace, event{kind, 1, lineAt + line*64, 8})
			for k, n := range teams {
				thread, known := max(0, iteration)*n/24, holds[k][line]
				if iteration >= 0 && known != 0 && known>>thread&1 == 0 {
					taken[k][map[bool]int{false: 0, true: 1}[writes]]++
					if thread == 0 {
						taken[k][2]++
					}
				}
				if writes {
					known = 0
				}
				holds[k][line] = known | 1<<thread
			}
		}
		for range 3 {
			for range 10 {
				use(-1)
			}
			trace = append(trace, event{laneBegin, 1}, event{loopLane, 4, 24}, event{loopBegin, 1, 0})
			for i := range 24 {
				if i > 0 {
					trace = append(trace, event{turnNext, 1})
				}
				for range 2 {
					use(i)
				}
			}
			trace = append(trace, event{loopLeft, 0}, event{laneEnd, 4}, event{laneEnd, 1})
		}
		got := make([][3]uint64, len(teams))
		for _, x := range played(t, exe, traced(), trace).Taken {
			for k, n := range teams {
				if x.Threads == n && x.Lane == 4 {
					got[k][0], got[k][1], got[k][2] = got[k][0]+x.Reads, got[k][1]+x.Writes, got[k][2]+x.Outer
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(taken) {
			t.Errorf("seed %d: reads, writes and the first thread's are %v, want %v", seed, got, taken)
		}
	}
}
