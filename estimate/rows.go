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
	made map[[2]int]*rowsMade // by technique and kind of the serial processor
}

type rowsMade struct {
	once  sync.Once
	table *table.Table
	err   error
}

// Rows returns the program as rows of a technique that has some, with everything outside
// sections on one processor.
func (e *Estimator) Rows(t Technique, serial int) (*table.Table, error) {
	if serial < 0 || serial >= len(e.Platform.Processors) {
		return nil, fmt.Errorf("estimate: serial processor %d of %d", serial, len(e.Platform.Processors))
	}
	if !t.HasRows() {
		return nil, fmt.Errorf("estimate: technique %s has no rows; want %s", t, Choice(TechniquesThat(HaveRows)))
	}
	m := e.rows.of(t, e.kindOf[serial])
	m.once.Do(func() { m.table, m.err = t.Entry().Rows(e, serial) })
	return m.table, m.err
}

// of returns the place of a table. Tables are made outside of the lock, since some are made
// of others.
func (r *rowsOf) of(t Technique, kind int) *rowsMade {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [2]int{int(t), kind}
	if r.made == nil {
		r.made = map[[2]int]*rowsMade{}
	}
	if r.made[key] == nil {
		r.made[key] = &rowsMade{}
	}
	return r.made[key]
}

// NewSpace prepares a search with a serial processor by a technique that has rows.
func (e *Estimator) NewSpace(serial int, t Technique) (*table.Space, error) {
	rows, err := e.Rows(t, serial)
	if err != nil {
		return nil, err
	}
	return table.NewSpace(rows, e.Platform, e.Bundle.Program, serial, e.second()), nil
}

// second is the length of a cycle of processor 0.
func (e *Estimator) second() float64 { return 1 / (e.ClockMHz[0] * 1e6) }

// Play visits the rows of a technique as they run under a mapping.
func (e *Estimator) Play(m *mapping.Resolved, t Technique, visit func(rows *table.Table, p *table.Played)) error {
	if err := e.fits(m); err != nil {
		return err
	}
	rows, err := e.Rows(t, m.Serial)
	if err != nil {
		return err
	}
	return e.named(rows.NewValuer().Play(m, func(p *table.Played) { visit(rows, p) }))
}

// Reduce returns the rows of a technique under a mapping, for readers who change clocks and
// overheads. The estimator's clocks must all be 1 MHz, so that times are cycles of each
// processor; processors with the same number in alike are equal whatever is changed.
func (e *Estimator) Reduce(m *mapping.Resolved, t Technique, alike []int) (*table.Reduced, error) {
	if err := e.fits(m); err != nil {
		return nil, err
	}
	for p, clock := range e.ClockMHz {
		if clock != 1 {
			return nil, fmt.Errorf("estimate: rows in cycles of processor %s at %g MHz: want 1 MHz", e.Platform.Processors[p].Name, clock)
		}
	}
	rows, err := e.Rows(t, m.Serial)
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
