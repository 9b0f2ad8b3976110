package replay

// This file simulates caches access by access, as a mapping has processors use them.

import (
	"fmt"
	"maps"
	"math"
	"math/bits"

	"pathspan/build/probe"
)

// Memory is what lies between processors and main memory. Each access goes through the levels
// in order until one holds the line, which then comes into all that were asked; a line that is
// written is brought in first, and leaves the caches of the same levels that the writer does not use.
type Memory struct {
	Levels []Level
	// Far is what a processor waits for main memory, behind the last level, in its cycles.
	Far []float64
	// Occupied is how long main memory is busy with a line that it sends, in cycles of processor
	// 0; 0 where it serves all at once.
	Occupied float64
	// Buffered says that stores wait for nothing, but where Write does.
	Buffered bool
	// Read is what a processor waits for a line that a cache has which others share, and that another wrote since the processor
	// used it, Write to write one that another used since the processor wrote it, in its cycles; nil where levels say that.
	Read, Write []float64
	// Local tells which processors work on memories of their own, with what Far says instead. Nil for none.
	Local []bool
	Links []float64 // what copies between memories go through: bytes in a cycle of processor 0
	Ways  [][]Way   // from the memory of a processor to that of another
	// Remote is set where some of these copy nothing, and each access crosses, which is not simulated.
	Remote bool
}

// Level is the caches of one level.
type Level struct {
	Size, Line int64     // bytes of each
	Ways       int64     // 0 stands for all lines in one set
	Of         []int     // by processor: which one it uses, from 0; -1 for none
	Cycles     []float64 // by processor: what it waits where the line is there, in its cycles
}

// cacheTree is the caches of one mapping while the program runs.
type cacheTree struct {
	of     *Memory
	levels [][]lru // by level: its caches
	asked  [][]hop // by processor: what it asks, level by level
	timed  bool    // some cache knows when lines are there
	serial int     // the processor whose stack the sequential program's is
	base   float64 // of times that follow: when what is played in the order of time began
	latest float64 // when the last line that was asked for is there
	free   float64 // when main memory is done with what was asked for
	users  map[uint64]users
}

// hop is a level as a processor meets it.
type hop struct {
	mine   *lru // nil where it uses none
	cycles float64
	others []*lru // which lose what it writes
}

// users are those of a line: the processor that wrote it last and those that read it since, a bit each.
type users struct{ wrote, read uint64 }

// elsewhere tells whether a line that a processor uses is another's, and makes it a user.
func (h *cacheTree) elsewhere(processor int, address uint64, writes bool) bool {
	if h.users == nil {
		h.users = map[uint64]users{}
	}
	line := address >> h.levels[0][0].line
	me, of := uint64(1)<<(processor&63), h.users[line]
	other := (of.wrote|of.read)&^me != 0
	if writes {
		h.users[line] = users{wrote: me}
		return other
	}
	other = of.wrote&^me != 0 && of.read&me == 0
	of.read |= me
	h.users[line] = of
	return other
}

// lru is a cache that replaces the line of a set that was used longest ago.
type lru struct {
	line uint   // log of the bytes of one
	sets uint64 // their number less one, which is a power of two less one
	ways int
	held []uint64 // by set and way, used last first: the line's number + 1, 0 for none
	// there is from when on it has each of them, where several processors use it in the order of time: who comes before that
	// waits for who asked for the line. Nil elsewhere.
	there []float64
}

// newCaches makes caches that hold nothing.
func newCaches(m *Memory, processors, serial int) (*cacheTree, error) {
	h := &cacheTree{of: m, serial: serial}
	for i := range m.Levels {
		l := &m.Levels[i]
		ways := l.Ways
		if ways == 0 {
			ways = l.Size / l.Line
		}
		sets := l.Size / (l.Line * ways)
		if bits.OnesCount64(uint64(sets)) != 1 || bits.OnesCount64(uint64(l.Line)) != 1 || l.Line < 16 || len(l.Of) != processors || len(l.Cycles) != processors {
			return nil, fmt.Errorf("replay: level %d: %d bytes in lines of %d, %d ways", i+1, l.Size, l.Line, l.Ways)
		}
		n := 0
		for _, of := range l.Of {
			n = max(n, of+1)
		}
		caches := make([]lru, n)
		for c := range caches {
			caches[c] = lru{line: uint(bits.TrailingZeros64(uint64(l.Line))), sets: uint64(sets - 1), ways: int(ways), held: make([]uint64, sets*ways)}
		}
		h.levels = append(h.levels, caches)
	}
	h.asked = make([][]hop, processors)
	for p := range h.asked {
		for i, caches := range h.levels {
			w := hop{cycles: m.Levels[i].Cycles[p]}
			for c := range caches {
				if c == m.Levels[i].Of[p] {
					w.mine = &caches[c]
				} else {
					w.others = append(w.others, &caches[c])
				}
			}
			h.asked[p] = append(h.asked[p], w)
		}
	}
	return h, nil
}

// use reports whether the line of an address was there, and makes it the one used last.
func (c *lru) use(address uint64) bool {
	line := address>>c.line + 1
	first := int((line-1)&c.sets) * c.ways
	set := c.held[first:][:c.ways]
	if set[0] == line {
		return true
	}
	before, at := set[0], 1
	set[0] = line
	for ; at < len(set); at++ {
		if before, set[at] = set[at], before; before == line {
			break
		}
	}
	if c.there != nil {
		there, since := c.there[first:][:c.ways], coming
		if at < len(set) {
			since = there[at]
		}
		copy(there[1:], there[:min(at, len(set)-1)])
		there[0] = since
	}
	return at < len(set)
}

// coming is the time of a line that is asked for, until it is known.
var coming = math.Inf(1)

// since is from when on it has the line used last of an address' set, where that is kept.
func (c *lru) since(address uint64) *float64 {
	return &c.there[int(address>>c.line&c.sets)*c.ways]
}

// leave takes a line out.
func (c *lru) leave(address uint64) {
	line := address>>c.line + 1
	set := c.held[int((line-1)&c.sets)*c.ways:][:c.ways]
	for i := range set {
		if set[i] == line {
			copy(set[i:], set[i+1:])
			set[len(set)-1] = 0
			if c.there != nil {
				there := c.there[int((line-1)&c.sets)*c.ways:][:c.ways]
				copy(there[i:], there[i+1:])
			}
			return
		}
	}
}

// told returns what a processor waits for an access as programs tell it, in cycles of processor 0, of
// which factor says how many one of each has, and how many lines come from main memory for it.
func (h *cacheTree) told(processor int, word uint64, factor []float64) (waits, far float64) {
	return h.parts(processor, word, factor, h.latest, false)
}

// toldAt does the same at a time, at which main memory may be busy with what others asked it for.
func (h *cacheTree) toldAt(processor int, word uint64, factor []float64, now float64) (waits float64) {
	waits, _ = h.parts(processor, word, factor, h.base+now, true)
	return waits
}

// begin lets time begin anew, when all is there that was asked for.
func (h *cacheTree) begin() { h.base, h.free = h.latest, h.latest }

// ownStack marks accesses to variables that lie on the stack of whoever executes them (build/runtime/accesses.h).
const ownStack = 1 << 62

// parts goes through the shortest lines of an access, which begins at a time; where that is told, main memory serves one line at a time.
func (h *cacheTree) parts(processor int, word uint64, factor []float64, now float64, inTime bool) (waits, far float64) {
	address, size := word&(1<<48-1), word>>48&(1<<14-1)+1
	if word&ownStack != 0 && processor != h.serial {
		address |= uint64(processor+1) << 48 // its own stack lies elsewhere
	}
	for end := address + size; address < end; address = address/probe.AccessLeast*probe.AccessLeast + probe.AccessLeast {
		writes := word>>63 != 0
		w, found := h.access(processor, address, writes, factor[processor], now+waits)
		if !found && (h.of.Local == nil || !h.of.Local[processor]) {
			if inTime {
				asked := now + waits
				served := max(asked, h.free)
				h.free = served + h.of.Occupied
				w += (served - asked) / factor[processor]
			}
			far++
		}
		elsewhere := h.of.Read != nil && h.elsewhere(processor, address, writes) && found
		if elsewhere && writes {
			w = h.of.Write[processor]
		} else if elsewhere {
			w = h.of.Read[processor]
		}
		if h.timed {
			h.arrives(processor, address, now+waits+w*factor[processor])
		}
		if elsewhere || !writes || !h.of.Buffered {
			waits += w * factor[processor]
		}
	}
	return waits, far
}

// access returns what a processor waits for an access that does not cross a line of the shortest,
// in its cycles, and whether a cache has the line.
func (h *cacheTree) access(processor int, address uint64, writes bool, factor, now float64) (waits float64, found bool) {
	waits = h.of.Far[processor]
	asked := h.asked[processor]
	for i := range asked {
		w := &asked[i]
		if c := w.mine; c != nil && !found {
			if found = c.use(address); found {
				waits = w.cycles
				if c.there != nil {
					waits = max(waits, (*c.since(address)-now)/factor)
				}
			}
		}
		if writes {
			for _, c := range w.others {
				c.leave(address)
			}
		}
	}
	return waits, found
}

// arrives notes when a line is there that was asked for.
func (h *cacheTree) arrives(processor int, address uint64, at float64) {
	for _, w := range h.asked[processor] {
		if w.mine != nil && w.mine.there != nil {
			if since := w.mine.since(address); *since == coming {
				*since, h.latest = at, max(h.latest, at)
			}
		}
	}
}

// inTime has caches that several processors use know when lines are there.
func (h *cacheTree) inTime() {
	for i := range h.levels {
		users := make([]int, len(h.levels[i]))
		for _, of := range h.of.Levels[i].Of {
			if of >= 0 {
				users[of]++
			}
		}
		for c, n := range users {
			if n > 1 {
				h.levels[i][c].there, h.timed = make([]float64, len(h.levels[i][c].held)), true
			}
		}
	}
}

// keep copies what caches hold, and goBack has them hold it again.
func (h *cacheTree) keep(to *keptCaches) {
	to.users = maps.Clone(h.users)
	to.held, to.there = to.held[:0], to.there[:0]
	for _, level := range h.levels {
		for c := range level {
			to.held, to.there = append(to.held, level[c].held...), append(to.there, level[c].there...)
		}
	}
}

func (h *cacheTree) goBack(to *keptCaches) {
	h.users = maps.Clone(to.users)
	held, there := to.held, to.there
	for _, level := range h.levels {
		for c := range level {
			held, there = held[copy(level[c].held, held):], there[copy(level[c].there, there):]
		}
	}
}

// keptCaches is what all caches held at a time.
type keptCaches struct {
	held  []uint64
	there []float64
	users map[uint64]users
}
