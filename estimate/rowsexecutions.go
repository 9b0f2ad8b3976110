package estimate

import (
	"math"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

func (e *Estimator) decides() bool {
	return e.means != nil && e.eachConstruct(mapping.OnOne(e.Platform, 0, e.Bundle.Program), func(*executionTable, int, int, float64) {})
}

func (e *Estimator) rowsOfExecutions(serial int) (*table.Table, error) {
	b := table.NewBuilder(e.machine(), len(e.Bundle.Program.Regions))
	e.eachConstruct(mapping.OnOne(e.Platform, serial, e.Bundle.Program), func(t *executionTable, r, c int, often float64) {
		for class, w := range t.weight {
			lanes := make([][]table.Part, len(t.mean))
			for s := range lanes {
				p := table.Part{Set: -1}
				for k := range e.kinds {
					p.Own = append(p.Own, e.inClass(t, class, k, r, c, s))
				}
				lanes[s] = []table.Part{p}
			}
			b.Root(b.Execution(r, c, 1, lanes), often*w)
		}
	})
	t, err := b.Table(make([]float64, len(e.kinds)))
	if err != nil {
		return nil, err
	}
	for k := range t.Base {
		t.Base[k] = math.Max(0, e.serial[e.Root].levels[0][k]-t.Sequential(k))
	}
	return t, nil
}
