// Package fitted holds processor models that were fitted to measurements: a cost for
// each class of instructions, how certain it is, and the error the model had on
// programs that it had not seen. The file is YAML, schema pathspan.fitted/1, so that
// people can read and change it:
//
//	m, err := procmodels.Open("host.yaml", "")  // after importing this package
//	costs, err := m.Costs(ctx, &procmodels.Subject{Program: program})
//
// A block costs the sum over its features (see [Scheme]) of the coefficient times the
// feature's count. Coefficients are not known exactly; their covariance becomes
// independent factors of the costs, so that estimates carry intervals.
//
// The package does not fit (package fit does), and its models know of neither caches
// nor dependences between instructions: what those cost on average in the measured
// programs is in the coefficients.
package fitted
