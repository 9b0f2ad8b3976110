package measure

// This file holds how what was measured is told as a platform has it.

import (
	"testing"
	"time"
)

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
