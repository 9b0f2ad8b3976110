// Package record makes a profile bundle from a program: it compiles and links the
// sources to one LLVM module, has the OpenMP sections made sequential and
// delimited, optimises, instruments, runs the program once, and reads the counts
// back.
//
//	r := &record.Recorder{Toolchain: tc, Dir: tmp}
//	built, err := r.Build(ctx, record.Options{Sources: []string{"susan.c"}, Level: "2"})
//	bundle, status, err := r.Run(ctx, built, []string{"input.pgm"})
//
// Every intermediate file lies in Dir under a name that says which step made it.
// The package decides nothing about numbering, costs or schedules.
package record
