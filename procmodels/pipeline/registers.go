package pipeline

// This file plays how functions save what their callers have in registers, and restore it: through memory, for
// which who uses it waits.

// save stores the registers that a function is about to use, where it enters a block.
func (w *walker) save(a *activation, pred int, s stop) {
	code := w.codes[s.fn]
	if code == nil {
		return
	}
	at := []edge{{-1, s.block}}
	if pred >= 0 {
		at = append(at, edge{pred, s.block})
	}
	for _, e := range at {
		for range code.frames[e].saves {
			a.saved = w.machine.issue(&w.m.classes[w.m.opcodes["store"].Other], 1, 0)
		}
		if f := code.frames[e]; f.saves > 0 && f.restores > 0 {
			w.restore(a, e)
		}
	}
}

// restore loads them again.
func (w *walker) restore(a *activation, at edge) {
	code := w.codes[a.fn]
	if code == nil {
		return
	}
	for range code.frames[at].restores {
		w.machine.issue(&w.m.classes[w.m.opcodes["load"].Other], 1, 0)
		a.restored = max(w.machine.cycle, a.saved) + w.m.forward
	}
}

// takeBack has what the caller keeps in registers go through memory, if the callee saved any.
func (w *walker) takeBack(a, callee *activation) {
	code := w.codes[a.fn]
	if code == nil || callee.restored == 0 {
		return
	}
	passed := func(at int) int { return max(callee.restored, max(at, callee.saved)+w.m.forward) }
	for _, o := range code.across {
		at := &a.done[w.first[a.fn][o.Block]+int(o.N)]
		*at = passed(*at)
	}
	if code.plain {
		a.based = passed(a.based)
		return
	}
	for i := range a.args {
		a.args[i] = passed(a.args[i])
	}
}
