package table

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What a chain of events is followed by begins when another ends, to the last bit: also behind chunks that a thread asked for,
// whose times are no round numbers.
func TestEventsEndWhereOthersBegin(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		const n = 3
		machine := machine(n, 17.3, 5.1)
		for range n {
			machine.Dispatch = append(machine.Dispatch, 20*r.Float64())
		}
		b := NewBuilder(machine, 1)
		lanes := make([][]Part, n)
		for s := range lanes {
			for range 1 + r.IntN(6) {
				p := Part{Set: -1, Asks: float64(r.IntN(3))}
				for range machine.Kinds {
					p.Own = append(p.Own, 1000*r.Float64())
				}
				lanes[s] = append(lanes[s], p)
			}
		}
		b.Root(b.Execution(0, 0, 1, lanes), 1)
		rows, err := b.Table(make([]float64, machine.Kinds))
		if err != nil {
			t.Fatal(err)
		}
		m := resolved(n, nil, []int{0, 1, 2})
		if err := rows.NewValuer().Play(m, func(p *Played) {
			for _, e := range p.Events {
				if e.Start > 0 && !slices.ContainsFunc(p.Events, func(o Event) bool { return o.Processor == e.Processor && o.End == e.Start }) {
					t.Errorf("seed %d: nothing ends on processor %d at %v, when %d begins", seed, e.Processor, e.Start, e.Kind)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}
