package table_test

// This file holds what stages copy to processors that are followed from one moment at which anything changes to the
// next, with nothing of the package's.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/estimate/table"
)

// followed is when the last stage is done with the last item, where stage s is alone on processor s+1 and the
// code that makes items on processor 0. In an item's order it waits, copies from one memory after the other, and works.
func (c *chain) followed(l *table.Links, tokens []*table.Tokens, cross func(c table.Crossing, from, to int) float64) float64 {
	type step struct {
		left  float64
		links []int
	}
	stages := len(c.stateless)
	todo, item, done := make([][]step, stages), make([]int, stages), make([][]float64, len(c.takes))
	for i := range done {
		done[i] = slices.Repeat([]float64{math.Inf(1)}, stages)
	}
	for now := 0.0; ; {
		for s := range stages { // who can begin
			i := item[s]
			if todo[s] != nil || i == len(c.takes) || s > 0 && done[i][s-1] > now || s < len(c.depths) && i >= c.depths[s] && done[i-c.depths[s]][s+1] > now {
				continue
			}
			made := 0.0
			for k := range i + 1 {
				made += c.before[k]
			}
			if made > now {
				continue
			}
			waits := 0.0
			todo[s] = []step{{}}
			for k, in := range tokens[s].In {
				from, times, copies := in.From+1, 1.0, in.Copies
				if i < len(tokens[s].Items) {
					times, copies = 0, 0
					for _, b := range tokens[s].Items[i] {
						if b.In == k && (in.From < 0 || int(b.Back) <= i) {
							times, copies = times+b.Times, copies+b.Copies
						}
					}
				}
				waits += times * cross(in.Crossing, from, s+1)
				if way := l.Route[from][s+1]; len(way.Links) > 0 {
					todo[s] = append(todo[s], step{left: way.Latency * min(1, copies)}, step{times * in.Bytes, way.Links})
				}
			}
			todo[s][0].left = waits
			todo[s] = append(todo[s], step{left: c.takes[i][s]})
		}
		speed := func(x step) float64 {
			v := math.Inf(1)
			for _, link := range x.links {
				users := 0.0
				for s := range stages {
					if todo[s] != nil && slices.Contains(todo[s][0].links, link) {
						users++
					}
				}
				v = min(v, l.Rate[link]/users)
			}
			if x.links == nil {
				return 1
			}
			return v
		}
		next, speeds := math.Inf(1), make([]float64, stages)
		for s := range stages {
			if todo[s] != nil {
				speeds[s] = speed(todo[s][0])
				next = min(next, todo[s][0].left/speeds[s])
			}
		}
		made := 0.0
		for _, b := range c.before {
			if made += b; made > now {
				next = min(next, made-now)
			}
		}
		if math.IsInf(next, 1) {
			return now
		}
		now += next
		for s := range stages {
			if todo[s] == nil {
				continue
			}
			todo[s][0].left -= next * speeds[s]
			if todo[s][0].left > 1e-9 {
				continue
			}
			if todo[s] = todo[s][1:]; len(todo[s]) == 0 {
				done[item[s]][s] = now
				todo[s], item[s] = nil, item[s]+1
			}
		}
	}
}

// randomTokens gives each stage's processor a memory of its own, at one bus or at a link each, and each stage something to
// read of the one before, of any other that comes before it, and of what is outside.
func randomTokens(r *rand.Rand, stages int) (l *table.Links, tokens []*table.Tokens) {
	bus, n := r.IntN(2) == 0, stages+1
	l = &table.Links{Route: make([][]table.Route, n)}
	for range n {
		l.Rate = append(l.Rate, []float64{0.5, 1, 2, 3}[r.IntN(4)])
	}
	for p := range n {
		for q := range n {
			way := table.Route{Latency: float64(r.IntN(9))}
			switch {
			case p == q:
				way.Latency = 0
			case bus:
				way.Links = []int{0}
			default:
				way.Links = []int{p, q}
			}
			l.Route[p] = append(l.Route[p], way)
		}
	}
	for s := range stages {
		x := &table.Tokens{Back: table.Token{From: -1}}
		for from := -1; from < s; from++ {
			if r.IntN(2) == 0 || from == s-1 && from >= 0 {
				x.In = append(x.In, table.Token{From: from, Bytes: float64(1 + r.IntN(40)), Copies: float64(1+r.IntN(4)) / 2, Crossing: table.Crossing{0, float64(r.IntN(5))}})
			}
		}
		for range r.IntN(2) * 6 {
			var of []table.Brought
			for k := range x.In {
				for back := range r.IntN(3) { // none, of this item, of the one before as well
					of = append(of, table.Brought{In: k, Back: int32(back), Times: float64(1+r.IntN(4)) / 2, Copies: float64(1+r.IntN(4)) / 3})
				}
			}
			x.Items = append(x.Items, of)
		}
		tokens = append(tokens, x)
	}
	return l, tokens
}

func TestTokensAreFollowed(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 9))
	longer := 0
	for round := range 400 {
		c := randomChain(r)
		clear(c.stateless)
		stages := len(c.stateless)
		m := onTeam(stages + 1)
		for s := range stages {
			m.Tasks = append(m.Tasks, []int{s + 1})
		}
		rows := c.table(t, stages+1)
		without, err := rows.NewValuer().Value(m)
		if err != nil {
			t.Fatal(err)
		}
		rows.Links, rows.Tokens = randomTokens(r, stages)
		rows.Apart = make([][]int, stages+1)
		for p := range rows.Apart {
			rows.Apart[p] = slices.Repeat([]int{1}, stages+1)
			rows.Apart[p][p] = 0
		}
		cross := func(c table.Crossing, from, to int) float64 {
			if from == to {
				return 0
			}
			return c[1]
		}
		want := c.followed(rows.Links, rows.Tokens, cross)
		var last *table.Tokens
		if last = rows.Tokens[stages-1]; r.IntN(2) == 0 { // what is read when all has ended is read once for each stage
			last.Back = table.Token{From: -1, Bytes: 3, Copies: 0.5 / float64(len(c.takes))}
			way := rows.Links.Route[stages][0]
			rate := math.Inf(1)
			for _, i := range way.Links {
				rate = min(rate, rows.Links.Rate[i])
			}
			want += 0.5*way.Latency + 3*float64(len(c.takes))/rate
		}
		got, err := rows.NewValuer().Value(m)
		if err != nil || !(math.Abs(got-want) <= 1e-6*want) {
			t.Fatalf("round %d: %v takes %v, want %v, without tokens %v: %v", round, c, got, want, without, err)
		}
		if got > without*1.05 {
			longer++
		}
	}
	if longer < 300 {
		t.Errorf("%d of 400 take longer for what they copy", longer)
	}
}

// TestTokensOfOneProcessor: who executes all stages where they are made copies nothing, and items of a stage on several processors are
// copied from that which had them.
func TestTokensOfOneProcessor(t *testing.T) {
	c := chain{depths: []int{2}, stateless: []bool{true, false}, before: make([]float64, 6)}
	for range 6 {
		c.takes = append(c.takes, []float64{30, 10})
	}
	links := &table.Links{Rate: []float64{1}, Route: [][]table.Route{make([]table.Route, 3), make([]table.Route, 3), make([]table.Route, 3)}}
	for p := range 3 {
		for q := range 3 {
			if p != q && p+q > 1 { // processors 0 and 1 share a memory
				links.Route[p][q] = table.Route{Latency: 5, Links: []int{0}}
			}
		}
	}
	tokens := []*table.Tokens{{Back: table.Token{From: -1}}, {In: []table.Token{{From: 0, Bytes: 7, Copies: 1}}, Back: table.Token{From: -1}}}
	for _, on := range []struct {
		tasks [][]int
		from  int // what was made on this processor is copied by the second stage
	}{{[][]int{{0}, {0}}, -1}, {[][]int{{0}, {1}}, -1}, {[][]int{{2}, {2}}, -1}, {[][]int{{0}, {2}}, 0}, {[][]int{{0, 2}, {0}}, 2}} {
		rows := c.table(t, 3)
		rows.Links, rows.Tokens = links, tokens
		m := onTeam(3)
		m.Tasks = on.tasks
		busy, want := 0.0, 60.0
		if _, err := rows.NewValuer().PlayTasks(m, nil, func(_ int, _, _ float64, runs []table.TaskRun) {
			for _, x := range runs {
				if x.Task == 1 {
					busy += x.Busy
				} else if x.Task == 0 && x.Processor == on.from {
					want += 12
				}
			}
		}); err != nil || math.Abs(busy-want) > 1e-9 {
			t.Errorf("on %v the second stage is busy for %v, want %v: %v", on.tasks, busy, want, err)
		}
	}
}
