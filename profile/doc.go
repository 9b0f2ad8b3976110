// Package profile holds what is known of a profiled program: the bundle, which needs
// neither the sources nor a compiler to be analysed.
//
//	b, err := profile.ReadFile("app.pspan")
//	for _, f := range b.Funcs { ... f.BlockCounts(n) ... } // how often blocks ran
//	for _, e := range b.Executions.Entries { ... }         // how sections went together
//
// It declares the bundle's types, checks them, adds them up, joins executions that went
// alike, and reads and writes files: those that pathspan writes and those that programs
// write themselves, for which it turns the raw counts of the run-time library into paths by
// the numbering of package pathprof.
//
// The package numbers nothing, and does not schedule or cost anything.
package profile
