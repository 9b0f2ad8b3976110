package pathprof

// This file tells one numbering from another.

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// Layout is a hash of what the counters mean, by which a numbering that another
// version of pathspan made is told from this one's.
func (in *Instrumentation) Layout() [32]byte {
	h := layoutHash{Hash: sha256.New()}
	h.put(in.Planner.Plan.Counters, in.Planner.Plan.Tables, len(in.Planner.Sites), len(in.Planner.Entered))
	h.put(in.Planner.Entered...)
	for fn, layouts := range in.Planner.Layouts {
		n := in.Numberings[fn]
		h.put(len(layouts))
		for i, l := range layouts {
			level := &n.Levels[i]
			h.put(l.Counter, l.Table, l.Trips, len(level.Sinks), len(level.Cuts))
			for _, s := range level.Sinks {
				h.put(int(s.Kind), s.Edge.From, s.Edge.Index, int(s.Offset), int(s.Count))
			}
			h.put(level.Cuts...)
		}
		for _, b := range n.CFG.Order {
			for k := range n.inOffset[b] {
				h.put(int(n.inOffset[b][k]))
			}
		}
	}
	for _, s := range in.Planner.Sites {
		h.put(s.Func, s.Block, len(s.Regs))
		for _, r := range s.Regs {
			h.put(b2i(r >= 0))
		}
	}
	return [32]byte(h.Sum(nil))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

type layoutHash struct {
	hash.Hash
	buffer [64]byte
}

func (h *layoutHash) put(values ...int) {
	b := h.buffer[:0]
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	h.Write(b)
}
