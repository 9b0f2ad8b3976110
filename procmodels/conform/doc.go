// Package conform holds processor models to their contract. Whoever writes a model, a
// plugin say, runs it over the model and reads what is wrong:
//
//	pathspan model check 'plugin:./mymodel?cpu=a9'
//
// or from a test of their own:
//
//	report := conform.Check(ctx, func() (procmodels.Model, error) { return myModel{}, nil }, conform.DefaultLimit)
//	if err := report.Err(); err != nil {
//		t.Fatal(err)
//	}
//
// A plugin that is tested so, through the scheme "plugin:", should have PATHSPAN_CACHE=off
// in the environment: else what was kept on disk answers in its place.
//
// The kit prices invented programs, ordinary and unusual ones, and compares the
// answers with each other. A model that needs the module of a program is given small
// modules of a compiler instead. The kit knows nothing of the processor: whether the
// figures are right it cannot tell.
package conform
