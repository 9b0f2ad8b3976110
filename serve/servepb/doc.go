// Package servepb is what pathspan serve and its clients say to each other over gRPC.
// serve.proto is the schema, with a comment on every field, to generate clients in any
// language from; the Go structs have its names and numbers. Package serve answers.
package servepb
