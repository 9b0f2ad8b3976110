package sdk

// This file is a plugin's main: it waits for pathspan and answers it.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
)

// Open makes a model with the parameters of a reference. An error is one line for the
// user. A model may be opened several times; those that are an io.Closer are not closed
// before the process ends, which pathspan sees to.
type Open func(p *Parameters) (procmodels.Model, error)

// Serve serves a model to pathspan and does not return. Called by hand instead of by
// pathspan, the program says what it is and ends with status 1.
func Serve(open Open) {
	if os.Getenv(wire.Handshake.MagicCookieKey) != wire.Handshake.MagicCookieValue {
		fmt.Fprintf(os.Stderr, "%s is a processor model for pathspan, which starts it: pathspan estimate --model plugin:%s app.pspan\n",
			filepath.Base(os.Args[0]), os.Args[0])
		os.Exit(1)
	}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: wire.Handshake,
		VersionedPlugins: wire.Plugins(func(version int) goplugin.Plugin {
			return &served{server: &server{open: open, models: map[string]*opened{}, version: version}}
		}),
		Logger: hclog.NewNullLogger(),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32))...)
		},
	})
	os.Exit(0)
}

// served registers the server with go-plugin.
type served struct {
	goplugin.NetRPCUnsupportedPlugin
	server pluginpb.ProcessorModelServer
}

func (s *served) GRPCServer(_ *goplugin.GRPCBroker, g *grpc.Server) error {
	pluginpb.RegisterProcessorModelServer(g, s.server)
	return nil
}

func (s *served) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("package sdk is the plugin's side")
}
