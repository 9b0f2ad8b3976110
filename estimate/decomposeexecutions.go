package estimate

// This file takes a program apart by its executions: where they alone decide, each
// construct is a unit, whatever calls or loops reach it.

import "pathspan/mapping"

// byExecutions replaces the rows of paths by classes of executions. Where those do not
// decide alone, as with regions within regions, nothing comes apart.
func (d *decomposition) byExecutions(serial int) {
	e := d.e
	tables := make([][]*unitTable, len(d.tables))
	for r := range d.tables {
		tables[r] = make([]*unitTable, len(d.tables[r]))
	}
	apart := e.eachConstruct(mapping.OnOne(e.Platform, serial, e.Bundle.Program), func(x *executionTable, r, c int, often float64) {
		if d.sections[r][c] == nil {
			for s := range x.mean {
				d.sections[r][c] = append(d.sections[r][c], s)
			}
		}
		t := &unitTable{rows: len(x.classes), sections: len(d.sections[r][c])}
		for _, w := range x.weight {
			t.weight, t.runs = append(t.weight, often*w), append(t.runs, 1)
		}
		for k := range e.kinds {
			for _, s := range d.sections[r][c] {
				for class := range x.classes {
					t.time = append(t.time, e.inClass(x, class, k, r, c, s))
				}
			}
		}
		tables[r][c] = t
	})
	for r := range d.flat {
		d.flat[r] = apart
	}
	d.tables = tables
}
