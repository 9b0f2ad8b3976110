// Package pluginpb is what pathspan and processor models in other processes say to each
// other. model.proto is the schema, with a comment on every field; the Go code is
// generated from it. Package sdk turns it into a procmodels.Model, package plugin into
// the host's side; nothing else should need it.
package pluginpb

//go:generate protoc -I ../.. --go_out=../.. --go_opt=module=pathspan --go-grpc_out=../.. --go-grpc_opt=module=pathspan procmodels/pluginpb/model.proto
