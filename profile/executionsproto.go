package profile

// This file converts executions to and from their messages.

import (
	"errors"
	"fmt"

	"pathspan/ir"
	"pathspan/profile/bundlepb"
)

func executionsToProto(x *Executions) *bundlepb.Executions {
	if x == nil {
		return nil
	}
	m := &bundlepb.Executions{Kinds: texts(x.Kinds), Weights: x.Weights, Grid: uint32(x.Grid), Depth: uint32(x.Depth), Scale: 1, LocksOfOne: ir.LocksOfOne}
	for fn, blocks := range x.Vectors {
		if blocks == nil {
			continue
		}
		v := &bundlepb.Vectors{Func: uint32(fn), Counts: make([]uint32, len(blocks)*len(x.Kinds))}
		for b, counts := range blocks {
			for k, n := range counts {
				v.Counts[k*len(blocks)+b] = n
			}
		}
		m.Vectors = append(m.Vectors, v)
	}
	for i, t := range x.trees() {
		m.Regions, m.Constructs = append(m.Regions, uint32(t.region)), append(m.Constructs, uint32(t.construct))
		m.Roots = append(m.Roots, t.roots)
		for _, lane := range t.lanes {
			m.Lanes = append(m.Lanes, uint32(len(lane)))
			for _, p := range lane {
				child := 0
				if p.child >= 0 {
					child = i - p.child
				}
				m.Children, m.Times = append(m.Children, uint32(child)), append(m.Times, p.times)
				m.Sums = append(m.Sums, p.sum...)
			}
		}
	}
	return m
}

var errExecutions = errors.New("its executions are lists of different lengths")

func executionsFromProto(m *bundlepb.Executions, p *ir.Program) (*Executions, error) {
	if m == nil {
		return nil, nil
	}
	r := &executionsReader{m: m}
	x := &Executions{Kinds: names(r.m.Kinds), Weights: r.m.Weights, Grid: int(r.m.Grid), Depth: int(r.m.Depth)}
	if r.m.Scale != 1 || len(x.Kinds) == 0 || len(x.Kinds) > mostKinds {
		return nil, fmt.Errorf("its executions are told in %d kinds, by a scale of %d", len(x.Kinds), r.m.Scale)
	}
	var err error
	if x.Vectors, err = vectorsFromProto(r.m, p, len(x.Kinds)); err != nil {
		return nil, err
	}
	trees := make([]tree, len(r.m.Regions))
	if len(r.m.Constructs) != len(trees) || len(r.m.Roots) != len(trees) {
		return nil, errExecutions
	}
	for i := range trees {
		t := &trees[i]
		*t = tree{region: int(r.m.Regions[i]), construct: int(r.m.Constructs[i]), roots: r.m.Roots[i]}
		if t.region == p.LockRegion() {
			t.construct = lockOf(t.construct, int(m.LocksOfOne))
		}
		t.loop, t.ofTasks = isLoop(p.Regions, t.region, t.construct), t.region == len(p.Regions)
		lanes, ok := lanesOf(p, t.region, t.construct)
		if !ok {
			return nil, fmt.Errorf("executions of construct %d of region %d, which does not exist", t.construct, t.region)
		}
		for range lanes {
			lane, err := r.lane(i, len(x.Kinds))
			if err != nil {
				return nil, err
			}
			t.lanes = append(t.lanes, lane)
		}
	}
	if r.lanes != len(r.m.Lanes) || r.parts != len(r.m.Children) || r.parts != len(r.m.Times) || r.parts*len(x.Kinds) != len(r.m.Sums) {
		return nil, errExecutions
	}
	return x.with(trees)
}

// lockOf is the construct of a lock of a bundle that tells so many of one apart; the last of them
// is all others. A bundle that does not say tells 64.
func lockOf(construct, of int) int {
	if of == ir.LocksOfOne {
		return construct
	}
	if of < 2 || of > ir.LocksOfOne {
		of = 64
	}
	name, k := construct/of, construct%of
	if k == of-1 {
		k = ir.LocksOfOne - 1
	}
	return name*ir.LocksOfOne + k
}

// with sets entries and roots as they are told, in their order.
func (x *Executions) with(trees []tree) (*Executions, error) {
	countTrees(trees)
	for i := range trees {
		if trees[i].count == 0 {
			return nil, fmt.Errorf("entry %d of its executions is never executed", i)
		}
		if n := trees[i].roots; n > 0 {
			x.Roots = append(x.Roots, ExecutionRoot{i, n})
		}
	}
	x.Entries = entriesOf(trees)
	return x, nil
}

// executionsReader takes parts from the lists of a message.
type executionsReader struct {
	m            *bundlepb.Executions
	lanes, parts int // taken
}

func (r *executionsReader) lane(entry, kinds int) ([]treePart, error) {
	if r.lanes >= len(r.m.Lanes) {
		return nil, errExecutions
	}
	n := int(r.m.Lanes[r.lanes])
	r.lanes++
	if have := min(len(r.m.Children), len(r.m.Times), len(r.m.Sums)/kinds); n > have-r.parts {
		return nil, errExecutions
	}
	lane := make([]treePart, n)
	for k := range lane {
		at := r.parts + k
		back := int64(r.m.Children[at])
		if back > int64(entry) || r.m.Times[at] == 0 {
			return nil, fmt.Errorf("entry %d of its executions holds one that does not come before it, or no execution", entry)
		}
		lane[k] = treePart{child: -1, times: r.m.Times[at], sum: r.m.Sums[at*kinds : (at+1)*kinds : (at+1)*kinds]}
		if back > 0 {
			lane[k].child = entry - int(back)
		}
	}
	r.parts += n
	return lane, nil
}

func vectorsFromProto(m *bundlepb.Executions, p *ir.Program, kinds int) ([][][]uint32, error) {
	out := make([][][]uint32, len(p.Funcs))
	for i, v := range m.Vectors {
		fn := int(v.GetFunc())
		if fn >= len(out) || i > 0 && v.GetFunc() <= m.Vectors[i-1].GetFunc() || len(v.GetCounts()) != kinds*len(p.Funcs[fn].Blocks) {
			return nil, fmt.Errorf("it says what %d blocks of function %d of %d count", len(v.GetCounts())/kinds, fn, len(out))
		}
		n := len(p.Funcs[fn].Blocks)
		all := make([]uint32, n*kinds)
		for b := range n {
			counts := all[b*kinds : (b+1)*kinds : (b+1)*kinds]
			for k := range counts {
				counts[k] = v.Counts[k*n+b]
			}
			out[fn] = append(out[fn], counts)
		}
	}
	return out, nil
}
