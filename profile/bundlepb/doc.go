// Package bundlepb holds the messages of profile bundles, generated from bundle.proto.
// Package pathprof converts them; nothing else reads or writes them.
package bundlepb

//go:generate protoc -I ../.. --go_out=../.. --go_opt=module=pathspan profile/bundlepb/bundle.proto
