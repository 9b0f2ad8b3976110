package fifo

// This file finds the smallest depths with which a network is fast enough, after S. Stuijk,
// M. Geilen, T. Basten, *Exploring Trade-Offs in Buffer Requirements and Throughput Constraints
// for Synchronous Dataflow Graphs* (DAC 2006), and *Throughput-Buffering Trade-Off Exploration
// for Cyclo-Static and Synchronous Dataflow Graphs* (IEEE Transactions on Computers 57, 2008).
// They raise the capacities alone that an execution depends on. So it is here: where a network
// is too slow with some depths, each wait to write is put down to one FIFO that alone makes it
// last. If none of these is deeper, by as much as a wait needs to be shorter, the network runs
// as before, cycle by cycle. So depths that are fast enough have one of these raised, and all of
// them are reached from the lowest by single raises; the cheapest are taken first.
//
// This needs no more of a network than that the same depths make the same run. Networks in which
// nothing is ever faster for being later (monotone) start higher: a FIFO needs what it needs
// while all others are never full.

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Want is what depths have to reach.
type Want struct {
	Cycles int64 // of the network, at most; 0: as few as while no FIFO is ever full
	Tries  int   // runs of the network, at most; 0: DefaultTries
}

// DefaultTries is how many runs a search for depths makes at most.
const DefaultTries = 50000

// Sizes are depths of all FIFOs, and what comes of them.
type Sizes struct {
	Depths []int64 // tokens
	Bits   int64   // of all FIFOs
	Cycles int64
}

// Sizing is what a search for depths came to.
type Sizing struct {
	Fastest int64 // cycles while no FIFO is ever full; 0: it deadlocks even so
	Target  int64 // cycles that were to be reached
	// Best reaches the target; nil where nothing that does is known. Proven says that nothing of
	// fewer bits does, or where Best is nil that no depths do.
	Best   *Sizes
	Proven bool
	// Below is how far all depths were tried where that is not proven: what reaches the target
	// has as many bits or more.
	Below int64
	// Front are all that no other beats in bits and cycles, the fewest bits first and Best last;
	// Whole says that none with fewer bits than Below is missing.
	Front []Sizes
	Whole bool
	Tries int // runs
}

// Depths looks for the depths of the fewest bits with which a network is fast enough, whatever
// depths it has. It is exact unless it comes to its limit, and then says so.
func Depths(n *Network, want Want) (*Sizing, error) {
	s := &sizing{net: n, runs: map[string]*played{}, most: cmp.Or(want.Tries, DefaultTries), monotone: n.monotone()}
	s.lowest()
	free, need, err := s.unbounded()
	if err != nil {
		return nil, err
	}
	out := &Sizing{Fastest: free.cycles, Target: cmp.Or(want.Cycles, free.cycles), Below: s.bits(s.low)}
	if out.Target == 0 {
		out.Target = math.MaxInt64 // whatever ends
	}
	if free.cycles > 0 && free.cycles <= out.Target {
		err = s.shrink(need, out)
	} else if s.monotone {
		out.Proven, out.Whole = true, true
	}
	if err == nil && !out.Proven {
		err = s.search(out)
	}
	if err == nil && out.Best != nil {
		err = s.front(out)
	}
	if err != nil && !errors.Is(err, errTries) {
		return nil, err
	}
	if out.Target == math.MaxInt64 {
		out.Target = 0
	}
	out.Tries = s.tries
	return out, nil
}

var errTries = errors.New("no more runs")

// sizing is a search under way.
type sizing struct {
	net      *Network
	low      []int64 // no FIFO can be less deep
	monotone bool
	runs     map[string]*played
	tries    int
	most     int
}

// played is what came of some depths.
type played struct {
	cycles int64   // 0: a deadlock
	lack   []int64 // by FIFO, the least that it has to be raised by for another run; 0: raising it changes nothing
}

// lowest finds the depths that hold what is there at the start and what is moved at once.
func (s *sizing) lowest() {
	s.low = make([]int64, len(s.net.FIFOs))
	for f := range s.low {
		s.low[f] = max(1, s.net.FIFOs[f].Initial)
	}
	for i := range s.net.Modules {
		for _, list := range [][]Access{s.net.Modules[i].Reads, s.net.Modules[i].Writes} {
			for _, a := range list {
				s.low[a.FIFO] = max(s.low[a.FIFO], a.Tokens)
			}
		}
	}
}

// bits are those of FIFOs of some depths; more than can be said is the largest number.
func (s *sizing) bits(depths []int64) (sum int64) {
	for f, d := range depths {
		w := s.net.FIFOs[f].Width
		if d > (math.MaxInt64-sum)/w {
			return math.MaxInt64
		}
		sum += d * w
	}
	return sum
}

// play plays the network with some depths, once.
func (s *sizing) play(depths []int64) (*played, error) {
	var key []byte
	for _, d := range depths {
		key = binary.AppendVarint(key, d)
	}
	if p := s.runs[string(key)]; p != nil {
		return p, nil
	}
	if s.tries >= s.most {
		return nil, errTries
	}
	s.tries++
	r, err := run(s.net, depths)
	if err != nil {
		return nil, err
	}
	p := &played{lack: r.lack}
	if r.over() {
		p.cycles = r.now
	}
	s.runs[string(key)] = p
	return p, nil
}

// unbounded plays the network with FIFOs that are never full, and finds depths that do the same.
func (s *sizing) unbounded() (*played, []int64, error) {
	depths := make([]int64, len(s.low))
	for f := range depths {
		depths[f] = unbounded
	}
	r, err := run(s.net, depths)
	if err != nil {
		return nil, nil, err
	}
	s.tries++
	p := &played{lack: r.lack}
	if r.over() {
		p.cycles = r.now
	}
	for f := range r.need {
		r.need[f] = max(r.need[f], s.low[f])
	}
	return p, r.need, nil
}

func (p *played) reaches(cycles int64) bool { return p.cycles > 0 && p.cycles <= cycles }

// fit finds the lowest depth of a FIFO from low to high with which others and it reach a target,
// as far as halving finds it; high does.
func (s *sizing) fit(depths []int64, f int, low, high, target int64) error {
	for low < high {
		depths[f] = low + (high-low)/2
		p, err := s.play(depths)
		if err != nil {
			depths[f] = high
			return err
		}
		if p.reaches(target) {
			high = depths[f]
		} else {
			low = depths[f] + 1
		}
	}
	depths[f] = high
	return nil
}

// shrink takes from depths that reach the target what can be taken, FIFO by FIFO, the largest
// first. What comes of it bounds the search from above.
func (s *sizing) shrink(depths []int64, out *Sizing) error {
	for _, d := range depths {
		if d > mostDepth {
			return nil // no file could say so
		}
	}
	keep := func() error {
		p, err := s.play(depths)
		if err == nil && p.reaches(out.Target) {
			out.Best = &Sizes{slices.Clone(depths), s.bits(depths), p.cycles}
		}
		return err
	}
	order := make([]int, len(depths))
	for f := range order {
		order[f] = f
	}
	size := func(f int) int64 { return (depths[f] - s.low[f]) * s.net.FIFOs[f].Width }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	if err := keep(); err != nil {
		return err
	}
	for _, f := range order {
		if err := s.fit(depths, f, s.low[f], depths[f], out.Target); err != nil {
			return cmp.Or(keep(), err)
		}
	}
	return keep()
}

// from is where a search for a target starts: no FIFO can be less deep.
func (s *sizing) from(target int64, most []int64) ([]int64, error) {
	low := slices.Clone(s.low)
	if !s.monotone || most == nil {
		return low, nil
	}
	depths := make([]int64, len(low))
	for f := range depths {
		for g := range depths {
			depths[g] = unbounded
		}
		// Deeper than what is known to be enough along with others is never needed alone.
		if err := s.fit(depths, f, low[f], most[f], target); err != nil {
			return nil, err
		}
		low[f] = depths[f]
	}
	return low, nil
}

// search takes depths in the order of their bits, from the lowest on, until some reach the target.
func (s *sizing) search(out *Sizing) error {
	var most []int64
	if out.Best != nil {
		most = out.Best.Depths
	}
	low, err := s.from(out.Target, most)
	if err != nil {
		return err
	}
	best, below, err := s.cheapest(low, out.Target, out.Fastest, out.Best)
	out.Best, out.Below = best, below
	out.Proven = err == nil
	return err
}

// cheapest finds, of all depths from low on that reach a target, those of the fewest bits, and of
// those the fewest cycles, unless they are so few that there are none with fewer. None of more bits
// than those that are known to reach it are tried. All of fewer bits than below are.
func (s *sizing) cheapest(low []int64, target, fewest int64, known *Sizes) (best *Sizes, below int64, err error) {
	best = known
	seen := map[string]bool{}
	queue := &candidates{}
	add := func(depths []int64) {
		c := candidate{depths, s.bits(depths)}
		if best != nil && (c.bits > best.Bits || c.bits == best.Bits && best.Cycles <= fewest) {
			return
		}
		var key []byte
		for _, d := range depths {
			if d > mostDepth {
				return
			}
			key = binary.AppendVarint(key, d)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			heap.Push(queue, c)
		}
	}
	add(low)
	below = s.bits(low)
	for queue.Len() > 0 {
		c := heap.Pop(queue).(candidate)
		below = c.bits
		if best != nil && (c.bits > best.Bits || c.bits == best.Bits && best.Cycles <= fewest) {
			break
		}
		p, err := s.play(c.depths)
		if err != nil {
			return best, below, err
		}
		if p.reaches(target) && (best == nil || c.bits < best.Bits || p.cycles < best.Cycles) {
			best = &Sizes{c.depths, c.bits, p.cycles}
		}
		if p.reaches(target) && best.Cycles <= fewest {
			continue
		}
		for f, lack := range p.lack {
			if lack > 0 {
				d := slices.Clone(c.depths)
				d[f] += lack
				add(d)
			}
		}
	}
	return best, below, nil
}

// front finds what is cheaper than the best and slower.
func (s *sizing) front(out *Sizing) error {
	defer func() {
		if out.Best != nil {
			out.Front = append(out.Front, *out.Best)
		}
	}()
	limit := out.Best.Bits
	if !out.Proven {
		limit = out.Below
	}
	target := int64(math.MaxInt64)
	for {
		low, err := s.from(target, out.Best.Depths)
		if err != nil {
			return err
		}
		next, _, err := s.cheapest(low, target, out.Fastest, &Sizes{Bits: limit - 1, Cycles: math.MaxInt64})
		if err != nil {
			return err
		}
		if next.Depths == nil {
			out.Whole = true
			return nil
		}
		out.Front = append(out.Front, *next)
		target = next.Cycles - 1
	}
}

// candidate is depths that have not been tried.
type candidate struct {
	depths []int64
	bits   int64
}

// candidates are a heap, the fewest bits first, and the lowest depths of the first FIFOs.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].bits, c[j].bits), slices.Compare(c[i].depths, c[j].depths)) < 0
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// monotone says whether all that a network does would come no later if something came earlier:
// so it is where nothing but tokens and places is waited for. A pipeline that flushes may start an
// iteration early, which then holds others of it up.
func (n *Network) monotone() bool {
	for i := range n.Modules {
		if m := &n.Modules[i]; m.Flush && slices.ContainsFunc(m.Reads, func(a Access) bool { return a.At == 0 }) {
			return false
		}
	}
	return true
}
