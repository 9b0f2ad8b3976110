// Package plugin runs processor models in processes of their own.
package plugin

// This file names the handshake between pathspan and its plugins.

import goplugin "github.com/hashicorp/go-plugin"

// Handshake is what a plugin must find in its environment; see pluginpb/model.proto.
var Handshake = goplugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "PATHSPAN_PLUGIN", MagicCookieValue: "processor-model"}
