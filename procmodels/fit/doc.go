// Package fit makes processor models from measurements, by linear regression of
// measured cycles on counts of instructions, as the models of the paper (section 4.2,
// its reference 16) are made:
//
//	samples, err := fit.ReadSamples("samples.csv", clockMHz)
//	model, err := fit.Fit(samples, fit.Options{Name: "board"})
//	os.WriteFile("board.yaml", model.Marshal(), 0o644)
//
// Coefficients are not negative (Lawson and Hanson), rows are divided by what was
// measured, so that errors are relative, and each group of samples is left out in turn
// to see what the model is worth on programs it does not know. What to distrust is
// said of each coefficient.
//
// The package does not measure (package hostfit does, for this host) and does not
// price blocks (package fitted does).
package fit
