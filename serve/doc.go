// Package serve makes the estimator a component: other optimisers send candidate
// mappings and get estimates, as JSON lines on streams or as gRPC.
//
//	s, err := serve.New(estimator, serve.Options{Bundle: "app.pspan"})
//	defer s.Close()
//	err = s.Lines(os.Stdin, os.Stdout)
//
// The first line out describes processors, sections and regions. Each line in is a
// candidate, or an array of candidates; each is answered by a line, in the same order:
//
//	{"id": 7, "sections": [0, 1, 0]}
//	{"id":7,"results":[{"technique":"pb","speedup":1.18,...}]}
//
// A candidate that is malformed gets an error that names the field, and the service goes
// on. Candidates are computed on all cores. Answers equal those of pathspan estimate but
// for the order of additions (quick.go), and are the same to the last bit whatever was
// asked before. docs/serve.md is the full reference, servepb the schema of the same
// service over gRPC.
//
// The package searches nothing (package explore does), gives no intervals, and protects
// nothing: whoever reaches the socket may ask.
package serve
