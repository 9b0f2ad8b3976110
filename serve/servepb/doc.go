// Package servepb is what pathspan serve and its clients say to each other over gRPC.
// serve.proto is the schema, with a comment on every field, to generate clients in any
// language from; the Go code is generated from it. Package serve answers.
package servepb

//go:generate protoc -I ../.. --go_out=../.. --go_opt=module=pathspan --go-grpc_out=../.. --go-grpc_opt=module=pathspan serve/servepb/serve.proto
