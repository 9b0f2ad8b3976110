package suggest

// This file ranks prospects by what they save together.

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
)

// Options say how much to look for.
type Options struct {
	Limit   int     // suggestions, 0 for all
	Without []Lines // loops and sequences that are known not to run in parallel
}

// Lines is a line of a source file, which a loop or a sequence of statements begins in.
type Lines struct {
	File   string // its path, or the end of it
	Line   int
	Column int // of one of several loops in the line; 0 for all that begins there
}

func (l Lines) of(p *Place) bool {
	file, name := filepath.Clean(p.File), filepath.Clean(l.File)
	return p.Line == l.Line && (l.Column == 0 || l.Column == p.Column) && (file == name || strings.HasSuffix(file, "/"+name))
}

// leastShare is the part of the program's time that a prospect must save to be a suggestion.
const leastShare = 0.001

// Of finds what would pay in a program on a platform. The mapping says where the regions run
// that it has.
func Of(e *estimate.Estimator, m *mapping.Resolved, o Options) (*Answer, error) {
	p, err := newProgram(e, m)
	if err != nil {
		return nil, err
	}
	out := &Answer{SequentialSeconds: p.sequential * e.Second(), PresentSeconds: p.present * e.Second()}
	all := p.prospects()
	var left []*prospect
	if err := leaveOut(all, o.Without); err != nil {
		return nil, err
	}
	for _, c := range all {
		if p.judge(c); c.why == "" {
			left = append(left, c)
		}
	}
	taken := p.rank(left)
	p.alternatives(taken, left, o)
	p.report(out, all, taken, o)
	return out, p.err
}

// prospects finds all of a program, in the order of the source.
func (p *program) prospects() []*prospect {
	var all []*prospect
	for _, x := range p.sourceLoops() {
		all = append(all, p.loop(x))
	}
	nameByLine(all)
	all = slices.Concat(all, p.sequences(), p.recursions())
	for _, c := range all {
		p.between(c)
	}
	slices.SortStableFunc(all, func(a, b *prospect) int {
		return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.Kind, b.Kind))
	})
	return all
}

// leaveOut marks the prospects at lines.
func leaveOut(all []*prospect, without []Lines) error {
	for _, l := range without {
		any := false
		for _, c := range all {
			if l.of(&c.Place) {
				c.out, any = true, true
			}
		}
		if !any {
			return &ErrNothing{l}
		}
	}
	return nil
}

// ErrNothing says that nothing that could run in parallel begins at a line.
type ErrNothing struct{ Lines }

func (e *ErrNothing) Error() string {
	return fmt.Sprintf("nothing that could run in parallel begins at %s", Place{File: e.File, Line: e.Line, Column: e.Column})
}

// alternatives finds what would pay in place of each suggestion.
func (p *program) alternatives(taken, all []*prospect, o Options) {
	const most = 3
	for i, c := range taken {
		if o.Limit > 0 && i == o.Limit {
			break
		}
		other, _ := p.extend(without(taken, c), without(all, c))
		other = slices.DeleteFunc(other, func(x *prospect) bool { return slices.Contains(taken, x) })
		slices.SortStableFunc(other, func(a, b *prospect) int { return cmp.Compare(b.SavesSeconds, a.SavesSeconds) })
		for _, x := range other[:min(most, len(other))] {
			c.Instead = append(c.Instead, Instead{x.Kind, x.Place, x.SavesSeconds})
		}
	}
}

func without(all []*prospect, c *prospect) []*prospect {
	return slices.DeleteFunc(slices.Clone(all), func(x *prospect) bool { return x == c })
}

func with(all []*prospect, c *prospect) []*prospect { return append(slices.Clone(all), c) }

// saving is what the program saves with prospects.
func (p *program) saving(all []*prospect) float64 {
	return p.present - p.value(together(all), make([]float64, len(p.funcs)))
}

// judge values a prospect alone, and says why it is not worth it.
func (p *program) judge(c *prospect) {
	if c.under == 0 {
		c.why = "inside"
		return
	}
	c.Share = c.under / p.present
	saved := p.saving([]*prospect{c})
	c.SavesSeconds = saved * p.e.Second()
	c.Speedup = p.sequential / (p.present - saved)
	least := p.saving([]*prospect{{change: c.worst}})
	c.AtLeastSeconds = math.Max(0, math.Min(least, saved)) * p.e.Second()
	c.Library = c.library
	a := map[Kind]string{Loop: "an iteration", Sections: "a section"}[c.Kind]
	switch {
	case c.out:
		c.why = "left out"
	case c.word == ir.WhileLoop || c.word == ir.DoLoop:
		c.why = "a while or do loop, where OpenMP needs one that counts"
	case c.Kind == Loop && c.early:
		c.why = "it can be left from within (break, return or goto), which a parallel loop cannot"
	case c.Dependences.forbidden(a) != "":
		c.why = c.Dependences.forbidden(a)
	case c.Kind == Loop && c.Trips < 2:
		c.why = fmt.Sprintf("too few iterations: %.3g each time", c.Trips)
	case len(p.kindOf) == 1:
		c.why = "the platform has one processor"
	case saved <= 0 && c.Regions != nil:
		c.why = "the regions inside save more than it would"
	case saved <= 0:
		c.why = p.loss(c)
	}
}

// loss says why nothing is saved.
func (p *program) loss(c *prospect) string {
	over, each := p.mostOverhead(), c.under/math.Max(1e-300, c.Entries)
	switch {
	case c.Kind != Tasks && over >= each/2:
		return fmt.Sprintf("too small for the overheads: %.0f cycles to start and end it, %.0f in it", over, each)
	case c.Kind == Sections:
		return "one of the sections takes nearly all of the time"
	}
	return "the other processors are too slow to help"
}

// rank chooses the prospects that save most together, and puts them in the order in which each saves
// most behind those before it; those in libraries come last.
//
// Taking what saves most first is not enough: of two loops that follow each other, running
// one beside the other may save more than either does, and less than both. So each one that
// was taken is left out once to see whether others do better in its place.
func (p *program) rank(all []*prospect) []*prospect {
	every := all
	best, total := p.extend(nil, all)
	for i := 0; i < len(best); i++ {
		rest := without(all, best[i])
		if other, x := p.extend(without(best, best[i]), rest); x > total*(1+1e-9) {
			best, total, all, i = other, x, rest, -1
		}
	}
	ranked, _ := p.greedy(nil, p.coarsen(best, every, total), 0)
	before := 0.0
	for i, c := range ranked {
		x := p.saving(ranked[:i+1])
		c.AddsSeconds, before = (x-before)*p.e.Second(), x
	}
	return ranked
}

// alike is the part of what a prospect adds within which another is as good.
const alike = 0.05

// coarsen takes the loop around another of a function in its place where that saves about as
// much: it is entered less often, and so knows less of overheads.
func (p *program) coarsen(taken, all []*prospect, total float64) []*prospect {
	for i := 0; i < len(taken); i++ {
		c := taken[i]
		rest := without(taken, c)
		left := p.saving(rest)
		for _, o := range all {
			if !o.encloses(c) || o.Entries > c.Entries/2 || o.Share < c.Share*(1-alike) || slices.Contains(taken, o) {
				continue
			}
			instead, both := p.saving(with(rest, o)), p.saving(with(taken, o))
			if instead < total-alike*(total-left) || both-instead > alike*(total-left) {
				continue
			}
			taken, total = p.extend(append(rest, o), nil)
			i = -1
			break
		}
	}
	return taken
}

// encloses reports whether a loop stands around another in its function.
func (c *prospect) encloses(x *prospect) bool {
	p, q := &c.Place, &x.Place
	return c.Kind == Loop && x.Kind == Loop && p.File == q.File && p.Function == q.Function && p.Line <= q.Line && q.End <= p.End && c.library == x.library
}

// extend takes more prospects as long as that saves more, and drops those that save nothing
// behind the others. It returns what all save.
func (p *program) extend(taken, all []*prospect) (more []*prospect, total float64) {
	for {
		taken, total = p.greedy(taken, all, leastShare*p.present)
		idle := slices.IndexFunc(taken, func(c *prospect) bool { return total-p.saving(without(taken, c)) < leastShare*p.present })
		if idle < 0 {
			return taken, total
		}
		c := taken[idle]
		taken, all = without(taken, c), without(all, c)
	}
}

// greedy adds the prospect that saves most to those that are taken, then the one that saves
// most with it, and so on, as long as that is more than least; those in libraries last. It
// also returns what all save.
func (p *program) greedy(taken, all []*prospect, least float64) ([]*prospect, float64) {
	taken = slices.Clone(taken)
	total := p.saving(taken)
	for _, library := range []bool{false, true} {
		bound := map[*prospect]float64{} // what it added when it was last looked at
		order := slices.DeleteFunc(slices.Clone(all), func(c *prospect) bool { return c.library != library || slices.Contains(taken, c) })
		for _, c := range order {
			bound[c] = math.Inf(1)
		}
		for {
			var best *prospect
			most := least
			slices.SortStableFunc(order, func(a, b *prospect) int { return cmp.Compare(bound[b], bound[a]) })
			for _, c := range order {
				if bound[c] <= most {
					break // what it adds shrinks with what is taken
				}
				if bound[c] = p.saving(with(taken, c)) - total; bound[c] > most {
					best, most = c, bound[c]
				}
			}
			if best == nil {
				break
			}
			taken, total = append(taken, best), total+most
			order = without(order, best)
		}
	}
	return taken, total
}

// report fills in the answer.
func (p *program) report(out *Answer, all, taken []*prospect, o Options) {
	saved := 0.0
	var least []*prospect
	for i, c := range taken {
		saved += c.AddsSeconds / p.e.Second()
		c.Together = p.sequential / (p.present - saved)
		least = append(least, &prospect{change: c.worst})
		c.TogetherAtLeast = math.Min(c.Together, p.sequential/(p.present-p.saving(least)))
		p.describe(c)
		if o.Limit == 0 || i < o.Limit {
			out.Suggestions = append(out.Suggestions, c.Suggestion)
		} else {
			out.More++
		}
	}
	for _, c := range all {
		switch {
		case slices.Contains(taken, c):
		case c.why == "inside":
		case c.why == "" && c.SavesSeconds < leastShare*p.present*p.e.Second():
			out.Small++
		case c.why == "":
			out.Rejected = append(out.Rejected, Rejected{c.Kind, c.Place, c.Share, c.Trips, p.shadows(taken, c)})
		case c.Share < leastShare:
			out.Small++
		default:
			out.Rejected = append(out.Rejected, Rejected{c.Kind, c.Place, c.Share, c.Trips, c.why})
		}
	}
	slices.SortStableFunc(out.Rejected, func(a, b Rejected) int { return cmp.Compare(b.Share, a.Share) })
}

// shadows says which suggestion takes what a prospect would save.
func (p *program) shadows(taken []*prospect, c *prospect) string {
	for i, t := range taken {
		if p.saving([]*prospect{t, c})-p.saving([]*prospect{t}) < 0.5*c.SavesSeconds/p.e.Second() {
			return fmt.Sprintf("it lies in or around %d, which saves more", i+1)
		}
	}
	return "those above leave nothing to save in it"
}
