// Package export writes what is known of a profiled program in formats that other tools
// read: traces, profiles, tables and task graphs.
//
//	s := &export.Subject{Bundle: "app.pspan", Estimator: e, Mapping: m}
//	data, err := export.Pprof(ctx, s) // go tool pprof reads it
//
// Each format is a file here and a section of docs/formats.md. The bytes depend on the
// subject alone. The package estimates nothing: all figures are those of package estimate.
package export
