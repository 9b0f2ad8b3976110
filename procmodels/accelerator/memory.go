package accelerator

// This file finds which accesses of a body wait for each other.

import "pathspan/ir"

// access is a load or store with what is known of where it goes.
type access struct {
	node   int
	stores bool
	known  bool // base + key*scale + bytes at, where key is invariant or counts
	base   ir.Operand
	key    ir.Operand // the phi that counts, or what stays the same
	scale  int64
	step   int64 // bytes from an iteration to the next
	at     int64
	size   int64
	// apart is a pointer that the body computes and that moves on: it meets itself in no other iteration.
	apart ir.Operand
}

// memory adds waits between accesses to one array of which one stores.
func (r *grapher) memory() {
	byArray := make([][]access, len(r.g.arrays))
	for i := range r.g.nodes {
		if n := &r.g.nodes[i]; n.array >= 0 {
			byArray[n.array] = append(byArray[n.array], r.access(i))
		}
	}
	for _, all := range byArray {
		for j := range all {
			// In long blocks, what is further back than that is done.
			for i := max(0, j-mostAccesses); i < j; i++ {
				if all[i].stores || all[j].stores {
					r.meet(&all[i], &all[j])
				}
			}
		}
	}
}

// meet adds the waits of two accesses, of which x is the earlier in an iteration.
func (r *grapher) meet(x, y *access) {
	add := func(from, to *access, distance int, assumed bool) {
		latency := 0.0 // a store waits for a load to have begun
		if from.stores && !to.stores {
			latency = max(1, r.g.nodes[from.node].latency)
		}
		r.g.waits = append(r.g.waits, wait{from.node, to.node, latency, distance, assumed})
	}
	if x.known && y.known && x.base == y.base && x.key == y.key && x.step == y.step && x.scale == y.scale {
		apart := x.at - y.at // y goes to where x went this many bytes on
		switch {
		case x.step == 0:
			if apart < y.size && -apart < x.size {
				add(x, y, 0, false)
				if r.loop != nil {
					add(y, x, 1, false)
				}
			}
		case apart%x.step == 0 && x.size == y.size && x.size <= abs(x.step):
			switch d := apart / x.step; {
			case d >= 0:
				add(x, y, int(d), false)
			default:
				add(y, x, int(-d), false)
			}
		case x.size > abs(x.step) || y.size > abs(x.step) || x.size != y.size:
			r.unknown(add, x, y)
		default:
			if rest := (apart%x.step + abs(x.step)) % abs(x.step); rest < x.size || abs(x.step)-rest < y.size {
				r.unknown(add, x, y)
			}
		}
		return
	}
	if x.apart.Kind == ir.Computed && x.apart == y.apart && x.at == y.at && x.size == y.size {
		add(x, y, 0, false)
		return
	}
	r.unknown(add, x, y)
}

func (r *grapher) unknown(add func(from, to *access, distance int, assumed bool), x, y *access) {
	add(x, y, 0, true)
	if r.loop == nil {
		return
	}
	distance := 1
	if y.stores && !x.stores {
		if distance = r.met(y, x); distance == 0 {
			r.g.apart = true
			return
		}
		r.g.far = r.g.far || distance > 1
	}
	add(y, x, distance, true)
}

func abs(x int64) int64 { return max(x, -x) }

// access reads where a node goes.
func (r *grapher) access(n int) access {
	at := &r.g.nodes[n]
	a, _ := r.ops.Address(r.fi, at.block, at.instr)
	out := access{node: n, stores: r.f.Blocks[at.block].Instrs[at.instr].Op != "load", base: a.Base, at: a.Offset, size: max(1, int64(a.Bytes)), scale: a.Scale}
	if !r.invariant(a.Base) {
		if a.Scale == 0 && r.moves(a.Base) {
			out.apart = a.Base
		}
		return out
	}
	if a.Base.Kind == ir.Unknown {
		return out
	}
	if a.Scale == 0 {
		out.known = true
		return out
	}
	key, plus := r.plus(a.Index)
	out.key, out.at = key, out.at+plus*a.Scale
	switch step, counts := r.counts(key); {
	case counts:
		out.known, out.step = true, step*a.Scale
	case r.invariant(key) && key.Kind != ir.Unknown:
		out.known = true
	}
	return out
}

// plus follows an index to what a constant is added to, through conversions.
func (r *grapher) plus(o ir.Operand) (key ir.Operand, plus int64) {
	for range 16 {
		if o.Kind != ir.Computed {
			break
		}
		in := &r.f.Blocks[o.Block].Instrs[o.N]
		uses := r.ops.Of(r.fi, int(o.Block), int(o.N))
		switch {
		case (in.Op == "sext" || in.Op == "zext") && len(uses) > 0:
		case in.Op == "add" && len(uses) == 2 && uses[1].Kind == ir.Constant:
			plus += uses[1].N
		case in.Op == "sub" && len(uses) == 2 && uses[1].Kind == ir.Constant:
			plus -= uses[1].N
		default:
			return o, plus
		}
		o = uses[0]
	}
	return o, plus
}

// counts reports whether a value is a phi of the header that a constant is added to in every
// iteration.
func (r *grapher) counts(o ir.Operand) (step int64, ok bool) {
	if r.loop == nil || o.Kind != ir.Computed || int(o.Block) != r.loop.Header || r.f.Blocks[o.Block].Instrs[o.N].Op != "phi" {
		return 0, false
	}
	uses := r.ops.Of(r.fi, int(o.Block), int(o.N))
	for i := 0; i+1 < len(uses); i += 2 {
		if from := int(uses[i+1].Block); !r.inside[from] {
			continue
		}
		key, plus := r.plus(uses[i])
		if key != o || plus == 0 || ok && plus != step {
			return 0, false
		}
		step, ok = plus, true
	}
	return step, ok
}

// moves reports whether a pointer is base[...][i] of which one index alone counts and the rest
// stays: it is another in each iteration.
func (r *grapher) moves(o ir.Operand) bool {
	if o.Kind != ir.Computed || r.f.Blocks[o.Block].Instrs[o.N].Op != "getelementptr" {
		return false
	}
	counting := 0
	for i, use := range r.ops.Of(r.fi, int(o.Block), int(o.N)) {
		if r.invariant(use) {
			continue
		}
		key, _ := r.plus(use)
		if _, ok := r.counts(key); !ok || i == 0 {
			return false
		}
		counting++
	}
	return counting == 1
}

// invariant reports whether the body does not compute a value.
func (r *grapher) invariant(o ir.Operand) bool {
	return o.Kind != ir.Computed || !r.inside[o.Block]
}
