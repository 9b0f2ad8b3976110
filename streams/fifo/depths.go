package fifo

// This file finds the smallest depths with which a network is fast enough, after S. Stuijk,
// M. Geilen, T. Basten, *Exploring Trade-Offs in Buffer Requirements and Throughput Constraints
// for Synchronous Dataflow Graphs* (DAC 2006), and *Throughput-Buffering Trade-Off Exploration
// for Cyclo-Static and Synchronous Dataflow Graphs* (IEEE Transactions on Computers 57, 2008).
// They take the cheapest depths first, and raise those alone that an execution depends on. So it
// is here: where a network is too slow with some depths, each wait to write is put down to one
// FIFO that alone makes it last. If none of these is deeper, by as much as a wait needs to be
// shorter, the network runs as before, cycle by cycle. So depths that are fast enough have one of
// these raised, and all of them are reached from the lowest by single raises. This needs no more
// of a network than that the same depths make the same run.
//
// Beside that, depths have to be enough for the relaxed network, which deeper FIFOs never make
// slower (relaxed.go). What it does not reach the target with says which depths do not, however
// deep others are (demands.go), so that they are passed over without a run.

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
	Tries  int   // runs of the network, at most, of which a fifth are for Front; 0: DefaultTries
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
	Target  int64 // cycles that were to be reached; 0: any, as long as it ends
	// Best reaches the target; nil where nothing that does is known. Proven says that nothing of
	// fewer bits does, or where Best is nil that no depths do.
	Best   *Sizes
	Proven bool
	// Below bounds bits from below where that is not proven: what reaches the target has as many
	// or more.
	Below int64
	// Front are all that no other beats in bits and cycles, the fewest bits first and Best last;
	// Whole says that none is missing.
	Front []Sizes
	Whole bool
	Tries int // runs
}

// Depths looks for the depths of the fewest bits with which a network is fast enough, whatever
// depths it has. It is exact unless it comes to its limit, and then says so.
func Depths(n *Network, want Want) (*Sizing, error) {
	s := &sizing{most: cmp.Or(want.Tries, DefaultTries)}
	s.looks = 20 * s.most
	s.real = &runs{net: n, known: map[string]*outcome{}, of: s}
	s.relaxed = s.real
	if slices.ContainsFunc(n.Modules, func(m Module) bool { return m.flushes() }) {
		s.relaxed = &runs{net: n.relaxed(), known: map[string]*outcome{}, of: s}
	}
	s.low = n.least()
	out := &Sizing{Target: cmp.Or(want.Cycles, math.MaxInt64), Below: n.bits(s.low)}
	if err := s.find(want, out); err != nil && !errors.Is(err, errTries) {
		return nil, err
	}
	if out.Target == math.MaxInt64 {
		out.Target = 0
	}
	out.Tries = s.tries
	return out, nil
}

func (s *sizing) find(want Want, out *Sizing) error {
	free, err := s.real.play(s.unbounded())
	if err != nil {
		return err
	}
	out.Fastest = free.cycles
	if want.Cycles == 0 && free.cycles > 0 {
		out.Target = free.cycles
	}
	if free.reaches(out.Target) {
		if err := s.shrink(slices.Clone(free.need), out); err != nil {
			return err
		}
	}
	most := int64(math.MaxInt64)
	if out.Best != nil {
		most = out.Best.Bits - 1
	}
	goal := &demands{of: s}
	best, below, err := s.cheapest(goal, out.Target, most)
	out.Below = below
	if err != nil {
		return err
	}
	out.Proven = true
	if out.Best = cmp.Or(best, out.Best); out.Best == nil {
		out.Whole = true
		return nil
	}
	// What comes of fewer bits is worth a share of the runs.
	s.most, s.looked = min(s.most, s.tries+s.most/5), 0
	s.looks /= 5
	return s.front(goal, out)
}

var errTries = errors.New("no more runs")

// sizing is a search under way.
type sizing struct {
	low           []int64 // no FIFO can be less deep
	real, relaxed *runs   // the same where nothing flushes
	tries, most   int
	looked, looks int // candidates, and at most
}

// runs are runs of a network with depths of the FIFOs that are searched for.
type runs struct {
	net   *Network
	known map[string]*outcome
	of    *sizing
}

// outcome is what came of some depths.
type outcome struct {
	cycles int64   // 0: a deadlock
	lack   []int64 // by FIFO, the least that it has to be raised by for another run; 0: raising it changes nothing
	need   []int64 // by FIFO, the most that it had to hold
}

func (o *outcome) reaches(cycles int64) bool { return o.cycles > 0 && o.cycles <= cycles }

// least are the lowest depths, which hold what is there at the start and what is moved at once.
func (n *Network) least() []int64 {
	low := make([]int64, len(n.FIFOs))
	for f := range low {
		low[f] = max(1, n.FIFOs[f].Initial)
	}
	for i := range n.Modules {
		for _, list := range [][]Access{n.Modules[i].Reads, n.Modules[i].Writes} {
			for _, a := range list {
				low[a.FIFO] = max(low[a.FIFO], a.Tokens)
			}
		}
	}
	return low
}

// bits are those of FIFOs of some depths; more than can be said is the largest number.
func (n *Network) bits(depths []int64) (sum int64) {
	for f, d := range depths {
		sum = plus(sum, d, n.FIFOs[f].Width)
	}
	return sum
}

func plus(sum, tokens, width int64) int64 {
	if tokens > (math.MaxInt64-sum)/width {
		return math.MaxInt64
	}
	return sum + tokens*width
}

func (s *sizing) unbounded() []int64 {
	depths := make([]int64, len(s.low))
	for f := range depths {
		depths[f] = unbounded
	}
	return depths
}

// play plays a network with some depths, once.
func (r *runs) play(depths []int64) (*outcome, error) {
	k := keyOf(depths)
	if o := r.known[k]; o != nil {
		return o, nil
	}
	if r.of.tries >= r.of.most {
		return nil, errTries
	}
	r.of.tries++
	all := r.net.depths()
	copy(all, depths)
	s, err := run(r.net, all)
	if err != nil {
		return nil, err
	}
	o := &outcome{lack: s.lack[:len(depths)], need: s.need[:len(depths)]}
	for f := range o.need {
		o.need[f] = max(o.need[f], r.of.low[f])
	}
	if s.over() {
		o.cycles = s.now
	}
	r.known[k] = o
	return o, nil
}

func keyOf(depths []int64) string {
	var key []byte
	for _, d := range depths {
		key = binary.AppendVarint(key, d)
	}
	return string(key)
}

// shrink takes from depths that reach the target what can be taken, FIFO by FIFO, the largest
// first. What comes of it bounds the search from above.
func (s *sizing) shrink(depths []int64, out *Sizing) error {
	n := s.real.net
	for _, d := range depths {
		if d > mostDepth {
			return nil // no file could say so
		}
	}
	try := func() (bool, error) {
		o, err := s.real.play(depths)
		if err != nil || !o.reaches(out.Target) {
			return false, err
		}
		out.Best = &Sizes{slices.Clone(depths), n.bits(depths), o.cycles}
		return true, nil
	}
	if _, err := try(); err != nil {
		return err
	}
	order := make([]int, len(depths))
	for f := range order {
		order[f] = f
	}
	size := func(f int) int64 { return plus(0, depths[f]-s.low[f], n.FIFOs[f].Width) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	for _, f := range order {
		low, high := s.low[f], depths[f]
		for low < high {
			depths[f] = low + (high-low)/2
			reached, err := try()
			if err != nil {
				return err
			}
			if reached {
				high = depths[f]
			} else {
				low = depths[f] + 1
			}
		}
		depths[f] = high
	}
	return nil
}

// cheapest finds, of all depths that reach a target, those of the fewest bits, if these are not
// more than so many. What reaches it has as many bits as below or more.
func (s *sizing) cheapest(demands *demands, target, most int64) (best *Sizes, below int64, err error) {
	n := s.real.net
	seen := map[string]bool{}
	queue := &candidates{}
	add := func(depths []int64) {
		if slices.Max(append(depths, 0)) > mostDepth {
			return
		}
		bits := n.bits(depths)
		c := candidate{depths: depths, bits: bits, least: demands.least(depths, bits)}
		if k := keyOf(depths); c.least <= most && !seen[k] {
			seen[k] = true
			heap.Push(queue, c)
		}
	}
	add(slices.Clone(s.low))
	below = n.bits(s.low)
	for queue.Len() > 0 {
		if s.looked++; s.looked > s.looks {
			return nil, below, errTries
		}
		c := heap.Pop(queue).(candidate)
		if least := demands.least(c.depths, c.bits); least > c.least { // more is demanded by now
			if c.least = least; least <= most {
				heap.Push(queue, c)
			}
			continue
		}
		below = max(below, c.least)
		demand := demands.unmet(c.depths)
		if demand == nil {
			if demand, err = demands.learn(c.depths, target); err != nil {
				return nil, below, err
			}
		}
		if demand != nil {
			for _, x := range *demand {
				d := slices.Clone(c.depths)
				d[x.fifo] = x.depth
				add(d)
			}
			continue
		}
		o, err := s.real.play(c.depths)
		if err != nil {
			return nil, below, err
		}
		if o.reaches(target) {
			return &Sizes{c.depths, c.bits, o.cycles}, below, nil
		}
		for f, lack := range o.lack {
			if lack > 0 {
				d := slices.Clone(c.depths)
				d[f] += lack
				add(d)
			}
		}
	}
	return nil, below, nil
}

// front finds what is cheaper than the best and slower, and what takes as many bits and is faster.
func (s *sizing) front(goal *demands, out *Sizing) error {
	put := func(x Sizes) {
		if last := len(out.Front) - 1; last >= 0 && out.Front[last].Bits == x.Bits {
			out.Front = out.Front[:last]
		}
		out.Front = append(out.Front, x)
	}
	defer func() { put(*out.Best) }()
	for out.Best.Cycles > out.Fastest {
		next, _, err := s.cheapest(goal, out.Best.Cycles-1, out.Best.Bits)
		if err != nil {
			return err
		}
		if next == nil {
			break
		}
		out.Best = next
	}
	target, all := int64(math.MaxInt64), &demands{of: s}
	for {
		next, _, err := s.cheapest(all, target, out.Best.Bits-1)
		if err != nil {
			return err
		}
		if next == nil {
			out.Whole = true
			return nil
		}
		put(*next)
		target = next.Cycles - 1
	}
}

// candidate is depths that have not been tried.
type candidate struct {
	depths []int64
	bits   int64
	least  int64 // bits of whatever reaches the target and has no FIFO less deep
}

// candidates are a heap: the fewest bits that can come of them first, then the lowest depths of
// the first FIFOs.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].least, c[j].least), cmp.Compare(c[j].bits, c[i].bits), slices.Compare(c[i].depths, c[j].depths)) < 0
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
