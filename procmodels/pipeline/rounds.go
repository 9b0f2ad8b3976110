package pipeline

// This file has walks go round those loops that make the same few iterations each time as often as these do. By
// chance alone some would go round far more often, and what waits from one iteration to the next would be longer than it is.

import (
	"math"

	"pathspan/ir/flow"
)

// loops are those of a function, with how often the header of each is met when the loop is entered, 0 where
// that differs.
type loops struct {
	cfg   *flow.CFG
	times []int
}

// loopsOf finds the regular ones.
func (w *walker) loopsOf(fi int) *loops {
	if w.taken.Edges[fi] == nil {
		return nil
	}
	l := &loops{cfg: flow.Analyze(w.p.Funcs[fi])}
	l.times = make([]int, len(l.cfg.Loops))
	for li, loop := range l.cfg.Loops {
		regular, entered := !loop.Irreducible && len(loop.Exits) > 0, 0.0
		for _, e := range loop.Exits {
			regular = regular && w.taken.Regular[fi][e.From]
		}
		for _, a := range w.preds[fi][loop.Header] {
			if !l.cfg.InLoop(li, a.from) {
				entered += a.times
			}
		}
		if n := w.runs[fi][loop.Header] / entered; regular && entered > 0 && n == math.Trunc(n) && n <= remembered+1 {
			l.times[li] = int(n)
		}
	}
	return l
}

// headed is the regular loop that a block heads, -1 for none.
func (l *loops) headed(block int) int {
	if l == nil {
		return -1
	}
	if li := l.cfg.LoopOf[block]; li >= 0 && l.times[li] > 0 && l.cfg.Loops[li].Header == block {
		return li
	}
	return -1
}

// leaves notes, of a walk that goes back, which regular loops an edge leaves: their headers were met as often as
// they always are.
func (w *walker) leaves(fn, from, to int) {
	l := w.loops[fn]
	if l == nil {
		return
	}
	for li := l.cfg.LoopOf[from]; li >= 0 && !l.cfg.InLoop(li, to); li = l.cfg.Loops[li].Parent {
		if l.times[li] > 0 {
			w.round[li] = l.times[li] - 1
		}
	}
}

// sooner chooses, at the header of a regular loop, whether the loop was just entered.
func (w *walker) sooner(li, times int) (entered bool) {
	n, ok := w.round[li]
	if !ok {
		n = w.dice.IntN(times)
	}
	if n == 0 {
		delete(w.round, li)
		return true
	}
	w.round[li] = n - 1
	return false
}

// goesRound counts how often a walk that goes forward meets the headers of regular loops, and says of a block that
// leaves one whether it does now; decides is false where nothing says so.
func (l *loops) goesRound(met map[int]int, block, from int) (li int, leaves, decides bool) {
	if l == nil {
		return -1, false, false
	}
	if li := l.headed(block); li >= 0 {
		if from < 0 || !l.cfg.InLoop(li, from) {
			met[li] = 0
		}
		met[li]++
	}
	li = l.cfg.LoopOf[block]
	if li < 0 || l.times[li] == 0 {
		return -1, false, false
	}
	for _, e := range l.cfg.Loops[li].Exits {
		if e.From == block {
			return li, met[li] >= l.times[li], true
		}
	}
	return -1, false, false
}
