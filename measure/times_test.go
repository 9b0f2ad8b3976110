package measure

import (
	"math"
	"testing"
	"time"

	"pathspan/build/record"
)

// Where every other run and those between met a quiet moment each, their least agree, whatever the rest was.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		ms   []int
		want float64
	}{
		{[]int{100, 101, 900, 300, 250, 700}, 0.01}, {[]int{100, 900, 101, 300}, 2}, {[]int{100, 100}, 0}, {[]int{100}, 1}, {nil, 0},
	} {
		var times Times
		for _, x := range c.ms {
			times = append(times, record.Time{Elapsed: time.Duration(x) * time.Millisecond})
		}
		if s := times.Summary(); math.Abs(s.Apart-c.want) > 1e-9 {
			t.Errorf("%v are %v apart, want %v", c.ms, s.Apart, c.want)
		}
	}
}

// What fork and join take of a region is not what each processor takes to create and to synchronise.
func TestOverheadsByKind(t *testing.T) {
	at := func(ns int) Quartiles { return Quartiles{Median: time.Duration(ns)} }
	o := &Overheads{Create: at(800), Fork: at(200), Sync: at(400), Join: at(300), Construct: at(900), ReadLines: at(340), WriteLines: at(550)}
	create, sync, of := o.ByKind()
	if create != 600 || sync != 100 || of["fork"] != 200 || of["join"] != 300 || of["barrier"] != 200 {
		t.Errorf("create %v, sync %v, %v", create, sync, of)
	}
	if got := o.Elsewhere(); got != [2]float64{3.4, 5.5} {
		t.Errorf("a line takes %v ns", got)
	}
}
