// Package pluginpb is what pathspan and processor models in other processes say to each
// other. model.proto is the schema, with a comment on every field; the Go structs have its
// names and numbers. Package sdk turns them into a procmodels.Model, package plugin into the
// host's side; nothing else should need them.
package pluginpb
