// Package plugin runs processor models in processes of their own: the scheme "plugin:"
// of model references.
//
//	m, err := plugin.Open(ctx, "example-go?load=3", "")
//	defer m.Close()
//	costs, err := m.Costs(ctx, &procmodels.Subject{Program: program})
//
// Importing the package is enough for procmodels.Open to know references such as
// "plugin:/path/to/x?cpu=cortex-a9" or "plugin:NAME". README.md says where plugins are
// found and what they must do; pluginpb/model.proto is the schema; package sdk is the
// other side in Go.
//
// A plugin is not trusted to work: what it answers is checked as it comes, and one that
// crashes, hangs or breaks the schema is ended and named in an error of one line. It is
// trusted otherwise: it runs with the user's rights.
//
// The package does not judge the figures beyond the contract (procmodels.Costs.Check).
package plugin

// This file names the handshake and registers the scheme.

import (
	"context"

	"pathspan/procmodels"
	"pathspan/procmodels/wire"
)

// Handshake is what a plugin must find in its environment; see pluginpb/model.proto.
var Handshake = wire.Handshake

func init() {
	procmodels.RegisterScheme("plugin", func(rest, dir string) (procmodels.Model, error) {
		m, err := Open(context.Background(), rest, dir)
		if err != nil {
			return nil, err
		}
		return m, nil
	})
}
