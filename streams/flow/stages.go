package flow

// This file finds the channels between the stages of pipelines, and what stages read that their
// pipeline does not have them wait for. A trace of stages tells which item's token is read by
// which other's; a record of memory tells bytes and objects.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/memory"
	"pathspan/profile"
)

// StageChannel is what a stage of a pipeline reads of what another one, or itself, wrote.
type StageChannel struct {
	Pipeline, From, To int // indices into Program.Pipelines and its stages
	// Traced says that a trace told of the channel (profile --flow): tokens, their class, how many
	// bytes a read takes, and from how many items back tokens come at least and at most.
	Traced     bool
	Tokens     int
	Reads      int
	InOrder    bool
	Multiple   bool
	Sized      bool
	Read       uint64 // bytes, summed over reads, each byte once a read
	Least      uint32 // of one read
	Most       uint32
	Near, Far  int
	Unordered  bool // the pipeline does not have To wait for From's token
	Remembered bool // a record of memory told of it (profile --memory):
	Bytes      uint64
	Distinct   uint64   // of these for the first time since they were written
	Objects    []string // variables, sorted; "" for others
}

// Class names it as Channel does.
func (c *StageChannel) Class() string {
	return (&Channel{InOrder: c.InOrder, Multiple: c.Multiple}).Class()
}

// StageChannels finds them, ascending by pipeline and stages.
func StageChannels(b *profile.Bundle) []StageChannel {
	if len(b.Program.Pipelines) == 0 {
		return nil
	}
	f := &stageFinder{p: b.Program, at: map[[3]int]*StageChannel{}, ordered: map[[4]int]bool{}}
	if b.Flow != nil {
		f.traced(b)
	}
	if b.Memory != nil {
		f.remembered(b.Memory)
	}
	var out []StageChannel
	for _, c := range f.at {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b StageChannel) int {
		return cmp.Or(a.Pipeline-b.Pipeline, a.From-b.From, a.To-b.To)
	})
	return out
}

// StagesTraced reports whether a bundle's flow tells stages apart.
func StagesTraced(b *profile.Bundle) bool {
	if b.Flow == nil {
		return false
	}
	tasks := b.Program.TaskEntries()
	return slices.ContainsFunc(stagesOf(b, tasks), func(at [2]int) bool { return at[0] >= 0 })
}

// stagesOf tells which stage of which pipeline statements are, -1 for others.
func stagesOf(b *profile.Bundle, tasks map[int]int) [][2]int {
	out := make([][2]int, len(b.Flow.Statements))
	for i := range out {
		out[i] = [2]int{-1, -1}
		if task, ok := tasks[b.Flow.Statements[i].Func]; ok {
			out[i][0], out[i][1] = b.Program.StageOf(task)
		}
	}
	return out
}

type stageFinder struct {
	p       *ir.Program
	at      map[[3]int]*StageChannel
	ordered map[[4]int]bool // by pipeline, writer, reader and items back: whether the reader waits
}

func (f *stageFinder) channel(pipeline, from, to int) *StageChannel {
	key := [3]int{pipeline, from, to}
	if f.at[key] == nil {
		f.at[key] = &StageChannel{Pipeline: pipeline, From: from, To: to}
	}
	return f.at[key]
}

// traced reads a trace. Items count anew each time that the loop is entered.
func (f *stageFinder) traced(b *profile.Bundle) {
	t, stages := b.Flow, stagesOf(b, b.Program.TaskEntries())
	for _, c := range Channels(t) {
		from, to := stages[c.From], stages[c.To]
		if from[0] < 0 || from[0] != to[0] {
			continue
		}
		x := f.channel(from[0], from[1], to[1])
		x.InOrder, x.Multiple = c.InOrder && (x.InOrder || !x.Traced), c.Multiple || x.Multiple
		x.Traced, x.Sized = true, t.Sized()
		x.Tokens += c.Tokens
		x.Reads += c.Reads
	}
	met := make(map[[3]int]bool)
	eachItem(t, stages, func(i int, items []item) {
		at, n := stages[t.Of(i)], items[i]
		sizes := t.Bytes(i)
		for k, p := range t.Producers(i) {
			from := stages[t.Of(int(p))]
			if from[0] != at[0] {
				continue
			}
			x := f.channel(at[0], from[1], at[1])
			key := [3]int{at[0], from[1], at[1]}
			if sizes != nil {
				if x.Read == 0 || sizes[k] < x.Least {
					x.Least = sizes[k]
				}
				x.Read += uint64(sizes[k])
				x.Most = max(x.Most, sizes[k])
			}
			if items[p].entered == n.entered {
				lag := n.number - items[p].number
				if x.Near, x.Far = min(x.Near, lag), max(x.Far, lag); !met[key] {
					x.Near, x.Far = lag, lag
				}
				met[key] = true
				way := [4]int{at[0], from[1], at[1], lag}
				if _, ok := f.ordered[way]; !ok {
					f.ordered[way] = waitsFor(&f.p.Pipelines[at[0]], from[1], at[1], lag)
				}
				x.Unordered = x.Unordered || !f.ordered[way]
			}
		}
	})
}

// StageOverwrite is a stage that writes over what another one, or itself, may still read or write: of
// an item so many before, which it does not wait for.
type StageOverwrite struct{ Pipeline, From, To, Back int }

// StageOverwrites finds them, the fewest items back for each pair of stages, in the order of the trace.
func StageOverwrites(b *profile.Bundle) []StageOverwrite {
	if b.Flow == nil || len(b.Program.Pipelines) == 0 {
		return nil
	}
	stages := stagesOf(b, b.Program.TaskEntries())
	var out []StageOverwrite
	for _, x := range b.Flow.Overwrites {
		from, to := stages[x.From], stages[x.To]
		if from[0] < 0 || from[0] != to[0] {
			continue
		}
		for back := range 64 {
			if x.Back>>back&1 == 1 && !waitsFor(&b.Program.Pipelines[from[0]], from[1], to[1], back) {
				out = append(out, StageOverwrite{from[0], from[1], to[1], back})
				break
			}
		}
	}
	return out
}

// Need is that a stage begins an item only when another one, or itself, is done with the item so many before: it reads
// what that wrote, or writes where that may still read or write.
type Need struct{ Pipeline, From, To, Back int }

// Needs lists what a trace of stages shows that they need and that the plan's buffers give them.
func Needs(b *profile.Bundle) (out []Need) {
	if b.Flow == nil || len(b.Program.Pipelines) == 0 {
		return nil
	}
	f := &stageFinder{p: b.Program, at: map[[3]int]*StageChannel{}, ordered: map[[4]int]bool{}}
	f.traced(b)
	stages := stagesOf(b, b.Program.TaskEntries())
	for _, x := range b.Flow.Overwrites {
		from, to := stages[x.From], stages[x.To]
		for back := range 64 {
			if from[0] >= 0 && from[0] == to[0] && x.Back>>back&1 == 1 {
				f.ordered[[4]int{from[0], from[1], to[1], back}] = waitsFor(&b.Program.Pipelines[from[0]], from[1], to[1], back)
			}
		}
	}
	for way, met := range f.ordered {
		if met {
			out = append(out, Need{way[0], way[1], way[2], way[3]})
		}
	}
	slices.SortFunc(out, func(a, b Need) int {
		return cmp.Or(a.Pipeline-b.Pipeline, a.To-b.To, a.From-b.From, a.Back-b.Back)
	})
	return out
}

// Met reports whether a pipeline has its stages wait as they need.
func (n *Need) Met(x *ir.Pipeline) bool { return waitsFor(x, n.From, n.To, n.Back) }

// ItemBits is how many bits an item takes of each buffer, by pipeline: what the stages before it pass on to those behind,
// where a trace tells that the most that was read of a token, else on average by a record of memory; nil where neither is
// there.
func ItemBits(b *profile.Bundle) [][]float64 {
	if len(b.Program.Pipelines) == 0 || b.Memory == nil && (!StagesTraced(b) || !b.Flow.Sized()) {
		return nil
	}
	out := make([][]float64, len(b.Program.Pipelines))
	for i := range out {
		out[i] = make([]float64, len(b.Program.Pipelines[i].Depths))
	}
	for _, c := range StageChannels(b) {
		bytes := float64(c.Most)
		if !c.Sized {
			bytes = 0
			for i := range b.Memory.Spans {
				l := &b.Memory.Lanes[b.Memory.Spans[i].Lane]
				if l.Kind == memory.InTask && l.Construct == b.Program.Pipelines[c.Pipeline].Stages[c.To].Task {
					bytes = math.Ceil(float64(c.Distinct) / float64(max(1, b.Memory.Spans[i].Times)))
				}
			}
		}
		for k := c.From; k < c.To; k++ {
			out[c.Pipeline][k] += 8 * bytes
		}
	}
	return out
}

// mostBack is the most items back that waits are followed.
const mostBack = 1 << 12

// waitsFor reports whether a stage that takes an item begins after another one, or itself, is done
// with the item so many before, by the waits of build/plan: for the stage before on the same item,
// for itself on the item before unless it is stateless, and for the stage behind on the item whose
// place in the buffer it needs, which wait in turn.
func waitsFor(x *ir.Pipeline, from, to, back int) bool {
	back = min(back, mostBack)
	known := make([]bool, len(x.Stages)*(back+1))
	var reach func(stage, at int) bool
	reach = func(stage, at int) bool {
		if at > back || known[stage*(back+1)+at] {
			return false
		}
		known[stage*(back+1)+at] = true
		return stage == from && at == back ||
			stage > 0 && reach(stage-1, at) ||
			!x.Stages[stage].Stateless && reach(stage, at+1) ||
			stage < len(x.Depths) && reach(stage+1, at+x.Depths[stage])
	}
	return reach(to, 0)
}

// remembered reads a record of memory.
func (f *stageFinder) remembered(d *memory.Data) {
	for i := range d.Flows {
		x := &d.Flows[i]
		if x.From == memory.Nobody {
			continue
		}
		from, to := &d.Lanes[x.From.Lane], &d.Lanes[x.To.Lane]
		if from.Kind != memory.InTask || to.Kind != memory.InTask {
			continue
		}
		a, k := f.p.StageOf(from.Construct)
		b, l := f.p.StageOf(to.Construct)
		if a < 0 || a != b {
			continue
		}
		o := &d.Objects[x.Object]
		if k == l && o.Kind == memory.Stack && slices.Contains(o.Lanes, x.To.Lane) {
			continue // it is made and gone within an item
		}
		c := f.channel(a, k, l)
		c.Remembered = true
		c.Bytes += x.Bytes
		c.Distinct += x.Distinct
		if at, ok := slices.BinarySearch(c.Objects, o.Name); !ok {
			c.Objects = slices.Insert(c.Objects, at, o.Name)
		}
	}
}
