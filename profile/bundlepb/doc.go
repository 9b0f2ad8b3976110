// Package bundlepb holds the messages of profile bundles, which bundle.proto describes.
// Package profile converts them; nothing else reads or writes them.
package bundlepb
