package memory

// This file turns data into words for bundles, and back.

import (
	"errors"

	"pathspan/ir"
)

// Words is Data as bundles keep it: each list as words of its own, and names apart.
type Words struct {
	Lists [lists][]int64
	Names []string
}

const lists = 21

var errCut = errors.New("its record of memory is cut")

// words reads or writes the fields of records, which both name alike.
type words struct {
	reads bool
	list  []int64
	names []string
	err   error
}

func (w *words) word(v *int64) {
	if !w.reads {
		w.list = append(w.list, *v)
		return
	}
	if len(w.list) == 0 {
		w.err = errCut
		return
	}
	*v, w.list = w.list[0], w.list[1:]
}

func whole[T ~int | ~int64 | ~uint64 | ~uint8](w *words, v *T) {
	word := int64(*v)
	w.word(&word)
	*v = T(word)
	if int64(*v) != word {
		w.err = errCut
	}
}

func (w *words) is(v *bool) {
	word := int64(0)
	if *v {
		word = 1
	}
	w.word(&word)
	*v = word != 0
	if word&^1 != 0 {
		w.err = errCut
	}
}

func (w *words) name(v *string) {
	if !w.reads {
		w.names = append(w.names, *v)
		return
	}
	if len(w.names) == 0 {
		w.err = errCut
		return
	}
	*v, w.names = w.names[0], w.names[1:]
}

func (w *words) ints(list ...*int) {
	for _, v := range list {
		whole(w, v)
	}
}

func (w *words) counts(list ...*uint64) {
	for _, v := range list {
		whole(w, v)
	}
}

func (w *words) who(v *Who)    { w.ints(&v.Lane, &v.Guard, &v.Place) }
func (w *words) loc(v *ir.Loc) { w.ints(&v.File, &v.Line) }

func (w *words) place(p *Place) {
	w.ints(&p.Func, &p.Loop)
	w.loc(&p.Loc)
	w.ints(&p.Into)
	w.is(&p.Atomic)
}
func (w *words) loop(l *Loop)   { w.ints(&l.Func, &l.Header, &l.Parent, &l.Depth, &l.Lane) }
func (w *words) lane(l *Lane)   { whole(w, &l.Kind); w.ints(&l.Region, &l.Construct, &l.Section) }
func (w *words) path(p *Path)   { w.ints(&p.Outer, &p.Func); w.loc(&p.Loc); w.ints(&p.Into) }
func (w *words) guard(g *Guard) { w.ints(&g.Outer, &g.Lock) }

func (w *words) object(o *Object) {
	w.name(&o.Name)
	whole(w, &o.Kind)
	w.ints(&o.Func, &o.Place, &o.Path)
	whole(w, &o.Size)
	w.counts(&o.Made)
	n := len(o.Lanes)
	w.ints(&n)
	if w.reads {
		if n < 0 || n > len(w.list) {
			w.err = errCut
			return
		}
		if n > 0 {
			o.Lanes = make([]int, n)
		}
	}
	for i := range o.Lanes {
		w.ints(&o.Lanes[i])
	}
}

func (w *words) foreign(f *Foreign) { w.name(&f.Name); w.counts(&f.Calls) }
func (w *words) flow(f *Flow) {
	w.ints(&f.Object)
	w.who(&f.From)
	w.who(&f.To)
	w.counts(&f.Bytes, &f.Distinct)
}
func (w *words) write(f *Write) { w.ints(&f.Object); w.who(&f.By); w.counts(&f.Bytes) }

func (w *words) carried(c *Carried) {
	w.ints(&c.Loop, &c.Lane)
	whole(w, &c.Kind)
	w.who(&c.From)
	w.who(&c.To)
	w.ints(&c.Object, &c.Among)
	w.counts(&c.Times, &c.Bytes)
}

func (w *words) reuse(r *Reuse) {
	w.ints(&r.Lane)
	w.is(&r.First)
	w.ints(&r.From)
	whole(w, &r.Lines)
	w.counts(&r.Reads, &r.Writes)
	whole(w, &r.WriteBacks)
}

func (w *words) span(s *Span) { w.ints(&s.Lane); w.counts(&s.Times, &s.Lines, &s.Most) }

func (w *words) shared(s *Shared) {
	w.ints(&s.Lane, &s.With)
	whole(w, &s.Apart)
	w.counts(&s.Fresh, &s.Again)
}

func (w *words) sets(s *Sets) {
	w.ints(&s.Lane, &s.Log)
	whole(w, &s.Lines)
	w.counts(&s.Times)
}

func (w *words) between(b *Between) {
	w.ints(&b.Lane, &b.Last, &b.By)
	whole(w, &b.Lines)
	w.counts(&b.Times)
}

func (w *words) fresh(f *Fresh) {
	w.ints(&f.Lane, &f.From)
	w.counts(&f.Reads, &f.FreshReads, &f.Writes, &f.FreshWrites)
}

func (w *words) taken(t *Taken) {
	w.ints(&t.Lane, &t.Threads)
	whole(w, &t.Lines)
	way := t.Way()
	w.counts(&t.Reads, &t.Writes, &t.Outer, &t.Known, &t.Kept)
	w.ints(&way)
	t.Chunk, t.OthersChunk = way/2, way%2 != 0
}

func (w *words) turns(t *Turns) {
	w.ints(&t.Lane, &t.Threads, &t.Chunk)
	w.counts(&t.First, &t.Again)
}

// freshLast is beside the list of what is fresh, which it came later than: without it nobody is known.
func (w *words) freshLast(all []Fresh) {
	for i := range all {
		if w.reads {
			all[i].Last = -1
		}
	}
	beside(w, len(all), func(i int) *int { return &all[i].Last })
}

// nearest is beside the list of what is carried, which it came later than.
func (w *words) nearest(all []Carried) {
	beside(w, len(all), func(i int) *uint64 { return &all[i].Nearest })
}

// beside reads or writes a word of each of so many, where a bundle has these.
func beside[T ~int | ~uint64](w *words, n int, word func(i int) *T) {
	if w.reads && len(w.list) == 0 {
		return
	}
	for i := range n {
		whole(w, word(i))
	}
	if w.reads && len(w.list) > 0 {
		w.err = errCut
	}
}

// setReads is beside the list of sets, which it came later than.
func (w *words) setReads(all []Sets) {
	beside(w, len(all), func(i int) *uint64 { return &all[i].Reads })
}

// each reads or writes all lists of a Data, in an order.
func (d *Data) each(w *words, list func(i int, do func())) {
	list(0, func() { through(w, &d.Places, (*words).place) })
	list(1, func() { through(w, &d.Loops, (*words).loop) })
	list(2, func() { through(w, &d.Lanes, (*words).lane) })
	list(3, func() { through(w, &d.Objects, (*words).object) })
	list(4, func() { through(w, &d.Paths, (*words).path) })
	list(5, func() { through(w, &d.Guards, (*words).guard) })
	list(6, func() { through(w, &d.Foreign, (*words).foreign) })
	list(7, func() { through(w, &d.Flows, (*words).flow) })
	list(8, func() { through(w, &d.Writes, (*words).write) })
	list(9, func() { through(w, &d.Carried, (*words).carried) })
	list(10, func() { through(w, &d.Reuse, (*words).reuse) })
	list(11, func() { through(w, &d.Spans, (*words).span) })
	list(12, func() { through(w, &d.Shared, (*words).shared) })
	list(13, func() { through(w, &d.Sets, (*words).sets) })
	list(14, func() { through(w, &d.Between, (*words).between) })
	list(15, func() { w.nearest(d.Carried) })
	list(16, func() { w.setReads(d.Sets) })
	list(17, func() { through(w, &d.Fresh, (*words).fresh) })
	list(18, func() { w.freshLast(d.Fresh) })
	list(19, func() { through(w, &d.Taken, (*words).taken) })
	list(20, func() { through(w, &d.Turns, (*words).turns) })
}

// through reads or writes a list.
func through[T any](w *words, list *[]T, fields func(*words, *T)) {
	for i := range *list {
		fields(w, &(*list)[i])
	}
	for w.reads && len(w.list) > 0 && w.err == nil {
		var e T
		fields(w, &e)
		*list = append(*list, e)
	}
}

// Words returns the data as words.
func (d *Data) Words() *Words {
	out, w := &Words{}, &words{}
	d.each(w, func(i int, do func()) {
		w.list = nil
		do()
		out.Lists[i] = w.list
	})
	out.Names = w.names
	return out
}

// FromWords is the reverse of Words. What it returns is to be checked.
func FromWords(from *Words) (*Data, error) {
	d, w := &Data{}, &words{reads: true, names: from.Names}
	d.each(w, func(i int, do func()) {
		w.list = from.Lists[i]
		do()
	})
	if len(w.names) > 0 {
		w.err = errCut
	}
	if w.err != nil {
		return nil, w.err
	}
	return d, nil
}
