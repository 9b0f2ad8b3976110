// Package wire turns the contract of package procmodels into the messages of package
// pluginpb and back. The host of plugins, the SDK and the cache of costs share it, so
// that what one end writes the other reads:
//
//	err := wire.SendSubject(subject, parameters, wire.Parts{}, stream.Send)
//	subject, err := wire.ReadSubject(stream.Recv)
//	err := wire.SendCosts(costs, stream.Send)
//	reader := wire.NewCostsReader(program, name); err := reader.Add(reply)
//
// Regions and sections of OpenMP do not travel: a model prices blocks, whatever task
// they belong to. Everything else of a program does.
//
// The package neither starts processes nor speaks to them.
package wire

// This file names the handshake between pathspan and its plugins.

import goplugin "github.com/hashicorp/go-plugin"

// Versions are those of the protocol that this package speaks, ascending. Version 2 adds what
// instructions use.
var Versions = []int{1, WithOperands}

// WithOperands is the first version with operands.
const WithOperands = 2

// Plugins registers what serves, or asks, a model with go-plugin, for each version.
func Plugins(of func(version int) goplugin.Plugin) map[int]goplugin.PluginSet {
	all := map[int]goplugin.PluginSet{}
	for _, v := range Versions {
		all[v] = goplugin.PluginSet{"model": of(v)}
	}
	return all
}

// Handshake is what a plugin must find in its environment; see pluginpb/model.proto.
var Handshake = goplugin.HandshakeConfig{
	ProtocolVersion:  1,
	MagicCookieKey:   "PATHSPAN_PLUGIN",
	MagicCookieValue: "processor-model",
}

// MessageSize is what a message holds at most, in bytes, unless a block is larger.
const MessageSize = 1 << 20
