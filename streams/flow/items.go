package flow

// This file finds what stages read of each other for each item.

import (
	"pathspan/profile"
	"pathspan/streams"
)

// ItemRead is what a stage reads for an item of what another one wrote for the item so many before.
type ItemRead struct {
	From  int // task of the program
	Back  int
	Bytes float64 // on average over the times that the loop ran and had the item
}

// StageItem is what a stage reads of others of its pipeline for an item, in the order of the stages, the nearest item first.
type StageItem struct {
	Times float64 // that the loop ran and had the item
	Reads []ItemRead
}

// ItemReads lists by task of the program, where that is a stage, and by item what a trace tells of its reads; nil for what no trace tells in
// bytes. What comes from an earlier run of the loop is left out.
func ItemReads(b *profile.Bundle) [][]StageItem {
	out := make([][]StageItem, len(b.Program.Tasks))
	if !StagesTraced(b) || !b.Flow.Sized() {
		return out
	}
	type read struct{ task, item, stage, back int }
	bytes, times, most := map[read]float64{}, map[[2]int]float64{}, map[[2]int]int{}
	stages := stagesOf(b, b.Program.TaskEntries())
	task := func(at [2]int, stage int) int { return b.Program.Pipelines[at[0]].Stages[stage].Task }
	eachItem(b.Flow, stages, func(i int, items []item) {
		at := stages[b.Flow.Of(i)]
		me := [2]int{task(at, at[1]), items[i].number}
		times[me]++
		sizes := b.Flow.Bytes(i)
		for k, p := range b.Flow.Producers(i) {
			from := stages[b.Flow.Of(int(p))]
			if from[0] != at[0] || from[1] == at[1] || items[p].entered != items[i].entered || items[p].number > items[i].number {
				continue
			}
			back := items[i].number - items[p].number
			pair := [2]int{me[0], from[1]}
			most[pair] = max(most[pair], back)
			bytes[read{me[0], me[1], from[1], back}] += float64(sizes[k])
		}
	})
	for i := range b.Program.Pipelines {
		for k := range b.Program.Pipelines[i].Stages {
			to := b.Program.Pipelines[i].Stages[k].Task
			for n := 0; times[[2]int{to, n}] > 0; n++ {
				of := StageItem{Times: times[[2]int{to, n}]}
				for s := range b.Program.Pipelines[i].Stages {
					for back := 0; back <= most[[2]int{to, s}]; back++ {
						if sum := bytes[read{to, n, s, back}]; sum > 0 {
							of.Reads = append(of.Reads, ItemRead{task([2]int{i}, s), back, sum / of.Times})
						}
					}
				}
				out[to] = append(out[to], of)
			}
		}
	}
	return out
}

// item numbers an execution of a stage: of the times that the loop was entered, and from 0 since then.
type item struct{ entered, number int }

// eachItem visits the executions of stages in their order, with the items of all up to there.
func eachItem(t *streams.Trace, stages [][2]int, visit func(i int, items []item)) {
	items := make([]item, t.Len())
	now := map[[2]int]item{} // by stage: the next
	for i := range t.Len() {
		at := stages[t.Of(i)]
		if at[0] < 0 {
			continue
		}
		n, ok := now[at]
		if t.Does(i)&streams.Enters != 0 && ok {
			n = item{n.entered + 1, 0}
		}
		items[i], now[at] = n, item{n.entered, n.number + 1}
		visit(i, items)
	}
}
