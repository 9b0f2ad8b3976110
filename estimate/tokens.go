package estimate

// This file finds what stages of pipelines read of what other processors wrote.

import (
	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/memory"
	"pathspan/streams/flow"
)

// pointer is how many bytes one has, of machines of 64 bits.
const pointer = 8

// tokens returns by task of the program what its executions bring in where it is a stage; nil where there are none.
//
// What an execution reads of another lane are the bytes that this lane read for the first time since they were written, where the
// other is a stage of the same pipeline, and all that it read, where it is not; but no more than the lines that it used first and the
// other wrote last.
func (m *mover) tokens() []*table.Tokens {
	d, p := m.e.Bundle.Memory, m.e.Bundle.Program
	if len(p.Pipelines) == 0 {
		return nil
	}
	lines, fresh, all := map[[2]int]float64{}, map[[2]int]float64{}, map[[2]int]float64{}
	for i := range d.Reuse {
		if r := &d.Reuse[i]; r.First && r.From != r.Lane {
			lines[[2]int{max(0, r.From), r.Lane}] += float64(r.Reads)
		}
	}
	for i := range d.Flows {
		f := &d.Flows[i]
		pair := [2]int{f.From.Lane, f.To.Lane}
		if d.Objects[f.Object].Kind == memory.Elsewhere { // what a task is given when it is made goes with it
			if f.From.Place >= 0 && d.Lanes[f.From.Lane].Kind != memory.Serial {
				continue
			}
			if began := m.x.began[f.To.Lane]; f.From == memory.Nobody && float64(f.Bytes) == pointer*began { // where it lies the library wrote
				lines[pair] = max(0, lines[pair]-began)
				continue
			}
		}
		fresh[pair] += float64(f.Distinct)
		all[pair] += float64(f.Bytes)
	}
	stage := func(l int) (pipeline int) {
		pipeline = -1
		if d.Lanes[l].Kind == memory.InTask {
			pipeline, _ = p.StageOf(d.Lanes[l].Construct)
		}
		return pipeline
	}
	read := func(from, to int, bytes, times float64) table.Token {
		used := lines[[2]int{from, to}]
		if bytes == 0 { // the other wrote something else of these lines
			used = 0
		}
		t := table.Token{From: -1, Bytes: min(bytes, caches.RecordedLine*used) / times, Copies: used / times}
		if stage(from) >= 0 && stage(from) == stage(to) {
			t.From = d.Lanes[from].Construct
		}
		return t
	}
	traced := flow.ItemReads(m.e.Bundle)
	var out []*table.Tokens
	for l := range d.Lanes {
		if stage(l) < 0 || m.x.began[l] == 0 {
			continue
		}
		if out == nil {
			out = make([]*table.Tokens, len(p.Tasks))
		}
		x := &table.Tokens{Back: table.Token{From: -1}}
		if m.copies != nil {
			x.Accesses, x.Bytes = m.copies[l].accesses, m.copies[l].bytes
		}
		others := table.Token{From: -1}
		for o := range d.Lanes {
			if o == l {
				continue
			}
			switch pair := [2]int{o, l}; {
			case stage(o) != stage(l):
				in, back := read(o, l, all[pair], m.x.began[l]), read(l, o, fresh[[2]int{l, o}], m.x.began[l])
				others.Bytes, others.Copies = others.Bytes+in.Bytes, others.Copies+in.Copies
				x.Back.Bytes, x.Back.Copies = x.Back.Bytes+back.Bytes, x.Back.Copies+back.Copies
			case lines[pair] > 0 && fresh[pair] > 0:
				in := read(o, l, fresh[pair], m.x.began[l])
				in.Crossing = m.apart(m.x.others[pair], m.x.began[l])
				x.In = append(x.In, in)
			}
		}
		if others.Bytes > 0 {
			x.In = append(x.In, others)
		}
		x.Items = broughtBy(x.In, traced[d.Lanes[l].Construct])
		out[d.Lanes[l].Construct] = x
	}
	return out
}

// broughtBy says what each item's execution brings in where a trace of stages tells how many bytes it read of which item's: these
// are then what it brings in on average as well, and their copies one, while caches have it wait as long on average as they did. What a trace
// knows nothing of, such as what is no stage's, is alike for all.
func broughtBy(in []table.Token, items []flow.StageItem) (out [][]table.Brought) {
	all, times := map[int]float64{}, 0.0 // bytes by task
	for _, x := range items {
		times += x.Times
	}
	for _, x := range items {
		for _, r := range x.Reads {
			all[r.From] += r.Bytes * x.Times
		}
	}
	for i := range in {
		if bytes := all[in[i].From]; bytes > 0 {
			in[i].Bytes = bytes / times
		}
	}
	for _, x := range items {
		var of []table.Brought
		for i := range in {
			if all[in[i].From] == 0 {
				of = append(of, table.Brought{In: i, Times: 1, Copies: in[i].Copies})
			}
			for _, r := range x.Reads {
				if r.From == in[i].From {
					of = append(of, table.Brought{In: i, Back: int32(r.Back), Times: r.Bytes / in[i].Bytes, Copies: 1})
				}
			}
		}
		out = append(out, of)
	}
	return out
}
