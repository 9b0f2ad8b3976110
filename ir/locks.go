package ir

// This file knows the calls by which programs take and release locks: OpenMP's critical,
// omp_set_lock and its like, and what begins and ends ordered parts of iterations. What asks
// for a lock and does not wait (omp_test_lock) has it in a sequential program, and counts as
// one that waits.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// Lock is what keeps stretches of work from running at the same time.
type Lock struct {
	// Name is "critical NAME", "critical" for one without a name, the name of the global
	// variable that is the lock, or "lock at file:line" where it is taken; "ordered at file:line"
	// for the ordered parts of iterations; "atomic NAME" or "atomic at file:line" for what is
	// updated atomically.
	Name string
}

// Ordered reports whether what is done under it is an ordered part of iterations, which come in
// the order of their loop.
func (l Lock) Ordered() bool { return strings.HasPrefix(l.Name, orderedPrefix) }

// Locking is what a block does with a lock before all else.
type Locking struct {
	Takes bool // else it releases the lock that was taken last
	Lock  int  // index into Program.Locks, of one that is taken
}

// LocksOfOne is how many locks are told apart by their addresses where one name stands for
// several, as in an array: beyond, addresses share numbers in turn. The last is all others of
// bundles that told fewer apart.
const LocksOfOne = 1024

// LockName names the lock of a number: name times LocksOfOne, and which of them.
func (p *Program) LockName(n int) string {
	name, k := p.Locks[n/LocksOfOne].Name, n%LocksOfOne
	switch {
	case k == 0:
		return name
	case k == LocksOfOne-1:
		return name + ", all others"
	}
	return fmt.Sprintf("%s, address %d", name, k+1)
}

// LockArg returns the argument of the call that begins a block whose address tells locks of
// one name apart, nil where the name does.
func LockArg(b *asm.Block) *asm.Arg {
	for _, in := range b.Instrs {
		c := in.Call()
		if c == nil || len(c.Args) == 0 {
			continue
		}
		if _, takes, _ := locking(c); takes {
			if strings.HasPrefix(c.Callee, "__kmpc_") {
				return nil
			}
			return &c.Args[takers[c.Callee]]
		}
	}
	return nil
}

// LockCall returns the index of the first call of a block that takes or releases a lock, -1
// where there is none.
func LockCall(b *asm.Block) int {
	for i, in := range b.Instrs {
		if c := in.Call(); c != nil && len(c.Args) > 0 {
			if _, takes, releases := locking(c); takes || releases {
				return i
			}
		}
	}
	return -1
}

// takers and releasers are the calls with the argument that is the lock.
var (
	takers = map[string]int{"__kmpc_critical": 2, "__kmpc_critical_with_hint": 2, "omp_set_lock": 0, "omp_set_nest_lock": 0,
		"omp_test_lock": 0, "omp_test_nest_lock": 0, ordered: 0}
	releasers = []string{"__kmpc_end_critical", "omp_unset_lock", "omp_unset_nest_lock", "__kmpc_end_ordered"}
)

const (
	ordered        = "__kmpc_ordered"
	orderedPrefix  = "ordered "
	criticalPrefix = ".gomp_critical_user_"
	criticalSuffix = ".var"
	// reductions are combined under locks of this name, once for each thread, where a
	// sequential program combines once.
	reductionLock = "reduction.var"
)

// locking returns the argument that is a lock's where a call takes it, and whether the call
// takes or releases one.
func locking(c *asm.Call) (lock string, takes, releases bool) {
	if slices.Contains(releasers, c.Callee) {
		last := c.Args[len(c.Args)-1].Value
		return "", false, !strings.Contains(last, reductionLock)
	}
	if at, ok := takers[c.Callee]; ok && at < len(c.Args) && !strings.Contains(c.Args[at].Value, reductionLock) {
		return c.Args[at].Value, true, false
	}
	return "", false, false
}

// SplitLocks splits the blocks of m so that calls that take or release locks begin their
// blocks, as Build wants it to tell of them. The values of m must be named.
func SplitLocks(m *asm.Module) error {
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			first := b.FirstNonPhi()
			if b == f.Blocks[0] {
				first = -1 // it begins with what the function keeps
			}
			for i := len(b.Instrs) - 1; i > first; i-- {
				c := b.Instrs[i].Call()
				if c == nil || len(c.Args) == 0 {
					continue
				}
				if _, takes, releases := locking(c); !takes && !releases {
					continue
				}
				if _, err := f.SplitBlock(b, i, f.FreshName("pathspan.lock")); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// locking tells of a block that begins with a call that takes or releases a lock.
func (b *builder) locking(blk *asm.Block) *Locking {
	for _, in := range blk.Instrs {
		if in.Op() == "phi" || in.IsDebug() {
			continue
		}
		c := in.Call()
		if c != nil && (c.Callee == MarkerFunc || leavesNoCode(c.Callee)) {
			continue
		}
		if c == nil || len(c.Args) == 0 {
			return nil
		}
		value, takes, releases := locking(c)
		switch {
		case releases:
			return &Locking{}
		case !takes:
			return nil
		}
		return &Locking{Takes: true, Lock: b.lock(b.lockName(value, in))}
	}
	return nil
}

func (b *builder) lock(name string) int {
	if i := slices.IndexFunc(b.p.Locks, func(l Lock) bool { return l.Name == name }); i >= 0 {
		return i
	}
	b.p.Locks = append(b.p.Locks, Lock{name})
	return len(b.p.Locks) - 1
}

func (b *builder) lockName(value string, in *asm.Instr) string {
	what := "lock "
	if in.Call().Callee == ordered {
		what, value = orderedPrefix, ""
	}
	for _, ref := range asm.GlobalNames(value) {
		if name, ok := strings.CutPrefix(ref, criticalPrefix); ok {
			return strings.TrimSpace("critical " + strings.TrimSuffix(name, criticalSuffix))
		}
		if !strings.Contains(value, "getelementptr") {
			return ref
		}
	}
	l := b.loc(in.Dbg())
	if l.File < 0 || l.Line == 0 {
		return what + "in " + in.Block().Func().Name()
	}
	return fmt.Sprintf("%sat %s:%d", what, b.p.Files[l.File], l.Line)
}

// LockRegion is the region that profiles keep stretches under locks in, as if each lock were a
// construct of it: behind the last, and behind that of tasks.
func (p *Program) LockRegion() int { return len(p.Regions) + 1 }
