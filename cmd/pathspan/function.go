package main

// This file finds the function that --function names among those that ran.

import (
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/profile"
)

// ranFunction returns the function to estimate: that of the name, else main. It must
// have run in the bundle, which goes by a name of its own in errors.
func ranFunction(b *profile.Bundle, bundle, name string) (*ir.Func, error) {
	if err := holdsCounts(b, bundle); err != nil {
		return nil, err
	}
	fn, err := findFunction(b.Program, name)
	if err != nil {
		return nil, err
	}
	if b.Funcs[fn.Index] == nil {
		return nil, fmt.Errorf("--function %s: it never ran in the profile, or was inlined wherever it was called; name a function that pathspan inspect lists, or profile with arguments that reach it", fn.Source)
	}
	return fn, nil
}

// holdsCounts returns an error for a bundle of which nothing can be told in cycles.
func holdsCounts(b *profile.Bundle, name string) error {
	if err := b.CheckEnded(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !slices.ContainsFunc(b.Funcs, func(f *profile.FuncProfile) bool { return f != nil }) {
		return fmt.Errorf("%s holds no counts: its run ended before any path was complete; profile a longer run", name)
	}
	return nil
}
