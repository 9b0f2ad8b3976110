package mapping

// This file says how accelerators make loops where that is not as their models' files have it.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// DesignsKey is the word of mapping files for designs.
const DesignsKey = "designs"

// LoopDesign is how a loop is made in hardware.
type LoopDesign struct {
	Loop              string         // FILE:LINE
	Unroll, Partition int            // 0: as the model's file has it
	Pos               yamlstrict.Pos `json:"-"`
}

// mostFactor bounds how often a loop is unrolled.
const mostFactor = 1 << 16

// Design is how a processor's loops are made; those that it leaves out are made as the model's
// file has it.
type Design []LoopDesign

// lines are the loops as mapping files have them.
func (d Design) lines() (all []string) {
	for i := range d {
		var keys []string
		if d[i].Unroll > 0 {
			keys = append(keys, fmt.Sprintf("unroll: %d", d[i].Unroll))
		}
		if d[i].Partition > 0 {
			keys = append(keys, fmt.Sprintf("partition: %d", d[i].Partition))
		}
		all = append(all, fmt.Sprintf("%s: {%s}", word(d[i].Loop), strings.Join(keys, ", ")))
	}
	return all
}

// String is the design on one line, the same of equal ones.
func (d Design) String() string { return strings.Join(d.lines(), ", ") }

// DesignFile is the design of a processor as written.
type DesignFile struct {
	Processor Word
	Loops     Design
}

func readDesign(e yamlstrict.Entry) DesignFile {
	out := DesignFile{Processor: Word{e.Key, e.At}}
	for _, l := range e.Value.Entries() {
		f := l.Value.Fields("unroll", "partition")
		d := LoopDesign{Loop: l.Key, Pos: l.At}
		for _, k := range []struct {
			key string
			to  *int
		}{{"unroll", &d.Unroll}, {"partition", &d.Partition}} {
			if v := f.Get(k.key); v.Has() {
				*k.to = v.Int(1, mostFactor)
			}
		}
		if d.Unroll == 0 && d.Partition == 0 {
			l.Value.Fail("the design of the loop at %s is empty: give unroll or partition, or leave it out", l.Key)
		}
		out.Loops = append(out.Loops, d)
	}
	return out
}

// Designed returns the platform with the designs of a mapping file, itself where there are none.
func (pl *Platform) Designed(file *Mapping) (*Platform, error) {
	if file == nil || len(file.Designs) == 0 {
		return pl, nil
	}
	out := *pl
	out.Processors = slices.Clone(pl.Processors)
	for i := range file.Designs {
		d := &file.Designs[i]
		p, err := pl.find(d.Processor)
		if err != nil {
			return nil, err
		}
		out.Processors[p].Design = d.Loops
	}
	return &out, nil
}

// SameDesigns reports whether two mapping files, nil for none, make loops the same way.
func SameDesigns(a, b *Mapping) bool {
	text := func(m *Mapping) (all []string) {
		if m != nil {
			for i := range m.Designs {
				all = append(all, m.Designs[i].Processor.Text+"\x00"+m.Designs[i].Loops.String())
			}
		}
		return all
	}
	return slices.Equal(text(a), text(b))
}

// designed refuses designs that the platform was not given.
func (pl *Platform) designed(file *Mapping) error {
	for i := range file.Designs {
		d := &file.Designs[i]
		p, err := pl.find(d.Processor)
		if err != nil {
			return err
		}
		if pl.Processors[p].Design.String() != d.Loops.String() {
			return d.Processor.Pos.Errorf("designs of %s: processors are as their models' files have them here: leave designs out", d.Processor.Text)
		}
	}
	return nil
}
