package plugin

// This file starts plugins under go-plugin and ends them.

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
	"pathspan/workers"
)

// instance is a plugin that runs.
type instance struct {
	ref     *reference
	limits  limits
	process *process
	client  *goplugin.Client
	model   pluginpb.ProcessorModelClient
	end     func(graceful bool)
}

// running holds the instances to end with pathspan.
var running = struct {
	sync.Mutex
	all map[*instance]bool
}{all: map[*instance]bool{}}

// Cleanup ends all plugins that run. A program that opens plugins calls it before it
// exits.
func Cleanup() {
	running.Lock()
	all := slices.Collect(maps.Keys(running.all))
	running.Unlock()
	var wg workers.Group
	for _, i := range all {
		wg.Go(func() { i.end(true) })
	}
	wg.Wait()
	goplugin.CleanupClients()
}

// start starts the program of a reference and shakes hands with it.
func start(ctx context.Context, ref *reference, lim limits) (*instance, error) {
	i := &instance{ref: ref, limits: lim, process: newProcess()}
	i.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  Handshake,
		VersionedPlugins: wire.Plugins(func(int) goplugin.Plugin { return dispenser{} }),
		RunnerFunc:       i.process.prepare(ref.path, ref.dir),
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         true,
		Managed:          true,
		StartTimeout:     lim.start,
		Logger:           hclog.NewNullLogger(),
		SyncStderr:       &i.process.words, // what a Go plugin writes to os.Stderr
	})
	var once sync.Once
	i.end = func(graceful bool) { once.Do(func() { i.stop(graceful) }) }
	running.Lock()
	running.all[i] = true
	running.Unlock()

	var err error
	connecting := workers.Start(func() { err = i.connect() })
	select {
	case <-connecting.Ended():
		connecting.Wait()
		if err != nil {
			err = i.startFault(err)
		}
	case <-ctx.Done():
		i.process.kill()
		connecting.Wait()
		err = ref.errorf("interrupted while it starts: %w", context.Cause(ctx))
	case <-time.After(lim.start + 5*time.Second): // it listens, or says so, and does not speak
		i.process.kill()
		connecting.Wait()
		err = ref.errorf("no connection after %v; it printed %q", lim.start, clip(i.process.line.text()))
	}
	if err != nil {
		i.end(false)
		return nil, err
	}
	return i, nil
}

func (i *instance) connect() error {
	protocol, err := i.client.Client()
	if err != nil {
		return err
	}
	if !printedCertificate(i.process.line.text()) {
		return errNoCertificate
	}
	model, err := protocol.Dispense("model")
	if err != nil {
		return err
	}
	i.model = model.(pluginpb.ProcessorModelClient)
	return nil
}

// graceTime is what a plugin has to end of its own.
const graceTime = 3 * time.Second

// stop ends the plugin and waits until it has ended. Graceful, it is asked first.
func (i *instance) stop(graceful bool) {
	if !graceful {
		i.process.kill()
	}
	ending := workers.Start(i.client.Kill) // asks, and waits for an answer without end
	select {
	case <-ending.Ended():
	case <-time.After(graceTime):
		i.process.kill()
	}
	ending.Wait()
	running.Lock()
	delete(running.all, i)
	running.Unlock()
}

// dispenser is go-plugin's view of the protocol: it hands out the client.
type dispenser struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (dispenser) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("package plugin is the host's side")
}

func (dispenser) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return pluginpb.NewProcessorModelClient(conn), nil
}
