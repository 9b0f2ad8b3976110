package estimate

// This file hands out a program as rows: what each technique makes of a profile, and all
// that is read from it.

import (
	"fmt"
	"sync"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// rowsOf holds the tables of an estimator, made on first use.
type rowsOf struct {
	mu   sync.Mutex
	made map[rowsKey]*rowsMade
}

type rowsKey struct {
	technique Technique
	serial    int // kind of the serial processor
	loops     string
}

type rowsMade struct {
	once  sync.Once
	table *table.Table
	err   error
}

// Rows returns the program as rows of a technique that has some, with everything outside
// sections on one processor and worksharing loops shared as their clauses say.
func (e *Estimator) Rows(t Technique, serial int) (*table.Table, error) {
	return e.RowsIn(t, e.settingOf(mapping.DefaultFrom(e.Platform, serial, e.Bundle.Program)))
}

// RowsUnder returns the rows under a mapping, which says how worksharing loops are shared.
func (e *Estimator) RowsUnder(t Technique, m *mapping.Resolved) (*table.Table, error) {
	if err := e.fits(m); err != nil {
		return nil, err
	}
	if t.Entry().Executions {
		for i, d := range m.Depths {
			if d != nil {
				if err := e.Deepens(i); err != nil {
					return nil, err
				}
			}
		}
	}
	return e.RowsIn(t, e.settingOf(m))
}

// RowsIn returns the rows in a setting.
func (e *Estimator) RowsIn(t Technique, in Setting) (*table.Table, error) {
	if in.Serial < 0 || in.Serial >= len(e.Platform.Processors) {
		return nil, fmt.Errorf("estimate: serial processor %d of %d", in.Serial, len(e.Platform.Processors))
	}
	if !t.HasRows() {
		return nil, fmt.Errorf("estimate: technique %s has no rows; want %s", t, Choice(TechniquesThat(HaveRows)))
	}
	m := e.rows.of(rowsKey{t, e.kindOf[in.Serial], in.key})
	m.once.Do(func() { m.table, m.err = t.Entry().Rows(e, in) })
	return m.table, m.err
}

// mostTables is the most tables that are kept.
const mostTables = 256

// of returns the place of a table. Tables are made outside of the lock, since some are made
// of others.
func (r *rowsOf) of(key rowsKey) *rowsMade {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made == nil {
		r.made = map[rowsKey]*rowsMade{}
	}
	if r.made[key] == nil {
		if len(r.made) >= mostTables { // whoever asks for so many ways of sharing loops
			clear(r.made)
		}
		r.made[key] = &rowsMade{}
	}
	return r.made[key]
}

// NewSpace prepares a search with a serial processor by a technique that has rows.
// Worksharing loops share their iterations as their clauses say, which is value 0 of their
// genes, or are executed by the serial processor.
func (e *Estimator) NewSpace(serial int, t Technique) (*table.Space, error) {
	return e.NewSpaceOf(serial, t, nil, nil)
}

// NewSpaceOf is NewSpace with more ways in which loops may share their iterations, given
// the rows of the clauses: values of their genes from 2; and with depths of buffers to choose of, by pipeline, nil for
// none.
func (e *Estimator) NewSpaceOf(serial int, t Technique, more func(rows *table.Table, region, construct int) []table.Way, depths [][][]int) (*table.Space, error) {
	rows, err := e.Rows(t, serial)
	if err != nil {
		return nil, err
	}
	static := mapping.DefaultFrom(e.Platform, serial, e.Bundle.Program)
	ways := make([][][]table.Way, len(static.Regions))
	for r := range static.Regions {
		rm := &static.Regions[r]
		ways[r] = make([][]table.Way, len(rm.Proc))
		for c := range rm.Proc {
			if rm.Loop(c) == nil {
				continue
			}
			said := table.WayOf(rm, c)
			ways[r][c] = []table.Way{said, said.Alone(serial)}
			if more != nil {
				ways[r][c] = append(ways[r][c], more(rows, r, c)...)
			}
		}
	}
	s := table.NewSpace(rows, e.Platform, e.Bundle.Program, serial, e.second(), ways, depths)
	for k := 0; ; k++ {
		m, some := s.Mapped(k)
		if !some {
			return s, nil
		}
		// They are read once, so that they are not kept.
		rows, err := t.Entry().Rows(e, e.settingOf(m))
		if err != nil {
			return nil, err
		}
		if err := s.Value(k, rows, m); err != nil {
			return nil, e.named(err)
		}
	}
}

// second is the length of a cycle of processor 0.
func (e *Estimator) second() float64 { return 1 / (e.ClockMHz[0] * 1e6) }

// Play visits the rows of a technique as they run under a mapping.
func (e *Estimator) Play(m *mapping.Resolved, t Technique, visit func(rows *table.Table, p *table.Played)) error {
	rows, err := e.RowsUnder(t, m)
	if err != nil {
		return err
	}
	return e.named(rows.NewValuer().Play(m, func(p *table.Played) { visit(rows, p) }))
}

// Reduce returns the rows of a technique under a mapping, for readers who change clocks and
// overheads. The estimator's clocks must all be 1 MHz, so that times are cycles of each
// processor; processors with the same number in alike are equal whatever is changed.
func (e *Estimator) Reduce(m *mapping.Resolved, t Technique, alike []int) (*table.Reduced, error) {
	for p, clock := range e.ClockMHz {
		if clock != 1 {
			return nil, fmt.Errorf("estimate: rows in cycles of processor %s at %g MHz: want 1 MHz", e.Platform.Processors[p].Name, clock)
		}
	}
	rows, err := e.RowsUnder(t, m)
	if err != nil {
		return nil, err
	}
	return rows.Reduce(m, alike)
}

// Busy returns the seconds that each processor is busy in one execution of the root
// function under a mapping, overheads included. A processor that waits is not busy.
func (e *Estimator) Busy(m *mapping.Resolved, t Technique) ([]float64, error) {
	out := make([]float64, len(e.kindOf))
	err := e.Play(m, t, func(_ *table.Table, p *table.Played) {
		for i := range out {
			out[i] += p.Weight * (p.Busy[i] + p.Overhead[i]) * e.second()
		}
	})
	if err != nil {
		return nil, err
	}
	serial, err := e.SerialSeconds(m.Serial, t)
	out[m.Serial] += serial
	return out, err
}

// SerialSeconds returns the time of the code outside of all sections in one execution of
// the root, on a processor. No mapping makes it shorter.
func (e *Estimator) SerialSeconds(serial int, t Technique) (float64, error) {
	rows, err := e.Rows(t, serial)
	if err != nil {
		return 0, err
	}
	return rows.Base[e.kindOf[serial]] * e.second(), nil
}
