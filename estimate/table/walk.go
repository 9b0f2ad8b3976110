package table

// This file tells an execution as the program ran it: sections one after the other.

import "pathspan/ir"

// Step is a stretch of an execution: work, and then the mark that ends it. Own is by kind
// of processor, in cycles of processor 0, and not the visitor's to keep.
type Step struct {
	Own                        []float64
	Mark                       ir.MarkKind
	Region, Construct, Section int
}

// Walk visits the steps of an execution with everything on one processor. It reports false,
// having visited nothing, where rows say only on average what is inside.
func (t *Table) Walk(execution int, visit func(s Step)) bool {
	if !t.exact[execution] {
		return false
	}
	w := &walker{t: t, visit: visit, own: make([]float64, t.Kinds)}
	w.execution(execution)
	return true
}

type walker struct {
	t     *Table
	visit func(s Step)
	own   []float64 // since the last mark
}

func (w *walker) mark(kind ir.MarkKind, e *execution, section int) {
	w.visit(Step{w.own, kind, int(e.region), int(e.construct), section})
	clear(w.own)
}

func (w *walker) execution(x int) {
	t := w.t
	e := &t.executions[x]
	if e.lock > 0 { // no mark tells of it
		w.lane(e.first)
		return
	}
	w.mark(ir.RegionBegin, e, 0)
	for s := range e.lanes {
		l := t.lanes[e.first+s]
		if l.parts == 0 {
			continue
		}
		w.mark(ir.SectionBegin, e, int(s))
		w.lane(e.first + s)
		w.mark(ir.SectionEnd, e, int(s))
	}
	w.mark(ir.RegionEnd, e, 0)
}

func (w *walker) lane(lane int32) {
	t, l := w.t, w.t.lanes[lane]
	for i := l.first; i < l.first+l.parts; i++ {
		for times := t.parts[i].times; times > 0; times-- {
			for k := range w.own {
				w.own[k] += t.own[int(i)*t.Kinds+k]
			}
			if set := t.parts[i].set; set >= 0 {
				w.execution(t.sets[set].Executions[0])
			}
		}
	}
}
