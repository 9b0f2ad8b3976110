package profile

// This file says how much memory calls of the library work on, by what runs told of memory.

import (
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
)

// Moved returns how many bytes a call of the library reads or writes on average: what memcpy copies, how long the strings
// are that strlen counts. The program is the bundle's, or one of equal blocks. Runs tell what places of the source access, so
// that calls in one place of which none fixes its size share evenly, and what else is done there is taken off. Where that is not
// known, or nothing is known of memory, the call is missing.
func (b *Bundle) Moved(p *ir.Program) map[*ir.Call]float64 {
	d := b.Memory
	if d == nil || len(d.Places) == 0 || !slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return slices.ContainsFunc(f.Blocks, hasUnsized) }) {
		return nil
	}
	written, read := make([]float64, len(d.Places)), make([]float64, len(d.Places))
	for i := range d.Writes {
		if at := d.Writes[i].By.Place; at >= 0 {
			written[at] += float64(d.Writes[i].Bytes)
		}
	}
	for i := range d.Flows {
		if at := d.Flows[i].To.Place; at >= 0 {
			read[at] += float64(d.Flows[i].Bytes)
		}
	}
	places := make(map[memory.Place][]int, len(d.Places))
	for at, place := range d.Places {
		place.Atomic = false
		places[place] = append(places[place], at)
	}
	loops := make(map[[2]int]int, len(d.Loops))
	for at, l := range d.Loops {
		loops[[2]int{l.Func, l.Header}] = at
	}
	word := float64(ir.PointerBits(p.DataLayout) / 8)
	out := make(map[*ir.Call]float64)
	for fi, f := range p.Funcs {
		if fi >= len(b.Funcs) || b.Funcs[fi] == nil || !slices.ContainsFunc(f.Blocks, hasUnsized) {
			continue
		}
		cfg, counts := flow.Analyze(f), b.Funcs[fi].BlockCounts(len(f.Blocks))
		done := make(map[memory.Place]*doneThere)
		for bi, block := range f.Blocks {
			for i := range block.Instrs {
				in := &block.Instrs[i]
				place := memory.Place{Func: fi, Loop: -1, Loc: in.Loc, Into: in.Into}
				place.Loc.Col = 0
				for l := cfg.LoopOf[bi]; l >= 0 && place.Loop < 0; l = cfg.Loops[l].Parent {
					if at, ok := loops[[2]int{fi, cfg.Loops[l].Header}]; ok {
						place.Loop = at
					}
				}
				if len(places[place]) == 0 {
					continue
				}
				s := done[place]
				if s == nil {
					s = &doneThere{}
					done[place] = s
				}
				s.add(in, float64(counts[bi]), word)
			}
		}
		for place, s := range done {
			if len(places[place]) == 1 { // what is atomic there cannot be told from what is not
				at := places[place][0]
				s.writes.over(written[at], out)
				s.reads.over(read[at], out)
			}
		}
	}
	return out
}

// hasUnsized tells whether calls of a block work on so much as it does not fix.
func hasUnsized(b *ir.Block) bool {
	return slices.ContainsFunc(b.Instrs, func(in ir.Instr) bool {
		_, _, known := sizeOf(in.Call)
		return in.Call != nil && in.Call.Callee < 0 && !known
	})
}

// doneThere is what is done in a place, by direction.
type doneThere struct{ writes, reads part }

// part is what instructions of a place write, or read.
type part struct {
	fixed   float64    // bytes of those that say how many
	times   float64    // how often the others do so
	calls   []sharedBy // the others
	unknown bool       // there are some of which it is not known
}

type sharedBy struct {
	call *ir.Call
	ran  bool
}

// over divides the bytes of a place by the calls that share them.
func (p *part) over(bytes float64, out map[*ir.Call]float64) {
	if p.unknown || p.times == 0 || bytes < p.fixed {
		return
	}
	for _, c := range p.calls {
		if c.ran {
			out[c.call] = (bytes - p.fixed) / p.times
		}
	}
}

// add counts what an instruction does that is executed so often. A pointer has so many bytes.
func (s *doneThere) add(in *ir.Instr, times, pointer float64) {
	own := func(p *part) {
		size := bytesOf(in.Type, pointer)
		p.fixed += times * size
		p.unknown = p.unknown || size == 0
	}
	switch {
	case in.Op == "store":
		own(&s.writes)
	case in.Op == "load":
		own(&s.reads)
	case in.Op == "atomicrmw" || in.Op == "cmpxchg":
		s.writes.unknown, s.reads.unknown = true, true
	case in.Call != nil:
		s.call(in.Call, times)
	}
}

// call counts what a call does. What a function of the program is given by value is not seen here.
func (s *doneThere) call(c *ir.Call, times float64) {
	effects, known := memory.Effects(c.Name)
	_, makes := memory.Makes(c.Name)
	_, format := memory.FormatOf(c.Name)
	if c.Callee >= 0 || c.Indirect || !known && c.Name == "asm" || makes && len(effects) == 0 || format || strings.HasPrefix(c.Name, "llvm.masked.") {
		s.writes.unknown, s.reads.unknown = true, true
		return
	}
	by, bytes, fixes := sizeOf(c)
	for _, e := range effects {
		p := &s.reads
		if e.Writes {
			p = &s.writes
		}
		switch {
		case by == nil || e.Size != by.Size:
			p.unknown = true
		case fixes:
			p.fixed += times * bytes
		default:
			p.times += times
			if e.Writes == by.Writes {
				p.calls = append(p.calls, sharedBy{c, times > 0})
			}
		}
	}
}

// sizeOf returns an effect of a call that says how much the call works on: what it writes, else reads; and the bytes,
// where the program fixes these. It is nil where the call does not have one such size.
func sizeOf(c *ir.Call) (by *memory.Effect, bytes float64, fixes bool) {
	if c == nil {
		return nil, 0, false
	}
	effects, _ := memory.Effects(c.Name)
	for i := range effects {
		e := &effects[i]
		switch {
		case e.End || e.Deref:
			return nil, 0, false
		case by == nil || e.Writes && !by.Writes:
			by = e
		case e.Writes == by.Writes && e.Size != by.Size:
			return nil, 0, false
		}
	}
	if by == nil {
		return nil, 0, false
	}
	bytes = float64(max(1, by.Size.Unit))
	switch by.Size.Kind {
	case memory.Fixed, memory.Pointers, memory.List:
		return nil, 0, false // its cost does not go by that
	case memory.Bytes:
		for _, arg := range []int{by.Size.Arg, by.Size.Times} {
			at := slices.IndexFunc(c.ConstArgs, func(a ir.ConstArg) bool { return a.Index == arg && a.Value >= 0 })
			if arg >= 0 && at < 0 {
				return by, 0, false
			}
			if arg >= 0 {
				bytes *= float64(c.ConstArgs[at].Value)
			}
		}
		return by, bytes, true
	}
	return by, 0, false
}

// bytesOf is how many bytes a load or store of a plain type moves, 0 of another.
func bytesOf(t string, pointer float64) float64 {
	if n, ok := map[string]float64{"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "i128": 16, "half": 2, "float": 4, "double": 8, "ptr": pointer}[t]; ok {
		return n
	}
	if strings.HasSuffix(t, "*") {
		return pointer
	}
	return 0
}
