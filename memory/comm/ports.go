package comm

// This file computes ports of functions and sections: what of the program's objects each shares
// with others, and what crosses there (Cai, Gajski, section 4.2.3).
//
// A behaviour of that paper is a function, by its own code, or a section, with all that it
// calls. A port is an object that it reads or writes and that others read or write as well.
// Widths and accesses are in bytes, which stand for the paper's data types and their weights.

import (
	"cmp"
	"slices"

	"pathspan/memory"
)

// Port is an object that a behaviour shares with others.
type Port struct {
	Object string `json:"object"`
	Width  int64  `json:"width_bytes"` // T_S_Port: the size of the object; 0 where it is not known
	// Read and Written are bytes an execution: T_R_Port and T_W_Port, each access as many as it has.
	Read    float64 `json:"bytes_read_each"`
	Written float64 `json:"bytes_written_each"`
	// Reads and Writes are accesses an execution; null where a line accesses it in several sizes.
	Reads  *float64 `json:"reads_each"`
	Writes *float64 `json:"writes_each"`
}

// Behaviour is a function or a section with its ports.
type Behaviour struct {
	Name       string `json:"name"`
	Executions uint64 `json:"executions"` // 0 where unknown; figures of one are then of all
	Ports      []Port `json:"ports"`      // those of most bytes first
	// Width is the sum of the ports' (T_S), null where that of one is not known.
	Width *int64 `json:"width_bytes"`
	// Static is what is communicated in an execution if all ports are copied when it begins and when
	// it ends: C_S = 2 T_S, section 5.3.2.1. Null where Width is.
	Static *int64 `json:"static_bytes_each"`
	// Dynamic is what is communicated if each access of a port is: C_D_R + C_D_W, section 5.3.2.2.
	DynamicRead    float64 `json:"dynamic_bytes_read_each"`
	DynamicWritten float64 `json:"dynamic_bytes_written_each"`
	// StaticTotal and DynamicTotal are those of all executions (section 5.3.2.3).
	StaticTotal  *int64 `json:"static_bytes"`
	DynamicTotal uint64 `json:"dynamic_bytes"`
	// Storage is null of sections, whose variables are those of functions.
	Storage *Storage `json:"storage"`
	// Footprint is the memory that an execution of a section touches at most, in lines of 64 bytes;
	// 0 of functions.
	Footprint uint64 `json:"footprint_bytes"`
}

// Ports computes the ports of functions or of sections, those of most bytes first.
func (c *Comm) Ports(by By) []Behaviour {
	type use struct{ read, written, reads, writes uint64 }
	type key struct{ who, object int }
	uses := map[key]*use{}
	odd := map[key]bool{} // accesses of several sizes
	who := func(w memory.Who) int {
		if by == Section {
			return w.Lane
		}
		return c.sources[w.Place].function
	}
	users := map[int]map[int]bool{} // of an object; -1: outside
	at := func(w memory.Who, object int) *use {
		if users[object] == nil {
			users[object] = map[int]bool{}
		}
		if w.Place < 0 {
			users[object][-1] = true
			return nil
		}
		k := key{who(w), object}
		users[object][k.who] = true
		if uses[k] == nil {
			uses[k] = &use{}
		}
		return uses[k]
	}
	count := func(k key, n *uint64, bytes, size uint64) {
		if size == 0 || bytes%size != 0 {
			odd[k] = true
			return
		}
		*n += bytes / size
	}
	for i := range c.data.Flows {
		f := &c.data.Flows[i]
		at(f.From, f.Object)
		u := at(f.To, f.Object)
		u.read += f.Bytes
		count(key{who(f.To), f.Object}, &u.reads, f.Bytes, c.sources[f.To.Place].reads.size)
	}
	for i := range c.data.Writes {
		w := &c.data.Writes[i]
		u := at(w.By, w.Object)
		u.written += w.Bytes
		count(key{who(w.By), w.Object}, &u.writes, w.Bytes, c.sources[w.By.Place].writes.size)
	}
	n := c.needs()
	keys := make([]key, 0, len(uses))
	for k := range uses {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.who, b.who), cmp.Compare(a.object, b.object)) })
	var out []Behaviour
	last := -1
	for _, k := range keys {
		if k.who != last {
			last = k.who
			out = append(out, n.behaviour(by, k.who))
		}
		if len(users[k.object]) < 2 {
			continue
		}
		b, u := &out[len(out)-1], uses[k]
		each := float64(max(1, b.Executions))
		p := Port{Object: c.objects[k.object], Width: c.data.Objects[k.object].Size, Read: float64(u.read) / each, Written: float64(u.written) / each}
		if !odd[k] {
			reads, writes := float64(u.reads)/each, float64(u.writes)/each
			p.Reads, p.Writes = &reads, &writes
		}
		b.Ports = append(b.Ports, p)
		b.DynamicTotal += u.read + u.written
	}
	for i := range out {
		out[i].sum()
	}
	slices.SortFunc(out, func(a, b Behaviour) int {
		return cmp.Or(cmp.Compare(b.DynamicTotal, a.DynamicTotal), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// behaviour is one without ports.
func (c *needs) behaviour(by By, who int) Behaviour {
	if by == Section {
		b := Behaviour{Name: c.lane(who), Executions: c.executions(who)}
		for i := range c.data.Spans {
			if s := &c.data.Spans[i]; s.Lane == who {
				b.Footprint = max(b.Footprint, 64*s.Most)
			}
		}
		return b
	}
	s := c.of(who)
	return Behaviour{Name: c.functions[who].name, Executions: c.functions[who].calls, Storage: &s}
}

// sum adds ports up.
func (b *Behaviour) sum() {
	slices.SortStableFunc(b.Ports, func(p, q Port) int { return cmp.Compare(q.Read+q.Written, p.Read+p.Written) })
	width, known := int64(0), true
	for i := range b.Ports {
		p := &b.Ports[i]
		width, known = width+p.Width, known && p.Width > 0
		b.DynamicRead, b.DynamicWritten = b.DynamicRead+p.Read, b.DynamicWritten+p.Written
	}
	if !known {
		return
	}
	each, total := 2*width, 2*width*int64(max(1, b.Executions))
	b.Width, b.Static, b.StaticTotal = &width, &each, &total
}
