package openmp

// This file lets what rewrites a module go on without asking after each edit whether it worked.
// An edit fails where the module is not as clang writes it. Then nothing of the outcome is of
// use: the first error ends the rewriting, and the package's function returns it.

// failure is the error that ends a rewriting, on its way to [failed].
type failure struct{ error }

// must ends the rewriting under way where an edit failed.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// made is what an edit made; where that failed, the rewriting ends.
func made[T any](x T, err error) T {
	must(err)
	return x
}

// failed returns the error that ended a rewriting. All functions of the package that others
// call and that rewrite defer it.
func failed(err *error) {
	switch x := recover().(type) {
	case nil:
	case failure:
		*err = x.error
	default:
		panic(x)
	}
}
