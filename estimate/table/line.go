package table

// This file hands lines of memory over that several update atomically.

// Line is one, which nobody has updated yet.
type Line struct {
	updates float64
	seen    []float64 // by who updates it: how many updates there had been when it did so last
	comes   float64   // when it has come to who updated it last
}

// Update has one update the line so many times, for which it takes so long to come from another
// each time. It returns how long it waits for those who asked before, and then for the line: not for
// one's own, and no more often than others have updated it since.
func (l *Line) Update(who int, now, times, takes float64) (waits, comes float64) {
	for who >= len(l.seen) {
		l.seen = append(l.seen, 0)
	}
	others := l.updates - l.seen[who]
	l.updates += times
	l.seen[who] = l.updates
	if others <= 0 {
		return 0, 0
	}
	waits, comes = max(0, l.comes-now), min(times, others)*takes
	l.comes = now + waits + comes
	return waits, comes
}
