// Package ledger holds what a validation found: how far estimates of the speed-up lie
// from references, one row a program, size, level, number of processors, technique,
// reference, model and host.
//
//	l, err := ledger.ReadFile("ledger.json")
//	m := l.Mean(func(r *ledger.Row) bool { return r.Technique == "pb" && r.Reference == ledger.Replay })
//	fmt.Printf("%.1f %% on %d programs\n", 100*m.Absolute, m.Programs)
//
// A ledger is a JSON file whose bytes depend on nothing but what was validated: it holds
// no date and no path, its rows are sorted, and its figures have ten digits.
// docs/accuracy.md describes it. The one that belongs to this version is part of the
// binary ([Committed]), so that an estimate can be printed with the error of its technique.
//
// The package validates nothing: package validate does.
package ledger
