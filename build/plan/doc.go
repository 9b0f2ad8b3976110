// Package plan reads plans, which say where a program without pragmas is to be parallel,
// and marks the program's sources as they say, before a compiler sees them.
//
//	p, err := plan.Parse("plan.yaml", text)
//	a := plan.NewMarking(p, tc, dir)      // dir is for changed copies
//	for i := range units {
//		err = a.Survey(ctx, units[i])     // asks clang what stands where
//	}
//	err = a.Mark()                        // finds what the plan names, writes copies
//	warnings, err := a.Compile(ctx, i, unit)
//
// A plan's loop gets the pragma that a person would write before it, its sections the
// braces and pragmas around statements. They are put on the lines that are there, so that
// no line moves, and clang gets the changed copies in the places of the user's files, by
// an overlay of its file system: nothing is written into the user's folders, and names and
// lines in what comes of it are those of the user's files. So a program with a plan is the
// program with the pragmas written, and what a loop must be like is for clang to say.
//
// The package does not know whether the parts of a plan depend on each other, nor what
// they cost.
package plan
