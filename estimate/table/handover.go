package table

// This file hands locks over, among the processors of a simulation or among the threads that
// execute tasks: first come, first served. Lines that are updated atomically are handed over alike.

// lock is held by one of them, and waited for by others.
type lock struct {
	holder int32 // -1: none
	depth  int   // how often it has it, where locks nest; 0: it was handed over, and has not gone on
	queue  []int32
	line   Line // where it stands for one
}

// locks are those of a table, by number less one.
type locks []lock

// clear has nobody hold any of so many.
func (l *locks) clear(n int) {
	for len(*l) < n {
		*l = append(*l, lock{})
	}
	for i := range *l {
		(*l)[i] = lock{holder: -1, queue: (*l)[i].queue[:0], line: Line{seen: (*l)[i].line.seen[:0]}}
	}
}

// take gives the lock to one that asks for it, or has it wait.
func (l *lock) take(who int32) bool {
	if l.holder >= 0 && l.holder != who {
		l.queue = append(l.queue, who)
		return false
	}
	l.holder = who
	l.depth++
	return true
}

// release ends what one does under the lock, and returns who has it then and did not before, or
// -1. Who was forced to give it away has none to release.
func (l *lock) release(who int32) int32 {
	if l.holder != who {
		return -1
	}
	if l.depth--; l.depth > 0 {
		return -1
	}
	return l.next()
}

// next gives the lock to who has waited for longest, and returns that, or -1.
func (l *lock) next() int32 {
	l.holder, l.depth = -1, 0
	if len(l.queue) > 0 {
		l.holder = l.queue[0]
		l.queue = append(l.queue[:0], l.queue[1:]...)
	}
	return l.holder
}

// force gives a lock to one that waits for it where all wait for each other, as programs can
// that take locks in different orders. It returns who has it then, or -1 where none is waited for.
func (l locks) force() int32 {
	for i := range l {
		if len(l[i].queue) > 0 {
			return l[i].next()
		}
	}
	return -1
}
