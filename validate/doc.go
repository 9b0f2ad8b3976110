// Package validate holds estimates against references: exact replay, parallel runs on
// this machine, and figures measured elsewhere.
//
//	v := &validate.Validation{Programs: programs, Size: bench.Small, Levels: []string{"0", "2"},
//		Platforms: platforms, Toolchain: tc, Dir: dir}
//	result, err := v.Run(ctx)
//	result.Ledger.WriteFile("ledger.json")
//
// Every program is built once a level; one run is profiled, one is replayed under all
// platforms at once. The error of an estimate is that of the speed-up,
//
//	estimated speed-up / speed-up of the reference - 1,
//
// as in section 6.2 of M. Lattuada, C. Pilato, F. Ferrandi, Performance Estimation of
// Task Graphs based on Path Profiling. Sections are mapped by OpenMP's static schedule, or
// by the files that figures measured elsewhere name.
//
// The error against figures measured elsewhere is split into shares of technique, memory, block
// costs, overheads and the rest, which add up to it (shares.go).
//
// A program that prints something else than expected, in any of its runs, fails the
// validation; the others go on. The package prints nothing: package report does.
package validate
