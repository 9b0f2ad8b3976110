package estimate

// This file makes the rows of the execution-based technique: a row for each way in which a
// construct was executed, as whole trees, which keeps what paths lose in loops, calls and
// recursion (Lattuada, Pilato and Ferrandi, section 5.3, name that loss).

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/profile"
)

// executionRows makes a table of executions.
type executionRows struct {
	e         *Estimator
	in        Setting
	x         *profile.Executions
	prices    workPrices
	builder   *table.Builder
	tasks     map[taskKey]int
	tasksTook map[taskKey][]float64
	pricesOf  map[lane]pricesIn
	took      [][]float64        // by entry, then kind: see alone
	made      [][2]int           // by entry: its execution, and 1 once that is known
	under     map[stretchKey]int // sets of stretches under locks
	stretch   map[int]stretchKey // and back
	competing map[[2]int]bool    // by region and construct: see findCompeting
}

// decides reports whether executions alone decide: whether the profile keeps some of each
// construct that ran outside of all sections. What ran inside others may be kept as work of
// the sections around it.
func (e *Estimator) decides(in Setting) bool {
	if e.Bundle.Executions == nil || e.knowWork() != nil {
		return false
	}
	var missing [][2]int
	for r := range e.kept.count {
		for c, n := range e.kept.count[r] {
			if n == 0 && e.ran.root[r][c] > 0 {
				missing = append(missing, [2]int{r, c})
			}
		}
	}
	if missing == nil {
		return true
	}
	paths, err := e.RowsIn(PathBased, in)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(paths.Roots, func(root table.Root) bool {
		r, c := paths.Construct(root.Execution)
		return slices.Contains(missing, [2]int{r, c})
	})
}

// rowsWhereKept makes the table of executions where they decide, else that of paths.
func (e *Estimator) rowsWhereKept(in Setting) (*table.Table, error) {
	if !e.decides(in) || e.byPaths {
		return e.RowsIn(PathBased, in)
	}
	return e.rowsOfExecutions(in)
}

// rowsOfExecutions makes the table of executions.
//
// What runs outside of constructs is what remains of the sequential time. Executions count
// as often as the paths say that their construct ran in what the root leads to; those that
// the profile does not keep are taken to be like the others, with what is left of the work
// that the paths tell of all.
func (e *Estimator) rowsOfExecutions(in Setting) (*table.Table, error) {
	m := &executionRows{e: e, in: in, x: e.executionsToPlay(), prices: e.workPrices()}
	t, err := m.table(1)
	if err != nil {
		return nil, err
	}
	// Sections cannot take longer than the program. They seem to where paths were lost and
	// their executions were not.
	whole, kind := e.serial[e.Root].levels[0], e.kindOf[in.Serial]
	if inside := t.Sequential(kind); inside > whole[kind]*(1+sameTime) {
		if t, err = m.table(whole[kind] / inside); err != nil {
			return nil, err
		}
	}
	for k := range t.Base {
		t.Base[k] = math.Max(0, whole[k]-t.Sequential(k))
	}
	return t, nil
}

// table makes the rows, without what is outside of them; share scales how often they are
// executed.
func (m *executionRows) table(share float64) (*table.Table, error) {
	e := m.e
	m.competing = m.findCompeting()
	m.under, m.stretch = map[stretchKey]int{}, map[int]stretchKey{}
	m.builder, m.tasks, m.made = table.NewBuilder(e.machine(true, m.in), len(e.Bundle.Program.Regions)), nil, make([][2]int, len(m.x.Entries))
	for _, root := range m.x.Roots {
		if x := &m.x.Entries[root.Entry]; len(x.Lanes) == 0 || x.OfTasks || m.locked(root.Entry) { // of a loop, or a lane with tasks, that did not end, or locks whose section did not
			continue
		}
		r, c, ok := m.constructOf(root.Entry)
		if !ok {
			continue
		}
		kept, all := e.kept.count[r][c], e.ran.all[r][c]
		often := share * float64(root.Count) * e.ran.root[r][c] / math.Max(all, kept) / e.funcs[e.Root].denom[0]
		m.builder.Root(m.entry(root.Entry), often)
		if rest := (all - kept) / kept; rest > 0 && e.kept.work[r][c] > 0 {
			longer := math.Max(0, all*e.meanWork(r, c)-e.kept.work[r][c]) / (e.kept.work[r][c] * rest)
			m.builder.Root(m.scaled(root.Entry, longer), often*rest)
		}
	}
	t, err := m.builder.Table(make([]float64, len(e.kinds)))
	if err == nil {
		t.LongestDecides()
	}
	return t, e.named(err)
}

// meanWork is the average work of an execution of a construct by the paths, all kinds together.
func (a *Analysis) meanWork(region, construct int) float64 {
	sum := 0.0
	for k := range a.workMeans {
		sum += total(a.workMeans[k][region][construct])
	}
	return sum
}

func (m *executionRows) entry(i int) int {
	if m.made[i][1] == 0 {
		m.made[i] = [2]int{m.make(i, 1, m.entry), 1}
	}
	return m.made[i][0]
}

// scaled returns the execution of an entry whose works take so many times as long.
func (m *executionRows) scaled(i int, longer float64) int {
	return m.make(i, longer, func(inner int) int { return m.scaled(inner, longer) })
}
